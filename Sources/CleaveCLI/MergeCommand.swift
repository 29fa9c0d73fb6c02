import Cleave
import CommandLineKit
import Posix

/// `cleave merge`: parts to one file, or to a stream.
enum MergeCommand: ProgramCommand {
  static let command = Command<Settings>(
    "merge",
    summary: "Put parts together, and prove that the result is right.",
    usage: [
      "cleave merge [OPTION]... {PART | MANIFEST | DIRECTORY}",
      "cleave merge [OPTION]... -o OUT PART PART...",
    ],
    operands: .parts,
    options: Settings.lists.flatMap(\.options),
    conflicts: Settings.conflicts,
    details: """
      Any one part of a series is enough, or the manifest of its parts, or a directory with no other \
      series in it: NAME.001, NAME.part1.EXT, NAME.part1of3, xaa, NAME.rclone_chunk.001 and others, \
      with numbers that may outgrow their width, as from .999 to .1000. Missing parts are all named \
      before anything is written, and what looks like parts and is not to be joined is refused. Where \
      names could mean several things, --as, --first and --last decide. Several parts of one series are \
      joined in the order of their numbers, and all of them have to be given; --as-given joins exactly \
      what is given, as cat does. --all merges each of several series. - is standard input, which may be any number of \
      parts; the content of a stream proves nothing. What is read may \
      lie on other machines: https://HOST/NAME.001, s3://BUCKET/NAME.001. With --output=s3://BUCKET/KEY an \
      object is made; parts of the same store are copied there, by the store itself.

      Any one part of a split zip is enough, too: a.z01, a.z02 or a.zip make a.merged.zip, one zip \
      whose headers are right. Parts that together hold a zip, such as a.zip.001, are joined only if \
      every entry is where the zip says. Where no manifest proves the result, what is in it does, if it \
      can: the CRC-32 of each entry of a zip, or those of a gzip file.

      With --wait, what is still to come is waited for: up to the last part that a manifest, a name, a \
      zip or a shorter part that has been quiet for ten seconds tells of, or until TIMEOUT. A part counts as finished when \
      nobody has it open for writing, where the system tells; where it does not, after ten seconds \
      without a change.

      The output has its name only when it is complete, checked and on the device.
      """,
    examples: [
      .init("cleave merge gcd.mp4.zip.001", "Make gcd.mp4.zip beside its parts."),
      .init("cleave merge -o a.zip parts/a.z01", "Make one zip of a split one."),
      .init("cleave merge --wait=1h film.mkv.001", "Merge what is still being downloaded."),
      .init("cleave merge -o - backup.tar.001 | tar -x", "Read the parts as one stream."),
    ]
  )

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    try settings.check(operands, to: "merge")
    if settings.mergesAll {
      return try MergeOfAll(session: session, settings: settings).run(operands)
    }
    if let share = try settings.share?.found() {
      return try Self.share(share, session, settings, operands)
    }
    if settings.waits { return try wait(for: operands, session, settings) }
    return try job { () throws(CleaveError) in
      let found = try interrupted(session, settings, operands)
      let selection = { () throws(CleaveError) in
        try session.selection(of: operands, settings.request, into: settings.output.path)
      }
      let merge = if let found { found } else { try merge(selection(), session, settings) }
      try carryOut(merge, session, settings)
      return .success
    }
  }

  /// What an interrupted run of the same merge has left to go on with.
  private static func interrupted(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(CleaveError) -> Merge? {
    guard settings.stages.isStaged, settings.output.path?.isObject != true else { return nil }
    let options = settings.options(session)
    return try Merge.interrupted(operands, into: settings.output.path, settings.request, options)
  }

  static func merge(
    _ selection: Selection,
    _ session: Session,
    _ settings: Settings
  ) throws(CleaveError) -> Merge {
    let output = settings.output
    let path = try selection.output(given: output.path, replacing: output.isForced)
    if !output.isDryRun { try session.requireStandardOutput() }
    var merge = Merge(selection, into: path, settings.options(session))
    merge.isNew = true
    return merge
  }

  /// Carries it out, or only says what it would do.
  static func carryOut(
    _ merge: Merge,
    _ session: Session,
    _ settings: Settings
  ) throws(CleaveError) {
    if settings.output.isDryRun {
      try session.reporter.tell(merge, merge.forecast())
    } else {
      try session.reporter.tell(merge, merge.run())
    }
  }

  private static func share(
    _ share: WorkShare?,
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath],
    requiring check: (FilePath) throws(CleaveError) -> Void = { _ in }
  ) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      let output = settings.output.path
      let selection = try session.selection(of: operands, settings.request, into: output)
      let shared = MergeShare(try merge(selection, session, settings), share)
      try check(shared.merge.output)
      try session.reporter.tell(shared, shared.run())
      return .success
    }
  }

  /// Completes what runs with `--share` have made.
  ///
  /// - Parameters:
  ///   - arguments: what was typed behind the command.
  ///   - check: throws where that makes something else.
  static func finish(
    _ arguments: [FilePath],
    _ session: Session,
    _ general: GeneralSettings,
    requiring check: (FilePath) throws(CleaveError) -> Void
  ) throws(Failure) -> ExitCode {
    let (settings, parts) = try command.again(arguments, general)
    return try share(nil, session, settings, parts, requiring: check)
  }

  private static func wait(
    for operands: [FilePath],
    _ session: Session,
    _ settings: Settings
  ) throws(Failure) -> ExitCode {
    guard operands.count == 1, let operand = operands.first, operand != "-" else {
      throw usage(
        "--wait takes one part, and finds the others by its name; a time is given as in --wait=5s"
      )
    }
    return try job { () throws(CleaveError) in
      try session.requireStandardOutput()
      var arriving = ArrivingMerge(
        of: operand,
        into: settings.output.path,
        settings.request,
        settings.options(session)
      )
      arriving.idleTimeout = settings.idleTimeout
      let (merge, outcome) = try arriving.finish()
      try session.reporter.tell(merge, outcome)
      return .success
    }
  }
}
