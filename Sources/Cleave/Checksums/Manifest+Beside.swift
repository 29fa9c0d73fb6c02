public import Posix

extension Manifest {
  /// Where split puts the manifest of the parts of `base`, and merge looks for it first.
  public static func path(beside base: FilePath) -> FilePath { base.adding(".sfv") }

  /// Whether a file is beside the parts of `base` under their name and a manifest's ending.
  static func isName(_ path: FilePath, beside base: FilePath) -> Bool {
    let (bytes, stem) = (path.bytes, base.bytes)
    guard bytes.count > stem.count, bytes[stem.count] == UInt8(ascii: "."),
      bytes.starts(with: stem), !bytes[(stem.count + 1)...].contains(UInt8(ascii: "."))
    else { return false }
    return Format(of: path) != nil
  }

  /// The manifest beside the parts of `base`, if there is one.
  ///
  /// cleave's own SFV file is preferred, then the strongest sums of those that have the parts' name and
  /// a manifest's ending; then those of rclone, and of any other manifest in the directory that names a
  /// part or the whole.
  ///
  /// - Throws: what reading reports, and `.badData` where a manifest under the parts' name is none.
  ///   Others that are none do not matter.
  public static func beside(_ base: FilePath) throws(CleaveError) -> Manifest? {
    let own = path(beside: base)
    var found: [Manifest] = []
    if try exists(own) {
      let manifest = try Manifest(reading: own)
      if manifest.isOwn { return manifest }
      found.append(manifest)
    }
    let others = try names(in: base.directory).map { base.sibling($0) }
    for path in others.filter({ isName($0, beside: base) && $0 != own }).sorted() {
      do throws(CleaveError) {
        found.append(try Manifest(reading: path))
      } catch {
        // `h.b2` may be part 178 of `split -x`.
        let isPart = PartName.reading(of: path.lastComponent, for: base) != nil
        guard isPart, error.kind == .badData else { throw error }
      }
    }
    if found.isEmpty, let metadata = rcloneMetadata(base) { found = [metadata] }
    if found.isEmpty { found = try others.telling(of: base) }
    return found.max { $0.rank(for: base).lexicographicallyPrecedes($1.rank(for: base)) }
  }

  private static func exists(_ path: FilePath) throws(CleaveError) -> Bool {
    do {
      return try FileStatus.ifPresent(path) != nil
    } catch {
      throw .reading(error)
    }
  }

  /// Names that may be manifests'; none of a directory that may be searched, but not listed.
  private static func names(in directory: FilePath) throws(CleaveError) -> [FilePath] {
    do {
      return try FileSystem.names(in: directory).filter(isName)
    } catch  where error.errno == .permissionDenied || error.errno == .notFound {
      return []
    } catch {
      throw .reading(error)
    }
  }

  /// What rclone keeps under the name of the whole.
  static func rcloneMetadata(_ base: FilePath) -> Manifest? {
    guard let status = try? FileStatus.of(base), status.kind == .regular,
      status.size <= RcloneMetadata.largestFile,
      let manifest = try? Manifest(reading: base, upTo: RcloneMetadata.largestFile),
      manifest.partCount != nil
    else { return nil }
    return manifest
  }

  /// Whether the manifest names a part of `base`, or the whole.
  func tells(of base: FilePath) -> Bool {
    let name = base.lastComponent
    return whole?.name == name || entries.contains { $0.name == name } || !parts(of: base).isEmpty
  }

  /// The parts in its directory of what a manifest of the whole alone is about, in the order of their
  /// names as bytes: those of the whole's name, or else of its own without the ending.
  package var partsFound: [FilePath] {
    get throws(CleaveError) {
      let name = path.lastComponent
      let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) ?? name.bytes.endIndex
      let only = entries.count == 1 ? entries.first?.name : nil
      let bases = [whole?.name, only, FilePath(bytes: name.bytes[..<dot])].compactMap { $0 }
      let names: [FilePath]
      do { names = try FileSystem.names(in: path.directory).sorted() } catch {
        throw .reading(error)
      }
      let found = bases.lazy.map { base in
        names.filter { name in
          !Manifest.isName(name) && PartName.reading(of: name, for: base)?.isSureOrFirst == true
        }
      }
      return (found.first { !$0.isEmpty } ?? []).map { path.sibling($0) }
    }
  }

  /// What speaks for a manifest among others, the most important first.
  private func rank(for base: FilePath) -> [Int] {
    let request = digests(of: base)
    let strength =
      request.whole.union(request.parts).compactMap { Digest.Kind.allCases.firstIndex(of: $0) }
      .max() ?? -1
    let canBeChecked = strength < 0 || RunningDigest.isAvailable
    return [tells(of: base) ? 1 : 0, canBeChecked ? 1 : 0, strength]
  }
}

extension PartName {
  /// Whether it is a part's name whatever else there is, or may be that of the first.
  fileprivate var isSureOrFirst: Bool { style.isCertain || number == 0 }
}

extension [FilePath] {
  /// More files than this, or larger ones, are not read only to find out whether they matter.
  private static var mostOthers: Int { 64 }
  private static var largestOther: Int64 { 1 << 20 }

  /// Those of the manifests in a directory that tell of the parts of `base`, which the others need not
  /// be named after.
  ///
  /// - Throws: `.badData` where one that cannot be read has their name in it.
  fileprivate func telling(of base: FilePath) throws(CleaveError) -> [Manifest] {
    // Those whose names begin as the parts' do come first.
    let name = base.lastComponent.bytes
    let common = { (path: FilePath) in zip(path.lastComponent.bytes, name).prefix { $0 == $1 }.count
    }
    let likely = sorted { (common($1), $0) < (common($0), $1) }
    var found: [Manifest] = []
    for path in likely.prefix(Self.mostOthers) {
      do throws(CleaveError) {
        let manifest = try Manifest(reading: path, upTo: Self.largestOther)
        if manifest.tells(of: base) { found.append(manifest) }
      } catch {
        // Nobody shall believe that it was compared.
        if error.kind == .badData, Manifest.mentions(base, in: path) { throw error }
      }
    }
    return found
  }
}
