import Cleave
import CommandLineKit
import Posix

/// `cleave info`: what a part belongs to, and what merging it would need.
enum InfoCommand {
  static let command = Command<Settings>(
    "info",
    summary: "Show what a part belongs to, and what merging it would write.",
    usage: ["cleave info [OPTION]... {PART | MANIFEST | DIRECTORY | FILE}..."],
    options: OptionRows.reading + [
      OptionRows.strict, OptionRows.manifest("Take FILE for the manifest, or none."),
    ] + OptionRows.general,
    details: """
      Shows the series with its parts and sizes, what speaks for and against their being those of one \
      file, line by line, the name and size of what merge would write, and the disk space needed and \
      free. Of a zip it also shows what made it, what is in it and how. Missing parts are named, with \
      exit code 66, and nothing is said of merging then. A directory stands for every series in it, and a manifest for every one that it names; one \
      that several operands are parts of is shown once.
      """,
    examples: [
      .init("cleave info gcd.mp4.zip.002", "Any one part is enough."),
      .init("cleave info downloads/", "Show every series in a directory."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.isEmpty else { throw usage("a part or file to show is missing") }
    let parts = operands.flatMap { series(at: $0, session.settings.selection) }
    guard parts.count == 1 || !session.settings.writesJSON else {
      throw usage(
        "--json writes one object, and so shows one operand, and a directory or a manifest of one series"
      )
    }
    var code = ExitCode.success
    var shown = PathSet()
    for part in parts {
      let path = part.path
      try job { () throws(CleaveError) in
        let selection = try selection(of: part, session)
        let names = [selection.names, PathList(selection.stale)].joined()
        // Several parts of one series are one thing to show.
        if names.allSatisfy(shown.contains) { return }
        for name in names { shown.insert(name) }
        code = try show(selection, path, session) ?? code
      }
    }
    return code
  }

  /// What a directory or a manifest stands for; whatever is wrong with one is told when it is looked at.
  private static func series(
    at path: FilePath,
    _ request: Selection.Request
  ) -> [Selection.Part] {
    (try? Selection.oneOrEach(of: path, request))
      ?? [Selection.Part(path: path, manifest: request.manifest)]
  }

  private static func selection(
    of part: Selection.Part,
    _ session: Session
  ) throws(CleaveError) -> Selection {
    do throws(CleaveError) {
      return try Selection.look(at: part, session.settings.selection)
    } catch {
      throw error.hinting(at: part.path)
    }
  }

  /// Returns what merging would end with, where it cannot be done.
  private static func show(
    _ selection: Selection,
    _ path: FilePath,
    _ session: Session
  ) throws(CleaveError) -> ExitCode? {
    var report = Report(selection)
    do throws(CleaveError) {
      if let fault = selection.fault { throw fault }
      try lookAhead(selection, session, &report)
    } catch {
      report.problem = error.hinting(at: path)
    }
    return try finish(report, session)
  }

  /// What merge would do.
  private static func lookAhead(
    _ selection: Selection,
    _ session: Session,
    _ report: inout Report
  ) throws(CleaveError) {
    guard selection.isPart, let files = selection.files else { return }
    let plan = try TransferPlan.merge(
      selection,
      files,
      into: report.output,
      keepsMarker: false,
      kinds: []
    )
    let choice = EngineChoice(Workload(of: plan))
    report.plan = PlanReport("merge", merging: plan, choice.name)
    if session.settings.isVerbose {
      session.console.note("merge would take \(choice.name.rawValue): \(choice.reason)")
    }
    try session.work.tellDoubts(of: selection)
  }

  /// Shows what was found, and then what is wrong with it.
  private static func finish(_ report: Report, _ session: Session) throws(CleaveError) -> ExitCode?
  {
    try report.show(session)
    if let problem = report.problem { session.console.fail(problem.sentence) }
    return report.code
  }
}

/// What is shown of one operand.
private struct Report {
  private let selection: Selection
  let output: FilePath
  /// Why it cannot be merged, or what is wrong with the zip.
  var problem: CleaveError?

  init(_ selection: Selection) {
    self.selection = selection
    output =
      (selection.isPart ? selection.defaultOutput : nil) ?? selection.name
  }

  private var parts: [(path: FilePath, size: Int64)] {
    (selection.files ?? []).map { ($0.path, $0.status.size) }
  }
  private var manifest: FilePath? { selection.manifest?.path }
  private var isFile: Bool { !selection.isPart }

  /// What merging would do, where it can be done.
  var plan: PlanReport?

  /// What merging would end with, where it cannot be done.
  var code: ExitCode? { problem.flatMap { ExitCode($0.kind) } }

  private var total: Int64 { plan?.bytes ?? parts.reduce(0) { $0 &+ $1.size } }
  private var zipReport: ZipReport? { selection.archive.map { ZipReport($0) } }
  private var space: SpaceReport {
    SpaceReport(in: output.directory, needed: isFile ? 0 : total, largestFile: total)
  }
  /// Whether there is a name for what merge would make.
  private var hasOutput: Bool { isFile || selection.defaultOutput != nil }
  private var outputExists: Bool {
    hasOutput && (try? FileStatus.ifPresent(output, followingLinks: false)) != nil
  }

  func show(_ session: Session) throws(CleaveError) {
    if session.settings.writesJSON {
      return try session.write(
        JSONReport.Info(
          kind: selection.kind.rawValue,
          parts: plan?.parts ?? parts.map { JSONReport.File($0.path, bytes: $0.size) },
          output: hasOutput ? JSONReport.Name(output) : nil,
          outputExists: outputExists,
          bytes: total,
          engine: plan?.engine,
          space: space,
          manifest: manifest.map { JSONReport.Name($0) },
          stale: selection.stale.map { JSONReport.Name($0) },
          evidence: selection.evidence.lines.map { line in
            .init(topic: line.topic.rawValue, text: Self.spelled(line))
          },
          zip: zipReport,
          problem: problem?.sentence.spelled(for: session.page),
          missing: problem.flatMap { error in
            error.missing.isEmpty ? nil : error.missing.map { JSONReport.Name($0) }
          },
          exitCode: (code ?? .success).rawValue
        )
      )
    }
    if session.settings.isQuiet { return }
    for line in lines { try session.console.write(line + "\n") }
  }

  /// The line with the options of merge, which the evidence is about.
  private static func spelled(_ line: Evidence.Line) -> String { line.text.spelled(for: nil) }

  private var lines: [String] {
    if isFile { return fileLines }
    var lines = [
      "\(output): \(selection.kind.rawValue) of \(parts.count) \(parts.count == 1 ? "part" : "parts")\(state)"
    ]
    lines += zipReport?.lines ?? []
    lines += parts.map { "  \($0.path.lastComponent)  \(ByteSize.described($0.size))" }
    lines += selection.evidence.lines.map { line in
      let topic = line.topic.rawValue
      return "  \(topic)\(String(repeating: " ", count: 10 - topic.count))\(Self.spelled(line))"
    }
    let taken = outputExists ? ", which exists" : ""
    if problem == nil {
      let made = hasOutput ? "\(output)\(taken)" : "-o is needed: the parts tell no name"
      lines.append("  merged    \(made), \(ByteSize.described(total))")
      lines += space.lines
    }
    return lines
  }

  private var state: String {
    switch problem?.kind {
    case nil: ""
    case .missingInput?: ", incomplete"
    case _?: ", which cannot be merged so"
    }
  }

  private var fileLines: [String] {
    ["\(output): \(ByteSize.described(total))"] + (zipReport?.lines ?? []) + [
      "  manifest  \(manifest.map(\.description) ?? "none")",
      "  space     \(space.free.map { ByteSize.described($0) + " free" } ?? "unknown")",
    ]
  }
}
