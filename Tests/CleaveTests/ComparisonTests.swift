import Posix
import TestSupport
import Testing

@testable import Cleave

/// What a comparison with a manifest has compared, and what it has not.
@Suite struct ComparisonTests {
  private static let bytes: [[UInt8]] = [[1, 2, 3], [4, 5], [6]]
  private static let names: [FilePath] = ["a.001", "a.002", "a.003"]

  private static func checksum(_ bytes: [UInt8]) -> Checksum {
    Checksum(of: bytes[...], [.crc32, .adler32])
  }

  private static var parts: [(path: FilePath, checksum: Checksum)] {
    zip(names, bytes).map { ($0, checksum($1)) }
  }

  private static var whole: Checksum { checksum(bytes.flatMap { $0 }) }

  /// Stands for the MD5 of some bytes.
  private static func digest(_ seed: UInt8) throws -> Digest {
    try #require(Digest(.md5, bytes: [UInt8](repeating: seed, count: 16)))
  }

  /// What a manifest says of a file.
  enum Listing: Sendable {
    case none, crc32, digest, size
  }

  struct Row: Sendable {
    var parts: [Listing]
    var whole: Listing
    var hasWhole = true
    var hasDigests = true
    var compared: Int
    var comparesWhole = false
    var differences: [String] = []
  }

  private static func manifest(_ row: Row, wrong: Int? = nil) throws -> Manifest {
    var manifest = Manifest(sfv: [])
    for (index, listing) in row.parts.enumerated() where listing != .none {
      let seed = UInt8(index == wrong ? 99 : index)
      let sum = parts[index].checksum
      let expected = try expected(listing, sum, seed, isWrong: index == wrong)
      manifest.entries.append(Manifest.Entry(name: names[index], expected: expected))
    }
    guard row.whole != .none else { return manifest }
    let sums = try expected(row.whole, whole, 7, isWrong: false)
    manifest.entries.append(Manifest.Entry(name: "a", expected: sums))
    return manifest
  }

  private static func expected(
    _ listing: Listing,
    _ sum: Checksum,
    _ seed: UInt8,
    isWrong: Bool
  ) throws -> Manifest.Expected {
    switch listing {
    case .none: Manifest.Expected()
    case .crc32: Manifest.Expected(crc32: isWrong ? ~sum.crc32 : sum.crc32)
    case .digest: Manifest.Expected(digests: [try digest(seed)])
    case .size: Manifest.Expected(size: isWrong ? sum.count + 1 : sum.count)
    }
  }

  private static func compare(_ manifest: Manifest, _ row: Row) throws -> Manifest.Comparison {
    var digests = Digests()
    if row.hasDigests {
      digests.parts = try (0..<3).map { [try digest(UInt8($0))] }
      digests.whole = [try digest(7)]
    }
    return manifest.compare(
      parts: parts,
      whole: row.hasWhole ? whole : nil,
      of: "a",
      digests: digests
    )
  }

  private static let none = "names none of the parts"
  private static let absent = "is not in the manifest"

  static let rows = [
    Row(parts: [.crc32, .crc32, .crc32], whole: .none, compared: 3),
    Row(parts: [.digest, .crc32, .digest], whole: .none, compared: 3),
    Row(
      parts: [.crc32, .crc32, .crc32],
      whole: .crc32,
      compared: 3,
      comparesWhole: true
    ),
    Row(
      parts: [.crc32, .crc32, .crc32],
      whole: .crc32,
      hasWhole: false,
      compared: 3
    ),
    Row(
      parts: [.none, .none, .none],
      whole: .crc32,
      compared: 0,
      comparesWhole: true
    ),
    Row(
      parts: [.none, .none, .none],
      whole: .crc32,
      hasWhole: false,
      compared: 0
    ),
    Row(
      parts: [.none, .none, .none],
      whole: .digest,
      compared: 0,
      comparesWhole: true
    ),
    Row(
      parts: [.none, .none, .none],
      whole: .digest,
      hasDigests: false,
      compared: 0
    ),
    Row(parts: [.none, .none, .none], whole: .size, compared: 0),
    Row(
      parts: [.none, .none, .none],
      whole: .none,
      compared: 0,
      differences: [none]
    ),
    Row(
      parts: [.crc32, .none, .crc32],
      whole: .none,
      compared: 2,
      differences: [absent]
    ),
    Row(
      parts: [.crc32, .none, .crc32],
      whole: .crc32,
      compared: 2,
      comparesWhole: true,
      differences: [absent]
    ),
    Row(parts: [.size, .size, .size], whole: .none, compared: 0),
    Row(parts: [.crc32, .size, .crc32], whole: .none, compared: 2),
    Row(
      parts: [.digest, .digest, .digest],
      whole: .none,
      hasDigests: false,
      compared: 0
    ),
    Row(
      parts: [.digest, .digest, .digest],
      whole: .crc32,
      hasDigests: false,
      compared: 0,
      comparesWhole: true
    ),
  ]

  @Test("what was compared is told apart from what was not", arguments: rows.indices)
  func combinations(index: Int) throws {
    let row = Self.rows[index]
    let comparison = try Self.compare(try Self.manifest(row), row)
    #expect(comparison.partsCompared == row.compared)
    #expect(comparison.comparesWhole == row.comparesWhole)
    #expect(comparison.differences.map(\.text) == row.differences)
  }

  @Test("a part that differs is found wherever it was compared", arguments: rows.indices, 0..<3)
  func different(index: Int, part: Int) throws {
    let row = Self.rows[index]
    let isSeen = row.parts[part] != .none && (row.parts[part] != .digest || row.hasDigests)
    let comparison = try Self.compare(try Self.manifest(row, wrong: part), row)
    #expect(
      comparison.differences.contains { $0.path == Self.names[part] && $0.text != Self.absent }
        == isSeen
    )
  }

  @Test("sums that were not computed are not compared")
  func kinds() throws {
    let row = Row(parts: [.crc32, .crc32, .crc32], whole: .crc32, compared: 3)
    let manifest = try Self.manifest(row)
    let sums = Self.parts.map { (path: $0.path, checksum: Checksum(unsummed: $0.checksum.count)) }
    let comparison = manifest.compare(parts: sums, whole: nil, of: "a", kinds: [])
    #expect(comparison.differences.isEmpty && comparison.partsCompared == 0)
  }

  @Test("a part without bytes is compared by its size, and by a sum")
  func empty() throws {
    for expected in [Manifest.Expected(size: 0), Manifest.Expected(crc32: 0)] {
      var manifest = Manifest(sfv: [])
      manifest.entries = [Manifest.Entry(name: "a.001", expected: expected)]
      let parts = [(path: FilePath("a.001"), checksum: Checksum.empty)]
      let comparison = manifest.compare(parts: parts, whole: nil, of: "a")
      #expect(comparison.differences.isEmpty && comparison.partsCompared == 1)
    }
  }

  @Test("standard input is covered by the whole alone")
  func unnamed() throws {
    let row = Row(parts: [.crc32, .crc32, .crc32], whole: .crc32, compared: 2)
    let manifest = try Self.manifest(row)
    var parts = Self.parts
    parts[1].path = "-"
    let comparison = manifest.compare(parts: parts, whole: Self.whole, of: "a")
    #expect(comparison.differences.isEmpty && comparison.comparesWhole)
    #expect(comparison.partsCompared == 2)
  }

  @Test("a sums file for one part says nothing of the others")
  func single() throws {
    var manifest = try Self.manifest(
      Row(parts: [.crc32, .none, .none], whole: .none, compared: 1)
    )
    manifest.isOfSingleParts = true
    let comparison = manifest.compare(parts: Self.parts, whole: Self.whole, of: "a")
    #expect(comparison.differences.isEmpty && comparison.partsCompared == 1)
  }
}
