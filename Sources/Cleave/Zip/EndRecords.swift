/// The records at the end of a zip: \[ZIP64 end, ZIP64 locator,\] end of central directory, comment.
///
/// See APPNOTE 4.3.14 to 4.3.16.
package struct EndRecords: Hashable, Sendable {
  /// From the first of these records to the end of the zip's comment.
  let bytes: [UInt8]
  /// Where that is.
  let position: Int64
  /// Where in `bytes` the end of central directory record begins.
  let endAt: Int
  /// Whether there is a ZIP64 end record; it is at the front of `bytes`.
  package let isZIP64: Bool
  /// What the records say, the ZIP64 one's word before the other's.
  let values: Values

  /// What end records say.
  struct Values: Hashable, Sendable {
    /// The number of the last disk, from 0.
    var disk: UInt32
    var directoryDisk: UInt32
    /// Records that begin on the last disk.
    var entriesHere: UInt64
    var entries: UInt64
    /// Bytes.
    var size: UInt64
    /// Bytes from the start of `directoryDisk`.
    var offset: UInt64
  }

  static let endLength = 22
  static let locatorLength = 20
  static let zip64Length = 56

  /// Whether the ZIP64 locator, if there is one, is that of a zip in one file; some writers leave the
  /// number of disks out.
  ///
  /// - Parameter shift: so many bytes are in front that offsets do not count.
  func isLocated(behind shift: Int64) -> Bool {
    guard isZIP64 else { return true }
    let locator = endAt - Self.locatorLength
    let (told, overflow) = position.subtractingReportingOverflow(shift)
    return bytes.uint32(at: locator + 4) == 0 && bytes.uint32(at: locator + 16) <= 1
      && !overflow && Int64(exactly: bytes.uint64(at: locator + 8)) == told
  }
  /// Whether the records of a zip in one file name its only disk, or leave that to the ZIP64 end
  /// record.
  var namesOneDisk: Bool {
    let told = [4, 6].map { bytes.uint16(at: endAt + $0) }
    return values.disk == 0 && values.directoryDisk == 0
      && told.allSatisfy { $0 == 0 || isZIP64 && $0 == .max }
  }
  /// Records that begin on the last disk by the end record, unless that leaves them to the ZIP64 one.
  var entriesHere: UInt64 {
    let told = bytes.uint16(at: endAt + 8)
    return isZIP64 && told == .max ? values.entriesHere : UInt64(told)
  }
  /// What the ZIP64 end record has behind its fields.
  var zip64Extension: Range<Int64> {
    let start = position + Int64(Self.zip64Length)
    return start..<max(start, isZIP64 ? position + Int64(endAt - Self.locatorLength) : start)
  }
  /// Behind the comment.
  var upperBound: Int64 { position + Int64(bytes.count) }
  package var comment: ArraySlice<UInt8> { bytes[(endAt + Self.endLength)...] }
}

// MARK: - Finding

extension EndRecords {
  /// More bytes than this, an extension of the ZIP64 end record is not believed. APPNOTE gives it
  /// no limit; what it is for needs less.
  private static let mostExtension: Int64 = 1 << 20

  private static let mostCandidates = 16

  /// What may be behind an end record and its comment.
  enum Behind {
    /// Nothing: the record tells where the bytes end.
    case nothing
    /// Something: as much as programs that look for the record skip, and any zeros behind that.
    case something
    /// The end of the comment is missing.
    case lessThanNothing
  }

  /// Zeros at the end are skipped up to so many: the padding of blocks and tapes. Not measured.
  private static let mostPadding: Int64 = 1 << 20

  /// The places where an end record may begin: the last one first.
  ///
  /// There can be several, since a comment can hold what looks like an end record. Only the first few
  /// are worth a look: thousands of them would be somebody's joke.
  static func candidates(
    in bytes: JoinedBytes,
    before behind: Behind = .nothing
  ) throws(ZipFault) -> [Int64] {
    let end = behind == .something ? try unpaddedEnd(of: bytes) : bytes.count
    let count = Int(min(end, Int64(endLength) + 0xFFFF))
    let start = end - Int64(count)
    let read = try ZipFault.reading { () throws(CleaveError) in
      try bytes.bytes(count, at: start)
    }
    guard let tail = read, tail.count >= endLength else { return [] }
    var found: [Int64] = []
    var rest = tail.count - endLength + 1
    while let at = tail.lastPlace(of: UInt8(ascii: "P"), before: rest) {
      rest = at
      guard tail.has(.end, at: at) else { continue }
      let left = bytes.count - start - Int64(at + endLength + Int(tail.uint16(at: at + 20)))
      let isOne =
        switch behind {
        case .nothing: left == 0
        case .something: left > 0
        case .lessThanNothing: left < 0
        }
      guard isOne else { continue }
      found.append(start + Int64(at))
      if found.count == mostCandidates { break }
    }
    return found
  }

  /// Where the bytes end without the zeros of a padding, but with those of an end record.
  private static func unpaddedEnd(of bytes: JoinedBytes) throws(ZipFault) -> Int64 {
    var end = bytes.count
    while end > 0, bytes.count - end < mostPadding {
      let count = min(end, 64 << 10)
      let read = try ZipFault.reading { () throws(CleaveError) in
        try bytes.bytes(Int(count), at: end - count)
      }
      guard let last = read?.lastIndex(where: { $0 != 0 }) else {
        end -= count
        continue
      }
      end -= count - Int64(last) - 1
      break
    }
    return min(bytes.count, end + Int64(endLength))
  }

  /// Reads the end record at `end`, and the ZIP64 records before it.
  ///
  /// - Parameter locate: the position that the locator's disk and offset mean, as far as known.
  init(
    in bytes: JoinedBytes,
    at end: Int64,
    locate: (UInt32, UInt64) -> Int64?
  ) throws(ZipFault) {
    let zip64 = try Self.zip64(in: bytes, before: end, locate: locate)
    let start = zip64 ?? end
    let count = min(bytes.count - start, end - start + Int64(Self.endLength) + 0xFFFF)
    let read = try ZipFault.reading { () throws(CleaveError) in
      try bytes.bytes(Int(count), at: start)
    }
    let endAt = Int(end - start)
    guard let read, read.has(.end, at: endAt) else { throw .noEnd }
    let length = endAt + Self.endLength + Int(read.uint16(at: endAt + 20))
    guard length <= read.count else { throw .noEnd }
    try self.init(Array(read[..<length]), at: start, endAt: endAt, isZIP64: zip64 != nil)
  }

  /// Records that have been found.
  init(_ bytes: [UInt8], at position: Int64, endAt: Int, isZIP64: Bool) throws(ZipFault) {
    self.bytes = bytes
    self.position = position
    self.endAt = endAt
    self.isZIP64 = isZIP64
    values = try Self.values(bytes, endAt: endAt, isZIP64: isZIP64)
  }

  /// Where the ZIP64 end record is, or nil where there is none.
  private static func zip64(
    in bytes: JoinedBytes,
    before end: Int64,
    locate: (UInt32, UInt64) -> Int64?
  ) throws(ZipFault) -> Int64? {
    let at = end - Int64(locatorLength)
    let locator = try ZipFault.reading { () throws(CleaveError) in
      try bytes.bytes(locatorLength, at: at)
    }
    guard let locator, locator.has(.zip64Locator, at: 0) else { return nil }
    if let told = locate(locator.uint32(at: 4), locator.uint64(at: 8)),
      let length = try length(in: bytes, at: told, before: at)
    {
      guard told + length == at else {
        throw .contradiction("bytes that belong to nothing are behind its ZIP64 end record")
      }
      return told
    }
    // Writers and joiners get the offset wrong; the record is right before its locator.
    return try search(bytes, before: at)
  }

  /// The length of the ZIP64 end record at `position`, if there is one that ends before `limit`.
  private static func length(
    in bytes: JoinedBytes,
    at position: Int64,
    before limit: Int64
  ) throws(ZipFault) -> Int64? {
    guard position >= 0, position <= limit - Int64(zip64Length) else { return nil }
    let head = try ZipFault.reading { () throws(CleaveError) in try bytes.bytes(12, at: position) }
    guard let head, head.has(.zip64End, at: 0) else { return nil }
    let size = head.uint64(at: 4)
    guard size >= UInt64(zip64Length - 12), size <= UInt64(limit - position - 12),
      limit - position <= mostExtension
    else { return nil }
    return Int64(size) + 12
  }

  private static func search(
    _ bytes: JoinedBytes,
    before locator: Int64
  ) throws(ZipFault) -> Int64? {
    let plain = locator - Int64(zip64Length)
    if try length(in: bytes, at: plain, before: locator) == Int64(zip64Length) { return plain }
    let start = max(0, locator - 0xFFFF)
    let read = try ZipFault.reading { () throws(CleaveError) in
      try bytes.bytes(Int(locator - start), at: start)
    }
    for at in (read ?? []).indices.reversed() where (read ?? []).has(.zip64End, at: at) {
      let position = start + Int64(at)
      if try length(in: bytes, at: position, before: locator) == locator - position {
        return position
      }
    }
    return nil
  }

  private static func values(
    _ bytes: [UInt8],
    endAt: Int,
    isZIP64: Bool
  ) throws(ZipFault) -> Values {
    let plain = Values(
      disk: UInt32(bytes.uint16(at: endAt + 4)),
      directoryDisk: UInt32(bytes.uint16(at: endAt + 6)),
      entriesHere: UInt64(bytes.uint16(at: endAt + 8)),
      entries: UInt64(bytes.uint16(at: endAt + 10)),
      size: UInt64(bytes.uint32(at: endAt + 12)),
      offset: UInt64(bytes.uint32(at: endAt + 16))
    )
    guard isZIP64 else { return plain }
    let large = Values(
      disk: bytes.uint32(at: 16),
      directoryDisk: bytes.uint32(at: 20),
      entriesHere: bytes.uint64(at: 24),
      entries: bytes.uint64(at: 32),
      size: bytes.uint64(at: 40),
      offset: bytes.uint64(at: 48)
    )
    // Disks and the entries of one disk are what writers of splits get wrong; these are not.
    let agree =
      (plain.entries == 0xFFFF || plain.entries == large.entries)
      && (plain.size == 0xFFFF_FFFF || plain.size == large.size)
      && (plain.offset == 0xFFFF_FFFF || plain.offset == large.offset)
    guard agree else { throw .contradiction("its two end records contradict each other") }
    return large
  }
}

// MARK: - Rewriting

extension EndRecords {
  /// Where the records of another form of the same zip say that things are.
  struct Placement {
    var values: Values
    /// The disk of the ZIP64 end record, and its offset there.
    var zip64Disk: UInt32
    var zip64Offset: UInt64
  }

  /// The records for another form of the zip: what was escaped stays so, disks are told in the
  /// end record itself where they fit, and ZIP64 records are added where numbers need them.
  func rewritten(_ placement: Placement) -> [UInt8] {
    let new = placement.values
    let needsZIP64 =
      isZIP64 || new.entries >= 0xFFFF || new.size >= 0xFFFF_FFFF || new.offset >= 0xFFFF_FFFF
      || new.disk >= 0xFFFF
    var end = Array(bytes[endAt...])
    func keepsEscape(_ isEscaped: Bool) -> Bool { isZIP64 && isEscaped }
    let escapesEntries = keepsEscape(end.uint16(at: 10) == 0xFFFF)
    let escapesSize = keepsEscape(end.uint32(at: 12) == .max)
    let escapesOffset = keepsEscape(end.uint32(at: 16) == .max)
    end.put(UInt16(clamping: new.disk), at: 4)
    end.put(UInt16(clamping: new.directoryDisk), at: 6)
    end.put(escapesEntries ? .max : UInt16(clamping: new.entriesHere), at: 8)
    end.put(escapesEntries ? .max : UInt16(clamping: new.entries), at: 10)
    end.put(escapesSize ? .max : UInt32(clamping: new.size), at: 12)
    end.put(escapesOffset ? .max : UInt32(clamping: new.offset), at: 16)
    guard needsZIP64 else { return end }
    return zip64(placement) + end
  }

  private func zip64(_ placement: Placement) -> [UInt8] {
    var records = isZIP64 ? Array(bytes[..<endAt]) : Self.newZIP64
    let new = placement.values
    records.put(new.disk, at: 16)
    records.put(new.directoryDisk, at: 20)
    records.put(new.entriesHere, at: 24)
    records.put(new.entries, at: 32)
    records.put(new.size, at: 40)
    records.put(new.offset, at: 48)
    let locator = records.count - Self.locatorLength
    records.put(placement.zip64Disk, at: locator + 4)
    records.put(placement.zip64Offset, at: locator + 8)
    records.put(new.disk + 1, at: locator + 16)
    return records
  }

  /// ZIP64 records of version 4.5 without values.
  private static let newZIP64: [UInt8] = {
    var records = [UInt8](repeating: 0, count: zip64Length + locatorLength)
    records.put(ZipSignature.zip64End.rawValue, at: 0)
    records.put(UInt64(zip64Length - 12), at: 4)
    records.put(UInt16(45), at: 12)
    records.put(UInt16(45), at: 14)
    records.put(ZipSignature.zip64Locator.rawValue, at: zip64Length)
    return records
  }()
}
