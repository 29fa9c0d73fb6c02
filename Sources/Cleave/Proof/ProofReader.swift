internal import Posix

/// Reads here and there in the parts, through one window of bounded size. Confined to one thread.
///
/// A caller that skips most bytes has few of them read: the window is small behind a jump, and grows while
/// it is read on from where it ended.
final class ProofReader {
  let bytes: JoinedBytes
  /// Bytes of all parts.
  let count: Int64
  private let cancellation: Cancellation
  private let buffer: UnsafeMutableRawBufferPointer
  private var window: Range<Int64> = 0..<0
  private var windowSize = smallest

  /// A page: less costs as much.
  private static let smallest = 4 << 10
  /// Stays in the processor's cache until it has been used.
  static let largest = 128 << 10

  init(_ bytes: JoinedBytes, _ cancellation: Cancellation) {
    self.bytes = bytes
    count = bytes.count
    self.cancellation = cancellation
    buffer = .allocate(byteCount: Self.largest, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// `length` bytes from a position, or nil where there are not so many.
  ///
  /// They are valid until the next call. `length` is at most ``largest``.
  func peek(
    _ length: Int,
    at position: Int64
  ) throws(CleaveError) -> UnsafeRawBufferPointer? {
    guard position >= 0, length <= Self.largest, position <= count - Int64(length) else {
      return nil
    }
    let end = position + Int64(length)
    if position < window.lowerBound || end > window.upperBound { try load(position..<end) }
    let start = Int(position - window.lowerBound)
    return UnsafeRawBufferPointer(rebasing: buffer[start..<(start + length)])
  }

  /// As many bytes as are at hand from a position in front of `end`: at least one, and at most `most`.
  ///
  /// They are valid until the next call.
  func some(
    at position: Int64,
    before end: Int64,
    most: Int = ProofReader.largest
  ) throws(CleaveError) -> UnsafeRawBufferPointer {
    guard position >= 0, position < min(end, count) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if !window.contains(position) { try load(position..<(position + 1)) }
    let start = Int(position - window.lowerBound)
    let length = min(Int64(most), min(end, window.upperBound) - position)
    return UnsafeRawBufferPointer(rebasing: buffer[start..<(start + Int(length))])
  }

  /// Has the window hold a range, which fits into it and lies within the parts.
  private func load(_ range: Range<Int64>) throws(CleaveError) {
    if cancellation.isCancelled { throw .cancelled }
    let isNear =
      window.lowerBound - range.lowerBound <= Int64(Self.smallest)
      && range.lowerBound - window.upperBound <= Int64(windowSize)
    windowSize = isNear ? min(windowSize * 2, Self.largest) : Self.smallest
    let size = Int64(max(windowSize, Int(range.count64)))
    // What is read from the back to the front ends with what is wanted.
    let goesBack = isNear && range.lowerBound < window.lowerBound
    let start = goesBack ? max(0, range.upperBound - size) : range.lowerBound
    let new = start..<(start + min(size, count - start))
    window = 0..<0
    if isNear, !goesBack { bytes.willRead(to: start) }
    try bytes.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(new.count64)]),
      at: start
    )
    window = new
  }
}

// MARK: - What walks need

extension ProofReader {
  /// The CRC-32 of a range within the parts.
  func crc32(_ range: Range<Int64>) throws(CleaveError) -> UInt32 {
    var sum = Checksum.empty
    while range.lowerBound + sum.count < range.upperBound {
      let piece = try some(at: range.lowerBound + sum.count, before: range.upperBound)
      // A range that reaches behind the end has no more bytes.
      if piece.isEmpty { break }
      sum.update(piece, .crc32)
    }
    return sum.crc32
  }

  /// The first place from `position` on, in front of `end`, where `isWanted` holds; nil where there is
  /// none.
  func first(
    from position: Int64,
    before end: Int64,
    where isWanted: (UInt8) -> Bool
  ) throws(CleaveError) -> Int64? {
    var place = max(0, position)
    while place < min(end, count) {
      let piece = try some(at: place, before: end)
      if let index = piece.firstIndex(where: isWanted) { return place + Int64(index) }
      place += Int64(piece.count)
    }
    return nil
  }

  /// Whether bytes at a position are those.
  func has(_ magic: [UInt8], at position: Int64) throws(CleaveError) -> Bool {
    guard let found = try peek(magic.count, at: position) else { return false }
    return found.elementsEqual(magic)
  }
}

/// Little-endian numbers in what a window shows; the caller has asked for enough bytes.
extension UnsafeRawBufferPointer {
  func uint16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func uint64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
