import Cleave
import CommandLineKit
import Posix

/// All checks of one command, and what came of them.
struct Verification {
  private let session: Session
  /// What is to be looked at, or why it cannot be.
  private let operands: [(path: FilePath, error: CleaveError?)]
  /// What was found with each manifest, and without one.
  private var sections: [(manifest: Manifest?, findings: [Finding])] = []
  private var entries: [VerifySummary.Entries] = []

  init(_ session: Session, _ operands: [(path: FilePath, error: CleaveError?)]) {
    (self.session, self.operands) = (session, operands)
  }

  mutating func run() throws(Failure) -> ExitCode {
    if session.settings.isDryRun { return try describe() }
    var seen: Set<[FilePath]> = []
    var checked: [ManifestCheck] = []
    for (operand, error) in operands {
      do throws(CleaveError) {
        if let error { throw error }
        let subject = try VerifySubject(operand, session.settings.selection)
        // Several parts of one series are one thing to check.
        guard seen.insert(subject.identity).inserted else { continue }
        if let check = subject.check {
          let findings = verify(check)
          sections.append((check.manifest, findings))
          checked.append(check)
          if findings.contains(where: { $0.code != .success }) { noteContent(of: subject, operand) }
        }
        sections.append((nil, verifyContent(of: subject, operand)))
      } catch {
        // An operand that cannot be checked keeps none of the others from being checked.
        sections.append((nil, [finding(operand, error)]))
      }
      if session.cancellation.isCancelled { throw .job(.cancelled) }
    }
    noteUnlisted(checked)
    noteInterrupted()
    return try finish()
  }

  /// A manifest that is wrong is in the way of what the content says.
  private func noteContent(of subject: VerifySubject, _ operand: FilePath) {
    var request = session.settings.selection
    request.manifest = .none
    guard let check = subject.check, subject.selection != nil, subject.archive == nil,
      let alone = try? VerifySubject(operand, request), alone.proof != nil
    else { return }
    session.console.warn(
      "\(check.manifest.name): is not about these files, or they are damaged: --manifest=none looks at "
        + "what is in them alone"
    )
  }

  private func finding(_ operand: FilePath, _ error: CleaveError) -> Finding {
    var finding = Finding.unreadable(operand, error)
    // What is compared with is none of the files that are counted, whatever it is called.
    let isManifest = error.path.map { session.settings.manifest == .file($0) } ?? false
    if isManifest { finding.report.status = .unreadable }
    return finding
  }

  /// What is missing may be in the output of an interrupted run.
  private func noteInterrupted() {
    guard sections.contains(where: { $0.findings.contains { $0.report.status == .missing } }) else {
      return
    }
    let found = operands.lazy.compactMap { Journal.interrupted(about: $0.path) }.first
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
    if !check.digests.isEmpty, !RunningDigest.isAvailable {
      let text = "needs OpenSSL's libcrypto, which this cleave was built without"
      return [.notChecked(check.manifest.path, text, .usage)]
    }
    var job = VerifyJob()
    (job.cancellation, job.progress) = (session.cancellation, session.progress)
    return check.run(job).map { Finding($0, check.manifest) } + leftOut(check)
  }

  /// Lines about files that are not to be looked at.
  private func leftOut(_ check: ManifestCheck) -> [Finding] {
    let count = check.manifest.outside
    guard count > 0, check.isOfAll else { return [] }
    let lines = count == 1 ? "1 line names a file" : "\(count) lines name files"
    let text = "\(lines) outside of its directory"
    return [.notChecked(check.manifest.path, text, count: count)]
  }

  private mutating func verifyContent(
    of subject: VerifySubject,
    _ operand: FilePath
  ) -> [Finding] {
    if let fault = subject.fault { return [finding(fault.system?.path ?? operand, fault)] }
    guard let selection = subject.selection else { return [] }
    if subject.check == nil || subject.archive != nil { tellDoubts(of: selection) }
    if let archive = subject.archive { return verify(archive, selection) }
    if let proof = subject.proof { return [verify(proof, selection)] }
    guard subject.check == nil else { return [] }
    let text =
      "no manifest tells of it, and nothing in it tells whether it is right; --manifest=FILE names one"
    return [.notChecked(operand, text, .noInput)]
  }

  /// Why the files may not be what they seem.
  private func tellDoubts(of selection: Selection) {
    for doubt in selection.evidence.doubts where doubt.code.severity == .warned {
      let leftOver = "left over from a longer series; not looked at"
      session.console.warn("\(doubt.path): \(doubt.code == .leftOver ? leftOver : doubt.text)")
    }
  }

  /// What the content of anything but a zip says of itself.
  private func verify(_ proof: ContentProof, _ selection: Selection) -> Finding {
    let name = selection.name
    // Which part is wrong, the content may not know.
    let bad = selection.sources.count == 1 ? selection.names : []
    do throws(CleaveError) {
      let result = try proof.run(session.cancellation, session.progress)
      session.tellUntested(result, of: name)
      return Finding(name, result, bad: bad)
    } catch {
      return .unreadable(name, error, bad: selection.names.filter { $0 == error.path })
    }
  }

  private mutating func verify(_ archive: ZipArchive, _ zip: Selection) -> [Finding] {
    var verification = EntryVerification()
    verification.readsData = !session.settings.isQuick
    verification.cancellation = session.cancellation
    verification.progress = session.progress
    let name = zip.name
    let result = verification.run(archive)
    if let error = result.error { return [.unreadable(name, error)] }
    entries.append(VerifySummary.Entries(result, isQuick: session.settings.isQuick))
    return ZipFindings(zip, name, result, isQuick: session.settings.isQuick).all
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
      let bad = findings.flatMap(\.bad).filter { known.insert($0).inserted }
      if session.settings.listsBad {
        let isRaw = session.settings.endsNamesWithNull
        try session.console.write(
          bytes: bad.flatMap { isRaw ? $0.bytes + [0] : Array("\($0)\n".utf8) }
        )
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
      var plan = VerifyPlan()
      var seen: Set<[FilePath]> = []
      for (operand, error) in operands {
        if let error { throw error }
        let subject = try VerifySubject(operand, session.settings.selection)
        if let fault = subject.fault { throw fault }
        guard seen.insert(subject.identity).inserted else { continue }
        plan.add(subject, isQuick: session.settings.isQuick)
      }
      if session.settings.writesJSON { return try session.write(plan) }
      for line in plan.lines { try session.console.report(line) }
    }
    return .success
  }
}
