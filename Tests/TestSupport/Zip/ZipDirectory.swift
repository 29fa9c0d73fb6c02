/// What a zip in one file says of itself, read as the specification has it and in no other way.
package struct ZipDirectory: Sendable {
  package struct Record: Sendable {
    package var name: [UInt8]
    package var disk: Int
    /// Of the local header.
    package var offset: Int
  }

  package private(set) var records: [Record] = []
  /// Where the directory starts, and how long it is.
  package private(set) var offset = 0
  package private(set) var size = 0
  /// Whatever is not as it must be, a short sentence each.
  package private(set) var problems: [String] = []

  package init(_ bytes: [UInt8]) {
    guard let end = Self.endRecord(in: bytes) else {
      problems = ["there is no end record"]
      return
    }
    readEnd(bytes, at: end)
    guard problems.isEmpty else { return }
    readRecords(bytes)
    for record in records { check(record, in: bytes) }
  }

  /// Where the end record is whose comment ends with the file.
  package static func endRecord(in bytes: [UInt8]) -> Int? {
    let last = bytes.count - 22
    guard last >= 0 else { return nil }
    return stride(from: last, through: max(0, last - 0xFFFF), by: -1).first { offset in
      bytes.number(UInt32.self, at: offset) == 0x0605_4B50
        && offset + 22 + Int(bytes.number(UInt16.self, at: offset + 20)) == bytes.count
    }
  }

  // MARK: - The end

  private mutating func readEnd(_ bytes: [UInt8], at end: Int) {
    let disks = [4, 6].map { bytes.number(UInt16.self, at: end + $0) }
    if disks != [0, 0] { problems.append("the end record has disks \(disks)") }
    var counts = [8, 10].map { Int(bytes.number(UInt16.self, at: end + $0)) }
    size = Int(bytes.number(UInt32.self, at: end + 12))
    offset = Int(bytes.number(UInt32.self, at: end + 16))
    var border = end
    if end >= 20, bytes.number(UInt32.self, at: end - 20) == 0x0706_4B50 {
      border = readLargeEnd(bytes, locator: end - 20, counts: &counts)
    }
    if counts[0] != counts[1] { problems.append("the end record counts \(counts)") }
    if offset + size != border { problems.append("the directory does not end at the end record") }
    expectedCount = counts[1]
  }

  private var expectedCount = 0

  /// Returns where the record is.
  private mutating func readLargeEnd(_ bytes: [UInt8], locator: Int, counts: inout [Int]) -> Int {
    let disks = [4, 16].map { bytes.number(UInt32.self, at: locator + $0) }
    if disks != [0, 1] { problems.append("the locator has disk and disks \(disks)") }
    let record = Int(bytes.number(UInt64.self, at: locator + 8))
    guard record + 56 <= locator, bytes.number(UInt32.self, at: record) == 0x0606_4B50 else {
      problems.append("there is no ZIP64 end record at \(record)")
      return locator
    }
    if record + 12 + Int(bytes.number(UInt64.self, at: record + 4)) != locator {
      problems.append("the ZIP64 end record does not end at its locator")
    }
    let own = [16, 20].map { bytes.number(UInt32.self, at: record + $0) }
    if own != [0, 0] { problems.append("the ZIP64 end record has disks \(own)") }
    counts = [24, 32].map { Int(bytes.number(UInt64.self, at: record + $0)) }
    size = Int(bytes.number(UInt64.self, at: record + 40))
    offset = Int(bytes.number(UInt64.self, at: record + 48))
    return record
  }

  // MARK: - Records

  private mutating func readRecords(_ bytes: [UInt8]) {
    var position = offset
    while position + 46 <= offset + size, bytes.number(UInt32.self, at: position) == 0x0201_4B50 {
      let lengths = [28, 30, 32].map { Int(bytes.number(UInt16.self, at: position + $0)) }
      let start = position + 46
      let extra = Array(bytes[(start + lengths[0])..<(start + lengths[0] + lengths[1])])
      let record = Record(
        name: Array(bytes[start..<(start + lengths[0])]),
        disk: Int(bytes.number(UInt16.self, at: position + 34)),
        offset: Self.headerOffset(bytes, at: position, extra)
      )
      records.append(record)
      position = start + lengths.reduce(0, +)
    }
    if position != offset + size { problems.append("the directory does not parse at \(position)") }
    if records.count != expectedCount {
      problems.append("there are \(records.count) records and not \(expectedCount)")
    }
  }

  private static func headerOffset(_ bytes: [UInt8], at record: Int, _ extra: [UInt8]) -> Int {
    let short = bytes.number(UInt32.self, at: record + 42)
    guard short == .max else { return Int(short) }
    // Before it come the sizes that the record leaves out.
    let sizes = [24, 20].filter { bytes.number(UInt32.self, at: record + $0) == .max }.count
    var position = 0
    while position + 4 <= extra.count {
      let end = position + 4 + Int(extra.number(UInt16.self, at: position + 2))
      let field = position + 4 + sizes * 8
      if extra.number(UInt16.self, at: position) == 1, field + 8 <= end {
        return Int(extra.number(UInt64.self, at: field))
      }
      position = end
    }
    return Int(short)
  }

  private mutating func check(_ record: Record, in bytes: [UInt8]) {
    let name = String(decoding: record.name, as: UTF8.self)
    if record.disk != 0 { problems.append("\(name) is on disk \(record.disk)") }
    let start = record.offset
    let end = start + 30 + record.name.count
    guard end <= offset, bytes.number(UInt32.self, at: start) == 0x0403_4B50,
      bytes[(start + 30)..<end].elementsEqual(record.name)
    else { return problems.append("there is no local header of \(name) at \(start)") }
  }
}
