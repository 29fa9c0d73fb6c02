internal import Posix

/// The files of one directory that may be manifests by their names, for all series that are in it.
final class ListsInDirectory: Sendable {
  /// In the order of the directory.
  let names: [FilePath]
  private let known = Locked<[FilePath: SmallList]>([:])

  init(_ names: [FilePath]) { self.names = names }

  /// A list that is kept, so that it is read once however many series are beside it.
  private struct SmallList {
    let manifest: Manifest
    /// What its names may mean.
    let words: [String]
  }

  /// Reads one of them.
  ///
  /// - Returns: nil where it is known to tell nothing of some files.
  /// - Throws: as ``Manifest/init(reading:upTo:)``.
  func manifest(at path: FilePath, of files: FilesMeant) throws(CleaveError) -> Manifest? {
    if let list = known.withLock({ $0[path] }) {
      return list.words.contains(where: files.words.contains) ? list.manifest : nil
    }
    let manifest = try Manifest(reading: path)
    if manifest.files.count <= Self.mostKept {
      let names = manifest.listedNames
      let list = SmallList(manifest: manifest, words: names.flatMap(FilesMeant.words))
      known.withLock { $0[path] = list }
    }
    return manifest
  }

  /// Files of a list that is kept: all lists of a directory take no more memory than some names each.
  private static var mostKept: Int { 4 }
}

extension Manifest {
  /// The last components of all that it names, and of the whole.
  fileprivate var listedNames: [FilePath] {
    [entries, nested, elsewhere].flatMap { list in
      list.indices.map { list.name(at: $0).lastComponent }
    } + (whole?.name.map { [$0.lastComponent] } ?? [])
  }
}
