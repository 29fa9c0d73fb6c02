internal import Posix

/// Lists that are given among the parts: they are compared with, wherever they are.
extension Selection {
  /// Takes in what such lists say of some files, and of the whole that they make. What says nothing of them is told of where
  /// nothing else proves them.
  ///
  /// - Throws: `.badData` where one contradicts what is known, or cannot be read and has one of the files in it;
  ///   `.missingInput` where one may be meant to be joined.
  mutating func takeGiven(about files: FilesMeant) throws(CleaveError) {
    guard let first = request.lists.first else { return }
    let areTold = areTold(files)
    guard request.manifest == .automatic else {
      let odd = request.lists.first { list in
        if request.manifest == .file(list) { return false }
        if !Manifest.isListName(list) { return !isAbout(files, list, areTold: areTold) }
        return !areTold && !files.areMentioned(in: list) && !mentions(files, list)
      }
      if let odd { throw Self.refusal(ofGiven: odd) }
      return
    }
    var seen: Set<FileStatus.Identity> = []
    var others: [Manifest] = []
    let known = Set(manifest?.lists ?? [])
    for path in request.lists where !known.contains(path) {
      if let identity = (try? FileStatus.of(path))?.identity, !seen.insert(identity).inserted {
        continue
      }
      let list: Manifest
      do throws(CleaveError) { list = try Manifest(reading: path) } catch {
        let isNeeded =
          error.system != nil || (try? FileStatus.of(path))?.kind != .regular
          || error.kind == .badData && (files.areMentioned(in: path) || mentions(files, path))
        if isNeeded, !error.isOfForeignList {
          throw error.adding("; \(.withoutManifest) does without it")
        }
        let isForeign = error.isOfForeignList
        if !isForeign, !Manifest.isListName(path) || !areTold {
          throw Self.refusal(ofGiven: path)
        }
        unclearLines =
          unclearLines
          ?? (isForeign
            ? .foreign(path, error.text)
            : Doubt(.silentManifest, path, error.text + "; not compared"))
        continue
      }
      if try !take(given: list, about: files) { others.append(list) }
    }
    for list in others where try !take(givenOfWhole: list, about: files, areTold: areTold) {
      let isListName = Manifest.isListName(list.path)
      if isListName { try list.requireSpelling(of: files.spelled) }
      guard isListName, areTold || list.files.isEmpty else {
        throw Self.refusal(ofGiven: list.path)
      }
      unclearLines = unclearLines ?? doubt(ofGiven: list)
    }
    // It may be meant to be joined.
    guard !areTold, let parts = files.files, unclearLines?.code != .foreignSums,
      !evidence.doubts.contains(where: { $0.code == .foreignSums }),
      manifest?.covers(parts, makesWhole: true, of: files.base) != true
    else { return }
    throw Self.refusal(ofGiven: first)
  }

  /// What is said of a list that says nothing of the parts; nil where it has the output. One of files none of which is there
  /// may be about these.
  private func doubt(ofGiven list: Manifest) -> Doubt? {
    if let output = request.output,
      (try? list.about(output))?.entries.expected(of: output.lastComponent) != nil
    {
      return nil
    }
    if let (said, way) = otherNames(in: list).map(Self.said(ofOtherNames:)) {
      return .foreign(list.path, said, way)
    }
    let isOfNothing = !list.files.isEmpty && list.files.allSatisfy { FileStatus.isAbsent($0) }
    return isOfNothing
      ? .foreign(list.path, "names none of the parts, nor what is there", "leave it out, or ")
      : .ofNoPart(list.path)
  }

  /// Whether a text that is not called as lists are has the names of some files and no other; where these share a name, that
  /// of one of them, or of what they make.
  private func isAbout(_ files: FilesMeant, _ text: FilePath, areTold: Bool) -> Bool {
    let listed = Set(Manifest.namedFiles(in: text).map(\.lastComponent))
    let names = Set((files.files ?? PathList()).lazy.map(\.lastComponent))
    if !areTold { return listed == names }
    return listed.contains { names.contains($0) || isOfMade($0, files) }
  }

  /// Whether a name in a list may be that of what some files make.
  private func isOfMade(_ name: FilePath?, _ files: FilesMeant) -> Bool {
    let made = [files.base?.lastComponent, request.output?.lastComponent, "-", "stdin"]
    return name.map(made.contains) ?? true
  }

  /// Whether the bytes of a list have the name of one of some files that share none: it may be called after other sums.
  private func mentions(_ files: FilesMeant, _ list: FilePath) -> Bool {
    files.base == nil && Manifest.isName(list)
      && Self.ends(of: files.files.map(Array.init) ?? []).contains {
        Manifest.mentions($0, in: list)
      }
  }

  /// Whether the names of files tell that lists among them are none of them.
  private func areTold(_ files: FilesMeant) -> Bool {
    if files.base != nil || files.files?.count == 1 { return true }
    return CountedNames(files.files.map(Array.init) ?? [])?.areInDecimal == true
  }

  /// - Returns: whether it says something of the files, or of their whole by its name.
  private mutating func take(
    given list: Manifest,
    about files: FilesMeant
  ) throws(CleaveError) -> Bool {
    let parts = files.files ?? PathList()
    if isOfOthers(list, parts) { return false }
    if parts.haveNamesakes {
      let told = list.lines(of: Namesakes(parts)).told(besides: []).list
      if told.entries.isEmpty { return false }
      manifest = try Self.united((manifest.map { [$0] } ?? []) + [told], nil)
      return true
    }
    let base = hasWhole ? files.base?.lastComponent : nil
    var told = try list.leading(to: parts, whole: files.base?.lastComponent)
    if let base { told = told.ofWhole(base) }
    let has = told.entries.contains { files.contain($0.name) }
    if !has, base.map({ told.whole(named: $0) != nil }) != true { return false }
    if has, list.only != nil { told.isOfSingleParts = true }
    if !told.isPlain, manifest?.isPlain == true { layoutAside = told }
    if manifest == nil {
      manifest = told
    } else {
      try manifest?.take(told, about: files, withMore: true)
    }
    return true
  }

  /// Whether a list that is given is about the files of a directory that it is named after, and something else has sums of
  /// all of some others.
  func isOfOthers(_ list: Manifest, _ files: PathList) -> Bool {
    guard list.nested.isEmpty, list.elsewhere.isEmpty,
      manifest?.covers(files, makesWhole: true, of: base) == true,
      Self.isNamedAfterDirectory(list.path, besides: files),
      let directory = ManifestName(list.path)?.subject.map(list.path.sibling)
    else { return false }
    return list.entries.contains { !FileStatus.isAbsent(directory.appending($0.name)) }
  }

  /// Takes the only file in a list for what the parts make, where neither their names nor its own say otherwise; where
  /// something else has sums of all of them, it is told of alone.
  private mutating func take(
    givenOfWhole list: Manifest,
    about files: FilesMeant,
    areTold: Bool
  ) throws(CleaveError) -> Bool {
    guard let told = list.onlyAsWhole ?? (list.files.isEmpty ? list : nil), mayMake(told, files),
      let whole = told.whole, let parts = files.files
    else { return false }
    let isListName = Manifest.isListName(list.path)
    let name = whole.name?.lastComponent
    let isKnown =
      manifest?.whole?.name == whole.name
      || (isListName ? name != nil && name == request.output?.lastComponent : isOfMade(name, files))
    let isAside = !isKnown && manifest?.covers(parts, makesWhole: true, of: files.base) == true
    if !isKnown, !isListName || isAside && !areTold {
      // It is data, unless it has the name of what is made.
      let name = name ?? list.path.lastComponent
      let text: Sentence = "has the sum of \(name), which is none of the files: leave it out, or "
      evidence.suspect(
        .manifest,
        Doubt(.foreignSums, list.path, Self.misgiven(list.path, text).text)
      )
    } else if isAside {
      evidence.suspect(.manifest, .ofNoPart(list.path))
    } else if manifest == nil {
      manifest = told
    } else {
      let made = files.base ?? request.output ?? parts[0].sibling("-")
      try manifest?.takeWhole(made, whole.expected, from: told)
    }
    return true
  }

  /// Whether neither the names of some files nor that of the only one in a list say that this is something else.
  private func mayMake(_ list: Manifest, _ files: FilesMeant) -> Bool {
    guard let name = list.whole?.name else { return false }
    if let known = manifest?.whole?.name, known != name { return false }
    // `film.srt` is not what the parts of `film.mkv` make.
    if let base = files.base?.lastComponent, base.withoutEnding != base { return false }
    if name == request.output?.lastComponent { return true }
    if Manifest.isBesideWhole(name) { return false }
    guard let there = try? FileStatus.of(list.place(of: name)) else { return true }
    return there.size == self.files?.totalSize
  }
}
