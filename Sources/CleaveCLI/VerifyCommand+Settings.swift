import Cleave
import CommandLineKit

extension VerifyCommand {
  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var request = Selection.Request()
    var isQuick = false
    var listsBad = false
    var endsNamesWithNull = false
    var isDryRun = false
    var share: ShareSettings?

    var report: ReportSettings {
      var report = ReportSettings()
      (report.listsBad, report.endsNamesWithNull) = (listsBad, endsNamesWithNull)
      return report
    }
  }
}

extension VerifyCommand.Settings {
  static var lists: [OptionList<Self>] {
    [
      .of(
        \.request,
        [
          .manifest(
            "Check the operands against FILE, not against the manifest beside them; none compares with no "
              + "manifest, but with what is in the files."
          )
        ]
      ),
      .own([
        .flag(
          "quick",
          group: "Checking",
          help: "Do not read the data of a zip's entries: look at the structure alone.",
          sets: \.isQuick
        ),
        .flag(
          "list-bad",
          group: "Checking",
          help:
            "Write nothing to standard output but the names of the files to fetch again: those that "
            + "are missing, differ from their manifest, contradict themselves or cannot be read, one "
            + "on each line, as messages show them: a new line in a name is \\n. Of parts, those that "
            + "the content names; where it knows only that all together are wrong, as of gzip, none.",
          sets: \.listsBad
        ),
        .flag(
          "null",
          short: "0",
          group: "Checking",
          help:
            "With --list-bad, write names as they are, byte by byte, each with a NUL behind it, for "
            + "'xargs -0'.",
          sets: \.endsNamesWithNull
        ), .dryRun(short: "n", sets: \.isDryRun),
        ShareSettings.option(
          "read the files that a manifest lists, each some of them; what they make together is then not compared",
          group: "Checking",
          \.share
        ),
      ]),
      .of(\.general, [.progress]),
      .of(\.request, Option.names),
      .of(\.general, Option.all),
    ]
  }

  static var conflicts: [Conflict<Self>] {
    let listBad = Conflict<Self>.Use("--list-bad", \.listsBad)
    return [
      .excludes(listBad, [.init("--json", \.general.writesJSON)], "its object has the same list"),
      .excludes(listBad, [.init("--dry-run", \.isDryRun)], "the files have to be read"),
      .excludes(
        .init("--share") { $0.share != nil },
        [.init("--dry-run", \.isDryRun)],
        "all files are looked at before they are divided"
      ),
      .needs(.init("--null", \.endsNamesWithNull), listBad, "it says how names end there"),
    ]
  }
}
