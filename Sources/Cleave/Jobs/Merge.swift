public import Posix

/// Puts the parts of a selection together, and proves that the result is right.
///
/// What is made gets its name only when it is complete, checked and on the device. Of split zips, one zip
/// is made whose headers are right.
public struct Merge: Work {
  public let selection: Selection
  /// A file, FIFO or device; `-` is standard output.
  public let output: FilePath
  public var options: Options
  /// A stream that takes the place of the output.
  package var stream: StreamOutput?
  /// What an interrupted run has left to go on with.
  package var resumption: Resumption?
  /// Whether it is known that there is nothing to go on with.
  package var isNew = false
  /// Split's list of parts that are freed, with what others have of them that is compared before; nil where none has more.
  private(set) var united: Manifest?

  /// What is to be made, and what of it is to be known.
  public struct Options: Sendable {
    public var work = WorkOptions()
    /// Leaves the four bytes at the front of a split zip that mark it.
    public var keepsMarker = false
    /// Sums to compute in any case; nil for CRC-32 if anything is verified.
    public var sums: Checksum.Kinds?
    /// Digests of the whole.
    public var digests: Set<Checksum.Digest.Kind> = []
    /// What all parts begin with and the whole has once; nil for what the manifest tells.
    public var header: Header?
    /// The byte that records end with which were dealt out in turn among the parts, and are put together again;
    /// nil for what the manifest tells.
    public var dealtSeparator: UInt8?
    /// Of a whole of so many bytes, those that are wanted; nil where it has none of them.
    package var range: (@Sendable (Int64) -> Range<Int64>?)?

    public init() {}
  }

  public init(_ selection: Selection, into output: FilePath, _ options: Options = Options()) {
    var selection = selection
    selection.takeList(of: output)
    // Of bytes that are freed on the way, no digests can be computed.
    if options.work.consumes, let list = selection.manifest, list.isOwn {
      selection.manifest = list.alone
      united = list.digests(of: selection.base).isEmpty ? nil : list
    }
    (self.selection, self.output, self.options) = (selection, output, options)
  }

  /// What a merge is to do, all that can be known of it before.
  package struct Prepared {
    /// Nil where streams are joined, or records were dealt out.
    package var plan: TransferPlan?
    package var engine: EngineName
    package var isStream: Bool
  }

  public var work: WorkOptions {
    get { options.work }
    set { options.work = newValue }
  }

  /// Whether it may wait for who writes to a pipe, or reads from one.
  var waitsForOthers: Bool {
    selection.files == nil || stream != nil || output == "-"
      || (try? FileStatus.of(output)).map { $0.kind != .regular } == true
  }

  // MARK: Running

  /// Makes the output.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError``; the output is not there then, or as it was.
  public func run() throws(CleaveError) -> Outcome {
    if work.isStaged, resumption == nil, !isNew, !output.isObject {
      let names = Array(selection.names)
      let found = try Merge.interrupted(names, into: output, selection.request, options)
      if let found { return try found.run() }
    }
    let prepared = try prepare()
    var merge = self
    if prepared.isStream, stream == nil {
      merge.stream = try StreamOutput(to: output, work.cancellation)
    }
    return try merge.carryOut(prepared)
  }

  /// Looks at everything that can be looked at before a byte is written.
  package func prepare() throws(CleaveError) -> Prepared {
    try work.requireSound()
    if output.bytes.isEmpty { throw .emptyOutput }
    if let refusal = selection.refusal { throw refusal }
    if resumption == nil {
      try check()
      try work.requireSafeConsuming()
    } else {
      try Journal.requireNonePublished([output], besides: Journal.path(beside: output))
      if work.consumes, resumption?.journal.isProved == false { try refuseUncompared() }
    }
    if output.isRemote { try work.requireObjects() }
    try checkDigests()
    try checkHeader()
    let isStream = try isStream
    try checkDealing()
    guard let files = selection.files else {
      let stream = selection.sources.streamName
      guard options.range == nil else {
        throw CleaveError(.contradiction, "\(Setting.range) needs files, not \(stream)")
      }
      guard !hasHeader else {
        throw CleaveError(.contradiction, "\(Setting.header) needs files, not \(stream)")
      }
      guard dealtSeparator == nil else {
        throw CleaveError(.contradiction, "\(Setting.dealt) needs files, not \(stream)")
      }
      try work.requireNoTimes(stream)
      try work.requireStreaming(.streamInput, stream)
      try work.requireUnstaged(stream)
      // To open a pipe is to wait for its other end.
      try OutputCheck.requireOther(
        output,
        than: selection.sources.lazy.compactMap(\.named?.status.identity)
      )
      return Prepared(plan: nil, engine: .serial, isStream: isStream)
    }
    if dealtSeparator != nil { return try prepareGathering(files, isStream: isStream) }
    let plan = if let resumption { resumption.plan } else { try plan(files) }
    if output.isObject { return Prepared(plan: plan, engine: .direct, isStream: false) }
    if isStream, stream == nil, output != "-" {
      try OutputCheck.checkDevice(output, bytes: plan.totalBytes)
    }
    let engine = try work.engine(for: plan, isStream: isStream, kinds: kinds)
    return Prepared(plan: plan, engine: engine, isStream: isStream)
  }

  private var isStream: Bool {
    get throws(CleaveError) {
      if resumption != nil { return false }
      if stream == nil, output != "-" {
        guard try OutputCheck.isStream(output, work.output) else { return false }
      }
      try work.requireUnstaged("streams")
      try work.requireNoTimes("streams")
      return true
    }
  }

  /// What is to be written: all, or the range that was asked for.
  private func plan(_ files: SourceFiles) throws(CleaveError) -> TransferPlan {
    let plan = try TransferPlan.merge(
      selection,
      files,
      into: output,
      header: options.header,
      keepsMarker: options.keepsMarker,
      kinds: kinds
    )
    try checkRecords(files)
    guard let range = options.range else { return plan }
    guard let range = range(plan.totalBytes) else {
      let text: Sentence = "has \(plan.totalBytes) bytes, none of which \(Setting.range) asks for"
      throw CleaveError(.missingInput, selection.defaultOutput ?? "the whole", text)
    }
    return plan.cut(to: range)
  }

  package var kinds: Checksum.Kinds {
    // What a store copies, it tells one sum of.
    isWithinStore ? allKinds.intersection(.crc32) : allKinds
  }

  /// Whether a store has the parts and gets the output, so that what it makes of them never leaves it.
  var isWithinStore: Bool {
    guard output.isObject, let files = FileSystem.remote(for: output) else { return false }
    return selection.names.contains { files.areTogether($0, output) }
  }

  private var allKinds: Checksum.Kinds {
    // Nothing is said of a range's bytes.
    if options.range != nil { return [] }
    var kinds = options.sums ?? []
    if !digestRequest.isEmpty { kinds.insert(.crc32) }
    if work.verification == .none { return kinds }
    if let manifest = selection.manifest {
      return kinds.union(manifest.kinds(of: selection.base))
    }
    // A list of the parts that go also tells what they have made.
    if work.consumes { return [.crc32, .adler32] }
    return options.sums == nil ? [.crc32] : kinds
  }

  private func carryOut(_ prepared: Prepared) throws(CleaveError) -> Outcome {
    var job = prepared.plan.map { Job($0, engine: prepared.engine) } ?? Job()
    job.options = work.jobOptions(kinds)
    job.digesting = DigestRun.Task(digestRequest, parts: .sources)
    job.stream = stream
    guard let plan = prepared.plan else {
      if dealtSeparator != nil, stream == nil {
        try lookForLeftovers()
      }
      return try job.run(feed, judgedBy: MergeJudge(merge: self, proof: nil))
    }
    if output.isObject {
      (job.goesOnInStore, job.copiesInStore) = (work.isResumable, isWithinStore)
      if skipsDigests { job.digesting = nil }
      job.readsUnsummed = hasToCompare
      job.proving = proving
      return try job.run(
        judgedBy: MergeJudge(merge: self, proof: job.proving.map { .running($0) })
      )
    }
    if !work.isStaged, stream == nil {
      try lookForLeftovers()
    }
    // What is to be given up is proved before; what a run before has begun, when it is complete.
    let isFreeing = work.consumes && resumption == nil
    let known = isFreeing ? try proveBeforeFreeing() : nil
    // Lists that have come since, too, as long as all parts are there: one of which some was freed has another name.
    if !isFreeing, united != nil, !selection.names.contains(where: { FileStatus.isAbsent($0) }) {
      try compareDigests()
    }
    let proving = isFreeing ? nil : proving
    if work.isStaged {
      if work.consumes { work.tellConsumption(plan, .parts) }
      job.checkpoint = try checkpoint()
      var proved = Verdict()
      proved.add(known)
      job.checkpoint?.isProved = proved.isVerified
    }
    job.proving = proving
    let proof = proving.map { Proof.running($0) } ?? known.map { .known($0) }
    return try job.run(judgedBy: MergeJudge(merge: self, proof: proof))
  }

  private func lookForLeftovers() throws(CleaveError) {
    try work.lookForLeftovers(
      of: [output],
      output,
      from: selection.files ?? [],
      in: selection.listing
    )
  }

  private func checkpoint() throws(CleaveError) -> Checkpoint {
    var checkpoint = try work.checkpoint(of: .merge, making: output, resumption)
    checkpoint.consumption = work.consumes ? .parts : nil
    checkpoint.content = selection.recorded
    checkpoint.base = selection.base?.lastComponent
    checkpoint.asked = selection.request.asked
    let manifest = selection.manifest
    let isEndTold = manifest?.whole(of: selection.base)?.size != nil || manifest?.partCount != nil
    checkpoint.isOpen =
      !isEndTold && selection.request.manifest == .automatic
      && work.verification != .none && selection.stale.isEmpty
    if work.verification != .none {
      checkpoint.list = selection.request.manifest
      if checkpoint.list == .automatic { checkpoint.manifest = manifest?.path.lastComponent }
      if work.consumes { checkpoint.told = manifest?.crc32(ofSumsOf: selection.names) }
    }
    return checkpoint
  }
}

/// What a merge is to make.
struct MergeJudge: Judge {
  let merge: Merge
  let proof: Merge.Proof?

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    let verdict = try merge.judge(report, proof)
    let isListed = merge.work.consumes && !verdict.isVerified
    return Judgement(verdict, isListed ? try merge.listOfFreed(report.sources, report.whole) : [])
  }

  func judge(part: Int, _ checksum: Checksum) throws(CleaveError) {
    try merge.approve(part: part, checksum)
  }

  func knows(part: Int) -> Bool { merge.provesPart(part) }

  var wholeCRC32: UInt32? {
    guard merge.work.verification != .none, merge.options.range == nil, merge.makesWhole,
      !merge.selection.isPiece
    else { return nil }
    guard let manifest = merge.selection.manifest else { return nil }
    return manifest.whole(of: merge.selection.base)?.crc32 ?? merge.crc32OfParts(in: manifest)
  }
}
