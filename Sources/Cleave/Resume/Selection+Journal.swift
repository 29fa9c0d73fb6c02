import Posix

/// A job that is gone on with.
extension Selection {
  /// The parts of a job that a journal tells of, some of which may be gone.
  ///
  /// - Parameters:
  ///   - plan: the journal's.
  ///   - journal: that of the job.
  ///   - request: what the command line says by now.
  /// - Throws: what reading the manifest reports.
  package init(
    goingOn plan: TransferPlan,
    _ journal: Journal,
    _ request: Request
  ) throws(CleaveError) {
    self.init()
    self.request = request
    let paths = plan.sources.paths
    let isScattered = Set(paths.lazy.map(\.directory)).count > 1
    kind = journal.content?.kind ?? (isScattered && journal.base == nil ? .files : .series)
    entries = journal.content?.entries
    unproved = journal.content?.unproved ?? []
    sources = Sources(plan.sources)
    base = journal.base.flatMap { name in paths.first?.sibling(name) }
    defaultOutput = plan.destinations.first?.path
    // One that was not there when the job was begun may be the job's own when that has made its list.
    let mayBeOwn = journal.manifest == nil && journal.isPublishing
    if request.manifest != .automatic {
      manifest = try chosen(beside: base, of: paths, request)?.named(for: paths, of: base)
      if let output = defaultOutput { try takeSums(of: output, in: nil) }
      try requireNoOther(journal, paths)
      try allowForRead(journal)
    } else if !request.isAsGiven {
      try takeLists(beside: paths, of: base)
      if mayBeOwn, !objects(to: journal) {
        manifest = nil
      } else {
        try takeTold(journal, paths)
      }
    }
    if let told = journal.manifest, request.manifest == .automatic,
      manifest?.has(listNamed: told) != true
    {
      throw CleaveError(
        .missingInput,
        told,
        "is what the job was begun by, and no list of that name that is given, beside the parts or above them says "
          + "anything of them: give it again, or \(.withoutManifest) goes on without it"
      )
    }
    if let list = manifest, request.manifest == .automatic, !list.isPlain, journal.isPlain {
      throw CleaveError(
        .changedInput,
        list.path,
        "tells that the parts are not just put together, as the job was begun: \(.withoutManifest) goes on "
          + "without it"
      )
    }
    if request.reading.bounds != PartSeries.Bounds(),
      let listed = base.flatMap({ manifest?.parts(of: $0) })
    {
      let names = PathSet(paths.lazy.map(\.lastComponent))
      leftOut = PathList(listed.lazy.map(\.name).filter { !names.contains($0) })
    }
    if !journal.consumes { noteForeignLists(isBegun: true) }
    let isRaw = request.format == .raw
    makesWhole = !isPiece && !(isRaw && paths.contains { SplitZipName($0.lastComponent) != nil })
  }

  /// Whether the list has another sum of a source than the job has read; its own list has the same.
  private func objects(to journal: Journal) -> Bool {
    guard let manifest, let sums = journal.sumsOfSources else { return false }
    return zip(names, sums).contains { name, sum in
      manifest.expected(of: name)?.crc32.map { $0 != sum.crc32 } ?? false
    }
  }

  /// - Throws: `.missingInput` where the list has a part which the job does not.
  private func requireNoOther(_ journal: Journal, _ files: PathList) throws(CleaveError) {
    guard let list = manifest, let base, request.reading.bounds == PartSeries.Bounds(),
      journal.isOpen
    else { return }
    let names = PathSet(files.lazy.map(\.lastComponent))
    guard let other = list.parts(of: base).first(where: { !names.contains($0.name) }) else {
      return
    }
    throw Self.isNew(other.name, in: list.path, .missingInput)
  }

  private static func isNew(
    _ part: FilePath,
    in list: FilePath,
    _ kind: CleaveError.Kind
  ) -> CleaveError {
    let way: Sentence = "\(.withoutManifest) goes on without it"
    return CleaveError(kind, list, "has \(part), which the job was not begun with: \(way)")
  }

  /// A list that is named need not have the parts of which the job has read some: their sums cannot be made any more.
  ///
  /// - Throws: `.badData` where it has not all of the others.
  private mutating func allowForRead(_ journal: Journal) throws(CleaveError) {
    guard journal.hasConsumed, let list = manifest else { return }
    let untold = names.indices.filter { list.expected(of: names[$0]) == nil }
    if untold.isEmpty || untold.count == names.count { return }
    let read = Set(journal.done.map { journal.extents[$0.extent].source })
    if let other = untold.first(where: { !read.contains($0) }) {
      throw CleaveError(
        .badData,
        list.path,
        "does not name \(names[other].lastComponent), of which nothing was read yet; \(.withoutManifest) does not "
          + "compare with it"
      )
    }
    manifest?.isOfSingleParts = true
  }

  /// Another list that has come since does not take the place of the one that the job was begun by; the first that
  /// came need not have what is gone.
  ///
  /// - Throws: `.missingInput` where that has parts which the job does not.
  private mutating func takeTold(_ journal: Journal, _ files: PathList) throws(CleaveError) {
    if let told = journal.manifest {
      if let base, manifest?.path.lastComponent != told,
        let list = list(called: told, of: base, files)
      {
        manifest = list
        let meant = Self.meant(files, base)
        try manifest?.agree(about: meant, listing)
        manifest = try withListsAbove(manifest, about: meant)
      }
      // What a run that begins the job would refuse is none of it.
      try requireNoMore(of: files)
      return
    }
    if base == nil, journal.isOpen {
      let isWhole = SizePattern(journal.sources.map(\.size)) == .shorterLast
      try requireNoMore(of: files, withNext: !isWhole, .missingInput)
    }
    if manifest == nil || base == nil { return }
    try requireNoOther(journal, files)
    if journal.hasConsumed { manifest?.isOfSingleParts = true }
  }

  /// The list beside the files of a job, or above them, that has a name and tells of them; nil where there is none.
  private func list(called name: FilePath, of base: FilePath, _ files: PathList) -> Manifest? {
    let beside = try? Manifest(reading: base.sibling(name), about: base).leading(to: files)
    let lists = [beside, self.list(called: name, above: base, files)]
    return lists.lazy.compactMap(\.self).first { list in
      list.whole(of: base) != nil || files.contains { list.expected(of: $0) != nil }
    }
  }

  /// - Throws: `.changedInput`, or the kind that is given, where a list, such as that by which the job was begun, has
  ///   parts by now that the job does not.
  private func requireNoMore(
    of files: PathList,
    withNext: Bool = false,
    _ error: CleaveError.Kind = .changedInput
  ) throws(CleaveError) {
    guard request.reading.bounds == PartSeries.Bounds(), let (place, form) = told(files),
      let other = toldParts(besides: files, of: place, counted: form, withNext: withNext)?.all.first
    else { return }
    throw Self.isNew(other.name, in: other.list, error)
  }

  /// The whole that lists may tell parts of, and how these are counted; nil where a list alone tells which they are.
  private func told(_ files: PathList) -> (whole: FilePath, form: PartName)? {
    if let base { return kind == .series ? Self.meant(files, base).form.map { (base, $0) } : nil }
    // In several directories, they share no whole.
    guard kind == .files, manifest?.isOwn != true, let first = files.first,
      let form = PartName.common(files.map(\.lastComponent)) ?? countedForm
    else { return nil }
    return (first.sibling(form.base), form)
  }

  /// Files that are the parts of `base`.
  private static func meant(_ files: PathList, _ base: FilePath) -> FilesMeant {
    let form = PartName.counting(files.map(\.lastComponent), for: base.lastComponent)
    return FilesMeant(base, files, counted: form)
  }

  /// What a run that begins the job would compare the files with.
  private mutating func takeLists(beside names: PathList, of base: FilePath?) throws(CleaveError) {
    if let base, !names.areScattered {
      manifest = try manifest(of: Self.meant(names, base), request)
      try takeGiven(about: Self.meant(names, base))
    } else {
      let form = PartName.common(names.map(\.lastComponent))
      let place = base ?? names.first.flatMap { Self.base(of: [$0]) }
      try takeLists(of: names, beside: place, of: form?.base, request)
      try takeGiven(about: FilesMeant(place, names))
    }
    if let output = defaultOutput { try takeSums(of: output, in: nil) }
  }

  /// - Throws: `.missingInput` where the next part is there only as what a run that was consuming it has left.
  func refuseRest(behind series: PartSeries) throws(CleaveError) {
    let rest = Consumption.rest(of: series.following)
    guard request.reading.bounds.last == nil, manifest == nil, !series.parts.isEmpty,
      (try? FileStatus.of(rest)) != nil
    else { return }
    let text: Sentence =
      "\(rest.lastComponent) is what a run that was interrupted has left of the next part: "
    throw CleaveError(.missingInput, series.base, text + series.joiningAll)
  }

  /// For the journal of a job that begins.
  package var recorded: Journal.Content? {
    guard kind.isZip, let entries else { return nil }
    return Journal.Content(kind: kind, entries: entries, unproved: unproved)
  }
}
