internal import Posix

/// The files of one directory that may be manifests by their names, for all series that are in it.
final class ListsInDirectory: Sendable {
  /// In the order of the directory.
  let names: [FilePath]
  private let known: Locked<Known>

  init(_ names: [FilePath]) {
    self.names = names
    known = Locked(Known(unread: names))
  }

  private struct Known {
    var lists: [FilePath: KeptList] = [:]
    /// Why others could not be read.
    var errors: [FilePath: CleaveError] = [:]
    /// Those that are kept, in the order in which they were read.
    var read: [FilePath] = []
    /// Those that are not kept, in the order of the directory.
    var unread: [FilePath]
    /// Files that they list.
    var files = 0
    /// How often they were asked for.
    var uses = 0
    /// How many of those that are kept have their words here.
    var told = 0
    /// What the lists may be about: the hash of each word, and behind it the place of the list among those that were read.
    var words = Words()
  }

  /// Those that may be about some files: what is known to have none of their words is left out.
  func names(about files: FilesMeant) -> [FilePath] {
    known.withLock { known in
      known.uses += 1
      if known.uses < Self.leastUses || files.base == nil { return names }
      if known.told < known.read.count {
        for place in known.told..<known.read.count {
          let name = known.read[place]
          known.lists[name]?.tell()
          let own = FilesMeant.words(of: ManifestName(name)?.subject ?? name)
          for word in own { known.words.append(word, place) }
          known.words.append(known.lists[name]?.words, place)
        }
        known.words.sort()
        known.told = known.read.count
      }
      let places = Set(files.words.flatMap(known.words.places))
      return places.sorted().map { known.read[$0] } + known.unread
    }
  }

  /// Reads one of them; of a long one that was read for other files before, what may be about these.
  ///
  /// - Returns: nil where it is known to tell nothing of some files.
  /// - Throws: as ``Manifest/init(reading:upTo:)``.
  func manifest(at path: FilePath, of files: FilesMeant) throws(CleaveError) -> Manifest? {
    let name = path.lastComponent
    if let kept = known.withLock({ $0.lists[name] }), kept.manifest.path == path {
      return kept.manifest(of: files)
    }
    if let error = known.withLock({ $0.errors[path] }) { throw error }
    let manifest: Manifest
    do throws(CleaveError) { manifest = try Manifest(reading: path) } catch {
      known.withLock { $0.errors[path] = error }
      throw error
    }
    known.withLock { known in
      let count = manifest.files.count
      guard known.lists[name] == nil, known.read.count < Self.mostKept,
        known.files + count <= Self.mostKept
      else { return }
      // bounded: as just looked at
      known.files += count
      known.lists[name] = KeptList(manifest)
      known.read.append(name)
      known.unread.removeAll { $0 == name }
    }
    return manifest
  }

  /// Before, it is quicker to look through the lists than to know their words.
  private static var leastUses: Int { 4 }
  /// Files in all lists that are kept, so that they take some ten mebibytes at most.
  private static var mostKept: Int { 1 << 16 }
}

/// A list that is kept, so that it is read once however many series are beside it.
private struct KeptList: Sendable {
  let manifest: Manifest
  /// What the names in the list may mean, where that is asked for, with the place of each in all that the list has.
  private(set) var words: Words?

  /// Of a list that is shorter, all is told.
  private static var mostTold: Int { 64 }

  init(_ manifest: Manifest) { self.manifest = manifest }

  private var lists: [Manifest.Entries] {
    [manifest.entries, manifest.nested, manifest.elsewhere]
  }

  mutating func tell() {
    var words = Words()
    var place = 0
    for list in lists {
      for index in list.indices {
        for word in FilesMeant.words(of: list.name(at: index).lastComponent) {
          words.append(word, place)
        }
        place += 1
      }
    }
    if let name = manifest.whole?.name {
      for word in FilesMeant.words(of: name.lastComponent) { words.append(word, place) }
    }
    words.sort()
    self.words = words
  }

  func manifest(of files: FilesMeant) -> Manifest? {
    guard let words else { return manifest }
    let places = Set(files.words.flatMap(words.places))
    if places.isEmpty { return nil }
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
}

/// Where words are, by their hashes. That of another word with the same hash does no harm.
private struct Words: Sendable {
  /// The hash of each, and behind it the place; in order where they are sorted.
  private var all: [UInt64] = []

  private static var placeBits: UInt64 { 20 }
  private static var mask: UInt64 { (1 << placeBits) - 1 }

  private static func key(_ word: String) -> UInt64 {
    UInt64(truncatingIfNeeded: word.hashValue) << placeBits
  }

  mutating func append(_ word: String, _ place: Int) { all.append(Self.key(word) | UInt64(place)) }

  /// All words of others, for one place.
  mutating func append(_ others: Words?, _ place: Int) {
    for word in others?.all ?? [] { all.append(word & ~Self.mask | UInt64(place)) }
  }

  mutating func sort() { all.sort() }

  func places(of word: String) -> [Int] {
    let key = Self.key(word)
    let start = all.partitioningIndex { $0 >= key }
    return all[start...].prefix { $0 & ~Self.mask == key }.map { Int($0 & Self.mask) }
  }
}
