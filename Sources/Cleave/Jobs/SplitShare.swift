import Posix

/// One of several runs that make the parts of one file together, on as many machines as see the same file system.
///
/// Each makes whole parts, which have their names as soon as they are on the device, and leaves a receipt with their
/// sums. The run that finds all receipts there writes the manifests: who sees one sees all parts. A share may be run
/// again, also twice at once.
public struct SplitShare: Sendable {
  package let prepared: Split.Prepared
  /// Nil for a run that only completes what others have made.
  package let share: WorkShare?
  /// Whether there was a list when the run began.
  private let isListed: Bool

  /// - Throws: a ``CleaveError``, where what is asked for cannot be divided.
  public init(_ split: Split, _ share: WorkShare?) throws(CleaveError) {
    if split.prefix.isRemote { throw .onlyFiles("\(Setting.share)") }
    guard split.file != "-", split.options.filter == nil, !split.work.isStaged,
      !split.manifests.isEmpty, split.work.verification != .entries
    else {
      throw CleaveError(
        .contradiction,
        "\(Setting.share) needs a file that is cut to files with a manifest"
      )
    }
    guard !split.replaceable.replacesExisting else {
      throw CleaveError(
        .contradiction,
        "\(Setting.share) replaces nothing, since its parts get their names one by one; remove the old ones first"
      )
    }
    guard split.digestRequest.isEmpty else {
      throw CleaveError(
        .contradiction,
        "\(Setting.share) has CRC-32s, which can be combined; other sums of the whole need one run that reads all"
      )
    }
    var split = split
    split.isShared = true
    isListed = split.listThere != nil
    self.share = share
    do throws(CleaveError) { prepared = try split.prepare() } catch {
      guard isListed, let list = error.path, error.remedies == [.replacing] else { throw error }
      throw Self.refusal(of: list)
    }
  }

  /// Nothing is replaced, so that no option is named that would.
  fileprivate static func refusal(of list: FilePath) -> CleaveError {
    let text: Sentence =
      "exists: where it is of these shares, all of them are done, else remove it first, or choose another \(Setting.prefix)"
    return CleaveError(.cannotCreate, list, text)
  }

  package var prefix: FilePath { prepared.split.prefix }

  /// Does the share, and completes the parts where all others are done.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError``; what others have done stays. `.missingInput` where only completing is
  ///   asked for and shares are missing.
  public func run() throws(CleaveError) -> WorkShare.Result {
    guard let plan = prepared.plan else { return .leftToAnother }
    try prepared.split.work.requireShareable(plan)
    try OutputCheck.requireLocks(prefix, for: .share)
    let parts = SharedParts(prepared, plan, share)
    if isListed, try parts.isComplete() { return .completed }
    return try parts.run()
  }
}

/// The parts that several runs make. Confined to the thread that calls.
private final class SharedParts {
  private let prepared: Split.Prepared
  private let plan: TransferPlan
  private let share: WorkShare?
  private let identity: String
  private let options: JobOptions
  private let locks: ShareLocks
  private var split: Split { prepared.split }
  private var prefix: FilePath { split.prefix }

  init(_ prepared: Split.Prepared, _ plan: TransferPlan, _ share: WorkShare?) {
    (self.prepared, self.plan, self.share) = (prepared, plan, share)
    let kinds: Checksum.Kinds = [.crc32, .adler32]
    options = prepared.split.work.jobOptions(kinds)
    identity = ShareReceipt.identity(
      of: Journal(plan, .split, consumes: false, kinds: kinds, content: nil)
    )
    locks = ShareLocks(
      output: prepared.split.prefix,
      job: ShareReceipt.job(of: identity),
      work: prepared.split.work
    )
  }

  /// Whether others have completed it since: the manifest that was not there when the run began tells of
  /// just these parts.
  private var isOver: Bool {
    guard let path = split.manifests.first?.path,
      let found = try? Manifest(reading: path, about: split.prefix)
    else {
      return false
    }
    let names = plan.destinations.map(\.path.lastComponent)
    return found.entries.count == names.count && names.allSatisfy(found.entries.contains(named:))
      && plan.destinations.allSatisfy(\.isThere)
  }

  /// Whether a run that was killed behind the name of the list has completed the parts. Its receipts go.
  ///
  /// - Throws: `.cannotCreate` where the list is that of other parts.
  func isComplete() throws(CleaveError) -> Bool {
    let receipts = try receipts()
    guard isOver, !receipts.isEmpty, let path = split.manifests.first?.path,
      let list = try? Manifest(reading: path, about: prefix),
      receipts.allSatisfy({ isTold($0, by: list) }),
      try areRight()
    else {
      if let taken = split.listThere { throw SplitShare.refusal(of: taken) }
      return false
    }
    for receipt in receipts { receipt.remove(beside: prefix) }
    locks.remove()
    return true
  }

  private func areRight() throws(CleaveError) -> Bool {
    for part in plan.destinations.indices where try sumsOfRight(part) == nil { return false }
    return true
  }

  /// Whether a list has the sums of the parts of a share.
  private func isTold(_ receipt: ShareReceipt, by list: Manifest) -> Bool {
    var sums: [Int: Checksum] = [:]
    for done in receipt.done {
      sums[plan.extents[done.extent].destination, default: .empty].append(done.checksum)
    }
    return sums.allSatisfy { list.expected(of: plan.destinations[$0].path)?.crc32 == $1.crc32 }
  }

  func run() throws(CleaveError) -> WorkShare.Result {
    if let share, try !isDone(share) {
      try locks.locked(share.number) { () throws(CleaveError) in
        // Whoever had the lock may have done it.
        if try !isDone(share), !isOver { try make(share) }
      }
    }
    if isOver { return .leftToAnother }
    let missing = try ShareReceipt.missing(from: try receipts(), share, prefix)
    if let share, missing.contains(share.number) {
      if isOver { return .leftToAnother }
      throw .givenUp(prefix)
    }
    if !missing.isEmpty {
      locks.tellStale(missing)
      return .waiting(for: missing)
    }
    var outcome: Outcome?
    try locks.locked(0) { () throws(CleaveError) in outcome = try complete() }
    if let outcome { return .complete(outcome) }
    if isOver { return .leftToAnother }
    throw .givenUp(prefix)
  }

  // MARK: Receipts

  /// Those of which all parts are there.
  private func receipts() throws(CleaveError) -> [ShareReceipt] {
    try ShareReceipt.all(of: identity, beside: prefix, share).filter(isSound)
  }

  private func isDone(_ share: WorkShare) throws(CleaveError) -> Bool {
    try receipts().contains { $0.share == share && $0.identity == identity(of: share) }
  }

  /// Of the parts that are there.
  private func identity(of share: WorkShare) -> UInt64 {
    var text = ""
    for part in share.range(of: plan.destinations.count) {
      let path = plan.destinations[part].path
      let found = try? FileStatus.of(path, followingLinks: false)
      text += "\(found?.identity.inode ?? 0) \(found?.modified ?? 0) \(found?.changed ?? 0)\n"
    }
    let sum = Checksum(of: Array(text.utf8)[...], [.crc32, .adler32])
    return UInt64(sum.crc32) << 32 | UInt64(sum.adler32)
  }

  private func isSound(_ receipt: ShareReceipt) -> Bool {
    let parts = receipt.share.range(of: plan.destinations.count)
    return receipt.done.map(\.piece) == pieces(of: parts)
      && plan.destinations[parts].allSatisfy(\.isThere)
  }

  private func pieces(of parts: Range<Int>) -> [ExtentPiece] {
    extents(of: parts).map { ExtentPiece(extent: $0, start: 0, length: plan.extents[$0].length) }
  }

  private func extents(of parts: Range<Int>) -> Range<Int> {
    let first = plan.extents.partitioningIndex { $0.destination >= parts.lowerBound }
    return first..<plan.extents.partitioningIndex { $0.destination >= parts.upperBound }
  }

  private func isTaken(_ part: Int) throws(CleaveError) -> Bool {
    do {
      return try FileStatus.ifPresent(plan.destinations[part].path, followingLinks: false) != nil
    } catch {
      throw .creating(error)
    }
  }

  // MARK: A share

  private func make(_ share: WorkShare) throws(CleaveError) {
    let parts = share.range(of: plan.destinations.count)
    var sums: [Int: [Checksum]] = [:]
    let sources = plan.sources.identities
    for part in parts where try isTaken(part) {
      let path = plan.destinations[part].path
      try OutputCheck.requireOther(path, than: sources)
      // A run that was killed may have made it.
      guard plan.destinations[part].isThere, let found = try sumsOfRight(part) else {
        throw CleaveError(
          .cannotCreate,
          path,
          "exists, and is not what share \(share) makes: move it away, or choose another \(Setting.prefix)"
        )
      }
      sums[part] = found
    }
    let missing = parts.filter { sums[$0] == nil }
    var receipt = ShareReceipt(plan: identity, share: share, identity: 0)
    (receipt.arguments, receipt.directory) = (
      split.work.arguments, ProcessState.workingDirectory
    )
    receipt.part = parts.first.map { plan.destinations[$0].path.lastComponent }
    receipt.list = split.manifests.first?.path.lastComponent
    if !missing.isEmpty {
      try split.work.lookForLeftovers(
        of: missing.map { plan.destinations[$0].path },
        prefix,
        from: plan.sources
      )
      var job = Job(plan.making(missing), engine: prepared.engine)
      job.options = options
      // Before any part has its name: it tells that others are not there yet.
      try receipt.write(beside: prefix)
      var made: ArraySlice<Checksum>
      do throws(CleaveError) { made = try job.run().extents[...] } catch {
        if parts.allSatisfy({ (try? isTaken($0)) == false }) { receipt.remove(beside: prefix) }
        throw error
      }
      for part in missing {
        let count = extents(of: part..<part + 1).count
        sums[part] = Array(made.prefix(count))
        made = made.dropFirst(count)
      }
    }
    // All of them are there and right, whatever run has named them.
    if let listing = try? DirectoryListing(of: prefix.directory) {
      NamingMark.removeAll(of: plan.destinations[parts].map(\.path), in: listing)
    }
    receipt.identity = identity(of: share)
    receipt.done = zip(pieces(of: parts), parts.flatMap { sums[$0] ?? [] }).map {
      Journal.Done(extent: $0.extent, start: 0, checksum: $1)
    }
    try receipt.write(beside: prefix)
  }

  /// - Throws: `.badData` where a part is not what its share has made; that is to be done again.
  private func requireUnchanged(_ receipt: ShareReceipt) throws(CleaveError) {
    // Other machines may have other times of them.
    if !options.output.readsBack, receipt.identity == identity(of: receipt.share) { return }
    for done in receipt.done {
      let extent = plan.extents[done.extent]
      let path = plan.destinations[extent.destination].path
      if try sum(path, extent.offset, extent.length) == done.checksum { continue }
      receipt.remove(beside: prefix)
      let number = receipt.share.description
      throw CleaveError(
        .badData,
        path,
        "is not what share \(number) has made; remove it, and run that share again"
      )
    }
  }

  /// The sums of the extents of a part that is there; nil where it is not what it should be.
  private func sumsOfRight(_ part: Int) throws(CleaveError) -> [Checksum]? {
    var sums: [Checksum] = []
    for index in extents(of: part..<part + 1) {
      let extent = plan.extents[index]
      let made = try sum(plan.destinations[part].path, extent.offset, extent.length)
      let wanted: Checksum
      if case .file(let source, let offset) = extent.source {
        wanted = try sum(plan.sources[source].path, offset, extent.length)
      } else {
        wanted = Checksum(of: try extent.source.bytes()?[...] ?? [], options.kinds)
      }
      if made != wanted { return nil }
      sums.append(made)
    }
    return sums
  }

  private func sum(
    _ path: FilePath,
    _ start: Int64,
    _ count: Int64
  ) throws(CleaveError) -> Checksum {
    try CleaveError.whileReading(
      Checksum(
        reading: FileDescriptor.open(path, [.readOnly, .nonBlocking]),
        from: start,
        upTo: count,
        kinds: options.kinds,
        isCancelled: { options.cancellation.isCancelled }
      )
    )
  }

  // MARK: All of it

  /// Writes what tells of all parts.
  ///
  /// - Returns: nil where another run has done so meanwhile.
  private func complete() throws(CleaveError) -> Outcome? {
    let receipts = try receipts()
    guard let count = share?.count ?? receipts.first?.share.count, receipts.count == count else {
      return nil
    }
    try plan.sources[0].requireUnchanged()
    for receipt in receipts { try requireUnchanged(receipt) }
    let done = receipts.flatMap(\.done).sorted { $0.extent < $1.extent }
    let report = JobReport(engine: prepared.engine, plan, done.map(\.checksum))
    let judge = SplitJudge(split: split, plan: plan, whole: prepared.whole)
    let judgement = try judge.judge(report)
    let outputs = Outputs(options.output)
    outputs.limit(permissions: plan.sources.permissions)
    // That all is done is seen by the manifest.
    let lists = Set(split.manifests.compactMap(\.path))
    for sidecar in judgement.sidecars.sorted(by: {
      lists.contains($1.path) && !lists.contains($0.path)
    }) {
      try OutputCheck.check(sidecar.path, options.output, inputs: plan.sources.identities)
      let index = outputs.add(sidecar.path, tells: true)
      try outputs.finish(index, with: sidecar.bytes, isExecutable: sidecar.isExecutable)
    }
    if options.cancellation.isCancelled {
      outputs.discard()
      throw .cancelled
    }
    try outputs.publish { paths throws(CleaveError) in try Journal.requireNonePublished(paths) }
    for receipt in receipts { receipt.remove(beside: prefix) }
    locks.remove()
    let paths = plan.destinations.map(\.path) + outputs.paths
    return Outcome(report: report, verdict: judgement.verdict, paths: paths)
  }
}

extension TransferPlan {
  /// The plan of some of the destinations alone.
  fileprivate func making(_ parts: [Int]) -> TransferPlan {
    let places = Dictionary(uniqueKeysWithValues: zip(parts, parts.indices))
    let extents = extents.compactMap { extent -> Extent? in
      guard let place = places[extent.destination] else { return nil }
      var moved = extent
      moved.destination = place
      return moved
    }
    return TransferPlan(cutting: extents, to: parts.map { destinations[$0] }, from: sources)
  }
}
