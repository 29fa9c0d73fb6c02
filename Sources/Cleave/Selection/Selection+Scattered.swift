internal import Posix

/// Parts that are in several directories.
extension Selection {
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
      let names = try DirectoryListing(beside: group[0]).names
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

  /// Takes what is asked for, or what lists in reach of files say that are taken as they come: those beside each, and in
  /// the directory above.
  ///
  /// - Parameters:
  ///   - place: one that they are named after; nil where there is none.
  ///   - name: that they share; nil where they share none.
  /// - Throws: as ``chosen(beside:of:_:)`` and ``takeLists(ofScattered:of:)``.
  mutating func takeLists(
    of files: PathList,
    beside place: FilePath?,
    of name: FilePath?,
    _ request: Request
  ) throws(CleaveError) {
    let isAutomatic = request.manifest == .automatic
    let isScattered = files.areScattered
    let hasStream = files.contains("-")
    if !isScattered || hasStream || !isAutomatic {
      manifest = try chosen(beside: place, of: files, request)
    }
    if hasStream { return }
    // Of what no list beside it tells, one above may.
    if isAutomatic, manifest != nil { return try takeListsAbove(files, of: name) }
    guard isAutomatic || isScattered && isByList(request) && manifest?.isPlain == true else {
      return
    }
    let asked = manifest
    try takeLists(ofScattered: files, of: name)
    if let asked, !asked.isOwn {
      manifest = try Self.united([asked] + (manifest.map { [$0] } ?? []), name)
    } else {
      manifest = asked ?? manifest
    }
  }

  /// Takes what lists beside each of the files say of them and of the whole that they make, and those in the directory
  /// that theirs are in.
  ///
  /// - Parameter name: that the parts share; nil where they share none.
  /// - Throws: `.missingInput` where a list has parts that are not given; `.badData` where it spells a name otherwise, or
  ///   two contradict each other.
  mutating func takeLists(ofScattered files: PathList, of name: FilePath?) throws(CleaveError) {
    if files.haveNamesakes { return try takeLists(ofNamesakes: files) }
    let given = Set(files.lazy.map(\.lastComponent))
    let meant = FilesMeant(name, files)
    let groups = files.byDirectory
    var found: [Manifest] = []
    for group in groups {
      let base = name.map(group[0].sibling)
      guard
        var list = try ManifestChoice.automatic.manifest(
          beside: base,
          of: PathList(group),
          in: listing(beside: group[0])
        )?.leading(to: files)
      else { continue }
      if let base, hasWhole { list = list.ofWhole(base) }
      for file in group where list.expected(of: file) == nil && list.entry(folding: file) != nil {
        throw list.refusal(ofUnlisted: file)
      }
      if base != nil, !list.isOwn {
        list.entries = list.entries.keeping { given.contains($0.name) }
      }
      found.append(list)
    }
    let beside = found
    let above = DirectoryAbove(files).found
    if let above {
      let isTold = files.allSatisfy { file in
        found.contains { $0.covers([file], makesWhole: hasWhole && name != nil, of: name) }
      }
      found += try takeLists(in: above, of: meant, isNeeded: !isTold)
    }
    try takeRest(of: files, name, above, &found)
    if var list = found.first(where: { !$0.isPlain || $0.isOwn }) {
      for other in beside where list.isOwn && other.isPlain && other.path != list.path {
        try list.take(other, about: meant, withMore: false)
      }
      manifest = list
    } else {
      manifest = try Self.united(found, hasWhole ? name : nil)
    }
  }

  /// The same of files some of which have the same name: what is said of each is under its path.
  private mutating func takeLists(ofNamesakes files: PathList) throws(CleaveError) {
    let namesakes = Namesakes(files)
    var found: [NamesakeLines] = []
    for group in files.byDirectory {
      let meant = FilesMeant(nil, PathList(group))
      if let list = try Manifest.beside(meant, in: listing(beside: group[0])) {
        found.append(list.lines(of: namesakes))
      }
    }
    if let (place, listing) = DirectoryAbove(files).found {
      let lists = try Manifest.lists(beside: place, listing)
      let meant = FilesMeant(nil, files)
      let beside = try Self.united(found.map { $0.told(besides: []).list }, nil)
      let isTold = beside?.covers(files, makesWhole: false, of: nil) == true
      for path in lists.names(about: meant).sorted().map(place.sibling) {
        let list = try Self.list(at: path, of: meant, in: lists, isNeeded: !isTold)
        if let list { found.append(list.lines(of: namesakes)) }
      }
    }
    let known = Set(found.lazy.map { $0.leading.entries.map(\.name) }.joined())
    let told = found.map { $0.told(besides: known) }
    manifest = try Self.united(told.map(\.list), nil)
    for (lines, (list, unclear)) in zip(found, told) {
      if let unclear {
        let text: Sentence =
          "has \(unclear), which is nowhere, and may be one of several of the files: not compared"
        unclearLines = Doubt(.silentManifest, list.path, text)
      }
      if lines.others > 0, !list.entries.isEmpty { noteMore(lines.others, in: list.path) }
    }
  }

  /// Whether the files make what their name says: the last part of a split zip has that name.
  var hasWhole: Bool { kind != .splitZip }

  /// Takes what lists in the directory above that of the files say of them, and of the whole that they make.
  ///
  /// - Throws: as ``takeLists(ofScattered:of:)``.
  mutating func takeListsAbove(_ files: PathList, of name: FilePath?) throws(CleaveError) {
    guard let list = manifest, !list.isOwn, list.isPlain, let above = DirectoryAbove(files).found
    else { return }
    // Where one beside them has all, names alone may be those of others that were there.
    let isTold = list.covers(files, makesWhole: false, of: nil)
    let meant = FilesMeant(name, files)
    let found = try takeLists(in: above, of: meant, isNeeded: false, onlyLeading: isTold)
    if !found.isEmpty { manifest = try Self.united([list] + found, name) }
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
    let places = files.byDirectory.compactMap { group in
      (try? DirectoryListing(beside: group[0], unless: listing(beside: group[0]))).map {
        (group[0], $0)
      }
    }
    for place in places {
      found += try takeLists(in: place, of: FilesMeant(name, rest), isNeeded: false)
        .filter { !$0.entries.isEmpty }
    }
    let untold = rest.filter { file in !found.contains { $0.expected(of: file) != nil } }
    // A sum of the whole tells of a part too many.
    let isToldWhole = name.map { name in found.contains { $0.whole(named: name) != nil } }
    if untold.isEmpty || isToldWhole == true { return }
    let meant = FilesMeant(name, PathList(untold))
    for place in places + (above.map { [$0] } ?? []) {
      // A name alone, above files that share none, is that of something there.
      try Self.requireSpelling(of: meant, in: place, isBeside: name == nil)
    }
    if name == nil { return }
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

  /// What several lists say together; nil where they say nothing.
  static func united(
    _ lists: [Manifest],
    _ name: FilePath?
  ) throws(CleaveError) -> Manifest? {
    guard let start = lists.firstIndex(where: { !$0.entries.isEmpty }) ?? lists.indices.first else {
      return nil
    }
    var all = lists[start]
    // One may be there twice, with what it has of parts beside it and of those elsewhere.
    for (index, list) in lists.enumerated() where index != start {
      try all.take(list.entries, from: list)
      if let name, let sums = list.whole(named: name) { try all.takeWhole(name, sums, from: list) }
    }
    all.isOfSingleParts = true
    return all.entries.isEmpty && all.whole == nil ? nil : all
  }

  /// - Throws: `.missingInput` where a list has a part that is not given.
  func requireNoneElsewhere(_ form: PartName?) throws(CleaveError) {
    guard let form, let files, request.reading.bounds.last == nil,
      let base = files.paths.first?.sibling(form.base),
      let other = toldParts(besides: files, of: base, counted: form)?.all.first(where: { other in
        // Words that are there may have been left out on purpose.
        form.digits.alphabet != .letters || form.style.isCertain
          || FileStatus.isAbsent(base.sibling(other.name))
      })
    else { return }
    var error = CleaveError(
      .missingInput,
      other.list,
      "has \(other.name), which is not given: \(.withoutManifest) merges without it"
    )
    (error.missing, error.missingCount) = ([base.sibling(other.name)], 1)
    throw error
  }

  /// What lists in one directory tell of files in others; of files that share no name, what else they have is told of.
  ///
  /// - Throws: as ``lists(in:of:besides:isNeeded:onlyLeading:)``.
  private mutating func takeLists(
    in directory: PlaceOfLists,
    of meant: FilesMeant,
    isNeeded: Bool,
    onlyLeading: Bool = false
  ) throws(CleaveError) -> [Manifest] {
    let found = try lists(in: directory, of: meant, isNeeded: isNeeded, onlyLeading: onlyLeading)
    if meant.base == nil, let files = meant.files {
      for (list, listed) in found { noteMore(listed, in: list, besides: files) }
    }
    return found.map(\.list)
  }
}
