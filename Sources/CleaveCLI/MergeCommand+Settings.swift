import Cleave
import CommandLineKit
import Posix

extension MergeCommand {
  struct Settings: PartSettings {
    var general = GeneralSettings()
    var output = OutputSettings()
    var stages = StageSettings()
    var moving = MovingSettings()
    var request = Selection.Request()
    var keepsMarker = false
    var header: Int64? { didSet { request.headerRecords = header } }
    var dealt = false
    var separator: UInt8?
    var mergesAll = false
    var isStrict = false
    var waits = false
    var share: ShareSettings?
    /// How long, at most, where nothing happens.
    var idleTimeout: Duration?
    var sums: [SumKind] = []
    var verify = VerifyMode.auto

    var writesData: Bool { output.path == "-" }
    var engineInside: EngineOption? { moving.engine }

    var report: ReportSettings {
      var report = ReportSettings()
      (report.sums, report.moving) = (sums, moving)
      return report
    }

    mutating func validate() throws(UsageError) {
      output.takeStandardOutput()
      try moving.validate()
      try requireApart()
    }

    func options(_ session: Session) -> Merge.Options {
      var options = mergeOptions(
        session.work(output, stages, moving: moving, verify: verify, isStrict: isStrict)
      )
      options.digests = Set(sums.compactMap(\.digest))
      if !sums.isEmpty { options.sums = sums.contains(.adler32) ? [.crc32, .adler32] : [.crc32] }
      return options
    }
  }
}

extension MergeCommand.Settings {
  static var lists: [OptionList<Self>] {
    [
      .of(
        \.output,
        [
          .file(
            "Write to FILE, or to standard output if it is -; without it, beside the parts, to "
              + "the name that their manifest tells, if nothing has it, or that they share."
          ), .force, .dryRun(short: "n", sets: \.isDryRun),
        ]
      ),
      .of(
        \.stages,
        [
          .resume,
          .consume(
            "Free each part as soon as its bytes are in the output and on the device, so that little more "
              + "space is needed. The parts are gone then. They are compared by CRC-32s alone; where "
              + "nothing proves them, an SFV file of those that went is made. Implies --resume."
          ), .checkpoint,
        ]
      ),
      .of(
        \.output,
        [
          .noSync, .dropCache,
          .times(
            "Give the output the time when the newest part was last changed: that of the file that was "
              + "split, where split had --times."
          ), .clone,
        ]
      ),
      .own([
        ShareSettings.option(
          "make the output together; the last one compares and publishes it",
          \.share
        )
      ]),
      .of(\.request, [.format]),
      .own([.keepMarker(sets: \.keepsMarker)]),
      .of(\.request, Option.names),
      .own(lineOptions),
      .of(\.request, [.asGiven]),
      .own([all, .strict(sets: \.isStrict), wait]),
      .of(
        \.request,
        [
          .manifest(
            "Check against FILE, or none; without it, against the one beside the parts: NAME.sfv, or else "
              + "NAME.crc, NAME.sha256, SHA256SUMS and the like."
          )
        ]
      ),
      .own([
        SumKind.option(
          "Also tell these sums of what is made: "
            + SumKind.allCases.map(\.rawValue).joined(separator: ", ") + ".",
          sets: \.sums
        ), .verify(sets: \.verify),
      ]),
      .of(\.moving, Option.all),
      .of(\.general, [.progress] + Option.all),
    ]
  }

  private static var all: Option<Self> {
    .flag(
      "all",
      group: "Parts",
      help:
        "Merge every series that the operands name, or that a directory or a manifest has, one after "
        + "the other.",
      sets: \.mergesAll
    )
  }

  private static var wait: Option<Self> {
    Option(
      "wait",
      .optional("TIMEOUT"),
      group: "Parts",
      help:
        "Wait for parts that are not there yet, and put them together as they come, none before it is "
        + "finished; give up when nothing has happened to them for TIMEOUT, such as 90s, 30m or 2h."
    ) { settings, argument throws(UsageError) in
      settings.waits = true
      settings.idleTimeout = argument.isGiven ? try argument.time : nil
    }
  }

  static var conflicts: [Conflict<Self>] {
    let resume = Conflict<Self>.Use("--resume", \.stages.resumes)
    let consume = Conflict<Self>.Use("--consume", \.stages.consumes)
    let share = Conflict<Self>.Use("--share") { $0.share != nil }
    let dealt = [
      resume, consume, share, .init("--clone=always") { $0.output.clone == .always },
      .init("--engine=multiqueue, zerocopy or direct") {
        ![.auto, .serial].contains($0.moving.engine)
      },
      .init("--verify=entries") { $0.verify == .entries },
    ]
    return lineConflicts(dealt: dealt) + [
      .excludes(
        share,
        [
          resume, consume, .init("--wait", \.waits), .init("--all", \.mergesAll),
          .init("--dry-run", \.output.isDryRun),
          .init("--output=-") { $0.output.path == "-" },
        ],
        "each run has only a part of the bytes"
      ),
      .excludes(
        .init("--wait", \.waits),
        [resume, consume, .init("--dry-run", \.output.isDryRun)],
        "what is still to come is not known yet"
      ),
      .excludes(
        .init("--all", \.mergesAll),
        [
          .init("--output") { $0.output.path != nil }, .init("--wait", \.waits),
          .init("--as-given", \.request.isAsGiven), .init("--json", \.general.writesJSON),
          resume, consume,
        ],
        "each series has a name and a result of its own"
      ),
    ]
  }
}
