import Cleave
import CommandLineKit
import Posix

/// What was found of a zip: a line for each entry that is wrong or was not tested, and one for all.
struct ZipFindings {
  let all: [Finding]

  init(
    _ zip: Selection,
    _ archive: ZipArchive,
    _ name: FilePath,
    _ report: EntryVerification.Report,
    isQuick: Bool
  ) {
    var all: [Finding] = []
    let layout = archive.bytes.layout
    let lists = [(report.bad, JSONReport.Status.different), (report.notTested, .notTested)]
    for (findings, status) in lists {
      let suffix = status == .notTested ? ": not tested" : ""
      all += findings.named.map { entry in
        let place = status == .different ? layout.lies(entry.place) : ""
        return Self.finding(
          name,
          status,
          "'\(entry.name)' \(entry.text)\(place)\(suffix)",
          entry: entry.name
        )
      }
      let others = findings.count - Int64(findings.named.count)
      if others > 0 { all.append(Self.finding(name, status, "and \(others) more\(suffix)")) }
    }
    let bad = report.bad.count
    let entries = zip.entries ?? 0
    let count = entries == 1 ? "1 entry" : "\(entries) entries"
    let kind =
      "\(zip.kind.rawValue)\(zip.sources.count > 1 ? " in \(zip.sources.count) parts" : "")"
    if bad == 0, report.notTested.count == 0 {
      let how = isQuick ? ": headers compared, data not read: OK" : " tested: OK"
      let notes = zip.archive?.notes.lines.joined(separator: "; ") ?? ""
      let told = notes.isEmpty ? "" : " (\(notes))"
      all.append(Self.finding(name, .ok, "\(kind), \(count)\(how)\(told)"))
    } else {
      all.append(
        Self.finding(
          name,
          bad > 0 ? .different : .notTested,
          "\(kind), \(report.fine) of \(count) tested and right, \(bad) wrong, "
            + "\(report.notTested.count) not tested"
        )
      )
    }
    if bad > 0 {
      let names = Array(zip.names)
      // Of an entry in all of them, the zip does not know which part is wrong.
      let parts = Set(
        report.bad.named.map { layout.parts(covering: $0.place) }
          .filter { $0.count < names.count || names.count == 1 }.joined()
      )
      all[all.count - 1].bad = parts.sorted().filter(names.indices.contains).map { names[$0] }
    }
    self.all = all
  }

  private static func finding(
    _ zip: FilePath,
    _ status: JSONReport.Status,
    _ text: String,
    entry: FilePath? = nil
  ) -> Finding {
    var report = JSONReport.File(zip)
    report.status = status
    report.entry = entry.map { JSONReport.Name($0) }
    report.problem = status == .ok ? nil : text
    return Finding(
      report: report,
      code: status == .ok ? .success : .different,
      text: "\(zip): \(text)",
      isOfZip: true
    )
  }
}
