import Cleave
import CommandLineKit
import Posix

/// One merge, its operands understood.
struct Merge {
  let session: Session
  let selection: Selection
  let output: FilePath
  /// Whether the bytes are all that is asked for, and nothing is told of them.
  var isSilent = false
  var settings: Settings { session.settings }

  func run() throws(Failure) -> ExitCode {
    try checkDigests()
    let stream = try job { () throws(CleaveError) in try openStream() }
    if let files = selection.files {
      let plan = try plan(files)
      let engine = try engine(for: plan, isStream: stream != nil)
      if settings.isDryRun { return try describe(plan, engine) }
      if settings.isStaged { return try run(plan, resuming: nil) }
      if stream == nil {
        try job { () throws(CleaveError) in
          try session.lookForLeftovers(of: [output], output, in: selection.listing)
        }
      }
      return try run(plan, engine, stream)
    }
    guard settings.range == nil else { throw usage("--range needs files, not standard input") }
    guard settings.engine.name?.takesStreams ?? true else {
      throw usage("only the serial engine reads standard input")
    }
    try session.refuseSharing("standard input")
    if settings.isDryRun { return try describe(nil, .serial) }
    return try runStream(stream)
  }

  /// What is to be written: all, or the range that was asked for.
  private func plan(_ files: SourceFiles) throws(Failure) -> TransferPlan {
    try job { () throws(CleaveError) in
      let plan = try TransferPlan.merge(
        selection,
        files,
        into: output,
        keepsMarker: settings.keepsMarker,
        kinds: kinds
      )
      guard let asked = settings.range else { return plan }
      guard let range = asked.resolved(in: plan.totalBytes) else {
        let text = "has \(plan.totalBytes) bytes, none of which --range asks for"
        throw CleaveError(.missingInput, selection.defaultOutput ?? "the whole", text)
      }
      return plan.cut(to: range)
    }
  }

  private func openStream() throws(CleaveError) -> StreamOutput? {
    settings.isDryRun ? nil : try session.stream(output)
  }

  private func engine(for plan: TransferPlan, isStream: Bool) throws(Failure) -> EngineName {
    let isStream = isStream || output == "-"
    if isStream {
      guard settings.engine.name?.takesStreams ?? true else {
        throw usage("only the serial engine writes to a stream")
      }
      try session.refuseSharing("a stream")
    }
    return session.engine(for: plan, isStream: isStream, kinds: kinds)
  }

  var kinds: Checksum.Kinds {
    // Nothing is said of a range's bytes.
    if settings.range != nil { return [] }
    var kinds: Checksum.Kinds = settings.sums.contains(.adler32) ? [.crc32, .adler32] : []
    if !settings.sums.isEmpty || !digestRequest.isEmpty { kinds.insert(.crc32) }
    if settings.verify == .none { return kinds }
    if let manifest = selection.manifest {
      return kinds.union(manifest.kinds(of: selection.base))
    }
    // A list of the parts that go also tells what they have made.
    if settings.consumes { return [.crc32, .adler32] }
    return isSilent ? kinds : kinds.union(.crc32)
  }

  // MARK: Running

  private func run(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ stream: StreamOutput?
  ) throws(Failure) -> ExitCode {
    let proving = proving
    // What went into a stream cannot be read again.
    if stream != nil { proving?.begin(selection) }
    var job = makeJob(plan, engine, proving)
    job.stream = stream
    return try carryOut(job, proving.map { .running($0) })
  }

  private func makeJob(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ proving: ProofRun?
  ) -> Job {
    var job = Job(plan, engine: engine)
    job.options = session.jobOptions(kinds)
    job.digesting = DigestRun.Task(digestRequest, parts: .sources)
    job.proving = proving
    return job
  }

  /// The same in stages, from the beginning or where an earlier run was interrupted.
  func run(_ plan: TransferPlan, resuming found: Resumption?) throws(Failure) -> ExitCode {
    if found != nil { try checkDigests() }
    let engine = try engine(for: plan, isStream: false)
    if settings.isDryRun { return try describe(plan, engine, found) }
    // What is to be given up is proved before; what a run before has begun, when it is complete.
    let isFreeing = settings.consumes && found == nil
    let known = try CleaveCLI.job { () throws(CleaveError) in
      isFreeing ? try proveBeforeFreeing() : nil
    }
    let proving = isFreeing ? nil : proving
    if let found { session.tellResumption(found, of: output) }
    if settings.consumes { session.tellConsumption(plan, .parts) }
    var job = makeJob(plan, engine, proving)
    job.checkpoint = try CleaveCLI.job { () throws(CleaveError) in try checkpoint(found) }
    return try carryOut(job, proving.map { .running($0) } ?? known.map { .known($0) })
  }

  private func checkpoint(_ found: Resumption?) throws(CleaveError) -> Checkpoint {
    var checkpoint = try session.checkpoint(of: .merge, making: output, found)
    checkpoint.consumption = settings.consumes ? .parts : nil
    checkpoint.content = selection.recorded
    checkpoint.base = selection.base?.lastComponent
    if settings.verify != .none, settings.manifest == .automatic {
      checkpoint.manifest = selection.manifest?.path.lastComponent
    }
    return checkpoint
  }

  private func runStream(_ stream: StreamOutput?) throws(Failure) -> ExitCode {
    var job = Job()
    job.options = session.jobOptions(kinds)
    job.digesting = DigestRun.Task(digestRequest, parts: .sources)
    job.stream = stream
    return try carryOut(job, nil, .joining(selection.sources, into: output))
  }

  private func carryOut(
    _ job: Job,
    _ proof: Proof?,
    _ feed: Feed? = nil
  ) throws(Failure) -> ExitCode {
    try CleaveCLI.job { () throws(CleaveError) in
      try tell(job.run(feed, judgedBy: MergeJudge(merge: self, proof: proof)))
      return .success
    }
  }

  // MARK: Telling

  func tell(_ outcome: Outcome) throws(CleaveError) {
    let (report, verdict) = (outcome.report, outcome.verdict)
    let (parts, whole, digests) = (report.sources, report.whole, report.digests)
    session.noteRun(report)
    if isSilent { return }
    let isSummed = kinds.contains(.crc32)
    if settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "merge",
          engine: report.engine.rawValue,
          bytes: whole.count,
          parts: parts.indices.map {
            JSONReport.File(selection.names[$0], parts[$0], kinds, digests.part($0))
          },
          output: JSONReport.File(output, bytes: whole.count),
          manifest: selection.manifest.map { JSONReport.Name($0.path) },
          verified: verdict.isVerified,
          proof: JSONReport.Proof.all(verdict),
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: kinds.contains(.adler32) ? whole.adler32Text : nil,
          digests: JSONReport.digests(digests.whole),
          kind: selection.kind.rawValue,
          entries: selection.entries,
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    var line =
      "\(shownOutput): \(ByteSize.described(whole.count)) from \(selection.described(parts.count))"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    try session.console.report("\(line), \(verdict)")
    try session.tellSums(shownOutput, whole, digests.whole)
  }

  private var shownOutput: String { output == "-" ? "standard output" : "\(output)" }

  private func describe(
    _ plan: TransferPlan?,
    _ engine: EngineName,
    _ found: Resumption? = nil
  ) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      let isStream =
        if output == "-" { true } else {
          try OutputCheck.isStream(output, settings.outputOptions)
        }
      var report: PlanReport
      if let plan {
        report = PlanReport("merge", merging: plan, engine)
        let manner = settings.consumes ? Consumption.Manner.parts : nil
        if !isStream {
          try session.complete(&report, plan, engine, making: output, consuming: manner, found)
        }
      } else {
        report = PlanReport("merge", merging: selection.sources.map(\.reported), engine)
        if !isStream { try OutputCheck.check(output, settings.outputOptions, inputs: []) }
      }
      report.output = JSONReport.File(output, bytes: plan?.totalBytes)
      report.manifest = selection.manifest.map { JSONReport.Name($0.path) }
      (report.kind, report.entries) = (selection.kind.rawValue, selection.entries)
      let size = plan.map { ByteSize.described($0.totalBytes) } ?? "unknown size"
      let manifest = selection.manifest.map { ", to be compared with \($0.name)" } ?? ""
      try session.show(
        report,
        "\(shownOutput): \(size) from \(selection.described(report.parts.count)), "
          + "by the \(engine.rawValue) engine\(manifest)"
      )
    }
    return .success
  }
}

extension Selection.Source {
  fileprivate var reported: JSONReport.File {
    if case .file(let file) = self {
      JSONReport.File(file.path, bytes: file.status.size)
    } else {
      JSONReport.File("-")
    }
  }
}

extension Selection {
  /// What the parts were recognized as, with their number.
  func described(_ count: Int) -> String {
    let parts = count == 1 ? "1 part" : "\(count) parts"
    guard kind.isZip, let entries else { return parts }
    let what = kind == .zipPieces ? "zip" : kind.rawValue
    return "\(parts) of a \(what) with \(entries) \(entries == 1 ? "entry" : "entries")"
  }
}

/// What a merge is to make.
struct MergeJudge: Judge {
  let merge: Merge
  let proof: Merge.Proof?

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    let verdict = try merge.judge(report, proof)
    let isListed = merge.settings.consumes && !verdict.isVerified
    return Judgement(verdict, isListed ? try merge.listOfFreed(report.sources, report.whole) : [])
  }

  func judge(part: Int, _ checksum: Checksum) throws(CleaveError) {
    try merge.approve(part: part, checksum)
  }
}
