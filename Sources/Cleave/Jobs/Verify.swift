public import Posix

/// Checks files against their manifests, and content by what it says of itself; writes nothing.
public struct Verify: Sendable {
  /// Parts, each of which stands for its whole series; manifests, which stand for all that they name;
  /// directories, for each manifest in them, or else each series; and any other files.
  public let operands: [FilePath]
  /// What is known of the operands beside their names.
  public var request: Selection.Request
  /// Whether the data of a zip's entries is read, and not only its headers.
  public var readsEntries = true
  /// Which of the files that a manifest lists are read; nil for all of them.
  public var share: WorkShare?
  public var cancellation = Cancellation()
  public var progress = WorkProgress()
  /// Is told of warnings, on the thread that works.
  public var tell: @Sendable (WorkEvent) -> Void = { _ in }

  public init(_ operands: [FilePath], _ request: Selection.Request = Selection.Request()) {
    (self.operands, self.request) = (operands, request)
  }

  /// What came of it.
  public struct Result: Sendable {
    /// What was found with each manifest, and without one, in the order of the operands.
    public fileprivate(set) var sections: [Section] = []
    /// What is unusual in zips and does no harm.
    public fileprivate(set) var remarks: [Sentence] = []

    /// Adds what was found with a manifest to what was found with it before.
    fileprivate mutating func add(_ findings: Findings, with manifest: FilePath?) {
      let place = manifest.flatMap { path in sections.firstIndex { $0.manifest == path } }
      guard let place else {
        return sections.append(Section(manifest: manifest, findings: findings))
      }
      for finding in findings { sections[place].findings.append(finding) }
    }

    /// What was found with one manifest, or without one.
    public struct Section: Sendable {
      /// Nil for what has none.
      public let manifest: FilePath?
      public fileprivate(set) var findings: Findings
    }

    /// Everything that was found.
    public var findings: some Sequence<Finding> { sections.lazy.map(\.findings).joined() }
    /// The same in numbers.
    public var summary: Summary { Summary(of: sections.map(\.findings)) }
    /// Whether something was compared, and nothing is wrong, missing or unreadable.
    public var isRight: Bool { worst == nil && summary.hasRight }

    /// Why not everything is right: the worst reason. What could not be read says least about the files.
    public var worst: Failure? {
      let found = sections.reduce(into: Set<Failure>()) { $0.formUnion($1.findings.tally.failures) }
      return Failure.worstFirst.first(where: found.contains) ?? found.first
    }

    /// What has to be fetched again: files that are missing, differ, contradict themselves or cannot be
    /// read; each once.
    public func eachBad<E: Error>(_ body: (FilePath) throws(E) -> Void) throws(E) {
      var known = PathSet()
      for section in sections where section.findings.tally.hasBad {
        for finding in section.findings {
          for path in finding.bad where known.insert(path) { try body(path) }
        }
      }
    }
  }

  /// Reads the files. What cannot be checked is a finding, and keeps nothing else from being checked.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError`` where it is cancelled.
  public func run() throws(CleaveError) -> Result {
    var result = Result()
    var seen: Set<Subject.Identity> = []
    var checked: [ManifestCheck] = []
    var compared = ManifestCheck.Compared()
    /// What the manifests tell of.
    var listed = PathSet()
    /// Manifests that were read together with one before.
    var read = PathSet()
    /// Of the directory that was listed last.
    var listing: DirectoryListing?
    /// Other parts of what was looked at.
    var covered = PathSet()
    /// Parts that have no sum.
    var unlisted: [Unlisted] = []
    let meanings = meanings
    let isOfSeveral = meanings.count > 1
    for operand in meanings where !covered.contains(operand.path) {
      if !operand.isAside, read.contains(operand.path) { continue }
      let isListed = operand.isAside && listed.contains(operand.path)
      do throws(CleaveError) {
        let subject = try operand.subject(request, in: &listing)
        // One that a manifest tells of in part is among what it does not list, unless another tells more.
        if operand.isAside,
          isListed || subject.selection?.names.contains(where: listed.contains) == true,
          !subject.tellsMore(than: checked)
        {
          unlisted += subject.unlisted(wereAsked: false)
          if let fault = subject.fault { tell(.warning(fault.sentence)) }
          continue
        }
        unlisted += subject.unlisted(wereAsked: !operand.isAside)
        // Several parts of one series are one thing to check.
        guard seen.insert(subject.identity).inserted else { continue }
        if let names = subject.selection?.names, names.count > 1, subject.isOfAllParts {
          for name in names where subject.check?.files.contains(name) != false {
            covered.insert(name)
          }
        }
        // What `NAME*` of a shell names are the parts and their manifest.
        let found = subject.check.map { check in operand.given.map(check.only) ?? check }
        let rest = found?.besides(compared)
        if let check = rest ?? found.flatMap({ leftOut($0).isEmpty ? nil : $0 }) {
          var findings = compare(try share.map(check.only) ?? check)
          if let whole = whole(beside: check) { findings.append(whole) }
          result.add(findings, with: check.listBesides(checked) ?? check.manifest.path)
          checked.append(check)
          if isOfSeveral { compared.insert(check) }
          for path in check.manifest.others { read.insert(path) }
          for file in ([check] + check.wholes).lazy.flatMap(\.files) { listed.insert(file) }
          if !findings.tally.failures.isEmpty { tellContent(of: subject, operand.path) }
          if findings.tally.hasMissing {
            if !tellSpelling(in: check) { tellElsewhere(check) }
          }
        }
        if let share {
          if subject.check != nil || operand.isAside && share.number > 1 { continue }
        }
        if share != nil, !operand.isAside {
          let text: Sentence = "is in no manifest; \(Setting.share) divides files that are listed"
          throw CleaveError(.contradiction, operand.path, text)
        }
        if operand.isAside, let fault = subject.fault, fault.isOfWholeFile {
          tell(.remark(fault.sentence))
          continue
        }
        // A list above them may.
        if subject.tellsNothing, subject.selection?.names.allSatisfy(listed.contains) == true {
          continue
        }
        var findings = lookInside(subject, operand.path, &result.remarks)
        // That nothing tells whether it is right is no fault of the manifests that were to be checked, nor where one
        // tells of every byte.
        if operand.isAside || subject.check.map({ $0.unlisted == nil }) == true {
          findings = findings.withoutUnproved
        }
        result.add(findings, with: nil)
      } catch {
        if isListed { continue }
        // Beside what manifests tell of, a file that is no part is nothing that has to be right.
        if operand.isAside, error.isOfWholeFile {
          tell(.remark(error.sentence))
          continue
        }
        let finding = unreadable(operand.path, error)
        result.add(Findings([finding]), with: nil)
      }
      if cancellation.isCancelled { throw .cancelled }
    }
    // Once is enough.
    if share?.number ?? 1 == 1 {
      addUnlisted(checked, unlisted, besides: listed, &listing, to: &result)
    }
    tellInterrupted(result)
    return result
  }
}

// MARK: - Operands

extension Verify {
  /// What is to be looked at, or why it cannot be.
  struct Operand {
    var path: FilePath
    /// What it stands for, where that is known.
    var part: Selection.Part?
    var error: CleaveError?
    /// Whether it was found beside manifests, and needs to be looked at only if none of them tells of it.
    var isAside = false
    /// Of what a manifest names, what is to be looked at; nil for all of it.
    var given: PathSet?
    /// What is compared with files that are in this directory, and are no parts; nil of any other operand.
    var listOfFiles: Manifest?

    func subject(
      _ request: Selection.Request,
      in listing: inout DirectoryListing?
    ) throws(CleaveError) -> Subject {
      if let error { throw error }
      if let listOfFiles { return try Subject(listOfFiles, ofFilesIn: path) }
      return try Subject(path, standingFor: part, request, in: &listing)
    }
  }

  /// What the operands stand for.
  var meanings: [Operand] {
    if let many = manyMeanings { return many }
    let (set, others) = Selection.together(operands, request)
    let (lists, files) = others.divided { Manifest.isName($0.lastComponent) }
    return meanings(of: lists) + (set.map { [Operand(path: $0.path, part: $0)] } ?? [])
      + meanings(of: files)
  }

  /// The operands; instead of a directory each manifest in it, or else each series.
  func meanings(of operands: [FilePath]) -> [Operand] {
    var listing: DirectoryListing?
    return operands.flatMap { meanings(of: $0, &listing) }
  }

  private func meanings(
    of operand: FilePath,
    _ listing: inout DirectoryListing?
  ) -> [Operand] {
    guard (try? FileStatus.of(operand))?.kind == .directory else {
      return [Operand(path: operand)]
    }
    do throws(CleaveError) {
      let manifests = request.manifest == .automatic ? try Manifest.all(in: operand) : []
      if !manifests.isEmpty {
        // What no manifest tells of is looked at as well. There may be no such series.
        let series = (try? Selection.each(of: operand, request, in: listing)) ?? []
        listing = series.last?.listing ?? listing
        tellOthers(of: series)
        return manifests.map { Operand(path: $0) }
          + series.map { Operand(path: $0.path, part: $0, isAside: true) }
      }
      let parts = try Selection.oneOrEach(of: operand, request, in: &listing)
      if let list = listOfFiles(in: operand, besides: parts) { return [list] }
      tellOthers(of: parts)
      return parts.map { Operand(path: parts.count == 1 ? operand : $0.path, part: $0) }
    } catch  where error.kind == .missingInput && error.system == nil {
      if let list = listOfFiles(in: operand) { return [list] }
      let error = CleaveError(.missingInput, operand, "has no manifest in it, and no parts")
      return [Operand(path: operand, error: error.hinting(at: operand))]
    } catch {
      return [Operand(path: operand, error: error)]
    }
  }

  private func tellOthers(of parts: [Selection.Part]) {
    for doubt in parts.flatMap(\.doubts) { tell(.remark(doubt.error.sentence)) }
  }
}

// MARK: - Comparing

extension Verify {
  private func compare(_ check: ManifestCheck) -> Findings {
    if !check.digests.isEmpty, !RunningDigest.isAvailable {
      let text = Sentence(RunningDigest.lack)
      return Findings([
        Finding(notChecked: check.manifest.path, text, .error(.contradiction))
      ])
    }
    var job = VerifyJob()
    (job.cancellation, job.progress) = (cancellation, progress)
    var findings =
      check.files.isEmpty
      ? Findings(leftOut(check)) : Findings(check.run(job), check.manifest, leftOut(check))
    for whole in check.wholes {
      for outcome in whole.run(job) { findings.append(Finding(outcome, check.manifest)) }
    }
    return findings
  }

  /// What is in the files, where no manifest speaks for it, and in whole zips.
  private func lookInside(
    _ subject: Subject,
    _ operand: FilePath,
    _ remarks: inout [Sentence]
  ) -> Findings {
    // A directory stands for its only series, which has a name of its own.
    let isDirectory = (try? FileStatus.of(operand))?.kind == .directory
    let operand = isDirectory ? subject.selection?.name ?? operand : operand
    if let fault = subject.fault {
      return Findings([unreadable(fault.system?.path ?? operand, fault)])
    }
    guard let selection = subject.selection else { return Findings([]) }
    if subject.check == nil || subject.archive != nil { tellDoubts(of: selection) }
    if let archive = subject.archive {
      remarks += archive.notes.lines.map { "\(selection.name): \($0)" }
      return test(archive, selection)
    }
    if let proof = subject.proof { return Findings([run(proof, selection)]) }
    guard subject.check == nil else { return Findings([]) }
    do throws(CleaveError) { try selection.checkStart(of: selection.name) } catch {
      return Findings([unreadable(operand, error)])
    }
    let text: Sentence =
      if request.manifest != .none,
        let file = (try? Manifest(reading: operand))?.files.first(where: Journal.isThere)
      {
        "has sums, and is not called as lists are: \(.verifying(file, by: operand)) compares with it"
      } else {
        "no manifest tells of it, and nothing in it tells whether it is right; \(.manifest) names one"
      }
    return Findings([Finding(notChecked: operand, text, .error(.missingInput))])
  }

  /// What the content of anything but a zip says of itself.
  private func run(_ proof: ContentProof, _ selection: Selection) -> Finding {
    let name = selection.name
    do throws(CleaveError) {
      let result = try proof.run(cancellation, progress)
      for text in result.untestedTexts(of: name) { tell(.warning(Sentence(text))) }
      let ofParts = selection.isPart || selection.names.count > 1
      return Finding(name, result, bad: bad(result, selection), ofParts: ofParts)
    } catch {
      return Finding(unreadable: name, error, bad: selection.names.filter { $0 == error.path })
    }
  }

  /// The parts that the content names. That of gzip, xz and zstd knows only that something is
  /// wrong, there or in front of it.
  private func bad(_ result: ProofResult, _ selection: Selection) -> [FilePath] {
    let names = Array(selection.names)
    if names.count == 1 { return names }
    if [.gzip, .xz, .zstd].contains(result.kind) { return [] }
    var bad: [FilePath] = []
    for finding in result.differences.first {
      guard let first = names.firstIndex(of: finding.path) else { continue }
      let last = finding.lastPath.flatMap { names.firstIndex(of: $0) } ?? first
      guard first <= last, last - first + 1 < names.count else { continue }
      bad += names[first...last].filter { !bad.contains($0) }
    }
    return bad
  }

  private func test(_ archive: ZipArchive, _ zip: Selection) -> Findings {
    let (layout, part) = (archive.bytes.layout, archive.bytes.layout.paths[0])
    do throws(CleaveError) {
      if let text = try archive.strayInFront(archive.notes.bytesInFront, in: layout) {
        throw CleaveError(.badData, part, Sentence(text))
      }
    } catch {
      return Findings([Finding(unreadable: part, error, bad: [part])])
    }
    var verification = EntryVerification()
    verification.readsData = readsEntries
    (verification.cancellation, verification.progress) = (cancellation, progress)
    let report = verification.run(archive)
    if let error = report.error { return Findings([Finding(unreadable: zip.name, error)]) }
    return Findings(zip, archive, report, readsEntries: readsEntries)
  }
}

// MARK: - Unlisted parts

extension Verify {
  /// A part that is there and has no sum.
  struct Unlisted {
    let part: FilePath
    /// What the others are compared with.
    let list: Manifest
    /// Whether that it is not compared is a fault.
    let isFault: Bool
  }

  /// Parts of the same series that no manifest lists.
  private func addUnlisted(
    _ checked: [ManifestCheck],
    _ known: [Unlisted],
    besides listed: PathSet,
    _ listing: inout DirectoryListing?,
    to result: inout Result
  ) {
    var told = PathSet()
    let faults = PathSet(known.lazy.filter(\.isFault).map(\.part))
    func add(_ part: FilePath, _ list: Manifest) {
      let places = result.sections.indices
      let place = places.first { result.sections[$0].manifest == list.path } ?? places.last
      guard let place, !listed.contains(part), told.insert(part) else { return }
      let failure: Failure? = faults.contains(part) ? .different : nil
      let finding = Finding(notChecked: part, "is not in \(list.name)", failure)
      result.sections[place].findings.append(finding)
    }
    for check in checked where check.kind == .parts && !check.isPiece {
      // What cannot be listed has nothing that could be named.
      let others = (try? Manifest.unlistedParts(beside: check.files, in: &listing)) ?? []
      for part in others { add(part, check.manifest) }
    }
    for file in known { add(file.part, file.list) }
  }
}
