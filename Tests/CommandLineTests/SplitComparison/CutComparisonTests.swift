import Posix
import TestSupport
import Testing

/// Under its own name, cleave cuts where GNU `split` does, from a file and from a pipe, and gives parts the names
/// that are asked for.
@Suite(.aside) struct CutComparisonTests {
  private static let seed =
    ProcessState.environment("CLEAVE_SPLIT_SEED").flatMap { UInt64($0) } ?? SeededGenerator.seed
  private static let groups = 10
  private static let casesOfGroup = 60

  private struct Case {
    var bytes: [UInt8] = []
    var options: [String] = []
    /// What the parts are called: of GNU `split`, and the same here.
    var names = (theirs: [String](), ours: [String]())
    var isPipe = false

    static let names: [(theirs: [String], ours: [String])] = [
      ([], ["--alphabetic-suffixes"]), (["-d"], ["-d"]), (["-x"], ["-x"]),
      (["-a", "3"], ["--alphabetic-suffixes", "-a", "3"]), (["-d", "-a", "5"], ["-da5"]),
      (["-x", "--additional-suffix=.csv"], ["-x", "--additional-suffix=.csv"]),
      (["--numeric-suffixes=1", "-a", "4"], ["--numeric-suffixes=1", "-a", "4"]),
      (["--numeric-suffixes=97", "-a", "4"], ["--numeric-suffixes=97", "-a", "4"]),
      (["-d", "--additional-suffix=.x y"], ["-d", "--additional-suffix=.x y"]),
    ]

    init(_ random: inout SeededGenerator) {
      func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
      let separator = [10, 10, 0, 120][below(4)] as UInt8
      let longest = [1, 4, 30, 300][below(4)]
      let count = below([20, 200, 3000][below(3)])
      while bytes.count < count {
        bytes += (0..<below(longest + 1)).map { UInt8(97 + $0 % 20) } + [separator]
      }
      bytes = Array(bytes.prefix(count))
      let size = 1 + count / 40 + below([5, 100, 2000][below(3)])
      switch below(5) {
      case 0: options = ["-b", "\(size)"]
      case 1: options = ["-l", "\(1 + below(20) + count / 40)"]
      case 2: options = ["-C", "\(size)"]
      default:
        let chunks = 1 + below(20)
        // Versions before 9.2 give what is left over to the last chunk; 9.5 makes files without end where
        // there are fewer bytes than chunks.
        bytes.removeLast(bytes.count % chunks)
        options = ["-n", (below(2) == 0 || bytes.isEmpty ? "" : "l/") + "\(chunks)"]
        if below(2) == 0 { options.append("-e") }
      }
      names = Self.names[below(Self.names.count)]
      let isOfRecords = ["-l", "-C"].contains(options[0]) || options[1].hasPrefix("l/")
      isPipe = options[0] != "-n" && below(2) == 0
      guard isOfRecords else { return }
      if separator == 0 { options += ["-t", #"\0"#] }
      if separator == 120 { options += ["-t", "x"] }
    }
  }

  @Test(arguments: 0..<groups) func cutsAreTheSame(group: Int) throws {
    guard let gnu = Tool.find("split") else { return print("skipped: there is no split") }
    var random = SeededGenerator(seed: Self.seed &* 1000 &+ UInt64(group))
    for number in 0..<Self.casesOfGroup {
      let test = Case(&random)
      let directory = try TemporaryDirectory()
      let file = directory.file("in")
      try Files.write(test.bytes, to: file)
      let input = test.isPipe ? ToolInput.bytes(test.bytes) : .null
      let operands: [any ToolArgument] = [test.isPipe ? "-" : file, directory.file("p-")]
      let theirs = try gnu.run(test.names.theirs + test.options + operands, input: input)
      #expect(theirs.exitCode == 0, "\(theirs)")
      let expected = try Self.take(in: directory)
      let ours = try Tool.cleave.run(
        ["split", "-q", "--no-sync", "--manifest=none"] + test.names.ours + test.options + operands,
        input: input
      )
      let comment: Comment =
        "CLEAVE_SPLIT_SEED=\(Self.seed), group \(group), case \(number): \(test)"
      #expect(ours.exitCode == 0, comment)
      // An empty file makes one empty part, so that it can be merged again.
      let parts = try Self.take(in: directory)
      if expected.isEmpty {
        #expect(parts.map(\.bytes) == [[]], comment)
      } else {
        #expect(parts.map(\.name) == expected.map(\.name), comment)
        #expect(parts.map(\.bytes) == expected.map(\.bytes), comment)
      }
    }
  }

  /// The parts in order, which are gone then.
  private static func take(
    in directory: TemporaryDirectory
  ) throws -> [(name: FilePath, bytes: [UInt8])] {
    try directory.names().filter { $0 != "in" }.map { name in
      let bytes = try Files.read(directory.file(name))
      try FileSystem.unlink(directory.file(name))
      return (name, bytes)
    }
  }
}
