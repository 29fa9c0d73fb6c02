import Cleave
import CommandLineKit
import Posix

/// Tells results to programs: one object, the last line of standard output.
struct JSONReporter: Reporter {
  let session: Session

  // MARK: Results

  func tell(_ merge: Merge, _ outcome: Outcome) throws(CleaveError) {
    let (report, selection) = (outcome.report, merge.selection)
    // A store tells CRC-32s, or nothing.
    let kinds =
      !report.isInStore ? merge.kinds : report.knowsSums ? merge.kinds.intersection(.crc32) : []
    let (whole, digests) = (report.whole, report.digests)
    var object = transfer(session.page.name, report, bytes: whole.count)
    object.parts = report.sources.enumerated().map { index, sum in
      JSONReport.File(selection.names[index], sum, kinds, digests.part(index))
    }
    object.output = JSONReport.File(merge.output, bytes: whole.count)
    object.manifest = selection.manifest.map { JSONReport.Name($0.path) }
    object.tell(outcome.verdict)
    object.tell(whole, kinds, digests)
    (object.kind, object.entries) = (selection.kind.rawValue, selection.entries)
    try write(object, isIncidental: true)
  }

  func tell(
    _ share: WorkShare?,
    of output: FilePath,
    _ result: WorkShare.Result
  ) throws(CleaveError) {
    var missing: [Int] = []
    if case .waiting(let numbers) = result { missing = numbers }
    let object = JSONReport.Share(
      command: session.page.name,
      output: JSONReport.Name(output),
      share: share?.number,
      shares: share?.count,
      missing: missing
    )
    try write(object, isIncidental: true)
  }

  func tell(_ prepared: Split.Prepared, _ outcome: Outcome) throws(CleaveError) {
    let (split, report, whole) = (prepared.split, outcome.report, prepared.whole(outcome.report))
    var object = transfer("split", report, bytes: whole.count)
    object.parts = report.destinations.enumerated().map { number, sum in
      JSONReport.File(split.naming.name(number), sum, split.kinds, report.digests.part(number))
    }
    (object.manifest, object.manifests) = (split.manifestNames.first, split.manifestNames)
    object.joiners = split.joinerNames
    object.tell(whole, split.kinds.isEmpty ? [] : [.crc32, .adler32], report.digests)
    try write(object, isIncidental: true)
  }

  func tell(_ prepared: Repair.Prepared, _ outcome: Outcome) throws(CleaveError) {
    let (repair, report) = (prepared.repair, outcome.report)
    var object = transfer("repair", report, bytes: report.bytes)
    object.parts = [JSONReport.File(repair.file)]
    object.output = JSONReport.File(repair.output, bytes: report.bytes)
    object.tell(outcome.verdict)
    if !repair.kinds.isEmpty { object.crc32 = report.whole.crc32Text }
    object.kind = Selection.Kind.concatenatedZip.rawValue
    try write(object, isIncidental: true)
  }

  private func transfer(
    _ command: String,
    _ report: JobReport,
    bytes: Int64
  ) -> JSONReport.Transfer {
    session.noteRun(report)
    return JSONReport.Transfer(
      command: command,
      engine: report.isInStore ? "store" : report.engine?.rawValue ?? "custom",
      bytes: bytes,
      seconds: session.seconds,
      peakMemory: ProcessState.peakResidentBytes
    )
  }

  // MARK: Dry runs

  func tell(_ merge: Merge, _ forecast: Forecast) throws(CleaveError) {
    var object = JSONReport.Plan("merge", forecast)
    object.output = JSONReport.File(merge.output, bytes: forecast.bytes)
    object.manifest = merge.compared.map { JSONReport.Name($0.path) }
    (object.kind, object.entries) = (merge.selection.kind.rawValue, merge.selection.entries)
    try write(object)
  }

  func tell(_ prepared: Split.Prepared, _ forecast: Forecast) throws(CleaveError) {
    let split = prepared.split
    var object = JSONReport.Plan("split", forecast)
    let source = prepared.plan?.sources.first
    object.source = source.map { JSONReport.File($0.path, bytes: $0.status.size) }
    (object.manifest, object.manifests) = (split.manifestNames.first, split.manifestNames)
    object.joiners = split.joinerNames
    try write(object)
  }

  func tell(_ prepared: Repair.Prepared, _ forecast: Forecast) throws(CleaveError) {
    var object = JSONReport.Plan("repair", forecast)
    object.output = JSONReport.File(prepared.repair.output, bytes: forecast.bytes)
    object.kind = Selection.Kind.concatenatedZip.rawValue
    object.entries = prepared.entries
    try write(object)
  }

  func tell(_ plan: Verify.Plan) throws(CleaveError) {
    let files = { (add: Adding) throws(CleaveError) in
      try plan.eachFile { file throws(CleaveError) in try add(JSONReport.VerifyPlan.File(file)) }
    }
    try write(JSONReport.VerifyPlan(plan), filling: ["files": files])
  }

  // MARK: The rest

  func tell(_ result: Verify.Result) throws(CleaveError) {
    for remark in result.remarks { session.console.remark(remark) }
    try session.tell(result) { _ in }
    let object = JSONReport.Verification(
      summary: JSONReport.Summary(result.summary),
      exitCode: ExitCode(result.worst).rawValue,
      seconds: session.seconds
    )
    try write(
      object,
      filling: [
        "bad": { (add) throws(CleaveError) in
          try result.eachBad { path throws(CleaveError) in try add(JSONReport.Name(path)) }
        },
        "files": { (add) throws(CleaveError) in
          for finding in result.findings { try add(JSONReport.File(finding, for: session.page)) }
        },
      ]
    )
  }

  func tell(_ info: SeriesInfo) throws(CleaveError) {
    try write(JSONReport.Info(info, session.page))
  }

  /// All are told of at the end.
  func tell(removed: Cleaning.Removal) {}

  func tell(_ cleaning: Cleaning) throws(CleaveError) {
    let problems = cleaning.problems.map { $0.sentence.spelled(for: session.page) }
    try write(
      JSONReport.Cleaning(
        removed: cleaning.removed.map { JSONReport.File($0.path, bytes: $0.size) },
        dryRun: session.report.isDryRun ? true : nil,
        problems: problems.isEmpty ? nil : problems,
        exitCode: cleaning.code.rawValue
      ),
      isIncidental: true
    )
  }

  func tell(_ failure: Failure, _ code: ExitCode) {
    guard session.endsInObject else { return }
    let page = session.page
    switch failure {
    case .usage(let error):
      let object = JSONReport.Failure(command: page.name, error: error.message, code: code)
      try? write(object, isIncidental: true)
    case .job(let error):
      if error.system?.path == "standard output" { return }
      try? write(JSONReport.Failure(page, error: error, code: code), isIncidental: true)
    case .ended: break
    }
  }
}

// MARK: - Writing

extension JSONReporter {
  private func write(_ object: some Encodable, isIncidental: Bool = false) throws(CleaveError) {
    try session.console.write(try text(object) + "\n", isIncidental: isIncidental)
  }

  /// The object with what was told beside it.
  private func text(_ object: some Encodable) throws(CleaveError) -> String {
    session.console.endEvents()
    return try JSONReport.text(JSONReport.Told(object, session.console.told))
  }

  /// Adds a value to an array of an object.
  private typealias Adding = (any Encodable) throws(CleaveError) -> Void

  /// Writes an object with the values of some arrays encoded and written one by one: there may be more
  /// than a million.
  ///
  /// - Parameter fillings: by the names of arrays that are empty in the object, and in no other one
  ///   within it.
  private func write(
    _ object: some Encodable,
    filling fillings: [String: (Adding) throws(CleaveError) -> Void]
  ) throws(CleaveError) {
    var rest = Array(try text(object).utf8)[...]
    var output = ConsoleBuffer(session.console)
    // As the keys are sorted. In a string the quotation marks would be escaped.
    for (name, fill) in fillings.sorted(by: { $0.key < $1.key }) {
      let empty = Array("\"\(name)\":[]".utf8)
      guard let place = rest.indices.first(where: { rest[$0...].starts(with: empty) }) else {
        continue
      }
      let end = place + empty.count - 1
      try output.write(Array(rest[..<end]))
      rest = rest[end...]
      var isFirst = true
      try fill { value throws(CleaveError) in
        if !isFirst { try output.write([UInt8(ascii: ",")]) }
        isFirst = false
        try output.write(Array(try JSONReport.text(value).utf8))
      }
    }
    try output.write(rest + [UInt8(ascii: "\n")])
    try output.flush()
  }
}

extension Split {
  fileprivate var manifestNames: [JSONReport.Name] { manifests.map { JSONReport.Name($0.path) } }

  /// Nil where none were asked for.
  fileprivate var joinerNames: [JSONReport.Name]? {
    guard options.makesJoiners else { return nil }
    return joiners.map { JSONReport.Name($0.path(beside: prefix)) }
  }
}
