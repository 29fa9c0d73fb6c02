import Foundation
import Posix
import TestSupport
import Testing

/// What a program asked of the system; `Tests/CountShim/count-shim.c` explains each number.
struct Counts: Decodable {
  var reads, readBytes, writes, writeBytes, copies, copyBytes, otherTransfers: Int
  var opens, closes, stats, seeks, maps, advice, reservations, flushes, controls: Int
  var allocations, allocatedBytes: Int
  var faults, switches, peakResidentBytes: Int

  /// All system calls that are counted.
  var calls: Int {
    reads + writes + copies + otherTransfers + opens + closes + stats + seeks + maps + advice
      + reservations + flushes + controls
  }

  /// Runs a program that succeeds; see ``run(_:_:in:below:)``.
  init(
    _ tool: Tool,
    _ arguments: [any ToolArgument],
    in workingDirectory: FilePath,
    below directory: FilePath? = nil
  ) throws {
    let (counts, outcome) = try Self.run(tool, arguments, in: workingDirectory, below: directory)
    try #require(outcome.exitCode == 0, "\(outcome)")
    self = counts
  }

  /// Runs a program that ends by `exit(3)`, with whatever code.
  ///
  /// - Parameters:
  ///   - workingDirectory: short names, as long paths cost allocations.
  ///   - directory: bytes of files below it count; the working directory, unless it is given.
  static func run(
    _ tool: Tool,
    _ arguments: [any ToolArgument],
    in workingDirectory: FilePath,
    below directory: FilePath? = nil
  ) throws -> (counts: Counts, outcome: Outcome) {
    let results = try TemporaryDirectory()
    let file = results.file("counts")
    let outcome = try tool.run(
      arguments,
      environment: CountShim.environment(into: file, below: directory ?? workingDirectory),
      workingDirectory: workingDirectory
    )
    try #require(try Files.exists(file), "\(outcome)")
    return (try JSONDecoder().decode(Counts.self, from: Data(Files.read(file))), outcome)
  }
}
