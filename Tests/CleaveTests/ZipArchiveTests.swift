import Posix
import TestSupport
import Testing
import Trials

@testable import Cleave

/// The end of a zip and its directory, before any entry is looked at.
@Suite struct ZipArchiveTests {
  /// What is changed about a zip before it is written, and in what form it lies.
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var form = ZipArchive.Form.whole
    /// Bytes of the parts of a split one.
    var size = 1000
    var change: @Sendable (inout ZipWriter) -> Void = { _ in }
    /// What is done to the parts afterwards.
    var damage: @Sendable (inout [[UInt8]]) -> Void = { _ in }

    func parts() throws -> JoinedBytes {
      var writer = ZipWriter(ZipEntry.samples)
      change(&writer)
      var parts = try form == .split ? writer.parts(of: size) : [writer.single()]
      damage(&parts)
      return try JoinedBytes(parts)
    }
  }

  // MARK: - What is found

  /// With where the first local header is.
  static let addressings: [(Row, ZipArchive.Addressing, Int64)] = [
    (Row(description: "nothing is in front"), .whole(shift: 0), 0),
    (
      Row(description: "offsets count what is in front", change: { $0.prefix = [1, 2, 3] }),
      .whole(shift: 0), 3
    ),
    (
      Row(
        description: "offsets leave out what is in front",
        change: { ($0.prefix, $0.countsPrefix) = ([1, 2, 3], false) }
      ),
      .whole(shift: 3), 3
    ),
    (
      Row(
        description: "what was in front is missing",
        change: { $0.prefix = [1, 2, 3] },
        damage: { $0[0].removeFirst(3) }
      ),
      .whole(shift: -3), 0
    ),
    (Row(description: "each part is a disk", form: .split), .disks, 4),
  ]

  @Test("what numbers in headers count from is found out", arguments: addressings)
  func addressing(row: Row, expected: ZipArchive.Addressing, position: Int64) throws {
    let archive = try ZipArchive(row.parts(), as: row.form)
    #expect(archive.addressing == expected)
    #expect(archive.summary.entries == 7)
    var directory = archive.directory
    let first = try #require(try directory.next())
    #expect(archive.position(of: first) == position)
  }

  @Test("entries are counted without being read", arguments: [Zip64Use.none, .everything])
  func summary(zip64: Zip64Use) throws {
    var writer = ZipWriter(ZipEntry.samples)
    writer.zip64 = zip64
    writer.entries[0].flags |= ZipEntry.encryptedFlag
    let parts = try JoinedBytes([writer.single()])
    let summary = try ZipArchive(parts, as: .whole).summary
    #expect(summary.entries == 7 && summary.encrypted == 1)
    #expect(summary.usesZIP64 == (zip64 == .everything) && !summary.usesAES)
    #expect(summary.methods == [0, 8])
    #expect(summary.uncompressed == UInt64(ZipEntry.samples.reduce(0) { $0 + $1.contents.count }))
  }

  // MARK: - What is refused

  static let faults: [(Row, ZipFault)] = [
    (Row(description: "nothing is there", damage: { $0 = [[]] }), .noEnd),
    (Row(description: "the last byte is missing", damage: { $0[0].removeLast() }), .noEnd),
    (Row(description: "a byte is behind it", damage: { $0[0].append(0) }), .noEnd),
    (
      Row(
        description: "the end record counts an entry too many",
        damage: { for at in [8, 10] { $0[0][$0[0].count - 22 + at] += 1 } }
      ),
      .noDirectory(excess: 0)
    ),
    (
      Row(
        description: "bytes are missing before the directory, whose size is wrong",
        damage: {
          $0[0].removeSubrange(100..<107)
          $0[0][$0[0].count - 22 + 12] ^= 1
        }
      ),
      .noDirectory(excess: -8)
    ),
    (
      Row(
        description: "the last part alone",
        form: .split,
        damage: { $0 = [Array($0.joined())] }
      ),
      .wrongDisk(5)
    ),
    (
      Row(description: "a part is missing", form: .split, damage: { $0.remove(at: 2) }),
      .wrongDisk(5)
    ),
    (
      Row(
        description: "the directory is encrypted",
        change: { ($0.quirks, $0.zip64) = (.encryptsDirectory, .everything) }
      ),
      .encryptedDirectory
    ),
    (
      Row(
        description: "no entry, and yet something is in front",
        change: { ($0.entries, $0.prefix) = ([], Array("something".utf8)) }
      ),
      nothing
    ),
    (
      Row(
        description: "no entry, and a directory of all that is in front",
        damage: { $0[0].tellNoEntries(size: UInt32($0[0].count - 22)) }
      ),
      nothing
    ),
    (
      Row(
        description: "no entry in parts, and a directory behind the marker",
        form: .split,
        damage: { $0[$0.count - 1].tellNoEntries(offset: 4) }
      ),
      nothing
    ),
    (
      Row(
        description: "no entry in parts, and a directory in the marker",
        form: .split,
        damage: { $0[$0.count - 1].tellNoEntries() }
      ),
      nothing
    ),
  ]

  private static let nothing = ZipFault.contradiction(
    "it has no entries by its end record, and yet something in front of it"
  )

  @Test("what is no zip, or not all of one, is refused for its reason", arguments: faults)
  func fault(row: Row, expected: ZipFault) throws {
    let parts = try row.parts()
    #expect(throws: expected) { try ZipArchive(parts, as: row.form) }
  }

  static let empty = [
    Row(description: "in one file"),
    Row(description: "with a marker", change: { $0.prefix = ZipMarker.spanned.bytes }),
    Row(description: "in one part", form: .split),
    Row(
      description: "in two parts",
      form: .split,
      change: { $0.quirks = .endRecordsAlone }
    ),
    Row(description: "with ZIP64", form: .split, change: { $0.zip64 = .everything }),
  ]

  @Test("a zip may have no entries", arguments: empty)
  func noEntries(row: Row) throws {
    var row = row
    row.change = { [change = row.change] writer in
      writer.entries = []
      change(&writer)
    }
    #expect(try ZipArchive(row.parts(), as: row.form).summary.entries == 0)
  }

  @Test("the last part of a split zip is no whole zip")
  func lastPart() throws {
    let parts = try ZipWriter(ZipEntry.samples).parts(of: 1000)
    let last = try JoinedBytes([parts[parts.count - 1]])
    #expect(throws: ZipFault.isDisk(UInt32(parts.count - 1))) { try ZipArchive(last, as: .whole) }
  }

  @Test("the fault of the last end record is told where a comment holds another")
  func severalEnds() throws {
    var writer = ZipWriter(ZipEntry.samples)
    writer.comment = [1] + ZipWriter.falseEndRecord
    let parts = try JoinedBytes([writer.single()])
    // The last one ends at the end too, has no entries, and so much in front.
    let archive = try ZipArchive(parts, as: .whole)
    #expect(Array(archive.end.comment) == writer.comment)
    #expect(archive.summary.entries == 7)
  }
}

extension [UInt8] {
  /// Has the end record tell of no entries, and of a directory on the first disk.
  fileprivate mutating func tellNoEntries(size: UInt32 = 0, offset: UInt32 = 0) {
    let places = [UInt8](littleEndian: size) + [UInt8](littleEndian: offset)
    let fields = [UInt8](repeating: 0, count: 6) + places
    replaceSubrange((count - 16)..<(count - 2), with: fields)
  }
}

/// The records at the end.
@Suite struct EndRecordsTests {
  private static func zip(_ change: (inout ZipWriter) -> Void = { _ in }) throws -> [UInt8] {
    var writer = ZipWriter(ZipEntry.samples)
    change(&writer)
    return try writer.single()
  }

  @Test("places that look like an end are tried from the last one on")
  func candidates() throws {
    let bytes = try Self.zip { $0.comment = [1] + ZipWriter.falseEndRecord }
    let found = try EndRecords.candidates(in: JoinedBytes([bytes]))
    #expect(found == [Int64(bytes.count - 22), Int64(bytes.count - 22 - 1 - 22)])
  }

  /// Bytes added at the end, or taken from it.
  static let tails: [(String, Int, EndRecords.Behind, Bool)] = [
    ("nothing is behind", 0, .nothing, true), ("a byte is behind", 1, .nothing, false),
    ("nothing is behind, and something may be", 0, .something, false),
    ("a byte is behind, as may be", 1, .something, true),
    ("a comment is cut", -3, .lessThanNothing, true), ("a comment is cut", -3, .nothing, false),
    ("a comment is whole, and might be cut", 0, .lessThanNothing, false),
  ]

  @Test("an end is one by what is behind it", arguments: tails)
  func behind(_: String, change: Int, behind: EndRecords.Behind, isFound: Bool) throws {
    var bytes = try Self.zip { $0.comment = Array("a comment".utf8) }
    let position = Int64(bytes.count - 22 - 9)
    if change < 0 {
      bytes.removeLast(-change)
    } else {
      bytes += [UInt8](repeating: 7, count: change)
    }
    let found = try EndRecords.candidates(in: JoinedBytes([bytes]), before: behind)
    #expect(found == (isFound ? [position] : []))
  }

  @Test("a ZIP64 end record has the last word", arguments: [Zip64Use.none, .endRecords])
  func values(zip64: Zip64Use) throws {
    let bytes = try Self.zip { ($0.zip64, $0.comment) = (zip64, [1, 2]) }
    let parts = try JoinedBytes([bytes])
    let end = try EndRecords(in: parts, at: Int64(bytes.count - 24)) { Int64($0) + Int64($1) }
    #expect(end.isZIP64 == (zip64 == .endRecords))
    #expect(end.values.entries == 7 && end.values.entriesHere == 7)
    #expect(end.values.disk == 0 && end.values.directoryDisk == 0)
    #expect(Int64(end.values.offset + end.values.size) == end.position)
    #expect(Array(end.comment) == [1, 2] && end.upperBound == Int64(bytes.count))
    #expect(end.position == Int64(bytes.count - 24 - (zip64 == .none ? 0 : 76)))
  }
}

/// Records of the directory, and the headers that they point at.
@Suite struct CentralDirectoryTests {
  private let archive: ZipArchive

  init() throws {
    let parts = try ZipWriter(ZipEntry.samples).parts(of: 300)
    archive = try ZipArchive(JoinedBytes(parts), as: .split)
  }

  @Test("records come in their order, and then none")
  func records() throws {
    var directory = archive.directory
    var names: [[UInt8]] = []
    while let record = try directory.next() { names.append(Array(record.nameBytes)) }
    #expect(names == ZipEntry.samples.map(\.name))
    #expect(directory.position == archive.directoryEnd)
    #expect(try directory.next() == nil)
  }

  @Test("there is no record where its signature is not")
  func noSignature() throws {
    let start = archive.directoryStart + 1
    var directory = CentralDirectory(archive.bytes, from: start, to: archive.directoryEnd)
    #expect(try directory.next() == nil)
    #expect(directory.position == start)
  }

  @Test("a record that goes beyond the limit is cut off", arguments: [1, 3] as [Int64])
  func cutOff(missing: Int64) throws {
    let start = archive.directoryStart
    let limit = start + Int64(CentralRecord.fixedLength + ZipEntry.samples[0].name.count) - missing
    var directory = CentralDirectory(archive.bytes, from: start, to: limit)
    let fault = ZipFault.contradiction("a record of its directory is cut off at \(start)")
    #expect(throws: fault) { try directory.next() }
  }

  @Test("a record shorter than any is none")
  func tooShort() throws {
    let start = archive.directoryStart
    var directory = CentralDirectory(archive.bytes, from: start, to: start + 45)
    #expect(try directory.next() == nil)
  }

  // MARK: - Local headers

  struct Header: Sendable, CustomStringConvertible {
    let description: String
    let entry: Int
    var localName: String?
    /// Bytes behind where it is.
    var shift: Int64 = 0
    var isFound = true
  }

  static let headers = [
    Header(description: "the same name", entry: 2),
    Header(description: "other slashes", entry: 2, localName: "directory\\noise"),
    Header(description: "another name, and the same sums", entry: 2, localName: "else"),
    Header(description: "another name, and the sums in a descriptor", entry: 4, localName: "else"),
    Header(description: "an empty file in another case", entry: 3, localName: "EMPTY"),
    Header(description: "an empty file in a folder", entry: 3, localName: "folder/empty"),
    Header(description: "another empty file", entry: 3, localName: "other", isFound: false),
    Header(description: "a place behind the header", entry: 0, shift: 1, isFound: false),
  ]

  @Test("a local header is that of its entry by its name, or by all else", arguments: headers)
  func header(row: Header) throws {
    var writer = ZipWriter(ZipEntry.samples)
    writer.entries[row.entry].localName = row.localName.map { Array($0.utf8) }
    let archive = try ZipArchive(JoinedBytes([writer.single()]), as: .whole)
    var directory = archive.directory
    for _ in 0..<row.entry { _ = try directory.next() }
    let record = try #require(try directory.next())
    let place = try #require(archive.position(of: record)) + row.shift
    let header = try LocalHeader(archive.bytes, at: place, of: record)
    #expect((header != nil) == row.isFound)
    guard let header else { return }
    #expect(header.hasDirectoryName == (row.localName == nil))
    let name = row.localName.map { Array($0.utf8) } ?? writer.entries[row.entry].name
    #expect(Array(header.nameBytes) == name)
    #expect(header.length == 30 + name.count)
    #expect(header.hasDescriptor == (row.entry == 4) && header.method == record.method)
  }
}
