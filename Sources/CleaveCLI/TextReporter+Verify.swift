import Cleave
import CommandLineKit
import Posix

extension TextReporter {
  func tell(_ result: Verify.Result) throws(CleaveError) {
    let listsBad = session.report.listsBad
    try session.tell(result) { line throws(CleaveError) in
      if !listsBad { try console.report(line.spelled(for: session.page)) }
    }
    if listsBad { return try listBad(result) }
    // A line for each manifest where there are several, and one for all.
    let compared = result.sections.filter { $0.manifest != nil }
    for section in compared where compared.count > 1 {
      guard let manifest = section.manifest else { continue }
      let summary = Verify.Summary(of: [section.findings])
      try console.report("\(manifest.lastComponent): \(summary)")
    }
    try console.report("\(result.summary)")
  }

  private func listBad(_ result: Verify.Result) throws(CleaveError) {
    let isRaw = session.report.endsNamesWithNull
    var output = ConsoleBuffer(console)
    try result.eachBad { path throws(CleaveError) in
      try output.write(isRaw ? path.bytes + [0] : Array("\(path)\n".utf8))
    }
    try output.flush()
  }

  func tell(_ plan: Verify.Plan) throws(CleaveError) {
    try plan.eachFile { file throws(CleaveError) in
      let size = file.size.map { ByteSize.described($0) } ?? "missing"
      try console.report("\(file.path): \(size), by \(file.manifest)")
    }
    for zip in plan.zips {
      let entries = zip.entries.counted("entry", "entries")
      try console.report("\(zip.path): \(ByteSize.described(zip.size)), \(entries) of the zip")
    }
    for content in plan.contents {
      try console.report("\(content.path): \(ByteSize.described(content.size)), by \(content.by)")
    }
    try console.report("\(ByteSize.described(plan.bytes)) to read")
  }
}
