public import Posix

// Sums files for single parts, which are read together: `film.001.md5`, `film.002.md5` and so on.
extension Manifest {
  /// Reads a manifest to compare the parts of `base` with; a sums file for one of them with those for
  /// the others.
  ///
  /// - Throws: as ``init(reading:upTo:)``; `.badData` where it says two things of one part.
  public init(reading path: FilePath, about base: FilePath?) throws(CleaveError) {
    let manifest = try Manifest(reading: path)
    guard let base else {
      self = manifest
      return
    }
    if manifest.ofItsSubject != nil, Self.isOfOnePart(path, of: base),
      let together = try Manifest(reading: Self.others(of: path, base))
    {
      self = together
      return
    }
    self = try manifest.about(base)
  }

  /// Reads a manifest that is to be checked itself; a sums file for one part with those for the others,
  /// where they begin with the first.
  ///
  /// - Parameter listing: the names of its directory.
  /// - Throws: as ``init(reading:about:)``.
  init(readingTogether path: FilePath, in listing: DirectoryListing) throws(CleaveError) {
    self = try Manifest(reading: path).withMoved(among: listing.set)
    guard ofItsSubject != nil, let subject = ManifestName(path)?.subject,
      !Self.isOfAbsentWhole(subject, in: listing)
    else { return }
    let ending = path.lastComponent.bytes.dropFirst(subject.bytes.count)
    for part in PartName.readings(of: subject) where part.style.isJoined && part.isCounted {
      // Without one for the first part none of them is read, so that each is read once.
      guard
        part.firsts.contains(where: { listing.set.contains(FilePath(bytes: $0.bytes + ending)) })
      else { continue }
      let others = listing.names.likely(
        beginning: part.head.bytes,
        ending: part.tail.bytes + ending
      ).filter { other in
        guard other.bytes.suffix(ending.count) == ending,
          let subject = ManifestName(other)?.subject, part.digits(of: subject) != nil
        else { return false }
        return !Self.isOfAbsentWhole(subject, in: listing)
      }
      guard others.count > 1, others.contains(path.lastComponent),
        let together = try Manifest(reading: others.map(path.sibling)),
        part.firsts.contains(where: together.entries.contains(named:))
      else { continue }
      self = together
      return
    }
  }

  /// Whether a file is not there, and what may be parts of it is.
  private static func isOfAbsentWhole(_ name: FilePath, in listing: DirectoryListing) -> Bool {
    if listing.set.contains(name) { return false }
    let parts = listing.names.likely(beginning: name.bytes).filter { other in
      !isName(other) && PartName.reading(of: other, for: name) != nil
    }
    return parts.count > 1
  }

  /// Whether a manifest's name is that of a part of `base` and an ending.
  static func isOfOnePart(_ path: FilePath, of base: FilePath) -> Bool {
    guard let subject = ManifestName(path)?.subject else { return false }
    return isPart(subject, of: base.lastComponent)
  }

  static func isPart(_ name: FilePath, of base: FilePath) -> Bool {
    if let last = SplitZipName(base), last.place == .last, name != base,
      SplitZipName(name)?.isPart(with: last) == true
    {
      return true
    }
    guard PartName.mayBeRead(name, for: base) else { return false }
    return PartName.reading(of: name, for: base) != nil
  }

  /// The sums files beside this one for other parts, with the same ending.
  private static func others(
    of path: FilePath,
    _ base: FilePath
  ) throws(CleaveError) -> [FilePath] {
    let names = try CleaveError.whileReading(FileSystem.names(in: path.directory))
    let name = path.lastComponent
    let ending = name.bytes.dropFirst(ManifestName(name)?.subject?.bytes.count ?? 0)
    return names.filter { other in
      other.bytes.suffix(ending.count) == ending && isOfOnePart(other, of: base)
    }.map { path.sibling($0) }
  }

  /// The same as a list of the one file that it is named after; nil where it is about others, or about the
  /// whole that parts make.
  var ofItsSubject: Manifest? {
    guard let subject = ManifestName(path)?.subject else { return nil }
    let manifest = withMoved(among: PathSet([subject]))
    if manifest.nested.isEmpty, manifest.entries.count == 1, manifest.entries.name(at: 0) == subject
    {
      return whole == nil ? manifest : nil
    }
    // Total Commander's has the name of the file in it.
    guard let whole, whole.name == subject, Format(of: path) == .crc, manifest.entries.isEmpty
    else {
      return nil
    }
    return Manifest(path, of: subject, whole.expected)
  }

  /// Reads those of some files together that have the sums of one file each, which they are named after.
  ///
  /// - Returns: nil where there is none.
  init?(reading paths: [FilePath]) throws(CleaveError) {
    var found: [Manifest] = []
    for path in paths {
      do throws(CleaveError) {
        if let manifest = try Manifest(reading: path).ofItsSubject { found.append(manifest) }
      } catch {
        // Nobody shall believe that it was compared.
        if Manifest.isName(path), !error.isOfNothing(path), !error.isOfForeignList { throw error }
      }
    }
    // That of their numbers, however they are counted.
    let order = { (manifest: Manifest) in manifest.entries.name(at: 0).bytes.count }
    found.sort { (order($0), $0.path) < (order($1), $1.path) }
    guard var first = found.first else { return nil }
    first.entries = try Self.united(found)
    first.others = found.dropFirst().map(\.path)
    first.isOfSingleParts = true
    self = first
  }

  /// One entry for each part, with all of its sums.
  ///
  /// - Throws: `.badData` where two have different sums of one.
  private static func united(_ found: [Manifest]) throws(CleaveError) -> Entries {
    var entries = Entries()
    var owners: [FilePath: Manifest] = [:]
    for list in found {
      let entry = list.entries[0]
      let owner = owners[entry.name, default: list]
      try owner.require(entries.expected(of: entry.name), entry.expected, of: entry.name, in: list)
      owners[entry.name] = owner
      entries.add(entry)
    }
    return entries
  }
}

// Which of several lists tells of a file.
extension Manifest {
  /// Lists by the files that they are named after, but for those that were read together with this one.
  var listsBySubject: [FilePath: FilePath] {
    let united = Set(told.map(\.path))
    let own = (told.isEmpty ? [path] : []) + others.filter { !united.contains($0) }
    let named = own.compactMap { list in ManifestName(list)?.subject.map { ($0, list) } }
    return Dictionary(named) { first, _ in first }
  }

  /// The file in which the sums of a part or the whole are: where each part has one, that which is named after it.
  ///
  /// - Parameters:
  ///   - means: by what the two were compared.
  ///   - named: ``listsBySubject``, where many files are asked for.
  func source(
    of part: FilePath,
    by means: Comparison.Means? = nil,
    among named: [FilePath: FilePath]? = nil
  ) -> FilePath {
    let name = listedName(of: part)
    if let teller = told.first(where: { $0.has(means, of: name) }) {
      if teller.path != path { return teller.path }
      return (named ?? listsBySubject)[part.lastComponent] ?? path
    }
    if let means, name == whole?.name || !entries.contains(named: name),
      let teller = told.first(where: { $0.whole?.means.contains(means) == true })
    {
      return teller.path
    }
    guard isOfSingleParts else { return path }
    return (named ?? listsBySubject)[part.lastComponent]
      ?? ([path] + others).first { $0.directory == part.directory } ?? path
  }

  /// The lists that tell of a file: this one alone, whether it does or not, or those of several that do.
  ///
  /// - Parameter named: ``listsBySubject``.
  func lists(of file: FilePath, among named: [FilePath: FilePath]) -> [FilePath] {
    let name = listedName(of: file)
    let own = isOfSingleParts ? source(of: file, among: named) : path
    if told.isEmpty { return [own] }
    return told.filter { list in
      list.has(nil, of: name) || list.whole != nil && name == whole?.name
    }.map { $0.path == path ? own : $0.path }
  }
}

extension CleaveError {
  /// Whether a file could not be read because it went away. A link that leads nowhere is there.
  func isOfNothing(_ path: FilePath) -> Bool {
    system?.errno == .notFound && FileStatus.isAbsent(path, followingLinks: false)
  }

  /// Whether what could not be read may be a list of any files: one that is named after no file beside it.
  func mayHideSums(in path: FilePath) -> Bool {
    if isOfNothing(path) { return false }
    if Manifest.isOfDirectory(path) { return true }
    guard system != nil, let name = ManifestName(path) else { return false }
    guard let subject = name.subject else { return true }
    let status = try? FileStatus.of(path.sibling(subject))
    return status == nil || status?.kind == .directory
  }
}
