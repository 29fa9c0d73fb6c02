public import Posix

/// A manifest and the files to compare with it.
public struct ManifestCheck: Sendable {
  package let manifest: Manifest
  package private(set) var files: ListedFiles
  /// The name of what the files make when they are put together, or of the only file itself.
  package let base: FilePath
  package let kind: Kind
  /// The operand itself, among the files although the manifest does not know it.
  private(set) var unlisted: FilePath?
  /// Whether the files are only some of the parts, which make nothing that the manifest tells of.
  package private(set) var isPiece = false
  /// Whether there are more parts than are listed, which then make less than the whole.
  private(set) var hasMore = false
  /// Whether the manifest itself is the operand, with everything that it names.
  package private(set) var isOfAll = false
  /// What tells how parts are put together that make a whole; nil where they are one behind the other.
  private var layout: Manifest?
  /// Wholes that the manifest lists, and of which only the parts are there.
  package private(set) var wholes: [ManifestCheck] = []

  package enum Kind: Sendable {
    /// All parts of one series, and perhaps other files.
    case parts
    /// The whole, which the manifest describes but need not list.
    case whole
    /// All parts of one series in their order, of which the manifest says only what they make.
    case joined
  }

  /// Which digests are needed of each file, or of what they make.
  package var digests: Set<Digest.Kind> {
    switch kind {
    case .parts: manifest.digests(of: nil).parts
    case .whole, .joined: manifest.expected(ofWhole: base).map(manifest.compared) ?? []
    }
  }

  private init(manifest: Manifest, files: ListedFiles, base: FilePath, kind: Kind) {
    (self.manifest, self.files, self.base, self.kind) = (manifest, files, base, kind)
  }

  /// Nil where the selection has no manifest, or one that tells nothing that can be checked here.
  ///
  /// - Parameters:
  ///   - operand: is looked at in any case.
  ///   - withAlike: whether others that are listed and counted as it is are, too.
  init?(
    _ selection: Selection,
    _ operand: FilePath,
    withAlike: Bool = false
  ) throws(CleaveError) {
    guard let manifest = selection.manifest else { return nil }
    guard let base = selection.base, !selection.names.areScattered else {
      // Parts in several directories, of which the names that lists have are those of all.
      let listed = selection.names.filter { manifest.expected(of: $0) != nil }
      var whole: Self?
      if let name = PartName.common(selection.names.map(\.lastComponent))?.base,
        manifest.expected(ofWhole: name) != nil, !selection.kind.isRewritten
      {
        if listed.isEmpty, let refusal = selection.refusal { throw refusal }
        if selection.refusal == nil {
          whole = Self(joined: selection, operand.sibling(name), manifest)
        }
      }
      guard !listed.isEmpty else {
        guard let whole else { return nil }
        self = whole
        return
      }
      // The sum of the whole is also that of those that have none.
      let names = whole == nil ? selection.names : PathList(listed)
      self.init(manifest: manifest, files: ListedFiles(names), base: operand, kind: .parts)
      (isPiece, wholes) = (true, whole.map { [$0] } ?? [])
      return
    }
    guard selection.isPart else {
      // A list of its parts alone tells nothing of the whole.
      if manifest.expected(ofWhole: base) == nil, !manifest.parts(of: base).isEmpty { return nil }
      let alike = withAlike ? manifest.entries(countedAs: operand.lastComponent) : []
      if alike.count > 1 {
        let files = ListedFiles(alike, beside: operand)
        self.init(manifest: manifest, files: files, base: base, kind: .parts)
        isPiece = true
        return
      }
      self.init(manifest: manifest, files: ListedFiles([operand]), base: base, kind: .whole)
      return
    }
    var listed = manifest.parts(of: base, like: operand.lastComponent)
    if listed.isEmpty {
      // In capital letters, the files tell which they are.
      let names = PathSet(selection.names.lazy.map(\.lastComponent))
      listed = manifest.entries.keeping { names.contains($0.name) }
    }
    // Some may be called in letters of another case.
    for name in selection.names.lazy.map(\.lastComponent)
    where !listed.isEmpty && !listed.contains(named: name) {
      if let index = manifest.entries.firstIndex(named: name) {
        listed.append(manifest.entries[index])
      }
    }
    if !listed.isEmpty {
      let leftOut = PathSet(selection.leftOut)
      let entries = selection.isPiece ? listed.keeping { !leftOut.contains($0.name) } : listed
      // Beside the operand, where a manifest given by its name need not be.
      var files = ListedFiles(entries, beside: operand)
      let isListed = listed.contains(named: operand.lastComponent)
      if !isListed { files.append(operand) }
      self.init(manifest: manifest, files: files, base: base, kind: .parts)
      if !isListed { unlisted = operand }
      isPiece = selection.isPiece
      if !isPiece, selection.refusal == nil, !selection.kind.isRewritten {
        // The list of split tells what the parts make, which need not have their name.
        let names = [base, manifest.whole?.name.map(base.sibling)].compactMap(\.self)
        let told = manifest.sourceOfWhole.flatMap { source in
          // Where several have sums of it, all are compared.
          manifest.whole(named: base) != nil
            ? (base, manifest)
            : names.lazy.compactMap { name in
              (try? Manifest(reading: source, about: name)).map { (name, $0) }
            }.first { $1.expected(ofWhole: $0) != nil }
        }
        if let (name, list) = told {
          wholes = [Self(joined: selection, name, list)]
        } else if manifest.entries.contains(named: base.lastComponent),
          FileStatus.isAbsent(base)
        {
          wholes = [Self(joined: selection, base, manifest)]
        }
      }
      hasMore = !manifest.isOwn && !selection.stale.isEmpty
      // The sum of the whole is also that of the operand.
      if unlisted != nil, !wholes.isEmpty {
        (self.files, unlisted) = (ListedFiles(entries, beside: operand), nil)
      }
      return
    }
    guard manifest.expected(ofWhole: base) != nil, !selection.kind.isRewritten else { return nil }
    if let refusal = selection.refusal { throw refusal }
    let whole = selection.defaultOutput ?? base
    self.init(joined: selection, whole, manifest)
  }

  private init(joined selection: Selection, _ whole: FilePath, _ manifest: Manifest) {
    self.init(manifest: manifest, files: ListedFiles(selection.names), base: whole, kind: .joined)
    layout = selection.layout
  }

  /// Everything that a manifest names; or what it is about, where that is not there by its name.
  ///
  /// - Parameters:
  ///   - listing: the names of the manifest's directory, where they are known.
  ///   - list: where it lies, if its files are looked for in another directory.
  init(
    all manifest: Manifest,
    in listing: DirectoryListing? = nil,
    from list: FilePath? = nil
  ) throws(CleaveError) {
    let (files, list) = (manifest.files, list ?? manifest.path)
    let subject = manifest.path.sibling(manifest.path.lastComponent.withoutEnding)
    let base = manifest.whole?.name.map { manifest.path.sibling($0) } ?? subject
    let saysWhole = manifest.whole != nil || manifest.only != nil
    let isAbout = files.isEmpty ? ListedFiles([base]) : files
    // rclone's is called as the whole is.
    let isThere =
      !saysWhole
      || isAbout.contains { $0 != manifest.path && (try? FileStatus.of($0)) != nil }
    if !isThere, saysWhole, let found = try manifest.partsFound(in: listing).first {
      let part = Selection.Part(path: found, manifest: .file(list), in: listing)
      var request = Selection.Request(manifest: part.manifest)
      request.format = .raw
      let selection = try Selection.look(at: part, request)
      if let refusal = selection.refusal { throw refusal }
      let base = selection.defaultOutput ?? selection.base ?? base
      let manifest = selection.manifest ?? manifest
      self.init(joined: selection, base, manifest)
    } else if !isThere, manifest.whole != nil, base != manifest.path,
      (try? FileStatus.of(base))?.kind == .regular
    {
      // The parts were merged, and are gone.
      self.init(manifest: manifest, files: ListedFiles([base]), base: base, kind: .whole)
    } else if !files.isEmpty {
      var wholes = manifest.absentWholes(in: listing).compactMap {
        Self(whole: $0.whole, of: manifest, list, from: $0.part)
      }
      if let whole = Self(scatteredOf: manifest, list) { wholes.append(whole) }
      let absent = PathSet(wholes.map(\.base))
      let isLeft = { (entry: Manifest.Entry) in
        !absent.contains(manifest.path.sibling(entry.name))
      }
      let entries = manifest.entries.keeping(where: isLeft)
      let nested = manifest.nested.keeping(where: isLeft)
      let files = ListedFiles(entries, nested: nested, beside: manifest.path)
      self.init(manifest: manifest, files: files, base: subject, kind: .parts)
      (isOfAll, self.wholes) = (true, wholes)
    } else {
      guard manifest.whole != nil else {
        let text = manifest.outsideAlone ?? "names no files"
        throw CleaveError(.badData, list, Sentence(text))
      }
      guard isThere else {
        throw CleaveError(.missingInput, list, "neither \(base) nor parts of it are there")
      }
      self.init(manifest: manifest, files: ListedFiles([base]), base: base, kind: .whole)
    }
  }
}

extension ManifestCheck {
  /// A whole that is listed, and of which all parts are there; nil where they are not.
  private init?(whole: FilePath, of manifest: Manifest, _ list: FilePath, from part: FilePath) {
    var request = Selection.Request(manifest: .file(list))
    request.format = .raw
    guard let selection = try? Selection(of: [part], request), selection.base == whole else {
      return nil
    }
    self.init(joined: selection, whole, selection.manifest ?? manifest)
  }

  /// The whole that parts in directories below make, where it is listed and not there; nil of any other list.
  private init?(scatteredOf manifest: Manifest, _ list: FilePath) {
    guard let parts = manifest.nestedParts,
      let form = PartName.common(parts.map(\.lastComponent)),
      manifest.entries.contains(named: form.base)
    else { return nil }
    let base = manifest.path.sibling(form.base)
    let request = Selection.Request(manifest: .file(list))
    guard FileStatus.isAbsent(base), let selection = try? Selection(of: parts, request) else {
      return nil
    }
    self.init(joined: selection, base, manifest)
  }

  private var lists: [FilePath] {
    [manifest.path] + manifest.others + wholes.map(\.manifest.path)
  }

  /// The first list of those it compares with that none of some others does; nil where there is none.
  func listBesides(_ others: [ManifestCheck]) -> FilePath? {
    lists.first { path in !others.contains { $0.lists.contains(path) } }
  }

  /// What has not been compared yet; nil where there is nothing. Of parts that make what a list tells of, all are needed.
  func besides(_ known: Compared) -> ManifestCheck? {
    if kind != .parts { return known.others(of: [base], kind, in: manifest).isEmpty ? nil : self }
    var rest = self
    rest.files = ListedFiles(known.others(of: files, kind, in: manifest))
    rest.wholes = wholes.filter { $0.besides(known) != nil }
    if rest.files.count < files.count {
      // What has no sum is told of by itself.
      let listed = rest.files.filter { manifest.expected(of: $0) != nil }
      if listed.isEmpty { (rest.files, rest.unlisted) = (ListedFiles(listed), nil) }
      if rest.files.isEmpty, rest.wholes.isEmpty { return nil }
      if !rest.files.isEmpty, !isPiece, manifest.whole(of: base) != nil { return self }
    }
    return rest
  }

  /// A share of the files; what they make is not compared then.
  ///
  /// - Throws: where the manifest has one sum for all of them.
  func only(_ share: WorkShare) throws(CleaveError) -> ManifestCheck {
    guard kind == .parts else {
      let text: Sentence = "has one sum for all; \(Setting.share) divides files that are listed"
      throw CleaveError(.contradiction, manifest.path, text)
    }
    var part = self
    (part.files, part.isPiece) = (ListedFiles(files[share.range(of: files.count)]), true)
    if share.number > 1 { part.wholes = [] }
    return part
  }

  /// Those of the files beside the manifest that have one of some names, and nothing that they make.
  func only(_ names: PathSet) -> ManifestCheck {
    var part = self
    part.files = ListedFiles(files.filter { names.contains($0.lastComponent) })
    (part.isPiece, part.isOfAll, part.wholes) = (true, false, [])
    return part
  }
}

// MARK: - Comparing

extension ManifestCheck {
  /// What came of one file, or of what files make.
  public struct Outcome: Sendable {
    public var path: FilePath
    /// What was read; nil for what could not be read to its end.
    public var reading: VerifyJob.Reading?
    public var result: Result
    /// Whether there is a file under the name, and not only its parts.
    public var isFile = true
  }

  public enum Result: Hashable, Sendable {
    case same
    /// The end of a sentence that begins with the name.
    case different(String)
    case notListed
    /// There is nothing but its size, or nothing that can be computed here.
    case withoutSum
    case unreadable(CleaveError)
  }

  /// Reads the files and compares them; blocks until that is done.
  ///
  /// - Parameter job: reads; which sums are needed is known here.
  package func run(_ job: VerifyJob) -> Outcomes {
    var job = job
    job.kinds = manifest.kinds(of: base)
    job.digests = digests
    return kind == .joined ? Outcomes(self, only: runJoined(job)) : runEach(job)
  }

  /// Parts of which the manifest says only what they make.
  private func runJoined(_ job: VerifyJob) -> Outcome {
    do throws(CleaveError) {
      var sources = SourceFiles()
      for path in files { sources.append(try SourceFile(examining: path)) }
      if let layout, layout.dealing != nil {
        let text: Sentence =
          "deals records out among parts, which only merging takes back and compares"
        throw CleaveError(.contradiction, layout.path, text)
      }
      var outcome = outcome(
        ofWhole: base,
        try job.runJoined(sources, header: layout?.header ?? 0)
      )
      outcome.isFile = false
      return outcome
    } catch {
      return Outcome(path: base, result: .unreadable(error), isFile: false)
    }
  }

  /// Files that are looked at before they are read, which takes some 500 bytes for each.
  private static let mostAtOnce = 4096

  private func runEach(_ job: VerifyJob) -> Outcomes {
    var outcomes = Outcomes(self, job.kinds)
    let isAll = files.count <= Self.mostAtOnce
    // What there is to read is told before any of it is read.
    if !isAll { job.progress.expectMore(totalSize) }
    for start in stride(from: 0, to: files.count, by: Self.mostAtOnce) {
      // bounded: an index of what is in memory, and 4096
      let batch = files[start..<min(start + Self.mostAtOnce, files.count)]
      let sources = batch.map { path in
        Swift.Result { () throws(CleaveError) in try SourceFile(examining: path) }
      }
      let there = sources.compactMap { try? $0.get() }
      if isAll { job.progress.expectMore(there.totalSize) }
      var readings = job.run(there, blocks: there.map { blocks(of: $0.path) }).makeIterator()
      for (path, source) in zip(batch, sources) {
        outcomes.append(
          source.flatMap { _ in readings.next() ?? .failure(.cancelled) },
          of: path
        )
      }
    }
    outcomes.finish()
    return outcomes
  }

  /// Bytes of the files that are there.
  private var totalSize: Int64 {
    files.reduce(0) { total, path in
      let status = try? FileStatus.of(path)
      let size = status.flatMap { $0.kind == .regular ? $0.size : nil } ?? 0
      let (sum, isTooLarge) = total.addingReportingOverflow(size)
      return isTooLarge ? .max : sum
    }
  }

  private func blocks(of path: FilePath) -> BlockSums? {
    manifest.entries.firstIndex(named: path.lastComponent).flatMap { manifest.entries[$0].blocks }
  }

  /// What the manifest says of a file that is a whole itself.
  func outcome(ofWhole path: FilePath, _ reading: VerifyJob.Reading) -> Outcome {
    let (item, problem) = manifest.compare(
      whole: path,
      reading.checksum,
      digests: reading.digests,
      kinds: reading.kinds
    )
    let result: Result =
      if !item.isListed {
        .notListed
      } else if let problem {
        .different(problem.text)
      } else {
        item.isCompared ? .same : .withoutSum
      }
    return Outcome(path: path, reading: reading, result: result)
  }
}
