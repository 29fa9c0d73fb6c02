public import Posix

/// How a merge, a split or a repair is carried out, and what is told of its events.
public struct WorkOptions: Sendable {
  /// Nil for the one that suits the plan; see ``EngineChoice``.
  public var engine: EngineName?
  /// One of the caller's own, in place of these.
  public var customEngine: (any Engine)?
  public var settings = EngineSettings()
  public var sharing = SharingPolicy.auto
  public var output = OutputOptions()
  public var verification = VerifyMode.auto
  /// Whether a run that is interrupted leaves what is done, and a journal, for the next one to go on from.
  public var isResumable = false
  /// Whether sources are freed as soon as their bytes are in an output and on the device. They are gone
  /// then. Implies ``isResumable``.
  public var consumes = false
  /// Bytes after which the journal knows more.
  public var checkpoint = Rounds.usualSize
  /// Whether a doubt that would be told stops the work; see ``Doubt/Severity``.
  public var isStrict = false
  public var cancellation = Cancellation()
  /// How far it is. In tasks, each run counts from the start.
  public var progress = WorkProgress()
  /// Is told of what happens, on the thread that works.
  public var tell: @Sendable (WorkEvent) -> Void = { _ in }
  /// What was typed to begin the work, which the journal keeps for the run that goes on with it.
  package var arguments: [FilePath] = []

  public init() {}

  /// Whether the work is carried out in rounds, with a journal.
  package var isStaged: Bool { isResumable || consumes }
}

/// How much is proved before an output gets its name.
public enum VerifyMode: String, CaseIterable, Hashable, Sendable {
  /// The strongest proof at hand: a manifest, or what the content says of itself.
  case auto
  /// Sizes only.
  case none
  /// A manifest, by checksums of what passes by; the content is not looked at.
  case stream
  /// The same as auto, and what the device gives back.
  case readback
  /// A manifest, and every entry of the zip that was made.
  case entries

  /// Whether what files hold may refuse them.
  var looksInside: Bool { self != .none && self != .stream }
}

/// What is told of work while it goes on.
public enum WorkEvent: Hashable, Sendable {
  /// The engine that was chosen, and why.
  case engine(EngineChoice)
  /// What the files say against their being merged.
  case doubt(Doubt)
  /// What the user should know, and that stops nothing.
  case warning(Sentence)
  /// What is unusual and does no harm.
  case remark(Sentence)
  /// Parts are removed on the way; bytes more that are needed at most.
  case consumingParts(space: Int64)
  /// What is split is removed on the way; bytes more that are needed at most.
  case consumingSource(space: Int64)
  /// An interrupted job is gone on with; bytes that are there, and all.
  case resuming(FilePath, done: Int64, total: Int64)
  /// Why a part is waited for.
  case waiting(CleaveError)
  /// A part of a split is finished, for good: it has its name, or its filter has ended well. With the sums that
  /// were computed of it, or of what the filter was fed.
  case finishedPart(FilePath, Checksum, Checksum.Kinds)
  /// Bytes that are written, and of all, where that is known; in tasks alone, ten times a second.
  case progress(bytes: Int64, total: Int64?)
  /// The last one, in tasks alone.
  case finished(Outcome)
}

// MARK: - For all kinds of work

extension WorkOptions {
  /// The engine that is asked for.
  var askedEngine: (any Engine)? { customEngine ?? engine?.engine }

  func jobOptions(_ kinds: Checksum.Kinds) -> JobOptions {
    var options = JobOptions()
    (options.settings, options.kinds, options.sharing) = (settings, kinds, sharing)
    (options.output, options.customEngine) = (output, customEngine)
    if verification == .readback { options.output.readsBack = true }
    (options.cancellation, options.progress) = (cancellation, progress)
    return options
  }

  /// - Throws: where numbers are none that could be meant, or the engine cannot do what is asked for.
  func requireSound() throws(CleaveError) {
    try settings.requireSound()
    if checkpoint <= 0 {
      throw CleaveError(.contradiction, "the bytes between checkpoints must be more than 0")
    }
    if sharing == .always { try askedEngine?.require(.sharedBlocks) }
  }

  /// - Throws: where what makes consuming safe is not asked for.
  /// - Parameter goesOn: what is kept of a part that is not what it should be may be taken as it is.
  package func requireSafeConsuming(goesOn: Bool = false) throws(CleaveError) {
    guard consumes else { return }
    if verification == .none, !goesOn {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) needs verification, not \(Setting.unverified)"
      )
    }
    if !output.synchronizes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) needs data to be on the device, not \(Setting.unflushed)"
      )
    }
  }

  /// - Throws: where what several runs do each a share of would not hold.
  func requireShareable(_ plan: TransferPlan) throws(CleaveError) {
    guard output.synchronizes else {
      throw CleaveError(
        .contradiction,
        "\(Setting.share) needs data to be on the device, not \(Setting.unflushed)"
      )
    }
    try plan.sources.requirePinned(for: .share)
  }

  /// The engine that was asked for, or the one that suits the plan.
  func engine(
    for plan: TransferPlan,
    isStream: Bool = false,
    kinds: Checksum.Kinds
  ) throws(CleaveError) -> EngineName {
    if isStream { try requireStreaming(.streamOutput, "a stream") }
    if let device = plan.sources.first(where: { $0.status.kind == .blockDevice }) {
      try requireUnstaged("\(device.path), which is a block device")
    }
    if plan.sources.paths.contains(where: \.isRemote) {
      let needed = isStream ? EngineCapabilities.streamInput : .remoteSources
      try askedEngine?.require(needed)
      if let file = plan.sources.first(where: { $0.path.isRemote && !$0.status.isPinned }) {
        let text: Sentence = "the server tells neither a strong ETag nor a date"
        tell(.warning("\(file.path): \(text), so that a change while it is read would not be seen"))
      }
      let choice = EngineChoice(
        isStream ? .serial : .direct,
        "it has several connections at a time"
      )
      if askedEngine == nil, !isStream { tell(.engine(choice)) }
      return engine ?? choice.name
    }
    if let engine { return engine }
    var workload = Workload(of: plan, isStream: isStream, kinds: kinds)
    if sharing == .never { workload.sharesBlocks = false }
    let choice = EngineChoice(workload)
    if customEngine == nil { tell(.engine(choice)) }
    return choice.name
  }

  /// - Throws: where files of another machine are to be freed.
  func requireLocal(_ sources: some Sequence<FilePath>) throws(CleaveError) {
    guard consumes, let address = sources.first(where: \.isRemote) else { return }
    throw CleaveError(
      .contradiction,
      address,
      "is another machine's; \(Setting.consuming) frees files of this one"
    )
  }

  /// - Throws: where what is made is of a store, and something is asked for that only files have.
  func requireObjects() throws(CleaveError) {
    let refused: [(Bool, Sentence)] = [
      (askedEngine != nil, "an engine"), (sharing == .always, "\(Setting.sharing)"),
      (output.keepsTimes, "\(Setting.times)"), (consumes, "\(Setting.consuming)"),
    ]
    guard let what = refused.first(where: \.0)?.1 else { return }
    throw .onlyFiles(what)
  }

  /// - Parameters:
  ///   - needed: what the engine has to be able to do.
  ///   - stream: what has no blocks.
  func requireStreaming(_ needed: EngineCapabilities, _ stream: String) throws(CleaveError) {
    try askedEngine?.require(needed)
    if sharing == .always { throw .withoutBlocks(stream) }
  }

  /// - Parameter source: what it is that is not a file.
  /// - Throws: where the job is to be gone on with, which needs files that can be told from others.
  func requireUnstaged(_ source: String) throws(CleaveError) {
    guard isStaged else { return }
    throw CleaveError(
      .contradiction,
      "\(Setting.resuming) and \(Setting.consuming) need files, not \(source)"
    )
  }

  /// - Parameter stream: what has no time when it was last changed.
  func requireNoTimes(_ stream: String) throws(CleaveError) {
    guard output.keepsTimes else { return }
    throw CleaveError(.contradiction, "\(Setting.times) needs files, not \(stream)")
  }

  /// How a job that makes `output` can be gone on with.
  func checkpoint(
    of command: Journal.Command,
    making output: FilePath,
    _ found: Resumption?
  ) throws(CleaveError) -> Checkpoint {
    let file = found?.file
    let journal =
      if let file { file } else { try JournalFile(opening: Journal.path(beside: output)) }
    var made = Checkpoint(journal, command)
    (made.size, made.present) = (checkpoint, found?.present)
    (made.arguments, made.directory) = (arguments, ProcessState.workingDirectory)
    made.didTakeOver = { [tell] done, total in tell(.resuming(output, done: done, total: total)) }
    return made
  }

  /// Looks for what other runs for the same files have, or have left, and tells of it.
  ///
  /// - Throws: `.cannotCreate` where one is at work, or has the bytes that a source has holes for.
  /// - Parameters:
  ///   - sources: what the files are to be made of.
  ///   - listing: the names of some directory, which may be the output's.
  package func lookForLeftovers(
    of finals: [FilePath],
    _ output: FilePath,
    from sources: SourceFiles = SourceFiles(),
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) {
    // What was selected long ago may not know of what runs now.
    let known = listing?.ifOf(output.directory)?.ifCurrent
    // A directory that cannot be listed has nothing to be told of.
    let journal = Journal.path(beside: output)
    guard let found = try? Leftovers(of: finals, journal: journal, in: known) else { return }
    for group in found.groups {
      if group.freesSources, !group.isInUse { try requireNoneFreed(sources, by: group) }
      if let doubt = group.doubt {
        tell(.warning("\(doubt); it may belong to a run that is making \(output)"))
        continue
      }
      if group.isInUse {
        if self.output.replacesExisting { continue }
        throw CleaveError(.cannotCreate, output, "another run is making it")
      }
      let files = group.paths.count == 1 ? "\(group.paths[0])" : "\(group.paths[0]) and others"
      let isUseful = group.hasProgress || group.isOnlyCopy
      let remedy =
        isUseful ? group.remedy : "'\(Leftovers.cleaning(output.directory))' removes it"
      tell(.warning("\(files): left by a run that did not end; \(remedy)"))
    }
  }

  /// - Throws: where a source has holes beside what a run that freed its sources has left: what was there may be
  ///   nowhere else.
  private func requireNoneFreed(
    _ sources: SourceFiles,
    by group: Leftovers.Group
  ) throws(CleaveError) {
    guard let left = group.temporaries.first?.path,
      let source = sources.first(where: SourceReclaim.hasHoles)
    else { return }
    let remedy =
      group.journal == nil || group.doubt != nil
      ? Leftovers.remedyOfOrphans(left) : group.remedy
    let text: Sentence = "has holes, and \(left) may have what was there; \(remedy)"
    throw CleaveError(.cannotCreate, source.path, text)
  }

  /// Says that sources are going away, and what that saves.
  package func tellConsumption(_ plan: TransferPlan, _ manner: SourceReclaim) {
    let space = manner.space(for: plan, checkpoint)
    tell(manner == .parts ? .consumingParts(space: space) : .consumingSource(space: space))
  }

  /// Tells why the parts may not be complete, or not be what they seem.
  ///
  /// - Throws: where it is strict, the first reason why they may not be complete.
  package func tellDoubts(
    of selection: Selection,
    isFreeing: Bool = false
  ) throws(CleaveError) {
    for doubt in selection.evidence.doubts {
      // What could have been compared with would tell of a bad part too late.
      if isFreeing, !isStrict, doubt.code == .silentManifest, selection.manifest == nil {
        throw doubt.refusingToFree
      }
      tell(.doubt(doubt))
      switch doubt.code.severity {
      case .refused: throw doubt.error
      case .warned, .told: if isStrict { throw doubt.error }
      case .noted: break
      }
    }
  }

  /// Warns of what a proof by content could not test.
  func tellUntested(_ content: ProofResult, of name: FilePath) {
    content.untestedTexts(of: name).forEach { tell(.warning(Sentence($0))) }
  }
}

extension Doubt {
  /// The error about what is not compared with parts that would be freed.
  var refusingToFree: CleaveError {
    if code == .foreignSums { return error }
    return error.adding("; \(.withoutManifest) frees the parts all the same")
  }
}

extension ProofResult {
  private static let mostUntested = 3

  /// What could not be tested, in a few lines.
  package func untestedTexts(of name: FilePath) -> [String] {
    let first = untested.first.prefix(Self.mostUntested)
    let more = untested.count - Int64(first.count)
    return first.map { finding in
      let end = finding.lastPath.flatMap { $0 == finding.path ? nil : " to \($0.lastComponent)" }
      return "\(finding.path)\(end ?? ""): \(finding.text): not compared"
    }
      + (more > 0 ? ["\(name): and \(more) more: not compared"] : [])
  }
}

extension CleaveError {
  /// What is asked for is not for objects of a store.
  static func onlyFiles(_ what: Sentence) -> CleaveError {
    CleaveError(.contradiction, "\(what) is for files; what is made is an object of a store")
  }
}
