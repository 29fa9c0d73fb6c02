internal import Posix

/// The files of one directory that may be manifests by their names, for all series that are in it.
final class ListsInDirectory: Sendable {
  /// In the order of the directory.
  let names: [FilePath]
  private let known = Locked(Known())

  init(_ names: [FilePath]) { self.names = names }

  private struct Known {
    var lists: [FilePath: KeptList] = [:]
    /// Files that they list.
    var files = 0
  }

  /// Reads one of them; of a long one that was read for other files before, what may be about these.
  ///
  /// - Returns: nil where it is known to tell nothing of some files.
  /// - Throws: as ``Manifest/init(reading:upTo:)``.
  func manifest(at path: FilePath, of files: FilesMeant) throws(CleaveError) -> Manifest? {
    let kept = known.withLock { known in
      known.lists[path]?.isUsed()
      return known.lists[path]
    }
    if let kept { return kept.manifest(of: files) }
    let manifest = try Manifest(reading: path)
    known.withLock { known in
      let count = manifest.files.count
      guard known.files + count <= Self.mostKept else { return }
      // bounded: as just looked at
      known.files += count
      known.lists[path] = KeptList(manifest)
    }
    return manifest
  }

  /// Files in all lists that are kept, so that they take some ten mebibytes at most.
  private static var mostKept: Int { 1 << 16 }
}

/// A list that is kept, so that it is read once however many series are beside it.
private struct KeptList: Sendable {
  private let manifest: Manifest
  private var uses = 0
  /// What the names in the list may mean, where it was used several times: the hash of each word, and behind it the place
  /// of the name in all that the list has, in order. That of another word with the same hash does no harm.
  private var words: [UInt64] = []

  /// Before, it is quicker to look through the list than to know its words.
  private static var leastUses: Int { 4 }
  /// Of a list that is shorter, all is told.
  private static var mostTold: Int { 64 }
  private static var placeBits: UInt64 { 20 }

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Notes that it is used once more.
  mutating func isUsed() {
    uses += 1
    guard uses == Self.leastUses else { return }
    var place: UInt64 = 0
    for list in [manifest.entries, manifest.nested, manifest.elsewhere] {
      for index in list.indices {
        for word in FilesMeant.words(of: list.name(at: index).lastComponent) {
          words.append(Self.key(word) | place)
        }
        place += 1
      }
    }
    if let name = manifest.whole?.name {
      words += FilesMeant.words(of: name.lastComponent).map { Self.key($0) | place }
    }
    words.sort()
  }

  private static func key(_ word: String) -> UInt64 {
    UInt64(truncatingIfNeeded: word.hashValue) << placeBits
  }

  func manifest(of files: FilesMeant) -> Manifest? {
    if uses < Self.leastUses { return manifest }
    let places = Set(files.words.lazy.flatMap(places))
    if places.isEmpty { return nil }
    let lists = [manifest.entries, manifest.nested, manifest.elsewhere]
    if files.base == nil || lists.reduce(0, { $0 + $1.count }) <= Self.mostTold { return manifest }
    var start = 0
    let told = lists.map { list in
      defer { start += list.count }
      let range = start..<(start + list.count)
      return places.filter(range.contains).sorted().reduce(into: Manifest.Entries()) {
        $0.append(list[$1 - start])
      }
    }
    return manifest.with(told[0], nested: told[1], elsewhere: told[2])
  }

  private func places(of word: String) -> [Int] {
    let key = Self.key(word)
    let mask = (1 << Self.placeBits) - 1 as UInt64
    let start = words.partitioningIndex { $0 >= key }
    return words[start...].prefix { $0 & ~mask == key }.map { Int($0 & mask) }
  }
}
