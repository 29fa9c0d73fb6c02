import Cleave
import CommandLineKit
import Posix

/// `cleave repair`: a zip that was made by concatenating the parts of a split zip.
enum RepairCommand {
  static let command = Command<Settings>(
    "repair",
    summary: "Put a zip right that was made by concatenating a split one.",
    usage: ["cleave repair [OPTION]... FILE"],
    options: [
      OptionRows.output(
        "Write to FILE; without it, to NAME.repaired.zip beside FILE."
      ),
      OptionRows.force, OptionRows.dryRun(short: "n"), OptionRows.noSync, OptionRows.dropCache,
      OptionRows.clone,
      OptionRows.keepMarker, OptionRows.verify,
    ] + OptionRows.engine + [OptionRows.progress] + OptionRows.general,
    details: """
      What 'cat a.z01 a.z02 a.zip' makes is no zip: its offsets count from the start of each part. \
      Where the parts began is found out from the entries, and the offsets are written anew; the \
      parts are not needed. FILE itself stays as it is.
      """,
    examples: [.init("cleave repair joined.zip", "Make joined.repaired.zip.")]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    let settings = session.settings
    guard let file = operands.first else { throw usage("a file to repair is missing") }
    guard operands.count == 1 else { throw usage("one file is repaired at a time") }
    guard file != "-", settings.output != "-" else {
      throw usage("repair needs files, not streams")
    }
    let output = settings.output ?? SplitZipSeries.repaired(file)
    let kinds: Checksum.Kinds = settings.verify == .none ? [] : [.crc32]
    let proves = ![.none, .stream].contains(settings.verify)
    return try CleaveCLI.job { () throws(CleaveError) in
      let parts = try ZipParts([SourceFile(examining: file)])
      let repair = try ZipRepair(parts)
      let join = try ZipJoin(
        repair.archive,
        from: parts.sources,
        into: output,
        keepsMarker: settings.keepsMarker,
        repairs: repair.repairs,
        kinds: []
      )
      var job = Job(
        join.plan,
        engine: session.engine(for: join.plan, kinds: kinds)
      )
      let text =
        "a split zip of \(repair.disks) parts with \(repair.archive.summary.entries) entries"
      if settings.isDryRun {
        var report = PlanReport("repair", merging: join.plan, job.engine)
        try session.complete(&report, join.plan, job.engine, making: output)
        report.kind = Selection.Kind.concatenatedZip.rawValue
        report.entries = repair.archive.summary.entries
        let size = ByteSize.described(join.plan.totalBytes)
        let engine = job.engine.rawValue
        let headline = "\(output): \(size) from \(file), \(text), by the \(engine) engine"
        try session.show(report, headline)
        return .success
      }
      job.options = session.jobOptions(kinds)
      job.proving = proves ? ProofRun(named: [output], job.options) : nil
      let start = settings.verify == .none ? Verdict.waived : Verdict()
      let outcome = try job.run(judgedBy: RightContent(proving: job.proving, verdict: start))
      try tell(session, file, output, outcome, text)
      return .success
    }
  }

  private static func tell(
    _ session: Session,
    _ file: FilePath,
    _ output: FilePath,
    _ outcome: Outcome,
    _ text: String
  ) throws(CleaveError) {
    let (report, verdict) = (outcome.report, outcome.verdict)
    session.noteRun(report)
    let isSummed = session.settings.verify != .none
    if session.settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "repair",
          engine: report.engine.rawValue,
          bytes: report.bytes,
          parts: [JSONReport.File(file)],
          output: JSONReport.File(output, bytes: report.bytes),
          verified: verdict.isVerified,
          proof: JSONReport.Proof.all(verdict),
          crc32: isSummed ? report.whole.crc32Text : nil,
          kind: Selection.Kind.concatenatedZip.rawValue,
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    var line = "\(output): \(ByteSize.described(report.bytes)) from \(file), \(text)"
    if isSummed { line += ", CRC-32 \(report.whole.crc32Text)" }
    try session.console.report("\(line), \(verdict)")
  }
}

extension SplitZipSeries {
  /// The name for what is made of a file that was put together wrongly.
  fileprivate static func repaired(_ file: FilePath) -> FilePath {
    SplitZipSeries(naming: file, like: file, ".repaired").lastName
  }
}

/// What is made is right by what it holds.
private struct RightContent: Judge {
  let proving: ProofRun?
  var verdict: Verdict

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    var verdict = verdict
    verdict.add(try proving?.finish(report.temporaries))
    try verdict.requireRight()
    return Judgement(verdict)
  }
}
