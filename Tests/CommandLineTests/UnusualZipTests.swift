import Posix
import TestSupport
import Testing

/// Zips that are not as the specification wants them, and that other programs read all the same: they
/// merge byte for byte, and what is unusual is told.
@Suite(.aside) struct UnusualZipTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// What verify and info say of it.
    var note: String
    /// The programs that read the zip in one file without a warning.
    var readers: Set<ZipTool>
    /// What merging warns of, besides.
    var untested = ""
    /// The same of the zip cut in three, where the second cut is in such a header.
    var unprovedInPieces = ""
    /// Whether a split zip can be like that.
    var maySplit = true
    var change: @Sendable (inout ZipWriter) -> Void = { _ in }
    /// Made to the whole.
    var damage: @Sendable (inout [UInt8]) throws -> Void = { _ in }

    var testDescription: String { name }
    /// What merging tells of.
    var told: [String] { [note, untested].filter { !$0.isEmpty } }

    func writer() -> ZipWriter {
      var writer = ZipWriter(ZipWriterTests.entries)
      change(&writer)
      return writer
    }

    func whole() throws -> [UInt8] {
      var bytes = try writer().single()
      try damage(&bytes)
      return bytes
    }
  }

  private static let all = Set(ZipTool.allCases)
  /// 7-Zip warns of bytes behind the end, and unpacks all the same.
  private static let notWarning = all.subtracting([.sevenZip])

  static let rows: [Row] = names + descriptors + gaps + behind + records

  private static let names: [Row] = [
    Row(
      name: "another case",
      note: "1 entry of another name",
      readers: [.bsdtar],
      untested: "1 entry of another name"
    ) {
      $0.entries[0].localName = Array("TEXT".utf8)
    },
    Row(
      name: "one bit of a name",
      note: "1 entry of another name",
      readers: [],
      untested: "1 entry of another name"
    ) {
      $0.entries[0].localName = [0xF4] + Array("ext".utf8)
    },
    named("another folder", "elsewhere/text", [.bsdtar]),
    named("no name", "", []),
    Row(name: "other slashes", note: "1 entry is named differently", readers: [.sevenZip, .bsdtar])
    {
      $0.entries[2].localName = Array("directory\\noise".utf8)
    },
    Row(name: "other slashes of a folder", note: "1 entry is named differently", readers: [.bsdtar])
    {
      $0.entries[1].localName = Array("directory\\".utf8)
    },
    Row(
      name: "another encoding, said to be UTF-8",
      note: "1 entry of another name",
      readers: [],
      untested: "1 entry of another name",
      unprovedInPieces: "an entry of two names with a header in several parts"
    ) {
      $0.entries[6].localName = [0x81, 0x6D, 0x6C, 0x84, 0x75, 0x74]
    },
    Row(
      name: "another name and a descriptor",
      note: "1 entry is named differently",
      readers: [.bsdtar],
      untested: "1 entry of another name"
    ) {
      $0.entries[4].localName = Array("?".utf8)
      $0.entries[5].localName = Array("unlike the other one".utf8)
    },
  ]

  private static func named(_ what: String, _ name: String, _ readers: Set<ZipTool>) -> Row {
    Row(name: what, note: "1 entry is named differently", readers: readers) {
      $0.entries[0].localName = Array(name.utf8)
    }
  }

  private static let descriptors: [Row] = [
    Row(name: "descriptors of all kinds", note: "", readers: all) { writer in
      for index in [0, 2, 6] {
        writer.entries[index].descriptor = index == 2 ? .plain : .signed
      }
    },
    Row(name: "the same with ZIP64", note: "", readers: all) { writer in
      writer.zip64 = .everything
      for index in [0, 2, 6] {
        writer.entries[index].descriptor = index == 2 ? .plain : .signed
      }
    },
  ]

  private static let gaps: [Row] = [
    Row(
      name: "zeros between entries",
      note: "36 bytes in",
      readers: all,
      untested: "has 36 bytes that belong to no entry: not compared",
      maySplit: false
    ) {
      $0.entries[2].gap = [UInt8](repeating: 0, count: 36)
    },
    Row(
      name: "bytes in two places",
      note: "1036 bytes in 2 places",
      readers: all,
      untested: "has 1036 bytes that belong to no entry: not compared",
      maySplit: false
    ) {
      $0.entries[2].gap = Bytes.pattern(count: 1000)
      $0.entries[3].gap = Bytes.pattern(count: 36)
    },
    Row(name: "zeros in front of all", note: "64 bytes in front", readers: all, maySplit: false) {
      $0.entries[0].gap = [UInt8](repeating: 0, count: 64)
    },
    Row(name: "a program in front", note: "5010 bytes in front", readers: all, maySplit: false) {
      $0.prefix = Array("#!/bin/sh\n".utf8) + Bytes.text(count: 5000)
    },
  ]

  private static let behind: [Row] = [
    tail("a line feed", "1 byte behind", [0x0A]),
    tail("another file", "100 bytes behind", Bytes.pattern(count: 100)),
    tail("as much as is looked through", "65000 bytes behind", Bytes.pattern(count: 65_000)),
    tail("the zeros of a block", "512 bytes behind", [UInt8](repeating: 0, count: 512)),
    tail(
      "more zeros than most look through",
      "70000 bytes behind",
      [UInt8](repeating: 0, count: 70_000),
      [.bsdtar]
    ),
    Row(name: "bytes behind a comment", note: "9 bytes behind", readers: notWarning) {
      $0.comment = Bytes.text(count: 50)
    } damage: {
      $0 += Bytes.pattern(count: 9)
    },
  ]

  private static func tail(
    _ what: String,
    _ note: String,
    _ bytes: [UInt8],
    _ readers: Set<ZipTool> = notWarning
  ) -> Row {
    Row(name: what, note: note, readers: readers, damage: { $0 += bytes })
  }

  private static let records: [Row] = [
    Row(
      name: "no entries on the disk",
      note: "tells of 0 entries on its disk, and 7 in all",
      readers: [.unzip, .python, .bsdtar],
      maySplit: false,
      damage: { try $0.set([0, 0], at: 8, of: [0x50, 0x4B, 5, 6]) }
    ),
    Row(
      name: "no entries on the disk beside ZIP64",
      note: "tells of 0 entries on its disk, and 7 in all",
      readers: [.python, .bsdtar],
      maySplit: false,
      change: { $0.zip64 = .endRecords },
      damage: { try $0.set([0, 0], at: 8, of: [0x50, 0x4B, 5, 6]) }
    ),
    disk(
      "the directory's disk",
      at: 6,
      of: [0x50, 0x4B, 5, 6],
      .none,
      [.unzip, .python, .bsdtar]
    ),
    disk("the directory's disk in ZIP64", at: 20, of: [0x50, 0x4B, 6, 6], .endRecords, []),
    disk("the disk beside ZIP64", at: 4, of: [0x50, 0x4B, 5, 6], .endRecords, []),
    disk("the directory's disk beside ZIP64", at: 6, of: [0x50, 0x4B, 5, 6], .endRecords, []),
    locator("the locator's disk", [1], at: 4, []),
    locator("the locator's number of disks", [2], at: 16, []),
    // Newer versions of Python refuse it.
    locator("the locator's offset", [77, 0], at: 8, []),
    Row(
      name: "no number of disks in the locator",
      note: "",
      readers: [.sevenZip, .python],
      maySplit: false,
      change: { $0.zip64 = .endRecords },
      damage: { try $0.set([0], at: 16, of: [0x50, 0x4B, 6, 7]) }
    ),
  ]

  private static func disk(
    _ what: String,
    at offset: Int,
    of record: [UInt8],
    _ zip64: Zip64Use,
    _ readers: Set<ZipTool>
  ) -> Row {
    Row(
      name: what,
      note: "an end record names another disk than the first, and there is only one",
      readers: readers,
      maySplit: false,
      change: { $0.zip64 = zip64 },
      damage: { try $0.set([1], at: offset, of: record) }
    )
  }

  private static func locator(
    _ what: String,
    _ bytes: [UInt8],
    at offset: Int,
    _ readers: Set<ZipTool>
  ) -> Row {
    Row(
      name: what,
      note: "the ZIP64 locator does not say where the ZIP64 end record is",
      readers: readers,
      maySplit: false,
      change: { $0.zip64 = .endRecords },
      damage: { try $0.set(bytes, at: offset, of: [0x50, 0x4B, 6, 7]) }
    )
  }

  // MARK: - What is done with them

  /// The column of readers is what was measured.
  @Test(arguments: rows) func otherProgramsReadIt(row: Row) throws {
    let directory = try TemporaryDirectory()
    try Files.write(row.whole(), to: directory.file("a.zip"))
    let complaints = try ZipTool.allCases.filter(row.readers.contains).compactMap {
      try $0.complaint(about: directory.file("a.zip"))
    }
    #expect(complaints == [])
  }

  @Test(arguments: rows) func itIsVerifiedAndTheNoteIsTold(row: Row) throws {
    let directory = try TemporaryDirectory()
    try Files.write(row.whole(), to: directory.file("a.zip"))
    for command in ["verify", "info"] {
      let outcome = try Tool.cleave.run([command, directory.file("a.zip")])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.errorText == "", "\(outcome)")
      let words = command == "info" ? ["note"] : ["OK (", "OK in part ("]
      let tells = words.contains(where: outcome.outputText.contains)
      #expect(tells == !row.note.isEmpty, "\(outcome)")
      #expect(row.note.isEmpty || outcome.outputText.contains(row.note), "\(outcome)")
    }
  }

  @Test(arguments: rows) func cutInThreeItMergesByteForByte(row: Row) throws {
    let whole = try row.whole()
    let set = try ZipSet(whole.cut(to: whole.count / 3 + 1), names: .raw)
    let told = row.told + (row.unprovedInPieces.isEmpty ? [] : [row.unprovedInPieces])
    let merged = try mergeEveryWay(set.parts, engines: ["auto"], telling: told)
    #expect(Bytes.difference(merged, whole) == nil)
    let verify = try Tool.cleave.run(["verify", set.first])
    #expect(verify.exitCode == 0, "\(verify)")
    #expect(row.note.isEmpty || verify.outputText.contains(row.note), "\(verify)")
  }

  @Test(arguments: rows.filter(\.maySplit)) func splitItMergesIntoTheSameBytes(row: Row) throws {
    var parts = try row.writer().parts(of: 1500)
    try row.damage(&parts[parts.count - 1])
    let set = try ZipSet(parts)
    let merged = try mergeEveryWay(set.parts, engines: ["auto"], telling: row.told)
    #expect(try Bytes.difference(merged, row.whole()) == nil)
    let verify = try Tool.cleave.run(["verify", set.first])
    #expect(verify.exitCode == 0, "\(verify)")
    #expect(row.note.isEmpty || verify.outputText.contains(row.note), "\(verify)")
  }

  // MARK: - What only looks like that

  /// An entry of another name must agree in everything else.
  @Test(arguments: [14, 18, 22, 8]) func anotherHeaderIsNotTaken(field: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.entries[2].localName = Array("directory/other".utf8)
    var bytes = try writer.single()
    let name = try #require(bytes.lastOffset(of: Array("directory/other".utf8)))
    bytes[name - 30 + field] ^= 1
    let directory = try TemporaryDirectory()
    try Files.write(bytes, to: directory.file("a.zip"))
    let outcome = try Tool.cleave.run(["verify", directory.file("a.zip")])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("'directory/noise' should begin at"), "\(outcome)")
  }

  /// The end of a zip in a zip is not that of a larger one whose last part is missing.
  @Test(arguments: [ZipEntry.Descriptor.none, .signed])
  func aZipInsideIsNotTheWhole(descriptor: ZipEntry.Descriptor) throws {
    let inner = try ZipWriter(ZipWriterTests.entries).single()
    let outer = try ZipWriter([
      ZipEntry("inner.zip", inner, method: .stored, descriptor: descriptor),
      ZipEntry("behind", Bytes.pattern(count: 5000), method: .stored),
    ]).single()
    let set = try ZipSet(outer.cut(to: (inner.count + 1000) / 2 + 100), names: .raw)
    for part in set.parts.dropFirst(2) { try FileSystem.unlink(part) }
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip.003"), "\(outcome)")
  }

  /// The same where the last part that is there ends where that zip does.
  @Test(arguments: [ZipEntry.Descriptor.none, .signed], [false, true])
  func aZipInsideThatEndsWithThePartsIsNotTheWhole(
    descriptor: ZipEntry.Descriptor,
    isSecond: Bool
  ) throws {
    let inner = try ZipWriter(ZipWriterTests.entries).single()
    let first = ZipEntry("first", Bytes.pattern(count: 700), method: .stored)
    let outer = try ZipWriter(
      (isSecond ? [first] : []) + [
        ZipEntry("inner.zip", inner, method: .stored, descriptor: descriptor),
        ZipEntry("behind", Bytes.pattern(count: 5000), method: .stored),
      ]
    ).single()
    let end = try #require(
      outer.indices.first { outer[$0...].starts(with: inner) }.map { $0 + inner.count }
    )
    let set = try ZipSet(Array(outer[..<end]).cut(to: end / 2 + 1), names: .raw)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip.002: ends with a zip that lies in"), "\(outcome)")
  }

  /// A comment has no sum, so that parts within it may be anywhere.
  @Test func aCommentInSeveralPartsIsNotProved() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.comment = Bytes.text(count: 5000)
    let set = try ZipSet(writer.single().cut(to: 2000), names: .raw)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText.contains("has a comment in several parts"), "\(outcome)")
    #expect(outcome.outputText.contains("in part proved by"), "\(outcome)")
  }

  // MARK: - Parts that could be elsewhere

  /// Local headers, data and records of 55 bytes each, so that parts hold nothing but records.
  private static let alike = ZipWriter(
    (100..<160).map { ZipEntry("entry \($0)", Bytes.pattern(count: 16, seed: $0), method: .stored) }
  )

  private static let order = "has a directory in another order than the data"

  /// Both forms of a zip in parts.
  @Test(arguments: [ZipSetNames.raw, .lower])
  func partsOfTheDirectoryInEachOthersPlaceAreNotProved(names: ZipSetNames) throws {
    let whole = try Self.alike.single()
    // A whole number of them.
    let size = 55 * 12
    var parts = try names == .raw ? whole.cut(to: size) : Self.alike.parts(of: size)
    try expectWhole(ZipSet(parts, names: names), proved: true)
    parts.swapAt(parts.count - 3, parts.count - 2)
    let set = try ZipSet(parts, names: names)
    let merged = try expectWhole(set, proved: false, telling: Self.order)
    #expect(merged.count == whole.count && merged != whole)
  }

  /// It may well be right.
  @Test(arguments: [ZipSetNames.raw, .lower])
  func aDirectoryInAnotherOrderIsNotProvedInSeveralParts(names: ZipSetNames) throws {
    var writer = Self.alike
    writer.swapsRecords = true
    let whole = try writer.single()
    let parts = try names == .raw ? whole.cut(to: 660) : writer.parts(of: 660)
    let merged = try expectWhole(ZipSet(parts, names: names), proved: false, telling: Self.order)
    #expect(Bytes.difference(merged, whole) == nil)
    // In one part, it is where it is.
    let two = [Array(whole[..<1000]), Array(whole[1000...])]
    try expectWhole(ZipSet(two, names: .raw), proved: true)
  }

  /// The journal knows what a run has seen that was killed.
  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ["--resume", "--consume"]
  )
  func whatIsNotProvedIsNotProvedByGoingOn(option: String) throws {
    var writer = Self.alike
    writer.swapsRecords = true
    let set = try ZipSet(writer.parts(of: 660))
    let output = set.directory.file("out")
    let words: [any ToolArgument] = ["merge", option, "--checkpoint=1K", "-o", output, set.first]
    let kill = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    #expect(try Tool.cleave.run(words, environment: kill).signal == .kill)
    let outcome = try Tool.cleave.run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText.contains("going on"), "\(outcome)")
    #expect(outcome.outputText.contains("in part proved by"), "\(outcome)")
    #expect(try Files.read(output) == writer.single())
    #expect(try Files.exists(set.directory.file("out.sfv")) == (option == "--consume"))
  }

  @Test func aPartOfAnExtraFieldIsNotProved() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.entries[2].localExtra = ZipEntry.extra(0x9999, Bytes.pattern(count: 4500, seed: 3))
    let whole = try writer.single()
    try expectWhole(ZipSet(whole.cut(to: 6000), names: .raw), proved: true)
    let parts = whole.cut(to: 1000)
    let text = "has a part within an extra field, which has no sum"
    try expectWhole(ZipSet(parts, names: .raw), proved: false, telling: text)
    try expectWhole(ZipSet(writer.parts(of: 5000)), proved: true)
  }

  @Test func aPartWithoutARecordIsNotProved() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.entries[2].comment = Bytes.text(count: 4500)
    let set = try ZipSet(writer.single().cut(to: 1000), names: .raw)
    let text =
      "has a part without a whole record of the directory, so that nothing proves its place"
    try expectWhole(set, proved: false, telling: text)
  }

  /// Cut in the name of its record.
  @Test func anEntryOfTwoNamesInTwoPartsIsNotProved() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.entries[2].localName = Array("directory\\noise".utf8)
    let whole = try writer.single()
    let name = try #require(whole.lastOffset(of: Array("directory/noise".utf8)))
    let text =
      "has an entry of two names with a header in several parts, whose order nothing proves"
    let parts = [Array(whole[..<(name + 5)]), Array(whole[(name + 5)...])]
    try expectWhole(ZipSet(parts, names: .raw), proved: false, telling: text)
    let others = [Array(whole[..<(name - 60)]), Array(whole[(name - 60)...])]
    try expectWhole(ZipSet(others, names: .raw), proved: true)
  }

  /// Merges a set, and returns what comes out.
  @discardableResult
  private func expectWhole(
    _ set: ZipSet,
    proved: Bool,
    telling text: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let output = set.directory.file("out")
    let outcome = try mergeZip(set.first, to: output)
    #expect(outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
    let isInPart = outcome.outputText.contains("in part proved by")
    #expect(isInPart == !proved, "\(outcome)", sourceLocation: sourceLocation)
    let isTold = text.isEmpty || outcome.errorText.contains(text)
    #expect(isTold, "\(outcome)", sourceLocation: sourceLocation)
    return try Files.read(output)
  }

  /// A directory with more records than the end record tells of is not read in part.
  @Test func moreRecordsThanAreToldAreRefused() throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.zip64 = .everything
    var whole = try writer.single()
    let place = try #require(whole.lastOffset(of: Array("PK\u{6}\u{6}".utf8)))
    whole[place + 32] -= 1
    let set = try ZipSet(whole.cut(to: 2000), names: .raw)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
  }

  /// Nearly all programs look for the directory by its size.
  @Test(arguments: [10, 200] as [UInt8]) func anotherSizeOfTheDirectoryIsRefused(size: UInt8) throws
  {
    var whole = try ZipWriter(ZipWriterTests.entries).single()
    try whole.set([size, 0], at: 12, of: [0x50, 0x4B, 5, 6])
    let set = try ZipSet(whole.cut(to: 2000), names: .raw)
    let output = set.directory.file("out")
    let outcome = try mergeZip(set.first, to: output)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("its directory has "), "\(outcome)")
    let verified = try Tool.cleave.run(["verify", set.first])
    #expect(verified.exitCode == 65, "\(verified)")
    let raw = try Tool.cleave.run(["merge", "--format=raw", "-o", output, set.first])
    #expect(raw.exitCode == 0, "\(raw)")
    #expect(try Files.read(output) == whole)
  }

  /// The parts of another series are not what is behind the end of a zip.
  @Test(arguments: [1500, 700, 1]) func partsOfAnotherSeriesAreNotTaken(size: Int) throws {
    let set = try BrokenZipSet.sound(.raw)
    let stale = set.directory.file("a.zip.009")
    try Files.write(Bytes.pattern(count: size), to: stale)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip.008"), "\(outcome)")
  }

  /// What ends in the middle of its comment is cut off.
  @Test(arguments: [1, 49, 50, 60, 68]) func aCutCommentIsTold(count: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    writer.comment = Bytes.text(count: 50)
    let whole = try writer.single()
    let set = try ZipSet(Array(whole.dropLast(count)).cut(to: 2000), names: .raw)
    let outcome = try mergeZip(set.first, to: set.directory.file("out"))
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("is cut off"), "\(outcome)")
  }
}

extension [UInt8] {
  /// Puts bytes at an offset in the last record of a signature.
  fileprivate mutating func set(_ bytes: [UInt8], at offset: Int, of record: [UInt8]) throws {
    let place = try #require(lastOffset(of: record))
    for (index, byte) in bytes.enumerated() { self[place + offset + index] = byte }
  }
}
