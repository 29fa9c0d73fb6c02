/// The records of a central directory, read one after the other through a small window.
struct CentralDirectory {
  private let bytes: JoinedBytes
  /// Where the next record begins.
  private(set) var position: Int64
  private let limit: Int64
  private var window: ArraySlice<UInt8> = []

  /// Bytes read at a time; a record may have up to 196,651, and is then read by itself.
  private static let windowSize: Int64 = 64 << 10

  /// - Parameter limit: where the directory has ended at the latest.
  init(_ bytes: JoinedBytes, from position: Int64, to limit: Int64) {
    self.bytes = bytes
    self.position = position
    self.limit = limit
  }

  /// The next record, or nil where there is none.
  ///
  /// - Throws: where a record is cut off by the limit, or contradicts itself.
  mutating func next() throws(ZipFault) -> CentralRecord? {
    guard try fill(CentralRecord.fixedLength), hasSignature else { return nil }
    let length = CentralRecord.length(window)
    guard try fill(length) else {
      throw .contradiction("a record of its directory is cut off at \(position)")
    }
    let record = try CentralRecord(Array(window.prefix(length)))
    window = window.dropFirst(length)
    position += Int64(length)
    return record
  }

  private var hasSignature: Bool {
    zip(window, [UInt8](littleEndian: ZipSignature.centralRecord.rawValue)).allSatisfy { $0 == $1 }
  }

  /// Has the window hold at least `count` bytes. Returns false where there are not so many.
  private mutating func fill(_ count: Int) throws(ZipFault) -> Bool {
    if window.count >= count { return true }
    guard position >= 0, position <= limit - Int64(count) else { return false }
    let wanted = Int(min(max(Self.windowSize, Int64(count)), limit - position))
    let read = try ZipFault.reading { () throws(CleaveError) in
      try bytes.bytes(wanted, at: position)
    }
    window = (read ?? [])[...]
    return window.count >= count
  }
}
