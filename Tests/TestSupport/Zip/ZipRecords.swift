/// The records of one entry.
struct ZipRecords {
  let entry: ZipEntry
  let packed: [UInt8]
  let zip64: Zip64Use

  private static let dosDate: UInt16 = 40 << 9 | 1 << 5 | 1
  private static let allOnes = UInt32.max

  private var isLarge: Bool { zip64 == .everything || zip64 == .everythingAndDisks }

  // MARK: - Before and behind the data

  /// - Parameter isForgetful: whether checksum and sizes are left at zero, as they are where a
  ///   descriptor follows.
  func localHeader(isForgetful: Bool) -> [UInt8] {
    let isKnown = entry.descriptor == .none && !isForgetful
    var extra = entry.localExtra
    if isLarge { extra = largeSizes(isKnown: isKnown) + extra }
    let name = entry.localName ?? entry.name
    var header = [UInt8](zipSignature: 3, 4)
    putCommonFields(to: &header, isKnown: isKnown, name: name, extraCount: extra.count)
    return header + name + extra
  }

  var descriptor: [UInt8] {
    if entry.descriptor == .none { return [] }
    var record = entry.descriptor == .signed ? [UInt8](zipSignature: 7, 8) : []
    record.put(checksum)
    if isLarge {
      record.put(UInt64(packed.count))
      record.put(UInt64(entry.contents.count))
    } else {
      record.put(UInt32(packed.count))
      record.put(UInt32(entry.contents.count))
    }
    return record
  }

  // MARK: - The directory

  func centralRecord(_ position: ZipVolumes.Position) -> [UInt8] {
    var extra = entry.centralExtra
    if isLarge { extra = largeFields(position) + extra }
    var record = [UInt8](zipSignature: 1, 2)
    // Made by version 3.0 on a Unix system, which the attributes are for.
    record.put(UInt16(3 << 8 | 30))
    putCommonFields(to: &record, isKnown: true, name: entry.name, extraCount: extra.count)
    record.put(UInt16(entry.comment.count))
    record.put(zip64 == .everythingAndDisks ? UInt16.max : UInt16(position.disk))
    record.put(UInt16(0))
    record.put(UInt32(entry.isDirectory ? 0o40755 << 16 | 0x10 : 0o100644 << 16))
    record.put(isLarge ? Self.allOnes : UInt32(position.offset))
    return record + entry.name + extra + entry.comment
  }

  private func largeFields(_ position: ZipVolumes.Position) -> [UInt8] {
    var field = largeSizes(isKnown: true)
    let hasDisk = zip64 == .everythingAndDisks
    field.put(UInt64(position.offset))
    if hasDisk { field.put(UInt32(position.disk)) }
    // The count of bytes behind the two numbers.
    field[2] = UInt8(field.count - 4)
    return field
  }

  // MARK: - In both

  private var checksum: UInt32 { entry.wrongChecksum ?? ZipCoding.checksum(entry.contents) }

  private func largeSizes(isKnown: Bool) -> [UInt8] {
    var field: [UInt8] = []
    field.put(UInt64(isKnown ? entry.contents.count : 0))
    field.put(UInt64(isKnown ? packed.count : 0))
    return ZipEntry.extra(0x0001, field)
  }

  /// From the version that is needed to the length of the extra field.
  private func putCommonFields(
    to record: inout [UInt8],
    isKnown: Bool,
    name: [UInt8],
    extraCount: Int
  ) {
    record.put(UInt16(isLarge ? 45 : 20))
    record.put(entry.allFlags)
    record.put(entry.method.rawValue)
    record.put(UInt16(0))
    record.put(Self.dosDate)
    record.put(isKnown ? checksum : 0)
    for size in [packed.count, entry.contents.count] {
      record.put(isLarge ? Self.allOnes : UInt32(isKnown ? size : 0))
    }
    record.put(UInt16(name.count))
    record.put(UInt16(extraCount))
  }
}
