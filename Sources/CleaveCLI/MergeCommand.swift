import Cleave
import CommandLineKit
import Posix

/// `cleave merge`: parts to one file, or to a stream.
enum MergeCommand {
  static let command = Command<Settings>(
    "merge",
    summary: "Put parts together, and prove that the result is right.",
    usage: ["cleave merge [OPTION]... PART", "cleave merge [OPTION]... -o OUT PART PART..."],
    options: [
      .value(
        "output",
        short: "o",
        "FILE",
        group: "Output",
        help: "Write to FILE, or to standard output if it is -; without it, to the name that the "
          + "parts share, beside them.",
        sets: \.output
      ) { $0.value },
      OptionRows.force, OptionRows.dryRun(short: "n"), OptionRows.noSync,
      OptionRows.manifest(
        "Check against FILE, or none; without it, against NAME.sfv beside the parts, if it exists."
      ),
      OptionRows.verify,
    ] + OptionRows.engine + [OptionRows.progress] + OptionRows.general,
    details: """
      Any one part of a numbered series is enough: NAME.001, NAME.01, NAME.00 or NAME.1, with \
      numbers that may outgrow their width, as from .999 to .1000. Missing parts are all named \
      before anything is written. Several operands are taken in the order given, and - is standard \
      input.

      The output has its name only when it is complete, checked and on the device.
      """,
    examples: [
      .init("cleave merge gcd.mp4.zip.001", "Make gcd.mp4.zip beside its parts."),
      .init("cleave merge -o - backup.tar.001 | tar -x", "Read the parts as one stream."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.isEmpty else { throw usage("a part to merge is missing") }
    guard operands.filter({ $0 == "-" }).count <= 1 else {
      throw usage("standard input can be read only once")
    }
    let settings = session.settings
    let selection = try job { () throws(CleaveError) in
      if operands.contains("-") { try session.requireStandardInput() }
      return try MergeSelection(operands, manifest: settings.manifest)
    }
    for path in selection.stale {
      session.console.warn("\(path): left over from a longer series; not merged")
    }
    let output = try output(session, selection, operands)
    return try Merge(session: session, selection: selection, output: output).run()
  }

  private static func output(
    _ session: Session,
    _ selection: MergeSelection,
    _ operands: [FilePath]
  ) throws(Failure) -> FilePath {
    if let output = session.settings.output {
      if output.bytes.isEmpty { throw usage("the name of the output is empty") }
      return output
    }
    if let base = selection.base { return base }
    if operands.count == 1, let only = operands.first, only != "-" {
      throw .job(
        CleaveError(
          .missingInput,
          only,
          "is not a part of a numbered series such as NAME.001; name all parts and -o OUT"
        )
      )
    }
    throw usage("-o is needed: the operands share no name to give to the output")
  }
}

/// One merge, its operands understood.
private struct Merge {
  let session: Session
  let selection: MergeSelection
  let output: FilePath
  private var settings: Settings { session.settings }

  func run() throws(Failure) -> ExitCode {
    let stream = try job { () throws(CleaveError) in try openStream() }
    if let files = selection.files {
      let plan = try plan(files)
      let engine = try engine(for: plan, isStream: stream != nil)
      if settings.isDryRun { return try describe(files, engine) }
      return try run(plan, engine, stream)
    }
    guard settings.engine == .auto || settings.engine == .serial else {
      throw usage("only the serial engine reads standard input")
    }
    if settings.isDryRun { return try describe(nil, .serial) }
    return try runStream(stream)
  }

  private func openStream() throws(CleaveError) -> StreamOutput? {
    if output == "-" { return settings.isDryRun ? nil : try session.standardOutput() }
    guard try OutputCheck.isStream(output, settings.outputOptions), !settings.isDryRun else {
      return nil
    }
    do {
      return try StreamOutput(opening: output) { session.cancellation.isCancelled }
    } catch {
      throw .creating(error)
    }
  }

  private func plan(_ files: [SourceFile]) throws(Failure) -> TransferPlan {
    do {
      return try TransferPlan.merge(files, into: output)
    } catch {
      throw .job(CleaveError(.badData, output, "the parts are too large together: \(error)"))
    }
  }

  private func engine(for plan: TransferPlan, isStream: Bool) throws(Failure) -> EngineName {
    if isStream || output == "-" {
      guard settings.engine == .auto || settings.engine == .serial else {
        throw usage("only the serial engine writes to a stream")
      }
      return .serial
    }
    return settings.engine.name ?? .automatic(for: plan)
  }

  private var kinds: Checksum.Kinds {
    if settings.verify == .none { return [] }
    if let manifest = selection.manifest {
      return manifest.kinds(of: selection.base)
    }
    return [.crc32]
  }

  // MARK: Running

  private func run(
    _ plan: TransferPlan,
    _ engine: EngineName,
    _ stream: StreamOutput?
  ) throws(Failure) -> ExitCode {
    var job = TransferJob(plan, engine: engine)
    job.options = session.jobOptions(kinds)
    job.stream = stream
    let report = try CleaveCLI.job { () throws(CleaveError) in
      try job.run { report throws(CleaveError) in
        try compare(plan.sourceChecksums(report), report.whole)
        return []
      }
    }
    session.noteRun(engine: engine, bytes: report.bytes)
    try CleaveCLI.job { () throws(CleaveError) in
      try tell(engine, plan.sourceChecksums(report), report.whole)
    }
    return .success
  }

  private func runStream(_ stream: StreamOutput?) throws(Failure) -> ExitCode {
    var job = StreamJob()
    job.options = session.jobOptions(kinds)
    return try CleaveCLI.job { () throws(CleaveError) in
      let report = try job.merge(selection.sources, into: output, stream: stream) {
        report throws(CleaveError) in
        try compare(report.sources, report.whole)
        return []
      }
      session.noteRun(engine: .serial, bytes: report.whole.count)
      try tell(.serial, report.sources, report.whole)
      return .success
    }
  }

  private func compare(_ parts: [Checksum], _ whole: Checksum) throws(CleaveError) {
    guard settings.verify != .none, let manifest = selection.manifest else { return }
    let named = zip(names, parts).map { (path: $0, checksum: $1) }
    let differences = manifest.differences(parts: named, whole: whole, of: selection.base)
    try Manifest.requireNone(differences, manifest.path)
  }

  private var names: [FilePath] {
    selection.sources.map { source in
      if case .file(let file) = source { file.path } else { "-" }
    }
  }

  // MARK: Telling

  private func tell(
    _ engine: EngineName,
    _ parts: [Checksum],
    _ whole: Checksum
  ) throws(CleaveError) {
    let isSummed = settings.verify != .none
    if settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "merge",
          engine: engine.rawValue,
          bytes: whole.count,
          parts: zip(names, parts).map {
            JSONReport.File($0, bytes: $1.count, isSummed ? $1 : nil, kinds)
          },
          output: JSONReport.File(output, bytes: whole.count),
          manifest: selection.manifest.map { JSONReport.Name($0.path) },
          verified: isSummed && selection.manifest != nil,
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: kinds.contains(.adler32) ? whole.adler32Text : nil,
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    let count = parts.count == 1 ? "1 part" : "\(parts.count) parts"
    var line = "\(shownOutput): \(ByteSize.described(whole.count)) from \(count)"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    switch (isSummed, selection.manifest) {
    case (true, let manifest?): line += ", as in \(manifest.path)"
    case (true, nil): line += ", no manifest to compare with"
    case (false, _): line += ", not verified"
    }
    try session.console.report(line)
  }

  private var shownOutput: String { output == "-" ? "standard output" : "\(output)" }

  private func describe(_ files: [SourceFile]?, _ engine: EngineName) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      let total = files?.totalSize
      if output != "-", !(try OutputCheck.isStream(output, settings.outputOptions)) {
        let inputs = Set((files ?? []).map(\.status.identity))
        try OutputCheck.check(output, settings.outputOptions, inputs: inputs)
        try OutputCheck.checkSpace(for: [DestinationFile(path: output, size: total ?? 0)])
      }
      if settings.writesJSON { return try describeAsJSON(files, engine, total) }
      for (index, name) in names.enumerated() {
        let size = files.map { ByteSize.described($0[index].status.size) } ?? "unknown size"
        try session.console.report("\(name): \(size)")
      }
      let size = total.map { ByteSize.described($0) } ?? "unknown size"
      let manifest = selection.manifest.map { ", to be as in \($0.path)" } ?? ""
      try session.console.report(
        "\(shownOutput): \(size), by the \(engine.rawValue) engine\(manifest)"
      )
    }
    return .success
  }

  private func describeAsJSON(
    _ files: [SourceFile]?,
    _ engine: EngineName,
    _ total: Int64?
  ) throws(CleaveError) {
    try session.write(
      JSONReport.Transfer(
        command: "merge",
        engine: engine.rawValue,
        bytes: total ?? 0,
        parts: names.enumerated().map { index, name in
          JSONReport.File(name, bytes: files?[index].status.size)
        },
        output: JSONReport.File(output, bytes: total),
        manifest: selection.manifest.map { JSONReport.Name($0.path) },
        verified: false,
        seconds: session.seconds,
        peakMemory: ProcessState.peakResidentBytes,
        dryRun: true
      )
    )
  }
}
