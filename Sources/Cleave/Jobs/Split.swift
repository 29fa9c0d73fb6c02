public import Posix

/// Cuts a file, or standard input, to parts, and writes manifests of them.
///
/// No part has its name before all of them are complete, checked and on the device.
public struct Split: Work {
  /// What is cut; `-` is standard input.
  public let file: FilePath
  public let cuts: CutList
  public var naming: PartNaming
  public var options: Options
  /// Whether parts may be there that other runs have made; see ``SplitShare``.
  var isShared = false

  /// How parts are made, and what is written beside them.
  public struct Options: Sendable {
    public var work = WorkOptions()
    /// Whether the file is a zip, and the parts are those of a split zip.
    public var isZip = false
    /// One beside the parts, with ``sums`` and ``digests``; none; or one file in the form that its name says.
    public var manifest = ManifestChoice.automatic
    /// Sums that are asked for beside those that manifests have; nil for none.
    public var sums: Checksum.Kinds?
    /// A manifest is written for each.
    public var digests: [Checksum.Digest.Kind] = []
    /// Bytes of each block of which the manifest gets the CRC-32; nil for none.
    public var block: Int64?
    /// The byte that a record ends with, where records are cut: a line feed ends a line.
    public var separator = UInt8(ascii: "\n")
    /// Whether no parts are made that would be empty, but for the only one.
    public var omitsEmptyParts = false
    /// How many records at the start all parts begin with; for cuts by records.
    public var header: Int64 = 0
    /// What each part is fed to, in place of a file; there is no manifest then.
    public var filter: Filter?
    /// Whether scripts are written that join the parts.
    public var makesJoiners = false

    public init() {}
  }

  /// A command that makes something of a part: a file, or anything else.
  public struct Filter: Hashable, Sendable {
    /// For the user's shell; `$FILE` is the part's name.
    public var command: FilePath
    /// How many of them may be there at a time, at least 1. Of a file, so many are fed side by side.
    public var jobs: Int

    public init(_ command: FilePath, jobs: Int = 1) { (self.command, self.jobs) = (command, jobs) }
  }

  /// What a split is to do, all that can be known of it before.
  package struct Prepared: Sendable {
    /// With the names' final width.
    package var split: Split
    /// Nil where a stream is cut.
    package var plan: TransferPlan?
    package var engine: EngineName
    /// What an interrupted run has left to go on with.
    package var resumption: Resumption?
    /// The checksum of what is cut.
    package var whole: @Sendable (JobReport) -> Checksum = { $0.whole }
    /// What standard input was copied to, where its size has to be known.
    var input: StandardInputFile?
    /// The file whose records are dealt out; nil for standard input, and where none are.
    package var dealt: SourceFile?
    /// What a filter is fed again in front of each part of a file but the first.
    var header: [UInt8] = []
  }

  /// - Parameters:
  ///   - file: what is cut; `-` is standard input.
  ///   - cuts: the sizes of the parts.
  ///   - naming: nil for the file's name with numbers from 001 behind it.
  ///   - options: how parts are made, and what is written beside them.
  public init(
    _ file: FilePath,
    _ cuts: CutList,
    naming: PartNaming? = nil,
    _ options: Options = Options()
  ) {
    (self.file, self.cuts, self.options) = (file, cuts, options)
    self.naming = naming ?? PartNaming(file, isTyped: false)
  }

  package var prefix: FilePath { naming.prefix }
  public var work: WorkOptions {
    get { options.work }
    set { options.work = newValue }
  }

  // MARK: Before

  /// Makes all parts, or none.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError``.
  public func run() throws(CleaveError) -> Outcome { try prepare().run() }

  /// Looks at everything that can be looked at before a byte is written.
  package func prepare() throws(CleaveError) -> Prepared {
    try checkOptions()
    if let filter = options.filter { return try prepare(filter) }
    try checkManifests()
    if let dealing { return try prepare(dealing) }
    if file == "-", !cuts.isCount { return try prepareStream() }
    let found =
      try work.isStaged && !prefix.isObject
      ? Resumption(of: .split, making: prefix, from: [file], consuming: work.consumes) : nil
    var prepared =
      if options.isZip { try prepareZip(found) } else {
        try prepareFile(found, standardInput())
      }
    if prefix.isObject { return prepared }
    let plan = prepared.plan ?? TransferPlan()
    prepared.engine = try work.engine(for: plan, kinds: kinds)
    prepared.resumption = found
    return prepared
  }

  /// - Throws: where what is asked for contradicts itself.
  private func checkOptions() throws(CleaveError) {
    try work.requireSound()
    try work.requireSafeConsuming()
    if prefix.isRemote { try checkObjects() }
    guard cuts.isSound else {
      throw CleaveError(.contradiction, Sentence(CutError.notPositive.explanation))
    }
    try checkHeader()
    try checkDealing()
    if let block = options.block, block <= 0 {
      throw CleaveError(.contradiction, "the size of blocks must be more than 0")
    }
    if file == "-" {
      try work.requireUnstaged("streams")
      try work.requireNoTimes("standard input")
    }
    try work.requireLocal([file])
    if cuts.isOfRecords, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) frees the file from its end, and records are counted from its start"
      )
    }
    if work.output.keepsTimes, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) changes the file, what is left of which becomes the first part, so that "
          + "\(Setting.times) has nothing to give it"
      )
    }
    if options.isZip, work.consumes {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) cuts bytes; \(Setting.zip) makes new headers"
      )
    }
    if options.block != nil {
      guard options.manifest != .none else {
        throw CleaveError(.contradiction, "\(Setting.blocks) needs a manifest")
      }
      guard !options.isZip else {
        throw CleaveError(
          .contradiction,
          "\(Setting.blocks) is for parts that are cut anywhere, not for \(Setting.zip)"
        )
      }
    }
    if options.isZip, options.makesJoiners {
      throw CleaveError(
        .contradiction,
        "\(Setting.joiners) is for parts that make the file by being put together; a split zip's do not"
      )
    }
    guard options.isZip || work.verification != .entries else {
      throw CleaveError(.contradiction, "\(Setting.entries) needs \(Setting.zip)")
    }
  }

  /// - Throws: where the parts are to be objects of a store, and something is asked for that only files have.
  private func checkObjects() throws(CleaveError) {
    try OutputCheck.requireWritable(prefix)
    try work.requireObjects()
    guard options.filter == nil else {
      throw CleaveError(.contradiction, "\(Setting.filter) is for names of this machine")
    }
    guard work.verification != .entries else {
      throw CleaveError(.contradiction, "\(Setting.entries) is for files of this machine")
    }
    guard file != "-" || options.block == nil else {
      throw CleaveError(.contradiction, "\(Setting.blocks) needs a file, not standard input")
    }
    for path in sidecars { try OutputCheck.requireObject(path) }
  }

  /// Whether objects that are there and right are left as they are.
  var goesOnInStore: Bool { prefix.isObject && work.isResumable }

  /// What may be replaced: also what an earlier run of the same job has made.
  var replaceable: OutputOptions {
    var output = work.output
    if goesOnInStore { output.replacesExisting = true }
    return output
  }

  /// What filters make is theirs: no name is looked at.
  private func prepare(_ filter: Filter) throws(CleaveError) -> Prepared {
    guard filter.jobs > 0 else {
      throw CleaveError(.contradiction, "the number of filters must be more than 0")
    }
    guard !work.isStaged, !options.isZip, !options.makesJoiners, options.block == nil,
      options.sums == nil, options.digests.isEmpty, work.sharing != .always, work.engine == nil,
      work.verification != .readback, work.verification != .entries, !work.output.keepsTimes
    else { throw Self.filterRefusal }
    if case .file = options.manifest { throw Self.filterRefusal }
    var split = self
    split.options.manifest = .none
    if file == "-", !cuts.isCount { return Prepared(split: split, engine: .serial) }
    let input = try standardInput()
    let source = if let input { input.source } else { try examine() }
    let (sizes, header) = try sizes(of: source)
    split.naming = naming.counting(sizes.count, isAsked: cuts.isCount)
    guard split.naming.hasNames(for: sizes.count) else { throw tooFewNames(for: sizes.count) }
    let parts = sizes.enumerated().map { number, size in
      DestinationFile(path: split.naming.name(number), size: size)
    }
    do {
      let plan = try TransferPlan.split(source, into: parts, header: Int64(header.count))
      return Prepared(
        split: split,
        plan: plan,
        engine: .serial,
        input: input,
        header: header
      )
    } catch {
      throw CleaveError(.badData, file, "cannot be split so: \(error)")
    }
  }

  private static let filterRefusal = CleaveError(
    .contradiction,
    "\(Setting.filter) makes no files of which cleave knows: there is nothing to check, to go on with or "
      + "to join"
  )

  private func tooFewNames(for count: Int) -> CleaveError {
    CleaveError(.contradiction, prefix, "there are not enough suffixes for \(count) parts")
  }

  /// Standard input, where it is cut to so many parts and its size has to be known.
  private func standardInput() throws(CleaveError) -> StandardInputFile? {
    guard file == "-" else { return nil }
    if let count = cuts.count, options.filter == nil {
      // Nobody shall wait for all of it, and then hear that the parts cannot be made.
      let names = naming.counting(count, isAsked: true)
      guard names.hasNames(for: count) else { throw tooFewNames(for: count) }
      try refuseTaken(names.existing(count: count).taken)
    }
    return try StandardInputFile.read(work.cancellation)
  }

  /// - Parameter input: where the file is standard input.
  private func prepareFile(
    _ found: Resumption?,
    _ input: StandardInputFile?
  ) throws(CleaveError) -> Prepared {
    if found == nil, input == nil { try Consumption.refuseRest(file) }
    if found == nil, work.consumes, let other = Journal.consuming(beside: file, in: nil),
      other.journal.sources.contains(where: { $0.name == file.lastComponent })
    {
      throw other.refusal(of: file)
    }
    let known = found?.plan.sources.first ?? input?.source
    let source = if let known { known } else { try examine() }
    if known == nil { try Journal.requireNoneFreed([source], in: nil) }
    let (sizes, header) = try sizes(of: source)
    var split = self
    split.naming = naming.counting(sizes.count, isAsked: cuts.isCount)
    let parts = sizes.enumerated().map { number, size in
      DestinationFile(path: split.naming.name(number), size: size)
    }
    try split.checkNames(count: parts.count, blocks: blockCount(parts), found)
    do {
      let plan = try TransferPlan.split(
        source,
        into: parts,
        block: options.block,
        header: Int64(header.count)
      )
      return Prepared(split: split, plan: plan, engine: .serial, input: input)
    } catch {
      throw CleaveError(.badData, file, "cannot be split so: \(error)")
    }
  }

  /// The file to be read, which an interrupted run may have consumed.
  func examine() throws(CleaveError) -> SourceFile {
    do throws(CleaveError) {
      return try SourceFile(examining: file)
    } catch {
      throw error.hinting(at: file)
    }
  }

  /// Cuts a zip to the parts of a split zip.
  private func prepareZip(_ found: Resumption?) throws(CleaveError) -> Prepared {
    guard case .every(let size) = cuts, ZipCut.sizes.contains(size), file != "-" else {
      throw CleaveError(
        .contradiction,
        "\(Setting.zip) needs \(Setting.size) with one size from 64K to 4GiB-1"
      )
    }
    let source = try SourceFile(examining: file)
    let cut = try ZipCut(source, size: size, kinds: kinds)
    var split = self
    split.naming = naming.counting(cut.parts.count, isAsked: false)
    try split.checkNames(count: cut.parts.count, found)
    let plan = try cut.plan(source, name: split.naming.name)
    return Prepared(split: split, plan: plan, engine: .serial) { cut.sourceChecksum($0) }
  }

  private func prepareStream() throws(CleaveError) -> Prepared {
    if !prefix.isObject { try work.requireStreaming(.streamInput, "standard input") }
    try checkNames(count: 0)
    try OutputCheck.requireDistinct(sidecars)
    if let part = sidecars.first(where: naming.names) { throw OutputCheck.writtenTwice(part) }
    return Prepared(split: self, engine: .serial)
  }

  /// The blocks of all parts.
  private func blockCount(_ parts: [DestinationFile]) throws(CleaveError) -> Int64 {
    guard let size = options.block else { return 0 }
    // No more than the bytes of one file.
    let count = parts.reduce(Int64(0)) { $0 + BlockSums.count($1.size, size) }
    guard count <= BlockSums.most else {
      throw CleaveError(
        .contradiction,
        "that would make \(count) blocks; \(BlockSums.most) are the most"
      )
    }
    return count
  }

  // MARK: Names

  package var kinds: Checksum.Kinds {
    let isWanted =
      !manifests.isEmpty || options.sums != nil || !options.digests.isEmpty
      || options.makesJoiners
    return work.verification == .none && !isWanted ? [] : [.crc32, .adler32]
  }

  func checkNames(
    count: Int,
    blocks: Int64 = 0,
    _ found: Resumption? = nil
  ) throws(CleaveError) {
    guard naming.hasNames(for: count) else { throw tooFewNames(for: count) }
    let first = naming.name(0).lastComponent
    if naming.isSuffixed, NamePattern.isBeside(first) || first.ends(in: Consumption.restSuffix) {
      throw CleaveError(
        .contradiction,
        naming.name(0),
        "is a name that manifests, downloads and what is left of sources have, and would not be taken for a part"
      )
    }
    let list = Manifest.path(beside: prefix)
    guard naming.reading(count: count, beside: [list]) == .found else {
      throw CleaveError(
        .contradiction,
        naming.name(0),
        "would not be taken for a part of this file again: end the PREFIX in a dot, a dash or an underscore, take "
          + "at least two letters, count hexadecimal numbers from 0, and use no names of other formats, such as "
          + "NAME.z01 or NAME.rar"
      )
    }
    try checkNames(count: count, unless: list)
    try checkLeading()
    // Then some of them may be those of this very job.
    if found?.isPublishing == true { return }
    let existing = try naming.existing(count: count)
    // Standard input may need any number, so any part is in the way.
    let taken = count == 0 ? existing.stale.first : existing.taken.first
    if !isShared { try refuseTaken(taken.map { [$0] } ?? [], count > 0 ? existing.stale : []) }
    if count > 0 { try refuseStale(existing) }
    try checkJoiners()
    try checkManifests(count: count, blocks: blocks)
  }

  /// - Parameter list: the manifest with which any names are found.
  /// - Throws: where parts would be taken for others with the manifests that there will be, or are not found with
  ///   one that does not list them.
  private func checkNames(count: Int, unless list: FilePath) throws(CleaveError) {
    let lists = manifests.map(\.path).filter { way(from: $0) == "." }
    if lists.contains(list) { return }
    let text: String
    switch naming.reading(count: count, beside: lists) {
    case .mistaken where count != 1: text = "would be taken for a part of another file"
    case .unknown where manifests.contains { $0.form == .crc }:
      text = "would not be taken for a part"
    case .found, .unknown, .mistaken: return
    }
    throw CleaveError(
      .contradiction,
      naming.name(0),
      "\(text) where no manifest such as \(list.lastComponent) is beside it: write one of that name, or choose another "
        + "PREFIX or ending"
    )
  }

  /// - Throws: where Total Commander's, which lists no parts, leads to none by its name or that in it.
  private func checkLeading() throws(CleaveError) {
    for manifest in manifests where manifest.form == .crc && plainName != prefix.lastComponent {
      if Manifest.isName(manifest.path, beside: prefix) { continue }
      throw CleaveError(
        .contradiction,
        "\(manifest.path) would lead to no parts, since its form lists none: name it "
          + "\(prefix.lastComponent.adding(".crc")), or take another form"
      )
    }
  }

  /// - Parameter stale: what must go even where parts are replaced.
  private func refuseTaken(
    _ paths: [FilePath],
    _ stale: [FilePath] = []
  ) throws(CleaveError) {
    guard let taken = paths.first, !replaceable.replacesExisting else { return }
    var text: Sentence = "exists; \(.replacing) replaces it"
    if let first = stale.first {
      let others = stale.count > 1 ? " and \(stale.count - 1) more" : ""
      text +=
        ", but \(first.lastComponent)\(others) would be taken for parts of the new series, and must go first; or "
        + "choose another PREFIX"
    }
    throw CleaveError(.cannotCreate, taken, text)
  }

  /// A part that an earlier, longer split left would be taken for one of the new ones.
  fileprivate func refuseStale(_ existing: PartSeries.Existing) throws(CleaveError) {
    guard let stale = existing.stale.first else { return }
    let others = existing.stale.count > 1 ? ", like \(existing.stale.count - 1) more," : ""
    throw CleaveError(
      .cannotCreate,
      stale,
      "would be taken for a part of the new series\(others) and must go first; or choose another PREFIX"
    )
  }

  /// The sums of the blocks of each part; empty where none are wanted.
  fileprivate func blocks(of plan: TransferPlan, _ report: JobReport) -> [BlockSums?] {
    options.block.map { plan.blockSums(report, size: $0) } ?? []
  }

  /// Where it was asked for, tests the zip that the parts make before they get their names.
  fileprivate func proveEntries(
    _ plan: TransferPlan,
    _ report: JobReport
  ) throws(CleaveError) -> Verdict {
    var verdict = Verdict()
    guard work.verification == .entries else { return verdict }
    let names = plan.destinations.map(\.path)
    let run = ProofRun(
      named: PathList(names),
      work.jobOptions(kinds),
      isSplitZip: names.count > 1
    )
    verdict.add(try run.finish(Array(report.temporaries.prefix(names.count))))
    try verdict.requireRight()
    for gap in verdict.gaps { work.tell(.warning("\(prefix): \(gap)")) }
    return verdict
  }
}

extension Split.Prepared {
  /// Makes what was prepared.
  package func run() throws(CleaveError) -> Outcome {
    // The copy of standard input goes with it.
    defer { withExtendedLifetime(input) {} }
    if let filter = split.options.filter {
      return Outcome(report: try FilterRun(split, filter).run(plan, header), verdict: Verdict())
    }
    let outcome = try makeFiles()
    // None has its name for good before all have theirs.
    for (number, sum) in outcome.report.destinations.enumerated() {
      split.work.tell(.finishedPart(split.naming.name(number), sum, split.kinds))
    }
    return outcome
  }

  private func makeFiles() throws(CleaveError) -> Outcome {
    let (work, options) = (split.work, split.work.jobOptions(split.kinds))
    guard var plan else {
      if split.prefix.isObject { return try StreamedUpload(split).run() }
      var job = Job()
      job.options = options
      job.digesting = DigestRun.Task(split.digestRequest, parts: .destinations)
      if let dealing = split.dealing {
        job.sidecars = split.sidecars
        let names = (0..<dealing.parts).map(split.naming.name)
        try work.lookForLeftovers(of: names, split.prefix)
      }
      return try job.run(split.feed(dealing: dealt), judgedBy: SplitJudge(split: split))
    }
    let judge = SplitJudge(split: split, plan: plan, whole: whole)
    var checkpoint: Checkpoint?
    if work.isStaged, !split.prefix.isObject {
      let header = plan.header
      if let resumption { plan = try resumption.continuing(plan, split.prefix, work) }
      plan.header = header
      if work.consumes { work.tellConsumption(plan, .tail) }
      checkpoint = try work.checkpoint(of: .split, making: split.prefix, resumption)
      checkpoint?.consumption = work.consumes ? .tail : nil
    } else if !split.prefix.isObject {
      try work.lookForLeftovers(
        of: plan.destinations.map(\.path),
        split.prefix,
        from: plan.sources
      )
    }
    var job = Job(plan, engine: engine)
    job.options = options
    job.digesting = DigestRun.Task(
      split.digestRequest,
      parts: .destinations,
      sourceChecksum: whole
    )
    job.sidecars = split.sidecars
    job.checkpoint = checkpoint
    job.goesOnInStore = split.goesOnInStore
    return try job.run(judgedBy: judge)
  }
}

extension Resumption {
  /// The plan to go on with.
  ///
  /// - Parameter plan: what the same command would begin.
  /// - Throws: where that makes other parts.
  fileprivate func continuing(
    _ plan: TransferPlan,
    _ output: FilePath,
    _ work: WorkOptions
  ) throws(CleaveError) -> TransferPlan {
    guard self.plan.destinations == plan.destinations else {
      throw file.refusal("was begun by a run that makes other parts")
    }
    guard self.plan.extents.map(\.length) == plan.extents.map(\.length) else {
      throw file.refusal("was begun by a run with another \(Setting.blocks)")
    }
    work.tell(.resuming(output, done: done, total: self.plan.totalBytes))
    return self.plan
  }
}

extension Split {
  /// What is written beside the parts.
  var sidecars: [FilePath] {
    manifests.map(\.path) + joiners.map { $0.path(beside: prefix) }
  }

  /// Where a stream is cut.
  var streamCuts: Feed.Cuts {
    if let rule = cuts.rule(for: 0) {
      return .records(CutStream(rule, separator: options.separator, repeating: options.header))
    }
    return .sizes(streamSize)
  }

  /// The size of a part of a stream by its number from 0; the rest has no end.
  private func streamSize(_ number: Int) -> Int64? {
    switch cuts {
    case .every(let size): return size
    case .list(let sizes, let rest):
      if number < sizes.count { return sizes[number] }
      return rest && number == sizes.count ? .max : nil
    case .count, .records, .recordBytes, .recordChunks, .dealt: return nil
    }
  }
}

/// What a split is to make: parts that no manifest beside them contradicts, and manifests of them.
struct SplitJudge: Judge {
  let split: Split
  /// Nil where the parts are those of a stream.
  var plan: TransferPlan?
  var whole: @Sendable (JobReport) -> Checksum = { $0.whole }

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    let (sums, whole) = (report.destinations, whole(report))
    if plan == nil { try split.refuseStale(split.naming.existing(count: sums.count)) }
    try split.refuseManifests(ofOther: whole)
    let verdict = try plan.map { plan throws(CleaveError) in try split.proveEntries(plan, report) }
    let blocks = plan.map { split.blocks(of: $0, report) } ?? report.blocks
    return Judgement(
      verdict ?? Verdict(),
      split.files(sums, whole, header: report.header.count, report.digests, blocks)
        + split.scripts(sums, whole, report.digests)
    )
  }
}
