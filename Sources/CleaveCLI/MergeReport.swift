import Cleave
import CommandLineKit
import Posix

/// What is told of one merge.
struct MergeReport {
  let session: Session
  let merge: Merge
  private var selection: Selection { merge.selection }
  private var output: FilePath { merge.output }

  /// Carries it out, or only says what it would do.
  func run() throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      if session.settings.isDryRun { try describe(merge.prepare()) } else { try tell(merge.run()) }
      return .success
    }
  }

  func tell(_ outcome: Outcome) throws(CleaveError) {
    let (report, verdict) = (outcome.report, outcome.verdict)
    let (parts, whole, digests) = (report.sources, report.whole, report.digests)
    let kinds = merge.kinds
    session.noteRun(report)
    let isSummed = kinds.contains(.crc32)
    if session.settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "merge",
          engine: report.engineName,
          bytes: whole.count,
          parts: parts.indices.map {
            JSONReport.File(selection.names[$0], parts[$0], kinds, digests.part($0))
          },
          output: JSONReport.File(output, bytes: whole.count),
          manifest: selection.manifest.map { JSONReport.Name($0.path) },
          verified: verdict.isVerified,
          proof: JSONReport.Proof.all(verdict),
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: kinds.contains(.adler32) ? whole.adler32Text : nil,
          digests: JSONReport.digests(digests.whole),
          kind: selection.kind.rawValue,
          entries: selection.entries,
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    var line =
      "\(shownOutput): \(ByteSize.described(whole.count)) from \(selection.described(parts.count))"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    try session.console.report("\(line), \(verdict)")
    try session.tellSums(shownOutput, whole, digests.whole)
  }

  private var shownOutput: String { output == "-" ? "standard output" : "\(output)" }

  /// What `--dry-run` tells.
  func describe(_ prepared: Merge.Prepared) throws(CleaveError) {
    let (engine, isStream) = (prepared.engine, prepared.isStream)
    var report: PlanReport
    if let plan = prepared.plan {
      report = PlanReport("merge", merging: plan, engine)
      let manner = session.settings.consumes ? SourceReclaim.parts : nil
      if !isStream {
        let found = merge.resumption
        try session.complete(&report, plan, engine, making: output, consuming: manner, found)
      }
    } else {
      report = PlanReport("merge", merging: selection.sources.map(\.reported), engine)
      if !isStream {
        try OutputCheck.check(output, session.settings.outputOptions, inputs: [])
      }
    }
    report.output = JSONReport.File(output, bytes: prepared.plan?.totalBytes)
    report.manifest = selection.manifest.map { JSONReport.Name($0.path) }
    (report.kind, report.entries) = (selection.kind.rawValue, selection.entries)
    let size = prepared.plan.map { ByteSize.described($0.totalBytes) } ?? "unknown size"
    let manifest = selection.manifest.map { ", to be compared with \($0.name)" } ?? ""
    try session.show(
      report,
      "\(shownOutput): \(size) from \(selection.described(report.parts.count)), "
        + "by the \(engine.rawValue) engine\(manifest)"
    )
  }
}

extension Selection.Source {
  fileprivate var reported: JSONReport.File {
    if case .file(let file) = self {
      JSONReport.File(file.path, bytes: file.status.size)
    } else {
      JSONReport.File("-")
    }
  }
}

extension Selection {
  /// What the parts were recognized as, with their number.
  func described(_ count: Int) -> String {
    let parts = count == 1 ? "1 part" : "\(count) parts"
    guard kind.isZip, let entries else { return parts }
    let what = kind == .zipPieces ? "zip" : kind.rawValue
    return "\(parts) of a \(what) with \(entries) \(entries == 1 ? "entry" : "entries")"
  }
}
