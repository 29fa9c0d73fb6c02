package import Posix

/// The files in a directory and the directories in that, by their paths from there.
package struct FileTree: Sendable {
  /// Contents; a directory's path ends in a slash, and it has none.
  package var entries: [FilePath: [UInt8]]

  package init(entries: [FilePath: [UInt8]] = [:]) { self.entries = entries }

  /// What an archive of these entries holds.
  package init(_ entries: [ZipEntry]) {
    self.init()
    for entry in entries { add(FilePath(bytes: entry.name), entry.contents) }
  }

  /// Everything below a directory; only regular files and directories.
  package init(readFrom directory: FilePath) throws {
    self.init()
    try read(directory, as: nil)
  }

  private mutating func read(_ directory: FilePath, as prefix: FilePath?) throws {
    for name in try FileSystem.names(in: directory) {
      let path = directory.appending(name)
      let shown = prefix.map { $0.appending(name) } ?? name
      if try FileStatus.of(path, followingLinks: false).kind == .directory {
        entries[shown.adding("/")] = []
        try read(path, as: shown)
      } else {
        entries[shown] = try Files.read(path)
      }
    }
  }

  /// Adds a file and the directories that it is in.
  package mutating func add(_ path: FilePath, _ contents: [UInt8]) {
    entries[path] = contents
    let parent = path.directory
    if parent != "." { add(parent.adding("/"), []) }
  }

  /// Makes the files in a directory that is there.
  package func write(to directory: FilePath) throws {
    // A directory comes before what is in it.
    for path in entries.keys.sorted() {
      if path.endsInSlash {
        try Files.makeDirectory(directory.appending(path))
      } else {
        try Files.write(entries[path] ?? [], to: directory.appending(path))
      }
    }
  }

  /// What is not as in the other tree, a short sentence each.
  package func differences(from other: FileTree) -> [String] {
    Set(entries.keys).union(other.entries.keys).sorted().compactMap { path in
      switch (entries[path], other.entries[path]) {
      case (nil, _): "\(path) is missing"
      case (_, nil): "\(path) is new"
      case (let own?, let others?): Bytes.difference(own, others).map { "\(path): \($0)" }
      }
    }
  }
}

// MARK: - Samples

extension FileTree {
  /// About as many bytes as given, most of which do not compress, the same for the same seed: a
  /// large file that comes first, some in directories, an empty one, a name beyond ASCII.
  package static func sample(bytes: Int, seed: UInt64 = 1) -> FileTree {
    var generator = SeededGenerator(seed: seed)
    var tree = FileTree()
    tree.add("a-noise.bin", Bytes.pattern(count: bytes / 2, seed: seed))
    tree.add("b-text.txt", Bytes.text(count: bytes / 4, seed: seed))
    tree.add("c/empty", [])
    for index in 0..<5 {
      let count = Int.random(in: 1...max(1, bytes / 20), using: &generator)
      let path = FilePath("c/d\(index % 2)/file \(index)")
      tree.add(path, Bytes.pattern(count: count, seed: seed &+ UInt64(index)))
    }
    tree.add("\u{FC}ml\u{E4}ut.txt", Bytes.text(count: 1000, seed: seed))
    return tree
  }
}

extension Bytes {
  /// Lines of words, which compress, the same for the same seed.
  package static func text(count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let words = ["part", "volume", "series", "extent", "journal", "manifest", "header", "\n"]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 16)
    while bytes.count < count {
      var choice = generator.next()
      for _ in 0..<16 {
        bytes += Array((words[Int(choice & 7)] + " ").utf8)
        choice >>= 4
      }
    }
    return Array(bytes.prefix(count))
  }
}
