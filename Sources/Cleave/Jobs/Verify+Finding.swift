public import Posix

extension Verify {
  /// What was found of one file, or of a zip.
  public struct Finding: Sendable {
    /// What came of a comparison. The raw values are for JSON.
    public enum Status: String, CaseIterable, Hashable, Sendable {
      case ok, different, missing, unreadable
      case notChecked = "not checked"
      /// Of an entry of a zip.
      case notTested = "not tested"
    }

    public var path: FilePath
    public internal(set) var status: Status
    /// One line that names the file first.
    public internal(set) var line: Sentence
    /// What is wrong, or why it was not checked; nil where all is right.
    public internal(set) var problem: Sentence?
    /// What was read of a file that was compared with a manifest.
    public internal(set) var reading: VerifyJob.Reading?
    /// What the content says of itself, where that was asked.
    public internal(set) var verdict: Verdict?
    /// The entry of a zip that it is about.
    public internal(set) var entry: FilePath?
    /// Where that entry lies, in the parts one behind the other, where it is wrong.
    package internal(set) var place: Range<Int64>?
    /// What would have to be fetched again.
    public internal(set) var bad: [FilePath] = []
    /// How many lines or files it is about.
    public internal(set) var count = 1
    /// Nil where nothing is wrong, and where nothing was to be compared.
    public internal(set) var failure: Failure?
    /// Whether it is about a zip, by what is in it, whose entries are counted by themselves.
    public internal(set) var isOfZip = false

    init(_ path: FilePath, _ status: Status, _ line: Sentence) {
      (self.path, self.status, self.line) = (path, status, line)
    }
  }

  /// Why something is not right.
  public enum Failure: Hashable, Sendable {
    /// It is not what a manifest or a zip says.
    case different
    case error(CleaveError.Kind)

    static let worstFirst: [Failure] =
      [.error(.exhausted), .error(.inputOutput), .error(.cancelled), .error(.notPermitted)]
      + [
        .error(.changedInput), .error(.inUse), .error(.badData), .different, .error(.missingInput),
      ]
  }
}

extension Verify.Finding {
  /// What came of comparing with a manifest.
  init(_ outcome: ManifestCheck.Outcome, _ manifest: Manifest) {
    let path = outcome.path
    switch outcome.result {
    case .unreadable(let error):
      self.init(unreadable: path, error, bad: outcome.isFile ? [path] : [])
    case .notListed: self.init(notChecked: path, "is not in \(manifest.name)", .different)
    case .withoutSum: self.init(notChecked: path, "has no sum in \(manifest.name)", .different)
    case .same:
      let isOfParts = !outcome.isFile && path != manifest.path
      self.init(path, .ok, isOfParts ? "the parts of \(path): OK" : "\(path): OK")
      reading = outcome.reading
    case .different(let text):
      self.init(path, .different, "\(path): \(text)")
      (problem, failure, reading) = (Sentence(text), .different, outcome.reading)
      if outcome.isFile { bad = [path] }
      // Beside the parts may be the whole, which is right.
      if !outcome.isFile, path != manifest.path, text.hasPrefix("has ") {
        line = "the parts of \(path) make \(text.dropFirst(4))"
      }
      line += Self.described(outcome.reading?.wrong ?? [])
    }
  }

  /// In a line.
  private static let mostRanges = 20

  /// Which bytes are wrong; nothing where that is not known.
  private static func described(_ wrong: [Range<Int64>]) -> Sentence {
    if wrong.isEmpty { return "" }
    let shown = wrong.prefix(mostRanges).map { "\($0.lowerBound)-\($0.upperBound - 1)" }
    let more = wrong.count - shown.count
    let ranges = more > 0 ? " and \(more) more ranges" : ""
    return "; bytes \(shown.joined(separator: ", "))\(ranges) differ"
  }

  /// What the content said of itself.
  ///
  /// - Parameter ofParts: whether one may be missing where it ends too early.
  init(_ path: FilePath, _ result: ProofResult, bad: [FilePath], ofParts: Bool) {
    var verdict = Verdict()
    verdict.add(result)
    if verdict.isRight, verdict.proofs.isEmpty {
      self.init(notChecked: path, "nothing in it could be compared", .different)
      return
    }
    let error = result.error(ofParts: ofParts)
    let problem = error?.sentence
    self.init(path, verdict.isRight ? .ok : .different, problem ?? "\(path): OK, \(verdict)")
    (self.problem, self.verdict) = (problem, verdict)
    guard let error else { return }
    (self.bad, failure) = (bad, .error(error.kind))
  }

  /// Nothing was compared.
  ///
  /// - Parameters:
  ///   - text: the end of a sentence that begins with the name.
  ///   - failure: nil where it was not asked for.
  init(
    notChecked path: FilePath,
    _ text: Sentence,
    _ failure: Verify.Failure? = nil,
    count: Int = 1
  ) {
    self.init(path, .notChecked, "\(path): \(text); not checked")
    (problem, self.failure, self.count) = (text, failure, count)
  }

  /// A file that could not be read to its end.
  init(unreadable path: FilePath, _ error: CleaveError, bad: [FilePath] = []) {
    // That there is no file is no failure of the system's.
    let isMissing = error.system?.errno == .notFound
    // The manifest, and the directory that was searched for it, are not counted as files.
    let isAside = bad.isEmpty && error.path.map(Self.isManifestOrDirectory) == true
    let status: Status = error.kind == .missingInput && !isAside ? .missing : .unreadable
    let line: Sentence = isMissing ? "\(error.system?.path ?? path): missing" : error.sentence
    self.init(path, status, line)
    problem = isMissing ? "missing" : error.sentence
    (failure, self.bad) = (.error(error.kind), bad + error.missing)
    count = max(1, Int(clamping: error.missingCount))
  }

  private static func isManifestOrDirectory(_ path: FilePath) -> Bool {
    Manifest.isName(path) || (try? FileStatus.of(path))?.kind == .directory
  }
}

// MARK: - Zips

extension Verify.Findings {
  /// What was found of a zip: a finding for each entry that is wrong or was not tested, and one for all.
  init(
    _ zip: Selection,
    _ archive: ZipArchive,
    _ report: EntryVerification.Report,
    readsEntries: Bool
  ) {
    self.init([])
    let (name, layout) = (zip.name, archive.bytes.layout)
    for (found, status) in [(report.bad, Element.Status.different), (report.notTested, .notTested)]
    {
      let suffix = status == .notTested ? ": not tested" : ""
      for entry in found.named {
        let isPlaced = status == .different && entry.isPlaced && layout.parts > 1
        let place = isPlaced ? "; it lies in \(layout.described(entry.place))" : ""
        var finding = Element(ofZip: name, status, "'\(entry.name)' \(entry.text)\(place)\(suffix)")
        finding.entry = entry.name
        if status == .different { finding.place = entry.place }
        append(finding)
      }
      let others = found.count - Int64(found.named.count)
      if others > 0 { append(Element(ofZip: name, status, "and \(others) more\(suffix)")) }
    }
    entries = Verify.Summary.Entries(report, readsData: readsEntries)
    append(Self.conclusion(zip, archive, report, readsEntries))
  }

  private static func conclusion(
    _ zip: Selection,
    _ archive: ZipArchive,
    _ report: EntryVerification.Report,
    _ readsEntries: Bool
  ) -> Element {
    let bad = report.bad.count
    let count = (zip.entries ?? 0).counted("entry", "entries")
    let pieces = zip.sources.count > 1 ? " in \(zip.sources.count) parts" : ""
    let kind = "\(zip.kind.rawValue)\(pieces)"
    guard bad > 0 || report.notTested.count > 0 else {
      let how = readsEntries ? " tested: " : ": headers compared, data not read: "
      let front = archive.notes.bytesInFront
      let inFront = front > 0 ? ["\(front.counted("byte")) in front of the zip"] : []
      let notes = (inFront + archive.notes.lines).joined(separator: "; ")
      let told = notes.isEmpty ? "" : " (\(notes))"
      let (odd, unproved) = (archive.notes.wrongRecords, archive.notes.unproved)
      let isWhole = (odd + archive.notes.contradictions + unproved).isEmpty
      let text = "\(kind), \(count)\(how)\(isWhole ? "OK" : "OK in part")\(told)"
      return Element(ofZip: zip.name, .ok, text)
    }
    var finding = Element(
      ofZip: zip.name,
      bad > 0 ? .different : .notTested,
      "\(kind), \(report.fine) of \(count) tested and right, \(bad) wrong, "
        + "\(report.notTested.count) not tested"
    )
    guard bad > 0 else { return finding }
    let names = Array(zip.names)
    // Of an entry in all of them, the zip does not know which part is wrong.
    let parts = Set(
      report.bad.named.filter(\.isPlaced).map { archive.bytes.layout.parts(covering: $0.place) }
        .filter { $0.count < names.count || names.count == 1 }.joined()
    )
    finding.bad = parts.sorted().filter(names.indices.contains).map { names[$0] }
    return finding
  }
}

extension Verify.Finding {
  /// - Parameter text: the end of a sentence that begins with the zip's name.
  fileprivate init(ofZip zip: FilePath, _ status: Status, _ text: String) {
    self.init(zip, status, "\(zip): \(text)")
    problem = status == .ok ? nil : Sentence(text)
    failure = status == .ok ? nil : .different
    isOfZip = true
  }
}
