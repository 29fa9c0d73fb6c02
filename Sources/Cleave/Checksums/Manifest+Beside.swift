public import Posix

extension Manifest {
  /// Where split puts the manifest of the parts of `base`, and merge looks for it first.
  public static func path(beside base: FilePath) -> FilePath { base.adding(".sfv") }

  /// Whether a file is beside the parts of `base` under their name and a manifest's ending.
  static func isName(_ path: FilePath, beside base: FilePath) -> Bool {
    path.sibling(base.lastComponent) == base && isNamed(path, after: base.lastComponent)
  }

  private static func isNamed(_ path: FilePath, after name: FilePath) -> Bool {
    guard let found = ManifestName(path), found.isCertain else { return false }
    // Names are spelled otherwise on the way from one system to another.
    return found.subject.map { SplitZipName.folded($0.bytes) } == SplitZipName.folded(name.bytes)
  }

  /// The manifest beside the parts of `base`, if there is one.
  ///
  /// cleave's own SFV file is preferred, then the strongest sums of those that have the parts' name and
  /// a manifest's ending, and of sums files for each part, which are read together; then those of
  /// rclone, and of any other manifest in the directory that names a part or the whole. One that has sums
  /// of all parts, or of the whole, is preferred to one that has not.
  ///
  /// - Parameters:
  ///   - base: the name that the parts share; nil where they share none.
  ///   - parts: those that are there; nil where they are not known.
  ///   - listing: the names of the parts' directory, which is listed where none is given.
  /// - Throws: what reading reports, and `.badData` where a manifest under the parts' name is none, or
  ///   it says two things of one part. Others that are none do not matter.
  public static func beside(
    _ base: FilePath?,
    of parts: PathList? = nil,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> Manifest? {
    guard let place = base ?? parts.flatMap(Self.place) else { return nil }
    var own: Manifest?
    if let path = base.map(path(beside:)), try exists(path) { own = try Manifest(reading: path) }
    if let base, let own, own.isOwn {
      try own.requireAgreement(about: base, listing)
      return own
    }
    let others = try names(beside: place, listing).map { place.sibling($0) }
    let files = FilesMeant(base, others.isEmpty ? nil : parts)
    var found: [Manifest] = []
    if let base {
      let named = others.filter { isName($0, beside: base) && $0 != own?.path }.sorted()
      var manifests = own.map { [$0] } ?? []
      for path in named { manifests.append(try Manifest(reading: path)) }
      for manifest in manifests {
        // The last part of a split zip has the name of the whole.
        if files.haveOne(manifest.path), manifest.ofItsSubject != nil { continue }
        found.append(try manifest.about(base))
      }
    }
    let single = others.filter(files.haveOne)
    if let together = try Manifest(reading: single) { found.append(together) }
    if found.isEmpty, let metadata = base.flatMap(rcloneMetadata) { found = [metadata] }
    if !found.contains(where: { $0.coverage(of: parts, base) == .max }) {
      let read = PathSet(found.flatMap { [$0.path] + $0.others })
      found += try others.filter { !read.contains($0) }.telling(of: files, place)
    }
    return found.max {
      $0.rank(for: base, parts).lexicographicallyPrecedes($1.rank(for: base, parts))
    }
  }

  /// - Throws: `.badData` where another list has more of the parts, or other sums of them of a kind that is in both;
  ///   which of the two is right, nothing tells.
  private func requireAgreement(
    about base: FilePath,
    _ listing: DirectoryListing?
  ) throws(CleaveError) {
    guard let listing = try? DirectoryListing(beside: base, unless: listing),
      listing.names.contains(where: { $0 != path.lastComponent && ManifestName($0) != nil })
    else { return }
    for name in try Self.names(beside: base, listing) where name != path.lastComponent {
      let path = base.sibling(name)
      guard Self.isName(path, beside: base) || Self.isOfDirectory(path),
        let other = try? Manifest(reading: path).about(base)
      else { continue }
      for entry in other.parts(of: base) {
        let text: String
        if let known = entries.expected(of: entry.name) {
          guard let sum = known.crc32, let other = entry.expected.crc32, sum != other else {
            continue
          }
          text = "has another CRC-32 of \(entry.name) than \(self.path.lastComponent)"
        } else {
          text = "lists \(entry.name), which \(self.path.lastComponent) does not"
        }
        throw CleaveError(
          .badData,
          path,
          "\(text); \(Setting.manifest) names the one to compare with"
        )
      }
    }
  }

  /// The manifest beside parts that tells that they are not just put together, and how; nil where none does.
  ///
  /// - Parameter base: the name that the parts share; nil where they share none.
  static func layout(
    beside base: FilePath?,
    of parts: PathList,
    in listing: DirectoryListing?
  ) -> Manifest? {
    guard let place = base ?? place(of: parts), let others = try? names(beside: place, listing),
      !others.isEmpty
    else { return nil }
    let files = FilesMeant(base, parts)
    return (try? others.map { place.sibling($0) }.telling(of: files, place))?.first { !$0.isPlain }
  }

  /// What lists beside each of some files that are in several directories say of them, and of the whole that they
  /// make.
  ///
  /// - Parameter name: that the parts share; nil where they share none.
  static func together(_ files: PathList, of name: FilePath?) throws(CleaveError) -> Manifest? {
    var groups: [(directory: FilePath, files: [FilePath])] = []
    for file in files {
      if groups.last?.directory != file.directory { groups.append((file.directory, [])) }
      groups[groups.count - 1].files.append(file)
    }
    guard Set(files.lazy.map(\.lastComponent)).count == files.count else { return nil }
    var found: [Manifest] = []
    for group in groups {
      let base = name.map(group.files[0].sibling)
      guard var manifest = try beside(base, of: PathList(group.files)) else { continue }
      if let base { manifest = manifest.ofWhole(base) }
      if !manifest.isPlain || manifest.covers(files, makesWhole: true, of: base) { return manifest }
      let names = PathSet(group.files.lazy.map(\.lastComponent))
      manifest.entries = manifest.entries.keeping { names.contains($0.name) }
      if !manifest.entries.isEmpty { found.append(manifest) }
    }
    guard var first = found.first else { return nil }
    for other in found.dropFirst() {
      for entry in other.entries { first.entries.append(entry) }
      first.others += [other.path] + other.others
    }
    first.isOfSingleParts = true
    return first
  }

  /// What a list beside a file that is to be made, and named after it, says of it; nil where there is none.
  static func ofOutput(_ file: FilePath) -> Manifest? {
    let kinds = RunningDigest.isAvailable ? Digest.Kind.allCases.reversed().map(\.rawValue) : []
    for ending in kinds + ["sfv", "crc"] {
      guard let manifest = try? Manifest(reading: file.adding(".\(ending)")).about(file) else {
        continue
      }
      if let whole = manifest.whole, whole.name == file.lastComponent, manifest.isPlain {
        return Manifest(manifest.path, ofWhole: whole)
      }
      if manifest.entries.contains(named: file.lastComponent),
        let whole = manifest.ofWhole(file).whole
      {
        return Manifest(manifest.path, ofWhole: whole)
      }
    }
    return nil
  }

  /// One of some files that are all in its directory; nil where they are not, and of what standard input is among.
  private static func place(of files: PathList) -> FilePath? {
    guard let first = files.first else { return nil }
    return files.allSatisfy { $0 != "-" && first.sibling($0.lastComponent) == $0 } ? first : nil
  }

  /// Every manifest in the directory that says something of the parts of `base`, or of their whole.
  /// Those that cannot be read are left out.
  ///
  /// - Throws: what listing the directory reports.
  public static func all(about base: FilePath) throws(CleaveError) -> [Manifest] {
    let others = try names(beside: base, nil).map { base.sibling($0) }
    let (named, rest) = others.divided { isName($0, beside: base) }
    let single = rest.filter { isOfOnePart($0, of: base) }
    var found = named.sorted().compactMap { try? Manifest(reading: $0).about(base) }
    if let together = try? Manifest(reading: single) { found.append(together) }
    let known = Set(found.flatMap { [$0.path] + $0.others })
    let files = FilesMeant(base, nil)
    return found + ((try? rest.filter { !known.contains($0) }.telling(of: files, base)) ?? [])
  }

  /// Whether a name such as `SHA256SUMS` says that it is about any file beside it.
  static func isOfDirectory(_ path: FilePath) -> Bool {
    guard let name = ManifestName(path) else { return false }
    return name.isCertain && name.subject == nil
  }

  private static func exists(_ path: FilePath) throws(CleaveError) -> Bool {
    do {
      return try FileStatus.ifPresent(path, followingLinks: false) != nil
    } catch {
      throw .reading(error)
    }
  }

  /// Names that may be manifests'; none of a directory that may be searched, but not listed.
  private static func names(
    beside base: FilePath,
    _ listing: DirectoryListing?
  ) throws(CleaveError) -> [FilePath] {
    do {
      return try DirectoryListing(beside: base, unless: listing).manifests { names(among: $0) }
    } catch  where [.permissionDenied, .notFound].contains(error.system?.errno) {
      return []
    }
  }

  private static func names(among names: PathList) -> [FilePath] {
    let possible = names.filter { ManifestName($0) != nil }
    if possible.isEmpty { return [] }
    let known = PathSet(names)
    return possible.filter { !isName($0) || isName($0, among: known) }
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

  /// The path that it names, where that is one alone, wherever it leads.
  package var only: FilePath? {
    let lists = [entries, nested, elsewhere]
    guard lists.reduce(0, { $0 + $1.count }) == 1 else { return nil }
    return lists.lazy.compactMap(\.first).first?.name
  }

  /// The parts in its directory of what a manifest of the whole alone is about, in the order of their
  /// names as bytes: those of the whole's name, or else of its own without the ending.
  package var partsFound: [FilePath] {
    get throws(CleaveError) {
      let bases = [whole?.name, only?.lastComponent, path.lastComponent.withoutEnding].compactMap {
        $0
      }
      let names = try DirectoryListing(beside: path).names.sorted()
      let known = PathSet(names)
      let found = bases.lazy.map { base in
        names.filter { name in
          !Manifest.isName(name, among: known)
            && PartName.readings(of: name, for: base).contains(where: \.isSureOrFirst)
        }
      }
      return (found.first { !$0.isEmpty } ?? []).map { path.sibling($0) }
    }
  }

  /// Wholes that it lists beside two or more of their parts, and that are not there themselves, each with
  /// one of those parts.
  package var absentWholes: [(whole: FilePath, part: FilePath)] {
    let absent = entries.indices.lazy.map { entries.name(at: $0) }.filter { name in
      (try? FileStatus.ifPresent(path.sibling(name))) == .some(nil)
    }
    return absent.prefix(Self.mostAbsent).compactMap { name in
      // The last part of a split zip is called as its whole would be.
      if isOfSplitZip(name) { return nil }
      let parts = parts(of: name).keeping { $0.name != name }
      guard parts.count > 1, let part = parts.first?.name,
        PartName.readings(of: part, for: name).contains(where: \.isSureOrFirst)
      else { return nil }
      return (path.sibling(name), path.sibling(part))
    }
  }

  /// Of more files that are not there, the list is about something else than one whole.
  private static var mostAbsent: Int { 32 }

  /// What speaks for a manifest among others, the most important first.
  private func rank(for base: FilePath?, _ parts: PathList?) -> [Int] {
    let request = digests(of: base)
    let strength =
      request.whole.union(request.parts).compactMap { Digest.Kind.allCases.firstIndex(of: $0) }
      .max() ?? -1
    let canBeChecked = strength < 0 || RunningDigest.isAvailable
    return [
      // How parts are put together is nowhere else.
      base.map(tells) ?? true ? 1 : 0, isPlain ? 0 : 1, canBeChecked ? 1 : 0,
      coverage(of: parts, base),
      listsAllParts ? 1 : 0, strength,
    ]
  }

  /// How many of the parts it has sums of; `Int.max` where it has those of all of them, or of the whole.
  private func coverage(of parts: PathList?, _ base: FilePath?) -> Int {
    guard let parts else { return base.map(tells) == true ? .max : 0 }
    if covers(parts, makesWhole: true, of: base) { return .max }
    return parts.count { expected(of: $0) != nil }
  }
}

extension FilePath {
  /// The name in small letters. Strings of which Unicode says that they are the same are equal, in whatever form.
  var spelling: String { String(decoding: lastComponent.bytes, as: UTF8.self).lowercased() }

  /// A name without its last dot and what is behind that.
  var withoutEnding: FilePath {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return FilePath(bytes: bytes[..<dot])
  }
}

extension PartName {
  /// Whether it is a part's name whatever else there is, or may be that of the first.
  fileprivate var isSureOrFirst: Bool {
    style.isCertain || style.firsts.contains(number)
  }
}

extension [FilePath] {
  /// More files than this are not read only to find out whether they matter.
  private static var mostOthers: Int { 1024 }

  /// Those for which something is so, and the others.
  fileprivate func divided(by isSo: (FilePath) -> Bool) -> (those: [FilePath], others: [FilePath]) {
    reduce(into: (those: [], others: [])) { found, path in
      if isSo(path) { found.those.append(path) } else { found.others.append(path) }
    }
  }

  /// Those of the manifests in a directory that tell of some files, which they need not be named after.
  ///
  /// - Parameter place: a file beside them, or the name of the whole.
  /// - Throws: `.badData` where one that cannot be read has a name of them in it, or says two things of one
  ///   part; the error of reading one that is about all of the directory.
  fileprivate func telling(
    of files: FilesMeant,
    _ place: FilePath
  ) throws(CleaveError) -> [Manifest] {
    // Those that are about all of a directory come first, then those whose names begin as the parts' do.
    let name = place.lastComponent.bytes
    let common = { (path: FilePath) in
      ManifestName(path)?.subject == nil
        ? .max : zip(path.lastComponent.bytes, name).prefix { $0 == $1 }.count
    }
    let likely = map { (common($0), $0) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1)
    var found: [Manifest] = []
    for path in likely.prefix(Self.mostOthers) {
      do throws(CleaveError) {
        let manifest = try files.seen(in: Manifest(reading: path))
        if files.areMeant(by: manifest) { found.append(manifest) }
      } catch {
        // Nobody shall believe that it was compared.
        if error.kind == .badData ? files.areMentioned(in: path) : Manifest.isOfDirectory(path) {
          if !error.isOfNothing(path) { throw error }
        }
      }
    }
    return found
  }
}

/// The files that a manifest may be about: parts, and the whole that they make.
private struct FilesMeant {
  private let base: FilePath?
  /// Their names; nil where they are not known.
  private let names: PathSet?
  /// The same, however they are spelled.
  private let spellings: Set<String>

  init(_ base: FilePath?, _ files: PathList?) {
    self.base = base
    names = files.map { PathSet($0.lazy.map(\.lastComponent)) }
    spellings = Set((files?.map(\.spelling) ?? []) + (base.map { [$0.spelling] } ?? []))
  }

  /// Whether a manifest's name is that of one of them and an ending.
  func haveOne(_ path: FilePath) -> Bool {
    if let base, Manifest.isOfOnePart(path, of: base) { return true }
    return names.map { names in ManifestName(path)?.subject.map(names.contains) == true } ?? false
  }

  /// A manifest with its lines about them under their names alone.
  func seen(in manifest: Manifest) throws(CleaveError) -> Manifest {
    if let base { return try manifest.about(base) }
    return names.map(manifest.withMoved) ?? manifest
  }

  /// Whether a manifest says something of them, by whatever letters.
  func areMeant(by manifest: Manifest) -> Bool {
    if let base, manifest.tells(of: base) { return true }
    if spellings.isEmpty { return false }
    return manifest.entries.indices.contains { index in
      spellings.contains(manifest.entries.name(at: index).spelling)
    }
  }

  /// Whether one that cannot be read has a name of them in it.
  func areMentioned(in path: FilePath) -> Bool {
    guard let base else {
      return Manifest.namedFiles(in: path).contains { names?.contains($0.lastComponent) == true }
    }
    return Manifest.isName(path)
      ? Manifest.mentions(base, in: path) : Manifest.hasLine(of: base, in: path)
  }
}
