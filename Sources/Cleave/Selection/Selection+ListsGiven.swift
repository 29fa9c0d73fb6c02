internal import Posix

/// Lists that are given among the parts: they are compared with, wherever they are.
extension Selection {
  /// Takes in what such lists say of some files, and of the whole that they make. What says nothing of them is told of where
  /// nothing else proves them.
  ///
  /// - Throws: `.badData` where one contradicts what is known, or cannot be read and has one of the files in it.
  mutating func takeGiven(about files: FilesMeant) throws(CleaveError) {
    guard request.manifest == .automatic else { return }
    var seen: Set<FileStatus.Identity> = []
    for path in request.lists where manifest?.has(list: path) != true {
      if let identity = (try? FileStatus.of(path))?.identity, !seen.insert(identity).inserted {
        continue
      }
      let list: Manifest
      do throws(CleaveError) { list = try Manifest(reading: path) } catch {
        if error.kind == .badData, !error.isOfForeignList, files.areMentioned(in: path) {
          throw error.adding("; \(.withoutManifest) does without it")
        }
        let code = error.isOfForeignList ? Doubt.Code.foreignSums : .silentManifest
        unclearLines = unclearLines ?? Doubt(code, path, error.text + "; not compared")
        continue
      }
      if try !take(given: list, about: files), !request.sharesLists {
        let text: Sentence = "names none of the parts; not compared"
        unclearLines = unclearLines ?? Doubt(.silentManifest, path, text)
      }
    }
  }

  /// - Returns: whether it says something of the files or their whole.
  private mutating func take(
    given list: Manifest,
    about files: FilesMeant
  ) throws(CleaveError) -> Bool {
    let parts = files.files ?? PathList()
    if parts.haveNamesakes {
      let told = list.lines(of: Namesakes(parts)).told(besides: []).list
      if told.entries.isEmpty { return false }
      manifest = try Self.united((manifest.map { [$0] } ?? []) + [told], nil)
      return true
    }
    let base = kind == .splitZip ? nil : files.base?.lastComponent
    var told = try list.leading(to: parts, whole: base)
    if let base { told = told.ofWhole(base) }
    let has = told.entries.contains { files.contain($0.name) }
    if !has, base.map({ told.whole(named: $0) != nil }) != true {
      guard let whole = list.onlyAsWhole ?? (list.files.isEmpty ? list : nil), mayMake(whole, files)
      else { return false }
      told = whole
    }
    if has, list.only != nil { told.isOfSingleParts = true }
    if !told.isPlain, manifest?.isPlain == true { layoutAside = told }
    if manifest == nil {
      manifest = told
    } else {
      try manifest?.take(told, about: files, withMore: true)
      if !has, let sums = told.whole?.expected {
        try manifest?.takeWhole(files.base ?? parts[0], sums, from: told)
      }
    }
    return true
  }

  /// Whether the only file in a list may be what some files make: where nothing else has sums of all, and neither their names
  /// nor its own say otherwise.
  private func mayMake(_ list: Manifest, _ files: FilesMeant) -> Bool {
    guard !request.sharesLists, let name = list.whole?.name, let parts = files.files else {
      return false
    }
    if let known = manifest?.whole?.name { return known == name }
    if manifest?.covers(parts, makesWhole: true, of: files.base) == true { return false }
    // `film.srt` is not what the parts of `film.mkv` make.
    if let base = files.base?.lastComponent, base.withoutEnding != base { return false }
    if Manifest.isBesideWhole(name) { return false }
    guard let there = try? FileStatus.of(list.place(of: name)) else { return true }
    return there.size == self.files?.totalSize
  }
}
