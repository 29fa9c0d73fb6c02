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
    guard settings.engine == .auto || settings.engine == .serial else {
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
      guard settings.engine == .auto || settings.engine == .serial else {
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
    var job = transferJob(plan, engine, proving)
    job.stream = stream
    return try carryOut(plan, engine, proving.map { .running($0) }) { approve throws(CleaveError) in
      try job.run(approve: approve)
    }
  }

  private func transferJob(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ proving: ProofRun?
  ) -> TransferJob {
    var job = TransferJob(plan, engine: engine)
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
    var staged = StagedJob(transferJob(plan, engine, proving), .merge)
    staged.consumption = settings.consumes ? .parts : nil
    staged.checkpoint = settings.checkpoint
    staged.content = selection.recorded
    (staged.arguments, staged.directory) = (session.arguments, ProcessState.workingDirectory)
    staged.base = selection.base?.lastComponent
    if settings.verify != .none, settings.manifest == .automatic {
      staged.manifest = selection.manifest?.path.lastComponent
    }
    staged.present = found?.present
    staged.approvePart = { source, sum throws(CleaveError) in
      try approve(part: source, sum)
    }
    if let found { session.tellResumption(found, of: output) }
    if staged.consumption != nil { session.tellConsumption(plan, .parts) }
    let journal = try CleaveCLI.job { () throws(CleaveError) in
      try Resumption.journal(of: output, found)
    }
    let proof = proving.map { Proof.running($0) } ?? known.map { .known($0) }
    let code = try carryOut(plan, engine, proof) { approve throws(CleaveError) in
      try staged.run(with: journal, approve: approve)
    }
    journal.remove()
    return code
  }

  private func carryOut(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ proof: Proof?,
    _ body: ((TransferReport) throws(CleaveError) -> [TransferJob.NewFile]) throws(CleaveError) ->
      TransferReport
  ) throws(Failure) -> ExitCode {
    var verdict = Verdict()
    let report = try CleaveCLI.job { () throws(CleaveError) in
      try body { report throws(CleaveError) in
        let parts = plan.sourceChecksums(report)
        verdict = try judge(parts, report.whole, report.digests, proof, report.temporaries)
        return settings.consumes && !verdict.isVerified
          ? try listOfFreed(parts, report.whole) : []
      }
    }
    session.noteRun(engine: engine, bytes: report.bytes, shared: report.sharedBytes)
    try CleaveCLI.job { () throws(CleaveError) in
      let parts = plan.sourceChecksums(report)
      try tell(engine, parts, report.whole, report.digests, verdict)
    }
    return .success
  }

  private func runStream(_ stream: StreamOutput?) throws(Failure) -> ExitCode {
    var job = StreamJob()
    job.options = session.jobOptions(kinds)
    job.digests = digestRequest
    return try CleaveCLI.job { () throws(CleaveError) in
      var verdict = Verdict()
      let report = try job.merge(selection.sources, into: output, stream: stream) {
        report throws(CleaveError) in
        verdict = try judge(report.sources, report.whole, report.digests)
        return []
      }
      session.noteRun(engine: .serial, bytes: report.whole.count)
      try tell(.serial, report.sources, report.whole, report.digests, verdict)
      return .success
    }
  }

  // MARK: Telling

  func tell(
    _ engine: EngineName,
    _ parts: [Checksum],
    _ whole: Checksum,
    _ digests: Digests,
    _ verdict: Verdict
  ) throws(CleaveError) {
    if isSilent { return }
    let isSummed = kinds.contains(.crc32)
    if settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "merge",
          engine: engine.rawValue,
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

extension StreamJob.Source {
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
