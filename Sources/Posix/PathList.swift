/// Paths in an order, each of which is made where it is asked for.
///
/// One takes four bytes besides its name; the directory that all of them are in stands there once. An
/// array takes some 50 bytes for each.
public struct PathList: Sendable {
  /// What all paths begin with: nothing, or a directory and a slash.
  private var front: [UInt8] = []
  /// What they have behind that, one behind the other.
  private var bytes: [UInt8] = []
  /// Where each ends among those.
  private var ends: [UInt32] = []
  /// Whether those are names, without a slash in them.
  private var areNames = true
  /// Paths that were put in the place of others.
  private var changed: [Int: FilePath] = [:]
  /// Their order by name; nil where nobody will ask for many of them.
  private var order: NameOrder?

  public init() {}

  /// The paths of any sequence, in its order.
  public init(_ paths: some Sequence<FilePath>) {
    if let same = paths as? PathList {
      self = same
      return
    }
    ends.reserveCapacity(paths.underestimatedCount)
    for path in paths { append(path) }
  }

  public mutating func append(_ path: FilePath) {
    if ends.isEmpty, let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) {
      front = Array(path.bytes[...slash])
    }
    if !path.bytes.starts(with: front) { spellOut() }
    let name = path.bytes.dropFirst(front.count)
    if areNames, name.contains(UInt8(ascii: "/")) { areNames = false }
    bytes += name
    // bounded: the names of a directory, or of a command line
    ends.append(UInt32(bytes.count))
    order = nil
  }

  /// Prepares for being asked for many names, one after the other: they are sorted then.
  public mutating func willBeSearched() { order = NameOrder() }

  /// Makes room for so many paths.
  public mutating func reserveCapacity(_ count: Int) { ends.reserveCapacity(count) }

  /// A path in another directory: the front is no longer that of all.
  private mutating func spellOut() {
    let all = PathList.spelled(self)
    (front, bytes, ends) = ([], all.bytes, all.ends)
    areNames = !bytes.contains(UInt8(ascii: "/"))
  }

  private static func spelled(_ paths: PathList) -> (bytes: [UInt8], ends: [UInt32]) {
    var (bytes, ends): ([UInt8], [UInt32]) = ([], [])
    for index in paths.indices {
      bytes += paths.front
      bytes += paths.bytes[paths.range(index)]
      ends.append(UInt32(bytes.count))
    }
    return (bytes, ends)
  }

  /// Whether all are names behind the same directory: none has to be looked at to know it.
  package var areOfOneDirectory: Bool { !isEmpty && areNames && changed.isEmpty }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }
}

extension PathList {
  /// The paths whose last component may begin with some bytes, end with others, and have one to so many
  /// of a kind between them: all that do, ASCII letters in either case, and perhaps a few others. Of all
  /// others, none is made.
  ///
  /// - Parameter count: of the bytes between both; nil where any may be there.
  public func likely(
    beginning start: [UInt8],
    ending end: [UInt8] = [],
    around count: ClosedRange<Int>? = nil,
    of kind: (UInt8) -> Bool = { _ in true }
  ) -> [FilePath] {
    guard changed.isEmpty, areNames else { return Array(self) }
    var found: [FilePath] = []
    eachLikely(start, end, count, kind) { found.append(self[$0]) }
    return found
  }

  /// How many ``likely(beginning:ending:around:of:)`` gives; none is made.
  package func count(
    beginning start: [UInt8],
    ending end: [UInt8],
    around count: ClosedRange<Int>,
    of kind: (UInt8) -> Bool
  ) -> Int {
    guard changed.isEmpty, areNames else { return self.count }
    var found = 0
    eachLikely(start, end, count, kind) { _ in found += 1 }
    return found
  }

  private func eachLikely(
    _ start: [UInt8],
    _ end: [UInt8],
    _ count: ClosedRange<Int>?,
    _ kind: (UInt8) -> Bool,
    _ body: (Int) -> Void
  ) {
    bytes.withUnsafeBufferPointer { bytes in
      let look = { (index: Int) in
        let (first, next) = (index == 0 ? 0 : Int(ends[index - 1]), Int(ends[index]))
        let (front, back) = (first + start.count, next - end.count)
        guard count?.contains(back - front) ?? (back >= first && front <= next) else { return }
        guard Self.isLike(bytes, first, start), Self.isLike(bytes, back, end) else { return }
        if count != nil, !bytes[front..<back].allSatisfy(kind) { return }
        body(index)
      }
      if let some = order?.indices(beginning: start, in: self) {
        some.forEach(look)
      } else {
        ends.indices.forEach(look)
      }
    }
  }

  /// Whether one of them is this path. Of all others, none is made where they are names of one directory.
  public func contains(_ path: FilePath) -> Bool {
    let name = Array(path.bytes.dropFirst(front.count))
    return likely(beginning: name, around: 0...0).contains { $0 == path }
  }

  /// The paths whose last component may have some bytes in it: all that do. Of all others, none is made.
  package func likely(containing wanted: [UInt8]) -> [FilePath] {
    guard changed.isEmpty, areNames, let first = wanted.first else { return Array(self) }
    var found: [FilePath] = []
    bytes.withUnsafeBufferPointer { bytes in
      for index in ends.indices {
        let name = range(index)
        let end = Swift.max(name.lowerBound, name.upperBound - wanted.count + 1)
        let isThere = (name.lowerBound..<end).contains { place in
          bytes[place] == first && bytes[place...].starts(with: wanted)
        }
        if isThere { found.append(self[index]) }
      }
    }
    return found
  }

  /// The bytes of a name, with letters in either case as one, in the order of ``NameOrder``.
  fileprivate func folded(_ index: Int, upTo count: Int = .max) -> some Sequence<UInt8> {
    bytes[range(index)].prefix(count).lazy.map { $0 & 0xDF }
  }

  /// Whether bytes from an index on are the same.
  private static func isLike(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ wanted: [UInt8]
  ) -> Bool {
    // A letter's case is one bit. What differs is at the end of what names begin with.
    for index in wanted.indices.reversed() where (bytes[start + index] ^ wanted[index]) & 0xDF != 0
    {
      return false
    }
    return true
  }
}

/// The names of a list by the alphabet, sorted where they are searched again and again: of a directory with
/// a thousand series, for each of them.
private final class NameOrder: Sendable {
  private struct State {
    var searches = 0
    var indices: [UInt32] = []
  }

  private let state = Locked(State())
  /// So many searches of all names take as long as sorting them.
  private static let fewSearches = 16

  /// The indices of all names that begin with some bytes, and perhaps others, rising; nil where all names
  /// are to be looked at.
  func indices(beginning start: [UInt8], in names: PathList) -> [Int]? {
    if start.isEmpty { return nil }
    let wanted = start.map { $0 & 0xDF }
    return state.withLock { state in
      state.searches += 1
      guard state.searches > Self.fewSearches else { return nil }
      if state.indices.isEmpty {
        state.indices = names.indices.map(UInt32.init).sorted {
          names.folded(Int($0)).lexicographicallyPrecedes(names.folded(Int($1)))
        }
      }
      let front = { (index: UInt32) in names.folded(Int(index), upTo: wanted.count) }
      let first = state.indices.partitioningIndex {
        !front($0).lexicographicallyPrecedes(wanted)
      }
      let end = state.indices.partitioningIndex { wanted.lexicographicallyPrecedes(front($0)) }
      // Most of them are looked at where they are.
      return end - first > names.count / 2 ? nil : state.indices[first..<end].map(Int.init).sorted()
    }
  }
}

extension PathList: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { ends.count }

  public subscript(index: Int) -> FilePath {
    get {
      if !changed.isEmpty, let path = changed[index] { return path }
      let name = bytes[range(index)]
      return FilePath(withoutNUL: front.isEmpty ? Array(name) : front + name)
    }
    set {
      changed[index] = newValue
      order = nil
    }
  }
}

extension PathList: Hashable {
  public static func == (left: PathList, right: PathList) -> Bool {
    if left.count != right.count { return false }
    let isSame = left.front == right.front && left.bytes == right.bytes && left.ends == right.ends
    return isSame && left.changed == right.changed || left.elementsEqual(right)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sampleOf: self) }
}

extension Hasher {
  /// Goes by a few of them: there may be a million.
  package mutating func combine(sampleOf list: some BidirectionalCollection<some Hashable>) {
    combine(list.count)
    combine(list.first)
    combine(list.last)
  }
}

extension PathList: ExpressibleByArrayLiteral {
  public init(arrayLiteral paths: FilePath...) { self.init(paths) }
}
