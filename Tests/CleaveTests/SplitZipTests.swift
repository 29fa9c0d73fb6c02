import Posix
import TestSupport
import Testing
import Trials

@testable import Cleave

/// The parts of a split zip, and the file that they become.
@Suite struct SplitZipTests {
  private static func open(_ part: FilePath) throws -> SplitZip {
    try SplitZip(#require(try SplitZipSeries.containing(part)))
  }

  // MARK: - Joining

  @Test("what other programs write becomes a zip in one file", arguments: QuirkRow.all)
  func joins(row: QuirkRow) throws {
    let set = try row.set()
    let found = try Self.open(set.last)
    #expect(Array(found.sources.paths) == set.parts && found.stale == [] && !found.isRaw)
    for (index, engine) in EngineName.allCases.enumerated()
    where index == 0 || !row.writer.quirks.isEmpty {
      let output = set.directory.file("out")
      let join = try ZipJoin(
        found.archive,
        from: found.sources,
        into: output,
        repairs: found.repairs,
        kinds: .crc32
      )
      var job = Job(join.plan, engine: engine)
      // A few bytes at a time are cut at every place where records may be.
      if index > 0 { job.options.settings = EngineSettings(lowWater: 7, highWater: 7, window: 21) }
      job.options.output.synchronizes = false
      job.options.output.replacesExisting = true
      _ = try job.run()
      let made = try Files.read(output)
      if let whole = try row.whole() {
        #expect(Bytes.difference(made, whole) == nil, "\(engine)")
      }
      #expect(ZipDirectory(made).problems == [], "\(engine)")
      if index > 0 { continue }
      let archive = try ZipArchive(JoinedBytes([made]), as: .whole)
      let report = EntryVerification().run(archive)
      #expect(report.bad.count == 0 && report.error == nil, "\(report.bad.named)")
      #expect((report.notTested.count > 0) == row.hasUntestable)
      #expect(report.fine + report.notTested.count == row.writer.entries.count)
    }
  }

  @Test("the marker stays at the front where that is asked for")
  func keepsMarker() throws {
    let set = try ZipSet(ZipWriter(ZipEntry.samples).parts(of: 1000))
    let found = try Self.open(set.first)
    let output = set.directory.file("out")
    let join = try ZipJoin(
      found.archive,
      from: found.sources,
      into: output,
      keepsMarker: true,
      kinds: .crc32
    )
    _ = try Job(join.plan, engine: .serial).run()
    let made = try Files.read(output)
    #expect(made.starts(with: ZipMarker.spanned.bytes))
    let archive = try ZipArchive(JoinedBytes([made]), as: .whole)
    #expect(EntryVerification().run(archive).fine == 7)
  }

  // MARK: - Which parts

  /// What is done to the parts, and what is said of it.
  static let refusals: [(String, @Sendable (ZipSet) throws -> Void, CleaveError.Kind, String)] = [
    (
      "a part is missing", { try FileSystem.unlink($0.parts[3]) }, .missingInput,
      "1 part is missing: a.z04"
    ),
    (
      "the last part is missing", { try FileSystem.unlink($0.last) }, .missingInput,
      "1 part is missing: a.zip"
    ),
    (
      "the last part is cut", { try Files.setSize(200, of: $0.last) }, .badData,
      "a.zip"
    ),
    (
      "the first part is a whole zip",
      { try Files.write(ZipWriter(ZipEntry.samples).single(), to: $0.first) }, .badData,
      "is a whole zip, not split: there is nothing to merge"
    ),
    (
      "the last part is a whole zip",
      { try Files.write(ZipWriter(ZipEntry.samples).single(), to: $0.last) }, .badData,
      "is a whole zip, not split: there is nothing to merge, and does not belong to a.z01"
    ),
  ]

  @Test("parts that are no split zip are refused", arguments: refusals)
  func refused(
    _: String,
    change: @Sendable (ZipSet) throws -> Void,
    kind: CleaveError.Kind,
    text: String
  ) throws {
    let set = try ZipSet(ZipWriter(ZipEntry.samples).parts(of: 1000))
    let part = set.parts[1]
    try change(set)
    let error = #expect(throws: CleaveError.self) { try Self.open(part) }
    #expect(error?.kind == kind)
    let message = error?.message.replacing("\(set.directory.path)/", with: "") ?? ""
    #expect(message.contains(text), "\(message)")
  }

  @Test("parts of a higher number are left over")
  func stale() throws {
    let set = try ZipSet(ZipWriter(ZipEntry.samples).parts(of: 1000))
    let other = set.directory.file("a.z77")
    try Files.write([1, 2, 3], to: other)
    let found = try Self.open(set.first)
    #expect(found.stale == [other] && Array(found.sources.paths) == set.parts)
  }

  @Test("files of any names are parts in the order of their headers alone")
  func order() throws {
    let set = try ZipSet(ZipWriter(ZipEntry.samples).parts(of: 1500))
    #expect(set.parts.count == 4)
    #expect(SplitZip.areParts(set.parts))
    #expect(!SplitZip.areParts(set.parts.reversed()))
    #expect(!SplitZip.areParts([set.first]))
    #expect(throws: Never.self) { try SplitZip.refuseOrder(of: [set.first, set.parts[1]]) }
    let error = #expect(throws: CleaveError.self) {
      try SplitZip.refuseOrder(of: set.parts.reversed())
    }
    let text = error?.message.replacing("\(set.directory.path)/", with: "")
    #expect(
      text
        == "a.zip: is given first, but a.z01 begins this split zip, and a.zip ends it: "
        + "its headers fit in the order a.z01 a.z02 a.z03 a.zip"
    )
  }
}

/// How a zip is cut.
@Suite struct ZipCutTests {
  static let forms: [(String, @Sendable (inout ZipWriter) -> Void)] = [
    ("plain", { _ in }), ("with a comment", { $0.comment = Bytes.text(count: 90) }),
    ("with ZIP64", { $0.zip64 = .everything }),
    (
      "with descriptors",
      { for index in $0.entries.indices { $0.entries[index].descriptor = .signed } }
    ),
  ]

  @Test(
    "parts hold whole records, and merge to the same bytes",
    arguments: forms,
    [220, 1000, 5000] as [Int64]
  )
  func cuts(form: (String, @Sendable (inout ZipWriter) -> Void), size: Int64) throws {
    var writer = ZipWriter(ZipEntry.samples)
    form.1(&writer)
    let whole = try writer.single()
    let directory = try TemporaryDirectory()
    let source = try SourceFile(examining: directory.make("whole", whole))
    let cut = try ZipCut(source, size: size, kinds: .crc32)
    #expect(cut.parts.allSatisfy { $0 <= size } && cut.parts.count > 1)
    let paths = cut.parts.indices.map {
      directory.file(ZipSetNames.lower.name(of: $0, among: cut.parts.count))
    }
    _ = try Job(cut.plan(source) { paths[$0] }, engine: .serial).run()
    #expect(try ZipLayout(paths.map { try Files.read($0) }).problems == [])
    let found = try SplitZip(#require(try SplitZipSeries.containing(paths[0])))
    #expect(Array(found.sources.paths) == paths)
    let output = directory.file("out")
    let join = try ZipJoin(found.archive, from: found.sources, into: output, kinds: .crc32)
    _ = try Job(join.plan, engine: .serial).run()
    #expect(try Bytes.difference(Files.read(output), whole) == nil)
  }

  /// Merging would refuse it, or drop its marker.
  @Test("a zip that fits into one part is not split", arguments: [ZipMarker.none, .temporary])
  func onePart(marker: ZipMarker) throws {
    var writer = ZipWriter(ZipEntry.samples)
    writer.prefix = marker.bytes
    let whole = try writer.single()
    let archive = try ZipArchive(JoinedBytes([whole]), as: .whole)
    let error = #expect(throws: CleaveError.self) {
      try ZipCut(archive, size: Int64(whole.count), kinds: .crc32)
    }
    #expect(error?.kind == .badData)
    let text =
      "fits into one part of \(whole.count) bytes, so that there is nothing to split as a zip"
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(error?.remedies == [.splittingAsBytes])
    let cut = try ZipCut(archive, size: Int64(whole.count - 1), kinds: .crc32)
    #expect(cut.parts.count == 2)
  }

  /// What is done to the writer, and to the bytes.
  static let refusals: [(String, @Sendable (inout ZipWriter) -> Void, String)] = [
    (
      "something else is in front", { $0.prefix = [1, 2, 3, 4] },
      "something else is in front of the zip"
    )
  ]

  @Test("what merging could not make again is refused", arguments: refusals)
  func refused(_: String, change: @Sendable (inout ZipWriter) -> Void, text: String) throws {
    var writer = ZipWriter(ZipEntry.samples)
    change(&writer)
    let archive = try ZipArchive(JoinedBytes([writer.single()]), as: .whole)
    let error = #expect(throws: CleaveError.self) {
      try ZipCut(archive, size: 1000, kinds: .crc32)
    }
    #expect(error?.kind == .badData)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test("what is no zip is told how it is split all the same")
  func noZip() throws {
    let directory = try TemporaryDirectory()
    let source = try SourceFile(examining: directory.make("file", Bytes.pattern(count: 5000)))
    let error = #expect(throws: CleaveError.self) {
      try ZipCut(source, size: 1000, kinds: .crc32)
    }
    #expect(error?.message.contains("is no zip; ") == true)
    #expect(error?.remedies == [.splittingAsBytes])
  }
}

/// Parts that somebody put one behind the other.
@Suite struct ZipRepairTests {
  @Test("each part is found again", arguments: [400, 1000, 3000])
  func parts(size: Int) throws {
    let parts = try ZipWriter(ZipEntry.samples).parts(of: size)
    let repair = try ZipRepair(JoinedBytes([Array(parts.joined())]))
    #expect(repair.disks == parts.count && repair.repairs == [])
    #expect(repair.archive.addressing == .disks)
    #expect(EntryVerification().run(repair.archive).fine == 7)
  }

  /// The last record that looks like an end is none.
  @Test("a comment may look like an end record", arguments: [UInt8(0), 1])
  func comments(disk: UInt8) throws {
    var writer = ZipWriter(ZipEntry.samples)
    writer.comment = ZipWriter.falseEndRecord
    writer.comment[4] = disk
    let parts = try writer.parts(of: 1000)
    let repair = try ZipRepair(JoinedBytes([Array(parts.joined())]))
    #expect(repair.disks == parts.count)
    #expect(EntryVerification().run(repair.archive).fine == 7)
  }

  static let refusals: [(String, @Sendable ([[UInt8]]) throws -> [UInt8], String)] = [
    (
      "a whole zip", { _ in try ZipWriter(ZipEntry.samples).single() },
      "is a whole zip: there is nothing to repair"
    ),
    (
      "no zip", { _ in Bytes.pattern(count: 5000) },
      "is damaged: it does not end with the end record of a zip"
    ),
    ("without its first part", { Array($0.dropFirst().joined()) }, ""),
    ("without a part between", { Array(($0[..<2] + $0[3...]).joined()) }, ""),
    ("the last part alone", { $0[$0.count - 1] }, ""),
    ("in another order", { Array(([$0[1], $0[0]] + $0[2...]).joined()) }, ""),
  ]

  @Test("what is not all of a split zip cannot be repaired", arguments: refusals)
  func refused(_: String, make: @Sendable ([[UInt8]]) throws -> [UInt8], text: String) throws {
    let bytes = try make(ZipWriter(ZipEntry.samples).parts(of: 1000))
    let parts = try JoinedBytes([bytes])
    let error = #expect(throws: CleaveError.self) { try ZipRepair(parts) }
    #expect(error?.kind == .badData)
    #expect(error?.message.hasSuffix(text) == true, "\(error?.message ?? "")")
  }
}

/// Reading entries back.
@Suite struct EntryTestTests {
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var entry = 0
    var change: @Sendable (inout ZipEntry) -> Void = { _ in }
    /// Where a byte of the entry is changed, from its local header on.
    var flip: Int?
    /// What is found; of what is bad, the beginning.
    let finding: String
    /// Without its data.
    var quick = "fine"
  }

  private static let encryptWithDescriptor: @Sendable (inout ZipEntry) -> Void = { entry in
    entry.flags |= ZipEntry.encryptedFlag
    entry.descriptor = .signed
  }

  static let rows =
    ZipEntry.samples.indices.map {
      Row(description: ZipEntry.samples[$0].text, entry: $0, finding: "fine")
    } + [
      Row(
        description: "a byte of stored data is another",
        entry: 2,
        flip: 30 + 15,
        finding: "has CRC-32 "
      ),
      Row(
        description: "deflated data is damaged",
        flip: 30 + 4,
        finding: "has damaged data"
      ),
      Row(
        description: "the sum in both headers is another",
        change: { $0.wrongChecksum = 7 },
        finding: "has CRC-32 "
      ),
      Row(
        description: "it is encrypted",
        change: { $0.flags |= ZipEntry.encryptedFlag },
        finding: "not tested: is encrypted"
      ),
      Row(
        description: "it is encrypted, and has another sum in front of its data",
        change: encryptWithDescriptor,
        flip: 14,
        finding: "is encrypted, and has another CRC-32 or size beside its data",
        quick:
          "is encrypted, and has another CRC-32 or size beside its data than in the directory"
      ),
      Row(
        description: "it is encrypted, and has the time in front of its data",
        change: encryptWithDescriptor,
        flip: 16,
        finding: "not tested: is encrypted"
      ),
      Row(
        description: "it is compressed by what nobody knows",
        change: { $0.method = .encryptedByWinZip },
        finding: "not tested: is compressed by AES encryption"
      ),
      Row(
        description: "its header has no signature",
        flip: 0,
        finding: "has no local header where the directory says",
        quick: "has no local header where the directory says"
      ),
      Row(
        description: "its header has another method",
        flip: 8,
        finding: "has method 247 by its local header, 8 by the directory",
        quick: "has method 247 by its local header, 8 by the directory"
      ),
    ]

  @Test("an entry is what its headers say, or it is told what it is not", arguments: rows)
  func tests(row: Row) throws {
    var writer = ZipWriter(ZipEntry.samples)
    row.change(&writer.entries[row.entry])
    var bytes = try writer.single()
    let record = try Self.record(row.entry, of: bytes)
    if let flip = row.flip { bytes[Int(record.offset) + flip] ^= 0xFF }
    let archive = try ZipArchive(JoinedBytes([bytes]), as: .whole)
    let progress = WorkProgress()
    let test = try EntryTest(archive, isCancelled: { false }, progress: progress)
    #expect(Self.told(try test.run(record, at: 0..<0, readsData: true)).hasPrefix(row.finding))
    #expect(test.place.lowerBound == Int64(record.offset))
    let read = progress.bytes
    #expect(Self.told(try test.run(record, at: 0..<0, readsData: false)) == row.quick)
    #expect(progress.bytes == read)
  }

  @Test("an entry beyond the zip is told of")
  func beyond() throws {
    let bytes = try ZipWriter(ZipEntry.samples).single()
    let record = try Self.record(3, of: bytes)
    // A zip of the first entry alone, which ends before the other begins.
    let other = try ZipWriter([ZipEntry("a", [1])]).single()
    let archive = try ZipArchive(JoinedBytes([other]), as: .whole)
    let test = try EntryTest(archive, isCancelled: { false }, progress: WorkProgress())
    #expect(
      try test.run(record, at: 0..<0, readsData: true) == .bad("should begin outside of the zip")
    )
  }

  @Test("a test that is cancelled says so")
  func cancelled() throws {
    let bytes = try ZipWriter(ZipEntry.samples).single()
    let archive = try ZipArchive(JoinedBytes([bytes]), as: .whole)
    let test = try EntryTest(archive, isCancelled: { true }, progress: WorkProgress())
    let record = try Self.record(0, of: bytes)
    #expect(throws: CleaveError.cancelled) { try test.run(record, at: 0..<0, readsData: true) }
    #expect(try test.run(record, at: 0..<0, readsData: false) == .fine)
  }

  private static func told(_ finding: EntryFinding) -> String {
    switch finding {
    case .fine: "fine"
    case .notTested(let text): "not tested: \(text)"
    case .bad(let text): text
    }
  }

  private static func record(_ index: Int, of bytes: [UInt8]) throws -> CentralRecord {
    var directory = try ZipArchive(JoinedBytes([bytes]), as: .whole).directory
    for _ in 0..<index { _ = try directory.next() }
    return try #require(try directory.next())
  }
}
