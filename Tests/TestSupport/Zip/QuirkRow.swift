/// A split archive as some program writes it, however odd.
package struct QuirkRow: Sendable, CustomStringConvertible {
  package var name: String
  package var writer: ZipWriter
  /// Of the parts, in bytes.
  package var size = 1000
  package var names = ZipSetNames.lower
  /// The programs that read the archive in one file; not all can read what is right.
  package var readers = Set(ZipTool.allCases)
  /// Whether 7-Zip reads the parts, which was measured and not asked for.
  package var isReadBySevenZip = true

  package var description: String { name }

  package func set() throws -> ZipSet { try ZipSet(writer.parts(of: size), names: names) }

  /// Whether an entry needs a password, or a method that nobody knows.
  package var hasUntestable: Bool {
    writer.entries.contains {
      $0.flags & ZipEntry.encryptedFlag != 0 || $0.method == .encryptedByWinZip
    }
  }

  /// What merging tells of it.
  package var told: [String] {
    (writer.quirks.contains(.leavesHeaderRemains)
      ? [" places belong to no entry", " bytes that belong to no entry: not compared"] : [])
      + (writer.prefix.isEmpty ? [] : [" bytes in front of the zip: not compared"])
      + (writer.swapsRecords ? ["a directory in another order than the data"] : [])
      + (writer.quirks.contains(.cutsEveryRecord) && size < 120
        ? ["a part without a whole record of the directory"] : [])
      + (hasUntestable ? ["'text' is encrypted", "'directory/noise' is compressed by AES"] : [])
  }

  /// What the archive holds.
  package var tree: FileTree { FileTree(writer.entries) }
}

extension QuirkRow {
  /// The archive in one file, byte for byte; nil where the parts hold what no single one would.
  package func whole() throws -> [UInt8]? {
    if !writer.quirks.isDisjoint(with: [.leavesHeaderRemains, .forgetsSizes]) { return nil }
    var single = writer
    single.quirks = []
    // Of the field for large numbers, the one that a single file has no use for is dropped.
    if single.zip64 == .everythingAndDisks { single.zip64 = .everything }
    return try single.single()
  }
}

// MARK: - The table

extension QuirkRow {
  package static let all = plain + pointers + cuts + extras + fronts + large + names

  private static let plain = [
    row("nothing odd"),
    row("a part for every few bytes", size: 200) { _ in },
    row("more than 99 parts", size: 90) { $0.entries = manyParts },
    row("a directory over several parts") { $0.entries = manyEntries },
    row("a directory in another order") {
      $0.swapsRecords = true
      $0.entries = manyEntries
    },
    row("comments") {
      $0.comment = Bytes.text(count: 300)
      $0.entries[1].comment = [0xFF, 0x00]
    },
  ]

  private static let pointers = [
    row("pointers name the ends of parts", quirks: .pointersNamePartEnds, sevenZip: false) {
      $0.entries = manyEntries
    },
    row("the same and ZIP64", quirks: .pointersNamePartEnds, sevenZip: false) {
      $0.zip64 = .everything
      $0.entries = manyEntries
    },
    row("end records alone", quirks: .endRecordsAlone, sevenZip: false),
    row("ZIP64 end records alone", quirks: .endRecordsAlone, sevenZip: false) {
      $0.zip64 = .everything
    },
    row("the directory's offset is missing", quirks: .directoryOffsetMissing, sevenZip: false),
    row("entries are counted and not records", quirks: .countsEntriesForRecords) {
      $0.entries = manyEntries
    },
  ]

  private static let cuts = [
    row("records are cut", quirks: .cutsEveryRecord, sevenZip: false) { $0.entries = manyEntries },
    row("most records are cut", size: 110, quirks: .cutsEveryRecord, sevenZip: false) {
      $0.entries = manyEntries
    },
    row("central records are cut", quirks: .cutsCentralRecords, sevenZip: false) {
      $0.entries = manyEntries
    },
    row("remains of headers", quirks: .leavesHeaderRemains) { $0.entries = manyEntries },
    row("headers without sizes", quirks: .forgetsSizes, readers: directoryReaders, sevenZip: false)
    {
      $0.entries = manyEntries
    },
    row(
      "both",
      quirks: [.leavesHeaderRemains, .forgetsSizes],
      readers: directoryReaders,
      sevenZip: false
    ) { $0.entries = manyEntries },
  ]

  /// Those that take sizes from the directory where local headers have none; the others call that
  /// an error of the headers.
  private static let directoryReaders: Set<ZipTool> = [.python, .bsdtar]

  private static let extras = [
    // The others make names of their own out of this one.
    row("a Unicode path in the directory alone", readers: [.sevenZip, .python]) {
      $0.entries[2].name = Array("caf".utf8) + [0x82]
      $0.entries[2].centralExtra = ZipEntry.unicodePath("caf\u{E9}", for: $0.entries[2].name)
    },
    row("descriptors") { writer in
      for index in writer.entries.indices where !writer.entries[index].isDirectory {
        writer.entries[index].descriptor = index.isMultiple(of: 2) ? .signed : .plain
      }
    },
    // They take the last signature for the record, and the archive for empty.
    row("an end record in the comment", readers: [], sevenZip: false) {
      $0.comment = [1] + ZipWriter.falseEndRecord + [2]
    },
    row("an end record in the contents") {
      $0.entries.append(ZipEntry("false", ZipWriter.falseEndRecord, method: .stored))
    },
    row("encrypted, as it says", readers: [], sevenZip: false) {
      $0.entries[0].flags |= ZipEntry.encryptedFlag
      $0.entries[2].method = .encryptedByWinZip
    },
  ]

  private static let fronts = [
    row("no marker") { $0.marker = .none },
    row("the marker of what might have been split") { $0.marker = .temporary },
    row("an executable first", names: .executableFirst) {
      $0.marker = .none
      $0.prefix = Array("MZ".utf8) + Bytes.text(count: 700)
    },
  ]

  private static let large = [
    row("ZIP64 end records") { $0.zip64 = .endRecords },
    row("ZIP64") { $0.zip64 = .everything },
    row("ZIP64 with disks") { $0.zip64 = .everythingAndDisks },
    row("ZIP64 with disks, records cut", size: 300, quirks: .cutsEveryRecord, sevenZip: false) {
      $0.zip64 = .everythingAndDisks
      $0.entries = manyEntries
    },
    // Python expects the record directly before its locator, 56 bytes long.
    row("an extended ZIP64 end record", readers: [.sevenZip, .unzip, .bsdtar]) {
      $0.zip64 = .everything
      $0.zip64Extension = ZipEntry.extra(0x6363, [1, 2, 3, 4, 5, 6, 7])
    },
  ]

  private static let names = [
    row("upper case", names: .upper), row("zipx", names: .zipx, sevenZip: false),
  ]

  // MARK: - Its contents

  private static let manyParts = [
    ZipEntry("n", Bytes.pattern(count: 9500), method: .stored), ZipEntry("e"),
  ]

  private static let manyEntries = (0..<60).map {
    ZipEntry("directory/entry \($0)", Bytes.text(count: 97 * $0 % 307, seed: UInt64($0)))
  }

  private static func row(
    _ name: String,
    size: Int = 1000,
    names: ZipSetNames = .lower,
    quirks: ZipQuirks = [],
    readers: Set<ZipTool> = Set(ZipTool.allCases),
    sevenZip: Bool = true,
    _ change: (inout ZipWriter) -> Void = { _ in }
  ) -> QuirkRow {
    var row = QuirkRow(name: name, writer: ZipWriter(ZipEntry.samples, quirks: quirks))
    change(&row.writer)
    (row.size, row.names, row.readers, row.isReadBySevenZip) = (size, names, readers, sevenZip)
    return row
  }
}
