internal import Posix

/// Parts that are in several directories.
extension Selection {
  /// What several operands stand for together, where they are named as parts of one series and are in several
  /// directories; nil of any others, each of which stands for what it is a part of.
  package static func together(_ operands: [FilePath], _ request: Request) -> Part? {
    guard operands.count > 1, let first = operands.first, request.reading.family == nil,
      !request.isAsGiven, Set(operands.map(\.directory)).count > 1
    else { return nil }
    let names = operands.map(\.lastComponent)
    guard Set(names).count == names.count, let form = PartName.common(names),
      names.allSatisfy({ form.digits(of: $0) != nil }),
      operands.allSatisfy({ (try? FileStatus.of($0))?.kind == .regular })
    else { return nil }
    var part = Part(path: first, manifest: request.manifest)
    part.given = operands
    return part
  }

  /// Files that are named as parts in several directories, as one series; nil of any others.
  ///
  /// - Throws: `.badData` where the last part is said to be another than the last of them.
  func scatteredSeries(
    _ form: PartName?,
    _ request: Request
  ) throws(CleaveError) -> PartSeries? {
    guard let form, let files, files.count > 1 else { return nil }
    let groups = files.paths.byDirectory
    let digits = files.paths.compactMap { form.digits(of: $0.lastComponent) }
    guard groups.count > 1, digits.count == files.count else { return nil }
    let rule = Numbering.of(digits, width: digits.map(\.width).min() ?? 1)
    var parts = PartSeries.Parts()
    for (file, number) in zip(files, digits.map(\.number)) {
      parts.append(PartSeries.Part(path: file.path, number: number, status: file.status))
    }
    var neighbours = Neighbours()
    for group in groups {
      guard let names = try? DirectoryListing(beside: group[0]).names else { continue }
      neighbours.add(
        Neighbours(among: names, head: form.head) { name in
          form.digits(of: name, folding: true).map(rule.contains) ?? false
        }
      )
    }
    let series = PartSeries(
      form,
      base: groups[0][0].sibling(form.base),
      numbering: rule,
      parts: parts,
      numbers: parts.numbers,
      first: parts.numbers.first,
      neighbours: neighbours
    )
    let limits = try series.limits(request.reading.bounds)
    if let last = limits.last, let part = series.parts.last, part.number != last {
      let text: Sentence =
        "is the last part that is given, and \(mentioning: .last(series.label(last))) says another"
      throw CleaveError(.badData, part.path, text)
    }
    if let total = form.total, let part = series.parts.last, part.number > total {
      let text: Sentence =
        "is no part of \(series.base.lastComponent): the names tell of \(total) parts; "
        + "\(.asGiven()) joins it all the same"
      throw CleaveError(.missingInput, part.path, text)
    }
    if let total = form.total, request.reading.bounds.last == nil, Int64(files.count) < total,
      let last = series.parts.last
    {
      let text: Sentence =
        "the names tell of \(total) parts, of which \(files.count) are given: "
        + "\(.last(series.label(last.number))) joins these"
      throw CleaveError(.missingInput, series.base, text)
    }
    return series
  }

  mutating func examine(
    _ series: PartSeries,
    _ parts: JoinedBytes,
    _ request: Request
  ) throws(CleaveError) {
    let isListed = manifest?.covers(names, makesWhole: false, of: nil) == true
    let whole = manifest?.whole(of: series.base)
    let foreign = isToldWhole ? nil : try ForeignContent(of: parts, base: series.base)
    var examination = SeriesExamination(
      series,
      parts,
      request.reading,
      isListed: isListed,
      isNamed: true,
      total: nil,
      whole,
      foreign?.heads,
      leavesOutHeader: request.headerRecords != nil || layout?.header ?? 0 > 0,
      beside: nil
    )
    try examination.run(zip: nil, &evidence)
  }

  /// Takes what lists beside each of the files say of them and of the whole that they make, and those in the directory
  /// that theirs are in.
  ///
  /// - Parameter name: that the parts share; nil where they share none.
  /// - Throws: `.missingInput` where a list has parts that are not given; `.badData` where it spells a name otherwise, or
  ///   two contradict each other.
  mutating func takeLists(ofScattered files: PathList, of name: FilePath?) throws(CleaveError) {
    let given = Set(files.lazy.map(\.lastComponent))
    let groups = files.byDirectory
    guard given.count == files.count else {
      for group in groups {
        guard let list = try Manifest.beside(nil, of: PathList(group)) else { continue }
        let text: Sentence = "is not compared with: several of the files have the same name"
        evidence.suspect(.manifest, Doubt(.silentManifest, list.path, text))
      }
      return
    }
    var found: [Manifest] = []
    for group in groups {
      let base = name.map(group[0].sibling)
      guard
        var list = try Manifest.beside(
          base,
          of: PathList(group),
          in: listing(beside: group[0])
        )?.leading(to: files)
      else { continue }
      if let base {
        list = list.ofWhole(base)
      }
      for file in group where list.expected(of: file) == nil && list.entry(folding: file) != nil {
        throw Self.unlisted(file, list, "")
      }
      if base != nil, !list.isOwn {
        list.entries = list.entries.keeping { given.contains($0.name) }
      }
      found.append(list)
    }
    let above = DirectoryAbove(files).found
    let isTold = files.allSatisfy { file in
      found.contains { $0.covers([file], makesWhole: name != nil, of: name) }
    }
    if let above { found += try lists(in: above, files, name, given, isNeeded: !isTold) }
    if name != nil { try takeRest(of: files, name, above, &found) }
    if let list = found.first(where: { !$0.isPlain || $0.isOwn }) {
      manifest = list
    } else {
      manifest = try Self.united(found, name)
    }
  }

  /// Of parts that no list beside them has sums of, one beside others may.
  ///
  /// - Throws: `.badData` where one has them in other letters, or has all but the first or the last, and none has a sum
  ///   of the whole.
  private mutating func takeRest(
    of files: PathList,
    _ name: FilePath?,
    _ above: PlaceOfLists?,
    _ found: inout [Manifest]
  ) throws(CleaveError) {
    let known = found
    let rest = PathList(files.filter { file in !known.contains { $0.expected(of: file) != nil } })
    if rest.isEmpty { return }
    let names = Set(rest.lazy.map(\.lastComponent))
    for group in files.byDirectory {
      guard let listing = try? DirectoryListing(beside: group[0], unless: listing(beside: group[0]))
      else { continue }
      let place = (group[0], listing)
      found += try lists(in: place, rest, name, names, isNeeded: false)
        .filter { !$0.entries.isEmpty }
    }
    let untold = rest.filter { file in !found.contains { $0.expected(of: file) != nil } }
    if let above, !untold.isEmpty {
      try Self.requireSpelling(of: FilesMeant(name, PathList(untold)), in: above)
    }
    // A sum of the whole tells of a part too many.
    if let name, found.contains(where: { $0.whole(named: name) != nil }) { return }
    for file in untold where file == files.first || file == files.last {
      let list = found.first { list in
        let isAbove = !files.contains { $0.directory == list.path.directory }
        let near = files.filter { isAbove || $0.directory == file.directory }
        return !list.isOfSingleParts && near.contains { list.expected(of: $0) != nil }
      }
      guard let list else { continue }
      throw CleaveError(
        .badData,
        file,
        "is not in \(list.path), which has other parts: \(.withoutManifest) takes it in"
      )
    }
  }

  /// - Throws: `.badData` where a list has one of some files in other letters, and leads to nothing by these.
  static func requireSpelling(
    of meant: FilesMeant,
    in place: PlaceOfLists
  ) throws(CleaveError) {
    guard let files = meant.files else { return }
    let lists = try Manifest.lists(beside: place.place, place.listing)
    let spelled = Dictionary(
      files.map { ($0.spelling, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for path in lists.names(about: meant).sorted().map(place.place.sibling) {
      guard let list = (try? lists.manifest(at: path, of: meant)) ?? nil else { continue }
      for entry in [list.entries, list.nested, list.elsewhere].joined() {
        guard let file = spelled[entry.name.spelling],
          entry.name.lastComponent != file.lastComponent,
          (try? FileStatus.ifPresent(list.place(of: entry.name))) == .some(nil)
        else { continue }
        throw Self.unlisted(file, list, as: entry.name)
      }
    }
  }

  /// What several lists say together; nil where they say nothing.
  static func united(
    _ lists: [Manifest],
    _ name: FilePath?
  ) throws(CleaveError) -> Manifest? {
    guard var all = lists.first(where: { !$0.entries.isEmpty }) ?? lists.first else { return nil }
    for list in lists where list.path != all.path {
      try all.take(list.entries, from: list)
      if let name, let sums = list.whole(named: name) { try all.takeWhole(name, sums, from: list) }
    }
    all.isOfSingleParts = true
    return all.entries.isEmpty && all.whole == nil ? nil : all
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
      let groups = kind == .series ? [base] : paths.byDirectory.map { $0[0] }
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
    if places.isEmpty, manifest == nil || request.manifest == .automatic { return nil }
    var told = ToldParts(
      besides: paths,
      counted: form,
      withNext: withNext,
      areNear: manifest?.covers(paths, makesWhole: false, of: nil) == true
    )
    if request.manifest != .automatic, let manifest { told.look(in: manifest) }
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
        isOther: { isAbove && Self.isNamedAfterDirectory($0, besides: base.directory) }
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

  /// - Throws: `.missingInput` where a list has a part that is not given.
  func requireNoneElsewhere(_ form: PartName?) throws(CleaveError) {
    guard let form, let files, request.reading.bounds.last == nil,
      let base = files.paths.first?.sibling(form.base),
      let other = toldParts(besides: files, of: base, counted: form)?.all.first
    else { return }
    var error = CleaveError(
      .missingInput,
      other.list,
      "has \(other.name), which is not given: \(.withoutManifest) merges without it"
    )
    (error.missing, error.missingCount) = ([base.sibling(other.name)], 1)
    throw error
  }

  /// A place in a directory, and its names.
  typealias PlaceOfLists = (place: FilePath, listing: DirectoryListing)

  /// The lists in the directory above that of a series whose lines lead to it, with these alone.
  ///
  /// - Parameter known: the one that was found before, which is not looked at again.
  /// - Throws: `.badData` where one cannot be read, and names a part there; the error of reading one that may name any,
  ///   where no other has sums of all.
  func listsAbove(
    _ meant: FilesMeant,
    besides known: Manifest?
  ) throws(CleaveError) -> [Manifest] {
    guard let base = meant.base, let files = meant.files, !base.isRemote,
      let (place, listing) = directoryAbove(base, files).found
    else { return [] }
    let lists = try Manifest.lists(beside: place, listing)
    let isTold = known?.covers(files, makesWhole: true, of: base) == true
    var found: [Manifest] = []
    for path in lists.names(about: meant).sorted().map(place.sibling) where path != known?.path {
      guard let list = try Self.list(at: path, of: meant, in: lists, isNeeded: !isTold) else {
        continue
      }
      // What is in that directory itself is something else.
      let leading = list.onlyLeading(to: base)
      // What was there before it was moved is about these, unless the list is named after another directory.
      let isMoved =
        leading.parts(of: meant).isEmpty
        && !Self.isNamedAfterDirectory(path, besides: base.directory)
      var told = isMoved ? list.moved(meant, from: listing.set) ?? leading : leading
      // What leads to nothing is theirs, since lists are made before files are moved.
      if told.parts(of: meant).isEmpty, told.whole(named: base) == nil {
        told = try leading.about(base)
      }
      // What split wrote is about the parts that its lines lead to, and no other file of that name.
      if told.isOwn ? !told.parts(of: meant).isEmpty : meant.areMeant(by: told) {
        found.append(told)
      }
    }
    return found
  }

  /// Whether a list is named after a directory beside it, but for one.
  private static func isNamedAfterDirectory(_ path: FilePath, besides own: FilePath) -> Bool {
    guard let subject = ManifestName(path)?.subject,
      let status = (try? FileStatus.ifPresent(path.sibling(subject))) ?? nil
    else { return false }
    return status.kind == .directory && status.identity != (try? FileStatus.of(own))?.identity
  }

  /// One of the lists above some files.
  ///
  /// - Parameter isNeeded: whether no other has sums of all.
  /// - Throws: `.badData` where it cannot be read, and has one of them, or another part beside them, in it; the error of
  ///   reading one that is needed, and may have any.
  private static func list(
    at path: FilePath,
    of meant: FilesMeant,
    in lists: ListsInDirectory,
    isNeeded: Bool
  ) throws(CleaveError) -> Manifest? {
    do throws(CleaveError) {
      return try lists.manifest(at: path, of: meant)
    } catch {
      let mayTell =
        error.kind == .badData && error.system == nil
        ? meant.files.map { Manifest.hasLine(leadingTo: $0, in: path) } == true
        : isNeeded && error.mayHideSums(in: path)
      guard mayTell else { return nil }
      throw error.adding("; \(.withoutManifest) does without it")
    }
  }

  /// The list of a name above the directory of a series, of which it has some; nil where there is none.
  func list(called name: FilePath, above base: FilePath, _ files: PathList) -> Manifest? {
    guard let place = directoryAbove(base, files).found?.place else { return nil }
    return try? Manifest(reading: place.sibling(name)).onlyLeading(to: base)
  }

  /// The directory above that of a series, which is listed once for all series beside each other.
  func directoryAbove(_ base: FilePath, _ files: PathList) -> DirectoryAbove {
    Self.directoryAbove(files, listing?.ifOf(base.directory))
  }

  private static func directoryAbove(
    _ files: PathList,
    _ listing: DirectoryListing?
  ) -> DirectoryAbove {
    listing?.known { _ in DirectoryAbove(files) } ?? DirectoryAbove(files)
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

  /// The lists in the one directory that some are in, of files in these.
  ///
  /// - Parameter isNeeded: whether nothing has sums of all.
  private mutating func lists(
    in directory: PlaceOfLists,
    _ files: PathList,
    _ name: FilePath?,
    _ given: Set<FilePath>,
    isNeeded: Bool
  ) throws(CleaveError) -> [Manifest] {
    let (place, listing) = directory
    let meant = FilesMeant(name, files)
    let lists = try Manifest.lists(beside: place, listing)
    var found: [Manifest] = []
    for path in lists.names(about: meant).sorted().map(place.sibling) {
      guard var list = try Self.list(at: path, of: meant, in: lists, isNeeded: isNeeded) else {
        continue
      }
      // What is in that directory itself is something else, but for the whole, and what was there before it was moved.
      if let name { list = list.ofWhole(name) }
      let these = list.entries.keeping { given.contains($0.name) }
      let wasMoved =
        !these.isEmpty && !these.contains { listing.set.contains($0.name) }
      list.entries = list.entries.keeping { entry in
        (wasMoved || !listing.set.contains(entry.name))
          && (given.contains(entry.name)
            || name.map { Manifest.isPart(entry.name, of: $0) } == true)
      }
      let others = [list.entries, list.nested, list.elsewhere].joined()
        .lazy.map(\.name.lastComponent).filter { !given.contains($0) }
      let hasMore = name == nil && !others.isEmpty
      list = list.leading(to: files, whole: name)
      if let name { list = list.ofWhole(name) }
      list.entries = list.entries.keeping { given.contains($0.name) }
      let isOfWhole = name.map { list.whole(named: $0) != nil } == true
      if list.entries.isEmpty, !isOfWhole { continue }
      if hasMore {
        let text: Sentence = "lists more files than are given, and is not compared with"
        evidence.suspect(.manifest, Doubt(.silentManifest, path, text))
        continue
      }
      found.append(list)
    }
    return found
  }
}

/// The directory that those of some files are in, or that all of them begin with; none of addresses, which have no `..`.
struct DirectoryAbove: Sendable {
  /// A place in it, and its names; nil where there is none.
  let found: Selection.PlaceOfLists?

  init(_ files: PathList) {
    guard !files.contains(where: \.isRemote) else {
      found = nil
      return
    }
    let directories = files.byDirectory.map { $0[0].directory }
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
      return (try? DirectoryListing(beside: place)).map { (place, $0) }
    }
  }
}
