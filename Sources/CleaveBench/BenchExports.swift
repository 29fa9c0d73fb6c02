package import Cleave
import CommandLineKit
import Posix

/// The files that the results are also written to. Like other outputs, each gets its name only when it
/// is complete.
package struct BenchExports: Sendable {
  private let outputs: Outputs
  private let subscription: Cancellation.Subscription
  /// The index of each file in the outputs; nil for standard output.
  private let wanted: [(form: Form, file: Int?)]

  private enum Form: CaseIterable { case json, csv, markdown, page }

  /// Makes the temporary files, so that the user learns of obstacles before anything runs.
  package init(
    _ context: BenchContext,
    _ options: OutputOptions,
    inputs: SourceFiles
  ) throws(BenchFailure) {
    let bench = context.settings
    let files = [bench.jsonFile, bench.csvFile, bench.markdownFile, bench.pageFile]
    let named = zip(Form.allCases, files)
      .compactMap { form, path in path.map { (form: form, path: $0) } }
    guard Set(named.map(\.path)).count == named.count else {
      throw usage("two exports cannot go to the same place")
    }
    let outputs = Outputs(options)
    subscription = context.cancellation.subscribe {
    } abandoned: { [weak outputs] in
      outputs?.discard()
    }
    self.outputs = outputs
    let identities = Set(inputs.map(\.status.identity))
    var wanted: [(form: Form, file: Int?)] = []
    do throws(CleaveError) {
      for (form, path) in named {
        if path == "-" {
          wanted.append((form, nil))
          continue
        }
        try Journal.requireNonePublished([path])
        try OutputCheck.check(path, options, inputs: identities)
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

  /// Whether one of them goes to standard output.
  package var takeStandardOutput: Bool { wanted.contains { $0.file == nil } }

  /// - Parameter write: writes to standard output.
  package func write(
    _ report: BenchReport,
    toStandardOutput write: (String) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    for (form, file) in wanted {
      let text = try Self.text(report, form)
      if let file {
        try outputs.finish(file, with: Array(text.utf8))
      } else {
        try write(text)
      }
    }
    try outputs.publish { paths throws(CleaveError) in try Journal.requireNonePublished(paths) }
  }

  /// Removes the files that do not have their names yet.
  package func discard() { outputs.discard() }

  private static func text(_ report: BenchReport, _ form: Form) throws(CleaveError) -> String {
    switch form {
    case .json:
      do {
        return try JSONText.of(BenchJSON(report)) + "\n"
      } catch {
        throw CleaveError(.inputOutput, "the JSON report could not be encoded")
      }
    case .csv: return BenchCSV(report: report).text
    case .markdown: return BenchTable(report).markdown
    case .page: return BenchPage(report).text
    }
  }
}
