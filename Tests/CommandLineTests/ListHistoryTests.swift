import Posix
import TestSupport
import Testing

/// Whatever befalls parts, what the lists of them tell is not passed over, and what is right is not refused.
///
/// `make lists` tries many more.
@Suite(
  .aside,
  .enabled(
    if: Tool.find("sha256sum") != nil && Tool.cleaveHasDigests,
    "needs coreutils and digests"
  )
)
struct ListHistoryTests {
  private static let cases = number("CLEAVE_LIST_CASES") ?? 80
  private static let seed =
    number("CLEAVE_LIST_SEED").map { UInt64($0) } ?? SeededGenerator.seed
  private static let groups = 4

  private static func number(_ name: String) -> Int? {
    ProcessState.environment(name).flatMap { Int($0) }
  }

  @Test(arguments: 0..<groups) func whatListsTellIsNotPassedOver(group: Int) throws {
    for number in stride(from: group, to: Self.cases, by: Self.groups) {
      let history = ListHistory(seed: Self.seed &+ UInt64(number))
      let directory = try TemporaryDirectory()
      try history.make(in: directory)
      let comment = "CLEAVE_LIST_SEED=\(history.seed) CLEAVE_LIST_CASES=1: \(history)"
      let one = try merge([history.operand], history, directory, comment)
      let all = try merge(history.left, history, directory, comment)
      // Two names such as a log's are no parts by these alone.
      if one.errorText.contains("is named like many things") { continue }
      if history.isRight, history.isTold {
        #expect(all.exitCode == 0, "\(comment): \(all)")
        if !history.isApart { #expect(one.exitCode == 0, "\(comment): \(one)") }
      }
      let verified = try Tool.cleave.run(
        ["verify", history.operand],
        workingDirectory: directory.path
      )
      if verified.exitCode == 0 {
        #expect(one.exitCode == 0, "\(comment): \(verified), but \(one)")
        #expect(history.isRight || !history.isTold, "\(comment): \(verified)")
      }
    }
  }

  /// Merges files, and looks at what came of it.
  private func merge(
    _ operands: [String],
    _ history: ListHistory,
    _ directory: TemporaryDirectory,
    _ comment: String
  ) throws -> Outcome {
    let output = directory.file("out")
    let before = try FileTree(readFrom: directory.path)
    let outcome = try Tool.cleave.run(
      ["merge", "-o", "out"] + operands,
      workingDirectory: directory.path
    )
    if outcome.exitCode == 0 {
      let isRight = try Files.read(output) == history.bytes
      #expect(isRight || !history.isTold, "\(comment), \(operands): \(outcome)")
      try FileSystem.unlink(output)
    }
    #expect(
      try FileTree(readFrom: directory.path).entries == before.entries,
      "\(comment), \(operands): \(outcome)"
    )
    return outcome
  }
}
