import Cleave
import CommandLineKit
import Posix

/// `cleave clean`: what killed runs have left.
enum CleanCommand: ProgramCommand {
  static let command = Command<Settings>(
    "clean",
    summary: "Remove what runs that were killed have left behind.",
    usage: ["cleave clean [OPTION]... [DIRECTORY | FILE]..."],
    operands: .directories,
    options: Settings.lists.flatMap(\.options),
    details: """
      Looks for .NAME.cleave-tmp-…, .NAME.cleave-journal and their like in each DIRECTORY, or \
      where it is run; a FILE that is one of them stands for all that its run has left, and no other's. Those of runs that are still at work stay. So do those of a run with --consume that had begun to \
      free its parts: they may hold the only copy, and are listed with the command line that finishes \
      the job. Those whose sources are not all there stay, too, and what says that parts which are there are not all \
      of one set.

      In a store, s3://BUCKET/DIRECTORY has objects that were begun and are not complete. Whether somebody is at work \
      on them nobody can tell, so that only --force gives them up.
      """,
    examples: [.init("cleave clean -n /backup", "Show what would be removed.")]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var isForced = false
    var isDryRun = false

    var engineInside: EngineOption? { nil }

    var report: ReportSettings {
      var report = ReportSettings()
      report.isDryRun = isDryRun
      return report
    }

    static var lists: [OptionList<Self>] {
      [
        .own([
          .flag(
            "force",
            short: "f",
            group: "Output",
            help:
              "Remove also what may hold the only copy of data. With FILE, only what that run left.",
            sets: \.isForced
          ), .dryRun(short: "n", sets: \.isDryRun),
        ]),
        .of(\.general, Option.all),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var cleaning = Cleaning(session, settings)
      for directory in operands.isEmpty ? ["."] : operands { try cleaning.look(at: directory) }
      try session.reporter.tell(cleaning)
      return cleaning.code
    }
  }
}
