import Posix
import TestSupport
import Testing

/// Parts on one device and the output on another, which lose power apart.
@Suite(
  .aside,
  .serialized,
  .enabled(if: LoopFileSystem.available.contains(.xfs), "needs root, loop devices and XFS"),
  .enabled(if: Tool.find("xfs_io") != nil, "needs xfs_io")
)
struct TwoDevicesTests {
  enum Order: String, CaseIterable, Sendable {
    case outputsAlone, partsAlone, outputsFirst, partsFirst
  }

  private static let rounds = FaultTable.isWanted ? 50 : 2
  private static let size = 4_000_001
  private let parts: LoopFileSystem
  private let outputs: LoopFileSystem

  init() throws {
    parts = try LoopFileSystem(.xfs)
    outputs = try LoopFileSystem(.xfs)
  }

  /// At any moment; the same command line then brings the job to its end.
  @Test(arguments: Order.allCases)
  func whatEitherDeviceHasLostIsOnTheOther(order: Order) throws {
    let seed = SeededGenerator.seed
    var generator = SeededGenerator(seed: seed)
    let longest = try engines.map { engine in
      let (series, target) = (try series(), try TemporaryDirectory(in: outputs.path))
      let outcome = try start(series, engine, target).wait()
      try #require(outcome.exitCode == 0, "\(outcome)")
      return outcome.seconds
    }
    var lost = 0
    for round in 0..<Self.rounds {
      let engine = engines[round % engines.count]
      let series = try series()
      let target = try TemporaryDirectory(in: outputs.path)
      try outputs.remount()
      let tool = try start(series, engine, target)
      let moment = Double.random(in: 0...1.2 * longest[round % engines.count], using: &generator)
      _ = try tool.wait(timeout: moment) { false }
      try losePower(order)
      let outcome = try tool.wait()
      if outcome.exitCode != 0 { lost += 1 }
      try remount(order)
      let whole = target.file("file")
      if try !isDone(whole) {
        let again = try start(series, engine, target).wait()
        #expect(again.exitCode == 0, "seed \(seed), round \(round): \(outcome)\nthen \(again)")
      }
      let found = try Files.read(whole)
      #expect(Bytes.difference(found, series.whole) == nil, "seed \(seed), round \(round)")
    }
    print(
      "\(order): power lost \(Self.rounds) times, \(lost) of them during the merge, seed \(seed)"
    )
  }

  private func series() throws -> Series {
    let series = try Series(
      [Self.size, Self.size, 1, Self.size],
      hasManifest: true,
      in: parts.path
    )
    try parts.remount()
    return series
  }

  private func start(
    _ series: Series,
    _ engine: String,
    _ target: TemporaryDirectory
  ) throws -> RunningTool {
    try Tool.cleave.start(
      ["merge", "--consume", "--checkpoint=600K", "--engine", engine, "-o", target.file("file")]
        + [series.parts[0]]
    )
  }

  /// Whether there is nothing to go on with. Parts of a job that is over may come back with their device.
  private func isDone(_ whole: FilePath) throws -> Bool {
    try Files.exists(whole) && !Files.exists(whole.sibling(".file.cleave-journal"))
  }

  private func losePower(_ order: Order) throws {
    switch order {
    case .outputsAlone: try outputs.losePower()
    case .partsAlone: try parts.losePower()
    case .outputsFirst:
      try outputs.losePower()
      try parts.losePower()
    case .partsFirst:
      try parts.losePower()
      try outputs.losePower()
    }
  }

  private func remount(_ order: Order) throws {
    if order != .partsAlone { try outputs.remount() }
    if order != .outputsAlone { try parts.remount() }
  }
}
