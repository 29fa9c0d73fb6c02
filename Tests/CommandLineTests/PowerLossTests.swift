import Posix
import TestSupport
import Testing

/// What is on the device after the power went, at any moment.
@Suite(
  .aside,
  .serialized,
  .enabled(if: LoopFileSystem.available.contains(.xfs), "needs root, loop devices and XFS"),
  .enabled(if: Tool.find("xfs_io") != nil, "needs xfs_io")
)
struct PowerLossTests {
  private static let rounds = FaultTable.isWanted ? 50 : 2
  private static let size = 8_000_001
  private let device: LoopFileSystem

  init() throws { device = try LoopFileSystem(.xfs) }

  /// Parts on the device, for good, and in place of the output what a row wants there.
  private func series(replacing old: [UInt8]?) throws -> Series {
    let series = try Series([Self.size, Self.size, 1], hasManifest: true, in: device.path)
    if let old { try Files.write(old, to: series.output) }
    try device.remount()
    return series
  }

  @Test func whatWasReportedIsThere() throws {
    for round in 0..<Self.rounds {
      let series = try series(replacing: nil)
      let outcome = try series.merge(engines[round % engines.count], isSynchronized: true)
      try device.losePower()
      try device.remount()
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(Bytes.difference(try Files.read(series.output), series.whole) == nil)
      #expect(try series.directory.names().count == series.parts.count + 2)
    }
    print("power lost after a merge: \(Self.rounds) times")
  }

  @Test func partsThatWereReportedAreThere() throws {
    for round in 0..<Self.rounds {
      let directory = try TemporaryDirectory(in: device.path)
      let bytes = Bytes.repeatedPattern(count: 2 * Self.size)
      try Files.write(bytes, to: directory.file("file"))
      let outcome = try Tool.cleave.run(
        ["split", "-b", Self.size, "--engine", engines[round % engines.count]]
          + [directory.file("file")]
      )
      try device.losePower()
      try device.remount()
      #expect(outcome.exitCode == 0, "\(outcome)")
      let names: [FilePath] = ["file.001", "file.002"]
      let parts = try names.flatMap { try Files.read(directory.file($0)) }
      #expect(Bytes.difference(parts, bytes) == nil)
      #expect(try Files.exists(directory.file("file.sfv")))
    }
    print("power lost after a split: \(Self.rounds) times")
  }

  /// That something can be lost at all, and the tests above prove anything.
  @Test func whatWasNotFlushedIsGone() throws {
    let series = try series(replacing: nil)
    let outcome = try series.merge()
    try device.losePower()
    try device.remount()
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try !Files.exists(series.output))
  }

  @Test(arguments: [nil, [1, 2, 3]] as [[UInt8]?])
  func atAnyMomentTheNameIsAbsentOldOrWhole(old: [UInt8]?) throws {
    let seed = SeededGenerator.seed
    var generator = SeededGenerator(seed: seed)
    var counts: [String: Int] = [:]
    // Some of the merges are to be over in time.
    let longest = try engines.map { try 3 * start(series(replacing: old), $0).wait().seconds }
    for round in 0..<Self.rounds {
      let series = try series(replacing: old)
      let tool = try start(series, engines[round % engines.count])
      let most = longest[round % engines.count]
      let moment = Double.random(in: 0...most, using: &generator)
      _ = try tool.wait(timeout: moment) { false }
      let isOver = !tool.isRunning
      try device.losePower()
      let outcome = try tool.wait()
      try device.remount()
      counts[try state(of: series, outcome, old, isOver: isOver), default: 0] += 1
      try expectNextRun(series)
    }
    let text = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("power lost during a merge, seed \(seed): \(text.joined(separator: ", "))")
    #expect(counts[Self.unseen, default: 0] <= max(1, Self.rounds / 16))
  }

  private func start(_ series: Series, _ engine: String) throws -> RunningTool {
    try Tool.cleave.start(["merge", "--force", "--engine", engine, series.parts[0]])
  }

  /// XFS tells a directory to be flushed that a shutdown in the same moment has kept from the device, since
  /// what waited for it is then given up. After a real loss of power there is nobody to be told.
  private static let unseen = "told as flushed in the moment of the loss"

  /// What has the name, after checking that it may.
  private func state(
    of series: Series,
    _ outcome: Outcome,
    _ old: [UInt8]?,
    isOver: Bool
  ) throws -> String {
    #expect(!outcome.timedOut, "\(outcome)")
    let found = try Contents(of: series.directory.path).withoutTemporaries
    let parts = series.parts.flatMap { found.bytes($0.lastComponent) ?? [] }
    #expect(Bytes.difference(parts, series.whole) == nil)
    #expect(found.names.count <= series.parts.count + 2, "\(found.names)")
    let bytes = found.bytes("file")
    if bytes == series.whole { return outcome.exitCode == 0 ? "whole" : "whole, unreported" }
    #expect(bytes == old, "\(outcome)")
    if outcome.exitCode == 0, !isOver { return Self.unseen }
    #expect(outcome.exitCode == 74, "\(outcome)")
    return old == nil ? "absent" : "old"
  }

  private func expectNextRun(_ series: Series) throws {
    let outcome = try start(series, "direct").wait()
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(Bytes.difference(try Files.read(series.output), series.whole) == nil)
  }
}
