package import Posix

/// Parts one behind the other: what each is called, and where it begins.
package struct PartLayout: Hashable, Sendable {
  package let paths: PathList
  /// Where each part begins, and behind them where the last one ends.
  package let starts: [Int64]

  /// - Parameter sizes: bytes of each part; nil where their sum is out of range.
  package init?(_ paths: some Sequence<FilePath>, sizes: some Collection<Int64>) {
    var starts: [Int64] = [0]
    // bounded: the length of an array
    starts.reserveCapacity(sizes.count + 1)
    for size in sizes {
      let (end, overflow) = (starts.last ?? 0).addingReportingOverflow(size)
      if overflow || size < 0 { return nil }
      starts.append(end)
    }
    self.paths = PathList(paths)
    self.starts = starts
  }

  private init(_ paths: PathList, starts: [Int64]) { (self.paths, self.starts) = (paths, starts) }

  /// Bytes of all parts.
  package var count: Int64 { starts.last ?? 0 }
  package var parts: Int { starts.count - 1 }
  /// The name of the last part, of which there is at least one.
  var last: FilePath { paths[parts - 1] }

  /// The bytes of a part.
  package func range(_ part: Int) -> Range<Int64> { starts[part]..<starts[part + 1] }
  /// How many they are, of each part.
  // bounded: starts rise
  package var sizes: [Int64] { zip(starts.dropFirst(), starts).map { $0 - $1 } }

  /// One part without the others.
  func alone(_ part: Int) -> PartLayout {
    PartLayout([paths[part]], starts: [0, range(part).count64])
  }

  /// The part that holds the byte at `position`, or the last one for the end.
  package func part(at position: Int64) -> Int {
    max(0, starts.dropLast().partitioningIndex { $0 > position } - 1)
  }

  /// The first part that has bytes, and all of them in a range; nil where there is none.
  func part(within range: Range<Int64>) -> Int? {
    let first = starts.partitioningIndex { $0 >= range.lowerBound }
    guard first < parts else { return nil }
    let next = starts.partitioningIndex { $0 > starts[first] }
    return next <= parts && starts[next] <= range.upperBound ? next - 1 : nil
  }

  /// The pieces of a range, which lie in one part each, by position.
  func split(_ range: Range<Int64>) -> [(part: Int, range: Range<Int64>)] {
    guard !range.isEmpty else { return [] }
    return (part(at: range.lowerBound)...part(at: range.upperBound - 1)).compactMap { part in
      let piece = range.clamped(to: self.range(part))
      return piece.isEmpty ? nil : (part, piece)
    }
  }

  /// The name of the part that holds the byte at `position`.
  func path(at position: Int64) -> FilePath { paths[part(at: position)] }

  /// The position that a disk number and an offset within that disk mean.
  ///
  /// The offset may be the disk's size: some writers so name the start of the next.
  func position(disk: UInt32, offset: UInt64) -> Int64? {
    guard disk < parts, let offset = Int64(exactly: offset) else { return nil }
    let part = range(Int(disk))
    // bounded: within the part
    return offset <= part.upperBound - part.lowerBound ? part.lowerBound + offset : nil
  }
}
