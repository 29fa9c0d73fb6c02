/// Numbers in zip records: little-endian, at fixed offsets.
///
/// Offsets are the program's own and lie within the records, whose lengths are checked first.
extension [UInt8] {
  func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
  }

  func uint64(at offset: Int) -> UInt64 {
    UInt64(uint32(at: offset)) | UInt64(uint32(at: offset + 4)) << 32
  }

  mutating func put(_ value: some FixedWidthInteger & UnsignedInteger, at offset: Int) {
    for (index, byte) in Self(littleEndian: value).enumerated() { self[offset + index] = byte }
  }

  /// The bytes of a number.
  init(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    self = (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Whether a record of this signature begins at `offset`.
  func has(_ signature: ZipSignature, at offset: Int) -> Bool {
    offset >= 0 && offset + 4 <= count && uint32(at: offset) == signature.rawValue
  }
}

extension [UInt8] {
  /// Whether these are the first six bytes, or more, of a part with the marker of a split zip.
  ///
  /// Something else that begins with PK must follow: the marker is a data descriptor's signature, too.
  var beginsWithMarker: Bool {
    (has(.splitMarker, at: 0) || has(.singleMarker, at: 0)) && self[4...].starts(with: "PK".utf8)
  }
}

/// The first four bytes of each record; see APPNOTE 4.3.
enum ZipSignature: UInt32 {
  /// `PK\3\4`
  case localHeader = 0x0403_4B50
  /// `PK\1\2`
  case centralRecord = 0x0201_4B50
  /// `PK\5\6`
  case end = 0x0605_4B50
  /// `PK\6\6`
  case zip64End = 0x0606_4B50
  /// `PK\6\7`
  case zip64Locator = 0x0706_4B50
  /// `PK\6\8`: stands before a directory that is encrypted.
  case archiveExtraData = 0x0806_4B50
  /// `PK\7\8` at the front of the first part of a split zip; before a data descriptor as well.
  case splitMarker = 0x0807_4B50
  /// `PK00` in the marker's place, where one part was enough.
  case singleMarker = 0x3030_4B50
}
