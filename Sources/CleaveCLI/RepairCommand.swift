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
    var repair = Repair(file, into: settings.output, session.work)
    repair.keepsMarker = settings.keepsMarker
    return try job { () throws(CleaveError) in
      let prepared = try repair.prepare()
      let text = "a split zip of \(prepared.disks) parts with \(prepared.entries) entries"
      if settings.isDryRun {
        try describe(session, repair, prepared, text)
      } else {
        try tell(session, file, repair.output, prepared.run(), text)
      }
      return .success
    }
  }

  private static func describe(
    _ session: Session,
    _ repair: Repair,
    _ prepared: Repair.Prepared,
    _ text: String
  ) throws(CleaveError) {
    let (plan, engine, output) = (prepared.plan, prepared.engine, repair.output)
    var report = PlanReport("repair", merging: plan, engine)
    try session.complete(&report, plan, engine, making: output)
    report.kind = Selection.Kind.concatenatedZip.rawValue
    report.entries = prepared.entries
    let size = ByteSize.described(plan.totalBytes)
    try session.show(
      report,
      "\(output): \(size) from \(repair.file), \(text), by the \(engine.rawValue) engine"
    )
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
          engine: report.engineName,
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
