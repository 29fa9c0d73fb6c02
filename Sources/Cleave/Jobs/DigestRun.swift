import Dispatch
import Posix
import Synchronization

/// Digests of what a plan moves, computed in order on a queue of their own while an engine runs.
///
/// Reads the sources once more, mostly from memory, and sums what it reads: only where that agrees with
/// what the engine has summed are the digests of what was written. Takes one small buffer.
package final class DigestRun: Sendable {
  /// What to compute.
  package struct Task: Sendable {
    package var request: DigestRequest
    /// Whether the parts are the plan's sources, which a merge has, or its destinations.
    package var parts: Side
    /// The checksum of the only source, for plans that do not read it whole.
    package var sourceChecksum: @Sendable (JobReport) -> Checksum

    package init(
      _ request: DigestRequest,
      parts: Side,
      sourceChecksum: @escaping @Sendable (JobReport) -> Checksum = { $0.whole }
    ) {
      (self.request, self.parts, self.sourceChecksum) = (request, parts, sourceChecksum)
    }
  }

  package enum Side: Sendable { case sources, destinations }

  /// Bytes that follow each other in one part.
  private struct Run {
    var source: Extent.Source
    var length: Int64
    var part: Int
  }

  /// What one way through the bytes found.
  private struct Pass {
    var digests = Digests()
    /// Of each run.
    var sums: [Checksum] = []
  }

  private let plan: TransferPlan
  private let task: Task
  private let options: JobOptions
  private let inputs: Inputs
  private let queue: DispatchQueue
  private let isStopped = Atomic(false)
  private let result = Locked<Result<[Pass?], CleaveError>>(.success([]))

  /// Begins to compute, unless there is nothing to.
  ///
  /// - Parameter onFailure: ends the engine's run, which is of no use then.
  package static func begin(
    _ task: Task?,
    _ plan: TransferPlan,
    _ options: JobOptions,
    onFailure: @escaping @Sendable (CleaveError) -> Void
  ) throws(CleaveError) -> DigestRun? {
    guard let task, !task.request.isEmpty else { return nil }
    let run = DigestRun(task, plan, options)
    run.queue.async {
      let result = Result { () throws(CleaveError) in try run.compute() }
      run.result.withLock { $0 = result }
      if case .failure(let error) = result, !run.isStopped.load(ordering: .relaxed) {
        onFailure(error)
      }
    }
    return run
  }

  private init(_ task: Task, _ plan: TransferPlan, _ options: JobOptions) {
    (self.task, self.plan, self.options) = (task, plan, options)
    inputs = Inputs(plan.sources, dropsCache: options.output.dropsCache)
    queue = DispatchQueue(label: "cleave.digest", qos: options.settings.qualityOfService)
  }

  /// Waits for the digests, and proves that they are of what the engine has read.
  ///
  /// - Throws: `.changedInput` where they are not; what reading reports.
  package func finish(_ report: JobReport) throws(CleaveError) -> Digests {
    queue.sync {}
    var digests = Digests()
    for (pass, expected) in zip(try result.withLock { $0 }.get(), expected(report)) {
      guard let pass else { continue }
      guard pass.sums.map(\.crc32) == expected.map(\.crc32) else {
        let name = plan.sources.count == 1 ? "\(plan.sources[0].path)" : "an input"
        throw CleaveError(.changedInput, "\(name) was changed while it was being read")
      }
      digests.parts += pass.digests.parts
      digests.whole += pass.digests.whole
    }
    return digests
  }

  /// Ends it early, and waits until nothing is read any more.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }
}

// MARK: - Ways through the bytes

extension DigestRun {
  /// Whether sources and destinations, one after the other, are the same bytes.
  private var isPlain: Bool {
    var next: (source: Int, offset: Int64) = (0, 0)
    for extent in plan.extents {
      guard case .file(let source, let offset) = extent.source else { return false }
      while next.source < source, next.offset == plan.sources.statuses[next.source].size {
        next = (next.source + 1, 0)
      }
      guard (source, offset) == next else { return false }
      next.offset += extent.length
    }
    return plan.sources.indices.dropFirst(next.source).allSatisfy { index in
      plan.sources.statuses[index].size == (index == next.source ? next.offset : 0)
    }
  }

  /// The plan's extents in their order.
  private var extents: [Run] {
    plan.extents.map { extent in
      var part = extent.destination
      if task.parts == .sources, case .file(let source, _) = extent.source { part = source }
      return Run(source: extent.source, length: extent.length, part: part)
    }
  }

  /// Every source as it is.
  private var sources: [Run] {
    plan.sources.enumerated().map { index, source in
      Run(source: .file(index, offset: 0), length: source.status.size, part: index)
    }
  }

  private var partCount: Int {
    task.parts == .sources ? plan.sources.count : plan.destinations.count
  }

  private func compute() throws(CleaveError) -> [Pass?] {
    let (parts, whole) = (
      DigestRequest(parts: task.request.parts), DigestRequest(whole: task.request.whole)
    )
    if isPlain { return [try pass(over: extents, task.request)] }
    switch task.parts {
    case .sources: return [try pass(over: sources, parts), try pass(over: extents, whole)]
    case .destinations: return [try pass(over: extents, parts), try pass(over: sources, whole)]
    }
  }

  /// What the engine says of the runs of each pass.
  private func expected(_ report: JobReport) -> [[Checksum]] {
    if isPlain { return [report.extents] }
    switch task.parts {
    case .sources: return [report.sources, report.extents]
    case .destinations: return [report.extents, [task.sourceChecksum(report)]]
    }
  }

  /// Nil where nothing is asked for, and so nothing read.
  private func pass(
    over runs: [Run],
    _ request: DigestRequest
  ) throws(CleaveError) -> Pass? {
    if request.isEmpty { return nil }
    let passing = try PassingDigests(request)
    var reader = DigestReader(inputs, passing) { [self] in
      isStopped.load(ordering: .relaxed) || options.cancellation.isCancelled
    }
    var result = Pass()
    var part = 0
    for run in runs {
      // Parts without a byte have no runs.
      while !request.parts.isEmpty, part < run.part {
        try passing.endPart()
        part += 1
      }
      result.sums.append(try reader.read(run.source, run.length))
    }
    while !request.parts.isEmpty, part < partCount {
      try passing.endPart()
      part += 1
    }
    try reader.close()
    result.digests = try passing.finish()
    return result
  }
}
