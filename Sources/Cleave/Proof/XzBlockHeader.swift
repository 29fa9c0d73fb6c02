/// What stands in front of the data of an xz block; see `xz-file-format.txt`, 3.1.
struct XzBlockHeader {
  private var packed: Int64?
  private var unpacked: Int64?
  /// Whether the data is the output of LZMA2, whatever filters were in front of it.
  private(set) var isLZMA2 = false

  private static let reserved: UInt8 = 0x3C
  private static let lzma2: Int64 = 0x21

  /// - Parameter bytes: as many as the first one says, 8 at least.
  init?(_ bytes: [UInt8]) {
    let end = bytes.count - 4
    guard end >= 4, Checksum(of: bytes[..<end], .crc32).crc32 == bytes.uint32(at: end),
      bytes[1] & Self.reserved == 0
    else { return nil }
    var rest = bytes[2..<end]
    if bytes[1] & 0x40 != 0 {
      guard let size = Self.number(&rest) else { return nil }
      packed = size
    }
    if bytes[1] & 0x80 != 0 {
      guard let size = Self.number(&rest) else { return nil }
      unpacked = size
    }
    for _ in 0...(bytes[1] & 3) {
      guard let filter = Self.number(&rest), let length = Self.number(&rest), length <= rest.count
      else { return nil }
      rest = rest.dropFirst(Int(length))
      isLZMA2 = filter == Self.lzma2
    }
  }

  /// Whether sizes in the header, if there are any, are those of the block.
  func fits(_ packed: Int64, _ unpacked: Int64) -> Bool {
    (self.packed ?? packed) == packed && (self.unpacked ?? unpacked) == unpacked
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for shift in 0..<9 {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int64(byte & 0x7F) << (7 * Int64(shift))
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
