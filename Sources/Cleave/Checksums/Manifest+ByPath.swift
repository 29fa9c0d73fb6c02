internal import Posix

/// Files in several directories, some of which have the same name, by where they are.
struct Namesakes {
  let files: PathList
  fileprivate let names: Set<FilePath>
  fileprivate let folders: Set<FileStatus.Identity>
  private var places: [Place: [FilePath]] = [:]
  private var plain: [FilePath: FilePath] = [:]

  /// Where a file is, however the path to it is spelled.
  private struct Place: Hashable {
    let folder: FileStatus.Identity
    let name: FilePath
  }

  init(_ files: PathList) {
    self.files = files
    names = Set(files.lazy.map(\.lastComponent))
    var folders: Set<FileStatus.Identity> = []
    for group in files.byDirectory {
      for file in group where plain[file.withoutDots] == nil { plain[file.withoutDots] = file }
      guard let folder = try? FileStatus.of(group[0].directory).identity else { continue }
      folders.insert(folder)
      for file in group {
        places[Place(folder: folder, name: file.lastComponent), default: []].append(file)
      }
    }
    self.folders = folders
  }

  /// Those to which a path leads.
  ///
  /// - Parameter folder: that of the path; nil where it is not there.
  fileprivate func files(at path: FilePath, in folder: FileStatus.Identity?) -> [FilePath] {
    if let folder { return places[Place(folder: folder, name: path.lastComponent)] ?? [] }
    return plain[path.withoutDots].map { [$0] } ?? []
  }
}

/// What a list tells of files some of which have the same name.
struct NamesakeLines {
  /// The list, with the lines that lead to them alone, under their paths; without what is said of a whole.
  let leading: Manifest
  /// How many lines are about other files, not counted those beside the list where none of the files is there.
  let others: Int
  /// Lines that have one of the names and lead to nothing.
  fileprivate let lost: [FilePath: Lost]
  fileprivate let files: PathList

  fileprivate struct Lost {
    var entries: [Manifest.Entry] = []
    /// Whether the directories of all are gone.
    var areOfGone = true
  }

  /// The same with the lines of directories that are gone: each is that of the only file of its name to which none leads,
  /// where all such lines say the same.
  ///
  /// - Parameter known: files to which a line of any list leads.
  /// - Returns: besides it, the first of the lines that may be of one of several files.
  func told(besides known: Set<FilePath>) -> (list: Manifest, unclear: FilePath?) {
    var list = leading
    var unclear: FilePath?
    let untold = files.filter { !known.contains($0) && !leading.entries.contains(named: $0) }
    for (name, theirs) in Dictionary(grouping: untold, by: \.lastComponent) {
      guard let lost = lost[name], let first = lost.entries.first else { continue }
      if theirs.count == 1, lost.areOfGone,
        lost.entries.allSatisfy({ $0.expected == first.expected })
      {
        list.entries.append(Manifest.Entry(name: theirs[0], expected: first.expected))
      } else {
        unclear = first.name
      }
    }
    return (list, unclear)
  }
}

extension Manifest {
  /// What an entry of a file in its own directory is called.
  func listedName(of file: FilePath) -> FilePath { isByPath ? file : file.lastComponent }

  func lines(of namesakes: Namesakes) -> NamesakeLines {
    var folders = ListedFolders(of: path)
    let isBeside = (try? FileStatus.of(path.directory).identity).map(namesakes.folders.contains)
    var leading = with([], nested: [], elsewhere: [])
    (leading.whole, leading.isByPath) = (nil, true)
    let own = whole.flatMap { whole in
      whole.name.map { Entry(name: $0, expected: whole.expected) }
    }
    var lost: [FilePath: NamesakeLines.Lost] = [:]
    var others = 0
    for var entry in [entries, nested, elsewhere, own.map { [$0] } ?? []].joined() {
      let (name, place) = (entry.name.lastComponent, place(of: entry.name))
      let folder = folders.identity(of: entry.name.directory)
      let theirs = namesakes.files(at: place, in: folder)
      if theirs.isEmpty {
        if namesakes.names.contains(name), folder == nil || FileStatus.isAbsent(place) {
          lost[name, default: .init()].entries.append(entry)
          if folder != nil { lost[name]?.areOfGone = false }
        } else if isBeside == true || entry.name != name {
          others += 1
        }
      }
      for file in theirs where !leading.entries.contains(named: file) {
        entry.name = file
        leading.entries.append(entry)
      }
    }
    return NamesakeLines(leading: leading, others: others, lost: lost, files: namesakes.files)
  }
}
