internal import Posix

/// Walks through the streams of an xz file from header to header, without unpacking: every header,
/// index and footer has a CRC-32, and the sizes of all LZMA2 chunks have to add up to what the index
/// says. The check behind each block is not computed. See `xz-file-format.txt`.
struct XzProof: ProofWalk {
  let reader: ProofReader
  var notes: ProofNotes
  /// Sizes of the blocks of a stream, as its index should tell them again.
  var blocks = XzSizes()

  private static let magic = FileFormat.magic(.xz)
  private static let headerLength = 12

  mutating func run() throws(CleaveError) -> ProofResult {
    var position: Int64 = 0
    while position < reader.count {
      guard let end = try stream(at: position) else { return notes.result }
      notes.prove()
      let next = try reader.first(from: end, before: reader.count) { $0 != 0 } ?? reader.count
      guard (next - end) % 4 == 0 else {
        notes.differ(end..<next, "the padding behind the xz data is no multiple of 4 bytes")
        return notes.result
      }
      // A part of zeros alone was never fetched.
      if next == reader.count, notes.refuseParts(from: end, of: "the xz data") { break }
      position = next
    }
    return notes.result
  }

  // MARK: Streams

  /// The end of the stream that begins at a position; nil where something is wrong.
  private mutating func stream(at start: Int64) throws(CleaveError) -> Int64? {
    guard let head = try reader.peek(Self.headerLength, at: start).map(Array.init) else {
      return endEarly()
    }
    guard head.starts(with: Self.magic) else {
      if notes.refuseParts(from: start, of: "the xz data") { return nil }
      return miss("the header of an xz stream", at: start)
    }
    guard Checksum(of: head[6..<8], .crc32).crc32 == head.uint32(at: 8) else {
      return miss("the header of an xz stream", at: start)
    }
    guard head[6] == 0, head[7] < 16 else { return leave(start) }
    blocks = XzSizes()
    var position = start + Int64(Self.headerLength)
    while let first = try reader.peek(1, at: position)?[0] {
      if first == 0 { return try index(at: position, flags: Array(head[6..<8])) }
      guard let end = try block(at: position, check: Self.checkLength(head[7])) else { return nil }
      position = end
    }
    return endEarly()
  }

  /// Bytes of the check that stands behind each block; see 2.1.1.2.
  private static func checkLength(_ type: UInt8) -> Int64 {
    type == 0 ? 0 : 4 << ((Int64(type) - 1) / 3)
  }

  // MARK: Blocks

  private mutating func block(at start: Int64, check: Int64) throws(CleaveError) -> Int64? {
    guard let size = try reader.peek(1, at: start)?[0],
      let bytes = try reader.peek((Int(size) + 1) * 4, at: start).map(Array.init)
    else { return endEarly() }
    guard let header = XzBlockHeader(bytes) else {
      return miss("the header of an xz block", at: start)
    }
    guard header.isLZMA2 else { return leave(start) }
    let data = start + Int64(bytes.count)
    guard let (end, unpacked) = try chunks(from: data) else { return nil }
    guard header.fits(end - data, unpacked) else {
      return differ(start, "the xz block at", "has other sizes than its header tells")
    }
    let padding = (4 - (end - data) % 4) % 4
    guard let zeros = try reader.peek(Int(padding), at: end) else { return endEarly() }
    guard zeros.allSatisfy({ $0 == 0 }) else {
      return miss("padding of zeros behind an xz block", at: end)
    }
    blocks.add(end - start + check, unpacked)
    return end + padding + check
  }

  /// The end of LZMA2 data, and how many bytes it becomes.
  private mutating func chunks(
    from start: Int64
  ) throws(CleaveError) -> (end: Int64, unpacked: Int64)? {
    var (position, unpacked) = (start, Int64(0))
    while let control = try reader.peek(1, at: position)?[0] {
      if control == 0 { return (position + 1, unpacked) }
      let isStored = control < 3
      // The first chunk begins with an empty dictionary.
      let isPossible =
        position == start ? control == 1 || control >= 0xE0 : isStored || control >= 0x80
      guard isPossible else { return miss("a chunk of LZMA2 data", at: position) }
      let length = isStored ? 3 : control < 0xC0 ? 5 : 6
      guard let head = try reader.peek(length, at: position) else { break }
      let size = Int64(head[1]) << 8 + Int64(head[2]) + 1
      // It wraps around behind 2⁶⁴ bytes; no file is as large.
      unpacked &+= isStored ? size : size + Int64(control & 0x1F) << 16
      let packed = isStored ? size : Int64(head[3]) << 8 + Int64(head[4]) + 1
      position += Int64(length) + packed
    }
    return endEarly()
  }

  // MARK: Index

  /// The end of the footer behind the index at a position.
  private mutating func index(
    at start: Int64,
    flags: [UInt8]
  ) throws(CleaveError) -> Int64? {
    var position = start + 1
    guard let count = try number(at: &position) else { return endOrDiffer(position) }
    var told = XzSizes()
    guard count == blocks.count else {
      return differ(
        start,
        "the xz index at",
        "tells of \(count) blocks, and there are \(blocks.count)"
      )
    }
    while told.count < count {
      guard let packed = try number(at: &position), let unpacked = try number(at: &position) else {
        return endOrDiffer(position)
      }
      told.add(packed, unpacked)
    }
    guard told == blocks else {
      return differ(start, "the xz index at", "does not fit the blocks")
    }
    position += (4 - (position - start) % 4) % 4
    guard let sum = try reader.peek(4, at: position)?.uint32(at: 0) else { return endEarly() }
    guard try reader.crc32(start..<position) == sum else {
      return differ(start, "the xz index at", "has another CRC-32")
    }
    return try footer(at: position + 4, size: position + 4 - start, flags)
  }

  private mutating func footer(
    at start: Int64,
    size: Int64,
    _ flags: [UInt8]
  ) throws(CleaveError) -> Int64? {
    guard let bytes = try reader.peek(Self.headerLength, at: start).map(Array.init) else {
      return endEarly()
    }
    let isRight =
      bytes[10...].elementsEqual("YZ".utf8) && bytes[8..<10].elementsEqual(flags)
      && Checksum(of: bytes[4..<10], .crc32).crc32 == bytes.uint32(at: 0)
      && (Int64(bytes.uint32(at: 4)) + 1) * 4 == size
    return isRight ? start + Int64(bytes.count) : miss("the footer of the xz stream", at: start)
  }

  /// A number of up to nine bytes of seven bits; see 1.2. Nil where there is none.
  private func number(at position: inout Int64) throws(CleaveError) -> Int64? {
    var value: Int64 = 0
    for shift in 0..<9 {
      guard let byte = try reader.peek(1, at: position)?[0] else { return nil }
      position += 1
      value |= Int64(byte & 0x7F) << (7 * Int64(shift))
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  // MARK: Saying what is wrong

  private mutating func endOrDiffer<Nothing>(_ position: Int64) -> Nothing? {
    position < reader.count ? miss("an xz index", at: position) : endEarly()
  }

  private mutating func differ<Nothing>(
    _ position: Int64,
    _ what: String,
    _ text: String
  ) -> Nothing? {
    notes.differ(position..<position, "\(what) \(notes.layout.place(position)) \(text)")
    return nil
  }

  /// Everything so far has its CRC-32, and asks for more than is known here.
  private mutating func leave<Nothing>(_ position: Int64) -> Nothing? {
    let place = notes.layout.place(position)
    notes.leave(position..<reader.count, "has xz data of a newer form from \(place) on")
    return nil
  }
}

/// The sizes of blocks, kept as their number and a sum: the memory for them has no bound.
struct XzSizes: Hashable {
  private(set) var count: Int64 = 0
  private var sum = Checksum.empty

  mutating func add(_ packed: Int64, _ unpacked: Int64) {
    count += 1
    withUnsafeBytes(of: (packed, unpacked)) { sum.update($0, .crc32) }
  }
}
