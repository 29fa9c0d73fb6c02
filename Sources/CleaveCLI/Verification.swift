import Cleave
import CommandLineKit
import Posix

/// All checks of one command, and what came of them.
struct Verification {
  private let session: Session
  private let subjects: [(operand: FilePath, subject: Result<VerifySubject, CleaveError>)]
  /// What was found with each manifest, and without one.
  private var sections: [(manifest: Manifest?, findings: [Finding])] = []
  private var entries: [VerifySummary.Entries] = []

  init(
    _ session: Session,
    _ subjects: [(operand: FilePath, subject: Result<VerifySubject, CleaveError>)]
  ) {
    (self.session, self.subjects) = (session, subjects)
  }

  mutating func run() throws(Failure) -> ExitCode {
    if session.settings.isDryRun { return try describe() }
    var seen: Set<[FilePath]> = []
    var checked: [ManifestCheck] = []
    for (operand, subject) in subjects {
      switch subject {
      case .success(let subject):
        // Several parts of one series are one thing to check.
        guard seen.insert(subject.identity).inserted else { continue }
        if let check = subject.check {
          sections.append((check.manifest, verify(check)))
          checked.append(check)
        }
        switch subject.zip {
        case .success(let zip): sections.append((nil, verify(zip)))
        case .failure(let error):
          sections.append((nil, [.unreadable(error.system?.path ?? operand, error)]))
        case nil: break
        }
      case .failure(let error): sections.append((nil, [.unreadable(operand, error)]))
      }
      if session.cancellation.isCancelled { throw .job(.cancelled) }
    }
    noteUnlisted(checked)
    noteInterrupted()
    return try finish()
  }

  /// What is missing may be in the output of an interrupted run.
  private func noteInterrupted() {
    guard sections.contains(where: { $0.findings.contains { $0.report.status == .missing } }) else {
      return
    }
    let found = subjects.lazy.compactMap { Journal.interrupted(about: $0.operand) }.first
    guard let found else { return }
    session.console.warn(
      "\(found.output): a run that was interrupted has missing parts; \(found.journal.remedy)"
    )
  }

  /// Parts of the same series that no manifest lists.
  private mutating func noteUnlisted(_ checked: [ManifestCheck]) {
    var known = Set(checked.flatMap(\.files))
    for check in checked where check.kind == .parts {
      // What cannot be listed has nothing that could be named.
      let others = (try? Manifest.unlistedParts(beside: check.files)) ?? []
      let unlisted = others.filter { known.insert($0).inserted }
      guard let place = sections.firstIndex(where: { $0.manifest == check.manifest }) else {
        continue
      }
      sections[place].findings += unlisted.map { path in
        .notChecked(path, "is not in \(check.manifest.name)")
      }
    }
  }

  private func finish() throws(Failure) -> ExitCode {
    let findings = sections.flatMap(\.findings)
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

  private func verify(_ check: ManifestCheck) -> [Finding] {
    if check.kind == .joined { return verify(joined: check) }
    return compare(check) + leftOut(check)
  }

  /// Lines about files that are not to be looked at.
  private func leftOut(_ check: ManifestCheck) -> [Finding] {
    let count = check.manifest.outside
    guard count > 0, check.isOfAll else { return [] }
    let lines = count == 1 ? "1 line names a file" : "\(count) lines name files"
    let text = "\(lines) outside of its directory"
    return [.notChecked(check.manifest.path, text, count: count)]
  }

  private func compare(_ check: ManifestCheck) -> [Finding] {
    let examined = check.files.map { path in
      Result { () throws(CleaveError) in try SourceFile(examining: path) }
    }
    let files = examined.compactMap { try? $0.get() }
    let blocks = check.manifest.blocks
    var readings = verifyJob(check).run(files, blocks: files.map { blocks[$0.path.lastComponent] })
      .makeIterator()
    var results: [Result<VerifyJob.Reading, CleaveError>] = []
    for file in examined {
      switch file {
      case .failure(let error): results.append(.failure(error))
      case .success: results.append(readings.next() ?? .failure(.cancelled))
      }
    }
    return findings(check, results)
  }

  private func verifyJob(_ check: ManifestCheck) -> VerifyJob {
    var job = VerifyJob()
    job.kinds = check.manifest.kinds(of: check.base)
    job.digests = check.digests
    job.cancellation = session.cancellation
    job.progress = session.progress
    return job
  }

  /// Parts of which the manifest says only what they make.
  private func verify(joined check: ManifestCheck) -> [Finding] {
    do throws(CleaveError) {
      var files: [SourceFile] = []
      for path in check.files { files.append(try SourceFile(examining: path)) }
      let sums = try verifyJob(check).runJoined(files)
      var finding = finding(ofWhole: check.base, sums, check.manifest)
      // It is no file here.
      finding.bad = nil
      return [finding]
    } catch {
      return [.unreadable(check.base, error)]
    }
  }

  private mutating func verify(_ zip: Selection) -> [Finding] {
    var verification = EntryVerification()
    verification.readsData = !session.settings.isQuick
    verification.cancellation = session.cancellation
    verification.progress = session.progress
    guard let archive = zip.archive, let name = zip.base else { return [] }
    let result = verification.run(archive)
    if let error = result.error { return [.unreadable(name, error)] }
    entries.append(VerifySummary.Entries(result, isQuick: session.settings.isQuick))
    let stale = zip.stale.map { path in "\(path): left over from a longer series; not looked at" }
    for text in stale { session.console.warn(text) }
    return ZipFindings(zip, name, result, isQuick: session.settings.isQuick).all
  }

  private func findings(
    _ check: ManifestCheck,
    _ results: [Result<VerifyJob.Reading, CleaveError>]
  ) -> [Finding] {
    var readable: [(path: FilePath, reading: VerifyJob.Reading)] = []
    var findings: [Finding] = []
    for (path, result) in zip(check.files, results) {
      switch result {
      case .success(let reading): readable.append((path, reading))
      case .failure(let error): findings.append(.unreadable(path, error, bad: path))
      }
    }
    if check.kind == .whole {
      return findings + readable.map { finding(ofWhole: $0.path, $0.reading, check.manifest) }
    }
    // What is missing has been told by then.
    if readable.isEmpty { return findings }
    let comparison = compare(check, readable, isComplete: findings.isEmpty)
    var different: [FilePath: String] = [:]
    for difference in comparison.differences { different[difference.path] = difference.text }
    let notCompared = Set(comparison.notCompared)
    findings += readable.map { path, reading in
      let problem = different.removeValue(forKey: path)
      if path == check.unlisted {
        return .notChecked(path, "is not in \(check.manifest.name)", fails: true)
      }
      if problem == nil, notCompared.contains(path) {
        return .notChecked(path, "has no sum in \(check.manifest.name)", fails: true)
      }
      return finding(path, reading, problem, bad: problem == nil ? nil : path).with(reading.wrong)
    }
    // What is left is about the whole, which is no file here.
    return findings + different.map { path, text in finding(path, nil, text) }
  }

  private func compare(
    _ check: ManifestCheck,
    _ found: [(path: FilePath, reading: VerifyJob.Reading)],
    isComplete: Bool
  ) -> Manifest.Comparison {
    let files = found.map { (path: $0.path, checksum: $0.reading.checksum) }
    var digests = Digests()
    digests.parts = found.map(\.reading.digests)
    // Other files may be listed with the parts; the whole is made of the parts alone.
    let names = Set(check.manifest.parts(of: check.base).map(\.name))
    let parts = files.filter { names.contains($0.path.lastComponent) }
    let whole = parts.reduce(into: Checksum.empty) { $0.append($1.checksum) }
    // What has digests of each part needs none of the whole.
    let hasWhole =
      isComplete && !parts.isEmpty && check.manifest.listsAllParts
      && check.manifest.digests(of: check.base).whole.isEmpty
      && !check.manifest.isOfSplitZip(check.base)
    return check.manifest.compare(
      parts: files,
      whole: hasWhole ? whole : nil,
      of: check.base,
      digests: digests
    )
  }

  /// What the manifest says of a file that is a whole itself.
  private func finding(
    ofWhole path: FilePath,
    _ reading: VerifyJob.Reading,
    _ manifest: Manifest
  ) -> Finding {
    let (item, problem) = manifest.compare(
      whole: path,
      reading.checksum,
      digests: reading.digests,
      kinds: reading.kinds
    )
    guard item.isListed else {
      return .notChecked(path, "is not in \(manifest.name)", fails: true)
    }
    if problem == nil, !item.isCompared {
      return .notChecked(path, "has no sum in \(manifest.name)", fails: true)
    }
    return finding(path, reading, problem, bad: problem == nil ? nil : path).with(reading.wrong)
  }

  private func finding(
    _ path: FilePath,
    _ reading: VerifyJob.Reading?,
    _ problem: String?,
    bad: FilePath? = nil
  ) -> Finding {
    var report = JSONReport.File(
      path,
      reading?.checksum,
      reading?.kinds ?? [],
      reading?.digests ?? []
    )
    report.status = problem == nil ? .ok : .different
    report.problem = problem
    return Finding(
      report: report,
      code: problem == nil ? .success : .different,
      text: "\(path)\(problem.map { ": \($0)" } ?? ": OK")",
      bad: bad
    )
  }

  // MARK: Telling

  private func tell(_ findings: [Finding], _ code: ExitCode) throws(Failure) {
    try job { () throws(CleaveError) in
      for finding in findings {
        if finding.code != .success {
          session.console.fail(finding.text)
        } else if finding.state == .notChecked {
          session.console.warn(finding.text)
        } else if !session.settings.writesJSON && !session.settings.listsBad {
          try session.console.report(finding.text)
        }
      }
      // One that several operands stand for is fetched once.
      var known: Set<FilePath> = []
      let bad = findings.compactMap(\.bad).filter { known.insert($0).inserted }
      if session.settings.listsBad {
        let end: UInt8 = session.settings.endsNamesWithNull ? 0 : UInt8(ascii: "\n")
        try session.console.write(bytes: bad.flatMap { $0.bytes + [end] })
      }
      if session.settings.writesJSON {
        try session.write(
          JSONReport.Verification(
            files: findings.map(\.report),
            bad: bad.map { JSONReport.Name($0) },
            summary: VerifySummary(findings, entries),
            exitCode: code.rawValue,
            seconds: session.seconds
          )
        )
      } else if !session.settings.listsBad {
        try tellSummary(findings)
      }
    }
  }

  /// A line for each manifest where there are several, and one for all.
  private func tellSummary(_ findings: [Finding]) throws(CleaveError) {
    let manifests = sections.filter { $0.manifest != nil }
    for (manifest, findings) in manifests where manifests.count > 1 {
      guard let manifest else { continue }
      try session.console.report("\(manifest.name): \(VerifySummary(findings).text)")
    }
    try session.console.report(VerifySummary(findings, entries).text)
  }

  private func describe() throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var known: [ManifestCheck] = []
      var zips: [Selection] = []
      for (_, subject) in subjects {
        let subject = try subject.get()
        if let check = subject.check { known.append(check) }
        if let zip = try subject.zip?.get() { zips.append(zip) }
      }
      let plan = VerifyPlan(known, zips, isQuick: session.settings.isQuick)
      if session.settings.writesJSON { return try session.write(plan) }
      for line in plan.lines { try session.console.report(line) }
    }
    return .success
  }
}
