import Posix
import TestSupport
import Testing

/// Jobs that go on and sources that are freed, while somebody else is at work on the same files.
///
/// Every block that any file has held is in some file, unless the meddler himself has destroyed its last
/// copy; what is published is right; nobody else's file is touched; and a dry run changes nothing.
@Suite(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct AdversaryTests {
  /// `make adversary` says how many, and of which seed.
  private static let wanted = number("CLEAVE_ADVERSARY_HISTORIES")
  private static let seed =
    number("CLEAVE_ADVERSARY_SEED").map { UInt64($0) } ?? .random(in: 0...9999)
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
    if Self.only != nil || ProcessState.environment("TELL") != nil { print("TOLD \(number)\n\(told)") }
  }
}
