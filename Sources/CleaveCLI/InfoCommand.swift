import Cleave
import CommandLineKit
import Posix

/// `cleave info`: what a part belongs to, and what merging it would need.
enum InfoCommand {
  static let command = Command<Settings>(
    "info",
    summary: "Show what a part belongs to, and what merging it would write.",
    usage: ["cleave info [OPTION]... {PART | FILE}..."],
    options: OptionRows.general,
    details: """
      Shows the series with its parts and sizes, the manifest, the name and size of what merge would \
      write, and the disk space needed and free. Of a zip it also shows what made it, what is in it \
      and how. Missing parts are named, with exit code 66, and nothing is said of merging then.
      """,
    examples: [.init("cleave info gcd.mp4.zip.002", "Any one part is enough.")]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.isEmpty else { throw usage("a part or file to show is missing") }
    guard operands.count == 1 || !session.settings.writesJSON else {
      throw usage("--json writes one object, and so shows one operand")
    }
    var code = ExitCode.success
    for path in operands {
      try job { () throws(CleaveError) in
        let problem: ExitCode?
        if let series = try PartSeries.containing(path) {
          problem = try show(series, of: path, session)
        } else if let series = try SplitZipSeries.containing(path),
          !series.numbered.isEmpty || series.last == nil
        {
          problem = try show(series, of: path, session)
        } else {
          problem = try show(SourceFile(examining: path), session)
        }
        code = problem ?? code
      }
    }
    return code
  }

  /// Returns what merging would end with, where it cannot be done.
  private static func show(
    _ series: PartSeries,
    of path: FilePath,
    _ session: Session
  ) throws(CleaveError) -> ExitCode? {
    let manifest = try Manifest.beside(series.base)
    let names = manifest?.parts(of: series.base).map(\.name)
    var report = Report(
      kind: "numbered series",
      parts: series.parts.map { ($0.path, $0.size) },
      output: series.base,
      manifest: manifest?.path
    )
    do throws(CleaveError) {
      let (complete, stale) = try series.requireComplete(named: names)
      report.parts = complete.parts.map { ($0.path, $0.size) }
      report.stale = stale.map(\.path)
      // Whatever else merge would object to.
      let selection = try MergeSelection([path], manifest: .automatic)
      if session.settings.isVerbose, let files = selection.files,
        let plan = try? TransferPlan.merge(files, into: series.base)
      {
        let choice = AutomaticEngine(Circumstances(of: plan))
        session.console.note("merge would take \(choice.name.rawValue): \(choice.reason)")
      }
      report.zip = try ZipSubject(of: path)?.archive
    } catch {
      report.problem = error
    }
    return try finish(report, session)
  }

  private static func show(
    _ series: SplitZipSeries,
    of path: FilePath,
    _ session: Session
  ) throws(CleaveError) -> ExitCode? {
    let names = series.numbers.map(series.name) + (series.last.map { [$0] } ?? [])
    var report = Report(
      kind: "split zip",
      parts: [],
      output: series.whole(".merged"),
      manifest: try Manifest.beside(series.lastName)?.path
    )
    do {
      let subject = try ZipSubject(of: path)
      report.zip = subject?.archive
      report.kind = subject?.kind.rawValue ?? report.kind
      report.stale = subject?.stale ?? []
      report.parts = (subject?.sources ?? []).map { ($0.path, $0.status.size) }
      // Whatever else merge would object to.
      let selection = try MergeSelection([path], manifest: .automatic)
      let output = report.output
      report.merged = try selection.files.map { files throws(CleaveError) in
        try TransferPlan.merge(selection, files, into: output, keepsMarker: false, kinds: [])
          .totalBytes
      }
    } catch {
      for name in names {
        guard let status = try? FileStatus.of(name) else { continue }
        report.parts.append((name, status.size))
      }
      report.problem = error
    }
    return try finish(report, session)
  }

  private static func show(
    _ file: SourceFile,
    _ session: Session
  ) throws(CleaveError) -> ExitCode? {
    let manifest = Manifest.path(beside: file.path)
    let hasManifest = (try? FileStatus.ifPresent(manifest)) != nil
    var report = Report(
      kind: "file",
      parts: [(file.path, file.status.size)],
      output: file.path,
      manifest: hasManifest ? manifest : nil
    )
    do {
      report.zip = try ZipSubject(of: file.path)?.archive
    } catch {
      report.problem = error
    }
    return try finish(report, session)
  }

  /// Shows what was found, and then what is wrong with it.
  private static func finish(_ report: Report, _ session: Session) throws(CleaveError) -> ExitCode?
  {
    try report.show(session)
    if let problem = report.problem { session.console.fail(problem.message) }
    return report.problem.flatMap { ExitCode($0.kind) }
  }
}

/// What is shown of one operand.
private struct Report {
  var kind: String
  var parts: [(path: FilePath, size: Int64)]
  let output: FilePath
  let manifest: FilePath?
  var stale: [FilePath] = []
  /// The zip that it is, or that the parts make.
  var zip: ZipArchive?
  /// Why it cannot be merged, or what is wrong with the zip.
  var problem: CleaveError?

  /// Bytes of the output, where they are not those of the parts.
  var merged: Int64?

  private var total: Int64 { merged ?? parts.reduce(0) { $0 &+ $1.size } }
  private var zipReport: ZipReport? { zip.map { ZipReport($0) } }
  private var free: Int64? { try? FileSystem.available(at: output.directory) }
  private var outputExists: Bool {
    (try? FileStatus.ifPresent(output, followingLinks: false)) != nil
  }

  func show(_ session: Session) throws(CleaveError) {
    if session.settings.writesJSON {
      return try session.write(
        JSONReport.Info(
          kind: kind,
          parts: parts.map { JSONReport.File($0.path, bytes: $0.size) },
          output: JSONReport.Name(output),
          outputExists: outputExists,
          bytes: total,
          free: free,
          manifest: manifest.map { JSONReport.Name($0) },
          stale: stale.map { JSONReport.Name($0) },
          zip: zipReport,
          problem: problem?.message
        )
      )
    }
    if session.settings.isQuiet { return }
    for line in lines { try session.console.write(line + "\n") }
  }

  private var lines: [String] {
    guard kind != "file" else { return fileLines }
    var lines = [
      "\(output): \(kind) of \(parts.count) \(parts.count == 1 ? "part" : "parts")\(problem == nil ? "" : ", incomplete")"
    ]
    lines += zipReport?.lines ?? []
    lines += parts.map { "  \($0.path.lastComponent)  \(ByteSize.described($0.size))" }
    lines += stale.map { "  \($0.lastComponent)  left over from a longer series" }
    lines.append("  manifest  \(manifest.map(\.description) ?? "none")")
    let taken = outputExists ? ", which exists" : ""
    if problem == nil {
      lines.append("  merged    \(output)\(taken), \(ByteSize.described(total))")
      lines.append("  space     \(spaceNeeded)")
    }
    return lines
  }

  private var fileLines: [String] {
    ["\(output): \(ByteSize.described(total))"] + (zipReport?.lines ?? []) + [
      "  manifest  \(manifest.map(\.description) ?? "none")",
      "  space     \(free.map { ByteSize.described($0) + " free" } ?? "unknown")",
    ]
  }

  private var spaceNeeded: String {
    let needed = "\(ByteSize.described(total)) needed"
    guard let free else { return needed }
    let missing = free < total ? ", \(ByteSize.described(total - free)) too few" : ""
    return "\(needed), \(ByteSize.described(free)) free\(missing)"
  }
}
