import Posix
import TestSupport
import Testing

/// What is wrong with a set of parts is said in one line, and nothing is written.
@Suite(.aside) struct BrokenZipSetTests {
  private static let missing: [BrokenZipSet] = [
    row("the first part is missing", from: "a.z02", 66, ["a.z01"]) { try $0.remove(0) },
    row("a part is missing", from: "a.z01", 66, ["a.z02"]) { try $0.remove(1) },
    row("a part is missing, of the last", from: "a.zip", 66, ["a.z05"]) { try $0.remove(4) },
    row("the part before the last is missing", from: "a.z01", 66, ["a.z07"]) { try $0.remove(6) },
    row("several are missing", from: "a.zip", 66, ["a.z02", "a.z04", "a.z05"]) { set in
      for part in [1, 3, 4] { try set.remove(part) }
    },
    row("all but the last are missing", from: "a.zip", 66, ["a.z01", "a.z07"]) { set in
      for part in 0..<7 { try set.remove(part) }
    },
    row("the last part is missing", from: "a.z01", 66, ["a.zip"]) { try $0.remove(7) },
    row("the last raw part is missing", .raw, from: "a.zip.001", 66, ["a.zip.008"]) {
      try $0.remove(7)
    },
    row("a raw part is missing", .raw, from: "a.zip.001", 66, ["a.zip.003"]) { try $0.remove(2) },
  ]

  private static let wrong: [BrokenZipSet] = [
    row("two parts are swapped", from: "a.z01", 65, ["a.z0"]) { try $0.swap(1, 2) },
    row("the first and the last are swapped", from: "a.z01", 65, ["a.zip"]) { try $0.swap(0, 7) },
    row("two raw parts are swapped", .raw, from: "a.zip.001", 65, ["a.zip.00"]) {
      try $0.swap(1, 2)
    },
    row("a part is of another archive", from: "a.z01", 65, ["a.z02"]) {
      try $0.replace(1, from: BrokenZipSet.writer(seed: 50, suffix: "!"))
    },
    row("the last part is of another archive", from: "a.z01", 65, []) {
      try $0.replace(7, from: BrokenZipSet.writer(seed: 50, suffix: "!"))
    },
    row("a raw part is of another archive", .raw, from: "a.zip.001", 65, ["a.zip.002"]) {
      try $0.replace(1, from: BrokenZipSet.writer(seed: 50, suffix: "!"), .raw)
    },
  ]

  private static let damaged: [BrokenZipSet] = [
    row("a part is short", from: "a.z01", 65, ["a.z02: is 10 bytes too short", "should have 1500"])
    {
      try $0.shorten(1, by: 10)
    },
    row("a part of data is short", from: "a.z01", 65, ["a.z04: is 10 bytes too short"]) {
      try $0.shorten(3, by: 10)
    },
    row("a part of data is long", from: "a.z01", 65, ["a.z04: is 36 bytes too long"]) {
      try $0.lengthen(3, by: 36)
    },
    row("a part is long where an entry ends", from: "a.z01", 65, ["a.z07: is 36 bytes too long"]) {
      try $0.lengthen(6, by: 36)
    },
    row("a part is empty", from: "a.zip", 65, ["a.z05: is empty, and should have 1500 bytes"]) {
      try $0.shorten(4, by: 1500)
    },
    row("a part in which an entry begins is empty", from: "a.zip", 65, ["a.z02: is empty"]) {
      try $0.shorten(1, by: 1500)
    },
    row("the end record is cut", from: "a.z01", 65, ["a.zip"]) { try $0.shorten(7, by: 5) },
    row("there is no end record", from: "a.z01", 65, ["a.zip"]) { try $0.shorten(7, by: 22) },
    row(
      "a raw part is short",
      .raw,
      from: "a.zip.001",
      65,
      [
        "a.zip.004: is 10 bytes too short: it has 1490, and should have 1500", "--format=raw",
      ]
    ) { try $0.shorten(3, by: 10) },
    row("a raw part is long", .raw, from: "a.zip.001", 65, ["a.zip.002: is 36 bytes too long"]) {
      try $0.lengthen(1, by: 36)
    },
    row("a raw part is empty", .raw, from: "a.zip.001", 65, ["a.zip.002: is empty", "1500"]) {
      try $0.shorten(1, by: 1500)
    },
    row("the last raw part is cut", .raw, from: "a.zip.001", 65, ["a.zip.008"]) {
      try $0.shorten(7, by: 5)
    },
    row("a record of the directory is damaged", from: "a.z01", 65, []) { set in
      let bytes = try Files.read(set.last)
      let record = try #require(bytes.lastOffset(of: [0x50, 0x4B, 1, 2]))
      try Files.flipByte(at: record, of: set.last)
    },
    row("a local header is damaged", from: "a.z01", 65, ["a.z02"]) { set in
      let header = try #require(Files.read(set.parts[1]).lastOffset(of: [0x50, 0x4B, 3, 4]))
      try Files.flipByte(at: header, of: set.parts[1])
    },
    row("the directory is encrypted", from: "a.z01", 65, ["encrypted"]) { set in
      var writer = BrokenZipSet.writer()
      writer.quirks = .encryptsDirectory
      let other = try BrokenZipSet.sound(.lower, writer: writer)
      for (from, to) in zip(other.parts, set.parts) { try Files.copy(from, to: to) }
    },
  ]

  private static let notSplit: [BrokenZipSet] = [
    row("a whole zip has a part's name", from: "a.z01", 65, ["not split"]) {
      try $0.replaceAll(with: ["a.z01": BrokenZipSet.writer().single()])
    },
    row("a whole zip is all there is", from: "a.zip", 65, ["not split"]) {
      try $0.replaceAll(with: ["a.zip": BrokenZipSet.writer().single()])
    },
    row("the last part was cut again", from: "a.zip.001", 65, ["split"]) { set in
      let bytes = try Files.read(set.last)
      let half = bytes.count / 2
      let halves = [Array(bytes[..<half]), Array(bytes[half...])]
      try set.replaceAll(with: ["a.zip.001": halves[0], "a.zip.002": halves[1]])
    },
    row("volumes of RAR", from: "a.part1.rar", 65, ["unrar"]) {
      try $0.replaceAll(with: ["a.part1.rar": rar, "a.part2.rar": rar])
    },
    row("the first of old volumes of RAR", from: "a.rar", 65, ["unrar"]) {
      try $0.replaceAll(with: ["a.rar": rar, "a.r00": rar])
    },
    row("old volumes of RAR", from: "a.r00", 65, ["unrar"]) {
      try $0.replaceAll(with: ["a.rar": rar, "a.r00": rar])
    },
  ]

  private static let rar = Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8) + Bytes.pattern(count: 300)

  private static func row(
    _ fault: String,
    _ names: ZipSetNames = .lower,
    from start: FilePath,
    _ code: CInt,
    _ says: [String],
    _ change: @escaping @Sendable (ZipSet) throws -> Void
  ) -> BrokenZipSet {
    BrokenZipSet(fault, names, from: start, code, says, change)
  }

  // MARK: - Saying it

  @Test(arguments: missing + wrong + damaged + notSplit, ["auto", "zerocopy"])
  func aBrokenSetIsRefused(row: BrokenZipSet, engine: String) throws {
    let set = try row.set()
    let before = try Contents(of: set.directory.path)
    let outcome = try mergeZip(
      set.directory.file(row.start),
      to: set.directory.file("out"),
      engine: engine
    )
    #expect(outcome.exitCode == row.code, "\(outcome)")
    let line = set.lines(outcome)
    #expect(line.hasPrefix("cleave: ") && line.split(separator: "\n").count == 1, "\(line)")
    for words in row.says { #expect(line.contains(words), "\(line)") }
    #expect(outcome.outputText == "")
    #expect(try Contents(of: set.directory.path).changes(since: before) == [])
  }

  /// The rows are about parts that are as the comment at ``BrokenZipSet/writer(seed:suffix:)`` says.
  @Test(arguments: [ZipSetNames.lower, .raw]) func theSoundSetMerges(names: ZipSetNames) throws {
    let set = try BrokenZipSet.sound(names)
    #expect(set.parts.count == 8)
    let header: [UInt8] = [0x50, 0x4B, 3, 4]
    let holders = try set.parts.indices.filter {
      try Files.read(set.parts[$0]).lastOffset(of: header) != nil
    }
    #expect(holders == [0, 1, 2, 5, 6])
    let merged = try mergeEveryWay(set.parts)
    #expect(try Bytes.difference(merged, BrokenZipSet.writer().single()) == nil)
  }
}
