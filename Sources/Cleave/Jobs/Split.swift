public import Posix

/// Cuts a file, or standard input, to parts, and writes manifests of them.
///
/// No part has its name before all of them are complete, checked and on the device.
public struct Split: Work {
  /// What is cut; `-` is standard input.
  public let file: FilePath
  public let cuts: CutList
  /// What the parts are called: the file's name with numbers from 001 behind it, or for a zip those of a split one, where
  /// nothing else is asked for.
  public var naming: PartNaming {
    get {
      named ?? (options.isZip ? PartNaming(splitZip: file, nil) : PartNaming(file, isTyped: false))
    }
    set { named = newValue }
  }
  private var named: PartNaming?
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
  ///   - naming: nil for the usual; see ``naming``.
  ///   - options: how parts are made, and what is written beside them.
  public init(
    _ file: FilePath,
    _ cuts: CutList,
    naming: PartNaming? = nil,
    _ options: Options = Options()
  ) {
    (self.file, self.cuts, self.options, named) = (file, cuts, options, naming)
  }

  package var prefix: FilePath { naming.prefix }
  public var work: WorkOptions {
    get { options.work }
    set { options.work = newValue }
  }

  /// Whether it may wait for who writes to a pipe, or reads from one.
  var waitsForOthers: Bool { file == "-" || options.filter != nil }

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
    guard file != "-" || named != nil else {
      throw CleaveError(.contradiction, "standard input has no name that parts could get")
    }
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

  /// Whether objects that are there and right are left as they are.
  var goesOnInStore: Bool { prefix.isObject && work.isResumable }

  /// What may be replaced: also what an earlier run of the same job has made.
  var replaceable: OutputOptions {
    var output = work.output
    if goesOnInStore || isShared && isLeftBehindList { output.replacesExisting = true }
    return output
  }

  /// Whether there are a list and receipts of shares, of which ``SplitShare`` finds out whether they belong together.
  private var isLeftBehindList: Bool {
    listThere != nil && (try? ShareReceipt.all(beside: prefix))?.isEmpty == false
  }

  /// The first list of those to be made that is there.
  var listThere: FilePath? { manifests.lazy.map(\.path).first(where: Journal.isThere) }

  /// What filters make is theirs: no name is looked at.
  private func prepare(_ filter: Filter) throws(CleaveError) -> Prepared {
    guard filter.jobs > 0 else {
      throw CleaveError(.contradiction, "the number of filters must be more than 0")
    }
    guard !work.isStaged, !options.isZip, !options.makesJoiners, options.block == nil,
      options.sums == nil, options.digests.isEmpty, work.sharing != .always,
      work.askedEngine == nil,
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

  func tooFewNames(for count: Int) -> CleaveError {
    CleaveError(.contradiction, prefix, "there are not enough suffixes for \(count) parts")
  }

  /// Standard input, where it is cut to so many parts and its size has to be known.
  private func standardInput() throws(CleaveError) -> StandardInputFile? {
    guard file == "-" else { return nil }
    if let count = cuts.count, options.filter == nil {
      // Nobody shall wait for all of it, and then hear that the parts cannot be made.
      let names = naming.counting(count, isAsked: true)
      guard names.hasNames(for: count) else { throw tooFewNames(for: count) }
      let taken = try names.existing(count: count).taken
      try Journal.requireNonePublished(taken)
      try refuseTaken(taken)
    }
    return try StandardInputFile.read(work.cancellation)
  }

  /// - Parameter input: where the file is standard input.
  private func prepareFile(
    _ found: Resumption?,
    _ input: StandardInputFile?
  ) throws(CleaveError) -> Prepared {
    if found == nil, input == nil { try Consumption.refuseRest(file) }
    if found == nil, work.consumes,
      let other = Journal.consuming(beside: file, isSeries: false, in: nil),
      other.journal.sources.contains(where: { $0.name == file.lastComponent })
    {
      throw other.refusal(of: file)
    }
    let known = found?.plan.sources.first ?? input?.source
    let source = if let known { known } else { try examine() }
    if found == nil, work.consumes {
      try Journal.requireFree([source], besides: Journal.path(beside: prefix), in: nil)
    }
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
    let source: SourceFile
    do throws(CleaveError) {
      source = try SourceFile(examining: file)
    } catch {
      let first = naming.name(0)
      let isSplit = error.system?.errno == .notFound && !FileStatus.isAbsent(first)
      let told = isSplit ? error.adding("; \(first) is there: \(.verifying(first))") : error
      throw told.hinting(at: file)
    }
    try Journal.requireNoneFreed([source], in: nil)
    return source
  }

  /// Cuts a zip to the parts of a split zip.
  private func prepareZip(_ found: Resumption?) throws(CleaveError) -> Prepared {
    guard case .every(let size) = cuts, ZipCut.sizes.contains(size), file != "-" else {
      throw CleaveError(
        .contradiction,
        "\(Setting.zip) needs \(Setting.size) with one size from 64K to 4GiB-1"
      )
    }
    guard !naming.isSuffixed else {
      throw CleaveError(.contradiction, "\(Setting.zip) needs names of a split zip")
    }
    let source = try found == nil ? examine() : SourceFile(examining: file)
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
    let part = sidecars.first { naming.index(of: $0) ?? .max < Self.mostLikely }
    if let part { throw OutputCheck.writtenTwice(part) }
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

  package var kinds: Checksum.Kinds {
    let isWanted =
      !manifests.isEmpty || options.sums != nil || !options.digests.isEmpty
      || options.makesJoiners
    return work.verification == .none && !isWanted ? [] : [.crc32, .adler32]
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
