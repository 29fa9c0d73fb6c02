import Posix
import TestSupport
import Testing

@testable import Cleave

/// What `info --map` draws, as cells.
@Suite struct PartMapTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func file(_ path: FilePath) throws -> SourceFile {
    try SourceFile(path: path, status: .of(path))
  }

  private func map(_ parts: [[UInt8]], as form: ZipArchive.Form? = nil) throws -> PartMap {
    let files = try parts.enumerated().map { index, bytes in
      let path = directory.file(FilePath("part\(index)"))
      try Files.write(bytes, to: path)
      return try file(path)
    }
    let archive = try form.map { try ZipArchive(JoinedBytes(files), as: $0) }
    return try PartMap(SourceFiles(files), archive)
  }

  static let sizes: [(sizes: [Int], cell: Int64, cells: [Int])] = [
    ([0], 1, [0]), ([1], 1, [1]), ([64], 1, [64]), ([65], 2, [33]), ([128], 2, [64]),
    ([129, 1, 0, 64], 4, [33, 1, 0, 16]),
  ]

  @Test(arguments: sizes)
  func theLargestPartHasNoMoreThan64Cells(sizes: [Int], cell: Int64, cells: [Int]) throws {
    let map = try map(sizes.map { Bytes.pattern(count: $0) })
    #expect(map.cellBytes == cell)
    #expect(map.rows.map(\.cells) == cells.map { Array(repeating: .data, count: $0) })
  }

  @Test(arguments: [(64, 1, 64), (65, 2, 33), (300, 5, 60)])
  func manyPartsShareRows(count: Int, perRow: Int, rows: Int) throws {
    let map = try map(Array(repeating: [1], count: count))
    #expect(map.rows.count == rows)
    #expect(map.rows[0].parts == 0..<perRow && map.rows[rows - 1].parts.upperBound == count)
    #expect(map.rows[0].cells.count == perRow)
  }

  @Test func theLargestSizesDoNotOverflow() throws {
    let path = directory.file("sparse")
    // ext4 has less.
    let size = [Int64.max, 1 << 43].first { (try? Files.makeSparse(path, size: $0)) != nil }
    guard let size else { return print("skipped: no sparse files here") }
    let map = try PartMap(SourceFiles([file(path)]), nil)
    #expect(map.cellBytes == (size == .max ? 1 << 57 : 1 << 37))
    #expect(map.rows.map(\.cells) == [Array(repeating: .hole, count: 64)])
  }

  @Test func holesAreDrawn() throws {
    let path = directory.file("sparse")
    try Files.makeSparse(path, size: 64 << 16)
    try Files.append(Bytes.pattern(count: 1 << 20), to: path)
    guard try FileStatus.of(path).allocated < 2 << 20 else {
      return print("skipped: no sparse files here")
    }
    let map = try PartMap(SourceFiles([file(path)]), nil)
    let cells: [PartMap.Content] =
      Array(repeating: .hole, count: 32) + Array(repeating: .data, count: 8)
    #expect(map.cellBytes == 1 << 17 && map.rows.map(\.cells) == [cells])
  }

  // MARK: Zips

  private static func entries(_ sizes: [Int]) -> [ZipEntry] {
    sizes.enumerated().map { index, size in
      ZipEntry("e\(index)", Bytes.pattern(count: size), method: .stored)
    }
  }

  @Test(arguments: [nil, 700]) func entriesAreWhereTheyAre(part: Int?) throws {
    let writer = ZipWriter(Self.entries([1000, 0, 500]))
    let parts = try part.map { try writer.parts(of: $0) } ?? [writer.single()]
    let map = try map(parts, as: part == nil ? .whole : .split)
    #expect(map.entries.map { "\($0.name)" } == ["e0", "e1", "e2"] && map.otherEntries == 0)
    // Headers have 30 bytes and the name; a split zip begins with a marker of 4.
    let start: Int64 = part == nil ? 0 : 4
    #expect(map.entries.map(\.range.lowerBound) == [start, start + 1032, start + 1064])
    #expect(map.entries.map(\.range.count64) == [1032, 32, 532])
    let cells = map.rows.flatMap(\.cells)
    #expect(cells.first == .entry(0) && cells.last == .directory)
    let entries = cells.compactMap { if case .entry(let index) = $0 { index } else { nil } }
    #expect(entries == entries.sorted() && Set(entries).isSuperset(of: [0, 2]))
    #expect(Double(entries.count { $0 == 0 }) * Double(map.cellBytes) > 1000)
  }

  @Test func onlyTheLargestEntriesHaveLetters() throws {
    let sizes = (1...40).map { $0 * 10 }
    let map = try map([ZipWriter(Self.entries(sizes)).single()], as: .whole)
    #expect(map.otherEntries == 14)
    #expect(map.entries.map { "\($0.name)" } == (14..<40).map { "e\($0)" })
    #expect(map.rows[0].cells.first == .other)
  }

  @Test func manySmallOnesInACellAreSeveral() throws {
    let sizes = [20_000] + Array(repeating: 60, count: 6)
    let map = try map([ZipWriter(Self.entries(sizes)).single()], as: .whole)
    #expect(map.cellBytes == 512)
    #expect(map.rows[0].cells.contains(.several))
  }

  // MARK: What is wrong

  private func mark(
    _ parts: [[UInt8]],
    as form: ZipArchive.Form? = nil,
    _ damage: (FilePath) throws -> Void
  ) throws -> [String] {
    _ = try map(parts)
    let names = parts.indices.map { directory.file(FilePath("part\($0)")) }
    let manifest = directory.file("sums.sfv")
    if form == nil {
      let lines = zip(names, parts).map { name, bytes in
        "\(name.lastComponent) \(Checksum.hexadecimal(Checksum(of: bytes[...], .crc32).crc32))\n"
      }
      try Files.write(Array(lines.joined().utf8), to: manifest)
    }
    try damage(names[names.count - 1])
    let files = try SourceFiles(names.map(file))
    let archive = try form.map { try ZipArchive(JoinedBytes(files), as: $0) }
    var map = try PartMap(files, archive)
    map.mark(try Verify([form == nil ? manifest : names[0]]).run())
    return map.rows.map { row in String(row.cells.map { $0 == .wrong ? "!" : "-" }) }
  }

  @Test func aPartWithoutSumsOfBlocksIsWrongAsAWhole() throws {
    let parts = [Bytes.pattern(count: 8), Bytes.pattern(count: 4)]
    let rows = try mark(parts) { try Files.write([1, 2, 3, 4], to: $0) }
    #expect(rows == ["--------", "!!!!"])
    #expect(try mark(parts) { _ in } == ["--------", "----"])
  }

  @Test func ofAZipTheWrongEntryIsMarked() throws {
    let zip = try ZipWriter(Self.entries([1000, 0, 500])).single()
    let rows = try mark([zip], as: .whole) { path in
      var damaged = zip
      damaged[1032 + 32 + 40] ^= 1
      try Files.write(damaged, to: path)
    }
    let row = try #require(rows.first)
    #expect(row.wholeMatch(of: /-+!+-+/) != nil && row.count { $0 == "!" } < 532 / 16)
  }
}
