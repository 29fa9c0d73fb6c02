internal import Posix

/// Where the entries of a list are, as seen from the parts of `base`.
struct ListPlaces {
  /// How sure it is that an entry is a part's.
  enum Nearness: Int, Comparable {
    case copied, named, calledSo, leads

    static func < (left: Nearness, right: Nearness) -> Bool { left.rawValue < right.rawValue }
  }

  /// The entry that is most surely a part's.
  struct Best {
    private(set) var index = 0
    private(set) var nearness = Nearness.named
    /// Another one that is as sure, and has other sums.
    private(set) var rival: Int?
    private var expected: Manifest.Expected?

    mutating func add(_ index: Int, _ nearness: Nearness, _ expected: Manifest.Expected) {
      if let known = self.expected, nearness <= self.nearness {
        if nearness == self.nearness, known != expected { rival = rival ?? index }
        return
      }
      (self.index, self.nearness, self.expected, rival) = (index, nearness, expected, nil)
    }
  }

  private let manifest: FilePath
  /// The files' directories.
  private let directories: [FilePath: FileStatus.Identity]
  /// The files, where a line leads to one only if it is there.
  private let files: FilePlaces?
  /// Whether the files are in another directory than the manifest.
  let isElsewhere: Bool
  private var known: [FilePath: (nearness: Nearness?, identity: FileStatus.Identity?)] = [:]

  /// - Parameter areExact: whether a line that leads to the directory of one leads to it only where it is there.
  init(of manifest: FilePath, _ files: PathList, areExact: Bool) {
    self.manifest = manifest
    self.files = areExact ? FilePlaces(files) : nil
    let homes = files.firstOfEachDirectory.map(\.directory)
    directories = Dictionary(
      homes.compactMap { home in (try? FileStatus.of(home)).map { (home, $0.identity) } }
    ) { first, _ in first }
    let own = (try? FileStatus.of(manifest.directory))?.identity
    isElsewhere = !directories.values.contains { $0 == own }
  }

  /// Nil where the entry is another file's.
  mutating func nearness(of name: FilePath) -> Nearness? {
    let folder = name.directory
    let found = known[folder] ?? look(at: folder)
    known[folder] = found
    if let nearness = found.nearness {
      // One of them that is in another of their directories.
      guard nearness == .leads, let files, files.have(name.lastComponent),
        let identity = found.identity, !files.have(name.lastComponent, in: identity)
      else { return nearness }
    }
    // A file that is there is the one that is meant.
    let isThere = (try? FileStatus.of(manifest.place(of: name))) != nil
    return isThere ? nil : .named
  }

  /// Whether a folder is the manifest's own directory, or is not there.
  func mayBeHere(_ folder: FilePath) -> Bool {
    do {
      guard let status = try FileStatus.ifPresent(manifest.place(of: folder)) else { return true }
      return directories.values.contains(status.identity)
    } catch {
      return false
    }
  }

  private func look(
    at folder: FilePath
  ) -> (nearness: Nearness?, identity: FileStatus.Identity?) {
    let identity = (try? FileStatus.of(manifest.place(of: folder)))?.identity
    if let identity, directories.values.contains(identity) { return (.leads, identity) }
    if folder.isAbsolute { return (nil, identity) }
    // Up as far as the folder goes down, and down again.
    let depth = folder.bytes.count { $0 == UInt8(ascii: "/") } + 1
    let isCalledSo = directories.contains { directory, identity in
      let up = directory.adding(String(repeating: "/..", count: depth))
      let again = FilePath(bytes: up.bytes + [UInt8(ascii: "/")] + folder.bytes)
      return (try? FileStatus.of(again))?.identity == identity
    }
    return (isCalledSo ? .calledSo : nil, identity)
  }
}
