import Posix

/// The CRC-32 of each block of a file, which tell a reader of the file where it differs.
public struct BlockSums: Hashable, Sendable {
  /// Bytes of each block but the last one, which has what is left; at least 1.
  public let size: Int64
  /// Bytes of the file.
  public let length: Int64
  /// In the order of the blocks.
  public let crc32s: [UInt32]

  /// A manifest has no more blocks: a plan has an extent for each, and memory is not to grow with files.
  public static let most = 65_536

  /// Nil where the numbers contradict each other.
  public init?(size: Int64, length: Int64, crc32s: [UInt32]) {
    guard size > 0, length >= 0, Self.count(length, size) == crc32s.count else { return nil }
    (self.size, self.length, self.crc32s) = (size, length, crc32s)
  }

  /// The blocks of `size` bytes that a file of `length` bytes has.
  public static func count(_ length: Int64, _ size: Int64) -> Int64 {
    // bounded: a quotient and 1, of which only one is large
    length / size + (length % size > 0 ? 1 : 0)
  }

  /// The bytes of a block.
  func range(_ index: Int) -> Range<Int64> {
    // bounded: the block is one of those that the length has
    let start = Int64(index) * size
    // bounded: less than the length
    return start..<(length - start > size ? start + size : length)
  }

  /// The CRC-32 of the file.
  var crc32: UInt32 {
    crc32s.enumerated().reduce(into: Checksum.empty) { whole, block in
      let count = range(block.offset).count64
      whole.append(Checksum(count: count, crc32: block.element, adler32: 1))
    }.crc32
  }
}
