import Cleave
import CommandLineKit
import Posix

/// What is told of one split.
struct SplitReport {
  let session: Session
  let prepared: Split.Prepared
  private var split: Split { prepared.split }

  /// Carries it out, or only says what it would do.
  func run() throws(CleaveError) {
    if session.settings.isDryRun { return try describe() }
    try tell(prepared.run().report)
  }

  private func tell(_ report: JobReport) throws(CleaveError) {
    let (kinds, whole) = (split.kinds, prepared.whole(report))
    // As it is called by now, if an interrupted run has taken its name.
    let file = prepared.plan?.sources.first?.path ?? split.file
    session.noteRun(report)
    let (sums, digests) = (report.destinations, report.digests)
    let isSummed = !kinds.isEmpty
    if session.settings.writesJSON {
      return try session.write(
        JSONReport.Transfer(
          command: "split",
          engine: report.engineName,
          bytes: whole.count,
          parts: sums.enumerated().map { number, sum in
            JSONReport.File(split.naming.name(number), sum, kinds, digests.part(number))
          },
          manifest: manifestNames.first,
          manifests: manifestNames,
          joiners: joinerNames,
          crc32: isSummed ? whole.crc32Text : nil,
          adler32: isSummed ? whole.adler32Text : nil,
          digests: JSONReport.digests(digests.whole),
          seconds: session.seconds,
          peakMemory: ProcessState.peakResidentBytes
        ),
        isIncidental: true
      )
    }
    let source = file == "-" ? "standard input" : "\(file)"
    let last = sums.count > 1 ? " to \(split.naming.name(sums.count - 1))" : ""
    var line = "\(source): \(ByteSize.described(whole.count)) in \(split.naming.name(0))\(last)"
    if isSummed { line += ", CRC-32 \(whole.crc32Text)" }
    line += manifestText
    if let joiner = split.joiners.first {
      line += ", put together by \(joiner.path(beside: split.prefix))"
    }
    try session.console.report(line)
    try session.tellSums("\(file == "-" ? split.prefix : file)", whole, digests.whole)
  }

  private func describe() throws(CleaveError) {
    guard let plan = prepared.plan else { return }
    let engine = prepared.engine
    var report = PlanReport("split", splitting: plan, engine)
    let manner = session.settings.consumes ? SourceReclaim.tail : nil
    let found = prepared.resumption
    try session.complete(
      &report,
      plan,
      engine,
      making: split.prefix,
      consuming: manner,
      found
    )
    report.manifest = manifestNames.first
    report.manifests = manifestNames
    report.joiners = joinerNames
    let count = report.parts.count == 1 ? "1 part" : "\(report.parts.count) parts"
    try session.show(
      report,
      "\(split.file): \(ByteSize.described(plan.totalBytes)) in \(count), by the "
        + "\(engine.rawValue) engine\(manifestText)"
    )
  }

  private var manifestNames: [JSONReport.Name] { split.manifests.map { JSONReport.Name($0.path) } }

  /// Nil where none were asked for.
  private var joinerNames: [JSONReport.Name]? {
    guard split.options.makesJoiners else { return nil }
    return split.joiners.map { JSONReport.Name($0.path(beside: split.prefix)) }
  }

  /// The end of a sentence, or nothing.
  private var manifestText: String {
    let names = split.manifests.map(\.path.description).joined(separator: ", ")
    return switch split.manifests.count {
    case 0: ""
    case 1: ", manifest \(names)"
    default: ", manifests \(names)"
    }
  }
}
