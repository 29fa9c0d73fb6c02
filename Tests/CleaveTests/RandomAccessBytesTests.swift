import Posix
import TestSupport
import Testing
import Trials

@testable import Cleave

/// Whatever looks into sources does so wherever they are: here in memory.
@Suite struct RandomAccessBytesTests {
  private static let body = Bytes.pattern(count: 3000).map { $0 | 1 }
  private static let writer = ZipWriter([
    ZipEntry("a", Bytes.text(count: 9000)), ZipEntry("b", body, method: .stored),
    ZipEntry("c", body, method: .stored),
  ])

  // MARK: Zips

  @Test func theEntriesOfASplitZipAreTested() throws {
    let parts = try Self.writer.parts(of: 2800)
    #expect(parts.count == 3)
    let bytes = try JoinedBytes(parts)
    let found = try #require(try ZipArchive.held(by: bytes))
    #expect(found.kind == .splitZip && found.archive.addressing == .disks)
    let result = try #require(try ContentProof(of: bytes, archive: found.archive)?.run())
    #expect((result.proved, result.coverage) == (3, .whole))
  }

  @Test func thePartWithADamagedEntryIsNamed() throws {
    var parts = try Self.writer.parts(of: 2800)
    parts[1][100] ^= 1
    let bytes = try JoinedBytes(parts, named: ["one", "two", "three"])
    let archive = try #require(try ZipArchive.held(by: bytes)).archive
    let result = try #require(try ContentProof(of: bytes, archive: archive)?.run())
    #expect(result.proved == 2)
    #expect(result.differences.first.map(\.path).allSatisfy { ["one", "two"].contains($0) })
    #expect(result.differences.count == 1)
  }

  @Test func piecesOfAZipAreRecognised() throws {
    let bytes = try JoinedBytes(Self.writer.single().cut(3))
    #expect(try ZipArchive.held(by: bytes)?.kind == .zipPieces)
    #expect(try ContentProof(of: bytes)?.run().proved == 3)
    let error = #expect(throws: CleaveError.self) {
      try ZipArchive.held(by: JoinedBytes(Self.writer.single().cut(3).dropLast()))
    }
    #expect(error?.kind == .missingInput && error?.path == "a.002")
  }

  @Test func partsThatWereConcatenatedAreFoundAgain() throws {
    let whole = try Self.writer.parts(of: 2800).flatMap { $0 }
    let repair = try ZipRepair(JoinedBytes([whole]))
    #expect(repair.disks == 3)
    #expect(try ContentProof(of: repair.archive.bytes, archive: repair.archive)?.run().proved == 3)
  }

  // MARK: Heads and ends

  @Test(arguments: FileFormat.Kind.allCases)
  func formatsAreKnownByTheHeadsOfParts(kind: FileFormat.Kind) throws {
    let whole = try FormatSample.whole(kind)
    let heads = try PartHeads(of: JoinedBytes([whole, [], Self.body])).typical
    #expect(heads.map(\.format?.kind) == [kind, nil, nil])
    #expect(heads.map(\.path) == ["a.001", "a.002", "a.003"])
    #expect(heads.map(\.size) == [Int64(whole.count), 0, 3000])
  }

  @Test func archivesOfTheirOwnAreRefused() throws {
    let wholes = try [FormatSample.whole(.zip, seed: 1), FormatSample.whole(.zip, seed: 2)]
    let error = #expect(throws: CleaveError.self) {
      try ForeignContent(of: JoinedBytes(wholes), base: nil).refuse()
    }
    #expect(error?.message.contains("so is a.002: they are not parts of one file") == true)
  }

  @Test(arguments: [1, 2, 5])
  func aTarFileIsWalkedThrough(count: Int) throws {
    let whole = FormatSample.tar([(UInt8(ascii: "0"), Self.body), (UInt8(ascii: "0"), Self.body)])
    #expect(try TarWalk(JoinedBytes(whole.cut(count))).end == .zeros)
    #expect(try TarWalk(JoinedBytes(Array(whole[..<6000]).cut(count))).end == .cut)
    let end = try ContentEnd(of: JoinedBytes(Array(whole[..<6000]).cut(count)), in: nil)
    guard case .absent = end else {
      Issue.record("\(end)")
      return
    }
  }

  @Test func aMissingEndIsToldByTheHeader() throws {
    let whole = try FormatSample.whole(.sevenZip)
    guard case .exact = try ContentEnd(of: JoinedBytes(whole.cut(3)), in: nil) else {
      Issue.record("the end is there")
      return
    }
    guard case .absent = try ContentEnd(of: JoinedBytes(Array(whole.cut(3)[..<2])), in: nil) else {
      Issue.record("the end is not there")
      return
    }
  }

  // MARK: Places

  @Test func bytesAreThoseOfThePartsInTheirOrder() throws {
    let seed = SeededGenerator.seed
    print("bytes of parts, seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let whole = Bytes.pattern(count: 500, seed: seed)
    for _ in 0..<50 {
      let ends = (0..<20).map { _ in Int.random(in: 0...500, using: &random) }.sorted() + [500]
      let parts = zip([0] + ends, ends).map { Array(whole[$0..<$1]) }
      let bytes = try JoinedBytes(parts)
      for _ in 0..<50 {
        let start = Int.random(in: 0...500, using: &random)
        let count = Int.random(in: 0...500, using: &random)
        let expected = start + count > 500 ? nil : Array(whole[start..<(start + count)])
        #expect(try bytes.bytes(count, at: Int64(start)) == expected)
      }
      for (index, part) in parts.enumerated() {
        let alone = bytes.part(index)
        #expect(try alone.bytes(part.count, at: 0) == part)
        #expect(try alone.bytes(part.count + 1, at: 0) == nil)
        #expect(alone.layout.last == bytes.layout.paths[index])
      }
    }
  }

  @Test func sizesWithoutASumAreRefused() {
    let huge = Huge()
    #expect(throws: CleaveError.tooLarge("huge")) { try JoinedBytes([huge, huge]) }
  }

  private struct Huge: RandomAccessBytes {
    let path: FilePath = "huge"
    let size = Int64.max
    let identity = 0
    func currentIdentity() -> Int { identity }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {}
  }

  // MARK: Change

  @Test func anotherIdentityIsNoticed() throws {
    let bytes = try Self.writer.single()
    let source = MemorySource("z.zip", bytes)
    let joined = try JoinedBytes([source])
    let proof = try #require(try ContentProof(of: joined))
    #expect(try proof.run().coverage == .whole)
    // The same bytes, but nobody can know.
    source.replace(with: bytes)
    #expect(throws: CleaveError.changed("z.zip")) { try proof.run() }
    #expect(throws: CleaveError.changed("z.zip")) { try joined.requireUnchanged() }
    #expect(throws: CleaveError.changed("z.zip")) { try joined.close() }
  }

  /// Few are kept open; those that are closed are asked before.
  @Test func changesOfSourcesThatWereReadLongAgoAreNoticed() throws {
    let sources = (0..<30).map { MemorySource(FilePath("s\($0)"), [UInt8($0)]) }
    let joined = try JoinedBytes(sources)
    #expect(try joined.bytes(8, at: 0) == [0, 1, 2, 3, 4, 5, 6, 7])
    sources[0].replace(with: [9])
    #expect(throws: CleaveError.changed("s0")) { try joined.bytes(30, at: 0) }
  }

  @Test func aSourceThatShrankSaysSo() throws {
    let source = MemorySource("s", Array(repeating: 1, count: 100))
    let joined = try JoinedBytes([source])
    source.replace(with: [1])
    let error = #expect(throws: CleaveError.self) { try joined.bytes(100, at: 0) }
    #expect(error?.kind == .badData)
  }

  @Test(arguments: ["longer", "shorter", "the same size", "gone"])
  func aFileThatChangesIsNoticed(how: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.make("f", Array(repeating: 1, count: 100))
    let file = try SourceFile(examining: path)
    let open = try InputFile(file)
    try open.requireUnchanged()
    switch how {
    case "longer": try Files.write(Array(repeating: 1, count: 101), to: path)
    case "shorter": try Files.write([1], to: path)
    case "the same size":
      try FileSystem.unlink(path)
      try directory.make("f", Array(repeating: 1, count: 100))
    default: try FileSystem.unlink(path)
    }
    let error = #expect(throws: CleaveError.self) { try InputFile(file) }
    let kind: CleaveError.Kind =
      switch how {
      case "shorter": .badData
      case "gone": .missingInput
      default: .changedInput
      }
    #expect(error?.kind == kind, "\(how): \(error as Any)")
  }
}
