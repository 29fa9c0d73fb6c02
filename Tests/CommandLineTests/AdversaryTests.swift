import Posix
import TestSupport
import Testing

/// Jobs that go on and sources that are freed, while somebody else is at work on the same files.
///
/// Every block that any file has held is in some file, unless the meddler himself has destroyed its last
/// copy; what is published is right; nobody else's file is touched; and a dry run changes nothing.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct AdversaryTests {
  /// `make adversary` says how many, and of which seed.
  private static let wanted = number("CLEAVE_ADVERSARY_HISTORIES")
  private static let seed =
    number("CLEAVE_ADVERSARY_SEED").map { UInt64($0) } ?? SeededGenerator.seed
  /// The one history that is to be told call by call.
  static let only = number("CLEAVE_ADVERSARY_HISTORY")

  private static func number(_ name: String) -> Int? {
    ProcessState.environment(name).flatMap { Int($0) }
  }

  private static let numbers = only.map { $0..<($0 + 1) } ?? 0..<(wanted ?? 100)

  @Test(arguments: numbers) func whateverOthersDoNoByteIsLost(number: Int) throws {
    let history = try AdversaryHistory(seed: Self.seed, number: number)
    try history.run()
    let told = history.events.joined(separator: "\n")
    let again = "make adversary SEED=\(Self.seed) HISTORY=\(number)"
    #expect(history.violations == [], "'\(again)' repeats it:\n\(told)")
    if Self.only != nil || ProcessState.environment("TELL") != nil {
      print("TOLD \(number)\n\(told)")
    }
  }

  // MARK: The books themselves

  /// Whoever is not the meddler and takes something away is found out.
  @Test(arguments: ["bystander", "source"]) func theBooksNoticeWhatIsGone(what: String) throws {
    for number in 0..<5 {
      let history = try AdversaryHistory(seed: 1, number: number)
      let bystander = history.job.input.appending("bystander")
      let path = what == "bystander" ? bystander : history.job.sources[0]
      try history.look("the start")
      #expect(history.violations == [])
      let bytes = try Files.read(path)
      try Files.write(Array(bytes.dropLast(5000)), to: path)
      try history.look("the end")
      #expect(history.violations.contains { $0.hasPrefix("LOST: ") }, "\(history.violations)")
      let isForeign = what == "bystander" || !history.job.kind.consumes
      let isNoticed = history.violations.contains { $0.hasPrefix("FOREIGN: ") }
      #expect(isNoticed == isForeign, "\(history.violations)")
    }
  }

  @Test func theBooksForgiveWhatTheMeddlerTakesAway() throws {
    let history = try AdversaryHistory(seed: 1, number: 0)
    for source in history.job.sources {
      try history.act("remove \(source)") { try FileSystem.unlink(source) }
    }
    try history.look("the end")
    #expect(history.violations == [])
  }

  @Test func theBooksKnowABlockWhereverItIs() {
    var blocks = TaggedBlocks()
    let bytes = blocks.fill(3 * TaggedBlocks.size + 100)
    #expect(bytes.count == 3 * TaggedBlocks.size + 100)
    #expect(blocks.found(in: [0xC1, 0xEA] + bytes + [1]) == [1, 2, 3, 4])
    var damaged = bytes
    damaged[TaggedBlocks.size + 50] ^= 1
    #expect(blocks.found(in: damaged) == [1, 3, 4])
    #expect(blocks.found(in: Array(bytes.dropLast())) == [1, 2, 3])
  }
}
