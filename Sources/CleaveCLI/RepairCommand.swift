import Cleave
import CommandLineKit
import Posix

/// `cleave repair`: a zip that was made by concatenating the parts of a split zip.
enum RepairCommand {
  static let command = Command<Settings>(
    "repair",
    summary: "Put a zip right that was made by concatenating a split one.",
    usage: ["cleave repair [OPTION]... FILE"],
    operands: .files,
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
      if settings.isDryRun {
        try session.reporter.tell(prepared, prepared.forecast())
      } else {
        try session.reporter.tell(prepared, prepared.run())
      }
      return .success
    }
  }
}
