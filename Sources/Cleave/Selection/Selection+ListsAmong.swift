package import Posix

/// Lists of sums among operands.
extension Selection {
  /// Operands that are files to be read, and those that are lists of sums, which the others are compared with: `NAME.*`
  /// of a shell takes both in. Among files that share no name, what has nothing but sums in it is one, too, whatever it is
  /// called.
  package static func divided(
    _ operands: [FilePath],
    _ request: Request
  ) -> (files: [FilePath], lists: [FilePath]) {
    guard operands.count > 1 else { return (operands, []) }
    let known = PathSet((operands + (request.output.map { [$0] } ?? [])).lazy.map(\.lastComponent))
    let (lists, files) = operands.divided { path in
      request.manifest == .file(path) || Manifest.isName(path.lastComponent, among: known)
        || ManifestName(path)?.isCertain == false && Manifest.readsAsManifest(path)
        || isForeign(path, beside: known)
    }
    guard files.count > 1, PartName.common(files.map(\.lastComponent)) == nil,
      CountedNames(files) == nil
    else { return (files, lists) }
    let isSums = { (path: FilePath) in
      path == "-" || path.isRemote ? nil : Manifest.Text(reading: path)?.isSums(of: known)
    }
    let texts = files.map(isSums)
    // What tells of other files, and is in a list with these, is one of them.
    let ofOthers = Set(lists.filter { request.manifest != .file($0) && isSums($0) == false })
    let asked = files.indices.filter { texts[$0] == false }.map { files[$0] } + ofOthers
    let meant = listed(asked, in: lists)
    var data = files.indices.filter { texts[$0] == nil || meant.contains(files[$0]) }
    if data.isEmpty { data = files.indices.filter { texts[$0] == false } }
    if data.isEmpty { return (files, lists) }
    let kept = Set(data.lazy.map { files[$0] }).union(ofOthers.filter(meant.contains))
    let (all, others) = operands.divided { kept.contains($0) }
    return (all, others)
  }

  /// Those of some files that a list which is given, or beside them, has a sum of; each list is read once.
  private static func listed(_ files: [FilePath], in lists: [FilePath]) -> Set<FilePath> {
    var found: Set<FilePath> = []
    for group in PathList(files).byDirectory {
      let beside = (try? Manifest.lists(beside: group[0], nil))?.names.map(group[0].sibling) ?? []
      for list in lists + beside {
        guard let all = (try? Manifest(reading: list))?.files else { continue }
        let names = PathSet(all.lazy.map(\.lastComponent))
        found.formUnion(group.filter { $0 != list && names.contains($0.lastComponent) })
      }
    }
    return found
  }

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
    misgiven(list, "is a list of sums: leave it out, or ")
  }
}
