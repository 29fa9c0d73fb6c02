package import Posix

/// Files that a manifest lists, by their paths, each of which is made where it is asked for.
package struct ListedFiles: RandomAccessCollection, Hashable, Sendable {
  /// They are beside this one, or below its directory.
  private let place: FilePath
  private let entries: Manifest.Entries
  private let nested: Manifest.Entries
  /// Files besides these.
  private var others = NameTable()

  /// Those that a manifest lists, as seen from `place`.
  init(_ entries: Manifest.Entries, nested: Manifest.Entries = [], beside place: FilePath) {
    (self.place, self.entries, self.nested) = (place, entries, nested)
  }

  /// Files that are not listed.
  init(_ files: some Sequence<FilePath>) {
    (place, entries, nested) = (".", [], [])
    for file in files { others.append(file) }
  }

  mutating func append(_ file: FilePath) { others.append(file) }

  package var startIndex: Int { 0 }
  // bounded: arrays that are in memory
  package var endIndex: Int { entries.count + nested.count + others.count }

  package subscript(index: Int) -> FilePath {
    if index < entries.count { return file(entries.name(at: index)) }
    let index = index - entries.count
    if index < nested.count { return file(nested.name(at: index)) }
    return others[index - nested.count]
  }

  /// Whether a path is that of one of the files, letter for letter; does not go through all.
  package func contains(_ path: FilePath) -> Bool {
    if others.contains(path) { return true }
    if path == file("-") { return entries.contains(named: "-") }
    let directory = place.sibling("").bytes
    guard path.bytes.starts(with: directory) else { return false }
    let name = FilePath(bytes: path.bytes.dropFirst(directory.count))
    return name != "-" && (entries.contains(named: name) || nested.contains(named: name))
  }

  private func file(_ name: FilePath) -> FilePath {
    let file = place.sibling(name)
    // By itself the dash stands for standard input.
    return file == "-" ? "./-" : file
  }

  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  package func hash(into hasher: inout Hasher) { hasher.combine(sampleOf: self) }
}

extension ListedFiles {
  /// Which files are in the same directory.
  struct Directories {
    /// The positions of files, those of one directory next to each other.
    private var order: [UInt32]
    /// Where the files of each directory begin in that order, and where the last of them ends.
    private var starts: [Int]

    init(of files: ListedFiles) {
      var names = NameTable()
      var places: [UInt32] = []
      places.reserveCapacity(files.count)
      for file in files {
        let directory = file.directory
        let place = names.firstIndex(of: directory) ?? names.count
        if place == names.count { names.append(directory) }
        // bounded: no more directories than files in memory
        places.append(UInt32(place))
      }
      starts = [Int](repeating: 0, count: names.count + 1)
      for place in places { starts[Int(place) + 1] += 1 }
      for place in 0..<names.count { starts[place + 1] += starts[place] }
      order = [UInt32](repeating: 0, count: places.count)
      var next = starts
      for (index, place) in places.enumerated() {
        order[next[Int(place)]] = UInt32(index)
        next[Int(place)] += 1
      }
    }

    /// Positions of files, by directory, each in the order of the files.
    var groups: some Sequence<ArraySlice<UInt32>> {
      zip(starts, starts.dropFirst()).lazy.map { order[$0..<$1] }
    }
  }
}
