/// Where the records of a split archive are, and whether that follows the rules of the format.
///
/// Numbers are read from the ZIP64 end record where there is one.
package struct ZipLayout: Sendable {
  /// Whatever breaks a rule, a short sentence each.
  package private(set) var problems: [String] = []
  private let parts: [[UInt8]]

  package init(_ parts: [[UInt8]]) {
    self.parts = parts
    guard let last = parts.last, let end = ZipDirectory.endRecord(in: last) else {
      problems = ["the last part has no end record"]
      return
    }
    let numbers = Self.numbers(parts, end)
    expect(numbers.disk == parts.count - 1, "this disk is \(numbers.disk)")
    expect(parts[0].starts(with: ZipMarker.spanned.bytes), "the marker is missing")
    checkDirectory(numbers)
  }

  private struct Numbers {
    var disk: Int
    var directoryDisk: Int
    var entriesHere: Int
    var entries: Int
    var offset: Int
  }

  private static func numbers(_ parts: [[UInt8]], _ end: Int) -> Numbers {
    let last = parts[parts.count - 1]
    if end >= 20, last.number(UInt32.self, at: end - 20) == 0x0706_4B50 {
      let disk = Int(last.number(UInt32.self, at: end - 16))
      let record = Int(last.number(UInt64.self, at: end - 12))
      return Numbers(
        disk: Int(parts[disk].number(UInt32.self, at: record + 16)),
        directoryDisk: Int(parts[disk].number(UInt32.self, at: record + 20)),
        entriesHere: Int(parts[disk].number(UInt64.self, at: record + 24)),
        entries: Int(parts[disk].number(UInt64.self, at: record + 32)),
        offset: Int(parts[disk].number(UInt64.self, at: record + 48))
      )
    }
    let shorts = [4, 6, 8, 10].map { Int(last.number(UInt16.self, at: end + $0)) }
    let offset = Int(last.number(UInt32.self, at: end + 16))
    return Numbers(
      disk: shorts[0],
      directoryDisk: shorts[1],
      entriesHere: shorts[2],
      entries: shorts[3],
      offset: offset
    )
  }

  private mutating func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { problems.append(problem()) }
  }

  // MARK: - The directory

  private mutating func checkDirectory(_ numbers: Numbers) {
    var (disk, offset, here) = (numbers.directoryDisk, numbers.offset, 0)
    for index in 0..<numbers.entries {
      guard disk < parts.count else { return problems.append("record \(index) is nowhere") }
      // A part whose rest is too short for a record is done with.
      if offset == parts[disk].count { (disk, offset) = (disk + 1, 0) }
      guard let count = check(record: index, disk, offset) else { return }
      if disk == parts.count - 1 { here += 1 }
      offset += count
    }
    expect(here == numbers.entriesHere, "\(here) records are here, not \(numbers.entriesHere)")
  }

  /// Returns the length of the record.
  private mutating func check(record index: Int, _ disk: Int, _ offset: Int) -> Int? {
    let part = disk < parts.count ? parts[disk] : []
    guard offset + 46 <= part.count, part.number(UInt32.self, at: offset) == 0x0201_4B50 else {
      problems.append("record \(index) is not at \(offset) of part \(disk), or is cut")
      return nil
    }
    let lengths = [28, 30, 32].map { Int(part.number(UInt16.self, at: offset + $0)) }
    let count = 46 + lengths.reduce(0, +)
    expect(offset + count <= part.count, "record \(index) is cut")
    let home = Int(part.number(UInt16.self, at: offset + 34))
    let header = part.number(UInt32.self, at: offset + 42)
    if home < 0xFFFF, header < .max {
      checkHeader(Array(part[(offset + 46)...].prefix(lengths[0])), home, Int(header))
    }
    return count
  }

  private mutating func checkHeader(_ name: [UInt8], _ disk: Int, _ offset: Int) {
    let part = disk < parts.count ? parts[disk] : []
    let text = String(decoding: name, as: UTF8.self)
    guard offset + 30 <= part.count, part.number(UInt32.self, at: offset) == 0x0403_4B50 else {
      return problems.append("the header of \(text) is not whole at \(offset) of part \(disk)")
    }
    let extra = Int(part.number(UInt16.self, at: offset + 28))
    expect(offset + 30 + name.count + extra <= part.count, "the header of \(text) is cut")
    let found = Array(part[(offset + 30)...].prefix(name.count))
    expect(found == name, "the header of \(text) is of \(String(decoding: found, as: UTF8.self))")
  }
}
