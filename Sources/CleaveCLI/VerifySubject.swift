import Cleave
import Posix

/// What there is to check of an operand: a manifest, a zip or both.
struct VerifySubject {
  let check: ManifestCheck?
  private(set) var zip: Result<ZipSubject, CleaveError>?

  /// The same for all parts of one series.
  var identity: [FilePath] {
    [check?.manifest.path, check?.base, try? zip?.get().name].compactMap { $0 }
  }

  init(_ path: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    let check = Result { () throws(CleaveError) in try ManifestCheck(path, choice) }
    self.check = try? check.get()
    if !Manifest.isName(path) {
      do throws(CleaveError) {
        zip = try ZipSubject(of: path).map { .success($0) }
      } catch {
        zip = .failure(error)
      }
    }
    // What is wrong with the zip says more than that there is no manifest. Where there is one, it
    // alone vouches for what is no whole zip.
    switch (check, zip) {
    case (.success, .failure(let error)) where error.system == nil: zip = nil
    case (.failure(let error), nil): throw error
    case (.failure(let error), .success)
    where choice != .automatic || error.kind != .missingInput || error.system != nil:
      throw error
    default: break
    }
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

  init(_ path: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    if choice == .automatic, Manifest.isName(path) {
      self = try ManifestCheck(all: Manifest(reading: path))
    } else if let check = try ManifestCheck(series: path, choice) {
      self = check
    } else {
      self = try ManifestCheck(whole: path, choice)
    }
  }

  private init(manifest: Manifest, files: [FilePath], base: FilePath, kind: Kind) {
    self.manifest = manifest
    self.files = files
    self.base = base
    self.kind = kind
  }

  /// Everything that a manifest names; or what it is about, where that is not there by its name.
  private init(all manifest: Manifest) throws(CleaveError) {
    let files = manifest.entries.map(manifest.file)
    let base = manifest.whole?.name.map { manifest.path.sibling($0) } ?? manifest.path.withoutEnding
    let isAbout = files.isEmpty ? [base] : files
    // rclone's is called as the whole is.
    let found = isAbout.first { $0 != manifest.path && (try? FileStatus.ifPresent($0)) != nil }
    let saysWhole = manifest.whole != nil || files.count == 1
    if found == nil, saysWhole, let part = try manifest.partsFound.first {
      self = try ManifestCheck(joining: part, manifest)
    } else if !files.isEmpty {
      let base = manifest.path.withoutEnding
      self.init(manifest: manifest, files: files, base: base, kind: .parts)
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

  /// All parts of a series, as merge finds them.
  private init(joining part: FilePath, _ manifest: Manifest) throws(CleaveError) {
    let selection = try MergeSelection([part], manifest: .file(manifest.path), format: .raw)
    let files = (selection.files ?? []).map(\.path)
    let base = selection.base ?? manifest.path.withoutEnding
    self.init(manifest: manifest, files: files, base: base, kind: .joined)
  }

  /// The whole series of a part; nil where the file is no part, or no manifest knows it as one.
  private init?(series part: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    var whole: Manifest?
    for base in try Self.bases(of: part) {
      guard let manifest = try choice.manifest(beside: base) else { continue }
      let entries = manifest.parts(of: base)
      if entries.isEmpty {
        let isDescribed = manifest.expected(ofWhole: base) != nil
        whole = whole ?? (isDescribed && Self.isJoined(part) ? manifest : nil)
        continue
      }
      // Beside the operand, where a manifest given by its name need not be.
      var files = entries.map { part.sibling($0.name) }
      // What was asked about is looked at, also where the manifest does not know it.
      let isListed = entries.contains { $0.name == part.lastComponent }
      if !isListed { files.append(part) }
      self.init(manifest: manifest, files: files, base: base, kind: .parts)
      if !isListed { unlisted = part }
      return
    }
    guard let whole else { return nil }
    self = try ManifestCheck(joining: part, whole)
  }

  /// What a part's manifest may be named after.
  private static func bases(of part: FilePath) throws(CleaveError) -> [FilePath] {
    if let series = try SplitZipSeries.containing(part), !series.numbered.isEmpty {
      return [series.lastName]
    }
    return PartName.wholes(of: part)
  }

  /// The parts of a split zip are not just put together.
  private static func isJoined(_ part: FilePath) -> Bool {
    PartName.common([part.lastComponent]) != nil
  }

  /// A file by itself.
  private init(whole path: FilePath, _ choice: ManifestChoice) throws(CleaveError) {
    _ = try SourceFile(examining: path)
    guard let manifest = try choice.manifest(beside: path) else {
      throw CleaveError(
        .missingInput,
        path,
        "there is no \(path.lastComponent).sfv, nor another manifest, to compare with"
      )
    }
    // What rclone keeps under the name of the whole is a manifest itself.
    if manifest.path == path {
      self = try ManifestCheck(all: manifest)
      return
    }
    self.init(manifest: manifest, files: [path], base: path, kind: .whole)
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
