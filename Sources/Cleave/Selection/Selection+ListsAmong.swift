package import Posix

/// Lists of sums among operands.
extension Selection {
  /// Operands that are files to be read, and those that are lists of sums, which the others are compared with: `NAME.*`
  /// of a shell takes both in. What has sums of the others is one, whatever it is called.
  package static func divided(
    _ operands: [FilePath]
  ) -> (files: [FilePath], lists: [FilePath]) {
    guard operands.count > 1 else { return (operands, []) }
    let known = PathSet(operands.lazy.map(\.lastComponent))
    let (lists, files) = operands.divided { path in
      Manifest.isName(path.lastComponent, among: known)
        || ManifestName(path)?.isCertain == false && Manifest.readsAsManifest(path)
        || isForeign(path, beside: known)
    }
    let names = files.map(\.lastComponent)
    guard files.count > 1, PartName.common(names) == nil, CountedNames(files) == nil else {
      return (files, lists)
    }
    let (texts, rest) = files.divided { haveSums(in: $0, of: names) }
    return rest.isEmpty ? (files, lists) : (rest, lists + texts)
  }

  /// Whether a text has sums of others; of many files, it has to be called as texts are.
  private static func haveSums(in path: FilePath, of names: [FilePath]) -> Bool {
    guard path != "-", names.count <= mostOdd || ManifestName.isText(path),
      let text = Manifest.Text(reading: path)
    else { return false }
    let others = names.filter { $0 != path.lastComponent }
    return text.mayHaveSums(of: ends(of: others), or: nil, count: others.count)
  }

  private static let mostOdd = 64

  /// Whether a file is a list that is not read, and no part of those that are next to it.
  static func isForeign(_ path: FilePath, beside names: PathSet? = nil) -> Bool {
    guard ForeignList.found(at: path) != nil else { return false }
    let names = names ?? (try? DirectoryListing(beside: path))?.set ?? PathSet()
    return !PartName.readings(of: path.lastComponent).contains { form in
      form.style.isJoined && form.neighbours.contains(where: names.contains)
    }
  }

  /// Why a list that is given is neither compared nor joined.
  static func refusal(ofGiven list: FilePath) -> CleaveError {
    CleaveError(
      .missingInput,
      list,
      "is a list of sums: leave it out, or \(.asGiven(namesOutput: true)) joins all of them in this order"
    )
  }

  /// Of several lists without files, the one that stands for them: the first one that has a part where it says.
  ///
  /// - Throws: `.badData` where others stand for other parts, which are there.
  static func leading(_ lists: [FilePath], _ request: Request) throws(CleaveError) -> FilePath {
    var parts: [FilePath] = []
    for list in lists { parts.append(try part(for: list, request).path) }
    let isThere = { (path: FilePath) in !FileStatus.isAbsent(path) }
    let index = parts.firstIndex(where: isThere) ?? 0
    let (first, part) = (lists[index], parts[index])
    for (list, other) in zip(lists, parts) where isThere(other) || !isThere(part) {
      let isSame =
        part.sibling(other.lastComponent) == other
        && (part == other || PartName.common([part, other].map(\.lastComponent)) != nil
          || SplitZipSeries.of([part, other]) != nil)
      if isSame { continue }
      throw CleaveError(
        .badData,
        list,
        "is about \(other), and \(first) about \(part): \(.each) merges each by itself"
      )
    }
    return first
  }
}
