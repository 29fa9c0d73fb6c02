import Cleave
import CommandLineKit
import Posix

/// One split, its operands understood.
struct Split {
  let session: Session
  let naming: PartNaming
  let cuts: CutList
  var prefix: FilePath { naming.prefix }
  var settings: Settings { session.settings }

  // MARK: Files

  func run(_ file: FilePath) throws(Failure) -> ExitCode {
    try checkManifests()
    let found = try resumption(of: file)
    if found == nil {
      try CleaveCLI.job { () throws(CleaveError) in try Consumption.refuseRest(file) }
    }
    let source = try CleaveCLI.job { () throws(CleaveError) in
      if let found, let source = found.plan.sources.first { return source }
      return try session.examine(file)
    }
    let sizes = try sizes(of: source)
    let split = Split(session: session, naming: naming.counting(sizes.count), cuts: cuts)
    return try split.run(source, into: sizes, named: file, found)
  }

  private func run(
    _ source: SourceFile,
    into sizes: [Int64],
    named file: FilePath,
    _ found: Resumption?
  ) throws(Failure) -> ExitCode {
    let parts = sizes.enumerated().map { number, size in
      DestinationFile(path: naming.name(number), size: size)
    }
    let blocks = try blockCount(parts)
    try CleaveCLI.job { () throws(CleaveError) in
      try checkNames(count: parts.count, blocks: blocks, found)
    }
    let plan: TransferPlan
    do {
      plan = try TransferPlan.split(source, into: parts, block: settings.block)
    } catch {
      throw .job(CleaveError(.badData, file, "cannot be split so: \(error)"))
    }
    return try run(plan, named: file, found) { $0.whole }
  }

  /// What an interrupted run of the same command has left.
  private func resumption(of file: FilePath) throws(Failure) -> Resumption? {
    guard settings.isStaged else { return nil }
    return try CleaveCLI.job { () throws(CleaveError) in
      try Resumption(of: .split, making: prefix, from: [file], settings)
    }
  }

  /// Cuts a zip to the parts of a split zip.
  func run(zip file: FilePath, _ size: Int64) throws(Failure) -> ExitCode {
    try checkManifests()
    let found = try resumption(of: file)
    let (cut, plan, split) = try CleaveCLI.job { () throws(CleaveError) in
      let source = try SourceFile(examining: file)
      let cut = try ZipCut(source, size: size, kinds: kinds)
      let split = Split(session: session, naming: naming.counting(cut.parts.count), cuts: cuts)
      try split.checkNames(count: cut.parts.count, found)
      return (cut, try cut.plan(source, name: split.naming.name), split)
    }
    return try split.run(plan, named: file, found) { cut.sourceChecksum($0) }
  }

  private func sizes(of source: SourceFile) throws(Failure) -> [Int64] {
    do throws(CutError) {
      return try cuts.sizes(of: source.status.size)
    } catch {
      throw usage(error.explanation)
    }
  }

  /// The blocks of all parts.
  private func blockCount(_ parts: [DestinationFile]) throws(Failure) -> Int64 {
    guard let size = settings.block else { return 0 }
    // No more than the bytes of one file.
    let count = parts.reduce(Int64(0)) { $0 + BlockSums.count($1.size, size) }
    guard count <= BlockSums.most else {
      throw usage("that would make \(count) blocks; \(BlockSums.most) are the most")
    }
    return count
  }

  private func run(
    _ plan: TransferPlan,
    named file: FilePath,
    _ found: Resumption?,
    whole: @escaping @Sendable (JobReport) -> Checksum
  ) throws(Failure) -> ExitCode {
    let engine = session.engine(for: plan, kinds: kinds)
    if settings.isDryRun { return try describe(plan, engine, file, found) }
    var job = Job(plan, engine: engine)
    job.options = session.jobOptions(kinds)
    job.digesting = DigestRun.Task(digestRequest, parts: .destinations, sourceChecksum: whole)
    job.sidecars = manifests.map(\.path) + joiners.map { $0.path(beside: prefix) }
    return try CleaveCLI.job { () throws(CleaveError) in
      if settings.isStaged {
        try stage(&job, found)
      } else {
        try session.lookForLeftovers(of: plan.destinations.map(\.path), prefix)
      }
      let judge = SplitJudge(split: self, file: file, plan: plan, whole: whole)
      let report = try job.run(judgedBy: judge).report
      try tell(report, plan.sources[0].path, whole(report))
      return .success
    }
  }

  /// Where it was asked for, tests the zip that the parts make before they get their names.
  fileprivate func proveEntries(
    _ plan: TransferPlan,
    _ report: JobReport
  ) throws(CleaveError) -> Verdict {
    var verdict = Verdict()
    guard settings.verify == .entries else { return verdict }
    let names = plan.destinations.map(\.path)
    let run = ProofRun(
      named: PathList(names),
      session.jobOptions(kinds),
      isSplitZip: names.count > 1
    )
    verdict.add(try run.finish(Array(report.temporaries.prefix(names.count))))
    try verdict.requireRight()
    for gap in verdict.gaps { session.console.warn("\(prefix): \(gap)") }
    return verdict
  }

  /// The same in stages, from the beginning or where an earlier run was interrupted.
  private func stage(_ job: inout Job, _ found: Resumption?) throws(CleaveError) {
    if let found {
      guard found.plan.destinations == job.plan.destinations else {
        throw found.file.refusal("was begun by a run that makes other parts")
      }
      guard found.plan.extents.map(\.length) == job.plan.extents.map(\.length) else {
        throw found.file.refusal("was begun by a run with another --block")
      }
      session.tellResumption(found, of: prefix)
    }
    if settings.consumes { session.tellConsumption(job.plan, .tail) }
    job.checkpoint = try session.checkpoint(of: .split, making: prefix, found)
    job.checkpoint?.consumption = settings.consumes ? .tail : nil
    if let found { job.plan = found.plan }
  }

  // MARK: Standard input

  func runStream() throws(Failure) -> ExitCode {
    try checkManifests()
    guard settings.engine.name?.takesStreams ?? true else {
      throw usage("only the serial engine reads standard input")
    }
    try session.refuseSharing("standard input")
    if case .count = cuts { throw usage("-n needs a file: standard input has no known length") }
    guard !settings.isDryRun else {
      throw usage("--dry-run needs a file: standard input has no known length")
    }
    var job = Job()
    job.options = session.jobOptions(kinds)
    job.digesting = DigestRun.Task(digestRequest, parts: .destinations)
    return try CleaveCLI.job { () throws(CleaveError) in
      try session.requireStandardInput()
      try checkNames(count: 0)
      let report = try job.run(
        .cutting(size: streamSize, name: naming.name, block: settings.block),
        judgedBy: SplitJudge(split: self, file: prefix)
      ).report
      try tell(report, "-", report.whole)
      return .success
    }
  }

  /// The size of a part by its number from 0; the rest has no end.
  private func streamSize(_ number: Int) -> Int64? {
    switch cuts {
    case .every(let size): return size
    case .list(let sizes, let rest):
      if number < sizes.count { return sizes[number] }
      return rest && number == sizes.count ? .max : nil
    case .count: return nil
    }
  }

  // MARK: Names

  var kinds: Checksum.Kinds {
    let isWanted = !manifests.isEmpty || !settings.sums.isEmpty || settings.makesJoiners
    return settings.verify == .none && !isWanted ? [] : [.crc32, .adler32]
  }

  private func checkNames(
    count: Int,
    blocks: Int64 = 0,
    _ found: Resumption? = nil
  ) throws(CleaveError) {
    // Then some of them may be those of this very job.
    if found?.isPublishing == true { return }
    let existing = try naming.existing(count: count)
    // Standard input may need any number, so any part is in the way.
    let taken = count == 0 ? existing.stale.first : existing.taken.first
    if let taken, !settings.isForced {
      throw CleaveError(.cannotCreate, taken, "exists; --force replaces it")
    }
    if count > 0 { try refuseStale(existing) }
    try checkJoiners()
    try checkManifests(count: count, blocks: blocks)
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
    settings.block.map { plan.blockSums(report, size: $0) } ?? []
  }

  // MARK: Telling

  private func tell(
    _ report: JobReport,
    _ file: FilePath,
    _ whole: Checksum
  ) throws(CleaveError) {
    session.noteRun(report)
    let (sums, digests) = (report.destinations, report.digests)
    let isSummed = !kinds.isEmpty
    if settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "split",
          engine: report.engine.rawValue,
          bytes: whole.count,
          parts: sums.enumerated().map { number, sum in
            JSONReport.File(naming.name(number), sum, kinds, digests.part(number))
          },
          manifest: manifestNames.first,
          manifests: manifestNames,
          joiners: joinerNames,
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: isSummed ? whole.adler32Text : nil,
          digests: JSONReport.digests(digests.whole),
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    let source = file == "-" ? "standard input" : "\(file)"
    let last = sums.count > 1 ? " to \(naming.name(sums.count - 1))" : ""
    var line = "\(source): \(ByteSize.described(whole.count)) in \(naming.name(0))\(last)"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    line += manifestText
    if let joiner = joiners.first { line += ", put together by \(joiner.path(beside: prefix))" }
    try session.console.report(line)
    try session.tellSums("\(file == "-" ? prefix : file)", whole, digests.whole)
  }

  private func describe(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ file: FilePath,
    _ found: Resumption?
  ) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var report = PlanReport("split", splitting: plan, engine)
      let manner = settings.consumes ? Consumption.Manner.tail : nil
      try session.complete(&report, plan, engine, making: prefix, consuming: manner, found)
      report.manifest = manifestNames.first
      report.manifests = manifestNames
      report.joiners = joinerNames
      let count = report.parts.count == 1 ? "1 part" : "\(report.parts.count) parts"
      try session.show(
        report,
        "\(file): \(ByteSize.described(plan.totalBytes)) in \(count), by the \(engine.rawValue) "
          + "engine\(manifestText)"
      )
    }
    return .success
  }
}

/// What a split is to make: parts that no manifest beside them contradicts, and manifests of them.
struct SplitJudge: Judge {
  let split: Split
  /// What the manifests call the whole.
  let file: FilePath
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
      split.files(sums, whole, report.digests, named: file, blocks)
        + split.scripts(sums, whole, report.digests)
    )
  }
}
