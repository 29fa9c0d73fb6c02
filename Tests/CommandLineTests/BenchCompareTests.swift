import Foundation
import Posix
import TestSupport
import Testing

/// What `Benchmarks/compare` says of two recorded runs.
@Suite(.aside, .enabled(if: Tool.find("python3") != nil, "python3 is not installed"))
struct BenchCompareTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for run in ["old", "new"] as [FilePath] { try Files.makeDirectory(directory.file(run)) }
  }

  /// Times divided by the baseline's, and peak memory in MiB.
  private struct Row: CustomTestStringConvertible {
    var old: [Double]
    var new: [Double]
    var oldMemory = [10, 11, 12]
    var newMemory = [10, 11, 12]
    var verdict = ""
    var testDescription: String { "\(old) → \(new), \(oldMemory) → \(newMemory)" }
  }

  @Test(
    arguments: [
      Row(old: [0.5, 0.6, 0.7], new: [0.5, 0.6, 0.7]),
      Row(old: [0.5, 0.6, 0.7], new: [0.1, 0.2, 0.3]),
      // Above the old median, but only a little above the old quartile.
      Row(old: [1.00, 1.01, 1.02], new: [1.05, 1.06, 1.07]),
      // More than a tenth, but within what the old runs reached.
      Row(old: [0.5, 0.9, 1.3], new: [0.8, 0.9, 1.0]),
      Row(old: [0.5, 0.6, 0.7], new: [0.7, 0.8, 0.9], verdict: "SLOWER"),
      Row(old: [1, 1, 1], new: [1, 1, 1], newMemory: [12, 12, 20]),
      Row(old: [1, 1, 1], new: [1, 1, 1], newMemory: [13, 14, 15], verdict: "BIGGER"),
      Row(old: [1, 1, 1], new: [2, 2, 2], newMemory: [13, 14, 15], verdict: "SLOWER BIGGER"),
    ]
  )
  private func onlyWhatExceedsTheNoiseIsWorse(row: Row) throws {
    try write(row.old, row.oldMemory, to: "old/merge.json")
    try write(row.new, row.newMemory, to: "new/merge.json")
    let outcome = try compare("old", "new")
    #expect(outcome.exitCode == (row.verdict.isEmpty ? 0 : 1), "\(outcome)")
    let line = try #require(outcome.outputText.split(separator: "\n").dropFirst().first)
    #expect(line.hasPrefix("merge         direct, high water 1M, verify stream "), "\(line)")
    let end = line.reversed().prefix { !$0.isNumber }.reversed()
    #expect(String(end).trimmingCharacters(in: .whitespaces) == row.verdict, "\(line)")
  }

  @Test func quartilesMediansAndMemoryAreTold() throws {
    try write([0.5, 0.7, 0.9, 0.6, 0.8], [10, 11, 12, 13, 14], to: "old/merge.json")
    try write([0.7, 0.6, 0.8], [9, 9, 10], to: "new/merge.json")
    let outcome = try compare("old", "new")
    #expect(outcome.exitCode == 0, "\(outcome)")
    let line = try #require(outcome.outputText.split(separator: "\n").dropFirst().first)
    #expect(
      line.split(separator: " ").suffix(9)
        == ["0.60", "→", "0.65", "0.70", "→", "0.70", "14.0", "→", "10.0"]
    )
    #expect(outcome.outputText.hasSuffix("\n1 compared, 0 got worse\n"))
  }

  @Test func whatOnlyOneRunHasIsNamed() throws {
    for file in ["old/merge.json", "new/merge.json", "old/cold.json", "new/split.json"] {
      try write([1], [1], to: FilePath(file))
    }
    let outcome = try compare("old", "new")
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains("\ncold is only in the old run\n"))
    #expect(outcome.outputText.contains("\nsplit is only in the new run\n"))
  }

  @Test func theMachineIsSuspectedWhereMostGotWorse() throws {
    for (number, ratio) in [2.0, 2, 1, 1].enumerated() {
      try write([1], [1], to: FilePath("old/\(number).json"))
      try write([ratio], [1], to: FilePath("new/\(number).json"))
    }
    let half = try compare("old", "new")
    #expect(half.outputText.hasSuffix("\n4 compared, 2 got worse\n"), "\(half)")
    try write([2], [1], to: "new/3.json")
    let most = try compare("old", "new")
    #expect(most.exitCode == 1)
    #expect(most.outputText.contains("\n4 compared, 3 got worse\nmost got worse, "), "\(most)")
  }

  @Test func filesAreComparedWhateverTheyAreCalled() throws {
    try write([1], [1], to: "before.json")
    try write([2], [1], to: "after.json")
    let outcome = try compare("before.json", "after.json")
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n1 compared, 1 got worse\n"))
  }

  @Test(
    arguments: [
      ("", "new/merge.json: no JSON: "),
      ("[]", "new/merge.json: not an export of cleave bench"),
      (#"{"results": []}"#, "new/merge.json: not an export of cleave bench"),
      (
        #"{"host": {"bytes": 1, "parts": 1}, "results": [{"times": [1]}]}"#,
        "new/merge.json: not an export of cleave bench"
      ),
    ] as [(String, String)]
  )
  func whatIsNoRunIsRefused(text: String, complaint: String) throws {
    try write([1], [1], to: "old/merge.json")
    try Files.write(Array(text.utf8), to: directory.file("new/merge.json"))
    try expectRefusal(complaint, "old", "new")
  }

  @Test func runsOfDifferentWorkAreRefused() throws {
    try write([1], [1], to: "old/merge.json")
    try write([1], [1], bytes: 5, to: "new/merge.json")
    try expectRefusal("merge: bytes was 1000 and is 5", "old", "new")
  }

  @Test func nothingToCompareIsRefused() throws {
    try expectRefusal("old: has no runs: no file *.json", "old", "new")
    try expectRefusal("absent: No such file or directory", "absent", "new")
    try write([1], [1], to: "old/merge.json")
    try write([], [1], to: "new/merge.json")
    try expectRefusal("the two runs have nothing in common that has a baseline", "old", "new")
  }

  // MARK: - Inside

  /// Writes what `cleave bench --export-json` would have written, as far as it is read.
  private func write(
    _ ratios: [Double],
    _ mebibytes: [Int],
    bytes: Int = 1000,
    to file: FilePath
  ) throws {
    let result: [String: Any] = [
      "parameters": ["engine": "direct", "high_water": "1048576", "verify": "stream"],
      "times": mebibytes.map(Double.init),
      "memory_usage_byte": mebibytes.map { $0 << 20 },
      "ratios": ratios,
    ]
    let report: [String: Any] = ["host": ["bytes": bytes, "parts": 4], "results": [result]]
    let data = try JSONSerialization.data(withJSONObject: report)
    try Files.write(Array(data), to: directory.file(file))
  }

  private func compare(_ old: FilePath, _ new: FilePath) throws -> Outcome {
    let python = try #require(Tool.find("python3"))
    return try python.run(
      [BuildProducts.sources.appending("Benchmarks/compare"), old, new],
      environment: ["PYTHONIOENCODING": "utf-8"],
      workingDirectory: directory.path
    )
  }

  private func expectRefusal(
    _ complaint: String,
    _ old: FilePath,
    _ new: FilePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try compare(old, new)
    #expect(outcome.exitCode == 2, "\(outcome)", sourceLocation: sourceLocation)
    #expect(
      outcome.errorText.hasPrefix("compare: \(complaint)"),
      "\(outcome)",
      sourceLocation: sourceLocation
    )
    #expect(outcome.errorText.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
  }
}
