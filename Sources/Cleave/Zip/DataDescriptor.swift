/// The sums and sizes behind the data of an entry whose header was written before they were known.
///
/// See APPNOTE 4.3.9: a signature, which may be left out, the CRC-32, and two sizes of 4 or 8 bytes each.
enum DataDescriptor {
  /// Bytes at most.
  static let longest = 24

  /// The bytes of the descriptor of an entry at the end of its data, 0 where there is none, and whether
  /// it tells other sums or sizes than the directory.
  ///
  /// Such a one is found by its signature and the record that follows it.
  static func find(
    of record: CentralRecord,
    in bytes: JoinedBytes,
    at position: Int64
  ) throws(CleaveError) -> (length: Int, differs: Bool) {
    let found = try read(bytes, at: position)
    if let form = forms(of: record).first(where: { found.starts(with: $0) }) {
      // Behind what belongs to it, that one begins earlier: bytes of the data are missing.
      let before = form.has(.splitMarker, at: 0) ? nil : try bytes.bytes(4, at: position - 4)
      let isCut = before?.has(.splitMarker, at: 0) == true
      return isCut ? (0, false) : (form.count, false)
    }
    guard found.has(.splitMarker, at: 0),
      let length = [16, longest].first(where: { isFollowedByRecord(found, at: $0) })
    else { return (0, false) }
    return (length, true)
  }

  /// Whether the descriptor is there and tells the entry's sums.
  static func holdsSums(
    of record: CentralRecord,
    in bytes: JoinedBytes,
    at position: Int64
  ) throws(CleaveError) -> Bool {
    let found = try read(bytes, at: position)
    return forms(of: record).contains { found.starts(with: $0) }
  }

  /// The bytes of the descriptor that ends at a position and tells of so many bytes of data; nil where
  /// none does.
  static func length(
    ofData count: Int64,
    in bytes: JoinedBytes,
    endingAt position: Int64
  ) throws(CleaveError) -> Int? {
    guard let found = try bytes.bytes(longest, at: position - Int64(longest)) else { return nil }
    let isLarge = found.uint64(at: 8) == UInt64(count)
    let isSmall = UInt64(found.uint32(at: 16)) == UInt64(count)
    if isLarge { return found.has(.splitMarker, at: 0) ? longest : longest - 4 }
    if isSmall { return found.has(.splitMarker, at: 8) ? 16 : 12 }
    return nil
  }

  /// A descriptor and the signature behind it, as far as there are so many bytes.
  private static func read(
    _ bytes: JoinedBytes,
    at position: Int64
  ) throws(CleaveError) -> [UInt8] {
    let count = min(Int64(longest + 4), bytes.count - position)
    return count > 0 ? try bytes.bytes(Int(count), at: position) ?? [] : []
  }

  /// What the descriptor may be, the longest first.
  private static func forms(of record: CentralRecord) -> [[UInt8]] {
    let signature = [UInt8](littleEndian: ZipSignature.splitMarker.rawValue)
    let sum = [UInt8](littleEndian: record.crc32)
    let sizes = [record.compressedSize, record.uncompressedSize]
    let large = sum + sizes.flatMap { [UInt8](littleEndian: $0) }
    let small = sum + sizes.flatMap { [UInt8](littleEndian: UInt32(truncatingIfNeeded: $0)) }
    return [signature + large, large, signature + small, small]
  }

  private static func isFollowedByRecord(_ bytes: [UInt8], at place: Int) -> Bool {
    bytes.has(.localHeader, at: place) || bytes.has(.centralRecord, at: place)
      || bytes.has(.archiveExtraData, at: place)
  }
}
