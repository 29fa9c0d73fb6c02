import Cleave
import CommandLineKit
import Posix

/// `cleave verify`: files against a manifest, without writing anything.
enum VerifyCommand {
  static let command = Command<Settings>(
    "verify",
    summary: "Check files against their manifest.",
    usage: ["cleave verify [OPTION]... [MANIFEST | PART | FILE]..."],
    options: [
      OptionRows.manifest(
        "Check the operands against FILE, not against NAME.sfv beside them."
      ),
      OptionRows.dryRun(short: "n"), OptionRows.progress,
    ] + OptionRows.general,
    details: """
      A MANIFEST, which ends in .sfv, stands for all files that it names; a PART for its whole \
      series, with the manifest beside it; any other FILE is checked against FILE.sfv. Without an \
      operand, every manifest in the current directory is checked.

      The exit code is 0 only if everything that the manifests name is there and the same.
      """,
    examples: [
      .init("cleave verify gcd.mp4.zip.sfv", "Check the parts before sending them on."),
      .init("cleave verify gcd.mp4.zip", "Check the merged file against the parts' manifest."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.contains("-") else {
      throw usage("standard input has no manifest beside it; verify needs files")
    }
    let choice = session.settings.manifest
    guard choice != .none else { throw usage("verify needs a manifest to compare with") }
    let paths = try job { () throws(CleaveError) in
      operands.isEmpty ? try manifestsHere() : operands
    }
    // An operand that cannot be checked keeps none of the others from being checked.
    let checks = paths.map { path in
      (path, Result { () throws(CleaveError) in try Check(path, choice) })
    }
    return try Verification(session: session, checks: checks).run()
  }

  private static func manifestsHere() throws(CleaveError) -> [FilePath] {
    let names: [FilePath]
    do { names = try FileSystem.names(in: ".") } catch { throw .reading(error) }
    let manifests = names.filter(Check.isManifest).sorted()
    guard !manifests.isEmpty else {
      throw CleaveError(.missingInput, "no manifest (NAME.sfv) in the current directory")
    }
    return manifests
  }
}

/// A manifest and the files to compare with it.
private struct Check {
  let manifest: Manifest
  let files: [FilePath]
  /// The name of what the files make when they are put together, or of the only file itself.
  let base: FilePath
  let kind: Kind

  enum Kind {
    /// All parts of one series, and perhaps other files.
    case parts
    /// The whole, which the manifest describes but need not list.
    case whole
  }

  static func isManifest(_ path: FilePath) -> Bool {
    path.bytes.count > 4 && path.bytes.suffix(4).map { $0 | 0x20 } == Array(".sfv".utf8)
  }

  init(_ path: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    if choice == .automatic, Self.isManifest(path) {
      self = try Check(all: Manifest(reading: path))
    } else if let check = try Check(series: path, choice) {
      self = check
    } else {
      self = try Check(whole: path, choice)
    }
  }

  private init(manifest: Manifest, files: [FilePath], base: FilePath, kind: Kind) {
    self.manifest = manifest
    self.files = files
    self.base = base
    self.kind = kind
  }

  /// Everything that a manifest names.
  private init(all manifest: Manifest) throws(CleaveError) {
    guard !manifest.sfv.entries.isEmpty else {
      throw CleaveError(.badData, manifest.path, "names no files")
    }
    let base = FilePath(bytes: manifest.path.bytes.dropLast(4))
    let files = manifest.sfv.entries.map(manifest.file)
    self.init(manifest: manifest, files: files, base: base, kind: .parts)
  }

  /// The whole series of a part; nil where the file is no part, or no manifest knows it as one.
  private init?(series part: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    guard let base = PartName(part.lastComponent).map({ part.sibling($0.base) }),
      let manifest = try choice.manifest(beside: base)
    else { return nil }
    let entries = manifest.parts(of: base)
    if entries.isEmpty { return nil }
    // Beside the operand, where a manifest given by its name need not be.
    var files = entries.map { part.sibling($0.name) }
    // What was asked about is looked at, also where the manifest does not know it.
    if !entries.contains(where: { $0.name == part.lastComponent }) { files.append(part) }
    self.init(manifest: manifest, files: files, base: base, kind: .parts)
  }

  /// A file by itself.
  private init(whole path: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    _ = try SourceFile(examining: path)
    guard let manifest = try choice.manifest(beside: path) else {
      throw CleaveError(
        .missingInput,
        path,
        "there is no \(path.lastComponent).sfv to compare with"
      )
    }
    self.init(manifest: manifest, files: [path], base: path, kind: .whole)
  }
}

/// All checks of one command, and what came of them.
private struct Verification {
  let session: Session
  let checks: [(operand: FilePath, check: Result<Check, CleaveError>)]

  /// What was found of one file.
  private struct Finding {
    var report: JSONReport.File
    var code: ExitCode
    var text: String
  }

  func run() throws(Failure) -> ExitCode {
    if session.settings.isDryRun { return try describe() }
    var findings: [Finding] = []
    for (operand, check) in checks {
      switch check {
      case .success(let check): findings += verify(check)
      case .failure(let error): findings.append(unreadable(operand, error))
      }
      if session.cancellation.isCancelled { throw .job(.cancelled) }
    }
    // The worst first: what could not be read says least about the files.
    let order: [ExitCode] = [
      .exhausted,
      .inputOutput, .notPermitted, .tryAgain, .badData, .different, .noInput,
    ]
    let codes = Set(findings.map(\.code))
    let code = order.first(where: codes.contains) ?? codes.first { $0 != .success } ?? .success
    session.noteSpeed(
      of: "checked \(findings.count) files",
      bytes: session.progress.bytes
    )
    try tell(findings, code)
    return code
  }

  private func verify(_ check: Check) -> [Finding] {
    let examined = check.files.map { path in
      Result { () throws(CleaveError) in try SourceFile(examining: path) }
    }
    var job = VerifyJob()
    job.kinds = check.manifest.sfv.whole == nil ? [.crc32] : [.crc32, .adler32]
    job.cancellation = session.cancellation
    job.progress = session.progress
    var sums = job.run(examined.compactMap { try? $0.get() }).makeIterator()
    var results: [Result<Checksum, CleaveError>] = []
    for file in examined {
      switch file {
      case .failure(let error): results.append(.failure(error))
      case .success: results.append(sums.next() ?? .failure(.cancelled))
      }
    }
    return findings(check, results)
  }

  private func findings(_ check: Check, _ results: [Result<Checksum, CleaveError>]) -> [Finding] {
    var readable: [(path: FilePath, checksum: Checksum)] = []
    var findings: [Finding] = []
    for (path, result) in zip(check.files, results) {
      switch result {
      case .success(let sum): readable.append((path, sum))
      case .failure(let error): findings.append(unreadable(path, error))
      }
    }
    let isComplete = findings.isEmpty
    var different: [FilePath: String] = [:]
    for difference in differences(check, readable, isComplete) {
      different[difference.path] = difference.text
    }
    findings += readable.map { path, sum in
      finding(path, sum, different.removeValue(forKey: path))
    }
    // What is left is about the whole, which is no file here.
    findings += different.map { path, text in finding(path, nil, text) }
    return findings
  }

  private func differences(
    _ check: Check,
    _ files: [(path: FilePath, checksum: Checksum)],
    _ isComplete: Bool
  ) -> [Manifest.Difference] {
    switch check.kind {
    case .whole: return check.manifest.differences(ofWhole: files)
    case .parts:
      // Other files may be listed with the parts; the whole is made of the parts alone.
      let names = Set(check.manifest.parts(of: check.base).map(\.name))
      let parts = files.filter { names.contains($0.path.lastComponent) }
      let whole = parts.reduce(into: Checksum.empty) { $0.append($1.checksum) }
      return check.manifest.differences(
        parts: files,
        whole: isComplete && !parts.isEmpty ? whole : nil,
        of: check.base
      )
    }
  }

  private func finding(_ path: FilePath, _ sum: Checksum?, _ problem: String?) -> Finding {
    var report = JSONReport.File(path, sum)
    report.status = problem == nil ? "ok" : "different"
    report.problem = problem
    return Finding(
      report: report,
      code: problem == nil ? .success : .different,
      text: "\(path)\(problem.map { ": \($0)" } ?? ": OK")"
    )
  }

  private func unreadable(_ path: FilePath, _ error: CleaveError) -> Finding {
    var report = JSONReport.File(path)
    let isMissing = error.kind == .missingInput
    report.status = isMissing ? "missing" : "unreadable"
    report.problem = error.message
    let code = ExitCode(error.kind) ?? .inputOutput
    return Finding(report: report, code: code, text: error.message)
  }

  // MARK: Telling

  private func tell(_ findings: [Finding], _ code: ExitCode) throws(Failure) {
    try job { () throws(CleaveError) in
      for finding in findings {
        if finding.code != .success {
          session.console.fail(finding.text)
        } else if !session.settings.writesJSON {
          try session.console.report(finding.text)
        }
      }
      if session.settings.writesJSON {
        try session.write(
          JSONReport.Verification(
            files: findings.map(\.report),
            exitCode: code.rawValue,
            seconds: session.seconds
          )
        )
      }
    }
  }

  private func describe() throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var known: [Check] = []
      for (_, check) in checks { known.append(try check.get()) }
      let files = known.flatMap(\.files)
      if session.settings.writesJSON {
        let report = JSONReport.Verification(
          files: files.map { JSONReport.File($0) },
          exitCode: 0,
          seconds: session.seconds,
          dryRun: true
        )
        return try session.write(report)
      }
      for check in known {
        for file in check.files { try session.console.report("\(file), by \(check.manifest.path)") }
      }
    }
    return .success
  }
}
