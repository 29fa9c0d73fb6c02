public import Posix

extension Manifest {
  /// Where split puts the manifest of the parts of `base`, and merge looks for it first.
  public static func path(beside base: FilePath) -> FilePath { base.adding(".sfv") }

  /// Whether a file is beside the parts of `base` under their name and a manifest's ending.
  static func isName(_ path: FilePath, beside base: FilePath) -> Bool {
    isNamed(path, after: base.lastComponent) && path.sibling(base.lastComponent) == base
  }

  private static func isNamed(_ path: FilePath, after name: FilePath) -> Bool {
    // Names are spelled otherwise on the way from one system to another.
    let isLonger = zip(path.lastComponent.bytes, name.bytes).allSatisfy { $0.folded == $1.folded }
    guard isLonger, let found = ManifestName(path), found.isCertain else { return false }
    return found.subject?.bytes.count == name.bytes.count
  }

  /// The manifest beside the parts of `base`, if there is one.
  ///
  /// cleave's own SFV file is preferred, then the strongest sums of those that have the parts' name and
  /// a manifest's ending, and of sums files for each part, which are read together; then those of
  /// rclone, and of any other manifest in the directory that names a part or the whole. One that has sums
  /// of all parts, or of the whole, is preferred to one that has not.
  ///
  /// - Parameter listing: the names of the parts' directory, which is listed where none is given.
  /// - Throws: what reading reports, and `.badData` where a manifest under the parts' name is none, or
  ///   it says two things of one part. Others that are none do not matter.
  static func beside(
    _ files: FilesMeant,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) -> Manifest? {
    let (base, parts) = (files.base, files.files)
    guard let place = base ?? parts.flatMap(Self.place) else { return nil }
    var own: Manifest?
    if let path = base.map(path(beside:)), try exists(path) { own = try Manifest(reading: path) }
    if var own, own.isOwn {
      try own.agree(about: own.meant(files), listing)
      return own
    }
    let lists = try lists(beside: place, listing)
    let others = lists.names(about: files).map(place.sibling)
    var found: [Manifest] = []
    if let base {
      let named = others.filter { isName($0, beside: base) && $0 != own?.path }.sorted()
      var manifests = own.map { [$0] } ?? []
      for path in named where ForeignList.found(at: path) == nil {
        manifests.append(try Manifest(reading: path))
      }
      for manifest in manifests {
        // The last part of a split zip has the name of the whole.
        if files.haveOne(manifest.path), manifest.ofItsSubject != nil { continue }
        found.append(try manifest.about(base))
      }
    }
    let single = others.filter(files.haveOne)
    if let together = try Manifest(reading: single) { found.append(together) }
    if found.isEmpty, let metadata = base.flatMap(rcloneMetadata) { found = [metadata] }
    // What tells of the whole alone names no part that is wrong, or missing.
    let isEnough = found.contains { list in
      list.coverage(of: parts, base) == .max
        && (parts == nil || base.map { list.parts(of: $0).isEmpty } != true)
    }
    if !isEnough {
      let read = PathSet(found.flatMap { [$0.path] + $0.others })
      found += try others.filter { !read.contains($0) }.telling(of: files, place, in: lists)
    }
    let sorted = found.sorted {
      $1.rank(for: base, parts).lexicographicallyPrecedes($0.rank(for: base, parts))
    }
    guard var best = sorted.first else { return nil }
    let more = sorted.dropFirst().filter { other in
      other.isPlain && other.entries.contains { best.entries.expected(of: $0.name) == nil }
    }
    if best.isPlain, !more.isEmpty, best.coverage(of: parts, base) < .max {
      var united = best
      for other in more {
        try united.take(other.entries, from: other)
      }
      united.isOfSingleParts = true
      if best.isOfSingleParts || united.coverage(of: parts, base) == .max { best = united }
    }
    if best.isPlain { try best.agree(about: files, listing) }
    return best
  }

  /// The same files, with the name of their whole where this one tells another than theirs.
  private func meant(_ files: FilesMeant) -> FilesMeant {
    guard let base = files.base, let name = whole?.name, !isOfVolumes, !isOfSplitZip(base) else {
      return files
    }
    return FilesMeant(base.sibling(name), files.files, counted: files.form)
  }

  /// One of some files that are all in its directory; nil where they are not, and of what standard input is among.
  static func place(of files: PathList) -> FilePath? {
    guard let first = files.first else { return nil }
    return files.allSatisfy { $0 != "-" && first.sibling($0.lastComponent) == $0 } ? first : nil
  }

  /// Every manifest in the directory that says something of the parts of `base`, or of their whole.
  /// Those that cannot be read are left out.
  ///
  /// - Throws: what listing the directory reports.
  public static func all(about base: FilePath) throws(CleaveError) -> [Manifest] {
    let lists = try lists(beside: base, nil)
    let others = lists.names.map { base.sibling($0) }
    let (named, rest) = others.divided { isName($0, beside: base) }
    let single = rest.filter { isOfOnePart($0, of: base) }
    var found = named.sorted().compactMap { try? Manifest(reading: $0).about(base) }
    if let together = try? Manifest(reading: single) { found.append(together) }
    let known = Set(found.flatMap { [$0.path] + $0.others })
    let files = FilesMeant(base, nil)
    return found
      + ((try? rest.filter { !known.contains($0) }.telling(of: files, base, in: lists)) ?? [])
  }

  /// Whether a name such as `SHA256SUMS` says that it is about any file beside it.
  static func isOfDirectory(_ path: FilePath) -> Bool {
    guard let name = ManifestName(path) else { return false }
    return name.isCertain && name.subject == nil
  }

  private static func exists(_ path: FilePath) throws(CleaveError) -> Bool {
    try CleaveError.whileReading(FileStatus.ifPresent(path, followingLinks: false)) != nil
  }

  /// What may be manifests by their names; none of a directory that may be searched, but not listed.
  static func lists(
    beside base: FilePath,
    _ listing: DirectoryListing?
  ) throws(CleaveError) -> ListsInDirectory {
    do {
      let listing = try DirectoryListing(beside: base, unless: listing)
      let possible = possibleLists(in: listing)
      return listing.known { ListsInDirectory(possible.lists(among: $0)) }
    } catch  where [.permissionDenied, .notFound].contains(error.system?.errno) {
      return ListsInDirectory([])
    }
  }

  /// Whether a directory has what may be a list by its name, besides one; quick to find out.
  static func mayBeLists(in listing: DirectoryListing, besides known: FilePath?) -> Bool {
    possibleLists(in: listing).names.contains { $0 != known }
  }

  private static func possibleLists(in listing: DirectoryListing) -> PossibleLists {
    let companions = listing.companions
    return listing.known { _ in
      PossibleLists(names: companions.filter { ManifestName($0) != nil })
    }
  }

  /// Names that may be those of lists, if they are not parts'.
  private struct PossibleLists: Sendable {
    let names: [FilePath]

    func lists(among all: PathList) -> [FilePath] {
      if names.isEmpty { return [] }
      let known = PathSet(all)
      return names.filter { !Manifest.isName($0) || Manifest.isName($0, among: known) }
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

  /// The path that it names, where that is one alone, wherever it leads.
  package var only: FilePath? {
    let lists = [entries, nested, elsewhere]
    guard lists.reduce(0, { $0 + $1.count }) == 1 else { return nil }
    return lists.lazy.compactMap(\.first).first?.name
  }

  /// The parts in its directory of what a manifest of the whole alone is about, in the order of their
  /// names as bytes: those of the whole's name, or else of its own without the ending.
  ///
  /// - Parameter listing: the names of its directory, where they are known.
  package func partsFound(in listing: DirectoryListing? = nil) throws(CleaveError) -> [FilePath] {
    let bases = [whole?.name, only?.lastComponent, path.lastComponent.withoutEnding].compactMap {
      $0
    }
    let listing = try DirectoryListing(beside: path, unless: listing)
    let found = bases.lazy.map { Self.parts(of: $0, in: listing) }
    return (found.first { !$0.isEmpty } ?? []).sorted().map { path.sibling($0) }
  }

  /// Wholes that it lists, and that are not there themselves, but two or more of their parts in it, or some in the
  /// directory where they would be; each with one of those.
  ///
  /// - Parameter listing: the names of its directory, where they are known.
  package func absentWholes(
    in listing: DirectoryListing? = nil
  ) -> [(whole: FilePath, part: FilePath)] {
    let names = [entries, nested].joined().lazy.map(\.name)
    let absent = names.filter { FileStatus.isAbsent(path.sibling($0)) }
      .prefix(max(Self.leastAbsent, min(Self.mostAbsent, Self.mostNames / max(1, entries.count))))
    var listing = listing
    return absent.compactMap { name in
      // The last part of a split zip is called as its whole would be.
      if isOfSplitZip(name) { return nil }
      let whole = path.sibling(name)
      let last = name.lastComponent
      let listed = beside(name).parts(of: last).keeping { $0.name != last }
      if listed.count > 1 {
        let part = listed.lazy.map(\.name).first { part in
          PartName.readings(of: part, for: last).contains(where: \.isSureOrFirst)
        }
        return part.map { (whole, whole.sibling($0)) }
      }
      listing = try? DirectoryListing(beside: whole, unless: listing?.ifOf(whole.directory))
      guard let listing else { return nil }
      let part = Self.parts(of: name.lastComponent, in: listing).filter { part in
        let listed = name.sibling(part)
        return !entries.contains(named: listed) && !nested.contains(named: listed)
      }.min()
      return part.map { (whole, whole.sibling($0)) }
    }
  }

  /// What it lists in the directory of one of its files, under the names alone.
  private func beside(_ name: FilePath) -> Manifest {
    if entries.contains(named: name) { return self }
    var here = Entries()
    for var entry in nested where entry.name.directory == name.directory {
      entry.name = entry.name.lastComponent
      here.append(entry)
    }
    return with(here, nested: [], elsewhere: [])
  }

  /// What may be parts of a whole by their names, and no lists.
  private static func parts(of base: FilePath, in listing: DirectoryListing) -> [FilePath] {
    listing.names.filter { name in
      PartName.mayBeRead(name, for: base) && !isName(name, among: listing.set)
        && PartName.readings(of: name, for: base).contains(where: \.isSureOrFirst)
    }
  }

  /// Of more files that are not there, the list is about something else than wholes; of each, all names are looked at.
  private static var leastAbsent: Int { 32 }
  private static var mostAbsent: Int { 256 }
  private static var mostNames: Int { 1 << 17 }

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
      base.map { self.parts(of: $0).isEmpty } ?? true ? 0 : 1,
      listsAllParts ? 1 : 0, strength,
    ]
  }

  /// How many of the parts it has sums of; `Int.max` where it has those of all of them, or of the whole.
  func coverage(of parts: PathList?, _ base: FilePath?) -> Int {
    guard let parts else { return base.map(tells) == true ? .max : 0 }
    if covers(parts, makesWhole: true, of: base) { return .max }
    return parts.count { expected(of: $0) != nil }
  }
}

extension FilePath {
  /// What a list may have instead of the name: ``letters``, with dots for what files are called with where they are sent
  /// from one place to another.
  var spelling: String {
    let letters = letters
    guard letters.utf8.contains(where: " %".utf8.contains) else { return letters }
    var (rest, spelled) = (Array(letters.utf8)[...], [UInt8]())
    while let byte = rest.first {
      let count = rest.starts(with: "%20".utf8) ? 3 : 1
      spelled.append(count > 1 || byte == UInt8(ascii: " ") ? UInt8(ascii: ".") : byte)
      rest.removeFirst(count)
    }
    return String(decoding: spelled, as: UTF8.self)
  }

  /// The name in small letters, without blanks at its end. Strings of which Unicode says that they are the same are
  /// equal, in whatever form; what is not UTF-8 is taken for Latin-1.
  var letters: String { text.lowercased() }

  /// Whether another name has the same letters, in the same case and in other bytes.
  func isRespelled(as other: FilePath) -> Bool { self != other && text == other.text }

  private var text: String {
    var bytes = lastComponent.bytes[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
  }

  /// A name without its last dot and what is behind that.
  var withoutEnding: FilePath {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return FilePath(bytes: bytes[..<dot])
  }
}

extension PartName {
  /// Whether it is a part's name whatever else there is, or may be that of the first.
  var isSureOrFirst: Bool {
    style.isCertain || style.firsts.contains(number)
  }
}
