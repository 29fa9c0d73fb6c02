package import Posix

/// Lists of sums among operands.
extension Selection {
  /// Operands that are files to be read, and those that are lists of sums, which the others are compared with: `NAME.*`
  /// of a shell takes both in. Among files that share no name, what has nothing but sums in it is one, too, whatever it is
  /// called.
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
    guard files.count > 1, PartName.common(files.map(\.lastComponent)) == nil,
      CountedNames(files) == nil
    else { return (files, lists) }
    let (texts, rest) = files.divided { path in
      path != "-" && !path.isRemote && Manifest.Text(reading: path)?.isSums(of: known) == true
    }
    return rest.isEmpty ? (files, lists) : (rest, lists + texts)
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
