import Posix

/// One of several runs that make one output together, on as many machines as see the same file system.
///
/// Each writes its share into the one temporary file, flushes it, and leaves a receipt with the sums of what
/// it has written. The run that finds all receipts there compares and publishes the output; nothing is read
/// again but what digests, and the content of the whole, ask for. A share may be run again, also twice at once:
/// then one waits for the other.
public struct MergeShare: Sendable {
  public let merge: Merge
  /// Nil for a run that only completes what others have made.
  public let share: WorkShare?

  public init(_ merge: Merge, _ share: WorkShare?) { (self.merge, self.share) = (merge, share) }

  private var output: FilePath { merge.output }
  private var work: WorkOptions { merge.work }

  /// Does the share, and completes the output where all others are done.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError``; what others have done stays. `.missingInput` where only completing is
  ///   asked for and shares are missing.
  public func run() throws(CleaveError) -> WorkShare.Result {
    if output.isRemote { throw .onlyFiles("\(Setting.share)") }
    if merge.dealtSeparator != nil { throw .dealt(doesNotGoWith: "\(Setting.share)") }
    let prepared = try merge.prepare()
    guard let plan = prepared.plan, !prepared.isStream, !work.isStaged else {
      throw CleaveError(
        .contradiction,
        "\(Setting.share) needs files that nothing else is done with"
      )
    }
    try work.requireShareable(plan)
    let shared = SharedOutput(merge, plan, prepared.engine)
    let subscription = shared.watch()
    defer { withExtendedLifetime(subscription) {} }
    if let share {
      try shared.check()
      try shared.locks.locked(share.number, looking: shared.look) { () throws(CleaveError) in
        // Nothing is written over what a receipt vouches for.
        if try !shared.isDone(share), !shared.isOver { try shared.make(share) }
      }
    }
    if shared.isOver { return .leftToAnother }
    let missing = try ShareReceipt.missing(from: shared.receipts(share), share, output)
    if let share, missing.contains(share.number) {
      if shared.isOver { return .leftToAnother }
      throw .givenUp(output)
    }
    if !missing.isEmpty {
      shared.locks.tellStale(missing)
      return .waiting(for: missing)
    }
    do throws(CleaveError) {
      if let outcome = try shared.complete(share) { return .complete(outcome) }
      if shared.isOver { return .leftToAnother }
      throw .givenUp(output)
    } catch {
      guard error.kind == .badData || error.kind == .changedInput else { throw error }
      let clean = Leftovers.cleaning(output.directory)
      throw error.adding(
        "; the shares are kept: '\(clean)' gives them up, and all are to be run again"
      )
    }
  }
}

extension WorkShare {
  /// What came of a run.
  public enum Result: Sendable {
    /// It has done its share; the numbers of those that are not done yet.
    case waiting(for: [Int])
    /// Another run is completing the output, or has.
    case leftToAnother
    /// Another run had completed the output before, and was killed then.
    case completed
    case complete(Outcome)
  }
}

extension CleaveError {
  static func givenUp(_ output: FilePath) -> CleaveError {
    CleaveError(
      .changedInput,
      output,
      "what was done of it is gone: another program has removed it"
    )
  }
}

/// The output that shares are written to. Confined to the thread that calls, but for cancelling.
private final class SharedOutput {
  private let merge: Merge
  private let plan: TransferPlan
  private let engine: EngineName
  private let identity: String
  private let sources: [Journal.Source]
  private let options: JobOptions
  let locks: ShareLocks
  private let current = CurrentTransfer()
  /// The temporary that was seen last.
  private var seen: FileStatus.Identity?
  private var output: FilePath { merge.output }
  private var temporary: FilePath {
    TemporaryName(of: output, job: ShareReceipt.job(of: identity), index: 0).path
  }

  init(_ merge: Merge, _ plan: TransferPlan, _ engine: EngineName) {
    (self.merge, self.plan, self.engine) = (merge, plan, engine)
    // Whatever the manifest has that the last run finds.
    let kinds: Checksum.Kinds = [.crc32, .adler32]
    options = merge.work.jobOptions(kinds)
    let journal = Journal(
      plan,
      .merge,
      consumes: false,
      kinds: kinds,
      content: merge.selection.recorded
    )
    (identity, sources) = (ShareReceipt.identity(of: journal), journal.sources)
    locks = ShareLocks(
      output: merge.output,
      job: ShareReceipt.job(of: identity),
      work: merge.work
    )
    look()
  }

  /// Sees which file the temporary is: it gets the output's name when all is done.
  func look() { seen = Self.identity(of: temporary) ?? seen }

  /// Whether others have given the temporary the output's name. Any other file there is nobody's share.
  var isOver: Bool { seen != nil && Self.identity(of: output) == seen }

  func watch() -> Cancellation.Subscription {
    options.cancellation.subscribe { [current] in
      current.fail(.cancelled)
    } abandoned: {
    }
  }

  /// Looks at the output's name, and at the room for it.
  func check() throws(CleaveError) {
    try OutputCheck.check(output, options.output, inputs: plan.sources.identities)
    try OutputCheck.requireLocks(output, for: .share)
    let there = try? FileStatus.of(temporary, followingLinks: false)
    // bounded: a file that is there
    let needed = plan.totalBytes - min(plan.totalBytes, there?.allocated ?? 0)
    try OutputCheck.checkSpace(for: [DestinationFile(path: output, size: needed)])
  }

  // MARK: A share

  /// Whether a run before has done it, and what it has written is there.
  func isDone(_ share: WorkShare) throws(CleaveError) -> Bool {
    try receipts(share).contains { $0.share == share }
  }

  /// The receipts of the same job, for what is in the temporary now.
  ///
  /// - Throws: `.cannotCreate` where it was divided in another way.
  func receipts(_ share: WorkShare?) throws(CleaveError) -> [ShareReceipt] {
    let status = try CleaveError.whileReading(
      FileStatus.ifPresent(temporary, followingLinks: false)
    )
    guard let inode = status?.identity.inode else { return [] }
    let found = try ShareReceipt.all(of: identity, beside: output, share)
    return found.filter { $0.identity == inode && isSound($0) }
  }

  /// Whether a receipt is about just the pieces that its share has.
  private func isSound(_ receipt: ShareReceipt) -> Bool {
    receipt.done.map(\.piece) == plan.pieces(of: receipt.share)
  }

  /// Does nothing where others have made the output meanwhile.
  func make(_ share: WorkShare) throws(CleaveError) {
    // Shared with those who write, against those who complete it.
    guard let held = try open(.shared, creating: true) else { return }
    defer { withExtendedLifetime(held) {} }
    if isOver {
      // This has come too late, and nobody else writes to what it has made.
      if held.isAlone { try? FileSystem.unlink(temporary) }
      return
    }
    seen = held.identity
    let pieces = plan.pieces(of: share)
    var receipt = ShareReceipt(plan: identity, share: share, identity: held.identity.inode)
    if !pieces.isEmpty {
      let outputs = Outputs(options.output)
      // It is nobody else's before it is complete.
      outputs.limit(permissions: 0o600)
      _ = outputs.add(output)
      outputs.goOn(with: ShareReceipt.job(of: identity))
      try outputs.adopt(0, at: temporary, expecting: held.identity, isGiven: true)
      let slice = plan.slice(pieces, from: plan.sources)
      let sharing = BlockSharing(options.sharing)
      let transfer = Transfer(slice, options, outputs: outputs, sharing: sharing)
      options.progress.expect(pieces.reduce(0) { $0 + $1.length })
      options.progress.follow(slice)
      try current.run(transfer, options.cancellation) { engine.engine.run(transfer) }
      try outputs.flush(0)
      receipt.done = zip(pieces, transfer.checksums).map {
        Journal.Done(extent: $0.extent, start: $0.start, checksum: $1)
      }
    }
    try DirectorySync(of: [temporary]).run()
    guard Self.identity(of: temporary) == held.identity else { throw .givenUp(output) }
    (receipt.arguments, receipt.directory) = (
      merge.work.arguments, ProcessState.workingDirectory
    )
    let read = Set(pieces.compactMap { plan.extents[$0.extent].sourceIndex })
    receipt.sources = read.sorted().map { sources[$0] }
    try receipt.write(beside: output)
  }

  private static func identity(of path: FilePath) -> FileStatus.Identity? {
    (try? FileStatus.of(path, followingLinks: false))?.identity
  }

  /// Opens the temporary with its lock, for which it waits.
  ///
  /// - Parameter creating: whether it is made, as large as the output, where it is not there.
  /// - Returns: nil where it is gone.
  private func open(
    _ lock: FileDescriptor.Lock,
    creating: Bool
  ) throws(CleaveError) -> HeldFile? {
    let (work, output) = (merge.work, output)
    while true {
      let held = try HeldFile.open(temporary, lock, creating: creating) {
        work.tell(.remark("\(output): other runs are at work on it, and are waited for"))
      } isCancelled: {
        look()
        return work.cancellation.isCancelled
      }
      guard let held else { return nil }
      if held.size == plan.totalBytes { return held }
      guard held.size == 0, creating else { throw changed }
      try settle(held)
    }
  }

  /// Makes a new temporary as large as the output, unless others are about to. What receipts tell of is in
  /// another one, though it may have had the same inode.
  private func settle(_ held: HeldFile) throws(CleaveError) {
    do throws(SystemError) {
      guard held.isAlone, try FileStatus.ifPresent(temporary, followingLinks: false)?.size == 0
      else { return }
    } catch {
      throw .creating(error.about(output))
    }
    for receipt in try ShareReceipt.all(beside: output) where receipt.plan == identity {
      receipt.remove(beside: output)
    }
    do throws(SystemError) { try held.truncate(to: plan.totalBytes) } catch {
      try? FileSystem.unlink(temporary)
      throw .creating(error.about(output))
    }
  }

  private var changed: CleaveError {
    let clean = Leftovers.cleaning(output.directory)
    return CleaveError(
      .changedInput,
      temporary,
      "was changed by another program; '\(clean)' gives up what is done"
    )
  }

  // MARK: All of it

  /// Compares what all shares have made, and gives it its name.
  ///
  /// - Returns: nil where that is not possible any more.
  func complete(_ share: WorkShare?) throws(CleaveError) -> Outcome? {
    guard let held = try open(.exclusive, creating: false) else { return nil }
    defer { withExtendedLifetime(held) {} }
    // Another run may have completed it, or given it up, and others have begun anew.
    let receipts = try receipts(share)
    guard let count = share?.count ?? receipts.first?.share.count, receipts.count == count,
      receipts.allSatisfy({ $0.identity == held.identity.inode })
    else { return nil }
    let done = receipts.flatMap(\.done).sorted { ($0.extent, $0.start) < ($1.extent, $1.start) }
    var sums = [Checksum](repeating: .empty, count: plan.extents.count)
    for done in done { sums[done.extent].append(done.checksum) }
    try check()
    let outputs = Outputs(options.output)
    outputs.limit(permissions: plan.sources.permissions)
    if let newest = plan.sources.statuses.lazy.map(\.modified).max() {
      outputs.note(modified: newest)
    }
    _ = outputs.add(output)
    outputs.goOn(with: ShareReceipt.job(of: identity))
    try outputs.adopt(0, at: temporary, expecting: held.identity, isGiven: true)
    var report = JobReport(engine: engine, plan, sums)
    let digests = try DigestRun.begin(
      DigestRun.Task(merge.digestRequest, parts: .sources),
      plan,
      options
    ) { _ in }
    defer { digests?.stop() }
    try outputs.finish(0, size: plan.totalBytes)
    try plan.requireUnreadUnchanged()
    if options.output.readsBack, let sum = report.destinations.first {
      try outputs.readBack(0, expecting: sum, kinds: options.kinds) { [options] in
        options.cancellation.isCancelled
      }
    }
    report.temporaries = outputs.temporaries
    if let digests { report.digests = try digests.finish(report) }
    let proof = merge.proving.map { Merge.Proof.running($0) }
    let verdict = try MergeJudge(merge: merge, proof: proof).judge(report).verdict
    if options.cancellation.isCancelled { throw .cancelled }
    try outputs.publish { paths throws(CleaveError) in try Journal.requireNonePublished(paths) }
    // Also those that twins have left meanwhile.
    for receipt in (try? ShareReceipt.all(beside: output)) ?? []
    where receipt.plan == identity && receipt.identity == held.identity.inode {
      receipt.remove(beside: output)
    }
    locks.remove()
    // Those of before a part was changed, which are of no use any more.
    try? merge.work.lookForLeftovers(of: [output], output)
    return Outcome(report: report, verdict: verdict, paths: [output])
  }
}
