internal import Posix

/// Lists of parts that are in several directories.
extension Selection {
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
        if let other = list.parts(of: base).first(where: { !given.contains($0.name) }) {
          throw CleaveError(
            .missingInput,
            list.path,
            "has \(other.name), which is not given: \(.withoutManifest) merges without it"
          )
        }
        list = list.ofWhole(base)
      }
      if !list.isPlain || list.covers(files, makesWhole: true, of: base) {
        manifest = list
        return
      }
      for file in group where list.expected(of: file) == nil && list.entry(folding: file) != nil {
        throw Self.unlisted(file, list, "")
      }
      if base != nil { list.entries = list.entries.keeping { given.contains($0.name) } }
      if !list.entries.isEmpty { found.append(list) }
    }
    found += try listsAbove(groups.map { $0[0].directory }, files)
    guard var first = found.first else { return }
    for other in found.dropFirst() { first.unite(with: other) }
    first.isOfSingleParts = true
    manifest = first
  }

  /// The lists in the one directory that some are in, of files in these.
  private func listsAbove(
    _ directories: [FilePath],
    _ files: PathList
  ) throws(CleaveError) -> [Manifest] {
    let above = Set(directories.map(\.directory))
    guard above.count == 1, let place = directories.first, place.directory != place else { return [] }
    return try Manifest.lists(beside: place, nil).names.sorted().compactMap { name in
      let list = (try? Manifest(reading: place.sibling(name)))?.leading(to: files)
      return list.flatMap { list in files.contains { list.expected(of: $0) != nil } ? list : nil }
    }
  }
}
