import Dispatch
import Posix
import TestSupport
import Testing

@testable import Cleave

/// What a plan will make is read before it is made.
@Suite struct PlannedBytesTests {
  @Test func whatIsReadOfAPlanIsWhatItMakes() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let directory = try TemporaryDirectory()
      let made = try RandomPlan(in: directory, using: &random)
      guard let expected = made.expected.first, !expected.isEmpty else { continue }
      let plan = try TransferPlan(
        sources: made.plan.sources,
        destinations: [made.plan.destinations[0]],
        extents: made.plan.extents.filter { $0.destination == 0 }
      )
      let bytes = try JoinedBytes([PlannedBytes(plan, at: Pace())])
      #expect(bytes.count == Int64(expected.count))
      for _ in 0..<20 {
        let start = Int.random(in: 0..<expected.count, using: &random)
        let end = Int.random(in: start...expected.count, using: &random)
        bytes.willRead(to: Int64(start))
        let found = try bytes.bytes(end - start, at: Int64(start))
        #expect(found == Array(expected[start..<end]), "seed \(seed), round \(round)")
      }
      try bytes.requireUnchanged()
    }
  }

  @Test func aSourceThatChangesMeanwhileIsNoticed() throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("part")
    try Files.write(Bytes.pattern(count: 1000, seed: 1), to: part)
    let plan = try TransferPlan.merge([SourceFile(examining: part)], into: directory.file("out"))
    let bytes = try JoinedBytes([PlannedBytes(plan, at: Pace())])
    _ = try bytes.bytes(10, at: 0)
    try Files.append([1], to: part)
    #expect { try bytes.requireUnchanged() } throws: {
      ($0 as? CleaveError)?.kind == .changedInput
    }
  }

  // MARK: Pace

  @Test func whoFollowsWaitsUntilTheBytesHaveBeenGoneThrough() {
    let pace = Pace()
    pace.follow(to: 100)
    let seen = Locked<[Int]>([])
    let group = DispatchGroup()
    for end in [30, 60, 90] {
      DispatchQueue(label: "test").async(group: group) {
        pace.wait(for: 0..<Int64(end))
        seen.withLock { $0.append(end) }
      }
    }
    // What lies behind the end is not waited for.
    pace.wait(for: 100..<200)
    for step in 1...3 {
      pace.advance(30)
      while seen.withLock({ $0.count }) < step { try? Readiness.pause(milliseconds: 1) }
      #expect(seen.withLock { $0 }.allSatisfy { $0 <= 30 * step })
    }
    group.wait()
  }

  @Test func nobodyWaitsForWhoHasEnded() {
    let pace = Pace()
    pace.follow(to: 100)
    let group = DispatchGroup()
    DispatchQueue(label: "test").async(group: group) { pace.wait(for: 0..<50) }
    pace.end()
    group.wait()
    pace.follow(to: 100)
    pace.wait(for: 0..<50)
  }

  // MARK: Jobs

  /// The proof waits for bytes that never come.
  @Test(arguments: [false, true])
  func aProofEndsWithTheJob(_ makesAll: Bool) throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("part")
    try Files.write(FormatSample.gzip(Bytes.pattern(count: 60_000, seed: 3)), to: part)
    let out = directory.file("out.gz")
    var job = Job(try .merge([SourceFile(examining: part)], into: out))
    job.customEngine = Silent(makesAll: makesAll)
    job.proving = ProofRun(named: [out], job.options)
    if makesAll {
      _ = try job.run()
      #expect(try Files.read(out) == Files.read(part))
    } else {
      #expect { try job.run() } throws: { ($0 as? CleaveError)?.kind == .inputOutput }
      #expect(try directory.names() == ["part"])
    }
  }

  @Test(arguments: EngineName.allCases)
  func aProofBesideTheCopyingFindsWhatIsWrong(_ engine: EngineName) async throws {
    let directory = try TemporaryDirectory()
    let names: [FilePath] = ["a.gz.001", "a.gz.002"]
    guard let bytes = try ProofSample.gzip.make() else { return }
    for (name, piece) in zip(names, bytes.cut(2)) {
      try Files.write(piece, to: directory.file(name))
    }
    func merge() async throws -> Cleave.Outcome {
      var merge = Merge(
        try await Selection(of: [directory.file(names[0])]),
        into: directory.file("a.gz")
      )
      merge.work.engine = engine
      return try await merge.outcome()
    }
    let outcome = try await merge()
    #expect(outcome.verdict.isVerified)
    #expect(try Files.read(directory.file("a.gz")) == bytes)
    try FileSystem.unlink(directory.file("a.gz"))
    try Files.flipByte(at: bytes.count / 4, of: directory.file(names[1]))
    let error = await #expect(throws: CleaveError.self) { try await merge() }
    #expect(error?.kind == .badData)
    #expect(try directory.names() == ["a.gz.001", "a.gz.002"])
  }
}

/// Copies without a word of how far it is, or fails.
private struct Silent: Engine {
  let makesAll: Bool
  let defaults = WaterMarks(low: 1, high: 1, window: 1)

  func run(_ transfer: Transfer) {
    _ = transfer.failing { () throws(CleaveError) in
      guard makesAll else { throw CleaveError(.inputOutput, "no more") }
      let file = try transfer.file(0)
      let count = transfer.plan.totalBytes
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(count), alignment: 1)
      defer { buffer.deallocate() }
      try transfer.read(into: buffer, of: 0, at: 0)
      do throws(SystemError) { try file.write(UnsafeRawBufferPointer(buffer), at: 0) } catch {
        throw .writing(error)
      }
      try transfer.finish(0, size: count)
    }
  }
}
