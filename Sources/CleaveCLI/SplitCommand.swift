import Cleave
import CommandLineKit
import Posix

/// `cleave split`: one file, or standard input, to parts and a manifest.
enum SplitCommand: ProgramCommand {
  static let command = Command<Settings>(
    "split",
    summary: "Cut a file into numbered parts, with a manifest to check them by.",
    usage: ["cleave split {-b SIZE | -n N | -l N | -C SIZE} [OPTION]... FILE [PREFIX]"],
    operands: .files,
    options: Settings.lists.flatMap(\.options),
    conflicts: Settings.conflicts,
    details: """
      Parts are PREFIX.001, PREFIX.002 and so on; PREFIX is FILE if it is not given, and a PREFIX \
      that is a directory gets parts named after FILE. A PREFIX that ends in a dot, - or _ has the \
      number directly behind it: p_ makes p_001 and p.sfv. With -d, -x or --alphabetic-suffixes, the \
      suffix is directly behind a PREFIX that is typed, as split has it: x00, x0a, xaa. FILE may be - for standard input, which \
      needs a PREFIX. SIZE is a number with an optional unit: K, M, G or KiB, MiB, GiB are powers of \
      1024; KB, MB, GB are powers of 1000; 4GiB-1 works. With a PREFIX s3://BUCKET/KEY, parts are objects of \
      that store.

      With -l, -C and -n l/N, parts end where lines end, or other records with -t: the manifest, \
      verify, --resume and merge are the same as with -b. The file is read once more to find the \
      lines, but with -C and -n l/N only near the cuts. With -n r/N, lines are dealt out in turn, one to \
      each part, for which the file is read once; the manifest tells merge of it, which takes them back in turn.

      With --format=zip, FILE is a zip and the parts are PREFIX.z01, PREFIX.z02 … PREFIX.zip, each \
      of at most SIZE bytes, from 64K to 4GiB-1. PREFIX is then FILE without .zip and with .split, \
      since FILE has the last part's name. Merging makes the same zip again.

      No part has its name before all of them are complete, or with --share those of the share, and the first \
      has it last. With -v, a line tells of each part that is \
      finished and may be taken away: when all have their names, or with --filter when its COMMAND has \
      ended; with --json and -v or --progress, an event does.
      """,
    examples: [
      .init("cleave split -b 350M gcd.mp4.zip", "Make gcd.mp4.zip.001, .002 and gcd.mp4.zip.sfv."),
      .init("cleave split -b fat32 disk.img /media/stick/", "Fit a FAT32 stick."),
      .init("tar -c docs | cleave split -b 1G - docs.tar", "Split a stream."),
      .init("cleave split -l 1000000 log.csv", "A million lines in each part."),
      .init("cleave split -l 1000000 --header log.csv", "Each part with the first line."),
      .init("cleave split -n r/4 log", "Every fourth line in each part."),
      .init("cleave split -dC 1G --additional-suffix=.csv log.csv x", "Make x00.csv, x01.csv …."),
      .init(
        "cleave split -b 4G --jobs=2 --filter='zstd -q > $FILE.zst' disk.img",
        "Make disk.img.001.zst, .002.zst and so on, two at a time."
      ),
      .init("cleave split --format=zip -b 100M a.zip out/", "Make out/a.z01 … out/a.zip."),
    ]
  )

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    if settings.cutting.listsPresets { return try PartSizePreset.show(session) }
    guard let cuts = settings.cutting.cuts else {
      throw usage("the size of the parts is missing: -b SIZE, -n N, -l N or -C SIZE")
    }
    guard let file = operands.first else {
      throw usage("a file to split is missing; - is standard input")
    }
    let options = settings.options(session)
    if let part = settings.cutting.part {
      guard operands.count == 1 else {
        throw usage("'\(operands[1])' is one operand too many: a part goes to standard output")
      }
      return try printPart(part, of: Split(file, cuts, options), session, settings)
    }
    let split = try split(operands, cuts, options, settings)
    if let share = try settings.share?.found() {
      return try job { () throws(CleaveError) in
        let shared = try SplitShare(split, share)
        try session.reporter.tell(shared, shared.run())
        return .success
      }
    }
    return try job { () throws(CleaveError) in
      if file == "-" { try session.requireStandardInput() }
      let prepared = try split.prepare()
      if !settings.output.isDryRun {
        try session.reporter.tell(prepared, prepared.run())
      } else if let forecast = try prepared.forecast() {
        try session.reporter.tell(prepared, forecast)
      }
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
    let (settings, operands) = try command.again(arguments, general)
    guard let cuts = settings.cutting.cuts else { throw usage("its receipt tells no sizes") }
    let split = try split(operands, cuts, settings.options(session), settings)
    return try job { () throws(CleaveError) in
      try check(split.naming.prefix)
      let shared = try SplitShare(split, nil)
      try session.reporter.tell(shared, shared.run())
      return .success
    }
  }

  /// What operands mean.
  private static func split(
    _ operands: [FilePath],
    _ cuts: CutList,
    _ options: Split.Options,
    _ settings: Settings
  ) throws(Failure) -> Split {
    let file = operands[0]
    guard operands.count <= 2 else {
      throw usage("'\(operands[2])' is one operand too many: FILE and PREFIX are enough")
    }
    let given = operands.dropFirst().first
    let naming: PartNaming
    if options.isZip {
      if file == "-" { throw usage("--format=zip needs a file, not standard input") }
      naming = PartNaming(splitZip: file, given == nil ? nil : try prefix(for: file, given))
    } else {
      let prefix = try prefix(for: file, given)
      let isTyped = prefix == given
      naming = PartNaming(prefix, isTyped: isTyped, settings.naming.partSuffixes)
    }
    guard file != "-" || !settings.output.isDryRun else {
      throw usage("--dry-run needs a file: standard input has no known length")
    }
    return Split(file, cuts, naming: naming, options)
  }

  private static func printPart(
    _ part: Int,
    of split: Split,
    _ session: Session,
    _ settings: Settings
  ) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      if split.file == "-" { try session.requireStandardInput() }
      try session.requireStandardOutput()
      let printer = PartPrinter(split, part)
      if let dealing = split.dealing {
        try printer.printDealt(of: dealing.parts)
      } else {
        try printer.printCut()
      }
      return .success
    }
  }

  private static func prefix(
    for file: FilePath,
    _ given: FilePath?
  ) throws(Failure) -> FilePath {
    // Of another machine's, nothing is asked here.
    let isHere = file != "-" && !file.isRemote
    let kind = isHere ? (try? FileStatus.of(file))?.kind : nil
    if kind == .fifo {
      throw usage(
        "'\(file)' is a pipe: '- PREFIX' reads one that is standard input, as '<' makes it"
      )
    }
    guard let given else {
      if file == "-" { throw usage("standard input has no name: a PREFIX is needed") }
      if kind == .blockDevice {
        throw usage("'\(file)' is a block device: a PREFIX for the parts is needed")
      }
      let home = isHere ? (try? FileStatus.of(file.directory))?.identity : nil
      if home != nil,
        ["/dev", "/dev/fd"].contains(where: { home == (try? FileStatus.of($0))?.identity })
      {
        throw usage("'\(file)' names no file of yours: a PREFIX for the parts is needed")
      }
      return file.onThisMachine
    }
    if given.isRemote, !given.isObject {
      throw usage(
        "'\(given)' is an address of the web: parts are files, or objects s3://BUCKET/KEY"
      )
    }
    if given.bytes.isEmpty { throw usage("the PREFIX is empty") }
    let isDirectory = (try? FileStatus.of(given))?.kind == .directory
    guard isDirectory || given.endsInSlash else { return given }
    if file == "-" { throw usage("'\(given)' names a directory: a PREFIX for the parts is needed") }
    return given.appending(file.onThisMachine.lastComponent)
  }
}
