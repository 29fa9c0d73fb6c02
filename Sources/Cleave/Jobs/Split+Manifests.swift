package import Posix

/// The manifests that split writes.
extension Split {
  /// One of them.
  package struct ManifestFile {
    package var path: FilePath
    var form: Form
  }

  package enum Form: Hashable {
    /// CRC-32s, and Adler-32 of the whole.
    case sfv
    /// Total Commander's.
    case crc
    case sums(Digest.Kind)
  }

  /// One for each kind of sum that was asked for, or the only one, in the form that its name says.
  package var manifests: [ManifestFile] {
    switch options.manifest {
    case .none: return []
    case .file(let path): return [ManifestFile(path: path, form: Form(of: path))]
    case .automatic:
      let digests = options.digests
      let hasSFV = digests.isEmpty || options.sums != nil
      let sfv = ManifestFile(path: Manifest.path(beside: prefix), form: .sfv)
      // What an SFV file cannot hold, a sums file can.
      let kinds = canHoldName || !digests.isEmpty ? digests : [.sha256]
      return (hasSFV && canHoldName ? [sfv] : [])
        + kinds.map { ManifestFile(path: prefix.adding(".\($0.rawValue)"), form: .sums($0)) }
    }
  }

  /// Whether an SFV file, or Total Commander's, has a place for the names.
  private var canHoldName: Bool { SFV.canHold(prefix.lastComponent) }

  /// The digests that the manifests have, and those that were asked for.
  var digestRequest: DigestRequest {
    var request = DigestRequest(whole: Set(options.digests))
    for manifest in manifests {
      guard case .sums(let kind) = manifest.form else { continue }
      request.parts.insert(kind)
      request.whole.insert(kind)
    }
    return request
  }

  /// - Throws: where options contradict each other.
  func checkManifests() throws(CleaveError) {
    try checkNameInManifests()
    if case .file(let path) = options.manifest { try checkPlace(of: path) }
    let request = digestRequest
    if case .file(let path) = options.manifest {
      guard options.sums == nil, options.digests.isEmpty else {
        throw CleaveError(
          .contradiction,
          "\(Setting.manifest) has the sums that its ending says; \(Setting.digests) names others"
        )
      }
      guard request.isEmpty || RunningDigest.isAvailable else {
        throw CleaveError(.contradiction, "\(path) \(RunningDigest.lack)")
      }
    }
    guard options.block == nil || manifests.contains(where: { $0.form == .sfv }) else {
      throw CleaveError(
        .contradiction,
        "\(Setting.blocks) is for SFV files: the other manifests have no place for its sums"
      )
    }
    guard !work.consumes || request.isEmpty else {
      throw CleaveError(
        .contradiction,
        "\(Setting.consuming) frees bytes before all of them have been hashed; CRC-32 needs no more"
      )
    }
  }

  /// - Throws: where no manifest can hold the name.
  private func checkNameInManifests() throws(CleaveError) {
    if canHoldName { return }
    let odd = "\(prefix): an SFV file cannot hold this name"
    let none: Sentence = "\(.withoutManifest) writes no manifest"
    switch options.manifest {
    case .none: return
    case .file(let path):
      if case .sums = Form(of: path) { return }
      throw CleaveError(
        .contradiction,
        "\(odd), nor can \(path); a sums file such as NAME.sha256 can, and \(none)"
      )
    case .automatic where !RunningDigest.isAvailable:
      throw CleaveError(.contradiction, "\(odd), and a sums file \(RunningDigest.lack); \(none)")
    case .automatic where work.consumes:
      throw CleaveError(.contradiction, "\(odd), and \(Setting.consuming) has no other; \(none)")
    case .automatic where options.block != nil:
      throw CleaveError(
        .contradiction,
        "\(odd), and only that has a place for the sums of \(Setting.blocks)"
      )
    case .automatic: return
    }
  }

  /// Manifests about files of the same names that the job does not replace.
  private func otherManifests() throws(CleaveError) -> [Manifest] {
    let written = manifests.map(\.path)
    return try Manifest.all(about: prefix).filter { !written.contains($0.path) }
  }

  /// - Throws: where one of them lists parts of the same names, or for the same whole: it would contradict the new ones.
  private func refuseStaleManifests() throws(CleaveError) {
    let form = PartName.reading(of: naming.name(0).lastComponent, for: prefix.lastComponent)
    let stale = try otherManifests().first { list in
      list.parts(of: prefix).contains { entry in
        form.map { $0.digits(of: entry.name) != nil } ?? true
      }
    }
    guard let stale else { return }
    let areSame = stale.entries.contains(named: naming.name(0).lastComponent)
    throw CleaveError(
      .cannotCreate,
      stale.path,
      "lists parts \(areSame ? "of the same names" : "for the same whole"), and would contradict the new ones; it must be "
        + "removed first, or choose another \(Setting.prefix)"
    )
  }

  /// - Throws: where one of them says something else of the whole.
  func refuseManifests(ofOther whole: Checksum) throws(CleaveError) {
    for manifest in try otherManifests() {
      guard let text = manifest.compare(whole: prefix, whole, kinds: kinds).difference?.text else {
        continue
      }
      throw CleaveError(
        .cannotCreate,
        manifest.path,
        "tells of another file called \(prefix.lastComponent): this one \(text); it must be removed first, or "
          + "choose another \(Setting.prefix)"
      )
    }
  }

  /// - Parameter blocks: of all parts, where their sums are wanted.
  /// - Throws: where a name is taken, or a manifest would be too large.
  func checkManifests(count: Int, blocks: Int64) throws(CleaveError) {
    try refuseStaleManifests()
    for manifest in manifests {
      // As many bytes as its lines have, but for the numbers that outgrow their width.
      let way = way(from: manifest.path) ?? "."
      let name = way.appending(naming.name(0).lastComponent).bytes.count
      let lines = Int64(count * (name + manifest.form.sumLength))
      let sums = options.block.map { _ in
        manifest.form == .sfv ? BlockSums.renderedSize(blocks: blocks, files: Int64(count)) : 0
      }
      guard lines + (sums ?? 0) < Manifest.largestFile else {
        throw CleaveError(
          .cannotCreate,
          manifest.path,
          "would be too large to be read again; \(.withoutManifest) makes none"
        )
      }
      try OutputCheck.check(manifest.path, replaceable, inputs: [])
      try refuseOthers(in: manifest.path)
    }
    if !canHoldName, options.manifest == .automatic {
      let text = "an SFV file cannot hold this name; its sums go to \(manifests[0].path)"
      work.tell(.warning("\(prefix): \(text)"))
    }
  }

  /// - Throws: where a manifest that would be replaced lists files that are there and are no parts of
  ///   this split: nothing else has their sums.
  private func refuseOthers(in path: FilePath) throws(CleaveError) {
    guard naming.isSuffixed else { return }
    let way = way(from: path) ?? "."
    let other = Manifest.namedFiles(in: path).first { other in
      let name = other.lastComponent
      let isBeside = other == path.sibling(way.appending(name))
      return naming.index(of: isBeside ? prefix.sibling(name) : other) == nil && other != file
        && (try? FileStatus.of(other)) != nil
    }
    guard let other else { return }
    throw CleaveError(
      .cannotCreate,
      path,
      "lists \(other.lastComponent), which is no part of this split; choose another \(Setting.prefix)"
    )
  }

  /// The manifests' bytes.
  func files(
    _ sums: [Checksum],
    _ whole: Checksum,
    header: Int64,
    _ digests: Digests,
    _ blocks: [BlockSums?]
  ) -> [Sidecar] {
    manifests.map { manifest in
      let way = way(from: manifest.path) ?? "."
      let bytes =
        switch manifest.form {
        case .sfv: sfv(way, sums, whole, header, blocks)
        case .crc: crc(whole)
        case .sums(let kind): self.sums(kind, way, whole, header, digests)
        }
      return Sidecar(path: manifest.path, bytes: bytes)
    }
  }

  /// What manifests call the whole: a stream has no name of its own.
  private var wholeName: FilePath { (file == "-" ? prefix : file.onThisMachine).lastComponent }

  /// The same in a manifest that cannot hold every name.
  var plainName: FilePath {
    SFV.canHold(wholeName) ? wholeName : prefix.lastComponent
  }

  private func sfv(
    _ way: FilePath,
    _ sums: [Checksum],
    _ whole: Checksum,
    _ header: Int64,
    _ blocks: [BlockSums?]
  ) -> [UInt8] {
    let entries = sums.enumerated().map { number, sum in
      Manifest.Entry(
        name: way.appending(naming.name(number).lastComponent),
        expected: Manifest.Expected(crc32: sum.crc32),
        blocks: blocks.isEmpty ? nil : blocks[number]
      )
    }
    let expected = Manifest.Expected(whole)
    return SFV.render(entries, whole: told(plainName, expected, header, parts: sums.count))
  }

  private func told(
    _ name: FilePath,
    _ expected: Manifest.Expected,
    _ header: Int64,
    parts count: Int
  ) -> Manifest.Whole {
    // Where empty parts were left out, so many had a record, and no more than one.
    let dealing = dealing.map { RecordDealing(parts: count, separator: $0.separator) }
    return Manifest.Whole(name: name, expected: expected, header: header, dealing: dealing)
  }

  private func crc(_ whole: Checksum) -> [UInt8] {
    TotalCommanderCRC(name: plainName, size: whole.count, crc32: whole.crc32).render()
  }

  private func sums(
    _ kind: Digest.Kind,
    _ way: FilePath,
    _ whole: Checksum,
    _ header: Int64,
    _ digests: Digests
  ) -> [UInt8] {
    let entries = digests.parts.enumerated().map { number, digests in
      Manifest.Entry(
        name: way.appending(naming.name(number).lastComponent),
        expected: Manifest.Expected(digests: digests.filter { $0.kind == kind })
      )
    }
    let digest = digests.whole.filter { $0.kind == kind }
    let expected = Manifest.Expected(size: whole.count, digests: digest)
    let made = told(wholeName, expected, header, parts: digests.parts.count)
    return Sums.render(entries, whole: made)
  }
}

extension Split.Form {
  init(of path: FilePath) {
    switch Manifest.Format(of: path) {
    case .crc: self = .crc
    case .sums(let kind?): self = .sums(kind)
    default: self = .sfv
    }
  }

  /// Bytes of a line that are not the name.
  fileprivate var sumLength: Int {
    switch self {
    case .sfv: 11
    case .crc: 0
    case .sums(let kind): 2 * kind.count + 4
    }
  }
}
