package import Posix

/// A manifest and the files to compare with it.
package struct ManifestCheck: Sendable {
  package let manifest: Manifest
  package let files: [FilePath]
  /// The name of what the files make when they are put together, or of the only file itself.
  package let base: FilePath
  package let kind: Kind
  /// The operand itself, among the files although the manifest does not know it.
  private(set) var unlisted: FilePath?
  /// Whether the manifest itself is the operand, with everything that it names.
  package private(set) var isOfAll = false

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
    case .whole, .joined: Set([manifest.expected(ofWhole: base)?.strongest?.kind].compactMap { $0 })
    }
  }

  private init(manifest: Manifest, files: [FilePath], base: FilePath, kind: Kind) {
    (self.manifest, self.files, self.base, self.kind) = (manifest, files, base, kind)
  }

  /// Nil where the selection has no manifest, or one that tells nothing that can be checked here.
  ///
  /// - Parameter operand: is looked at in any case.
  init?(_ selection: Selection, _ operand: FilePath) throws(CleaveError) {
    guard let manifest = selection.manifest, let base = selection.base else { return nil }
    guard selection.isPart else {
      self.init(manifest: manifest, files: [operand], base: base, kind: .whole)
      return
    }
    let entries = manifest.parts(of: base)
    if !entries.isEmpty {
      // Beside the operand, where a manifest given by its name need not be.
      var files = entries.map { operand.sibling($0.name) }
      let isListed = entries.contains { $0.name == operand.lastComponent }
      if !isListed { files.append(operand) }
      self.init(manifest: manifest, files: files, base: base, kind: .parts)
      if !isListed { unlisted = operand }
      return
    }
    guard manifest.expected(ofWhole: base) != nil, !selection.kind.isRewritten else { return nil }
    if let refusal = selection.refusal { throw refusal }
    self.init(manifest: manifest, files: selection.names, base: base, kind: .joined)
  }

  /// Everything that a manifest names; or what it is about, where that is not there by its name.
  init(all manifest: Manifest) throws(CleaveError) {
    let files = manifest.files
    let subject = manifest.path.sibling(manifest.path.lastComponent.withoutEnding)
    let base = manifest.whole?.name.map { manifest.path.sibling($0) } ?? subject
    let isAbout = files.isEmpty ? [base] : files
    // rclone's is called as the whole is.
    let found = isAbout.first { $0 != manifest.path && (try? FileStatus.ifPresent($0)) != nil }
    let saysWhole = manifest.whole != nil || files.count == 1
    if found == nil, saysWhole, let part = try manifest.partsFound.first {
      var request = Selection.Request(manifest: .file(manifest.path))
      request.format = .raw
      let selection = try Selection(of: [part], request)
      let base = selection.base ?? base
      self.init(manifest: manifest, files: selection.names, base: base, kind: .joined)
    } else if !files.isEmpty {
      self.init(manifest: manifest, files: files, base: subject, kind: .parts)
      isOfAll = true
    } else {
      guard manifest.whole != nil else {
        throw CleaveError(.badData, manifest.path, "names no files")
      }
      guard found != nil else {
        throw CleaveError(.missingInput, manifest.path, "neither \(base) nor parts of it are there")
      }
      self.init(manifest: manifest, files: [base], base: base, kind: .whole)
    }
  }
}

// MARK: - Comparing

extension ManifestCheck {
  /// What came of one file, or of what files make.
  package struct Outcome: Sendable {
    package var path: FilePath
    package var reading: VerifyJob.Reading?
    package var result: Result
    /// Whether there is a file under the name, and not only its parts.
    package var isFile = true
  }

  package enum Result: Hashable, Sendable {
    case same
    /// The end of a sentence that begins with the name.
    case different(String)
    case notListed
    /// There is nothing but its size, or nothing that can be computed here.
    case withoutSum
    case unreadable(CleaveError)
  }

  private typealias Readings = [(path: FilePath, reading: VerifyJob.Reading)]

  /// Reads the files and compares them; blocks until that is done.
  ///
  /// - Parameter job: reads; which sums are needed is known here.
  package func run(_ job: VerifyJob) -> [Outcome] {
    var job = job
    job.kinds = manifest.kinds(of: base)
    job.digests = digests
    return kind == .joined ? [runJoined(job)] : runEach(job)
  }

  /// Parts of which the manifest says only what they make.
  private func runJoined(_ job: VerifyJob) -> Outcome {
    do throws(CleaveError) {
      var sources: [SourceFile] = []
      for path in files { sources.append(try SourceFile(examining: path)) }
      var outcome = outcome(ofWhole: base, try job.runJoined(sources))
      outcome.isFile = false
      return outcome
    } catch {
      return Outcome(path: base, result: .unreadable(error), isFile: false)
    }
  }

  private func runEach(_ job: VerifyJob) -> [Outcome] {
    let blocks = manifest.blocks
    let sources = files.map { path in
      Swift.Result { () throws(CleaveError) in try SourceFile(examining: path) }
    }
    let there = sources.compactMap { try? $0.get() }
    var readings = job.run(there, blocks: there.map { blocks[$0.path.lastComponent] })
      .makeIterator()
    var outcomes: [Outcome] = []
    var readable: Readings = []
    for (path, source) in zip(files, sources) {
      switch source.flatMap({ _ in readings.next() ?? .failure(.cancelled) }) {
      case .success(let reading): readable.append((path, reading))
      case .failure(let error): outcomes.append(Outcome(path: path, result: .unreadable(error)))
      }
    }
    if kind == .whole { return outcomes + readable.map { outcome(ofWhole: $0.path, $0.reading) } }
    // What is missing has been told by then.
    if readable.isEmpty { return outcomes }
    return outcomes + compare(readable, isComplete: outcomes.isEmpty)
  }

  private func compare(_ found: Readings, isComplete: Bool) -> [Outcome] {
    let comparison = comparison(found, isComplete: isComplete)
    var different: [FilePath: String] = [:]
    for difference in comparison.differences { different[difference.path] = difference.text }
    let notCompared = Set(comparison.notCompared)
    let outcomes = found.map { path, reading in
      let problem = different.removeValue(forKey: path)
      let result: Result =
        if path == unlisted {
          .notListed
        } else if let problem {
          .different(problem)
        } else {
          notCompared.contains(path) ? .withoutSum : .same
        }
      return Outcome(path: path, reading: reading, result: result)
    }
    // What is left is about the whole.
    return outcomes
      + different.map { Outcome(path: $0.key, result: .different($0.value), isFile: false) }
  }

  private func comparison(_ found: Readings, isComplete: Bool) -> Manifest.Comparison {
    let files = found.map { (path: $0.path, checksum: $0.reading.checksum) }
    var digests = Digests()
    digests.parts = found.map(\.reading.digests)
    // Other files may be listed with the parts; the whole is made of the parts alone.
    let names = Set(manifest.parts(of: base).map(\.name))
    let parts = files.filter { names.contains($0.path.lastComponent) }
    let whole = parts.reduce(into: Checksum.empty) { $0.append($1.checksum) }
    // What has digests of each part needs none of the whole.
    let hasWhole =
      isComplete && !parts.isEmpty && manifest.listsAllParts
      && manifest.digests(of: base).whole.isEmpty && !manifest.isOfSplitZip(base)
    return manifest.compare(
      parts: files,
      whole: hasWhole ? whole : nil,
      of: base,
      digests: digests
    )
  }

  /// What the manifest says of a file that is a whole itself.
  private func outcome(ofWhole path: FilePath, _ reading: VerifyJob.Reading) -> Outcome {
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
        .different(problem)
      } else {
        item.isCompared ? .same : .withoutSum
      }
    return Outcome(path: path, reading: reading, result: result)
  }
}
