/// What stands before the data of an entry; see APPNOTE 4.3.7.
struct LocalHeader: Hashable {
  /// The fixed part and the name.
  private let bytes: [UInt8]

  static let fixedLength = 30

  var flags: UInt16 { bytes.uint16(at: 6) }
  var method: UInt16 { bytes.uint16(at: 8) }
  var crc32: UInt32 { bytes.uint32(at: 14) }
  var compressedSize: UInt32 { bytes.uint32(at: 18) }
  var uncompressedSize: UInt32 { bytes.uint32(at: 22) }
  /// Whether no sum and no sizes are told, here or in a descriptor.
  var lacksSizes: Bool {
    flags & 8 == 0 && crc32 == 0 && compressedSize == 0 && uncompressedSize == 0
  }
  var nameBytes: ArraySlice<UInt8> { bytes[Self.fixedLength...] }
  /// Bytes of the header with its name and extra fields.
  var length: Int {
    Self.fixedLength + Int(bytes.uint16(at: 26)) + Int(bytes.uint16(at: 28))
  }

  /// The header at a position, or nil where there is none, or none of that name.
  ///
  /// Names are compared as bytes: what they mean may be told in extra fields of the central record
  /// alone.
  init?(
    _ bytes: any ZipBytes,
    at position: Int64,
    named name: ArraySlice<UInt8>
  ) throws(CleaveError) {
    guard let read = try bytes.bytes(Self.fixedLength + name.count, at: position),
      read.has(.localHeader, at: 0), Int(read.uint16(at: 26)) == name.count,
      read[Self.fixedLength...] == name
    else { return nil }
    self.bytes = read
  }
}
