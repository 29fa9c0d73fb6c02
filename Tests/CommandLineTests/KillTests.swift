import Posix
import TestSupport
import Testing

/// Jobs that are killed at random moments, and then again, until a run comes to its end.
@Suite(.aside, .serialized) struct KillTests {
  /// How often each kind of job is killed; `make kill` says.
  private static let wanted = ProcessState.environment("CLEAVE_KILL_TESTS").flatMap { Int($0) }
  /// Bytes. 200 MB where there is time.
  private static let sizes =
    wanted == nil ? [1_000_000, 1_400_001, 1] : [90_000_000, 60_000_001, 49_999_999]
  private static let checkpoint = wanted == nil ? "300K" : "8M"
  /// Kills of one job, which then may end.
  private static let most = 6

  @Test(arguments: StagedJob.Kind.allCases)
  func whatIsKilledAtAnyMomentCanBeBroughtToItsEnd(kind: StagedJob.Kind) throws {
    let seed = SeededGenerator.seed
    var generator = SeededGenerator(seed: seed)
    let job = try StagedJob(kind, Self.sizes)
    let times = try engines.map { try time(of: job, $0) }
    var (kills, jobs, right) = (0, 0, 0)
    while kills < Self.wanted ?? 4 {
      try job.restore()
      let index = jobs % engines.count
      let (count, last) = try killed(job, engines[index], times[index], &generator)
      let isRight = try job.isDone()
      #expect(isRight, "seed \(seed), job \(jobs): \(last)")
      (kills, jobs, right) = (kills + count, jobs + 1, right + (isRight ? 1 : 0))
    }
    print("\(kind): \(kills) kills, \(right) of \(jobs) jobs right, seed \(seed)")
  }

  private func start(_ job: StagedJob, _ engine: String) throws -> RunningTool {
    try Tool.cleave.start(
      job.arguments(engine, ["--resume", "-q", "--checkpoint", Self.checkpoint])
    )
  }

  /// Seconds without a kill.
  private func time(of job: StagedJob, _ engine: String) throws -> Double {
    try job.restore()
    let outcome = try start(job, engine).wait()
    try #require(outcome.exitCode == 0, "\(outcome)")
    try #require(try job.isDone())
    return outcome.seconds
  }

  /// Runs the job until it ends by itself. Returns how often it did not, and how it ended.
  private func killed(
    _ job: StagedJob,
    _ engine: String,
    _ time: Double,
    _ generator: inout SeededGenerator
  ) throws -> (kills: Int, last: Outcome) {
    var kills = 0
    while true {
      let tool = try start(job, engine)
      if kills < Self.most {
        _ = try tool.wait(timeout: Double.random(in: 0...time, using: &generator)) { false }
        tool.send(.kill)
      }
      let outcome = try tool.wait()
      // After its last calls but one there is nothing to go on with.
      if try !outcome.wasKilled || job.isDone() { return (kills, outcome) }
      kills += 1
    }
  }
}

extension StagedJob {
  /// Whether everything that is to be there is, and nothing else.
  fileprivate func isDone() throws -> Bool {
    guard try directory.names().sorted() == after.keys.sorted() else { return false }
    return try after.allSatisfy { name, bytes in
      try Bytes.difference(Files.read(directory.file(name)), bytes) == nil
    }
  }
}
