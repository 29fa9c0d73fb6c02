import Posix

/// The transfer that an engine carries out now, so that it can be cancelled.
final class CurrentTransfer: Sendable {
  private struct State {
    var transfer: Transfer?
    var error: CleaveError?
  }
  private let state = Locked(State())

  /// Ends the transfer that is running, and every later one.
  func fail(_ error: CleaveError) {
    let transfer = state.withLock { state in
      state.error = state.error ?? error
      return state.transfer
    }
    transfer?.fail(error)
  }

  /// Runs a transfer, unless it is to end before it begins.
  func run(
    _ transfer: Transfer,
    _ cancellation: Cancellation,
    _ body: () -> Void
  ) throws(CleaveError) {
    let error = state.withLock { state in
      state.transfer = transfer
      return state.error
    }
    if let error = error ?? (cancellation.isCancelled ? .cancelled : nil) { transfer.fail(error) }
    if !transfer.hasFailed { body() }
    if let error = transfer.error { throw error }
  }
}

/// One run of a job, from names that are checked to names that are published. Confined to the thread that
/// calls, but for cancelling.
final class JobRun {
  private let job: Job
  private let outputs: Outputs
  private let sharing: BlockSharing
  private let current = CurrentTransfer()
  private var options: JobOptions { job.options }
  /// The file that standard input is, if it is one and is read.
  private var standardInput: FileStatus?
  private var standardInputs: [FileStatus.Identity] { standardInput.map { [$0.identity] } ?? [] }

  init(_ job: Job) {
    self.job = job
    outputs = Outputs(job.options.output)
    sharing = BlockSharing(job.options.sharing)
  }

  /// Makes everything of a job. One that goes on with another plan, since a source has got another size, is run next.
  static func run(
    _ job: Job,
    _ feed: Feed?,
    _ judge: any Judge
  ) throws(CleaveError) -> Outcome {
    Signal.surviveWriting()
    defer { job.proving?.stop() }
    var job = job
    while true {
      switch try JobRun(job).run(feed, judge) {
      case .made(let outcome): return outcome
      case .replanned(let next): job = next
      }
    }
  }

  private enum End {
    case made(Outcome)
    case replanned(Job)
  }

  private func run(_ feed: Feed?, _ judge: any Judge) throws(CleaveError) -> End {
    let staged = job.checkpoint.map {
      StagedRun($0, of: job, outputs, sharing, judge, current)
    }
    let subscription = watch()
    defer { withExtendedLifetime(subscription) {} }
    do throws(CleaveError) {
      if feed == nil { try prepare(staged) }
      if let next = try staged?.replanned() { return .replanned(next) }
      var report = try make(feed, staged)
      report.temporaries = outputs.temporaries
      let judgement = try judge.judge(report)
      for sidecar in judgement.sidecars { try make(sidecar, staged) }
      if options.cancellation.isCancelled { throw .cancelled }
      try staged?.willPublish()
      try outputs.publish { paths throws(CleaveError) in
        try staged?.requireReplaceable(paths)
        try Journal.requireNonePublished(paths, besides: job.checkpoint?.file.path)
      }
      try staged?.didPublish()
      let paths = job.stream == nil ? outputs.paths : []
      return .made(Outcome(report: report, verdict: judgement.verdict, paths: paths))
    } catch {
      if let staged { throw staged.end(error) }
      outputs.discard()
      throw error
    }
  }

  private func watch() -> Cancellation.Subscription {
    options.cancellation.subscribe { [current] in
      current.fail(.cancelled)
    } abandoned: { [weak outputs] in
      outputs?.discard()
    }
  }

  /// Checks what is to be made, and takes over what an earlier run has left.
  private func prepare(_ staged: StagedRun?) throws(CleaveError) {
    try enter(staged)
    options.progress.expect(job.plan.totalBytes)
    options.progress.follow(job.plan)
    try staged?.prepare()
  }

  /// All outputs, whole and checked, under temporary names.
  private func make(_ feed: Feed?, _ staged: StagedRun?) throws(CleaveError) -> JobReport {
    if let feed {
      if feed.isInput { standardInput = Self.standardFile(0) }
      return try make(feed)
    }
    if let staged {
      return try digesting(staged.job) { () throws(CleaveError) in try staged.carryOut() }
    }
    let transfer = Transfer(job.plan, options, outputs: outputs, sharing: sharing)
    if job.stream == nil, !job.plan.destinations.isEmpty {
      try sharing.requireRoom(for: transfer, job.mover)
      // Whether to take room for it is for the engine to say.
      _ = try outputs.open(0, reserving: false)
    }
    if let proving = job.proving {
      if let output = outputs.temporaries.first {
        proving.begin(job.plan, into: output)
      } else if job.stream != nil {
        proving.begin(job.plan, into: nil)
      }
    }
    return try digesting(job) { () throws(CleaveError) in try carryOut(transfer) }
  }

  // MARK: Names

  /// Checks the names of everything that is to be made, before anything is read.
  private func enter(_ staged: StagedRun?) throws(CleaveError) {
    let plan = job.plan
    let inputs = plan.sources.identities
    for path in job.sidecars { try OutputCheck.requireLocal(path) }
    outputs.tell(job.proving)
    if let stream = job.stream {
      try job.mover.require(.streamOutput)
      try OutputCheck.check(stream, inputs: inputs)
      _ = outputs.add(stream)
      return
    }
    outputs.limit(permissions: staged?.permissions ?? plan.sources.permissions)
    if let newest = plan.sources.statuses.lazy.map(\.modified).max() {
      outputs.note(modified: newest)
    }
    // Room is taken only where both the sources and the outputs fit.
    let takesRoom = job.checkpoint?.consumption == nil
    for destination in plan.destinations {
      _ = outputs.add(destination.path, size: takesRoom ? destination.size : nil)
    }
    try OutputCheck.requireDistinct(plan.destinations.map(\.path) + job.sidecars)
    // Names that an earlier run has given are looked at when it is known what they should hold.
    if staged?.isPublishing ?? false { return }
    try OutputCheck.checkSizes(of: plan.destinations)
    for path in job.sidecars { try OutputCheck.check(path, options.output, inputs: inputs) }
    for destination in plan.destinations {
      try OutputCheck.check(destination.path, options.output, inputs: inputs)
    }
    // Before anything is freed for what then cannot be written.
    if options.output.replacesExisting {
      try staged?.requireReplaceable(plan.destinations.map(\.path) + job.sidecars)
    }
    if staged != nil { for path in job.sidecars { try OutputCheck.checkDirectory(of: path) } }
  }

  private func make(_ sidecar: Sidecar, _ staged: StagedRun?) throws(CleaveError) {
    if outputs.paths.contains(sidecar.path) { throw OutputCheck.writtenTwice(sidecar.path) }
    let index = outputs.add(sidecar.path, tells: true)
    if staged?.hasPublished(sidecar) ?? false {
      try staged?.makeWay(for: sidecar, index)
      return outputs.wasPublished(index)
    }
    try OutputCheck.check(sidecar.path, options.output, inputs: standardInputs)
    try staged?.makeWay(for: sidecar, index)
    try outputs.finish(index, with: sidecar.bytes, isExecutable: sidecar.isExecutable)
  }

  // MARK: Bytes

  /// Computes digests while the bytes are moved.
  ///
  /// - Parameter job: the job as it is carried out.
  private func digesting(
    _ job: Job,
    _ move: () throws(CleaveError) -> JobReport
  ) throws(CleaveError) -> JobReport {
    let digests = try DigestRun.begin(job.digesting, job.plan, job.options) { [current] error in
      current.fail(error)
    }
    defer { digests?.stop() }
    var report = try move()
    if let digests { report.digests = try digests.finish(report) }
    return report
  }

  /// All of a plan at once.
  private func carryOut(_ transfer: Transfer) throws(CleaveError) -> JobReport {
    try current.run(transfer, options.cancellation) { job.mover.run(transfer) }
    // Destinations without a byte have no extents, and no engine has seen them.
    for (index, destination) in job.plan.destinations.enumerated() where destination.size == 0 {
      _ = try outputs.open(index)
      try outputs.finish(index, size: 0)
    }
    var report = JobReport(engine: job.reportedEngine, job.plan, transfer.checksums)
    report.sharedBytes = transfer.sharedBytes
    if options.customEngine != nil, !options.kinds.isEmpty {
      try Self.requireAllSummed(report, job.plan)
    }
    try check(report)
    try job.plan.requireUnreadUnchanged()
    return report
  }

  /// - Throws: where an engine has not entered the sums of all bytes, and may have moved some of them alone.
  private static func requireAllSummed(
    _ report: JobReport,
    _ plan: TransferPlan
  ) throws(CleaveError) {
    let pairs = zip(plan.extents, report.extents)
    guard let (extent, sum) = pairs.first(where: { $0.length != $1.count }) else { return }
    let path = plan.destinations[extent.destination].path
    let text: Sentence =
      "the engine has entered the checksum of \(sum.count) bytes for \(extent.length) at \(extent.offset)"
    throw CleaveError(.badData, path, text)
  }

  /// What standard input, 0, or standard output, 1, is, if it is one of these. The permissions of pipes mean nothing.
  static func standardFile(
    _ descriptor: CInt,
    of kinds: [FileStatus.Kind] = [.regular]
  ) -> FileStatus? {
    let status = try? FileDescriptor.duplicate(of: descriptor, path: "-").status()
    return status.flatMap { kinds.contains($0.kind) ? $0 : nil }
  }

  /// What comes, until no more does.
  private func make(_ feed: Feed) throws(CleaveError) -> JobReport {
    guard let engine = job.mover as? any StreamEngine else {
      throw EngineCapabilities.streamInput.refusal
    }
    guard options.sharing != .always else {
      throw CleaveError(.cannotCreate, "a stream has no blocks to share")
    }
    if let (path, known) = feed.joined {
      let inputs = Array(known.identities) + standardInputs
      if let stream = job.stream {
        try OutputCheck.check(stream, inputs: inputs)
        _ = outputs.add(stream)
      } else {
        try OutputCheck.requireLocal(path)
        outputs.tell(job.proving)
        try OutputCheck.check(path, options.output, inputs: inputs)
        try OutputCheck.checkSpace(
          for: known.map { DestinationFile(path: path, size: $0.status.size) }
        )
        _ = outputs.add(path, size: feed.size)
      }
    }
    if case .dealing(let feed) = feed { try check(feed) }
    if let size = feed.size { options.progress.expect(size) }
    // Those of files are taken into account as these come.
    let usual: UInt32 = feed.isInput ? 0o666 : 0o777
    let input = feed.isInput ? Self.standardFile(0, of: [.regular, .blockDevice]) : nil
    outputs.limit(permissions: input?.permissions ?? usual)
    let request = job.digesting?.request ?? DigestRequest()
    let passing = request.isEmpty ? nil : try PassingDigests(request, isInTurn: feed.isInTurn)
    let transfer = Transfer(
      job.plan,
      options,
      outputs: outputs,
      sharing: sharing,
      passing: passing
    )
    var report = JobReport(engine: job.reportedEngine, bytes: 0)
    try current.run(transfer, options.cancellation) { report = engine.run(transfer, feed, report) }
    report.bytes = report.destinations.reduce(0) { $0 + $1.count }
    // Their names come with the bytes.
    for path in job.stream == nil && standardInput != nil ? outputs.paths : [] {
      try OutputCheck.check(path, options.output, inputs: standardInputs)
    }
    try check(report)
    if let passing { report.digests = try passing.finish() }
    return report
  }

  /// Checks the names of all files that records are dealt out to, and the room for them.
  private func check(_ feed: Feed.Dealing) throws(CleaveError) {
    let inputs = feed.source.map { [$0.status.identity] } ?? standardInputs
    let names = feed.names
    try OutputCheck.requireDistinct(names + job.sidecars)
    for path in names + job.sidecars {
      try OutputCheck.requireLocal(path)
      try OutputCheck.check(path, options.output, inputs: inputs)
    }
    guard let source = feed.source, let first = names.first else { return }
    try OutputCheck.checkSpace(for: [DestinationFile(path: first, size: source.status.size)])
  }

  /// Flushes what is no file, and reads back what is to be.
  private func check(_ report: JobReport) throws(CleaveError) {
    try outputs.flushDevices()
    guard options.output.readsBack else { return }
    for (index, sum) in report.destinations.enumerated() {
      try outputs.readBack(index, expecting: sum, kinds: options.kinds) { [options] in
        options.cancellation.isCancelled
      }
    }
  }
}
