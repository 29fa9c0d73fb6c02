import Cleave
import CommandLineKit
import Posix

/// All checks of one command, and what came of them.
struct Verification {
  /// What is to be looked at, or why it cannot be.
  struct Operand {
    var path: FilePath
    /// What it stands for, where that is known.
    var part: Selection.Part?
    var error: CleaveError?

    init(_ path: FilePath, _ part: Selection.Part? = nil, error: CleaveError? = nil) {
      (self.path, self.part, self.error) = (path, part, error)
    }

    func subject(_ request: Selection.Request) throws(CleaveError) -> VerifySubject {
      if let error { throw error }
      return try VerifySubject(path, standingFor: part, request)
    }
  }

  private let session: Session
  private let operands: [Operand]
  /// What was found with each manifest, and without one.
  private var sections: [(manifest: Manifest?, findings: Findings)] = []
  private var entries: [VerifySummary.Entries] = []

  init(_ session: Session, _ operands: [Operand]) {
    (self.session, self.operands) = (session, operands)
  }

  mutating func run() throws(Failure) -> ExitCode {
    if session.settings.isDryRun { return try describe() }
    var seen: Set<VerifySubject.Identity> = []
    var checked: [ManifestCheck] = []
    for one in operands {
      let operand = one.path
      do throws(CleaveError) {
        let subject = try one.subject(session.settings.selection)
        // Several parts of one series are one thing to check.
        guard seen.insert(subject.identity).inserted else { continue }
        if let check = subject.check {
          let findings = verify(check)
          sections.append((check.manifest, findings))
          checked.append(check)
          if findings.tally.codes != [.success] { noteContent(of: subject, operand) }
        }
        sections.append((nil, Findings(verifyContent(of: subject, operand))))
      } catch {
        // An operand that cannot be checked keeps none of the others from being checked.
        sections.append((nil, Findings([finding(operand, error)])))
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
    var finding = Finding.unreadable(operand, error, for: session.page)
    // What is compared with is none of the files that are counted, whatever it is called.
    let isManifest = error.path.map { session.settings.manifest == .file($0) } ?? false
    if isManifest { finding.report.status = .unreadable }
    return finding
  }

  /// What is missing may be in the output of an interrupted run.
  private func noteInterrupted() {
    guard sections.contains(where: \.findings.tally.hasMissing) else { return }
    let found = operands.lazy.compactMap { Journal.interrupted(about: $0.path) }.first
    guard let found else { return }
    session.console.warn(
      "\(found.output): a run that was interrupted has missing parts; \(found.journal.remedy)"
    )
  }

  /// Parts of the same series that no manifest lists.
  private mutating func noteUnlisted(_ checked: [ManifestCheck]) {
    var told: Set<FilePath> = []
    for check in checked where check.kind == .parts && !check.isPiece {
      // What cannot be listed has nothing that could be named.
      let others = (try? Manifest.unlistedParts(beside: check.files)) ?? []
      let unlisted = others.filter { path in
        !checked.contains { $0.files.contains(path) } && told.insert(path).inserted
      }
      guard let place = sections.firstIndex(where: { $0.manifest == check.manifest }) else {
        continue
      }
      for path in unlisted {
        sections[place].findings.append(.notChecked(path, "is not in \(check.manifest.name)"))
      }
    }
  }

  private func finish() throws(Failure) -> ExitCode {
    let tallies = sections.map(\.findings.tally)
    // The worst first: what could not be read says least about the files.
    let order: [ExitCode] = [
      .exhausted,
      .inputOutput, .notPermitted, .tryAgain, .badData, .different, .noInput,
    ]
    let codes = tallies.reduce(into: Set<ExitCode>()) { $0.formUnion($1.codes) }
    let code = order.first(where: codes.contains) ?? codes.first { $0 != .success } ?? .success
    session.noteSpeed(
      of: "checked \(tallies.reduce(0) { $0 + $1.count }) files",
      bytes: session.progress.bytes
    )
    try tell(code)
    return code
  }

  private func verify(_ check: ManifestCheck) -> Findings {
    if !check.digests.isEmpty, !RunningDigest.isAvailable {
      return Findings([.notChecked(check.manifest.path, RunningDigest.lack, .usage)])
    }
    var job = VerifyJob()
    (job.cancellation, job.progress) = (session.cancellation, session.progress)
    return Findings(check.run(job), check.manifest, for: session.page, leftOut(check))
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
    // A directory stands for its only series, which has a name of its own.
    let isDirectory = (try? FileStatus.ifPresent(operand))??.kind == .directory
    let operand = isDirectory ? subject.selection?.name ?? operand : operand
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
      let leftOver: Sentence = "left over from a longer series; not looked at"
      session.console.warn("\(doubt.path): \(doubt.code == .leftOver ? leftOver : doubt.text)")
    }
  }

  /// What the content of anything but a zip says of itself.
  private func verify(_ proof: ContentProof, _ selection: Selection) -> Finding {
    let name = selection.name
    do throws(CleaveError) {
      let result = try proof.run(session.cancellation, session.progress)
      for text in result.untestedTexts(of: name) { session.console.warn(Sentence(text)) }
      return Finding(name, result, bad: bad(result, selection), for: session.page)
    } catch {
      let bad = selection.names.filter { $0 == error.path }
      return .unreadable(name, error, bad: bad, for: session.page)
    }
  }

  /// The parts that the content names. That of gzip knows only that all together are wrong.
  private func bad(_ result: ProofResult, _ selection: Selection) -> [FilePath] {
    let names = Array(selection.names)
    if names.count == 1 { return names }
    if result.kind == .gzip { return [] }
    var bad: [FilePath] = []
    for finding in result.differences.first {
      guard let first = names.firstIndex(of: finding.path) else { continue }
      let last = finding.lastPath.flatMap { names.firstIndex(of: $0) } ?? first
      guard first <= last, last - first + 1 < names.count else { continue }
      bad += names[first...last].filter { !bad.contains($0) }
    }
    return bad
  }

  private mutating func verify(_ archive: ZipArchive, _ zip: Selection) -> [Finding] {
    var verification = EntryVerification()
    verification.readsData = !session.settings.isQuick
    verification.cancellation = session.cancellation
    verification.progress = session.progress
    let name = zip.name
    // The line that says so is not in JSON.
    if session.settings.writesJSON {
      for note in archive.notes.lines { session.console.remark("\(name): \(note)") }
    }
    let result = verification.run(archive)
    if let error = result.error { return [.unreadable(name, error, for: session.page)] }
    entries.append(VerifySummary.Entries(result, isQuick: session.settings.isQuick))
    return ZipFindings(zip, archive, name, result, isQuick: session.settings.isQuick).all
  }

  // MARK: Telling

  private func tell(_ code: ExitCode) throws(Failure) {
    try job { () throws(CleaveError) in
      for (_, findings) in sections { try tell(findings) }
      if session.settings.listsBad { return try listBad() }
      let entries = VerifySummary.Entries.sum(entries)
      var summary = VerifySummary(sections.map(\.findings))
      summary.entries = entries
      if session.settings.writesJSON { return try writeJSON(summary, code) }
      // A line for each manifest where there are several, and one for all.
      let manifests = sections.filter { $0.manifest != nil }
      for (manifest, findings) in manifests where manifests.count > 1 {
        guard let manifest else { continue }
        try session.console.report("\(manifest.name): \(VerifySummary([findings]).text)")
      }
      try session.console.report(summary.text)
    }
  }

  private func tell(_ findings: Findings) throws(CleaveError) {
    let tellsRight = !session.settings.writesJSON && !session.settings.listsBad
    for finding in findings {
      if finding.code != .success {
        session.console.fail(Sentence(finding.text))
      } else if finding.state == .notChecked {
        session.console.warn(Sentence(finding.text))
      } else if tellsRight {
        try session.console.report(finding.text)
      }
    }
  }

  /// What has to be fetched again. One that several operands stand for is fetched once.
  private func eachBad(_ body: (FilePath) throws(CleaveError) -> Void) throws(CleaveError) {
    var known = PathSet()
    for (_, findings) in sections where findings.tally.hasBad {
      for finding in findings {
        for path in finding.bad where known.insert(path) { try body(path) }
      }
    }
  }

  private func listBad() throws(CleaveError) {
    let isRaw = session.settings.endsNamesWithNull
    var output = ConsoleBuffer(session.console)
    try eachBad { path throws(CleaveError) in
      try output.write(isRaw ? path.bytes + [0] : Array("\(path)\n".utf8))
    }
    try output.flush()
  }

  /// Writes the report in pieces: there may be more than a million files.
  private func writeJSON(_ summary: VerifySummary, _ code: ExitCode) throws(CleaveError) {
    let report = JSONReport.Verification(
      files: [],
      bad: [],
      summary: summary,
      exitCode: code.rawValue,
      seconds: session.seconds
    )
    try session.write(
      report,
      filling: [
        "bad": { (add) throws(CleaveError) in
          try eachBad { path throws(CleaveError) in try add(JSONReport.Name(path)) }
        },
        "files": { (add) throws(CleaveError) in
          for (_, findings) in sections {
            for finding in findings { try add(finding.report) }
          }
        },
      ]
    )
  }

  private func describe() throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var plan = VerifyPlan()
      var seen: Set<VerifySubject.Identity> = []
      for operand in operands {
        let subject = try operand.subject(session.settings.selection)
        if let fault = subject.fault { throw fault }
        guard seen.insert(subject.identity).inserted else { continue }
        plan.add(subject, isQuick: session.settings.isQuick)
      }
      guard session.settings.writesJSON else {
        return try plan.eachLine { line throws(CleaveError) in try session.console.report(line) }
      }
      let files = { (add: Session.Adding) throws(CleaveError) in
        try plan.eachFile { file throws(CleaveError) in try add(file) }
      }
      try session.write(plan, filling: ["files": files])
    }
    return .success
  }
}
