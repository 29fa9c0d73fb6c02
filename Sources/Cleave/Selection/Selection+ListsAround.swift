internal import Posix

/// What lists around files tell of them: those above, and those that are not the one that they are compared with.
extension Selection {
  /// A place in a directory, and its names.
  typealias PlaceOfLists = (place: FilePath, listing: DirectoryListing)

  /// The lists in a directory, with what they tell of files in others.
  ///
  /// - Parameters:
  ///   - known: the one that was found before, which is not looked at again.
  ///   - isNeeded: whether nothing has sums of all.
  ///   - onlyLeading: whether lines that lead to nothing are nobody's.
  /// - Returns: each with the names that it has, but for what is in its own directory.
  /// - Throws: `.badData` where one cannot be read, and names a file there; the error of reading one that is needed, and may
  ///   name any.
  func lists(
    in directory: PlaceOfLists,
    of meant: FilesMeant,
    besides known: Manifest? = nil,
    isNeeded: Bool,
    onlyLeading: Bool = false
  ) throws(CleaveError) -> [(list: Manifest, listed: [FilePath])] {
    guard let files = meant.files else { return [] }
    let whole = hasWhole ? meant.base?.lastComponent : nil
    let lists = try Manifest.lists(beside: directory.place, directory.listing)
    var found: [(Manifest, [FilePath])] = []
    for path in lists.names(about: meant).sorted().map(directory.place.sibling)
    where path != known?.path {
      guard let list = try Self.list(at: path, of: meant, in: lists, isNeeded: isNeeded) else {
        continue
      }
      var (told, listed) = try list.told(
        of: meant,
        making: whole,
        from: directory.listing.set,
        isOfOther: Self.isNamedAfterDirectory(path, besides: files)
      )
      if onlyLeading { told = list.onlyLeading(to: files[0]) }
      let has = told.entries.contains { meant.contain($0.name) }
      // What split wrote is about the parts that its lines lead to, and no other file of that name.
      let isOfWhole =
        !told.isOwn && !onlyLeading && whole.map { told.whole(named: $0) != nil } == true
      if !told.isOwn, meant.base == nil || files.areScattered {
        told.entries = told.entries.keeping { meant.contain($0.name) }
      }
      if has || isOfWhole { found.append((told, listed)) }
    }
    return found
  }

  /// Whether a list is named after a directory beside it, but for those of some files.
  static func isNamedAfterDirectory(_ path: FilePath, besides files: PathList) -> Bool {
    guard let subject = ManifestName(path)?.subject,
      let status = try? FileStatus.of(path.sibling(subject)), status.kind == .directory
    else { return false }
    return !FilePlaces(files).areIn(status.identity)
  }

  /// One of the lists above some files.
  ///
  /// - Parameter isNeeded: whether no other has sums of all.
  /// - Throws: `.badData` where it cannot be read, and has one of them, or another part beside them, in it; the error of
  ///   reading one that is needed, and may have any.
  static func list(
    at path: FilePath,
    of meant: FilesMeant,
    in lists: ListsInDirectory,
    isNeeded: Bool
  ) throws(CleaveError) -> Manifest? {
    do throws(CleaveError) {
      return try lists.manifest(at: path, of: meant)
    } catch {
      if error.isOfForeignList { return nil }
      let mayTell =
        error.kind == .badData && error.system == nil
        ? meant.files.map { Manifest.hasLine(leadingTo: $0, in: path) } == true
          || isNeeded && isOfMoved(path, meant)
        : isNeeded && error.mayHideSums(in: path)
      guard mayTell else { return nil }
      throw error.adding("; \(.withoutManifest) does without it")
    }
  }

  /// Whether a list is named after the whole of some files, and has one of them that is not beside it: these were moved.
  private static func isOfMoved(_ path: FilePath, _ meant: FilesMeant) -> Bool {
    guard let base = meant.base, ManifestName(path)?.subject?.spelling == base.spelling else {
      return false
    }
    let names = Manifest.namedFiles(in: path).filter { meant.contain($0.lastComponent) }
    return !names.isEmpty
      && names.allSatisfy { FileStatus.isAbsent(path.sibling($0)) }
  }

  /// The list of a name above the directory of a series, of which it has some; nil where there is none.
  func list(called name: FilePath, above base: FilePath, _ files: PathList) -> Manifest? {
    guard let place = directoryAbove(base, files).found?.place else { return nil }
    return try? Manifest(reading: place.sibling(name)).onlyLeading(to: base)
  }

  /// The directory above that of a series, which is listed once for all series beside each other.
  func directoryAbove(_ base: FilePath, _ files: PathList) -> DirectoryAbove {
    guard let own = listing?.ifOf(base.directory) else { return DirectoryAbove(files) }
    return own.known { _ in DirectoryAbove(files, of: own) }
  }

  /// Whether a list in the directory of a whole, or in the one above, has its name: quick to find out.
  func hasList(naming whole: FilePath) -> Bool {
    let meant = FilesMeant(whole, nil)
    let beside = (try? DirectoryListing(beside: whole, unless: listing)).map { (whole, $0) }
    let above = directoryAbove(whole, [whole]).found.map { ($0.place, $0.listing) }
    return [beside, above].compactMap(\.self).contains { place, listing in
      guard let lists = try? Manifest.lists(beside: place, listing) else { return false }
      // One that cannot be read is told of where it is read for the parts.
      return lists.names.contains { name in
        (try? lists.manifest(at: place.sibling(name), of: meant))??.names(whole) == true
      }
    }
  }

  /// - Throws: `.badData` where a list has one of some files, or their whole, in other letters, and leads to nothing by
  ///   these.
  ///
  /// - Parameter isBeside: whether only lines count that lead to the directory of the file.
  static func requireSpelling(
    of meant: FilesMeant,
    in place: PlaceOfLists,
    isBeside: Bool = false
  ) throws(CleaveError) {
    if meant.files == nil { return }
    let lists = try Manifest.lists(beside: place.place, place.listing)
    let found = lists.names(about: meant).sorted().compactMap { name in
      (try? lists.manifest(at: place.place.sibling(name), of: meant)) ?? nil
    }
    let spelled = meant.spelled(in: found)
    for list in found { try list.requireSpelling(of: spelled, isBeside: isBeside) }
  }

  /// What the list that is asked for, or those in the directories of some parts and in the one above, tell of others.
  func toldParts(
    besides paths: PathList,
    of base: FilePath,
    counted form: PartName,
    withNext: Bool
  ) -> ToldParts? {
    let isOwn = manifest?.isOwn == true
    var places: [(place: FilePath, listing: DirectoryListing, isAbove: Bool)] = []
    if request.manifest == .automatic {
      let groups = kind == .series ? [base] : paths.firstOfEachDirectory
      places = groups.compactMap { place in
        let listing = try? DirectoryListing(beside: place, unless: listing(beside: place))
        return listing.map { (place, $0, false) }
      }
      if !isOwn, let above = directoryAbove(base, paths).found {
        places.append((above.place, above.listing, true))
      }
      let known = isOwn ? manifest?.path.lastComponent : nil
      places = places.filter { Manifest.mayBeLists(in: $0.listing, besides: known) }
    }
    let given =
      request.manifest == .automatic ? request.lists.compactMap { try? Manifest(reading: $0) } : []
    if places.isEmpty, given.isEmpty, manifest == nil || request.manifest == .automatic {
      return nil
    }
    var told = ToldParts(
      besides: paths,
      counted: form,
      withNext: withNext,
      areNear: manifest?.covers(paths, makesWhole: false, of: nil) == true
    )
    if request.manifest != .automatic, let manifest { told.look(in: manifest) }
    for list in given where !isOfOthers(list, paths) { told.look(in: list) }
    for (place, listing, isAbove) in places {
      guard let lists = try? Manifest.lists(beside: place, listing) else { continue }
      let whole = place.sibling(base.lastComponent)
      told.look(
        in: lists,
        beside: place,
        listing,
        about: FilesMeant(whole, paths, counted: form),
        // Beside that of split, one of another name is hardly about these parts.
        isLeft: { isOwn && !Manifest.isName($0, beside: whole) && !Manifest.isOfDirectory($0) },
        isOther: { isAbove && Self.isNamedAfterDirectory($0, besides: paths) }
      )
    }
    return told
  }

  /// The same where sizes tell whether there may be more behind the last.
  func toldParts(
    besides files: SourceFiles,
    of base: FilePath,
    counted form: PartName
  ) -> ToldParts? {
    let isWhole = SizePattern(Array(files.sizes)) == .shorterLast
    return toldParts(besides: files.paths, of: base, counted: form, withNext: !isWhole)
  }
}

/// The directory that those of some files are in, or that all of them begin with; none of addresses, which have no `..`.
struct DirectoryAbove: Sendable {
  /// A place in it, and its names; nil where there is none.
  let found: Selection.PlaceOfLists?

  /// - Parameter listing: of the directory that all of them are in.
  init(_ files: PathList, of listing: DirectoryListing? = nil) {
    let firsts = files.firstOfEachDirectory
    guard !firsts.contains(where: \.isRemote) else {
      found = nil
      return
    }
    let directories = firsts.map(\.directory)
    let places = directories.map { $0.appending("..") }
    let identities = Set(places.map { (try? FileStatus.of($0))?.identity })
    let directory: FilePath?
    if identities.count == 1 {
      // Behind a link, it is another than the text tells.
      directory = places.first.flatMap { place in
        guard let identity = identities.first ?? nil else { return nil }
        let plain = place.withoutDots
        let shown: FilePath = plain.bytes.isEmpty ? "." : plain
        return (try? FileStatus.of(shown))?.identity == identity ? plain : place
      }
    } else {
      directory = FilePath.common(directories.map(\.withoutDots))
    }
    found = directory.flatMap { directory in
      let place = directory.bytes.isEmpty ? "x" : directory.appending("x")
      let above = listing.map { $0.above(beside: place) } ?? .beside(place, orAgain: nil)
      return above.map { (place, $0) }
    }
  }
}
