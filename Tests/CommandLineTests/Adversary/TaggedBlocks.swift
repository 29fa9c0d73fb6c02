import Posix
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Contents in blocks, no two of which are the same, so that each can be found again in any file.
///
/// A block is eight bytes that all of them begin with, its number, and a filling that depends on it.
struct TaggedBlocks {
  /// Bytes; the last block of a file may be shorter.
  static let size = 4096
  /// Bytes. Shorter ones would not be told from each other.
  static let smallest = 32
  private static let mark: [UInt8] = [0xC1, 0xEA, 0x7E, 0xD8, 0x10, 0xC5, 0x1D, 0xB2]
  private static let filling = Bytes.pattern(count: 3 * size, seed: 0xB10C)

  private var contents: [UInt64: [UInt8]] = [:]

  /// A new block.
  mutating func make(_ count: Int = TaggedBlocks.size) -> [UInt8] {
    let number = UInt64(contents.count + 1)
    var bytes = Self.mark
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    let start = Int(truncatingIfNeeded: number &* 37) % Self.size
    bytes += Self.filling[start..<(start + count - bytes.count)]
    contents[number] = bytes
    return bytes
  }

  /// `count` bytes of new blocks; the last one has the rest.
  mutating func fill(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while count - bytes.count >= Self.size + Self.smallest { bytes += make() }
    if bytes.count < count { bytes += make(min(Self.size, count - bytes.count)) }
    // Too little for a block of its own.
    return bytes + [UInt8](repeating: 0x2E, count: count - bytes.count)
  }

  /// The numbers of the blocks that `bytes` hold from beginning to end, wherever they are in them.
  func found(in bytes: [UInt8]) -> Set<UInt64> {
    var found: Set<UInt64> = []
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return }
      var position = 0
      while position < all.count,
        let mark = memchr(base + position, Int32(Self.mark[0]), all.count - position)
      {
        position = UnsafeRawPointer(mark) - UnsafeRawPointer(base)
        let (number, count) = block(in: all, at: position)
        if let number { found.insert(number) }
        position += count
      }
    }
    return found
  }

  /// The block that begins here, and the bytes to go on behind.
  private func block(in all: UnsafeRawBufferPointer, at position: Int) -> (UInt64?, Int) {
    let start = Self.mark.count
    guard position + 16 <= all.count, let base = all.baseAddress,
      memcmp(base + position, Self.mark, start) == 0
    else { return (nil, 1) }
    let number = UInt64(
      littleEndian: all.loadUnaligned(fromByteOffset: position + start, as: UInt64.self)
    )
    guard let block = contents[number], position + block.count <= all.count,
      memcmp(base + position, block, block.count) == 0
    else { return (nil, start) }
    return (number, block.count)
  }
}
