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
  /// - Throws: `.missingInput` where a list has parts that are not given; `.badData` where it spells a name otherwise.
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
      guard var list = try Manifest.beside(base, of: PathList(group))?.leading(to: files) else {
        continue
      }
      if let base {
        try requireGiven(
          list,
          Manifest.names(list.parts(of: base).map(\.name), following: files, of: base),
          given
        )
        list = list.ofWhole(base)
      }
      for file in group where list.expected(of: file) == nil && list.entry(folding: file) != nil {
        throw Self.unlisted(file, list, "")
      }
      let tellsWhole =
        list.sourceOfWhole == nil && base.map({ list.whole(of: $0) != nil }) == true
      if !list.isPlain || list.isOwn || tellsWhole {
        manifest = list
        return
      }
      if base != nil { list.entries = list.entries.keeping { given.contains($0.name) } }
      if !list.entries.isEmpty { found.append(list) }
    }
    let above = try listsAbove(groups.map { $0[0].directory }, files, name, given)
    if let list = above.first(where: { !$0.isPlain || $0.isOwn }) {
      manifest = list
      return
    }
    found += above
    guard var first = found.first else { return }
    for other in found.dropFirst() {
      try first.requireAgreement(with: other, other.entries)
      first.unite(with: other)
    }
    if let name {
      for other in found.dropFirst() {
        if let sums = other.whole(named: name) { first.takeWhole(name, sums, from: other) }
      }
    }
    first.isOfSingleParts = true
    manifest = first
  }

  /// - Throws: `.missingInput` where a list has a part that is not given.
  private func requireGiven(
    _ list: Manifest,
    _ names: [FilePath],
    _ given: Set<FilePath>
  ) throws(CleaveError) {
    if request.reading.bounds.last != nil { return }
    guard let other = names.first(where: { !given.contains($0) }) else { return }
    throw CleaveError(
      .missingInput,
      list.path,
      "has \(other), which is not given: \(.withoutManifest) merges without it"
    )
  }

  /// Looks whether lists above the directory of a series know of more parts in others, where nothing else tells that it
  /// is all there.
  ///
  /// - Throws: `.missingInput` where one does.
  mutating func requireNoneElsewhere(
    _ series: PartSeries,
    _ request: Request
  ) throws(CleaveError) {
    let (files, base) = (series.parts.files, series.base)
    guard self.request.manifest == .automatic, request.reading.bounds.last == nil, !base.isRemote,
      SizePattern(Array(files.sizes)) != .shorterLast
    else { return }
    let given = Set(files.paths.lazy.map(\.lastComponent))
    _ = try listsAbove([base.directory], files.paths, base.lastComponent, given)
  }

  /// The lists in the one directory that some are in, of files in these.
  private mutating func listsAbove(
    _ directories: [FilePath],
    _ files: PathList,
    _ name: FilePath?,
    _ given: Set<FilePath>
  ) throws(CleaveError) -> [Manifest] {
    let places = directories.map { $0.appending("..") }
    let above = Set(places.map { (try? FileStatus.of($0))?.identity })
    guard above.count == 1, above.first != .some(nil), let directory = places.first?.withoutDots
    else { return [] }
    let place = directory.bytes.isEmpty ? "x" : directory.appending("x")
    var found: [Manifest] = []
    for path in try Manifest.lists(beside: place, nil).names.sorted().map(place.sibling) {
      guard var list = try? Manifest(reading: path) else { continue }
      // What is in that directory itself is something else, but for the whole.
      if let name { list = list.ofWhole(name) }
      list.entries = []
      let (all, others) = (list, list.namesElsewhere)
      list = list.leading(to: files)
      if list.entries.isEmpty { continue }
      if let name {
        let parts = others.filter { Manifest.isPart($0, of: name) }
        // One whose last part is shorter is all there, and others in other directories are of another set.
        let isShorter =
          SizePattern(files.map { (try? FileStatus.of($0))?.size ?? 0 }) == .shorterLast
        let near = isShorter ? Set(all.names(inDirectoriesOf: files)) : []
        let more = isShorter ? parts.filter(near.contains) : parts
        try requireGiven(list, Manifest.names(more, following: files, of: name), given)
      } else if others.contains(where: { !given.contains($0) }) {
        let text: Sentence = "lists more files than are given, and is not compared with"
        evidence.suspect(.manifest, Doubt(.silentManifest, path, text))
        continue
      }
      found.append(list)
    }
    return found
  }
}
