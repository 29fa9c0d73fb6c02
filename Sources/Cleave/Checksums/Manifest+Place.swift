internal import Posix

// Lists that name files by their paths in another directory.
extension Manifest {
  /// The same, with the entries for parts of `base` under the parts' names alone.
  ///
  /// What leads to a part from the manifest's directory, or from the one that the part's directory is
  /// called in, is the part's. Any other path that ends in its name is, too, where nothing is there
  /// and no second one has other sums: lists are made before files are moved. What is said of the whole in a directory
  /// that has parts of its own is about those.
  ///
  /// - Parameter spellings: of names that count, too, in whatever letters.
  /// - Throws: `.badData` where two of them contradict each other.
  func about(
    _ base: FilePath,
    spelled spellings: Set<String> = []
  ) throws(CleaveError) -> Manifest {
    let name = base.lastComponent
    return try withDistant(ListPlaces(of: path, [base], areExact: false), whole: name) { last in
      last == name || Self.isPart(last, of: name)
        || !spellings.isEmpty && spellings.contains(last.spelling)
    }
  }

  /// What it tells of files in other directories: the lines that lead to them, and those that lead to nothing, since lists
  /// are made before files are moved. What is in its own directory is something else, but for a line of the whole.
  ///
  /// - Parameters:
  ///   - whole: the name of what they make; nil where they make nothing of one.
  ///   - names: those in its directory.
  ///   - isOfOther: whether what it has of that is about another directory.
  /// - Returns: besides it, all names that it has, but for those of its own directory.
  func told(
    of files: FilesMeant,
    making whole: FilePath?,
    from names: PathSet,
    isOfOther: Bool
  ) throws(CleaveError) -> (list: Manifest, listed: [FilePath]) {
    var list = whole.map(ofWhole) ?? self
    let these = list.entries.keeping { files.contain($0.name) }
    let wasMoved =
      !isOfOther && !these.isEmpty && !these.contains { names.contains($0.name) }
    let listed = [wasMoved ? list.entries : [], nested, elsewhere].joined().map(\.name)
    list.entries = list.entries.keeping { entry in
      !isOfOther && (wasMoved || !names.contains(entry.name))
        && (files.contain(entry.name)
          || files.base.map { Self.isPart(entry.name, of: $0.lastComponent) } == true)
    }
    list = try list.leading(to: files.files ?? PathList(), whole: files.base?.lastComponent)
    return (whole.map(list.ofWhole) ?? list, Array(listed))
  }

  /// The same, with the lines that lead to some files and to what is counted as the first of them is, or to nothing, under
  /// their names alone.
  ///
  /// - Parameter whole: the name of what they make, in the directory of one of them; nil where they share none.
  /// - Throws: as ``about(_:spelled:)``.
  func leading(to files: PathList, whole: FilePath? = nil) throws(CleaveError) -> Manifest {
    if nested.isEmpty, elsewhere.isEmpty { return self }
    let names = PathSet(files.lazy.map(\.lastComponent))
    let form = whole.flatMap { whole in
      files.first.flatMap { PartName.reading(of: $0.lastComponent, for: whole) }
    }
    return try withDistant(ListPlaces(of: path, files, areExact: true), whole: whole) { last in
      names.contains(last) || last == whole || form?.digits(of: last) != nil
    }
  }

  /// The same with those lines of files in other directories that are most surely theirs.
  private func withDistant(
    _ places: @autoclosure () -> ListPlaces,
    whole: FilePath?,
    _ isWanted: (FilePath) -> Bool
  ) throws(CleaveError) -> Manifest {
    let distant = distant
    let candidates = distant.indices.filter { isWanted(distant.name(at: $0).lastComponent) }
    if candidates.isEmpty { return self }
    var places = places()
    let isCopy = !places.isElsewhere && leadsToOriginals
    var found: [FilePath: ListPlaces.Best] = [:]
    for index in candidates {
      let entry = distant[index]
      guard let nearness = places.nearness(of: entry.name) ?? (isCopy ? .copied : nil),
        nearness != .named || !isOfOther(entry.name, whole)
      else { continue }
      found[entry.name.lastComponent, default: ListPlaces.Best()].add(
        index,
        nearness,
        entry.expected
      )
    }
    return try with(found, of: distant, isElsewhere: places.isElsewhere)
  }

  /// Whether all that it has is in one directory that is not below its own: what is beside it may be a copy of that.
  private var leadsToOriginals: Bool {
    guard entries.isEmpty, nested.isEmpty, let first = elsewhere.first?.name.directory else {
      return false
    }
    return elsewhere.allSatisfy { $0.name.directory == first }
  }

  /// Whether what it has in a directory is there, or is the whole of parts that are.
  func isOfOther(_ name: FilePath, _ whole: FilePath?) -> Bool {
    let place = place(of: name)
    if !FileStatus.isAbsent(place) { return true }
    guard name.lastComponent == whole, let names = try? FileSystem.names(in: place.directory) else {
      return false
    }
    return names.contains { Self.isPart($0, of: name.lastComponent) }
  }

  /// Where one of some files is that it lists in another directory than its own; nil where none is there.
  func place(ofAnyOf files: [FilePath]) -> FilePath? {
    let names = Set(files.map(\.lastComponent))
    return nested.lazy.map(\.name).filter { names.contains($0.lastComponent) }.map(path.sibling)
      .first { (try? FileStatus.of($0)) != nil }
  }

  /// The same with the lines that lead to the directory of `base`, under their names alone, instead of its own.
  func onlyLeading(to base: FilePath) -> Manifest {
    guard let place = try? FileStatus.of(base.directory).identity else { return self }
    var folders = ListedFolders(of: path)
    var here = Entries()
    func others(_ list: Entries) -> Entries {
      list.keeping { entry in
        guard folders.identity(of: entry.name.directory) == place else { return true }
        var entry = entry
        entry.name = entry.name.lastComponent
        if !here.contains(named: entry.name) { here.append(entry) }
        return false
      }
    }
    let (nested, elsewhere) = (others(nested), others(elsewhere))
    return with(here, nested: nested, elsewhere: elsewhere)
  }

  /// Whether a file is listed under its name, however that is spelled, in whatever directory.
  func names(_ file: FilePath) -> Bool {
    let spelling = file.spelling
    return whole?.name?.spelling == spelling
      || [entries, nested, elsewhere].contains { list in
        list.indices.contains { list.name(at: $0).spelling == spelling }
      }
  }

  /// Whether a text that is no manifest, since some lines are wrong, has a right one that leads to one of some files.
  static func hasLine(leadingTo files: PathList, in path: FilePath) -> Bool {
    let places = FilePlaces(files)
    var folders = ListedFolders(of: path)
    return namedFiles(in: path).contains { file in
      folders.identity(of: file.directory, seenFromHere: true)
        .map { places.have(file.lastComponent, in: $0) } ?? false
    }
  }

  /// Those of ``nestedParts``, where they are in several directories.
  var scatteredParts: [FilePath]? {
    nestedParts.flatMap { Set($0.map(\.directory)).count > 1 ? $0 : nil }
  }

  /// Those of its files that are parts of one series by their names, some of them in directories below; in the order of
  /// their numbers. None where some are parts of another.
  var nestedParts: [FilePath]? {
    guard elsewhere.isEmpty, nested.count > 1, nested.count <= Self.mostScattered else {
      return nil
    }
    var forms: [PartName] = []
    for name in files.lazy.map(\.lastComponent) {
      if forms.contains(where: { $0.digits(of: name) != nil }) { continue }
      // That of the most, or in decimal digits: `f.09` is in front of `f.0a`.
      let counts = PartName.possible(name, isAlone: false).map { form in
        (form: form, count: files.count { form.digits(of: $0.lastComponent) != nil })
      }
      guard let most = counts.lazy.map(\.count).max(),
        let form = counts.filter({ $0.count == most }).map(\.form).likeliest
      else { continue }
      if forms.count == Self.mostForms { return nil }
      forms.append(form)
    }
    let sets = forms.lazy.map { form in
      self.files.compactMap { file in
        form.digits(of: file.lastComponent).map { (number: $0.number, file: file) }
      }
    }
    .filter { $0.count > 1 }
    guard let parts = sets.first, sets.dropFirst().isEmpty,
      Set(parts.map(\.number)).count == parts.count,
      parts.contains(where: { $0.file.directory != path.directory })
    else { return nil }
    return parts.sorted { $0.number < $1.number }.map(\.file)
  }

  /// Leaves out what is not said of parts that are in several directories, or of their whole.
  mutating func keepParts(_ form: PartName) {
    self = ofWhole(form.base)
    entries = entries.keeping { form.digits(of: $0.name) != nil }
  }

  /// Nobody puts more parts than this into several directories.
  private static var mostScattered: Int { 100_000 }

  /// Those of some names that may follow others as parts that are counted alike, in the order of their numbers: letters
  /// not far behind them, and where `areNear`, no others.
  static func names(
    _ names: [FilePath],
    following known: some Collection<FilePath>,
    counted form: PartName,
    areNear: Bool = false
  ) -> [FilePath] {
    if names.isEmpty { return [] }
    let numbers = known.compactMap { form.digits(of: $0.lastComponent, folding: true)?.number }
    var last = numbers.max() ?? 0
    let counted = names.lazy.compactMap { name in
      form.digits(of: name, folding: true).map { (name: name, digits: $0) }
    }
    .filter { $0.digits.width == form.width || $0.digits.width > form.width && !$0.digits.isPadded }
    .sorted { $0.digits.number < $1.digits.number }
    return counted.filter { _, digits in
      // One that is near may have others near it.
      let isNear = digits.number - last <= Int64(known.count)
      if isNear { last = max(last, digits.number) }
      return isNear || digits.alphabet == .decimal && !areNear
    }
    .map(\.name)
  }

  /// What is not in the manifest's own directory, as its paths say.
  private var distant: Entries {
    if elsewhere.isEmpty { return nested }
    var entries = nested
    for entry in elsewhere { entries.append(entry) }
    return entries
  }

  /// The same, with what was listed in a directory that is not there, or is the manifest's own, under its
  /// name alone, where a file of that directory is beside the manifest: lists are made before files are
  /// moved. So is what was listed in another one, where all of it is beside the manifest: it was copied.
  ///
  /// - Parameter names: those in the manifest's directory.
  func withMoved(among names: PathSet) -> Manifest {
    if nested.isEmpty, elsewhere.isEmpty { return self }
    let places = ListPlaces(of: path, [path], areExact: false)
    let isCopy =
      leadsToOriginals && elsewhere.allSatisfy { names.contains($0.name.lastComponent) }
    var states: [FilePath: (mayBeHere: Bool, hasFiles: Bool)] = [:]
    var sums: [FilePath: Expected] = [:]
    var contradicted = PathSet()
    for entry in [nested, elsewhere].joined() {
      let (folder, name) = (entry.name.directory, entry.name.lastComponent)
      var state = states[folder] ?? (isCopy || places.mayBeHere(folder), false)
      state.hasFiles = state.hasFiles || state.mayBeHere && names.contains(name)
      states[folder] = state
      guard state.mayBeHere else { continue }
      // Of two that contradict each other, neither is taken.
      let known = sums[name] ?? entries.expected(of: name) ?? entry.expected
      sums[name] = known
      if known != entry.expected { contradicted.insert(name) }
    }
    let isHere = { (entry: Entry) in
      states[entry.name.directory]?.hasFiles == true
        && !contradicted.contains(entry.name.lastComponent)
    }
    var manifest = self
    for entry in [nested, elsewhere].joined() where isHere(entry) {
      var entry = entry
      entry.name = entry.name.lastComponent
      if !manifest.entries.contains(named: entry.name) { manifest.entries.append(entry) }
    }
    manifest.nested = nested.keeping { !isHere($0) }
    manifest.elsewhere = elsewhere.keeping { !isHere($0) }
    // bounded: no more lines than there were
    manifest.outside -= elsewhere.count - manifest.elsewhere.count
    return manifest
  }

  private func with(
    _ found: [FilePath: ListPlaces.Best],
    of distant: Entries,
    isElsewhere: Bool
  ) throws(CleaveError) -> Manifest {
    var manifest = self
    for (name, best) in found.sorted(by: { $0.value.index < $1.value.index }) {
      let place = entries.firstIndex(named: name)
      if place != nil, !(isElsewhere && best.nearness == .leads) { continue }
      if let rival = best.rival {
        let text: Sentence =
          "\(distant[best.index].name) and \(distant[rival].name) have different sums, and either may "
          + "be \(name); \(.withoutManifest) compares neither"
        throw CleaveError(.badData, path, text)
      }
      var entry = distant[best.index]
      entry.name = name
      if let place {
        manifest.entries.replace(place, with: entry)
      } else {
        manifest.entries.append(entry)
      }
    }
    return manifest
  }
}

extension FilePath {
  /// Where a path leads to that is in a list of this name.
  func place(of path: FilePath) -> FilePath { path.isAbsolute ? path : sibling(path) }
}

extension Manifest {
  /// Where a path leads to that it has.
  func place(of name: FilePath) -> FilePath { path.place(of: name) }
}
