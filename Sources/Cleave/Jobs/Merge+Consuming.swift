import Posix

/// What is done before parts are given up, and what is kept of them.
extension Merge {
  /// Proves the parts by what they hold, where no manifest will.
  ///
  /// - Returns: nil where nothing inside tells.
  /// - Throws: `.badData` where the content is wrong; nothing has been freed then.
  func proveBeforeFreeing() throws(CleaveError) -> ProofResult? {
    if selection.kind.isRewritten, let archive = selection.archive, archive.bytesLeftOut > 0 {
      let names = selection.names[selection.names.count - 1]
      throw CleaveError(
        .badData,
        names,
        "has \(archive.bytesLeftOut) bytes between the zip's directory and its end, which merging leaves out: they "
          + "would be gone with the parts; merge without \(Setting.consuming)"
      )
    }
    try requireNoneEmptied()
    try compareWhatIsPlanned()
    try compareDigests()
    var verdict = Verdict()
    var content: ProofResult?
    if let manifest = selection.manifest, isCovered, !provesParts, selection.kind.isRewritten {
      throw CleaveError(
        .badData,
        manifest.path,
        "tells of the whole alone, which is there only when the parts are gone: \(.withoutManifest) consumes "
          + "them by what the zip says"
      )
    }
    if let manifest = selection.manifest, isCovered, !(provesParts && provesWhole(by: manifest)) {
      // It tells of a wrong part only when all are gone.
      try compareWhole(with: manifest)
    } else if provesContent {
      let run = ProofRun(named: selection.names, work.jobOptions(kinds))
      run.begin(selection)
      content = try run.finish([])
      try add(content, to: &verdict)
    }
    if !verdict.isVerified { try refuseUncompared() }
    try refuseTwins()
    if !isCovered, !provesParts, !verdict.isVerified {
      let place = placesOfList.first { FileStatus.isAbsent($0, followingLinks: false) }
      let kept = place.map {
        "the CRC-32 of each part that goes will be in \($0)"
      }
      let text = kept ?? "an SFV file cannot hold the names, and nothing will tell a bad one later"
      let isOpen = selection.evidence.doubts.contains { $0.code == .longLast }
      let end: Sentence =
        isOpen ? "; the last is as long as the others, so that more may follow" : ""
      work.tell(.warning("\(output): nothing proves all of the parts; \(text)\(end)"))
    }
    return content
  }

  /// - Throws: where a list or a text may tell of the parts that are freed, and is not compared with them.
  func refuseUncompared() throws(CleaveError) {
    guard !isCovered, let doubt = selection.uncompared() else { return }
    throw doubt.refusingToFree
  }

  /// A part without a byte is in no round, and is looked at when the others are gone.
  ///
  /// - Throws: `.badData` where one should have some.
  private func requireNoneEmptied() throws(CleaveError) {
    for (index, file) in (selection.files ?? SourceFiles()).enumerated() where file.status.size == 0
    {
      try approve(part: index, .empty, asking: file)
    }
  }

  /// Where the plan is made of what parts hold, of which a wrong one makes another plan, the parts are compared before
  /// any is freed.
  ///
  /// - Throws: `.badData` with the first that is wrong.
  private func compareWhatIsPlanned() throws(CleaveError) {
    guard isCovered, provesParts, selection.kind.isRewritten || !isPlain else { return }
    var job = VerifyJob()
    job.kinds = [.crc32]
    (job.cancellation, job.progress) = (work.cancellation, work.progress)
    let files = Array(selection.files ?? SourceFiles())
    job.progress.expectMore(files.reduce(0) { $0 + $1.status.size })
    let found = job.run(files, blocks: [BlockSums?](repeating: nil, count: files.count))
    for (index, result) in found.enumerated() {
      try approve(part: index, result.get().checksum, asking: files[index])
    }
  }

  /// Reads what other lists beside split's own have digests of: later, not all bytes are there.
  ///
  /// - Throws: `.badData` with the first file that differs.
  func compareDigests() throws(CleaveError) {
    guard let united, work.verification != .none else { return }
    guard RunningDigest.isAvailable else {
      let way: Sentence = "\(Setting.manifest) names one with CRC-32s"
      let text: Sentence = "its digests cannot be compared: it \(RunningDigest.lack); \(way)"
      throw CleaveError(.contradiction, united.sourceOfDigests, text)
    }
    var selection = selection
    (selection.manifest, selection.isPart) = (united, selection.base != nil)
    guard let check = try ManifestCheck(selection, selection.names[0]) else { return }
    var job = VerifyJob()
    (job.cancellation, job.progress) = (work.cancellation, work.progress)
    for check in [check] + check.wholes {
      for outcome in check.run(job) {
        switch outcome.result {
        case .same, .notListed, .withoutSum: continue
        case .unreadable(let error): throw error
        case .different(let text):
          let list = united.sourceOfDigests
          let way: Sentence =
            "nothing was freed; \(Setting.manifest) names the one to compare with"
          throw CleaveError(.badData, list, "\(outcome.path.lastComponent) \(text): \(way)")
        }
      }
    }
  }

  /// - Throws: `.badData` where a part is not what the manifest says, with what is to be done before any is freed.
  private func approve(
    part index: Int,
    _ sum: Checksum,
    asking file: SourceFile
  ) throws(CleaveError) {
    do throws(CleaveError) { try approve(part: index, sum) } catch {
      throw error.adding("; put a good \(file.path.lastComponent) in its place")
    }
  }

  /// Whether the manifest has a sum of each part.
  private var provesParts: Bool {
    selection.manifest?.covers(selection.names, makesWhole: false, of: selection.base) ?? false
  }

  /// Whether the CRC-32s that a manifest has of the parts make that which it has of the whole; where it has not all of
  /// them, that has to be read.
  private func provesWhole(by manifest: Manifest) -> Bool {
    guard makesWhole, !selection.kind.isRewritten,
      let whole = manifest.whole(of: selection.base)?.crc32
    else { return true }
    return crc32OfParts(in: manifest) == whole
  }

  /// What a manifest's CRC-32s of the parts make, one after the other; nil where it has not all of them, or something else
  /// is made.
  func crc32OfParts(in manifest: Manifest) -> UInt32? {
    guard !selection.kind.isRewritten, options.header == nil, manifest.isPlain,
      let files = selection.files
    else { return nil }
    var sum = Checksum()
    for (path, size) in zip(files.paths, files.sizes) {
      guard let crc32 = manifest.expected(of: path)?.crc32 else { return nil }
      sum.append(Checksum(count: size, crc32: crc32, adler32: 1))
    }
    return sum.crc32
  }

  /// Whether the manifest has a sum of one part.
  func provesPart(_ source: Int) -> Bool {
    let name = selection.names[source]
    return work.verification != .none
      && selection.manifest?.covers([name], makesWhole: false, of: selection.base) ?? false
  }

  private func compareWhole(with manifest: Manifest) throws(CleaveError) {
    var job = VerifyJob()
    job.kinds = manifest.kinds(of: selection.base)
    (job.cancellation, job.progress) = (work.cancellation, work.progress)
    let files = selection.files ?? SourceFiles()
    let header = try TransferPlan.header(options.header, of: selection, files)
    let sums = try job.runJoined(files, header: Int64(header.count))
    var verdict = Verdict()
    verdict.compare(with: manifest, parts: [], whole: sums.checksum, of: selection.base)
    try verdict.requireRight()
  }

  /// Before a part goes, it must be what the manifest says.
  func approve(part source: Int, _ sum: Checksum) throws(CleaveError) {
    let name = selection.names[source]
    guard work.verification != .none, let manifest = selection.manifest,
      // One of several parts need not have every one.
      manifest.expected(of: name) != nil || manifest.listsAllParts && selection.base != nil
    else { return }
    var verdict = Verdict()
    verdict.compare(
      with: manifest,
      parts: [(path: name, checksum: sum)],
      whole: nil,
      of: selection.base
    )
    try verdict.requireRight()
  }

  /// The sums of parts that nothing has proved, so that a bad one can be found later.
  ///
  /// A run that was killed behind it may have written it: what stands under a name that it could have is
  /// read, and not passed over where that fails. The same command line goes on then.
  func listOfFreed(
    _ parts: [Checksum],
    _ whole: Checksum
  ) throws(CleaveError) -> [Sidecar] {
    let entries = zip(selection.names, parts).map {
      Manifest.Entry(name: $0.lastComponent, expected: Manifest.Expected(crc32: $1.crc32))
    }
    let made = Manifest.Whole(name: output.lastComponent, expected: Manifest.Expected(whole))
    let bytes = SFV.render(entries, whole: made)
    return try reading { () throws(SystemError) -> [Sidecar] in
      for path in placesOfList {
        guard let status = try FileStatus.ifPresent(path, followingLinks: false) else {
          return [Sidecar(path: path, bytes: bytes)]
        }
        guard status.kind == .regular, status.size == bytes.count else { continue }
        let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
        if try file.read(bytes.count, at: 0) == bytes { return [] }
      }
      return []
    }
  }

  /// Beside the output, the likeliest first; none where an SFV file cannot hold the parts' names.
  private var placesOfList: [FilePath] {
    let names = selection.names.map(\.lastComponent)
    guard (names + [output.lastComponent]).allSatisfy(SFV.canHold), Set(names).count == names.count
    else { return [] }
    let endings = [".sfv", ".parts.sfv"] + (2...99).map { ".parts-\($0).sfv" }
    return endings.map { output.adding($0) }
      .filter { $0.lastComponent.bytes.count <= Self.longestName }
  }

  /// Bytes, which is what file systems allow.
  private static let longestName = 255
}
