public import Posix

/// The name of one part, read by one row of ``NamingStyle``'s table: what comes before the number, the
/// number, and what comes behind.
public struct PartName: Hashable, Sendable {
  /// The index of the row of the table.
  private var row: Int
  /// What is in front of the number; no directory in it.
  let head: FilePath
  /// What the name of the part says of its place.
  public private(set) var digits: PartDigits
  /// What is behind the number.
  let tail: FilePath
  /// How many parts there are, if the name tells it.
  let total: Int64?
  /// The name of the whole, without a directory.
  public let base: FilePath
  /// Whether the base is a good name for the whole: `x` of `xaa` is not.
  let namesWhole: Bool

  /// The number that the digits give.
  public var number: Int64 { digits.number }
  /// How many digits the name has.
  public var width: Int { digits.width }
  /// The row of the table.
  var style: NamingStyle { NamingStyle.table[row] }
  /// Whether it has a number of a part: of a DVD, the menu has none.
  var isCounted: Bool { number >= style.lowest }
  /// The family of the name.
  public var family: NamingStyle.Family { style.family }

  private static let dot = UInt8(ascii: ".")

  /// Takes a name in a directory apart as `BASE.DIGITS`, or gives nil where it does not have that form.
  ///
  /// The base has at least one byte. `..1` and `...1` are no parts: joined, they would be a
  /// directory.
  public init?(_ name: FilePath) {
    let bytes = name.bytes
    guard let cut = bytes.lastIndex(of: Self.dot), cut > 0 else { return nil }
    guard let digits = PartDigits(bytes[(cut + 1)...]) else { return nil }
    let base = FilePath(bytes: bytes[..<cut])
    if !Self.isUsable(base) || bytes.contains(UInt8(ascii: "/")) { return nil }
    row = digits.width == 1 ? Self.digitRow : Self.numbersRow
    head = base.adding(".")
    self.digits = digits
    tail = ""
    total = nil
    self.base = base
    namesWhole = true
  }

  // Tests see that both are there.
  private static let digitRow = NamingStyle.table.firstIndex { $0.family == .digit } ?? 0
  private static let numbersRow = NamingStyle.table.firstIndex { $0.family == .numbers } ?? 0

  /// - Parameter bytes: of the name that matches.
  private init?(_ match: NamePattern.Match, _ bytes: [UInt8], _ row: Int, _ pattern: NamePattern) {
    guard let digits = match.digits else { return nil }
    let style = NamingStyle.table[row]
    self.row = row
    head = FilePath(bytes: bytes[..<match.number.lowerBound])
    self.digits = digits
    tail = FilePath(bytes: bytes[match.number.upperBound...])
    total = match.total
    // GNU `split` puts nothing between the prefix that it is given and the digits.
    let isTrimmed = pattern.isBare || style.family == .letters || style.family == .digits
    let stem = pattern.isBare ? bytes[..<match.number.lowerBound] : bytes[match.stem]
    let trimmed = isTrimmed ? Self.trimmed(stem) : stem
    let ending = pattern.wholeEnding.map { Array($0.utf8)[...] } ?? bytes[match.ending]
    let whole = FilePath(bytes: trimmed + ending)
    let tellsNothing = pattern.isBare ? match.ending.isEmpty : whole == "x" && isTrimmed
    // The first of these parts has the name already.
    namesWhole = !trimmed.isEmpty && !tellsNothing && digits.alphabet != .afterS
    base =
      trimmed.isEmpty ? FilePath(bytes: head.bytes + digits.zeros + tail.bytes) : whole
    guard Self.isUsable(base) else { return nil }
  }

  private static func trimmed(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var stem = stem
    while let last = stem.last, ".-_ ".utf8.contains(last) { stem.removeLast() }
    return stem
  }

  private static func isUsable(_ base: FilePath) -> Bool {
    !base.bytes.isEmpty && base != "." && base != ".."
  }

  /// Every way to read a name, most specific first; none of them twice.
  ///
  /// - Parameter base: that of the readings that count; nil for any.
  static func readings(
    of name: FilePath,
    by families: [NamingStyle.Family]? = nil,
    withBase base: FilePath? = nil
  ) -> [PartName] {
    let bytes = name.bytes
    // What a job writes to is no part of anything.
    guard !bytes.contains(UInt8(ascii: "/")), DownloadName.final(ofTemporary: name) == nil else {
      return []
    }
    let (isManifest, isDownload) = (Manifest.isName(name), DownloadName.matches(name))
    let set = ByteSet(bytes)
    var readings: [PartName] = []
    for row in NamingStyle.table.indices {
      let style = NamingStyle.table[row]
      guard families?.contains(style.family) ?? true else { continue }
      for pattern in style.patterns where !(isManifest && pattern.hasFileType) {
        pattern.match(bytes, of: set) { match in
          // `data.st` may be one of `data.aa` … `data.zz`.
          if isDownload, match.number.upperBound < bytes.count { return }
          guard let reading = PartName(match, bytes, row, pattern),
            base.map({ $0 == reading.base }) ?? true
          else { return }
          // The disks that count from 66600 may be counted otherwise.
          let isNew = !readings.contains { $0.family != .dumps && $0.isSame(as: reading) }
          if isNew { readings.append(reading) }
        }
      }
    }
    return readings
  }

  /// Whether the other parts are the same, too.
  private func isSame(as other: PartName) -> Bool {
    head == other.head && tail == other.tail
      && (digits.alphabet == other.digits.alphabet || style.lowest > 0)
  }

  /// How a name can be that of a part of `base`, whatever else it may be.
  static func reading(of name: FilePath, for base: FilePath) -> PartName? {
    readings(of: name, for: base).first
  }

  /// All ways in which it can be, the likeliest first.
  static func readings(of name: FilePath, for base: FilePath) -> [PartName] {
    let numbered = PartName(name).map { [$0] } ?? []
    return numbered.filter { $0.base == base }
      + readings(of: name, withBase: base).filter(\.style.isJoined)
  }

  /// The names of the wholes that a file may be a part of, most likely first, in its directory.
  package static func wholes(of path: FilePath) -> [FilePath] {
    var bases: [FilePath] = []
    for reading in readings(of: path.lastComponent) where reading.style.isJoined {
      if !bases.contains(reading.base) { bases.append(reading.base) }
    }
    return bases.map { path.sibling($0) }
  }

  /// How names that are given in an order are all read, so that they are those of one file; nil where
  /// they are not.
  package static func common(_ names: [FilePath]) -> PartName? {
    guard let first = names.first,
      let form = counting(names, possible(first, isAlone: names.count == 1))
    else { return nil }
    guard form.digits.alphabet == .hexadecimal else { return form }
    // Behind `f.009.mp4`, `f.010.mp4` is the next.
    return readings(of: first).first { other in
      other.digits.alphabet == .decimal && other.head == form.head && other.tail == form.tail
        && names.allSatisfy { other.digits(of: $0) != nil }
    } ?? form
  }

  /// What a name may be read as that is, or is not, alone.
  static func possible(_ name: FilePath, isAlone: Bool) -> [PartName] {
    readings(of: name).filter { reading in
      reading.style.isCertain && reading.digits.alphabet == .decimal
        || reading.style.isJoined && !isAlone && reading.isCounted
          && (reading.number == 0 || reading.total != nil
            || reading.family == .hexadecimal && reading.style.firsts.contains(reading.number))
    }
  }

  /// How all of some names are read as parts of `base`: in decimal digits where they can be, else as is likeliest.
  static func counting(_ names: [FilePath], for base: FilePath) -> PartName? {
    names.first.flatMap { counting(names, readings(of: $0, for: base)) }
  }

  private static func counting(_ names: [FilePath], _ readings: [PartName]) -> PartName? {
    let all = readings.filter { form in names.allSatisfy { form.digits(of: $0) != nil } }
    return all.likeliest
  }

  /// The names that the first part may have: of as many digits, or of two, from which they widened.
  var firsts: [FilePath] {
    let plain = Numbering(alphabet: digits.alphabet, width: width, isWidening: false)
    let widening = Numbering.widening(digits.alphabet)
    let rules = width > 2 && widening.contains(digits) ? [widening, plain] : [plain]
    return rules.flatMap { rule in style.firsts.map { name($0, rule) } }
  }

  /// Whether some numbers are days of a month, or months of a year, that stands in front: `vm.2024-02-01`.
  func countsDays(from first: Int64, to last: Int64) -> Bool {
    guard digits.alphabet == .decimal, width == 2, first > 0, last < 32 else { return false }
    var rest = head.bytes[...]
    func takeNumber(_ count: Int) -> Int? {
      if rest.last.map("-_.".utf8.contains) == true { rest.removeLast() }
      let found = rest.suffix(count)
      guard found.count == count, found.allSatisfy(\.isDigit) else { return nil }
      rest = rest.dropLast(count)
      return found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    func hasYear() -> Bool {
      takeNumber(4).map { (1970...2099).contains($0) } == true
        && rest.last.map { !$0.isDigit } != false
    }
    let start = rest
    if takeNumber(2).map({ (1...12).contains($0) }) == true, hasYear() { return true }
    rest = start
    return last < 13 && hasYear()
  }

  /// Whether it is called as a log that was rotated.
  var isOfLog: Bool {
    family == .digit && tail.bytes.isEmpty
      && ([".log", "-log", "_log"].contains(where: base.endsFolded)
        || ["log", "syslog", "messages", "dmesg"].contains(base))
  }

  /// The name that was read.
  var name: FilePath {
    name(number, Numbering(alphabet: digits.alphabet, width: width, isWidening: false))
  }
}

// MARK: - Other parts

extension PartName {
  /// The digits of `name`, if it is the name of another part: the same but for the number.
  ///
  /// Takes no memory, for the names of a large directory.
  ///
  /// - Parameter folding: whether letters in another case are the same.
  func digits(of name: FilePath, folding: Bool = false) -> PartDigits? {
    let (front, behind) = (head.bytes.count, tail.bytes.count)
    let bytes = name.bytes
    guard bytes.count > front + behind else { return nil }
    let middle = bytes[front..<(bytes.count - behind)]
    guard Self.isSame(bytes[..<front], head.bytes[...], folding),
      Self.isSame(bytes[middle.endIndex...], tail.bytes[...], folding)
    else { return nil }
    // Letters in the other case count as another spelling.
    if !folding, digits.alphabet != .decimal, middle.contains(where: { (65...90).contains($0) }) {
      return nil
    }
    guard let found = PartDigits(middle, digits.alphabet) else { return nil }
    return found.number > 0 || style.lowest == 0 ? found : nil
  }

  /// The name of a part that is spelled in other bytes for the same letters, as those of the others are; nil of any other.
  func respelled(_ name: FilePath) -> FilePath? {
    guard name.bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    let (text, front, behind) = (
      name.letters, head.letters, tail.bytes.isEmpty ? "" : tail.letters
    )
    guard text.hasPrefix(front), text.hasSuffix(behind), text.count > front.count + behind.count
    else {
      return nil
    }
    let middle = Array(text.dropFirst(front.count).dropLast(behind.count).utf8)
    guard PartDigits(middle[...], digits.alphabet) != nil else { return nil }
    return FilePath(bytes: head.bytes + middle + tail.bytes)
  }

  private static func isSame(
    _ left: ArraySlice<UInt8>,
    _ right: ArraySlice<UInt8>,
    _ folding: Bool
  ) -> Bool {
    if left.elementsEqual(right) { return true }
    guard folding else { return false }
    return left.elementsEqual(right) { $0.folded == $1.folded }
  }

  /// The form of a series, whatever part it was found by.
  func ofSeries(width: Int) -> PartName {
    var form = self
    let zeros = digits.alphabet.digits(of: 0, width: width)
    form.digits = PartDigits(zeros, digits.alphabet) ?? digits
    if width == self.width { return form }
    // `a.10` beside `a.1` is one of those that are counted in single digits.
    let name = FilePath(bytes: head.bytes + zeros + tail.bytes)
    let rows = Self.readings(of: name).filter { isSame(as: $0) }
    form.row = (rows.first { $0.family == family } ?? rows.first)?.row ?? row
    return form
  }

  /// The name of the part with a number.
  func name(_ number: Int64, _ numbering: Numbering) -> FilePath {
    FilePath(bytes: head.bytes + numbering.digits(of: number) + tail.bytes)
  }

  /// The name of a part of `BASE.DIGITS`: padded with zeros to `width`, and longer where the number
  /// needs more.
  ///
  /// - Parameters:
  ///   - base: the series' name, with or without a directory.
  ///   - number: not negative.
  ///   - width: digits; `a.999` of width 3 is followed by `a.1000`.
  ///   - separator: between the two.
  public static func format(
    base: FilePath,
    number: Int64,
    width: Int,
    separator: String = "."
  ) -> FilePath {
    FilePath(
      bytes: base.adding(separator).bytes + PartAlphabet.decimal.digits(of: number, width: width)
    )
  }
}

extension PartDigits {
  /// The digits of 0, as many.
  fileprivate var zeros: [UInt8] { alphabet.digits(of: 0, width: width) }
}

extension [PartName] {
  /// The first that counts in decimal digits, or else the first.
  var likeliest: PartName? { first { $0.digits.alphabet == .decimal } ?? first }
}
