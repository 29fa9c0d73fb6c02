import Dispatch
import Posix

/// Feeds each part of a file, or of standard input, to a command of its own.
final class FilterRun: Sendable {
  private let split: Split
  private let filter: Split.Filter
  private let state = Locked(State())
  /// Of the commands that are there, by their parts. Held while one is started: who ends them all ends it, too.
  private let handles = Locked<[Int: PipedProcess.Handle]>([:])
  private let news = DispatchSemaphore(value: 0)

  private struct State {
    var next = 0
    var failure: CleaveError?
    var news: [News] = []
  }

  private enum News { case made(Int, Checksum), ended }

  init(_ split: Split, _ filter: Split.Filter) { (self.split, self.filter) = (split, filter) }

  /// - Parameter plan: of a file; nil for standard input.
  /// - Parameter header: what the plan repeats in front of each part but the first.
  /// - Returns: a report with the sums of what each command was fed.
  func run(_ plan: TransferPlan?, _ header: [UInt8]) throws(CleaveError) -> JobReport {
    let end: @Sendable () -> Void = { [self] in
      for handle in handles.withLock({ $0 }).values { handle.end() }
    }
    let subscription = split.work.cancellation.subscribe(cancelled: end, abandoned: end)
    defer { withExtendedLifetime(subscription) {} }
    var report = JobReport(engine: .serial, bytes: 0)
    do throws(CleaveError) {
      if let plan {
        report.destinations = try feed(plan)
        report.header = Checksum(of: header[...], split.kinds)
      } else {
        try feedStream(&report)
      }
    } catch {
      // Commands that were ended tell of that and nothing else.
      throw split.work.cancellation.isCancelled ? .cancelled : error
    }
    report.bytes = report.destinations.reduce(0) { $0 + $1.count }
    return report
  }

  fileprivate func start(_ index: Int, _ path: FilePath) throws(CleaveError) -> PartFilter {
    try handles.withLock { handles throws(CleaveError) in
      if split.work.cancellation.isCancelled { throw .cancelled }
      let part = try PartFilter(filter.command, path, kinds: split.kinds)
      handles[index] = part.handle
      return part
    }
  }

  fileprivate func finish(_ index: Int, _ part: PartFilter) throws(CleaveError) -> Checksum {
    defer { handles.withLock { $0[index] = nil } }
    return try part.finish()
  }

  fileprivate func tell(_ path: FilePath, _ sum: Checksum) {
    split.work.tell(.finishedPart(path, sum, split.kinds))
  }

  // MARK: - Of a file

  private func feed(_ plan: TransferPlan) throws(CleaveError) -> [Checksum] {
    guard let source = plan.sources.first else { return [] }
    let input = try InputFile(source, dropsCache: split.work.output.dropsCache)
    split.work.progress.expect(plan.totalBytes)
    let workers = min(filter.jobs, plan.destinations.count)
    for _ in 0..<workers {
      DispatchQueue(label: "cleave.filter").async { [self] in
        feedParts(plan, input)
        state.withLock { $0.news.append(.ended) }
        news.signal()
      }
    }
    var (left, sums) = (workers, [Checksum](repeating: .empty, count: plan.destinations.count))
    while left > 0 {
      news.wait()
      switch state.withLock({ $0.news.removeFirst() }) {
      case .ended: left -= 1
      case .made(let index, let sum):
        sums[index] = sum
        tell(plan.destinations[index].path, sum)
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    try input.requireUnchanged()
    return sums
  }

  /// One part after the other, on a thread of its own.
  private func feedParts(_ plan: TransferPlan, _ input: InputFile) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.pieceSize,
      alignment: Mapping.pageSize
    )
    defer { buffer.deallocate() }
    while let index = nextPart(of: plan.destinations.count) {
      do throws(CleaveError) {
        let sum = try feed(index, plan, input, buffer)
        state.withLock { $0.news.append(.made(index, sum)) }
        news.signal()
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }

  private func nextPart(of count: Int) -> Int? {
    state.withLock { state in
      // The commands that are there may end, and no other begins.
      guard state.failure == nil, state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Bytes; a pipe of Linux takes as many as 1 MiB at a time. Nobody has measured others.
  private static let pieceSize = 256 << 10

  private func feed(
    _ index: Int,
    _ plan: TransferPlan,
    _ input: InputFile,
    _ buffer: UnsafeMutableRawBufferPointer
  ) throws(CleaveError) -> Checksum {
    let part = try start(index, plan.destinations[index].path)
    do throws(CleaveError) {
      for extent in plan.extents(of: index) {
        guard case .file(_, let start) = extent.source else { continue }
        for offset in stride(from: start, to: start + extent.length, by: buffer.count) {
          if split.work.cancellation.isCancelled { throw .cancelled }
          let count = Int(min(Int64(buffer.count), start + extent.length - offset))
          let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
          try input.read(into: piece, at: offset)
          try part.write(UnsafeRawBufferPointer(piece))
          split.work.progress.add(count)
        }
      }
      return try finish(index, part)
    } catch {
      part.abort()
      throw error
    }
  }

  // MARK: - Of standard input

  private func feedStream(_ report: inout JobReport) throws(CleaveError) {
    guard let rule = split.cuts.rule(for: 0) ?? split.cuts.equalSize.map({ .bytes($0) }) else {
      throw CleaveError(.contradiction, "\(Setting.filter) needs a file for a list of sizes")
    }
    var stream = CutStream(
      rule,
      separator: split.options.separator,
      repeating: split.options.header
    )
    var sink = FilterSink(self, split, jobs: filter.jobs)
    let stops = StreamInput.Stops(isCancelled: { [split] in split.work.cancellation.isCancelled })
    do throws(CleaveError) {
      let input = try StreamInput.standard()
      try stream.cut(input, reading: Self.pieceSize, stops, into: &sink)
      try sink.finishAll()
    } catch {
      sink.abort()
      throw error
    }
    report.destinations = sink.sums
    report.header = Checksum(of: stream.header.bytes[...], split.kinds)
  }
}

extension TransferPlan {
  /// Those of one destination: none, where it has no bytes.
  func extents(of destination: Int) -> ArraySlice<Extent> {
    // Their order is that of the destinations.
    let first = extents.partitioningIndex { $0.destination >= destination }
    return extents[first...].prefix { $0.destination == destination }
  }
}

/// The commands that parts of standard input are fed to: one is fed, and others may still be at work.
private struct FilterSink: PartSink {
  private let run: FilterRun
  private let split: Split
  private let jobs: Int
  private(set) var sums: [Checksum] = []
  private var fed: PartFilter?
  /// Those that have been fed all, in order.
  private var closed: [PartFilter] = []

  init(_ run: FilterRun, _ split: Split, jobs: Int) {
    (self.run, self.split, self.jobs) = (run, split, jobs)
  }

  var hasPart: Bool { fed != nil }
  var count: Int { sums.count + closed.count }
  var hasFailed: Bool { false }

  mutating func write(_ bytes: ArraySlice<UInt8>) throws(CleaveError) {
    if fed == nil {
      while closed.count >= jobs { try finishFirst() }
      let path = try Split.path(ofStreamed: count, split.streamedName)
      fed = try run.start(count, path)
    }
    guard let fed else { return }
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(CleaveError) in try fed.write(bytes) }
    }
    split.work.progress.add(bytes.count)
    try result.get()
  }

  mutating func `repeat`(_ header: [UInt8]) throws(CleaveError) { try write(header[...]) }

  mutating func endPart() throws(CleaveError) {
    guard let fed else { return }
    try fed.close()
    closed.append(fed)
    self.fed = nil
  }

  private mutating func finishFirst() throws(CleaveError) {
    let first = closed[0]
    let sum = try run.finish(sums.count, first)
    closed.removeFirst()
    sums.append(sum)
    run.tell(first.path, sum)
  }

  mutating func finishAll() throws(CleaveError) {
    while !closed.isEmpty { try finishFirst() }
  }

  /// Ends the command that has not been fed all. The others have, and are waited for.
  mutating func abort() {
    fed?.abort()
    for part in closed { _ = try? part.finish() }
  }
}
