import Posix
import TestSupport

/// A random command line of GNU `split`, with what it finds.
struct SplitCase {
  enum Input: CaseIterable { case file, standardInput, pipe }

  private(set) var words: [String] = []
  private(set) var input = Input.file
  private(set) var bytes: [UInt8] = []
  private(set) var environment: [String: String] = [:]
  private(set) var mask = "022"
  /// Names that are taken already: files, and whether one is the input by another name.
  private(set) var taken: [(name: FilePath, bytes: [UInt8])] = []
  private(set) var linksInput = false
  private(set) var differences: Set<SplitDifference> = []
  private var generator: SeededGenerator
  private var isRoundRobin = false
  private var chunks = false
  private var count: Int?

  init(seed: UInt64, number: Int) {
    generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    bytes = content()
    input = Input.allCases[below(3)]
    var options = mode()
    if chance(20) { options.append(["--verbose"]) }
    options += suffix()
    options += others()
    let filters = filter()
    if !filters.isEmpty { bytes = Array(bytes.prefix(Self.mostFiltered)) }
    options += filters
    options.shuffle(using: &generator)
    words = mixed(options, operands())
    surroundings()
    noteSizes()
  }

  /// Each byte may be a program of its own.
  private static let mostFiltered = 2000

  // MARK: - Chance

  private mutating func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &generator) }
  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  private mutating func one<T>(_ list: [T]) -> T { list[below(list.count)] }

  /// Records of a length of their own, now and then with separators that nobody asked for.
  private mutating func content() -> [UInt8] {
    let size = one([0, 1, 2, 5, 17, 50, 100, 1000, 5000, below(20_000), chance(8) ? 600_000 : 300])
    let longest = one([1, 2, 5, 20, 80, 500, size + 1])
    let separator = one([10, 10, 10, 0, 120] as [UInt8])
    var bytes: [UInt8] = []
    while bytes.count < size {
      let odd = chance(5)
      let letters = UInt8(97 + below(20))
      let record = (0..<below(longest + 1)).map { letters &+ UInt8(truncatingIfNeeded: $0 % 7) }
      bytes += record + (odd ? [10, 0, 120] : []) + [separator]
    }
    return Array(bytes.prefix(size))
  }

  /// One of the ways in which an option and its value may be typed.
  private mutating func option(_ short: String, _ long: String, _ value: String) -> [String] {
    switch below(4) {
    case 0 where !value.isEmpty: ["-\(short)\(value)"]
    case 1: ["-\(short)", value]
    case 2: ["--\(long)", value]
    default: ["--\(chance(20) ? String(long.prefix(1 + below(long.count))) : long)=\(value)"]
    }
  }

  // MARK: - How to split

  private mutating func mode() -> [[String]] {
    var options: [[String]] = []
    switch below(8) {
    case 0, 1: options.append(option("b", "bytes", size(units: true)))
    case 2: options.append(option("l", "lines", size(units: false)))
    case 3: options.append(option("C", "line-bytes", size(units: true)))
    case 4, 5: options.append(option("n", "number", chunkText()))
    case 6: options.append(["-\(one([0, 1, 2, 5, 10, 100, 123]))"])
    default: break
    }
    if options.contains(["-0"]) { differences.insert(.wording) }
    // More than one way is wrong, whatever else is.
    if chance(3) { options.append(["-b", "10"]) }
    return options
  }

  private mutating func size(units: Bool) -> String {
    if chance(75) { return "\(1 + below(one([50, 300, 5000])))" }
    if chance(50) {
      differences.insert(.largeNumber)
      return one(["1Q", "1R", "8E", "9223372036854775808", "99999999999999999999", "1QB"])
    }
    let isWrong = chance(40)
    if isWrong {
      differences.insert(.wording)
      return one(["0", "-1", "x", "", "5x", "1Ki", "1.5", "0x10", "-99999999999999999999", "B"])
    }
    let plain = ["1", "7", "64", " 5", "+5", "007", "100000", "9223372036854775807"]
    if units { return one(plain + ["4K", "1b", "1KB", "2kD", "K", "M", "1G", "3KiB", "1m"]) }
    if chance(20) { differences.insert(.wording) }
    return differences.contains(.wording) ? "1K" : one(plain)
  }

  private mutating func chunkText() -> String {
    let kind = one(["", "l/", "r/", " l/", "r/"])
    isRoundRobin = kind.contains("r")
    chunks = !isRoundRobin
    let number = 1 + below(one([5, 30, 60]))
    if chance(8) {
      differences.insert(.wording)
      return kind
        + one(["0", "-1", "x", "", "1K", "3x", "2/", "/2", "0/3", "4/3", "99999999999999999999/3"])
    }
    if chance(4) { return one(["L/", "k/"]) + noteWording("\(number)") }
    count = number
    if kind.contains("l"), bytes.count < number { differences.insert(.endless) }
    return kind + (chance(30) ? "\(1 + below(number))/" : "") + "\(number)"
  }

  private mutating func noteWording(_ text: String) -> String {
    differences.insert(.wording)
    return text
  }

  /// What sizes tell 9.1 and 9.5 apart is known when all else is.
  private mutating func noteSizes() {
    guard chunks else { return }
    if input == .pipe || words.contains(where: { $0.hasPrefix("/") }) {
      differences.insert(.stream)
    }
    if let count, bytes.count < count || bytes.count % count != 0 { differences.insert(.remainder) }
  }

  // MARK: - Names

  private mutating func suffix() -> [[String]] {
    var options: [[String]] = []
    if chance(20) {
      options.append(option("a", "suffix-length", one(["0", "1", "2", "3", "4", "10", "300"])))
    } else if chance(4) {
      differences.insert(.wording)
      options.append(option("a", "suffix-length", one(["-1", "x", "2x", "99999999999999999999"])))
    }
    if chance(12) { options.append([one(["-d", "-x", "--numeric-suffixes", "--hex", "-de"])]) }
    if chance(12) {
      let start = one(["0", "1", "5", "9", "10", "89", "95", "99", "007", "00", "", "98", "100"])
      options.append(["--numeric-suffixes=\(start)"])
    } else if chance(6) {
      let start = one(["0", "9", "10", "99", "a0", "1F", "x", "f"])
      // What is wrong is told alike.
      if start.contains("a") || start == "f" { differences.insert(.digits) }
      options.append(["--hex-suffixes=\(start)"])
    }
    if chance(10) {
      let suffix = one([".txt", "", "/", "a/b", "b/", "'s", " x", "$"])
      if suffix.hasSuffix("/") { differences.insert(.slash) }
      options.append(["--additional-suffix=\(suffix)"])
    }
    return options
  }

  private mutating func operands() -> [String] {
    var operands: [String] = input == .file ? [one(["in", "./in"])] : chance(60) ? ["-"] : []
    if chance(5) {
      let odd = [
        "nothere", "dir", "no\nfile", "it's", "a b", "dir/in", "/proc/version", "/dev/null",
      ]
      operands = [one(odd + ["\u{FC}", "in/"])]
    }
    if !operands.isEmpty, chance(25) {
      let names = [
        "y", "out.", "dir/", "dir/z", "nodir/z", "", "a b", "it's", "z\t", "a:b", "\u{E9}",
      ]
      operands.append(one(names + ["in", String(repeating: "x", count: 250), "'\"$"]))
      if chance(4) { operands.append("extra") }
    }
    return operands
  }

  // MARK: - The rest

  private mutating func others() -> [[String]] {
    var options: [[String]] = []
    if chance(20) { options.append([one(["-e", "--elide-empty-files", "--el"])]) }
    if chance(18) {
      let separator = one(["a", "x", #"\0"#, "\n", "", "ab", "b", "'"])
      options.append(option("t", "separator", separator))
    }
    if chance(10) { options.append([one(["-u", "--unbuffered", "-ue"])]) }
    if chance(18) {
      options.append([
        "---io-blksize=\(one(["1", "2", "3", "7", "100", "4096", "1K", "65536", "x"]))"
      ])
    }
    if chance(4) {
      let wrong = [
        "--verb", "--ver", "--foo", "-z", "--num=3", "--filter", "-", "--u", "-5b", "-W", "-t",
      ]
      options.append([
        one(wrong + ["--unbuffered=1", "--io", "--help=x", "--", "--s=1", "--foo=b r"])
      ])
      // It may be an option of its own, or take what comes next.
      differences.formUnion([.wording, .remainder])
    }
    return options
  }

  private mutating func filter() -> [[String]] {
    guard chance(18) else { return [] }
    // Those that run side by side must not write to one place, and those that end early not be raced.
    var commands = ["cat > \"$FILE\"", "cat > $FILE.f", "wc -c > $FILE", "tr a-z A-Z > $FILE"]
    if !isRoundRobin {
      commands += [
        "cat > $FILE; exit 3", "cat >/dev/null; kill -9 $$", "cat >/dev/null; kill -TERM $$",
      ]
      commands += [
        "cat >/dev/null; exit 200", "cat; echo $FILE >&2", "cat >/dev/null; kill -40 $$",
      ]
      commands += ["cat > $FILE; [ $FILE != xab ] || exit 7"]
      if !chunks { commands += ["true", "head -c3 > $FILE"] }
    }
    let command = one(commands)
    // What a shell says of a name that it cannot make would stand in any order.
    return [["--filter=\(isRoundRobin ? "{ \(command); } 2>/dev/null" : command)"]]
  }

  private mutating func mixed(_ options: [[String]], _ operands: [String]) -> [String] {
    var (words, operands) = ([String](), operands[...])
    let isMixed = chance(30)
    for option in options {
      if isMixed, chance(40), let operand = operands.popFirst() { words.append(operand) }
      words += option
    }
    return words + operands
  }

  private mutating func surroundings() {
    environment["LC_ALL"] = one(["C", "C.UTF-8", "C.UTF-8", "nowhere"])
    if chance(5) { environment["POSIXLY_CORRECT"] = "1" }
    // Of filters side by side, who complains first is anybody's guess.
    let isOdd = !isRoundRobin && chance(8)
    environment["SHELL"] = isOdd ? one(["/nonexistent", "/bin/false", ""]) : "/bin/sh"
    mask = one(["022", "077", "0"])
    if chance(12) {
      taken = [("xaa", one([[], Array("old old old".utf8)])), ("x00", [81])]
    }
    linksInput = chance(4)
  }
}

extension SplitCase: CustomStringConvertible {
  /// As much as a shell needs to repeat it, but for the input.
  var description: String {
    let command = words.map { FilePath($0).quoted }.joined(separator: " ")
    return "\(environment) umask \(mask) split \(command) (\(input), \(bytes.count) bytes"
      + (taken.isEmpty ? "" : ", names taken") + (linksInput ? ", input linked" : "") + ")"
  }
}
