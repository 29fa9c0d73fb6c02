package import Posix

/// What the central directory says of one entry; see APPNOTE 4.3.12.
package struct CentralRecord: Hashable, Sendable {
  /// The whole record.
  private(set) var bytes: [UInt8]
  /// Bytes; from the ZIP64 extra where the header's field refers to it, like the next three.
  package private(set) var uncompressedSize: UInt64
  package private(set) var compressedSize: UInt64
  /// The disk that the local header begins on, and its offset there.
  private(set) var disk: UInt32
  private(set) var offset: UInt64
  private var zip64 = ZIP64Extra()
  /// Whether an extra field goes beyond the end of all of them.
  private(set) var hasBrokenExtra = false

  /// Where in `bytes` the parts of the ZIP64 extra are.
  private struct ZIP64Extra: Hashable {
    /// The extra with its header of four bytes.
    var range: Range<Int>?
    var offsetAt: Int?
    var diskAt: Int?
    /// Behind the sizes, where an offset belongs.
    var behindSizes = 0
    /// Behind the fields that are there, where a disk belongs.
    var behindFields = 0
  }

  static let fixedLength = 46

  package var versionMadeBy: UInt16 { bytes.uint16(at: 4) }
  /// The version of the format that unpacking needs, in tenths.
  var versionNeeded: UInt8 { bytes[bytes.startIndex + 6] }
  package var flags: UInt16 { bytes.uint16(at: 8) }
  package var method: UInt16 { bytes.uint16(at: 10) }
  /// Date and time as DOS has them; see APPNOTE 4.4.6.
  var modified: UInt32 { bytes.uint32(at: 12) }
  package var crc32: UInt32 { bytes.uint32(at: 16) }
  private var nameLength: Int { Int(bytes.uint16(at: 28)) }
  private var extraLength: Int { Int(bytes.uint16(at: 30)) }
  var nameBytes: ArraySlice<UInt8> { bytes[Self.fixedLength..<(Self.fixedLength + nameLength)] }
  /// The name, for messages.
  package var name: FilePath { FilePath(bytes: nameBytes) }
  package var isEncrypted: Bool { flags & 1 != 0 }
  package var hasDescriptor: Bool { flags & 8 != 0 }
  /// Whether the entry's local header hides its contents, as all do where the directory is encrypted.
  var isMasked: Bool { flags & 0x2000 != 0 }
  package var usesZIP64: Bool { zip64.range != nil }
  /// Whether WinZip's AES extra is there; see APPNOTE 4.6.
  package var usesAES: Bool { method == 99 }

  /// The bytes of the record that begins with `head`, which holds the fixed part.
  static func length(_ head: ArraySlice<UInt8>) -> Int {
    func field(_ offset: Int) -> Int {
      Int(head[head.startIndex + offset]) | Int(head[head.startIndex + offset + 1]) << 8
    }
    return fixedLength + field(28) + field(30) + field(32)
  }

  /// - Parameter bytes: exactly one record.
  /// - Throws: where its ZIP64 extra lacks what the header refers to.
  init(_ bytes: [UInt8]) throws(ZipFault) {
    self.bytes = bytes
    uncompressedSize = UInt64(bytes.uint32(at: 24))
    compressedSize = UInt64(bytes.uint32(at: 20))
    disk = UInt32(bytes.uint16(at: 34))
    offset = UInt64(bytes.uint32(at: 42))
    try readZIP64()
  }

  private mutating func readZIP64() throws(ZipFault) {
    let end = Self.fixedLength + nameLength + extraLength
    var at = Self.fixedLength + nameLength
    while at + 4 <= end {
      let next = at + 4 + Int(bytes.uint16(at: at + 2))
      // What no longer has the form of an extra is left alone. Some programs refuse it.
      if next > end {
        hasBrokenExtra = true
        return
      }
      if bytes.uint16(at: at) == 1, zip64.range == nil { try readZIP64(at..<next) }
      at = next
    }
  }

  private mutating func readZIP64(_ range: Range<Int>) throws(ZipFault) {
    var at = range.lowerBound + 4
    func take(_ length: Int) throws(ZipFault) -> Int {
      guard at + length <= range.upperBound else {
        throw .contradiction("the ZIP64 extra of '\(name)' is too short")
      }
      defer { at += length }
      return at
    }
    zip64.range = range
    if uncompressedSize == 0xFFFF_FFFF { uncompressedSize = bytes.uint64(at: try take(8)) }
    if compressedSize == 0xFFFF_FFFF { compressedSize = bytes.uint64(at: try take(8)) }
    zip64.behindSizes = at
    if offset == 0xFFFF_FFFF {
      zip64.offsetAt = try take(8)
      offset = bytes.uint64(at: at - 8)
    }
    zip64.behindFields = at
    if disk == 0xFFFF {
      zip64.diskAt = try take(4)
      disk = bytes.uint32(at: at - 4)
    }
  }
}

// MARK: - Rewriting

extension CentralRecord {
  /// The record for another form of the same zip.
  ///
  /// An offset in the ZIP64 extra stays there. One that needs it is put there, and so is a disk;
  /// a disk that no longer needs it is taken out.
  ///
  /// - Throws: where the extra fields would be longer than their length can tell.
  func relocated(disk: UInt32, offset: UInt64) throws(ZipFault) -> [UInt8] {
    var new = bytes
    var extra = zip64
    // From the back to the front, so that positions stay true.
    if disk >= 0xFFFF {
      Self.place(
        Array(littleEndian: disk),
        at: extra.diskAt,
        else: extra.behindFields,
        &new,
        &extra
      )
    } else if let diskAt = extra.diskAt {
      new.removeSubrange(diskAt..<(diskAt + 4))
      Self.grow(by: -4, &new, &extra)
    }
    new.put(UInt16(clamping: disk), at: 34)
    if extra.offsetAt != nil || offset >= 0xFFFF_FFFF {
      if extra.offsetAt == nil { new.put(max(new.uint16(at: 6), 45), at: 6) }
      Self.place(
        Array(littleEndian: offset),
        at: extra.offsetAt,
        else: extra.behindSizes,
        &new,
        &extra
      )
      new.put(UInt32.max, at: 42)
    } else {
      new.put(UInt32(offset), at: 42)
    }
    dropEmptyExtra(&new, extra)
    guard new.count - bytes.count + extraLength <= 0xFFFF else {
      throw .contradiction("the extra fields of '\(name)' have no room for its place")
    }
    return new
  }

  /// Puts a field of the ZIP64 extra in its place, or makes room for it.
  private static func place(
    _ field: [UInt8],
    at known: Int?,
    else place: Int,
    _ record: inout [UInt8],
    _ extra: inout ZIP64Extra
  ) {
    if let known {
      record.replaceSubrange(known..<(known + field.count), with: field)
      return
    }
    guard extra.range != nil else {
      // A new extra, ahead of all others.
      let start = fixedLength + Int(record.uint16(at: 28))
      let header = [1, 0] + [UInt8](littleEndian: UInt16(field.count))
      record.insert(contentsOf: header + field, at: start)
      extra.range = start..<(start + 4)
      (extra.behindSizes, extra.behindFields) = (start + 4, start + 4)
      addLength(4, &record)
      return grow(by: field.count, &record, &extra, changesField: false)
    }
    record.insert(contentsOf: field, at: place)
    grow(by: field.count, &record, &extra)
  }

  /// Enters that the ZIP64 extra has become longer.
  private static func grow(
    by count: Int,
    _ record: inout [UInt8],
    _ extra: inout ZIP64Extra,
    changesField: Bool = true
  ) {
    guard let range = extra.range else { return }
    if changesField {
      let length = Int(record.uint16(at: range.lowerBound + 2)) + count
      record.put(UInt16(truncatingIfNeeded: length), at: range.lowerBound + 2)
    }
    extra.range = range.lowerBound..<(range.upperBound + count)
    addLength(count, &record)
  }

  private static func addLength(_ count: Int, _ record: inout [UInt8]) {
    record.put(UInt16(truncatingIfNeeded: Int(record.uint16(at: 30)) + count), at: 30)
  }

  /// An extra that only the disk had made necessary goes with it.
  private func dropEmptyExtra(_ record: inout [UInt8], _ extra: ZIP64Extra) {
    guard let range = extra.range, zip64.diskAt != nil, range.count == 4 else { return }
    record.removeSubrange(range)
    Self.addLength(-4, &record)
  }
}
