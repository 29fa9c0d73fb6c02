/// Where an entry lies in the parts, from its local header to the end of its data: 24 bytes, since a
/// zip may have millions of entries.
struct EntryPlace: Hashable {
  let start: Int64
  /// The first byte behind the data; a data descriptor may follow.
  let end: Int64
  private let headerLength: UInt32
  /// Whether a data descriptor should follow.
  private(set) var hasDescriptor = false
  /// Bytes of the data descriptor; 0 where there is none.
  private(set) var descriptorLength: UInt8 = 0

  // bounded: was checked when the place was made
  var dataStart: Int64 { start + Int64(headerLength) }
  /// Bytes of the data.
  var dataCount: Int64 { end - dataStart }

  /// - Throws: where the size is out of range.
  init(_ record: CentralRecord, _ local: LocalHeader, at start: Int64) throws(ZipFault) {
    self.start = start
    // At most 30 bytes and twice 65,535.
    headerLength = UInt32(local.length)
    let (dataStart, isOutside) = start.addingReportingOverflow(Int64(local.length))
    let end = Int64(exactly: record.compressedSize).map(dataStart.addingReportingOverflow)
    guard !isOutside, let end, !end.overflow else {
      throw .contradiction("the size of '\(record.name)' is out of range")
    }
    self.end = end.partialValue
  }

  /// Looks for the descriptor that the headers promise behind the data.
  ///
  /// - Returns: whether it tells other sums or sizes than the directory.
  mutating func findDescriptor(
    of record: CentralRecord,
    in bytes: JoinedBytes
  ) throws(CleaveError) -> Bool {
    hasDescriptor = true
    let found = try DataDescriptor.find(of: record, in: bytes, at: end)
    descriptorLength = UInt8(found.length)
    return found.differs
  }
}

/// The CRC-32 and the sizes that a local header should have, and that only the directory tells: zip4j
/// leaves them out of headers that begin a part, and other programs then refuse the zip.
package struct HeaderRepair: Hashable, Sendable {
  /// Of the three fields; see APPNOTE 4.3.7.
  let position: Int64
  private let crc32: UInt32
  private let compressedSize: UInt32
  private let uncompressedSize: UInt32

  var bytes: [UInt8] {
    [crc32, compressedSize, uncompressedSize].flatMap { [UInt8](littleEndian: $0) }
  }

  /// Nil where nothing is missing, or where it would not fit.
  init?(_ record: CentralRecord, _ local: LocalHeader, at start: Int64) {
    guard local.lacksSizes, !record.hasDescriptor, record.crc32 != 0 || record.compressedSize != 0,
      let compressed = UInt32(exactly: record.compressedSize), compressed != .max,
      let uncompressed = UInt32(exactly: record.uncompressedSize), uncompressed != .max
    else { return nil }
    // bounded: a local header was read there
    position = start + 14
    (crc32, compressedSize, uncompressedSize) = (record.crc32, compressed, uncompressed)
  }
}
