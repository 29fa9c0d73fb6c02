@testable import Cleave
import Dispatch
import Posix
import TestSupport
import Testing

/// What other programs may rely on that embed the library.
extension WorkTests {
  @Test func aReaderThatLeavesIsAnError() async throws {
    let fifo = try directory.fifo("pipe")
    // More than a pipe holds.
    let large = directory.file("large")
    try Files.write(Bytes.pattern(count: 4 << 20), to: large)
    var request = Selection.Request()
    request.isAsGiven = true
    let parts = try await Selection(of: [large], request)
    // Reads nothing, and leaves.
    let reader = Task.detached { _ = try FileDescriptor.open(fifo, .readOnly) }
    let error = await #expect(throws: CleaveError.self) {
      try await Merge(parts, into: fifo).outcome()
    }
    _ = try await reader.value
    #expect(error?.kind == .readerGone)
  }

  /// As many as there may be that wait, and those that they wait for.
  @Test func whoWaitsForAPipeKeepsNobodyFromWork() async throws {
    let parts = try await Selection(of: [first])
    let pipes = try (0..<20).map { try directory.fifo(FilePath("pipe\($0)")) }
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for pipe in pipes {
        group.addTask { try await Merge(parts, into: pipe).outcome().report.bytes }
      }
      var request = Selection.Request()
      request.isAsGiven = true
      for (index, pipe) in pipes.enumerated() {
        let read = try await Selection(of: [pipe], request)
        let output = directory.file(FilePath("out\(index)"))
        group.addTask { try await Merge(read, into: output).outcome().report.bytes }
      }
      for try await bytes in group { #expect(bytes == 250_000) }
    }
    #expect(try Files.read(directory.file("out19")) == whole)
  }

  /// However many are at work.
  @Test func whatWaitsForItsTurnCanBeCancelled() async throws {
    let threads = WorkThreads()
    let gate = DispatchSemaphore(value: 0)
    let ended = Locked(0)
    for _ in 0..<40 {
      threads.enter(ending: Cancellation()) {
        gate.wait()
        ended.withLock { $0 += 1 }
      }
    }
    let cancellation = Cancellation()
    await withCheckedContinuation { continuation in
      threads.enter(ending: cancellation) { continuation.resume() }
      cancellation.cancel()
    }
    #expect(ended.withLock { $0 } == 0)
    for _ in 0..<40 { gate.signal() }
    await withCheckedContinuation { continuation in
      threads.enter(ending: Cancellation()) { continuation.resume() }
    }
  }

  @Test func noEventOfAPartIsLost() async throws {
    let split = Split(directory.file("f.001"), .every(50), naming: nil)
    var (names, isFirst) = (Set<FilePath>(), true)
    for try await event in split {
      if isFirst { try await Task.sleep(for: .milliseconds(300)) }
      isFirst = false
      if case .finishedPart(let path, _, _) = event { names.insert(path) }
    }
    #expect(names.count == 2000)
    let cut = try await Split(directory.file("f.002"), .every(60_000)).outcome()
    let made: [FilePath] = ["f.002.001", "f.002.002", "f.002.sfv"]
    #expect(cut.paths.map(\.lastComponent) == made)
  }

  @Test func progressIsTheCallersOwn() async throws {
    let merge = Merge(try await Selection(of: [first]), into: output)
    _ = try await merge.outcome()
    #expect(merge.work.progress.bytes == 250_000)
    #expect(merge.work.progress.total == 250_000)
  }

  @Test func whatWasFreedIsGoneOnWith() async throws {
    let parts = try await Selection(of: [first])
    var options = Merge.Options()
    options.work.consumes = true
    options.work.checkpoint = 50_000
    var begun = options
    let cancellation = Cancellation()
    begun.work.cancellation = cancellation
    begun.work.customEngine = Ending(cancellation, afterBytes: 150_000)
    await #expect(throws: CleaveError.self) {
      try await Merge(parts, into: output, begun).outcome()
    }
    #expect(throws: CleaveError.self) { try Selection(of: [first]) }
    let left = try #require(try Merge.interrupted([first], into: output, .init(), options))
    _ = try await left.outcome()
    #expect(try Files.read(output) == whole)
    #expect(try Merge.interrupted([output], into: output) == nil)
  }

  /// A job of one's own does not check what a merge does.
  @Test func plansAndNamesCannotBeImpossible() async throws {
    let source = try SourceFile(examining: first)
    let parts = [DestinationFile(path: output, size: 100_000)]
    #expect(try TransferPlan.split(source, into: parts, block: 0).extents.count == 100_000)
    let huge = [DestinationFile(path: output, size: .max)]
    #expect(throws: PlanError.wrongSize(huge[0])) {
      try TransferPlan.split(source, into: huge, block: 1)
    }
    var job = Job(try .split(source, into: parts))
    for (high, low) in [(0, nil), (-5, nil), (1, 2)] {
      (job.options.settings.highWater, job.options.settings.lowWater) = (high, low)
      let error = #expect(throws: CleaveError.self) { try job.run() }
      #expect(error?.kind == .contradiction)
    }
    var suffixes = PartSuffixes(.decimal, from: -7)
    suffixes.length = -3
    #expect(PartNaming("x.", isTyped: true, suffixes).name(0) == "x.0")
    let empty = await #expect(throws: CleaveError.self) {
      try await Merge(Selection(of: [first]), into: "").outcome()
    }
    #expect(empty?.kind == .contradiction)
    let nameless = await #expect(throws: CleaveError.self) {
      try await Split("-", .every(10)).outcome()
    }
    #expect(nameless?.kind == .contradiction)
    #expect(try directory.names() == Self.parts)
  }

  @Test func anEngineThatLeavesBytesOutIsFound() async throws {
    var merge = Merge(try await Selection(of: [first]), into: output)
    merge.work.customEngine = LastBytes()
    let error = #expect(throws: CleaveError.self) { try merge.run() }
    #expect(error?.kind == .badData)
    #expect(try directory.names() == Self.parts)
  }

  /// One run at work is seen, though the names were listed before it began.
  @Test func anotherRunIsSeenWhenTheWorkBegins() async throws {
    let parts = try await Selection(of: [first])
    let files = try #require(parts.files)
    var job = Job(try .merge(files, into: output))
    let began = AsyncStream<Void>.makeStream()
    job.options.customEngine = Stuck(began: began.continuation)
    let task = Task { [job] () async throws in
      _ = try await job.report()
    }
    for await _ in began.stream { break }
    let error = await #expect(throws: CleaveError.self) {
      try await Merge(parts, into: output).outcome()
    }
    #expect(error?.sentence.description.contains("another run is making it") == true)
    task.cancel()
    _ = await task.result
  }
}

/// Moves bytes, and cancels the work when there are so many.
private final class Ending: Engine {
  private let cancellation: Cancellation
  private let most: Int64
  private let moved = Locked(Int64(0))
  let defaults = WaterMarks(low: 1000, high: 1000, window: 1000)

  init(_ cancellation: Cancellation, afterBytes most: Int64) {
    (self.cancellation, self.most) = (cancellation, most)
  }

  func run(_ transfer: Transfer) {
    let total = moved.withLock { moved in
      moved += transfer.plan.extents.reduce(0) { $0 + $1.length }
      return moved
    }
    if total > most { cancellation.cancel() }
    if !transfer.hasFailed { EngineName.direct.engine.run(transfer) }
  }
}

/// Writes the last byte of each extent alone, and sums nothing.
private struct LastBytes: Engine {
  let defaults = WaterMarks(low: 1, high: 1, window: 1)

  func run(_ transfer: Transfer) {
    let byte: [UInt8] = [0]
    byte.withUnsafeBytes { bytes in
      _ = transfer.failing { () throws(CleaveError) in
        for (index, extent) in transfer.plan.extents.enumerated() {
          try transfer.write(bytes, of: index, at: extent.length - 1)
        }
        try transfer.finish(0)
      }
    }
  }
}
