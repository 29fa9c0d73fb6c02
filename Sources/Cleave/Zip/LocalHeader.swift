/// What stands before the data of an entry; see APPNOTE 4.3.7.
struct LocalHeader: Hashable {
  /// The fixed part and the name.
  private let bytes: [UInt8]
  /// Whether the directory has the same name, byte for byte.
  let hasDirectoryName: Bool

  static let fixedLength = 30

  var flags: UInt16 { bytes.uint16(at: 6) }
  var method: UInt16 { bytes.uint16(at: 8) }
  /// Date and time as DOS has them; see APPNOTE 4.4.6.
  var modified: UInt32 { bytes.uint32(at: 10) }
  var crc32: UInt32 { bytes.uint32(at: 14) }
  var compressedSize: UInt32 { bytes.uint32(at: 18) }
  var uncompressedSize: UInt32 { bytes.uint32(at: 22) }
  var hasDescriptor: Bool { flags & 8 != 0 }
  /// Whether no sum and no sizes are told, here or in a descriptor.
  var lacksSizes: Bool {
    !hasDescriptor && crc32 == 0 && compressedSize == 0 && uncompressedSize == 0
  }
  var nameBytes: ArraySlice<UInt8> { bytes[Self.fixedLength...] }
  /// Where in the header its extra fields begin.
  var extraStart: Int { bytes.count }
  /// Bytes of the header with its name and extra fields.
  var length: Int {
    Self.fixedLength + Int(bytes.uint16(at: 26)) + Int(bytes.uint16(at: 28))
  }

  /// The header of an entry at a position, or nil where there is none, or that of another entry.
  ///
  /// Names are compared as bytes: what they mean may be told in extra fields of the central record
  /// alone. Some writers give the two headers different names; then everything else must agree.
  init?(
    _ bytes: JoinedBytes,
    at position: Int64,
    of record: CentralRecord
  ) throws(CleaveError) {
    let name = record.nameBytes
    guard var read = try bytes.bytes(Self.fixedLength + name.count, at: position),
      read.has(.localHeader, at: 0)
    else { return nil }
    let count = Int(read.uint16(at: 26))
    if count != name.count {
      guard let again = try bytes.bytes(Self.fixedLength + count, at: position) else { return nil }
      read = again
    }
    self.bytes = read
    hasDirectoryName = read[Self.fixedLength...] == name
    if !hasDirectoryName, try !agrees(with: record, in: bytes, at: position) { return nil }
  }

  /// The flag of names in UTF-8.
  private static let isUTF8: UInt16 = 0x800

  /// Whether the name can be that of the entry in the directory, written otherwise.
  func hasNameLike(_ record: CentralRecord) -> Bool {
    if hasDirectoryName { return true }
    let (one, other) = (nameBytes, record.nameBytes)
    // Of names in two encodings, not even ASCII tells: the second bytes of Shift-JIS may be any.
    let areOther = (flags ^ record.flags) & Self.isUTF8 != 0
    if areOther, [one, other].allSatisfy({ $0.contains { $0 >= 0x80 } }) { return true }
    return EntryName.areAlike(one, other, foldingEncoding: flags & Self.isUTF8 == 0)
  }

  /// Whether a header of another name can only be that of the entry.
  private func agrees(
    with record: CentralRecord,
    in bytes: JoinedBytes,
    at position: Int64
  ) throws(CleaveError) -> Bool {
    // Both encrypted or neither, both with a descriptor or neither.
    guard method == record.method, (flags ^ record.flags) & 9 == 0 else { return false }
    if hasDescriptor {
      guard let place = try? EntryPlace(record, self, at: position),
        try DataDescriptor.holdsSums(of: record, in: bytes, at: place.end)
      else { return false }
    } else {
      guard crc32 == record.crc32, Self.agree(compressedSize, record.compressedSize),
        Self.agree(uncompressedSize, record.uncompressedSize)
      else { return false }
    }
    if record.crc32 != 0 { return true }
    // Headers of directories and of empty files are all alike but for their times and names.
    guard modified == record.modified else { return false }
    return record.uncompressedSize != 0
      || EntryName.areAlike(nameBytes, record.nameBytes, foldingCase: true)
  }

  /// Whether the header of an entry with a descriptor tells sums or sizes, and others than the directory.
  /// Zeros tell nothing, and no more does what is masked.
  func differs(from record: CentralRecord) -> Bool {
    if record.isMasked { return false }
    // Where zip cannot go back to the header of what it encrypts, the time is in the upper half of the sum's field.
    let isTime = record.isEncrypted && hasDescriptor && crc32 & 0xFFFF == 0
    if crc32 != 0, crc32 != record.crc32, !isTime { return true }
    return sizes(and: record).contains { $0 != 0 && !Self.agree($0, $1) }
  }

  /// Those that the header and the directory tell, in the order of the ZIP64 extra.
  private func sizes(and record: CentralRecord) -> [(UInt32, UInt64)] {
    [(uncompressedSize, record.uncompressedSize), (compressedSize, record.compressedSize)]
  }

  /// Whether the extra fields have an end, and one of ZIP64 the sizes for which fields of the header are all ones;
  /// see APPNOTE 4.5.3. In front of a descriptor they may be 0.
  func hasWholeExtras(
    of record: CentralRecord,
    in bytes: JoinedBytes,
    at position: Int64
  ) throws(CleaveError) -> Bool {
    let start = extraStart
    // bounded: a header has at most 128 KiB
    guard let extras = try bytes.bytes(length - start, at: position + Int64(start)) else {
      return false
    }
    var zip64: [UInt64]?
    var at = 0
    // Programs that align the data leave up to three bytes.
    while at + 4 <= extras.count {
      let next = at + 4 + Int(extras.uint16(at: at + 2))
      if next > extras.count { return false }
      if extras.uint16(at: at) == 1, zip64 == nil {
        zip64 = stride(from: at + 4, to: next - 7, by: 8).map { extras.uint64(at: $0) }
      }
      at = next
    }
    let masked = sizes(and: record).filter { $0.0 == .max && $0.1 != UInt64(UInt32.max) }
    if masked.isEmpty || record.isMasked { return true }
    guard let found = zip64 else { return false }
    let isRight = { (found: UInt64, told: UInt64) in
      found == told || hasDescriptor && found == 0
    }
    // Some writers put both there where the header refers to one.
    if masked.count == 1 { return found.contains { isRight($0, masked[0].1) } }
    return found.count >= 2 && zip(found, masked).allSatisfy { isRight($0, $1.1) }
  }

  /// All ones stand for a size in the ZIP64 extra.
  private static func agree(_ local: UInt32, _ central: UInt64) -> Bool {
    local == .max || UInt64(local) == central
  }
}

/// The names that the two headers of an entry have.
private enum EntryName {
  /// Whether two names can be those of one entry: with other slashes, with folders in front or without, or in another
  /// encoding.
  ///
  /// - Parameters:
  ///   - foldingCase: whether they may be in letters of another case.
  ///   - foldingEncoding: whether they may be in two encodings.
  static func areAlike(
    _ one: ArraySlice<UInt8>,
    _ other: ArraySlice<UInt8>,
    foldingCase: Bool = false,
    foldingEncoding: Bool = true
  ) -> Bool {
    let names = [one, other].map {
      folded(foldingCase ? SplitZipName.folded($0) : Array($0), encoding: foldingEncoding)
    }
    .sorted { $0.count < $1.count }
    let front = names[1].dropLast(names[0].count)
    return names[0].isEmpty
      || names[1][front.endIndex...] == names[0][...]
        && (front.isEmpty || front.last == UInt8(ascii: "/"))
  }

  /// What encodings and systems have in common.
  private static func folded(_ name: [UInt8], encoding: Bool) -> [UInt8] {
    name.compactMap { byte in
      switch byte {
      case UInt8(ascii: "\\"): UInt8(ascii: "/")
      // What a writer could not encode it may have replaced.
      case UInt8(ascii: "?"), 0x80...: encoding ? nil : byte
      default: byte
      }
    }
  }
}
