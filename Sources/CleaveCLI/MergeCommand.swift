import Cleave
import CommandLineKit
import Posix

/// `cleave merge`: parts to one file, or to a stream.
enum MergeCommand {
  static let command = Command<Settings>(
    "merge",
    summary: "Put parts together, and prove that the result is right.",
    usage: [
      "cleave merge [OPTION]... {PART | MANIFEST | DIRECTORY}",
      "cleave merge [OPTION]... -o OUT PART PART...",
    ],
    operands: .parts,
    options: [
      OptionRows.output(
        "Write to FILE, or to standard output if it is -; without it, beside the parts, to "
          + "the name that their manifest tells, if nothing has it, or that they share."
      ),
      OptionRows.force, OptionRows.dryRun(short: "n"), OptionRows.resume,
      OptionRows.consume(
        "Free each part as soon as its bytes are in the output and on the device, so that little more "
          + "space is needed. The parts are gone then. Implies --resume."
      ),
      OptionRows.checkpoint, OptionRows.noSync, OptionRows.dropCache,
      OptionRows.times(
        "Give the output the time when the newest part was last changed: that of the file that was "
          + "split, where split had --times."
      ),
      OptionRows.clone,
      OptionRows.format(
        "What the parts are: found out by itself (auto), bytes to be joined whatever they hold "
          + "(raw), or those of a zip, and nothing else will do (zip)."
      ),
      OptionRows.keepMarker,
    ] + OptionRows.reading + OptionRows.header + [
      OptionRows.asGiven, OptionRows.all, OptionRows.strict, OptionRows.wait,
      OptionRows.manifest(
        "Check against FILE, or none; without it, against the one beside the parts: NAME.sfv, or else "
          + "NAME.crc, NAME.sha256, SHA256SUMS and the like."
      ),
      SumKind.option(
        "Also tell these sums of what is made: "
          + SumKind.allCases.map(\.rawValue).joined(separator: ", ") + "."
      ),
      OptionRows.verify,
    ] + OptionRows.engine + [OptionRows.progress] + OptionRows.general,
    conflicts: [
      OptionRows.headerConflict,
      .excludes(
        .wait,
        [.resume, .consume, .dryRun],
        "what is still to come is not known yet"
      ),
      .excludes(
        .all,
        [.output, .wait, .asGiven, .json, .resume, .consume],
        "each series has a name and a result of its own"
      ),
    ],
    details: """
      Any one part of a series is enough, or the manifest of its parts, or a directory with no other \
      series in it: NAME.001, NAME.part1.EXT, NAME.part1of3, xaa, NAME.rclone_chunk.001 and others, \
      with numbers that may outgrow their width, as from .999 to .1000. Missing parts are all named \
      before anything is written, and what looks like parts and is not to be joined is refused. Where \
      names could mean several things, --as, --first and --last decide. Several parts of one series are \
      joined in the order of their numbers, and all of them have to be given; --as-given joins exactly \
      what is given, as cat does. --all merges each of several series. - is standard input.

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

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    try session.checkParts(operands, to: "merge")
    if session.settings.mergesAll { return try MergeOfAll(session: session).run(operands) }
    if session.settings.waits { return try wait(for: operands, session) }
    return try job { () throws(CleaveError) in
      let found = try session.interruptedMerge(of: operands)
      let merge = if let found { found } else { try session.merge(of: operands) }
      try session.carryOut(merge)
      return .success
    }
  }

  private static func wait(
    for operands: [FilePath],
    _ session: Session
  ) throws(Failure) -> ExitCode {
    let settings = session.settings
    guard operands.count == 1, let operand = operands.first, operand != "-" else {
      throw usage("--wait takes one part, and finds the others by its name")
    }
    return try job { () throws(CleaveError) in
      try session.requireStandardOutput()
      var arriving = ArrivingMerge(
        of: operand,
        into: settings.output,
        settings.selection,
        session.mergeOptions
      )
      arriving.idleTimeout = settings.idleTimeout
      let (merge, outcome) = try arriving.finish()
      try session.reporter.tell(merge, outcome)
      return .success
    }
  }
}
