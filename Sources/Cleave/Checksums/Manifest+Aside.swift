internal import Posix

// What lists beside parts tell that are not the one that they are compared with, or not beside them.
extension Manifest {
  /// Takes in what other lists beside parts say of them, and of their whole.
  ///
  /// - Throws: `.badData` where another list has other sums of the same kind, or cannot be read and has a name of the parts
  ///   in it: which of the two is right, nothing tells.
  mutating func agree(
    about files: FilesMeant,
    _ listing: DirectoryListing?
  ) throws(CleaveError) {
    // Most directories have no other list, for which none of the names is kept.
    guard let place = files.base ?? files.files.flatMap(Self.place),
      let listing = try? DirectoryListing(beside: place, unless: listing),
      Self.mayBeLists(in: listing, besides: path.lastComponent)
    else { return }
    let lists = try Self.lists(beside: place, listing)
    let mine = [path] + others
    let theirs = lists.names(about: files).map(place.sibling).filter { !mine.contains($0) }
    if theirs.isEmpty { return }
    for path in theirs.most(likelyOf: place) {
      guard let list = try Self.list(at: path, about: files, in: lists) else { continue }
      // What split made of a file of the same name: other parts.
      if list.isOwn, !list.entries.contains(where: { files.contain($0.name) }) { continue }
      // What it has of some is compared; that of the others shall not seem to be.
      let untold = files.files?.filter { list.expected(of: $0) == nil } ?? []
      if untold.count < files.files?.count ?? 0 {
        try list.requireSpelling(of: Self.spelled(untold), isBeside: true)
      }
      try take(list, about: files, withMore: false)
    }
  }

  /// Takes in what another list says of parts, and of their whole.
  ///
  /// - Parameter withMore: whether also of parts that are not there, and not in this one, where nothing is said of the
  ///   whole, which tells how many there are.
  /// - Throws: `.badData` where it has another sum of one.
  mutating func take(
    _ list: Manifest,
    about files: FilesMeant,
    withMore: Bool
  ) throws(CleaveError) {
    let base = files.base
    let meant = list.parts(of: files)
    let isOfOne = isOfSingleParts && files.haveOne(path)
    for entry in list.entries where files.contain(entry.name) || meant.contains(named: entry.name) {
      try require(entries.expected(of: entry.name), entry.expected, of: entry.name, in: list)
    }
    let told = base.flatMap { base in
      list.whole(named: base).flatMap { isOfSplitZip(base) ? nil : $0 }
    }
    if let base, let told { try require(whole(of: base), told, of: base, in: list) }
    // Where it has all that are there, only what is next is missing: `film_2019` is not behind `film_03`.
    let isOpen = withMore && whole(of: base) == nil
    let isFull =
      list.entries.contains { !files.contain($0.name) }
      && files.files.map { covers($0, makesWhole: false, of: nil) } == true
    // Mostly, the first entry tells; of many lists, not all entries are looked at for each.
    let hasOne = isOfSingleParts || entries.first.map { files.contain($0.name) } == true
    let hadNone = !hasOne && parts(of: files).isEmpty
    let theirs = isFull ? list.parts(of: files, areNear: true) : meant
    try take(
      list.entries.keeping { entry in
        let isMine = entries.contains(named: entry.name)
        // That of split has all parts.
        return files.contain(entry.name) && (isMine || !isOwn)
          || theirs.contains(named: entry.name) && (isMine || isOpen)
      },
      from: list
    )
    // One of the whole alone says nothing of the parts that another has no sums of.
    if let files = files.files, !isOwn, hadNone || told != nil, !entries.isEmpty,
      !covers(files, makesWhole: false, of: nil)
    {
      isOfSingleParts = true
    }
    // That of one part does not tell which parts there are; this one does.
    if isOfOne, list.listsAllParts, !meant.isEmpty { isOfSingleParts = false }
    if let base, let told { try takeWhole(base, told, from: list) }
  }

  /// One of the lists beside some files, where it is about them.
  ///
  /// - Throws: `.badData` where it cannot be read and has a name of them in it. What is no file does not matter.
  private static func list(
    at path: FilePath,
    about files: FilesMeant,
    in lists: ListsInDirectory
  ) throws(CleaveError) -> Manifest? {
    do throws(CleaveError) {
      guard let manifest = try lists.manifest(at: path, of: files) else { return nil }
      let seen = try files.seen(in: manifest)
      return files.areMeant(by: seen) ? seen : nil
    } catch {
      if error.kind == .badData, error.system == nil, !error.isOfForeignList,
        files.areMentioned(in: path)
      {
        throw error.adding("; \(Setting.manifest) names the one to compare with")
      }
      return nil
    }
  }

  /// - Throws: `.badData` where what another list has of a file contradicts what is known of it.
  func require(
    _ known: Expected?,
    _ told: Expected,
    of file: FilePath,
    in other: Manifest
  ) throws(CleaveError) {
    guard let sum = known?.contradiction(with: told) else { return }
    let mine = named(([path] + others).filter { $0 != other.path })
    throw disagreement(other, "has another \(sum) of \(listedName(of: file)) than \(mine)")
  }

  private func disagreement(_ other: Manifest, _ text: Sentence) -> CleaveError {
    CleaveError(
      .badData,
      other.path,
      "\(text); \(Setting.manifest) names the one to compare with"
    )
  }

  /// The manifest beside parts that tells that they are not just put together, and how; nil where none does. Lists
  /// that cannot be read do not matter: those that parts are compared with are read by others.
  ///
  /// - Parameter base: the name that the parts share; nil where they share none.
  static func layout(
    beside base: FilePath?,
    of parts: PathList,
    in listing: DirectoryListing?
  ) -> Manifest? {
    for group in (parts.isEmpty ? PathList(base.map { [$0] } ?? []) : parts).byDirectory {
      let base = base.map { group[0].sibling($0.lastComponent) }
      guard let place = base ?? place(of: PathList(group)),
        let lists = try? lists(beside: place, listing?.ifOf(place.directory))
      else { continue }
      let files = FilesMeant(base, PathList(group))
      for path in lists.names(about: files).map(place.sibling).most(likelyOf: place) {
        guard let manifest = try? lists.manifest(at: path, of: files), !manifest.isPlain,
          let seen = try? files.seen(in: manifest), files.areMeant(by: seen)
        else { continue }
        return seen
      }
    }
    return nil
  }

  /// The manifest of split in the directory above that of its parts, which were moved without it, if it tells that they
  /// are not just put together.
  static func layout(above base: FilePath) -> Manifest? {
    if base.isRemote { return nil }
    let above = base.directory.appending("..").appending(base.lastComponent)
    guard let list = try? Manifest(reading: path(beside: above)), list.isOwn, !list.isPlain,
      let part = list.parts(of: above).first?.name,
      FileStatus.isAbsent(above.sibling(part))
    else { return nil }
    return list
  }

  /// What lists beside a file that is to be made say of it: those that are named after it, or about all of the
  /// directory; nil where there is none.
  ///
  /// - Parameters:
  ///   - parts: what it is made of.
  ///   - place: where lists are looked for whose lines lead to it; beside it where none is given.
  /// - Throws: the error of reading one that is named after it; `.badData` where two contradict each other.
  static func ofOutput(
    _ file: FilePath,
    of parts: PathList,
    in listing: DirectoryListing?,
    beside place: FilePath? = nil
  ) throws(CleaveError) -> Manifest? {
    let files = FilesMeant(nil, parts)
    var found: [(manifest: Manifest, strength: Int)] = []
    let home = place ?? file
    let isThere = !FileStatus.isAbsent(file)
    // A directory that is not there is told of where the file is made.
    guard let lists = try? lists(beside: home, listing?.ifOf(home.directory)) else { return nil }
    let meant = FilesMeant(file, nil)
    for name in lists.names(about: meant) {
      let path = home.sibling(name)
      let isNamed = isName(path, beside: file)
      let subject = ManifestName(path)?.subject
      // What `list.sha256` has of one file is about `list`, where that is there, but for a part.
      let isOther =
        subject.map { subject in
          subject != file.lastComponent && !files.contain(subject)
            && !FileStatus.isAbsent(home.sibling(subject))
        } ?? false
      let manifest: Manifest
      do throws(CleaveError) {
        guard let list = try lists.manifest(at: path, of: meant),
          isNamed || !isOther || list.only == nil
        else { continue }
        manifest = place == nil ? try list.about(file) : list.onlyLeading(to: file)
      } catch {
        if isNamed, !error.isOfNothing(path) {
          throw error.adding("; \(.withoutManifest) does without it")
        }
        continue
      }
      // Of split's own parts, and what they made before.
      if manifest.isOwn, isThere { continue }
      guard manifest.isPlain, let whole = manifest.ofWhole(file).whole,
        whole.name == file.lastComponent
      else { continue }
      let kind = RunningDigest.isAvailable ? whole.expected.strongest?.kind : nil
      let strength = kind.flatMap { Digest.Kind.allCases.firstIndex(of: $0) } ?? -1
      if strength < 0, whole.expected.crc32 == nil { continue }
      found.append((Manifest(manifest.path, ofWhole: whole), strength))
    }
    found.sort { ($1.strength, $0.manifest.path) < ($0.strength, $1.manifest.path) }
    guard var strongest = found.first?.manifest else { return nil }
    for (other, _) in found.dropFirst() {
      if let sums = other.whole?.expected { try strongest.takeWhole(file, sums, from: other) }
    }
    return strongest
  }
}
