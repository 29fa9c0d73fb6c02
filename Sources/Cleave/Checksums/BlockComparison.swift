import Posix

/// Compares a file with its ``BlockSums`` while it is read, in order.
struct BlockComparison {
  private let blocks: BlockSums
  private let kinds: Checksum.Kinds
  /// Of the blocks that are complete.
  private var done = Checksum.empty
  private var index = 0
  /// Of the block that is being read.
  private var current = Checksum.empty
  /// Runs of bytes that differ or are missing, none next to another.
  private(set) var ranges: [Range<Int64>] = []

  init(_ blocks: BlockSums, _ kinds: Checksum.Kinds) { (self.blocks, self.kinds) = (blocks, kinds) }

  /// Takes the bytes that follow.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard index < blocks.crc32s.count else {
        // Beyond the end that the file should have.
        current.update(UnsafeRawBufferPointer(rebasing: rest), kinds)
        return
      }
      let room = blocks.range(index).count64 - current.count
      let piece = rest.prefix(Int(clamping: room))
      current.update(UnsafeRawBufferPointer(rebasing: piece), kinds)
      rest = rest.dropFirst(piece.count)
      if Int64(piece.count) == room { endBlock() }
    }
  }

  /// The checksum of all bytes, when there are no more.
  mutating func finish() -> Checksum {
    var whole = done
    whole.append(current)
    if index < blocks.crc32s.count {
      add(blocks.range(index).lowerBound..<blocks.length)
    }
    return whole
  }

  private mutating func endBlock() {
    if current.crc32 != blocks.crc32s[index] { add(blocks.range(index)) }
    done.append(current)
    (current, index) = (.empty, index + 1)
  }

  private mutating func add(_ range: Range<Int64>) {
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}
