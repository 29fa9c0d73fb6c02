import Posix
import TestSupport
import Testing

/// A part of a split zip that has bytes too many, or too few, is the one that is named.
@Suite(.aside) struct PartSizeTests {
  private static let writer = ZipWriter(
    [40_000, 70_000, 9000, 200_000, 30_000, 65_000, 80_000].enumerated().map { index, count in
      ZipEntry(
        "entry \(index)",
        Bytes.pattern(count: count, seed: UInt64(index)),
        method: .stored,
        descriptor: [.none, .signed, .plain][index % 3]
      )
    }
  )

  private static let lastNumber = 7

  /// By how many bytes a part is changed: some as long as a data descriptor.
  @Test(arguments: 0..<lastNumber, [36, 16, -10, -12, -16, -24])
  func thePartIsNamedWithTheSizeItShouldHave(part: Int, excess: Int) throws {
    let set = try ZipSet(Self.writer.parts(of: 65_536))
    try #require(set.parts.count == Self.lastNumber + 1)
    let size = try Files.read(set.parts[part]).count
    if excess > 0 {
      try set.lengthen(part, by: excess)
    } else {
      try set.shorten(part, by: -excess)
    }
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    let name = set.parts[part].lastComponent
    let amount = "\(abs(excess)) bytes too \(excess > 0 ? "long" : "short")"
    #expect(
      set.lines(outcome)
        == "cleave: \(name): is \(amount): it has \(size + excess), and should have \(size)\n"
    )
  }

  /// Bytes that the part got somewhere else than at its end.
  @Test(arguments: 0..<lastNumber) func aPartWithBytesInItsMiddleIsNamed(part: Int) throws {
    let set = try ZipSet(Self.writer.parts(of: 65_536))
    let bytes = try Files.read(set.parts[part])
    let half = bytes.count / 2
    try Files.write(bytes[..<half] + Bytes.pattern(count: 36) + bytes[half...], to: set.parts[part])
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    let line = set.lines(outcome)
    #expect(
      line.hasPrefix("cleave: \(set.parts[part].lastComponent): is 36 bytes too long"),
      "\(line)"
    )
  }

  @Test(arguments: [36, -36]) func theLastPartIsNamedWhereItsFrontIsWrong(excess: Int) throws {
    let set = try ZipSet(Self.writer.parts(of: 65_536))
    let bytes = try Files.read(set.last)
    let changed =
      excess > 0 ? Bytes.pattern(count: excess) + bytes : Array(bytes.dropFirst(-excess))
    try Files.write(changed, to: set.last)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(set.lines(outcome).hasPrefix("cleave: a.zip: is 36 bytes too "), "\(outcome)")
  }

  /// As if a part were miscut; of entries that end in another part than they begin in.
  @Test(arguments: [1, 3, 4, 5, 6], [0, 6, 15, 28])
  func aSizeInTheDirectoryIsNotAPartsFault(entry: Int, bit: Int) throws {
    var whole = try Self.writer.parts(of: 65_536)
    let last = whole.count - 1
    let record = try #require(whole[last].lastOffset(of: [0x50, 0x4B, 1, 2]))
    let length = 46 + "entry 0".utf8.count
    let place = record - (6 - entry) * length + 20 + bit / 8
    whole[last][place] ^= 1 << (bit % 8)
    let set = try ZipSet(whole)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    let line = set.lines(outcome)
    #expect(line.hasPrefix("cleave: a.zip: its directory contradicts a.z0"), "\(line)")
    #expect(line.hasSuffix(" by the directory; one of them is damaged\n"), "\(line)")
  }

  /// Where every part has another size, the others do not tell which one is too long or too short.
  @Test(arguments: [-8, 8]) func ofPartsOfAllSizesNoneIsBlamedAlone(excess: Int) throws {
    let writer = ZipWriter([ZipEntry("a", Bytes.pattern(count: 9000), method: .stored)])
    let bytes = try writer.parts(of: 10_000)[0]
    var cut: [[UInt8]] = []
    for range in [0..<2000, 2000..<4500, 4500..<8000, 8000..<bytes.count] {
      cut.append(Array(bytes[range]))
    }
    // The disks of the directory and of the last part; offsets count from its start.
    let end = cut[3].count - 22
    (cut[3][end + 4], cut[3][end + 6]) = (3, 3)
    let offset = end - 47
    for byte in 0..<4 { cut[3][end + 16 + byte] = UInt8(offset >> (8 * byte) & 0xFF) }
    let sound = try ZipSet(cut)
    #expect(try mergeZip(sound.first, to: sound.directory.file("out")).exitCode == 0)
    if excess < 0 {
      cut[1].removeLast(-excess)
    } else {
      cut[1] += [UInt8](repeating: 7, count: excess)
    }
    let set = try ZipSet(cut)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    let (what, amount) = excess < 0 ? ("short", "missing") : ("long", "too many")
    #expect(
      set.lines(outcome)
        == "cleave: a.z01: is too \(what), or a part behind it is: 8 bytes are \(amount) between "
        + "its start and the start of a.zip, or the directory in a.zip is damaged\n"
    )
  }

  // MARK: - One part

  @Test(arguments: [ZipMarker.spanned, .temporary])
  func aSplitZipOfOnePartBecomesAZip(marker: ZipMarker) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.marker = marker
    let set = try ZipSet(writer.parts(of: 100_000))
    try #require(set.parts.count == 1)
    #expect(try mergeEveryWay(set.parts) == writer.single())
    let kept = set.directory.file("kept")
    #expect(try mergeZip(set.first, to: kept, ["--keep-marker"]).exitCode == 0)
    #expect(try Files.read(kept) == Files.read(set.first))
    #expect(try Tool.cleave.run(["verify", set.first]).exitCode == 0)
  }

  /// It is something in front of a zip, like a program.
  @Test(arguments: [ZipMarker.spanned, .temporary])
  func aMarkerThatNoOffsetCountsMakesNoPart(marker: ZipMarker) throws {
    let directory = try TemporaryDirectory()
    let whole = try ZipWriter(ZipWriterTests.entries).single()
    try Files.write(marker.bytes + whole, to: directory.file("a.zip"))
    let info = try JSON(Tool.cleave.run(["info", "--json", directory.file("a.zip")]))
    #expect(info.text("kind") == "zip" && info.text("problem") == nil)
    #expect(info.member("zip")?.number("bytesInFront") == 4)
    let merged = try Tool.cleave.run(["merge", directory.file("a.zip")])
    #expect(merged.exitCode == 65, "\(merged)")
    #expect(merged.errorText.contains("a.zip: is a whole zip, not split"), "\(merged)")
  }

  // MARK: - Bytes between entries

  /// In one part they stay; in several they would look like a part that is too long.
  @Test(arguments: [(30_000, true), (100_000, false)])
  func aZipWithUnusedBytesIsSplitWhereMergingMakesItAgain(row: (count: Int, maySplit: Bool)) throws
  {
    var writer = ZipWriter([
      ZipEntry("first", Bytes.pattern(count: row.count), method: .stored),
      ZipEntry("second", Bytes.pattern(count: 100_000), method: .stored),
    ])
    writer.entries[1].gap = Bytes.text(count: 100)
    let directory = try TemporaryDirectory()
    try Files.write(writer.single(), to: directory.file("w.zip"))
    let split = try Tool.cleave.run(
      ["split", "--format=zip", "-b", "64K", "w.zip", "a"],
      workingDirectory: directory.path
    )
    #expect(split.exitCode == (row.maySplit ? 0 : 65), "\(split)")
    guard row.maySplit else {
      #expect(split.errorText.contains("100 bytes in it belong to no entry"), "\(split)")
      return
    }
    let output = directory.file("out")
    #expect(try mergeZip(directory.file("a.z01"), to: output).exitCode == 0)
    #expect(try Files.read(output) == writer.single())
  }
}
