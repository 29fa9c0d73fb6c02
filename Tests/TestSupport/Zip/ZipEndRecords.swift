/// The records behind the directory.
struct ZipEndRecords {
  var thisDisk = 0
  var directoryDisk = 0
  var entriesHere = 0
  var entries = 0
  var directorySize = 0
  var directoryOffset = 0
  /// Where the ZIP64 record is.
  var largeRecord = ZipVolumes.Position(disk: 0, offset: 0)
  var zip64 = Zip64Use.none
  var zip64Extension: [UInt8] = []
  var comment: [UInt8] = []
  /// Whether to write all ones for the directory's offset, whatever it is.
  var hidesOffset = false
  /// Whether there is more than one part: only then can a disk number be escaped.
  var isSplit = false
  private var version: UInt16 = 45

  var bytes: [UInt8] {
    (zip64 == .none ? [] : largeEndRecord + locator) + endRecord + comment
  }

  /// Says with version 2 of the ZIP64 end record (APPNOTE 7.3.4) that the directory is encrypted.
  mutating func useEncryption() {
    zip64 = .endRecords
    version = 62
    zip64Extension = []
    // Neither compressed nor of another size than it was.
    zip64Extension.put(UInt16(0))
    zip64Extension.put(UInt64(directorySize))
    zip64Extension.put(UInt64(directorySize))
    // AES with 256 bits and a password, and no hash.
    for field: UInt16 in [0x6610, 256, 1, 0, 0] { zip64Extension.put(field) }
  }

  private var largeEndRecord: [UInt8] {
    var record = [UInt8](zipSignature: 6, 6)
    record.put(UInt64(44 + zip64Extension.count))
    record.put(version)
    record.put(version)
    record.put(UInt32(thisDisk))
    record.put(UInt32(directoryDisk))
    for number in [entriesHere, entries, directorySize, directoryOffset] {
      record.put(UInt64(number))
    }
    return record + zip64Extension
  }

  private var locator: [UInt8] {
    var record = [UInt8](zipSignature: 6, 7)
    record.put(UInt32(largeRecord.disk))
    record.put(UInt64(largeRecord.offset))
    record.put(UInt32(thisDisk + 1))
    return record
  }

  private var endRecord: [UInt8] {
    let isEscaped = zip64 == .everything || zip64 == .everythingAndDisks
    let hidesDisks = zip64 == .everythingAndDisks && isSplit
    var record = [UInt8](zipSignature: 5, 6)
    for disk in [thisDisk, directoryDisk] { record.put(hidesDisks ? UInt16.max : UInt16(disk)) }
    for count in [entriesHere, entries] { record.put(isEscaped ? UInt16.max : UInt16(count)) }
    record.put(isEscaped ? UInt32.max : UInt32(directorySize))
    record.put(isEscaped || hidesOffset ? UInt32.max : UInt32(directoryOffset))
    record.put(UInt16(comment.count))
    return record
  }
}
