import Cleave
import Posix

/// What was found of a zip: a line for each entry that is wrong or was not tested, and one for all.
struct ZipFindings {
  let all: [Finding]

  init(_ zip: ZipSubject, _ report: EntryVerification.Report, isQuick: Bool) {
    var all: [Finding] = []
    for (findings, status) in [(report.bad, "different"), (report.notTested, "not tested")] {
      let suffix = status == "not tested" ? ": not tested" : ""
      all += findings.named.map { name, text in
        Self.finding(zip, status, "'\(name)' \(text)\(suffix)", entry: name)
      }
      let others = findings.count - Int64(findings.named.count)
      if others > 0 { all.append(Self.finding(zip, status, "and \(others) more\(suffix)")) }
    }
    let bad = report.bad.count
    let entries = zip.archive.summary.entries
    let count = entries == 1 ? "1 entry" : "\(entries) entries"
    let kind =
      "\(zip.kind.rawValue)\(zip.sources.count > 1 ? " in \(zip.sources.count) parts" : "")"
    if bad == 0, report.notTested.count == 0 {
      let how = isQuick ? ": headers compared, data not read: OK" : " tested: OK"
      all.append(Self.finding(zip, "ok", "\(kind), \(count)\(how)"))
    } else {
      all.append(
        Self.finding(
          zip,
          bad > 0 ? "different" : "not tested",
          "\(kind), \(report.fine) of \(count) tested and right, \(bad) wrong, "
            + "\(report.notTested.count) not tested"
        )
      )
    }
    self.all = all
  }

  private static func finding(
    _ zip: ZipSubject,
    _ status: String,
    _ text: String,
    entry: FilePath? = nil
  ) -> Finding {
    var report = JSONReport.File(zip.name)
    report.status = status
    report.entry = entry.map { JSONReport.Name($0) }
    report.problem = status == "ok" ? nil : text
    return Finding(
      report: report,
      code: status == "ok" ? .success : .different,
      text: "\(zip.name): \(text)"
    )
  }
}
