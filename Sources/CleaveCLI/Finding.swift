import Cleave
import CommandLineKit
import Posix

/// What was found of one file, or of a zip.
struct Finding {
  var report: JSONReport.File
  var code: ExitCode
  /// For people.
  var text: String
  /// What would have to be fetched again.
  var bad: [FilePath] = []
  /// How many lines or files it is about.
  var count = 1
  /// Whether it is about a zip, by what is in it.
  var isOfZip = false

  /// What it counts as.
  enum State {
    case right, wrong, missing, notChecked
    /// Entries are counted by themselves.
    case ofZip
  }

  var state: State {
    switch report.status {
    case .ok: isOfZip ? .ofZip : .right
    case .missing: .missing
    case .different: isOfZip ? .ofZip : .wrong
    case .notTested: .ofZip
    case .unreadable, .notChecked, nil: .notChecked
    }
  }

  /// The same, and which bytes of the file are wrong; nothing new where that is not known.
  private func with(_ wrong: [Range<Int64>]) -> Finding {
    if wrong.isEmpty { return self }
    var finding = self
    finding.report.ranges = wrong.map {
      JSONReport.ByteRange(from: $0.lowerBound, to: $0.upperBound - 1)
    }
    let shown = wrong.prefix(Self.mostRanges).map { "\($0.lowerBound)-\($0.upperBound - 1)" }
    let more = wrong.count - shown.count
    finding.text += "; bytes \(shown.joined(separator: ", "))"
    finding.text += more > 0 ? " and \(more) more ranges differ" : " differ"
    return finding
  }

  /// In a line for people.
  private static let mostRanges = 20
}

extension Finding {
  /// What came of comparing with a manifest.
  ///
  /// - Parameter page: the command's, as everywhere here.
  init(_ outcome: ManifestCheck.Outcome, _ manifest: Manifest, for page: CommandPage) {
    let path = outcome.path
    switch outcome.result {
    case .unreadable(let error):
      self = .unreadable(path, error, bad: outcome.isFile ? [path] : [], for: page)
    case .notListed: self = .notChecked(path, "is not in \(manifest.name)", .different)
    case .withoutSum: self = .notChecked(path, "has no sum in \(manifest.name)", .different)
    case .same: self = Finding(path, outcome.reading)
    case .different(let problem):
      self = Finding(path, outcome.reading, problem, bad: outcome.isFile ? [path] : [])
      // Beside the parts may be the whole, which is right.
      if !outcome.isFile, path != manifest.path, let sum = problem.cut(behind: "has ") {
        text = "the parts of \(path) make \(sum)"
      }
    }
  }

  private init(
    _ path: FilePath,
    _ reading: VerifyJob.Reading?,
    _ problem: String? = nil,
    bad: [FilePath] = []
  ) {
    report = JSONReport.File(
      path,
      reading?.checksum,
      reading?.kinds ?? [],
      reading?.digests ?? []
    )
    report.status = problem == nil ? .ok : .different
    report.problem = problem
    code = problem == nil ? .success : .different
    text = "\(path)\(problem.map { ": \($0)" } ?? ": OK")"
    self.bad = bad
    self = with(reading?.wrong ?? [])
  }

  /// What the content said of itself.
  init(_ path: FilePath, _ result: ProofResult, bad: [FilePath], for page: CommandPage) {
    var verdict = Verdict()
    verdict.add(result)
    if verdict.isRight, verdict.proofs.isEmpty {
      self = .notChecked(path, "nothing in it could be compared", .different)
      return
    }
    report = JSONReport.File(path)
    report.status = verdict.isRight ? .ok : .different
    report.proof = JSONReport.Proof.all(verdict)
    report.problem = result.error?.sentence.spelled(for: page)
    code = verdict.isRight ? .success : .badData
    text = report.problem ?? "\(path): OK, \(verdict)"
    self.bad = verdict.isRight ? [] : bad
  }

  /// Nothing was compared.
  ///
  /// - Parameters:
  ///   - text: the end of a sentence that begins with the name.
  ///   - code: that of success where it was not asked for.
  static func notChecked(
    _ path: FilePath,
    _ text: String,
    _ code: ExitCode = .success,
    count: Int = 1
  ) -> Finding {
    var report = JSONReport.File(path)
    report.status = .notChecked
    report.problem = text
    return Finding(
      report: report,
      code: code,
      text: "\(path): \(text); not checked",
      count: count
    )
  }

  /// A file that could not be read to its end.
  static func unreadable(
    _ path: FilePath,
    _ error: CleaveError,
    bad: [FilePath] = [],
    for page: CommandPage
  ) -> Finding {
    var report = JSONReport.File(path)
    let told = error.sentence.spelled(for: page)
    // That there is no file is no failure of the system's.
    let isMissing = error.system?.errno == .notFound
    // What is compared with, and where it was looked for, are none of the files that are counted.
    let isAside = bad.isEmpty && error.path.map(isManifestOrDirectory) == true
    report.status = error.kind == .missingInput && !isAside ? .missing : .unreadable
    report.problem = isMissing ? "missing" : told
    let code = ExitCode(error.kind) ?? .inputOutput
    let text = isMissing ? "\(error.system?.path ?? path): missing" : told
    return Finding(
      report: report,
      code: code,
      text: text,
      bad: bad + error.missing,
      count: max(1, Int(clamping: error.missingCount))
    )
  }

  private static func isManifestOrDirectory(_ path: FilePath) -> Bool {
    Manifest.isName(path) || (try? FileStatus.ifPresent(path))??.kind == .directory
  }
}

extension String {
  /// What is behind a prefix; nil where it has another one.
  fileprivate func cut(behind prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
