internal import Posix

/// Walks through zstd frames from block to block, without unpacking them. The checksum of a frame is
/// one of its data, and is not computed. See RFC 8878, 3.1.
struct ZstdProof: ProofWalk {
  let reader: ProofReader
  var notes: ProofNotes

  private static let magic = FileFormat.magic(.zstd).uint32(at: 0)
  /// Frames that programs read over have one of sixteen.
  private static let skippable: UInt32 = 0x184D_2A50
  private static let largestBlock: Int64 = 128 << 10

  /// Whether frames that are skipped are in front of one of zstd's, as pzstd writes them: they are not
  /// its alone.
  static func skipsToFrame(_ head: [UInt8]) -> Bool {
    var position = 0
    while position <= head.count - 8 {
      let magic = head.uint32(at: position)
      if magic == Self.magic { return true }
      guard magic & ~0xF == skippable else { return false }
      position += 8 + Int(head.uint32(at: position + 4))
    }
    return false
  }

  mutating func run() throws(CleaveError) -> ProofResult {
    var position: Int64 = 0
    while position < reader.count {
      guard let end = try frame(at: position) else { return notes.result }
      notes.prove()
      position = end
    }
    return notes.result
  }

  /// The end of the frame at a position; nil where something is wrong.
  private mutating func frame(at start: Int64) throws(CleaveError) -> Int64? {
    guard let magic = try reader.peek(4, at: start)?.uint32(at: 0) else { return endEarly() }
    if magic & ~0xF == Self.skippable {
      guard let size = try reader.peek(4, at: start + 4)?.uint32(at: 0) else { return endEarly() }
      let end = start + 8 + Int64(size)
      return end <= reader.count ? end : endEarly()
    }
    guard magic == Self.magic else {
      if notes.refuseParts(from: start, of: "the zstd data") { return nil }
      return miss("a zstd frame", at: start)
    }
    guard let flags = try reader.peek(1, at: start + 4)?[0] else { return endEarly() }
    guard flags & 8 == 0 else { return miss("a zstd frame of a known form", at: start) }
    return try blocks(from: start + 5 + Self.length(flags), hasSum: flags & 4 != 0)
  }

  /// Bytes of the frame's header behind its flags: window, dictionary, content size.
  private static func length(_ flags: UInt8) -> Int64 {
    let isSingle = flags & 0x20 != 0
    let dictionary: [Int64] = [0, 1, 2, 4]
    let size: [Int64] = [isSingle ? 1 : 0, 2, 4, 8]
    return (isSingle ? 0 : 1) + dictionary[Int(flags & 3)] + size[Int(flags >> 6)]
  }

  private mutating func blocks(from start: Int64, hasSum: Bool) throws(CleaveError) -> Int64? {
    var position = start
    while let head = try reader.peek(3, at: position) {
      let value = UInt32(head.uint16(at: 0)) | UInt32(head[2]) << 16
      let (type, size) = (value >> 1 & 3, Int64(value >> 3))
      guard type < 3, size <= Self.largestBlock else { return miss("a zstd block", at: position) }
      // A block of one byte over and over has that byte once.
      position += 3 + (type == 1 ? 1 : size)
      if value & 1 != 0 {
        let end = position + (hasSum ? 4 : 0)
        return end <= reader.count ? end : endEarly()
      }
    }
    return endEarly()
  }
}
