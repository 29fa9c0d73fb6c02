internal import Posix

/// What the parts are compared with.
extension Selection {
  /// What is asked for, or what lists beside the parts and above them say; a list that was an operand has to agree with
  /// them.
  ///
  /// - Throws: as ``ManifestChoice/manifest(beside:of:in:)``; `.badData` where two lists contradict each other.
  func manifest(
    of files: FilesMeant,
    _ request: Request
  ) throws(CleaveError) -> Manifest? {
    var manifest = try request.manifest.manifest(of: files, in: listing)
    guard request.manifest == .automatic || isByList(request) else { return manifest }
    if isByList(request), let asked = manifest {
      // What it does not have, others do not have for it.
      try requireSpelling(in: asked)
      try manifest?.agree(about: files, listing)
      if manifest?.isUnited == true, asked.fit(names, of: base) == .namesNothing,
        var whole = asked.onlyAsWhole
      {
        try whole.agree(about: files, listing)
        manifest = whole
      }
    }
    // That of split is about these parts alone, and has all that proves them.
    return manifest?.isOwn == true ? manifest : try withListsAbove(manifest, about: files)
  }

  /// A list, if there is one, with what those above the parts say of them.
  ///
  /// - Parameter onlyLeading: whether lines that lead to nothing are nobody's.
  /// - Throws: as ``lists(in:of:besides:isNeeded:onlyLeading:)``; `.badData` where one contradicts another.
  func withListsAbove(
    _ list: Manifest?,
    about files: FilesMeant,
    onlyLeading: Bool = false
  ) throws(CleaveError) -> Manifest? {
    let parts = files.files ?? PathList()
    let isTold = onlyLeading || list?.covers(parts, makesWhole: true, of: files.base) == true
    var above: [Manifest] = []
    if let base = files.base, !base.isRemote, let place = directoryAbove(base, parts).found {
      above = try lists(
        in: place,
        of: files,
        besides: list,
        isNeeded: !isTold,
        onlyLeading: onlyLeading
      ).map(\.list)
    }
    var found = list
    let isFull = { (list: Manifest) in list.covers(parts, makesWhole: false, of: nil) }
    // That of split comes first, unless another has all that it tells. One beside them that has only parts that are not
    // there says nothing of those that are.
    let own = above.firstIndex { $0.isOwn && !($0.isPlain && list.map(isFull) == true) }
    if let list, !above.isEmpty, own != nil || list.fit(parts, of: files.base) == .namesNothing {
      above.append(list)
      found = nil
    }
    // Where one has all that are there, only what is next is missing.
    if found == nil, let place = own ?? above.firstIndex(where: isFull) ?? above.indices.first {
      found = above.remove(at: place)
    }
    for other in above { try found?.take(other, about: files, withMore: true) }
    if found == nil, !onlyLeading, let base = files.base, !base.isRemote,
      let place = directoryAbove(base, parts).found
    {
      try Self.requireSpelling(of: files, in: place)
    }
    return found
  }

  /// What is asked for, of files in whatever directories.
  ///
  /// - Parameter place: one that they are named after; nil where there is none.
  func chosen(
    beside place: FilePath?,
    of files: PathList,
    _ request: Request
  ) throws(CleaveError) -> Manifest? {
    guard let asked = try request.manifest.manifest(beside: place, of: files) else { return nil }
    if files.haveNamesakes {
      let theirs = asked.lines(of: Namesakes(files)).told(besides: []).list
      return theirs.entries.isEmpty ? asked : theirs
    }
    var manifest = try asked.leading(to: files)
    if base == nil, let form = PartName.common(files.map(\.lastComponent)), form.namesWhole {
      manifest.keepParts(form)
    }
    return manifest
  }

  /// Whether the parts are those of a list that was an operand.
  func isByList(_ request: Request) -> Bool {
    self.request.manifest == .automatic && request.manifest != .automatic
  }

  /// What tells that parts are not just put together holds, whatever they are compared with.
  mutating func noteLayout(beside base: FilePath?) {
    guard layoutAside == nil, manifest?.isOwn != true, manifest?.isPlain != false else { return }
    // Where nothing was found, all lists beside them have been looked at.
    if manifest != nil || request.manifest != .automatic || kind != .series {
      layoutAside = Manifest.layout(beside: base, of: names, in: listing)
    }
    if layoutAside == nil, let base, !request.isAsGiven {
      layoutAside = Manifest.layout(above: base)
    }
  }

  /// What a manifest does not say of the parts is known before any of them is read.
  ///
  /// - Throws: `.badData` where it lists some of them and not others; where it was asked for, also where
  ///   it lists none.
  mutating func checkFit(_ choice: ManifestChoice) throws(CleaveError) {
    guard let manifest else { return }
    switch manifest.fit(names, of: base) {
    case .fits:
      try requireSpelling(in: manifest)
      noteUnlisted(manifest)
    // Files that share no name may be of several lists.
    case .lacks where base == nil && !manifest.isOwn: noteUnlisted(manifest)
    case .lacks(let part):
      throw manifest.refusal(ofUnlisted: part, "which lists others of the parts: ")
    case .namesNothing:
      try requireSpelling(in: manifest)
      let text = "names none of the parts"
      if let base, Manifest.isName(manifest.path, beside: base),
        let other = manifest.likelyMeant(by: names, of: base)
      {
        throw CleaveError(
          .badData,
          manifest.path,
          "\(text), but \(other), which may be meant: rename them, or \(.withoutManifest) merges without it"
        )
      }
      if let whole = manifest.onlyAsWhole,
        choice != .automatic || whole.whole?.name == request.output?.lastComponent
      {
        self.manifest = whole
        return
      }
      if choice == .automatic, let name = otherNameOfWhole(in: manifest) {
        let advice: Sentence =
          "\(text), but \(name), which may be what they make: \(Setting.manifest) compares with it, "
          + "\(.withoutManifest) merges without it"
        evidence.suspect(.manifest, Doubt(.foreignSums, manifest.path, advice))
        self.manifest = nil
        return
      }
      guard choice == .automatic else {
        let said = hasOddLines(manifest.path) ? ForeignList.odd : text
        throw CleaveError(.badData, manifest.path, "\(said): \(.withoutManifest) merges without it")
      }
      evidence.suspect(.manifest, .ofNoPart(manifest.path))
      self.manifest = nil
    }
  }

  /// Whether what names none of the parts as a list does has their names and sums.
  private func hasOddLines(_ list: FilePath) -> Bool {
    guard let bytes = try? Manifest.contents(of: list, Manifest.largestFile) else { return false }
    let text = Manifest.Text(path: list, bytes: ManifestLines.decoded(bytes))
    let parts = names.prefix(2).map(\.lastComponent)
    return text.isDigests(of: parts, or: base?.lastComponent, isMisread: true)
  }

  /// The only name in a list that is called as the whole is, where that may be the whole's own; nil of what is there, of
  /// parts and volumes, and of what is kept beside other files.
  private func otherNameOfWhole(in list: Manifest) -> FilePath? {
    guard let base, Manifest.isName(list.path, beside: base),
      let name = list.onlyAsWhole?.whole?.name, FileStatus.isAbsent(base.sibling(name)),
      !PartName.readings(of: name).contains(where: \.style.isCertain),
      !CopyName.originals(of: base.lastComponent).contains(name),
      !Neighbours.isCompanion(name), NamingStyle.first(of: name)?.isRefused != true
    else { return nil }
    return name
  }

  /// - Throws: `.badData` where the list has a part that it has no sum of, or the whole, in other letters alone.
  private func requireSpelling(in manifest: Manifest) throws(CleaveError) {
    if manifest.isByPath || manifest.whole(of: base) != nil { return }
    let untold = names.lazy.filter { $0 != "-" && manifest.expected(of: $0) == nil }
    if untold.isEmpty { return }
    let spellings = Set(manifest.entries.lazy.map(\.name.spelling))
    for part in untold where spellings.contains(part.spelling) {
      throw manifest.refusal(ofUnlisted: part)
    }
    guard let base, spellings.contains(base.spelling), let other = manifest.entry(folding: base),
      other != base.lastComponent,
      FileStatus.isAbsent(manifest.path.sibling(other))
    else { return }
    throw CleaveError(
      .badData,
      manifest.path,
      "has \(other) and not \(base.lastComponent), \(Manifest.difference(other, base)): rename it, or "
        + "\(.withoutManifest) merges without it"
    )
  }

  /// Tells of parts that the best of the manifests has no sums of.
  mutating func noteUnlisted(_ manifest: Manifest) {
    guard manifest.whole(of: base) == nil else { return }
    let untold = names.filter { $0 != "-" && manifest.expected(of: $0) == nil }
    guard let first = untold.first else { return }
    let text: Sentence =
      untold.count == 1
      ? "has no sum of \(manifest.listedName(of: first)), which is not compared"
      : "has no sums of \(untold.count) of the \(names.count) parts, which are not compared"
    evidence.suspect(.manifest, Doubt(.silentManifest, manifest.path, text))
  }

  /// A wrong total needs no reading to be seen.
  func checkSize() throws(CleaveError) {
    guard let manifest, let files, !isPiece,
      let size = manifest.partsSize(of: base, count: files.count)
    else { return }
    let total = files.totalSize
    guard total != size else { return }
    let text: Sentence = "the parts have \(total) bytes, but \(manifest.path) says \(size)"
    let remedy: Sentence = "\(.withoutManifest) does without it"
    guard let odd = OddPart(Array(files.sizes)), odd.isShort == (total < size) else {
      let hasSums = files.paths.contains { manifest.expected(of: $0) != nil }
      let which: Sentence =
        hasSums
        ? "; \(.verifying(manifest.path)) tells which is wrong, and "
        : total < size
          ? ": one may be missing behind the last, or have been cut short; "
          : ": one may be of another file; "
      throw CleaveError(.badData, base ?? manifest.path, text + which + remedy)
    }
    let paths = files.paths
    throw CleaveError(
      .badData,
      paths[odd.index],
      "\(odd.said(of: paths)), and \(text): \(odd.cause); \(remedy)"
    )
  }

  /// The names and the order have to be the manifest's, part for part; without a name that they share, only
  /// those of cleave's own form.
  static func check(
    _ operands: [FilePath],
    against manifest: Manifest,
    of base: FilePath?
  ) throws(CleaveError) {
    let entries = base.map(manifest.parts) ?? (manifest.isOwn ? manifest.entries : [])
    var names = entries.map(\.name)
    if names.isEmpty || !manifest.listsAllParts { return }
    let parts = Set(names)
    // Of files that share no name, only some may be parts of what one is named after.
    let isOfOthers = operands.lazy.map(\.lastComponent).contains { name in
      !parts.contains(name) && manifest.entries.contains(named: name)
    }
    if isOfOthers { return }
    // Lists of programs are in any order.
    if !manifest.isOfOneSplit, let form = PartName.common(names) {
      let digits = names.compactMap { form.digits(of: $0) }
      if digits.count == names.count {
        names = zip(digits, names).sorted { $0.0.number < $1.0.number }.map(\.1)
      }
    }
    let given = Set(operands.lazy.map(\.lastComponent))
    let missing = names.filter { !given.contains($0) }
    if operands.lazy.map(\.lastComponent).elementsEqual(names.lazy.filter(given.contains)) {
      if !missing.isEmpty { throw notGiven(missing, manifest) }
      return
    }
    for (index, path) in operands.enumerated() {
      guard index < names.count else {
        throw CleaveError(
          .badData,
          path,
          "is part \(index + 1), but \(manifest.path) has only \(names.count)"
        )
      }
      // Standard input may be any part.
      if path != "-", path.lastComponent != names[index] {
        throw CleaveError(
          .badData,
          path,
          "is given where \(manifest.path) has \(names[index])"
        )
      }
    }
    if operands.count < names.count { throw notGiven(names[operands.count...], manifest) }
  }

  private static func notGiven(
    _ missing: some Collection<FilePath>,
    _ manifest: Manifest
  ) -> CleaveError {
    let named = missing.prefix(100).map(\.description).joined(separator: ", ")
    let others = missing.count > 100 ? " and \(missing.count - 100) more" : ""
    return CleaveError(
      .missingInput,
      manifest.path,
      "has parts that are not given: \(named)\(others)"
    )
  }
}
