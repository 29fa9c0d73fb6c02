import Posix
import TestSupport
import Testing

/// Zips whose records lie: what other programs refuse, or what would lose entries, is refused.
@Suite(.aside) struct HostileZipTests {
  private static let end: [UInt8] = [0x50, 0x4B, 5, 6]

  /// Fields of the end record, by their offset in it, with what they are made to say.
  private static let lies: [(name: String, offset: Int, bytes: [UInt8])] = [
    ("no entries", 8, [0, 0, 0, 0]),
    ("no entries and no directory", 8, [0, 0, 0, 0, 0, 0, 0, 0]),
    ("more entries", 10, [99, 0]),
    ("no entries and a directory of ten bytes", 8, [0, 0, 0, 0, 10, 0, 0, 0]),
    ("no offset", 16, [0xFF, 0xFF, 0xFF, 0xFF]),
    ("an offset beyond the end", 16, [0, 0, 0, 0x10]),
    ("another disk", 4, [3, 0]),
  ]

  @Test(arguments: lies.indices, ["verify", "info", "split", "merge"])
  func anEndRecordThatLiesIsRefused(index: Int, command: String) throws {
    let lie = Self.lies[index]
    let directory = try TemporaryDirectory()
    var bytes = try ZipWriter(ZipWriterTests.entries).single()
    let place = try #require(bytes.lastOffset(of: Self.end))
    for (offset, byte) in lie.bytes.enumerated() { bytes[place + lie.offset + offset] = byte }
    try Files.write(bytes, to: directory.file("a.zip"))
    try Files.write(Array(bytes.prefix(1000)), to: directory.file("b.zip.001"))
    try Files.write(Array(bytes.dropFirst(1000)), to: directory.file("b.zip.002"))
    let before = try Contents(of: directory.path)
    let arguments: [String] =
      switch command {
      case "split": ["split", "--format=zip", "-b", "64K", "a.zip", "c"]
      case "merge": ["merge", "b.zip.001"]
      default: [command, "a.zip"]
      }
    let outcome = try Tool.cleave.run(arguments, workingDirectory: directory.path)
    #expect(outcome.exitCode == 65 || outcome.exitCode == 66, "\(lie.name): \(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(lie.name): \(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  /// Numbers of 64 bits that lead out of any file, where the directory lies right before its end.
  @Test(
    arguments: [UInt64.max, 1 << 63, (1 << 63) - 1, 1 << 62] as [UInt64],
    ["verify", "info", "cat"]
  )
  func anOffsetOfSixtyFourBitsIsRefused(offset: UInt64, command: String) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.zip64 = .endRecords
    var bytes = try writer.single()
    let place = try #require(bytes.lastOffset(of: [0x50, 0x4B, 6, 6]))
    for byte in 0..<8 { bytes[place + 48 + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte)) }
    let end = try #require(bytes.lastOffset(of: Self.end))
    for byte in 16..<20 { bytes[end + byte] = 0xFF }
    let directory = try TemporaryDirectory()
    try Files.write(bytes, to: directory.file("a.zip"))
    let outcome = try Tool.cleave.run([command, directory.file("a.zip")])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
  }

  /// The same in a split zip, where nothing else would miss the entries.
  @Test(arguments: [6, 8], [["verify"], ["merge"], ["merge", "-n"], ["cat"], ["info"]])
  func aSplitZipThatHasNoEntriesByItsEndRecordIsRefused(field: Int, command: [String]) throws {
    var parts = try ZipWriter(ZipWriterTests.entries).parts(of: 2000)
    let place = try #require(parts[parts.count - 1].lastOffset(of: Self.end))
    for offset in field..<20 { parts[parts.count - 1][place + offset] = 0 }
    let set = try ZipSet(parts)
    let before = try Contents(of: set.directory.path)
    let outcome = try Tool.cleave.run(command + [set.first], workingDirectory: set.directory.path)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip: is damaged: it has no entries"), "\(outcome)")
    #expect(try Contents(of: set.directory.path).changes(since: before) == [])
  }

  /// Merging would not know the marker of such parts again.
  @Test func aZipBehindSomethingElseIsNotSplit() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.prefix = Bytes.text(count: 90_000)
    let directory = try TemporaryDirectory()
    try Files.write(writer.single(), to: directory.file("a.zip"))
    let outcome = try Tool.cleave.run(
      ["split", "--format=zip", "-b", "64K", "a.zip", "b"],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try directory.names() == ["a.zip"])
  }

  /// Thousands of end records in a comment, each of which leads to the same large directory.
  @Test func manyEndRecordsTakeNoTime() throws {
    var writer = ZipWriter((0..<2000).map { ZipEntry("\($0)") })
    let plain = try writer.single()
    let place = try #require(plain.lastOffset(of: Self.end))
    let record = Array(plain[place..<(place + 20)])
    let count = 2900
    writer.comment = (1...count).flatMap { number -> [UInt8] in
      let left = (count - number) * 22
      return record + [UInt8(left & 0xFF), UInt8(left >> 8)]
    }
    let directory = try TemporaryDirectory()
    try Files.write(writer.single(), to: directory.file("a.zip"))
    let outcome = try Tool.cleave.run(["info", directory.file("a.zip")])
    #expect(!outcome.timedOut, "\(outcome)")
    #expect(outcome.signal == nil, "\(outcome)")
  }
}
