import Dispatch
import Posix
import TestSupport
import Testing

@testable import Cleave

/// What a plan will make is read before it is made.
@Suite struct PlannedBytesTests {
  @Test func whatIsReadOfAPlanIsWhatItMakes() throws {
    let seed = SeededGenerator.seed
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
      let bytes = try JoinedBytes([PlannedBytes(plan, into: nil, at: Pace())])
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
    let bytes = try JoinedBytes([PlannedBytes(plan, into: nil, at: Pace())])
    _ = try bytes.bytes(10, at: 0)
    try Files.append([1], to: part)
    #expect { try bytes.requireUnchanged() } throws: {
      ($0 as? CleaveError)?.kind == .changedInput
    }
  }

  /// Bytes were others when they were read than when they were written, and than they are in the end:
  /// nothing but what was read tells.
  @Test(arguments: [false, true])
  func whatWasReadAheadIsComparedWithWhatIsWritten(isChanged: Bool) throws {
    let directory = try TemporaryDirectory()
    let out = directory.file("out")
    let whole = Bytes.pattern(count: 200_000, seed: 5)
    try Files.write(whole, to: out)
    let calls = Locked(0)
    let source = DeferredBytes(count: 200_000) { () throws(CleaveError) in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      var bytes = whole
      if isChanged, call == 1 { bytes[150_000] ^= 1 }
      return bytes
    }
    let small = DeferredBytes(count: 1) { () throws(CleaveError) in [1] }
    let plan = try TransferPlan(
      sources: SourceFiles(),
      destinations: [DestinationFile(path: out, size: 200_001)],
      extents: [
        Extent(source: .deferred(source), length: 200_000, destination: 0, offset: 0),
        Extent(source: .deferred(small), length: 1, destination: 0, offset: 200_000),
      ]
    )
    try Files.append([1], to: out)
    let pace = Pace()
    let bytes = try PlannedBytes(plan, into: out, at: pace)
    var buffer = [UInt8](repeating: 0, count: 10_000)
    for start in [200_000] + Array(stride(from: 100_000, to: 200_000, by: 10_000)) + [200_000] {
      let count = start == 200_000 ? 1 : 10_000
      try buffer.withUnsafeMutableBytes { buffer in
        try bytes.read(into: .init(rebasing: buffer[..<count]), at: Int64(start))
      }
    }
    pace.advance(0..<200_001)
    if isChanged {
      #expect { try bytes.requireWritten([100_000..<200_001]) } throws: {
        ($0 as? CleaveError)?.kind == .changedInput
      }
    } else {
      try bytes.requireWritten([100_000..<200_001])
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
        #expect(pace.wait(for: 0..<Int64(end)))
        seen.withLock { $0.append(end) }
      }
    }
    // What lies behind the end is not waited for.
    #expect(!pace.wait(for: 100..<200))
    // The second writer is ahead of the first.
    let steps: [(range: Range<Int64>, count: Int)] = [
      (60..<70, 0), (0..<30, 1), (70..<90, 1), (30..<60, 3),
    ]
    for step in steps {
      pace.advance(step.range)
      while seen.withLock({ $0.count }) < step.count { try? Readiness.pause(milliseconds: 1) }
      #expect(seen.withLock { $0.count } == step.count)
    }
    group.wait()
    #expect(pace.wait(for: 10..<80))
  }

  @Test func whatHasBeenWrittenIsKnownInWhateverOrder() {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let pace = Pace()
      var isWritten = [Bool](repeating: false, count: 60)
      for _ in 0..<20 {
        let start = Int.random(in: 0..<60, using: &random)
        let end = Int.random(in: start...min(60, start + 9), using: &random)
        if start < end { pace.advance(Int64(start)..<Int64(end)) }
        for place in start..<end { isWritten[place] = true }
        let low = Int.random(in: 0..<60, using: &random)
        let high = Int.random(in: low...60, using: &random)
        let isThere = isWritten[low..<high].allSatisfy { $0 }
        #expect(pace.wait(for: Int64(low)..<Int64(high)) == isThere, "seed \(seed)")
      }
    }
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
    (job.options.customEngine, job.options.kinds) = (Silent(makesAll: makesAll), [])
    job.proving = ProofRun(named: [out], job.options)
    if makesAll {
      _ = try job.run()
      #expect(try Files.read(out) == Files.read(part))
    } else {
      #expect { try job.run() } throws: { ($0 as? CleaveError)?.kind == .inputOutput }
      #expect(try directory.names() == ["part"])
    }
  }

  /// A source may have had other bytes when it was copied than when it was read for the proof.
  @Test(arguments: [ProofSample.gzip, .zip, .xzStreams], [true, false])
  func whatIsProvedIsWhatWasWritten(sample: ProofSample, isCounted: Bool) throws {
    guard let bytes = try sample.make() else { return }
    let directory = try TemporaryDirectory()
    let (part, out) = (directory.file("part"), directory.file("out"))
    try Files.write(bytes, to: part)
    // In the content, in a directory at the end, and nowhere.
    for place in [bytes.count / 2, bytes.count - 40, nil] {
      var job = Job(try .merge([SourceFile(examining: part)], into: out))
      job.options.customEngine = Altering(place: place, isCounted: isCounted)
      job.options.kinds = []
      job.proving = ProofRun(named: [out], job.options)
      let judge = ProofJudge(proving: job.proving)
      if place == nil {
        _ = try job.run(judgedBy: judge)
        #expect(try Files.read(out) == bytes)
      } else if sample != .xzStreams {
        let error = #expect(throws: CleaveError.self) { try job.run(judgedBy: judge) }
        #expect([.badData, .changedInput].contains(error?.kind), "\(place ?? 0)")
        #expect(try directory.names() == ["part"])
      }
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

/// Writes another byte than it has read.
private struct Altering: Engine {
  let place: Int?
  let isCounted: Bool
  let defaults = WaterMarks(low: 1, high: 1, window: 1)

  func run(_ transfer: Transfer) {
    _ = transfer.failing { () throws(CleaveError) in
      let count = Int(transfer.plan.totalBytes)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
      defer { buffer.deallocate() }
      try transfer.read(into: buffer, of: 0, at: 0)
      if let place { buffer[place] ^= 1 }
      let bytes = UnsafeRawBufferPointer(buffer)
      if isCounted {
        try transfer.write(bytes, of: 0, at: 0)
      } else {
        let file = try transfer.file(0)
        do throws(SystemError) { try file.write(bytes, at: 0) } catch { throw .writing(error) }
      }
      try transfer.finish(0, size: Int64(count))
    }
  }
}

private struct ProofJudge: Judge {
  let proving: ProofRun?

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    var verdict = Verdict()
    verdict.add(try proving?.finish(report.temporaries))
    try verdict.requireRight()
    return Judgement(verdict)
  }
}
