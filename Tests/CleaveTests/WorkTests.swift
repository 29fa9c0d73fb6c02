@testable import Cleave
import Posix
import TestSupport
import Testing

/// Work in tasks: events, ends and cancelling.
@Suite struct WorkTests {
  let directory: TemporaryDirectory
  let whole = Bytes.pattern(count: 250_000)

  init() throws {
    directory = try TemporaryDirectory()
    for (index, start) in stride(from: 0, to: whole.count, by: 100_000).enumerated() {
      let part = Array(whole[start..<min(start + 100_000, whole.count)])
      try Files.write(part, to: directory.file(FilePath("f.00\(index + 1)")))
    }
  }

  var first: FilePath { directory.file("f.001") }
  var output: FilePath { directory.file("f") }
  static let parts: [FilePath] = ["f.001", "f.002", "f.003"]

  @Test func theLastEventIsTheOutcome() async throws {
    var events: [WorkEvent] = []
    let parts = try await Selection(of: [first])
    for try await event in Merge(parts, into: output) { events.append(event) }
    guard case .finished(let outcome) = try #require(events.last) else {
      Issue.record("\(events)")
      return
    }
    #expect(outcome.report.bytes == 250_000)
    #expect(!outcome.verdict.isVerified)
    #expect(try Files.read(output) == whole)
  }

  @Test func whatIsCancelledBeforeItBeginsMakesNothing() async throws {
    let parts = try await Selection(of: [first])
    let merge = Merge(parts, into: output)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await merge.outcome()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try directory.names() == Self.parts)
  }

  /// However far it is: it has written something, and waits to be ended.
  @Test func whatIsCancelledLeavesNothing() async throws {
    let files = try #require(try await Selection(of: [first]).files)
    var job = Job(try .merge(files, into: output))
    let began = AsyncStream<Void>.makeStream()
    job.options.customEngine = Stuck(began: began.continuation)
    let task = Task { [job] in try await job.report() }
    for await _ in began.stream { break }
    #expect(try directory.names().count == 4)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try directory.names() == Self.parts)
  }

  /// Somebody else's job with the same cancellation goes on.
  @Test func cancellingATaskEndsNothingElse() async throws {
    let parts = try await Selection(of: [first])
    var merge = Merge(parts, into: output)
    let cancellation = Cancellation()
    merge.work.cancellation = cancellation
    let task = Task { [merge] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await merge.outcome()
    }
    _ = await task.result
    #expect(!cancellation.isCancelled)
    cancellation.cancel()
    await #expect(throws: CleaveError.cancelled) { try await merge.outcome() }
    #expect(try directory.names() == Self.parts)
  }

  @Test func anEngineOfOnesOwnMovesTheBytes() async throws {
    let files = try #require(try await Selection(of: [first]).files)
    var job = Job(try .merge(files, into: output))
    job.options.customEngine = Plain(fails: false)
    let report = try await job.report()
    #expect(try Files.read(output) == whole)
    #expect(report.whole == Checksum(of: whole[...], [.crc32, .adler32]))
    #expect(report.engine == nil)
  }

  @Test func anEngineThatFailsLeavesNothing() async throws {
    let files = try #require(try await Selection(of: [first]).files)
    var job = Job(try .merge(files, into: output))
    job.options.customEngine = Plain(fails: true)
    await #expect(throws: CleaveError(.inputOutput, "no more")) { try await job.report() }
    #expect(try directory.names() == Self.parts)
  }

  @Test func anErrorHasItsFacts() async throws {
    try FileSystem.unlink(directory.file("f.002"))
    do {
      _ = try await Selection(of: [first])
      Issue.record("a part is missing")
    } catch let error as CleaveError {
      #expect(error.kind == .missingInput)
      #expect(error.missing == [directory.file("f.002")])
    }
  }

  @Test func aManifestTellsWhatIsWrong() async throws {
    let split = Split(directory.file("g"), .every(100_000))
    try Files.write(whole, to: directory.file("g"))
    #expect(try await split.outcome().report.destinations.count == 3)
    let part = directory.file("g.002")
    let right = try await Verify([part]).result()
    #expect(right.isRight && right.summary.right == 3)
    try Files.write([1, 2, 3], to: part)
    let wrong = try await Verify([part]).result()
    #expect(!wrong.isRight)
    #expect(wrong.findings.filter { $0.status != .ok }.map(\.path.lastComponent) == ["g.002"])
    try Files.write(Bytes.pattern(count: 100_000, seed: 9), to: part)
    let selection = try await Selection(of: [part])
    let merge = Merge(selection, into: directory.file("h"))
    let error = await #expect(throws: CleaveError.self) { try await merge.outcome() }
    #expect(error?.wrong.map(\.lastComponent).contains("g.002") == true)
  }

  /// Each tells of its own progress, from the start.
  @Test func oneValueCanBeCarriedOutAgain() async throws {
    let parts = try await Selection(of: [first])
    var merge = Merge(parts, into: output)
    merge.work.output.replacesExisting = true
    for _ in 0..<3 {
      for try await event in merge {
        guard case .progress(let bytes, let total) = event else { continue }
        #expect(bytes <= total ?? .max)
      }
    }
    #expect(try Files.read(output) == whole)
  }

  /// More than Dispatch has threads for, if each had as many as it wants.
  @Test func manyAtOnceAllEnd() async throws {
    let parts = try await Selection(of: [first])
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for index in 0..<150 {
        var merge = Merge(parts, into: directory.file(FilePath("out\(index)")))
        merge.work.engine = .multiqueue
        merge.work.output.synchronizes = false
        merge.work.settings.highWater = 1000
        group.addTask { [merge] in try await merge.outcome().report.bytes }
      }
      for try await bytes in group { #expect(bytes == 250_000) }
    }
  }

  @Test func numbersThatCannotBeMeantAreRefused() async throws {
    let parts = try await Selection(of: [first])
    var marks = Merge(parts, into: output)
    (marks.work.settings.lowWater, marks.work.settings.highWater) = (1000, 100)
    var negative = Merge(parts, into: output)
    negative.work.settings.highWater = 0
    var checkpoint = Merge(parts, into: output)
    (checkpoint.work.isResumable, checkpoint.work.checkpoint) = (true, 0)
    for merge in [marks, negative, checkpoint] {
      let error = await #expect(throws: CleaveError.self) { try await merge.outcome() }
      #expect(error?.kind == .contradiction)
    }
    let cuts: [CutList] = [.every(0), .every(-5), .count(0), .list([1, 0], rest: true)]
    var blocks = Split(first, .every(1000))
    blocks.options.block = -1
    for split in cuts.map({ Split(first, $0) }) + [blocks] {
      let error = await #expect(throws: CleaveError.self) { try await split.outcome() }
      #expect(error?.kind == .contradiction)
    }
    let error = await #expect(throws: CleaveError.self) { try await Selection(of: []) }
    #expect(error?.kind == .contradiction)
    #expect(try directory.names() == Self.parts)
  }

  /// What was carried out does not hear of it any more.
  @Test func cancellationsForgetWhoHasEnded() throws {
    let cancellation = Cancellation()
    let heard = Locked(0)
    do {
      let inner = cancellation.inner
      let subscription = inner.subscribe {
        heard.withLock { $0 += 1 }
      } abandoned: {
      }
      withExtendedLifetime(subscription) {}
    }
    cancellation.cancel()
    #expect(heard.withLock { $0 } == 0)
    #expect(cancellation.inner.isCancelled)
  }
}

/// Makes the output, and then waits for the end.
struct Stuck: Engine {
  let began: AsyncStream<Void>.Continuation
  let defaults = WaterMarks(low: 1, high: 1, window: 1)

  func run(_ transfer: Transfer) {
    let byte: [UInt8] = [0]
    byte.withUnsafeBytes { bytes in
      _ = transfer.failing { () throws(CleaveError) in try transfer.write(bytes, of: 0, at: 0) }
    }
    began.yield()
    while !transfer.hasFailed { try? Readiness.pause(milliseconds: 1) }
  }
}

/// One byte after the other.
private struct Plain: Engine {
  let fails: Bool
  let defaults = WaterMarks(low: 1000, high: 1000, window: 1000)

  func run(_ transfer: Transfer) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
    defer { buffer.deallocate() }
    for (index, extent) in transfer.plan.extents.enumerated() where !transfer.hasFailed {
      var sum = Checksum.empty
      for offset in stride(from: 0, to: extent.length, by: buffer.count) {
        let count = Int(min(Int64(buffer.count), extent.length - offset))
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        _ = transfer.failing { () throws(CleaveError) in
          try transfer.read(into: piece, of: index, at: offset)
          transfer.sum(UnsafeRawBufferPointer(piece), into: &sum)
          try transfer.write(UnsafeRawBufferPointer(piece), of: index, at: offset)
        }
      }
      transfer.record(sum, extent: index)
      if fails { transfer.fail(CleaveError(.inputOutput, "no more")) }
    }
    guard !transfer.hasFailed else { return }
    _ = transfer.failing { () throws(CleaveError) in try transfer.finish(0) }
  }
}
