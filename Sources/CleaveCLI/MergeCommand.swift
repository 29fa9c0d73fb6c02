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
    options: [
      OptionRows.output(
        "Write to FILE, or to standard output if it is -; without it, to the name that the "
          + "parts share, beside them."
      ),
      OptionRows.force, OptionRows.dryRun(short: "n"), OptionRows.resume,
      OptionRows.consume(
        "Free each part as soon as its bytes are in the output and on the device, so that little more "
          + "space is needed. The parts are gone then. Implies --resume."
      ),
      OptionRows.checkpoint, OptionRows.noSync, OptionRows.dropCache, OptionRows.clone,
      OptionRows.format(
        "What the parts are: found out by itself (auto), bytes to be joined whatever they hold "
          + "(raw), or those of a zip, and nothing else will do (zip)."
      ),
      OptionRows.keepMarker,
    ] + OptionRows.reading + [
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
    try check(operands, session.settings, to: "merge")
    if session.settings.mergesAll { return try MergeOfAll(session).run(operands) }
    return try run(one: operands, session)
  }

  /// Merges what the operands mean together.
  static func run(one operands: [FilePath], _ session: Session) throws(Failure) -> ExitCode {
    let settings = session.settings
    if settings.waits { return try WaitingMerge(session, operands).run() }
    if settings.isStaged, let resumed = try goOn(session, operands) { return resumed }
    return try run(selection(session, operands), session)
  }

  static func run(_ selection: Selection, _ session: Session) throws(Failure) -> ExitCode {
    if session.settings.verify == .entries, !selection.kind.isZip {
      throw usage("--verify=entries needs the parts of a zip")
    }
    let output = try output(session, selection)
    try job { () throws(CleaveError) in try requireNoManifest(output, selection) }
    let settings = session.settings
    let looksInside = ![.none, .stream].contains(settings.verify)
    if settings.format != .raw, !settings.isAsGiven, looksInside {
      try job { () throws(CleaveError) in try selection.checkStart(of: output) }
    }
    try job { () throws(CleaveError) in try session.tellDoubts(of: selection) }
    if settings.isAsGiven, settings.format == .auto, looksInside,
      let wrong = selection.faultAsGiven()
    {
      session.console.warn("\(output): joined as given, though \(wrong.message)")
    }
    for note in selection.archive?.notes.lines ?? [] {
      session.console.remark("\(selection.base ?? output): \(note)")
    }
    return try Merge(session: session, selection: selection, output: output).run()
  }

  /// - Throws: `.cannotCreate` where the output would replace what the parts are compared with.
  private static func requireNoManifest(
    _ output: FilePath,
    _ selection: Selection
  ) throws(CleaveError) {
    guard let manifest = selection.manifest?.path, output != "-",
      let made = (try? FileStatus.ifPresent(output)) ?? nil,
      made.identity == ((try? FileStatus.ifPresent(manifest)) ?? nil)?.identity
    else { return }
    throw CleaveError(.cannotCreate, output, "is the manifest that the parts are compared with")
  }

  /// - Parameter purpose: what the parts are wanted for.
  static func check(
    _ operands: [FilePath],
    _ settings: Settings,
    to purpose: String
  ) throws(Failure) {
    guard !operands.isEmpty else { throw usage("a part to \(purpose) is missing") }
    guard operands.filter({ $0 == "-" }).count <= 1 else {
      throw usage("standard input can be read only once")
    }
    guard settings.format != .zip || !operands.contains("-") else {
      throw usage("--format=zip needs files, not standard input")
    }
  }

  /// What the operands mean.
  ///
  /// - Parameter manifest: what they are compared with, where the operands tell it; nil for what the
  ///   command line says.
  static func selection(
    _ session: Session,
    _ operands: [FilePath],
    _ manifest: ManifestChoice? = nil
  ) throws(Failure) -> Selection {
    let selection = try job { () throws(CleaveError) in
      if operands.contains("-") { try session.requireStandardInput() }
      var request = session.settings.selection
      if let manifest { request.manifest = manifest }
      do throws(CleaveError) {
        let selection = try Selection.look(at: operands, request)
        guard let refusal = selection.refusal else { return selection }
        for doubt in selection.evidence.doubts { session.console.note(doubt) }
        throw refusal
      } catch {
        throw session.hinting(error, operands[0])
      }
    }
    if !session.settings.isAsGiven {
      try job { () throws(CleaveError) in try refuseRest(selection) }
    }
    return selection
  }

  /// - Throws: `.missingInput` where an interrupted run has taken other parts of the series away.
  private static func refuseRest(_ selection: Selection) throws(CleaveError) {
    guard let part = selection.names.first,
      let found = Journal.consuming(beside: part, in: selection.listing)
    else {
      return
    }
    throw CleaveError(
      .missingInput,
      part,
      "an interrupted run has taken other parts of its series away; \(found.journal.remedy), and --as-given "
        + "merges what is left"
    )
  }

  /// Goes on with the journal that an earlier run of the same command left, if there is one.
  private static func goOn(
    _ session: Session,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode? {
    let settings = session.settings
    guard !operands.contains("-"), settings.output != "-" else {
      throw usage("--resume and --consume need files, not streams")
    }
    // The parts need not be there any more; what is beside them tells.
    let known = try job { () throws(CleaveError) in
      try operands.isEmpty
        ? nil : Journal.interrupted(.merge, lookingAt: operands[0], making: settings.output)
    }
    guard let output = settings.output ?? known?.output else {
      try settings.checkConsuming()
      return nil
    }
    var request = settings.selection
    var operands = operands
    if operands.count == 1, known == nil,
      (try? FileStatus.ifPresent(operands[0]))??.kind == .directory,
      let found = try? JournalFile.existing(at: Journal.path(beside: output)),
      let name = found.found?.sources.first?.name
    {
      // The parts of a directory, with the journal elsewhere.
      operands = [operands[0].appending(name)]
    } else if let source = known?.source, operands.count == 1 {
      if Manifest.isName(operands[0]), request.manifest == .automatic {
        request.manifest = .file(operands[0])
      }
      operands = [source]
    } else if operands.count == 1 {
      let stands = try job { () throws(CleaveError) in
        try Selection.part(for: operands[0], request)
      }
      (operands[0], request.manifest) = (stands.path, stands.manifest)
    }
    let found = try job { () throws(CleaveError) in
      try Resumption(of: .merge, making: output, from: operands, settings)
    }
    try settings.checkConsuming(goesOn: found != nil)
    guard let found else { return nil }
    let selection = try job { () throws(CleaveError) in
      try Selection(goingOn: found.plan, found.journal, request)
    }
    let merge = Merge(session: session, selection: selection, output: output)
    return try merge.run(found.plan, resuming: found)
  }

  /// - Throws: `.cannotCreate` where `-o` names a directory, with a file in it that it could name.
  private static func refuseDirectory(
    _ output: FilePath,
    _ selection: Selection
  ) throws(CleaveError) {
    guard let found = (try? FileStatus.ifPresent(output, followingLinks: false)) ?? nil,
      found.kind == .directory
    else { return }
    let name = selection.defaultOutput?.lastComponent ?? "NAME"
    let file = output.appending(name)
    throw CleaveError(.cannotCreate, output, "is a directory; -o \(file.quoted) makes a file in it")
  }

  static func output(
    _ session: Session,
    _ selection: Selection
  ) throws(Failure) -> FilePath {
    if let output = session.settings.output {
      if output.bytes.isEmpty { throw usage("the name of the output is empty") }
      try job { () throws(CleaveError) in try refuseDirectory(output, selection) }
      return output
    }
    if let output = selection.defaultOutput {
      if session.settings.isForced {
        try job { () throws(CleaveError) in try selection.requireOneOutput() }
      }
      return output
    }
    if selection.isPart, let part = selection.names.first {
      throw usage(
        "\(part): the parts tell no name for the whole, so that -o is needed: "
          + "'cleave merge -o OUT \(part.quoted)'"
      )
    }
    throw usage("-o is needed: the operands share no name to give to the output")
  }
}
