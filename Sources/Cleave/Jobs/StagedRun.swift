import Posix

/// The rounds of a job that can be gone on with. Confined to the thread that calls, but for cancelling.
final class StagedRun {
  let checkpoint: Checkpoint
  var job: Job
  let outputs: Outputs
  let sharing: BlockSharing
  var journal: Journal
  var consumption: Consumption?
  /// The checksum of each extent, as far as it is done.
  var sums: [Checksum]
  /// As they were found, and as they stay where they are not consumed.
  private let sources: SourceFiles
  let judge: any Judge
  private let current: CurrentTransfer
  private let buffers = IdleBuffers()
  /// Destinations that an earlier run has given their names.
  var published: Set<Int> = []
  /// Whether a source has got another size, so that what is left to do is another plan's.
  var isReplanned = false
  /// Whether the list does not object to any source of which nothing was read yet.
  var isAgreed = false
  /// Whether a message has said what gives up what an earlier run has left, which stays until then.
  var isLeftToUser = false
  /// Whether this run has made something, or has taken it over.
  var hasBegun = false

  var file: JournalFile { checkpoint.file }
  var plan: TransferPlan { job.plan }
  var options: OutputOptions { job.options.output }
  /// The destination that the source becomes.
  var left: Int? { checkpoint.consumption == .tail ? 0 : nil }

  init(
    _ checkpoint: Checkpoint,
    of job: Job,
    _ outputs: Outputs,
    _ sharing: BlockSharing,
    _ judge: any Judge,
    _ current: CurrentTransfer
  ) {
    (self.checkpoint, self.outputs, self.sharing) = (checkpoint, outputs, sharing)
    (self.judge, self.current) = (judge, current)
    let found = checkpoint.present == nil ? nil : checkpoint.file.found
    var job = job
    // What is kept must be known by its sum, and a manifest that comes later may have either.
    job.options.kinds = found?.kinds ?? job.options.kinds.union([.crc32, .adler32])
    self.job = job
    sums = [Checksum](repeating: .empty, count: job.plan.extents.count)
    journal =
      found
      ?? Journal(
        job.plan,
        checkpoint.command,
        consumes: checkpoint.consumption != nil,
        kinds: job.options.kinds,
        content: checkpoint.content
      )
    if found == nil {
      journal.arguments = checkpoint.arguments
      journal.directory = checkpoint.directory
      (journal.base, journal.manifest) = (checkpoint.base, checkpoint.manifest)
      journal.told = checkpoint.told
      (journal.asked, journal.isOpen) = (checkpoint.asked, checkpoint.isOpen)
      journal.isProved = checkpoint.isProved
    }
    let present = checkpoint.present.map { zip($0, job.plan.sources).lazy.map { $0.file ?? $1 } }
    sources = present.map { SourceFiles($0) } ?? job.plan.sources
  }

  /// Those that every source had when the job was begun, and that those which are there have now.
  var permissions: UInt32 {
    let present = (checkpoint.present ?? []).flatMap { [$0.file, $0.other].compactMap(\.self) }
    // Where no journal tells them, those that are gone may have had few.
    let known = journal.permissions ?? (present.isEmpty ? 0o600 : 0o777)
    return present.reduce(known) { $0 & $1.status.permissions }
  }

  /// Nobody else may free the sources from now on.
  func claim(_ sources: some Collection<SourceFile?>) throws(CleaveError) {
    guard let manner = checkpoint.consumption else { return }
    consumption = try Consumption(
      manner,
      of: plan,
      sources: sources,
      isSparse: journal.sources.map(\.isSparse),
      into: outputs,
      knownBy: file
    )
  }

  // MARK: Steps

  /// Whether names may have been given. What has one is looked at when it is known what it should hold.
  var isPublishing: Bool { journal.isPublishing }

  /// Takes over what an earlier run has left, or begins.
  func prepare() throws(CleaveError) {
    if checkpoint.present == nil { try begin() } else { try goOn() }
  }

  /// Runs every round, and makes what has no bytes.
  func carryOut() throws(CleaveError) -> JobReport {
    try runRounds()
    return try complete()
  }

  /// - Throws: where a run that goes on would replace what has come since the job was begun.
  func requireReplaceable(_ paths: [FilePath]) throws(CleaveError) {
    if checkpoint.present == nil { return }
    // Where all files have their names already, what tells of them may have its own, too.
    let made = Set(plan.destinations.lazy.map(\.path))
    if paths.contains(where: made.contains) { try journal.requireFormer(at: paths) }
  }

  /// Every output is whole and judged: from now on names are given.
  func willPublish() throws(CleaveError) {
    try file.append([Journal.publish], synchronizes: options.synchronizes)
    journal.isPublishing = true
  }

  /// Every output has its name.
  func didPublish() throws(CleaveError) {
    try consumption?.finish()
    if checkpoint.present != nil { removeRest() }
    // Before the journal: with it, the same command line still finds that all is done.
    for signpost in signposts { signpost.remove() }
    file.remove()
  }

  /// Beside sources that are freed, where the journal is not.
  var signposts: [Signpost] {
    checkpoint.consumption == nil ? [] : Signpost.all(of: plan.sources.paths, to: file.path)
  }

  /// Removes what runs before have left and this one had no use for, such as a sidecar that is no longer
  /// wanted.
  func removeRest() {
    for directory in Set(outputs.paths.map(\.directory)) {
      guard let listing = try? DirectoryListing(of: directory) else { continue }
      for path in listing.hidden where TemporaryName(path)?.job == journal.job {
        try? FileSystem.unlink(path)
      }
    }
  }

  // MARK: Rounds

  /// The extents in the order of the rounds.
  var order: [Int] {
    guard left != nil else { return Array(plan.extents.indices) }
    // From the tail, but each part from its start; the first is what is left.
    let parts = plan.extents.indices.filter { plan.extents[$0].destination != left }
    return parts.sorted {
      (-plan.extents[$0].destination, $0) < (-plan.extents[$1].destination, $1)
    }
  }

  private func runRounds() throws(CleaveError) {
    var (rounds, kept) = try roundsLeft()
    // Bytes that were entered and not freed by the run before.
    try requireCopied()
    try free(kept)
    while let pieces = rounds.next() { try carryOut(pieces) }
  }

  /// The rounds that are still to be run, behind the pieces that are done.
  func roundsLeft() throws(CleaveError) -> (Rounds, kept: [ExtentPiece]) {
    var rounds = Rounds(plan, order: order, size: checkpoint.size)
    let own = plan.extents.count { $0.sourceIndex == nil }
    let kept = journal.done.dropFirst(own).map(\.piece).filter {
      plan.extents[$0.extent].destination != left
    }
    guard rounds.skip(kept) == kept.count else {
      throw CleaveError(.badData, file.path, "is not sound: what is done is not in order")
    }
    return (rounds, kept)
  }

  private func carryOut(_ pieces: [ExtentPiece]) throws(CleaveError) {
    // As the plan has them, which a round from the tail does not.
    let sorted = pieces.sorted { ($0.extent, $0.start) < ($1.extent, $1.start) }
    let slice = plan.slice(sorted, from: consumption?.sources ?? sources)
    let transfer = Transfer(
      slice,
      job.options,
      outputs: outputs,
      sharing: sharing,
      buffers: buffers
    )
    let holders = Set(pieces.map { plan.extents[$0.extent].destination })
    try outputs.requireIntact(holders)
    try current.run(transfer, job.options.cancellation) { job.mover.run(transfer) }
    try outputs.mark(holders)
    let found = Dictionary(uniqueKeysWithValues: zip(sorted, transfer.checksums))
    let done = pieces.map { piece in
      Journal.Done(extent: piece.extent, start: piece.start, checksum: found[piece] ?? .empty)
    }
    try readBack(done)
    try enter(done)
    try free(pieces)
  }

  /// Enters what is done and on the device, with the names it has there.
  func enter(_ done: [Journal.Done]) throws(CleaveError) {
    if options.synchronizes {
      try DirectorySync(of: [plan.destinations[0].path]).run()
    }
    // Before it is entered: a run that must end at once must not remove what a journal tells of.
    outputs.keep(true)
    try file.append(Journal.round(done), synchronizes: options.synchronizes)
    journal.done += done
    for done in done { add(done) }
    if file.hasGrown {
      journal.compact()
      try file.rewrite(journal, synchronizes: options.synchronizes)
    }
  }

  /// Adds a piece to the sum of its extent. What the plan has of its own is done again in its round.
  func add(_ done: Journal.Done) {
    if done.start == 0 { sums[done.extent] = .empty }
    sums[done.extent].append(done.checksum)
  }

  private func free(_ pieces: [ExtentPiece]) throws(CleaveError) {
    if pieces.isEmpty { return }
    var bad: Int?
    do throws(CleaveError) {
      try consumption?.free(pieces, sums) { source, sum throws(CleaveError) in
        bad = source
        try judge.judge(part: source, sum)
        bad = nil
      }
    } catch {
      guard let bad else { throw error }
      try note(bad: bad, error)
      throw told(error, bad)
    }
  }

  /// The error, with what ends it.
  func told(_ error: CleaveError, _ source: Int) -> CleaveError {
    let name = plan.sources[source].path.lastComponent
    let mayGoOn = journal.bad.contains(source) && !journal.hasReplaced
    let other: Sentence = mayGoOn ? ", or go on with \(.withoutManifest)" : ""
    return CleaveError(error.kind, "\(error); put a good \(name) in its place\(other)")
  }

  private func readBack(_ done: [Journal.Done]) throws(CleaveError) {
    guard options.readsBack else { return }
    for done in done {
      let extent = plan.extents[done.extent]
      try outputs.readBack(
        extent.destination,
        from: extent.offset + done.start,
        expecting: done.checksum,
        kinds: job.options.kinds
      ) { job.options.cancellation.isCancelled }
    }
  }

  // MARK: Ending early

  /// Removes what is of no use to another run, and keeps what is. Returns the error with that.
  func end(_ error: CleaveError) -> CleaveError {
    guard hasBegun || checkpoint.present != nil else {
      // Unless it is another job's.
      if file.wasEmpty { file.remove() }
      return error
    }
    // Other data is needed then, and with it another job; unless some of it has its names.
    let isUseless =
      !isLeftToUser && !outputs.hasNamed && (error.kind == .badData || error.kind == .changedInput)
    if journal.hasConsumed || !journal.done.isEmpty && !isUseless {
      outputs.keep(true)
      outputs.discard()
      return error.keeping(journal)
    }
    if journal.consumes {
      // What is left without a journal would seem to be the only copy of data. One that an error cut off may tell
      // of more than counts.
      try? file.forgetAdded(synchronizes: options.synchronizes)
      removeUseless()
      file.remove()
    } else if file.remove(synchronizes: options.synchronizes) {
      // It came first: one that was still there, or came back after a power loss, would miss what it tells of.
      removeUseless()
    } else {
      outputs.keep(true)
      outputs.discard()
      let command = Leftovers.cleaning(file.path.directory)
      return error.adding(
        "; what was begun stays, since its journal may come back: '\(command)' removes it"
      )
    }
    for signpost in signposts { signpost.remove() }
    return error
  }

  private func removeUseless() {
    outputs.keep(false)
    outputs.discard()
    removeRest()
  }
}

extension CleaveError {
  /// The error of a run that another one goes on with, and what to do first.
  fileprivate func keeping(_ journal: Journal) -> CleaveError {
    // With another option, what was typed would be something else: of two ways, the one that always works.
    if let path, kind == .cannotCreate, remedies == [.replacing] {
      let text = "exists; what is done is kept; once it is moved away, \(journal.remedy)"
      return CleaveError(kind, path, Sentence(text))
    }
    if isLasting || "\(self)".contains(journal.remedy) { return self }
    let isOfPlace = kind == .cannotCreate || kind == .inputOutput
    let condition = isOfPlace ? "once that is put right, " : ""
    return adding("; what is done is kept; \(condition)\(journal.remedy)")
  }
}
