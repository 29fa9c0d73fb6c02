public import Posix

/// Names by their positions, and positions by names: some 15 bytes for each besides its own, where an
/// array and a dictionary of them take 150.
struct NameTable: Sendable {
  /// All of them, one behind the other.
  private var bytes: [UInt8] = []
  /// Where each ends.
  private var ends: [UInt32] = []
  /// Open addressing: positions from 1, by the hashes of the names; 0 where there is none. Their number
  /// is a power of two.
  private var slots: [UInt32] = []

  var count: Int { ends.count }

  /// - Parameter index: less than ``count``.
  subscript(index: Int) -> FilePath { FilePath(bytes: bytes[range(index)]) }

  /// Adds a name, which is found at the first of its positions if it is added twice.
  mutating func append(_ name: FilePath) {
    if ends.count * 4 >= slots.count * 3 { grow() }
    bytes += name.bytes
    // bounded: names of manifests, of 16 MiB each, or of the entries of one directory
    ends.append(UInt32(bytes.count))
    enter(ends.count - 1)
  }

  /// The first position of a name.
  func firstIndex(of name: FilePath) -> Int? {
    name.bytes.withUnsafeBytes { wanted in
      let slot = slot(of: wanted)
      guard let slot, slots[slot] > 0 else { return nil }
      return Int(slots[slot]) - 1
    }
  }

  func contains(_ name: FilePath) -> Bool { firstIndex(of: name) != nil }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// The slot that has the name, or that it would be put into; nil where there are no slots.
  private func slot(of name: UnsafeRawBufferPointer) -> Int? {
    if slots.isEmpty { return nil }
    var hasher = Hasher()
    hasher.combine(bytes: name)
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] > 0, !isName(Int(slots[slot]) - 1, name) { slot = (slot + 1) & mask }
    return slot
  }

  private func isName(_ index: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    let range = range(index)
    guard range.count == name.count else { return false }
    return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).elementsEqual(name) }
  }

  private mutating func enter(_ index: Int) {
    let range = range(index)
    let found = bytes.withUnsafeBytes { slot(of: UnsafeRawBufferPointer(rebasing: $0[range])) }
    // bounded: fewer names than bytes of them, and one
    if let found, slots[found] == 0 { slots[found] = UInt32(index + 1) }
  }

  private mutating func grow() {
    // bounded: four bytes for each of twice the names
    let count = max(16, slots.count * 2)
    slots = []
    slots = [UInt32](repeating: 0, count: count)
    for index in ends.indices { enter(index) }
  }
}

/// Paths, each of which is there once; takes little more memory than their bytes.
public struct PathSet: Sendable {
  private var paths = NameTable()

  public init() {}

  public init(_ paths: some Sequence<FilePath>) {
    for path in paths { insert(path) }
  }

  public func contains(_ path: FilePath) -> Bool { paths.contains(path) }

  /// - Returns: whether it was not there.
  @discardableResult
  public mutating func insert(_ path: FilePath) -> Bool {
    if paths.contains(path) { return false }
    paths.append(path)
    return true
  }
}
