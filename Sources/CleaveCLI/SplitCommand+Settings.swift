import Cleave
import CommandLineKit
import Posix

extension SplitCommand {
  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var cutting = CuttingSettings()
    var naming = NamingSettings()
    var output = OutputSettings()
    var stages = StageSettings()
    var moving = MovingSettings()
    var format = PartFormat.auto
    var manifest = ManifestChoice.automatic
    var sums: [SumKind] = []
    /// Bytes of each block whose sum the manifest gets.
    var block: Int64?
    var makesJoiners = false
    var filter: FilePath?
    /// Filters at a time; nil for one.
    var jobs: Int?
    var verify = VerifyMode.auto
    var share: ShareSettings?

    var writesData: Bool { cutting.part != nil }
    var engineInside: EngineOption? { moving.engine }

    var report: ReportSettings {
      var report = ReportSettings()
      (report.sums, report.moving) = (sums, moving)
      return report
    }

    func validate() throws(UsageError) {
      try moving.validate()
      try requireApart()
    }

    func options(_ session: Session) -> Split.Options {
      var options = Split.Options()
      options.work = session.work(
        output,
        stages,
        moving: moving,
        verify: verify,
        isFiltered: filter != nil
      )
      (options.manifest, options.block, options.isZip) = (manifest, block, format == .zip)
      options.digests = sums.compactMap(\.digest)
      if sums.contains(where: { $0.digest == nil }) { options.sums = [.crc32, .adler32] }
      options.makesJoiners = makesJoiners
      options.separator = cutting.separator ?? options.separator
      options.omitsEmptyParts = cutting.omitsEmptyParts
      options.header = cutting.header ?? 0
      options.filter = filter.map { Split.Filter($0, jobs: jobs ?? 1) }
      return options
    }
  }
}

extension SplitCommand.Settings {
  static var lists: [OptionList<Self>] {
    [
      .of(\.cutting, Option.all), .of(\.naming, Option.all),
      .of(\.output, [.force, .dryRun(short: nil, sets: \.isDryRun)]),
      .of(
        \.stages,
        [
          .resume,
          .consume(
            "Cut from the end, and free what is in a part and on the device, so that little more space is "
              + "needed; what is left of FILE becomes part 1. FILE is gone then. Implies --resume."
          ), .checkpoint,
        ]
      ),
      .of(
        \.output,
        [
          .noSync, .dropCache,
          .times(
            "Give each part the time when FILE was last changed, so that merge --times gives it back."
          ), .clone,
        ]
      ),
      .own([
        ShareSettings.option(
          "make the parts together, each some of them; the last one writes the manifest",
          \.share
        )
      ]),
      .own(checks + filters + [.verify(sets: \.verify)]),
      .of(\.moving, Option.all),
      .of(\.general, [.progress] + Option.all),
    ]
  }

  private static var checks: [Option<Self>] {
    [
      .format(
        "Make parts of any file by cutting its bytes (raw; auto is the same), or of a zip the parts "
          + "of a split zip (zip), which 7-Zip unpacks without joining them.",
        sets: \.format
      ),
      .manifest(
        "Write the manifest to FILE, or none, in the form that its ending says: .sfv, .crc (Total "
          + "Commander's), \(SumKind.anyEnding). It is beside the parts, or above them; with "
          + "-n r/N or --header only beside them.",
        sets: \.manifest
      ),
      SumKind.option(
        "Write a manifest for each kind of sum in LIST, and tell those of the whole: PREFIX.sfv for "
          + "crc32, which is the default, and adler32; PREFIX\(SumKind.anyEnding) for "
          + "the kinds of that name, as coreutils do.",
        sets: \.sums
      ),
      .value(
        "block",
        "SIZE",
        group: "Checking",
        help:
          "Give the manifest the CRC-32 of each SIZE bytes of a part, such as 1MiB, so that verify can "
          + "tell which bytes of it differ. Other tools do not see them.",
        sets: \.block
      ) { argument throws(UsageError) in try argument.positiveSize },
      .flag(
        "joiners",
        group: "Output",
        help: "Also write scripts that put the parts together, and check them, where there is no "
          + "cleave: PREFIX.join.sh for shells, PREFIX.join.py for Python 3, and two that are experimental, since "
          + "they have not been run on Windows: PREFIX.join.ps1 for PowerShell and PREFIX.join.bat. They compare the "
          + "SHA-256 if --checksum has it, or else the CRC-32, which PREFIX.join.bat cannot.",
        sets: \.makesJoiners
      ),
    ]
  }

  /// Where parts go instead of to files.
  private static var filters: [Option<Self>] {
    [
      .value(
        "filter",
        "COMMAND",
        group: "Output",
        help: "Feed each part to COMMAND in the shell, with the part's name in $FILE, and write no "
          + "file and no manifest: what COMMAND makes is not checked, and replaces what it likes. A part is "
          + "done when COMMAND has ended with 0. With --json, the object comes behind what COMMAND writes to standard output.",
        sets: \.filter
      ) { argument throws(UsageError) in
        guard !argument.value.bytes.isEmpty else { throw argument.refused("is no command") }
        return argument.value
      },
      .value(
        "jobs",
        "N",
        group: "Output",
        help:
          "Let N filters be at work at a time, 1 by default and 256 at most. Parts of a file are then fed "
          + "side by side; those of standard input one after the other.",
        sets: \.jobs
      ) { argument throws(UsageError) in try argument.number(in: 1...256) },
    ]
  }
}
