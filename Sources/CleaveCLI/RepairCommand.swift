import Cleave
import CommandLineKit
import Posix

/// `cleave repair`: a zip that was made by concatenating the parts of a split zip.
enum RepairCommand: ProgramCommand {
  static let command = Command<Settings>(
    "repair",
    summary: "Put a zip right that was made by concatenating a split one.",
    usage: ["cleave repair [OPTION]... FILE"],
    operands: .files,
    options: Settings.lists.flatMap(\.options),
    details: """
      What 'cat a.z01 a.z02 a.zip' makes is no zip: its offsets count from the start of each part. \
      Where the parts began is found out from the entries, and the offsets are written anew; the \
      parts are not needed. FILE itself stays as it is.
      """,
    examples: [.init("cleave repair joined.zip", "Make joined.repaired.zip.")]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var output = OutputSettings()
    var moving = MovingSettings()
    var keepsMarker = false
    var verify = VerifyMode.auto

    var writesData: Bool { output.path == "-" }
    var engineInside: EngineOption? { moving.engine }

    var report: ReportSettings {
      var report = ReportSettings()
      report.moving = moving
      return report
    }

    mutating func validate() throws(UsageError) {
      output.takeStandardOutput()
      try moving.validate()
      try requireApart()
    }

    static var lists: [OptionList<Self>] {
      [
        .of(
          \.output,
          [
            .file("Write to FILE; without it, to NAME.repaired.zip beside FILE."), .force,
            .dryRun(short: "n", sets: \.isDryRun), .noSync, .dropCache, .clone,
          ]
        ),
        .own([
          .keepMarker(sets: \.keepsMarker),
          .verify(
            "What to prove before the output gets its name: the CRC-32 of each entry (auto, the default, and "
              + "entries), also by what the device gives back (readback), or nothing (stream, none).",
            sets: \.verify
          ),
        ]),
        .of(\.moving, Option.all),
        .of(\.general, [.progress] + Option.all),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    guard let file = operands.first else { throw usage("a file to repair is missing") }
    guard operands.count == 1 else { throw usage("one file is repaired at a time") }
    guard file != "-", !settings.writesData else { throw usage("repair needs files, not streams") }
    let work = session.work(settings.output, moving: settings.moving, verify: settings.verify)
    var repair = Repair(file, into: settings.output.path, work)
    repair.keepsMarker = settings.keepsMarker
    return try job { () throws(CleaveError) in
      let prepared = try repair.prepare()
      if settings.output.isDryRun {
        try session.reporter.tell(prepared, prepared.forecast())
      } else {
        try session.reporter.tell(prepared, prepared.run())
      }
      return .success
    }
  }
}
