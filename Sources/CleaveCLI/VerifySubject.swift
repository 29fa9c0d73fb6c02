import Cleave
import Posix

/// What there is to check of an operand: a manifest, a zip or both.
struct VerifySubject {
  let check: ManifestCheck?
  /// What holds a zip.
  private(set) var zip: Result<Selection, CleaveError>?

  /// The same for all parts of one series.
  var identity: [FilePath] {
    [check?.manifest.path, try? zip?.get().base].compactMap { $0 } + (check?.files ?? [])
  }

  init(_ path: FilePath, _ request: Selection.Request) throws(CleaveError) {
    if request.manifest == .automatic, Manifest.isManifest(at: path) {
      check = try ManifestCheck(all: Manifest(reading: path))
      return
    }
    let selection = try Selection.look(at: [path], request)
    // What rclone keeps under the name of the whole is a manifest itself.
    if let manifest = selection.manifest, manifest.path == path {
      check = try ManifestCheck(all: manifest)
      return
    }
    check = try ManifestCheck(selection, path)
    if selection.archive != nil { zip = .success(selection) }
    // Where there is a manifest, it alone vouches for what is no whole zip.
    if let fault = selection.fault, check == nil || fault.system != nil {
      zip = .failure(fault)
    }
    guard check == nil, zip == nil else { return }
    throw CleaveError(
      .missingInput,
      path,
      "there is no \(path.lastComponent).sfv, nor another manifest, to compare with"
    )
  }
}

/// A manifest and the files to compare with it.
struct ManifestCheck {
  let manifest: Manifest
  let files: [FilePath]
  /// The name of what the files make when they are put together, or of the only file itself.
  let base: FilePath
  let kind: Kind
  /// The operand itself, among the files although the manifest does not know it.
  private(set) var unlisted: FilePath?
  /// Whether the manifest itself is the operand, with everything that it names.
  private(set) var isOfAll = false

  enum Kind {
    /// All parts of one series, and perhaps other files.
    case parts
    /// The whole, which the manifest describes but need not list.
    case whole
    /// All parts of one series in their order, of which the manifest says only what they make.
    case joined
  }

  /// Which digests are needed of each file, or of what they make.
  var digests: Set<Digest.Kind> {
    switch kind {
    case .parts: manifest.digests(of: nil).parts
    case .whole, .joined: Set([manifest.expected(ofWhole: base)?.strongest?.kind].compactMap { $0 })
    }
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

  private init(manifest: Manifest, files: [FilePath], base: FilePath, kind: Kind) {
    self.manifest = manifest
    self.files = files
    self.base = base
    self.kind = kind
  }

  /// Everything that a manifest names; or what it is about, where that is not there by its name.
  init(all manifest: Manifest) throws(CleaveError) {
    let files = manifest.files
    let base = manifest.whole?.name.map { manifest.path.sibling($0) } ?? manifest.path.withoutEnding
    let isAbout = files.isEmpty ? [base] : files
    // rclone's is called as the whole is.
    let found = isAbout.first { $0 != manifest.path && (try? FileStatus.ifPresent($0)) != nil }
    let saysWhole = manifest.whole != nil || files.count == 1
    if found == nil, saysWhole, let part = try manifest.partsFound.first {
      var request = Selection.Request(manifest: .file(manifest.path))
      request.format = .raw
      let selection = try Selection(of: [part], request)
      self.init(
        manifest: manifest,
        files: selection.names,
        base: selection.base ?? base,
        kind: .joined
      )
    } else if !files.isEmpty {
      let base = manifest.path.withoutEnding
      self.init(manifest: manifest, files: files, base: base, kind: .parts)
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

extension FilePath {
  /// Without the last dot and what is behind it.
  fileprivate var withoutEnding: FilePath {
    let name = lastComponent.bytes
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return sibling(FilePath(bytes: name[..<dot]))
  }
}
