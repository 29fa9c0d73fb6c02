internal import Posix

/// Files, by the directories that they are in, whatever these are called.
struct FilePlaces {
  private var names: [FileStatus.Identity: PathSet] = [:]

  init(_ files: PathList) {
    for group in files.byDirectory {
      guard let identity = try? FileStatus.of(group[0].directory).identity else { continue }
      for file in group { names[identity, default: PathSet()].insert(file.lastComponent) }
    }
  }

  func areIn(_ directory: FileStatus.Identity) -> Bool { names[directory] != nil }

  func have(_ name: FilePath) -> Bool { names.values.contains { $0.contains(name) } }

  func have(_ name: FilePath, in directory: FileStatus.Identity) -> Bool {
    names[directory]?.contains(name) == true
  }
}

/// The directories that the paths of a list lead to, each looked at once.
struct ListedFolders {
  private let list: FilePath
  private var known: [FilePath: FileStatus.Identity?] = [:]

  init(of list: FilePath) { self.list = list }

  /// Nil where it is not there.
  ///
  /// - Parameter isFromHere: whether a path is not one in the list, but from the working directory.
  mutating func identity(
    of folder: FilePath,
    seenFromHere isFromHere: Bool = false
  ) -> FileStatus.Identity? {
    if let known = known[folder] { return known }
    let place = isFromHere ? folder : list.place(of: folder)
    let identity = try? FileStatus.of(place).identity
    known[folder] = .some(identity)
    return identity
  }
}
