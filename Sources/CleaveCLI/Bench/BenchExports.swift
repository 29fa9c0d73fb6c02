import Cleave
import CommandLineKit
import Posix

/// The files that the results are written to as well. Like other outputs they have their names only
/// when they are whole.
struct BenchExports: Sendable {
  private let console: Console
  private let outputs: Outputs
  /// Those for standard output have no file.
  private let wanted: [(form: Form, file: Int?)]

  private enum Form: CaseIterable { case json, csv, markdown }

  /// Makes the temporaries, so that what is in the way is told before anything runs.
  init(_ session: Session, inputs: SourceFiles) throws(Failure) {
    let bench = session.settings.bench
    let named = zip(Form.allCases, [bench.jsonFile, bench.csvFile, bench.markdownFile])
      .compactMap { form, path in path.map { (form: form, path: $0) } }
    guard Set(named.map(\.path)).count == named.count else {
      throw usage("two exports cannot go to the same place")
    }
    let outputs = Outputs(session.settings.outputOptions)
    session.cancellation.subscribe {
    } abandoned: { [weak outputs] in
      outputs?.discard()
    }
    (console, self.outputs) = (session.console, outputs)
    let identities = Set(inputs.map(\.status.identity))
    var wanted: [(form: Form, file: Int?)] = []
    do throws(CleaveError) {
      for (form, path) in named {
        if path == "-" {
          wanted.append((form, nil))
          continue
        }
        try OutputCheck.check(path, session.settings.outputOptions, inputs: identities)
        let index = outputs.add(path)
        _ = try outputs.open(index)
        wanted.append((form, index))
      }
    } catch {
      outputs.discard()
      throw .job(error)
    }
    self.wanted = wanted
  }

  /// Whether one of them takes standard output.
  var takeStandardOutput: Bool { wanted.contains { $0.file == nil } }

  func write(_ report: BenchReport) throws(CleaveError) {
    for (form, file) in wanted {
      let text = try Self.text(report, form)
      if let file {
        try outputs.finish(file, with: Array(text.utf8))
      } else {
        try console.write(text)
      }
    }
    try outputs.publish()
  }

  /// Removes what has not got its name.
  func discard() { outputs.discard() }

  private static func text(_ report: BenchReport, _ form: Form) throws(CleaveError) -> String {
    switch form {
    case .json: try JSONReport.text(BenchJSON(report)) + "\n"
    case .csv: BenchCSV(report: report).text
    case .markdown: BenchTable(report).markdown
    }
  }
}
