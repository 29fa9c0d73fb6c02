internal import Posix

// Formats whose headers tell how many bytes follow: those of most files that are too large for one piece.
extension ContentEnd {
  /// - Parameter head: the first bytes, 512 where there are so many.
  static func told(
    _ kind: FileFormat.Kind?,
    _ head: [UInt8],
    _ parts: JoinedBytes
  ) throws(CleaveError) -> ContentEnd {
    let end: Int64?
    switch kind {
    case .mp4?: end = try walk(parts, boxSize)
    case .riff?:
      end = try walk(parts, chunkSize)
      // Some programs count the first 8 bytes, or one that fills up an odd chunk and is not written.
      if let end, end > parts.count, end - parts.count <= 8 { return .unknown }
    case .matroska?: end = segmentEnd(head)
    case .safetensors?: end = try tensorsEnd(head, parts)
    case .sqlite?: end = pagesEnd(head)
    case nil: end = try volumeEnd(parts)
    default: return .unknown
    }
    guard let end else { return .unknown }
    if end < parts.count {
      guard kind != nil, let part = parts.layout.boundary(at: end) else { return .unknown }
      return .before(part: part, "its headers tell of \(end) bytes")
    }
    return end == parts.count
      ? .seen("its headers tell of as many bytes as there are")
      : .absent("its headers tell of \(end) bytes, and there are \(parts.count)", isCut: true)
  }

  // MARK: Boxes and chunks

  /// The end of the last of what follows one another from the start on; nil where that is not all.
  ///
  /// - Parameter size: of one, by its first 16 bytes; nil where it is none, or does not tell.
  private static func walk(
    _ parts: JoinedBytes,
    _ size: ([UInt8]) -> Int64?
  ) throws(CleaveError) -> Int64? {
    var position: Int64 = 0
    for _ in 0..<mostWalked where position < parts.count {
      let header = try parts.bytes(Int(min(16, parts.count - position)), at: position) ?? []
      guard header.count >= 8, let size = size(header), size >= 8 else {
        // What is behind the last may be another file's.
        return parts.layout.boundary(at: position) == nil ? nil : position
      }
      let (end, overflow) = position.addingReportingOverflow(size)
      if overflow { return nil }
      position = end
    }
    return position >= parts.count ? position : nil
  }

  /// Boxes of a video; those that are cut into fragments have more, and nothing is said of their end.
  private static var mostWalked: Int { 4096 }

  /// ISO 14496-12, 4.2: a size and a type; a size of 1 stands for 64 bits behind the type, and 0 for all the rest.
  private static func boxSize(_ header: [UInt8]) -> Int64? {
    // What is behind the video may be anything.
    guard boxes.contains(Array(header[4..<8])) else { return nil }
    let size = number(header[..<4])
    if size != 1 { return size }
    return header.count < 16 ? nil : number(header[8..<16])
  }

  private static let boxes = Set(
    [
      "ftyp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "styp", "free", "skip", "wide",
      "uuid", "udta", "meta", "pdin", "prft", "emsg",
    ].map { Array($0.utf8) }
  )

  /// A size of less than 4 GiB behind `RIFF`; videos that are larger have several of them, one behind the other. What
  /// is written to a pipe has no size, or about 2 or 4 GB.
  private static func chunkSize(_ header: [UInt8]) -> Int64? {
    let size = header.uint32(at: 4)
    guard header.starts(with: "RIFF".utf8), size > 4, size < 1_900_000_000 else { return nil }
    return 8 + Int64(size)  // bounded: 31 bits
  }

  // MARK: Matroska

  /// RFC 8794: an element has an identifier, a size, and so many bytes. A Matroska file has a header and one segment.
  private static func segmentEnd(_ head: [UInt8]) -> Int64? {
    guard let header = elementSize(head, at: 4) else { return nil }
    // bounded: sizes have 56 bits, and places are among the first bytes
    let start = Int64(header.start) + header.size
    guard start < Int64(head.count) - 12, head[Int(start)...].starts(with: segment) else {
      return nil
    }
    // bounded: as these
    return elementSize(head, at: Int(start) + 4).map { Int64($0.start) + $0.size }
  }

  private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]

  /// How many bytes an element has, and where they start; nil where that was not known when it was begun.
  private static func elementSize(_ head: [UInt8], at place: Int) -> (size: Int64, start: Int)? {
    guard place < head.count else { return nil }
    let length = head[place].leadingZeroBitCount + 1  // bounded: 9
    let bytes = head[place...].prefix(length)
    guard length <= 8, bytes.count == length else { return nil }
    let mask = Int64(1) << (7 * length) - 1  // bounded: 56 bits
    let size = number(bytes).map { $0 & mask }
    return size == mask ? nil : size.map { ($0, bytes.endIndex) }
  }

  // MARK: Others

  /// The largest offset of the tensors is that of the end; see the format's description.
  private static func tensorsEnd(_ head: [UInt8], _ parts: JoinedBytes) throws(CleaveError)
    -> Int64?
  {
    let count = head.uint64(at: 0)
    guard count <= UInt64(mostOfHeader), let text = try parts.bytes(Int(count), at: 8) else {
      return nil
    }
    let lists = text.split(separator: UInt8(ascii: "["))
    var last: Int64 = 0
    for (name, list) in zip(lists, lists.dropFirst()) {
      guard name.withoutBlanks.suffix(15).elementsEqual("\"data_offsets\":".utf8) else { continue }
      let numbers = list.prefix { $0 != UInt8(ascii: "]") }.split(separator: UInt8(ascii: ","))
      guard let end = numbers.last.flatMap({ PartDigits($0.withoutBlanks) }) else { return nil }
      last = max(last, end.number)
    }
    // bounded: a number has 18 digits at most
    return last == 0 ? nil : 8 + Int64(count) + last
  }

  /// Bytes of a header that are read; those of large models have less.
  private static var mostOfHeader: Int { 4 << 20 }

  /// SQLite's file format, 1.3: the size of a page, and how many there are, where what wrote the file last knows of that.
  private static func pagesEnd(_ head: [UInt8]) -> Int64? {
    guard head.count >= 100, head[24..<28].elementsEqual(head[92..<96]),
      let size = number(head[16..<18]), let count = number(head[28..<32]), count > 0
    else { return nil }
    return (size == 1 ? 65_536 : size) * count  // bounded: 17 and 32 bits
  }

  /// ECMA-119, 8.4: how many blocks the volume has, of how many bytes; each number stands there in both orders of bytes.
  /// Some programs write more behind it.
  private static func volumeEnd(_ parts: JoinedBytes) throws(CleaveError) -> Int64? {
    guard let volume = try parts.bytes(132, at: 32_768),
      volume.starts(with: [1] + "CD001\u{1}".utf8),
      let blocks = number(volume[84..<88]), blocks == Int64(volume.uint32(at: 80)),
      let size = number(volume[130..<132]), size == Int64(volume.uint16(at: 128))
    else { return nil }
    return blocks * size  // bounded: 32 and 16 bits
  }

  /// The highest byte first; nil for more than 63 bits.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
