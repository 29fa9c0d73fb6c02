internal import Posix

// Files in several directories, some of which have the same name.
extension Manifest {
  /// What an entry of a file in its own directory is called.
  func listedName(of file: FilePath) -> FilePath { isByPath ? file : file.lastComponent }

  /// The same with the lines that lead to some files, wherever they are, under the paths of these. A line of a directory
  /// that is not there is that of the only file of its name to which none leads, where all such lines say the same.
  ///
  /// - Parameter known: those to which a line of any list leads.
  /// - Returns: besides it, how many lines are about other files, not counted those beside it where none of the files is
  ///   there; and the first of the lines that may be of one of several files.
  func byPath(
    of files: PathList,
    besides known: Set<FilePath> = []
  ) -> (list: Manifest, others: Int, unclear: FilePath?) {
    var folders = ListedFolders(of: path)
    let names = Set(files.lazy.map(\.lastComponent))
    let isBeside = FilePlaces(files).areIn(directoryOf: path)
    let places = Dictionary(grouping: files) { file in
      PlacedName(folder: (try? FileStatus.of(file.directory))?.identity, name: file.lastComponent)
    }
    var manifest = with([], nested: [], elsewhere: [])
    (manifest.whole, manifest.isByPath) = (nil, true)
    let own = whole.flatMap { whole in whole.name.map { Entry(name: $0, expected: whole.expected) }
    }
    let plain = Dictionary(files.map { ($0.withoutDots, $0) }, uniquingKeysWith: { one, _ in one })
    var lost: [FilePath: [Entry]] = [:]
    var others = 0
    for var entry in [entries, nested, elsewhere, own.map { [$0] } ?? []].joined() {
      let name = entry.name.lastComponent
      let folder = folders.identity(of: entry.name.directory)
      let theirs =
        folder.map { places[PlacedName(folder: $0, name: name)] ?? [] }
        ?? plain[place(of: entry.name).withoutDots].map { [$0] } ?? []
      if theirs.isEmpty {
        if names.contains(name), folder == nil || FileStatus.isAbsent(place(of: entry.name)) {
          lost[name, default: []].append(entry)
        } else if isBeside || entry.name != name {
          others += 1
        }
      }
      for file in theirs where !manifest.entries.contains(named: file) {
        entry.name = file
        manifest.entries.append(entry)
      }
    }
    var unclear: FilePath?
    let untold = files.filter { !known.contains($0) && !manifest.entries.contains(named: $0) }
    for (name, theirs) in Dictionary(grouping: untold, by: \.lastComponent) {
      guard let entries = lost[name], let first = entries.first else { continue }
      if theirs.count == 1, entries.allSatisfy({ $0.expected == first.expected }),
        entries.allSatisfy({ folders.identity(of: $0.name.directory) == nil })
      {
        manifest.entries.append(Entry(name: theirs[0], expected: first.expected))
      } else {
        unclear = first.name
      }
    }
    return (manifest, others, unclear)
  }
}

/// Where a file is, however the path to it is spelled.
private struct PlacedName: Hashable {
  let folder: FileStatus.Identity?
  let name: FilePath
}
