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

  /// Runs a program that succeeds.
  ///
  /// - Parameters:
  ///   - workingDirectory: short names, as long paths cost allocations.
  ///   - directory: bytes of files below it count; the working directory, unless it is given.
  init(
    _ tool: Tool,
    _ arguments: [any ToolArgument],
    in workingDirectory: FilePath,
    below directory: FilePath? = nil
  ) throws {
    let results = try TemporaryDirectory()
    let file = results.file("counts")
    let outcome = try tool.run(
      arguments,
      environment: CountShim.environment(into: file, below: directory ?? workingDirectory),
      workingDirectory: workingDirectory
    )
    try #require(outcome.exitCode == 0, "\(outcome)")
    self = try JSONDecoder().decode(Counts.self, from: Data(Files.read(file)))
  }
}
