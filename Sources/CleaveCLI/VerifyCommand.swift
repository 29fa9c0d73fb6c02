import Cleave
import CommandLineKit
import Posix

/// `cleave verify`: files against a manifest, without writing anything.
enum VerifyCommand {
  static let command = Command<Settings>(
    "verify",
    summary: "Check files against their manifest, and zips by what is in them.",
    usage: ["cleave verify [OPTION]... [MANIFEST | PART | DIRECTORY | FILE]..."],
    options: [
      OptionRows.manifest(
        "Check the operands against FILE, not against the manifest beside them."
      ),
      .flag(
        "quick",
        group: "Checking",
        help: "Do not read the data of a zip's entries: look at the structure alone.",
        sets: \.isQuick
      ),
      .flag(
        "list-bad",
        group: "Checking",
        help:
          "Write nothing to standard output but the names of the files to fetch again: those that "
          + "are missing, differ from their manifest or cannot be read, one on each line.",
        sets: \.listsBad
      ),
      .flag(
        "null",
        short: "0",
        group: "Checking",
        help: "With --list-bad, end names with a NUL instead of a new line, for 'xargs -0'.",
        sets: \.endsNamesWithNull
      ),
      OptionRows.dryRun(short: "n"), OptionRows.progress,
    ] + OptionRows.general,
    details: """
      A MANIFEST stands for all files that it names, or for the parts of the one that it is about; a \
      PART for its whole series, with the manifest beside it; any other FILE is checked against \
      FILE.sfv or another manifest beside it. Of a DIRECTORY, and of the current one without an \
      operand, every manifest is checked. Manifests are files whose names end in .sfv, .crc (Total Commander's), \
      .md5, .sha1, .sha256, .sha512 or .b2, or with sum behind that, and SHA256SUMS and the like; and \
      what rclone's chunker keeps under the name of the whole.

      A zip, whole or in parts of any kind, needs no manifest: every entry is unpacked, straight from \
      the parts, and compared with the CRC-32 and the sizes that the zip tells. Entries that are \
      encrypted or compressed by something else than Deflate cannot be tested; they are named.

      Where the manifest has the sums of blocks ('cleave split --block'), the bytes of a file that \
      differ are told: bytes 1048576-2097151 are its second MiB.

      The exit code is 0 only if everything that the manifests name is there and the same, and every \
      entry of a zip has been tested and is right. --list-bad does not change it. Which part of a zip \
      in parts a wrong entry is in, only a manifest can tell.
      """,
    examples: [
      .init("cleave verify gcd.mp4.zip.sfv", "Check the parts before sending them on."),
      .init("cleave verify gcd.mp4.zip", "Check the merged file against the parts' manifest."),
      .init("cleave verify a.z01", "Test a split zip without joining it."),
      .init("cleave verify --list-bad a.sfv >again", "List what has to be fetched again."),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    guard !operands.contains("-") else {
      throw usage("standard input has no manifest beside it; verify needs files")
    }
    let choice = session.settings.manifest
    guard choice != .none else { throw usage("verify needs a manifest to compare with") }
    try checkListing(session.settings)
    let paths = try job { () throws(CleaveError) in
      try meanings(of: operands)
    }
    // An operand that cannot be checked keeps none of the others from being checked.
    let checks = paths.map { path in
      (path, Result { () throws(CleaveError) in try VerifySubject(path, choice) })
    }
    for (_, subject) in checks where !RunningDigest.isAvailable {
      guard let check = try? subject.get().check, !check.digests.isEmpty else { continue }
      throw usage(
        "\(check.manifest.path) needs OpenSSL's libcrypto, which this cleave was built without"
      )
    }
    return try Verification(session: session, subjects: checks).run()
  }

  private static func checkListing(_ settings: Settings) throws(Failure) {
    guard settings.listsBad else {
      if settings.endsNamesWithNull { throw usage("--null is for --list-bad") }
      return
    }
    if settings.writesJSON { throw usage("--json has the list that --list-bad writes; take one") }
    if settings.isDryRun { throw usage("--list-bad needs the files to be read, not --dry-run") }
  }

  /// The operands; instead of a directory its manifests, or else a part of its only series.
  private static func meanings(of operands: [FilePath]) throws(CleaveError) -> [FilePath] {
    if operands.isEmpty {
      let here = try manifests(in: ".")
      guard !here.isEmpty else {
        throw CleaveError(.missingInput, "no manifest (NAME.sfv) in the current directory")
      }
      return here
    }
    var paths: [FilePath] = []
    for operand in operands {
      guard (try? FileStatus.ifPresent(operand))?.kind == .directory else {
        paths.append(operand)
        continue
      }
      let there = try manifests(in: operand)
      paths += there.isEmpty ? try OperandMeaning([operand], .automatic, nil).operands : there
    }
    return paths
  }

  private static func manifests(in directory: FilePath) throws(CleaveError) -> [FilePath] {
    let names: [FilePath]
    do { names = try FileSystem.names(in: directory) } catch { throw .reading(error) }
    return names.filter(Manifest.isName).sorted().map { directory.appending($0) }
  }
}

/// What was found of one file.
struct Finding {
  var report: JSONReport.File
  var code: ExitCode
  var text: String
  /// What would have to be fetched again.
  var bad: FilePath?

  /// The same, and which bytes of the file are wrong; nothing new where that is not known.
  func with(_ wrong: [Range<Int64>]) -> Finding {
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

/// All checks of one command, and what came of them.
private struct Verification {
  let session: Session
  let subjects: [(operand: FilePath, subject: Result<VerifySubject, CleaveError>)]

  func run() throws(Failure) -> ExitCode {
    if session.settings.isDryRun { return try describe() }
    var findings: [Finding] = []
    var seen: Set<[FilePath]> = []
    for (operand, subject) in subjects {
      switch subject {
      case .success(let subject):
        // Several parts of one series are one thing to check.
        guard seen.insert(subject.identity).inserted else { continue }
        if let check = subject.check { findings += verify(check) }
        switch subject.zip {
        case .success(let zip): findings += verify(zip)
        case .failure(let error):
          findings.append(unreadable(error.system?.path ?? operand, error))
        case nil: break
        }
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

  private func verify(_ check: ManifestCheck) -> [Finding] {
    if check.kind == .joined { return verify(joined: check) }
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
      let difference = check.manifest.differences(
        ofWhole: [(path: check.base, checksum: sums.checksum)],
        digests: [sums.digests]
      ).first
      return [finding(check.base, sums, difference?.text)]
    } catch {
      return [unreadable(check.base, error)]
    }
  }

  private func verify(_ zip: ZipSubject) -> [Finding] {
    var verification = EntryVerification()
    verification.readsData = !session.settings.isQuick
    verification.cancellation = session.cancellation
    verification.progress = session.progress
    let result = verification.run(zip.archive)
    if let error = result.error { return [unreadable(zip.name, error)] }
    let stale = zip.stale.map { path in "\(path): left over from a longer series; not looked at" }
    for text in stale { session.console.warn(text) }
    return ZipFindings(zip, result, isQuick: session.settings.isQuick).all
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
      case .failure(let error): findings.append(unreadable(path, error, bad: path))
      }
    }
    let isComplete = findings.isEmpty
    var different: [FilePath: String] = [:]
    for difference in differences(check, readable, isComplete) {
      different[difference.path] = difference.text
    }
    findings += readable.map { path, reading in
      let problem = different.removeValue(forKey: path)
      let isBad = problem != nil && path != check.unlisted
      return finding(path, reading, problem, bad: isBad ? path : nil).with(reading.wrong)
    }
    // What is left is about the whole, which is no file here.
    findings += different.map { path, text in finding(path, nil, text) }
    return findings
  }

  private func differences(
    _ check: ManifestCheck,
    _ found: [(path: FilePath, reading: VerifyJob.Reading)],
    _ isComplete: Bool
  ) -> [Manifest.Difference] {
    let files = found.map { (path: $0.path, checksum: $0.reading.checksum) }
    var digests = Digests()
    digests.parts = found.map(\.reading.digests)
    // What is missing has been told by then.
    if files.isEmpty { return [] }
    switch check.kind {
    case .whole, .joined:
      return check.manifest.differences(ofWhole: files, digests: digests.parts)
    case .parts:
      // Other files may be listed with the parts; the whole is made of the parts alone.
      let names = Set(check.manifest.parts(of: check.base).map(\.name))
      let parts = files.filter { names.contains($0.path.lastComponent) }
      let whole = parts.reduce(into: Checksum.empty) { $0.append($1.checksum) }
      // What has digests of each part needs none of the whole.
      let hasWhole =
        isComplete && !parts.isEmpty && check.manifest.digests(of: check.base).whole.isEmpty
        && !check.manifest.isOfSplitZip(check.base)
      return check.manifest.differences(
        parts: files,
        whole: hasWhole ? whole : nil,
        of: check.base,
        digests: digests
      )
    }
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
    report.status = problem == nil ? "ok" : "different"
    report.problem = problem
    return Finding(
      report: report,
      code: problem == nil ? .success : .different,
      text: "\(path)\(problem.map { ": \($0)" } ?? ": OK")",
      bad: bad
    )
  }

  private func unreadable(
    _ path: FilePath,
    _ error: CleaveError,
    bad: FilePath? = nil
  ) -> Finding {
    var report = JSONReport.File(path)
    let isMissing = error.kind == .missingInput
    report.status = isMissing ? "missing" : "unreadable"
    report.problem = error.message
    let code = ExitCode(error.kind) ?? .inputOutput
    return Finding(report: report, code: code, text: error.message, bad: bad)
  }

  // MARK: Telling

  private func tell(_ findings: [Finding], _ code: ExitCode) throws(Failure) {
    try job { () throws(CleaveError) in
      for finding in findings {
        if finding.code != .success {
          session.console.fail(finding.text)
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
            exitCode: code.rawValue,
            seconds: session.seconds
          )
        )
      }
    }
  }

  private func describe() throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var known: [ManifestCheck] = []
      var zips: [ZipSubject] = []
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
