import Posix
import TestSupport
import Testing

@testable import Cleave

/// What the formats allow, and programs seldom write.
@Suite struct ContentProofFormatTests {
  typealias Verdict = ContentProofTests.Verdict

  private func expect(
    _ bytes: [UInt8],
    _ verdict: Verdict,
    _ text: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let directory = try TemporaryDirectory()
    let result = try directory.proof([bytes])
    let said = (result?.differences.first.first ?? result?.untested.first.first)?.text
    #expect(Verdict(result) == verdict, "\(said ?? "")", sourceLocation: location)
    if let text { #expect(said == text, sourceLocation: location) }
  }

  // MARK: gzip

  @Test func optionalFieldsOfAGzipHeaderAreSkipped() throws {
    let fields: [(flags: UInt8, bytes: [UInt8])] = [
      (0, []), (1, []), (4, [3, 0, 1, 2, 3]), (8, Array("name\0".utf8)),
      (16, Array("a comment\0".utf8)), (28, [0, 0] + Array("name\0comment\0".utf8)),
    ]
    for (flags, bytes) in fields {
      try expect(try Gzip.member(Bytes.text(count: 5000), flags, bytes), .whole)
      let header = Gzip.header(flags | 2, bytes)
      let sum = UInt16(truncatingIfNeeded: Checksum(of: header[...], .crc32).crc32)
      let right = try Gzip.member([1, 2, 3], flags | 2, bytes + [UInt8](littleEndian: sum))
      try expect(right, .whole)
      let wrong = try Gzip.member([1, 2, 3], flags | 2, bytes + [UInt8](littleEndian: sum ^ 1))
      try expect(wrong, .differs, "gzip member 1, at byte 0, has a header with another CRC-16")
    }
  }

  @Test(arguments: [
    (UInt8(0x20), [UInt8](), "gzip member 1, at byte 0, has flags that gzip does not"),
    (8, Array("endless".utf8), "ends within gzip member 1"),
    (4, [0xFF, 0xFF], "ends within gzip member 1"),
  ])
  func headersOfGzipThatAreNoneAreTold(flags: UInt8, bytes: [UInt8], text: String) throws {
    try expect(Gzip.header(flags, bytes) + [1, 1, 1], .differs, text)
  }

  @Test func sumAndSizeOfAGzipTrailerAreCompared() throws {
    let member = try Gzip.member([UInt8](repeating: 7, count: 1000))
    var wrong = member
    wrong[member.count - 8] ^= 1
    let sum = Checksum(of: [UInt8](repeating: 7, count: 1000)[...], .crc32).crc32
    let told = Checksum.hexadecimal(sum ^ 1)
    let crc = Checksum.hexadecimal(sum)
    try expect(wrong, .differs, "gzip member 1 has CRC-32 \(crc), not \(told)")
    wrong = member
    wrong[member.count - 1] ^= 1
    let text = "gzip member 1 has 1000 bytes when unpacked, not 16778216 modulo 2³²"
    try expect(wrong, .differs, text)
  }

  @Test func everyStartOfAGzipEndsEarly() throws {
    let member = try Gzip.member(Bytes.text(count: 300), 8, Array("name\0".utf8))
    for count in 3..<member.count {
      let directory = try TemporaryDirectory()
      let result = try directory.proof([Array(member[..<count])])
      #expect(result?.differences.first.map(\.sort) == [.endsEarly], "\(count)")
    }
  }

  @Test func thousandsOfMembersAreProved() throws {
    let member = try Gzip.member([1])
    let bytes = Array(repeatElement(member, count: 20_000).joined())
    let directory = try TemporaryDirectory()
    let result = try directory.proof(bytes.cut(3))
    #expect(result?.described == "the CRC-32 and size of 20000 gzip members")
    #expect(result?.coverage == .whole)
  }

  @Test func theEndOfABlockedGzipIsAnEmptyMember() throws {
    let extra: [UInt8] = [6, 0, 0x42, 0x43, 2, 0, 0x1B, 0]
    let data = try Gzip.member(Bytes.text(count: 300), 4, extra)
    let end = try Gzip.member([], 4, extra)
    try expect(data + end, .whole)
    try expect(data, .part, "has no empty BGZF block at its end, so that more may be missing")
  }

  /// Whole members, in whatever order, are right by themselves.
  @Test func membersThatBeginPartsAreProvedInPart() throws {
    let members = try (0..<4).map { try Gzip.member(Bytes.pattern(count: 500, seed: $0)) }
    let halves = [Array(members[0].prefix(300)), members[0].dropFirst(300) + members[1]]
    let rows = [(members, 2), (halves + members[2...], 3), (halves + [members[3], members[2]], 3)]
    for (parts, number) in rows {
      let result = try TemporaryDirectory().proof(parts)
      #expect(result?.coverage == .part)
      let texts = result?.untested.first.map(\.text)
      #expect(
        texts == ["begins with gzip member \(number), and nothing proves the order of members"]
      )
    }
    #expect(try TemporaryDirectory().proof([Array(members.joined())])?.coverage == .whole)
  }

  /// Unless a CRC of it is there.
  @Test func aPartOfAGzipHeaderIsProvedInPart() throws {
    let comment = Bytes.text(count: 900).map { max($0, 1) } + [0]
    let header = Gzip.header(18, comment)
    let sum = UInt16(truncatingIfNeeded: Checksum(of: header[...], .crc32).crc32)
    let rows: [(bytes: [UInt8], cuts: [Int], part: FilePath?)] = [
      (try Gzip.member([1], 16, comment), [300, 600], "a.001"),
      (try Gzip.member([1], 16, comment), [915], nil),
      (try Gzip.member([1], 18, comment + [UInt8](littleEndian: sum)), [300, 600], nil),
      (try Gzip.member([1]) + Gzip.member([2], 16, comment), [300, 600], "a.002"),
      (try Gzip.member([1]) + Gzip.member([2], 16, comment), [300], nil),
    ]
    for (bytes, cuts, part) in rows {
      let places = [0] + cuts + [bytes.count]
      let parts = zip(places, places.dropFirst()).map { Array(bytes[$0..<$1]) }
      let finding = try TemporaryDirectory().proof(parts)?.untested.first.first
      #expect(finding?.path.lastComponent == part)
      #expect(finding?.text.hasPrefix("lies within the header of gzip member") ?? true)
    }
  }

  // MARK: lzip

  @Test func lzipIsWalkedFromTheBack() throws {
    let members = [Lzip.member(100), Lzip.member(0), Lzip.member(70_000)]
    let bytes = Array(members.joined())
    let directory = try TemporaryDirectory()
    #expect(try directory.proof(bytes.cut(3))?.described == "the structure of 3 lzip members")
    try expect(bytes, .part)
    try expect(bytes.dropLast(), .differs, "does not end with the trailer of a lzip member")
    try expect(bytes + members[1].dropFirst(), .differs)
    var wrong = bytes
    wrong[members[0].count] ^= 1
    try expect(wrong, .differs)
  }

  // MARK: 7z

  @Test func anEmpty7zIsProved() throws {
    let body = [UInt8](repeating: 0, count: 20)
    let sum = Checksum(of: body[...], .crc32).crc32
    let bytes = FileFormat.magic(.sevenZip) + [0, 4] + [UInt8](littleEndian: sum) + body
    try expect(bytes, .part)
    try expect(bytes.dropLast(), .differs, "ends within the 7z header")
  }

  @Test(arguments: [UInt64.max, UInt64.max - 31, 1 << 63, (1 << 62) - 8] as [UInt64])
  func sizesOf7zThatAreImpossibleAreTold(size: UInt64) throws {
    let body = [UInt8](littleEndian: size) + [UInt8](littleEndian: size) + [0, 0, 0, 0]
    let sum = Checksum(of: body[...], .crc32).crc32
    let bytes = FileFormat.magic(.sevenZip) + [0, 4] + [UInt8](littleEndian: sum) + body
    try expect(bytes, .differs, "the 7z header tells of impossible sizes")
  }

  // MARK: What is none of these

  @Test func filesThatTellNothingAreSilent() throws {
    for text in ["", "a", "PK", "PK\u{3}\u{4}", "MZ", "BZh91AY&SY", "\u{4}\"M\u{18}"] {
      try expect(Array(text.utf8), .silent)
    }
    try expect([0x1F, 0x8B], .silent)
    try expect([UInt8](repeating: 0, count: 1024), .silent)
    try expect(Bytes.text(count: 2000), .silent)
  }

  @Test func randomBytesBehindAMagicNumberProveNothing() throws {
    let seed = SeededGenerator.seed
    print("random bytes behind magic numbers, seed: \(seed)")
    var random = SeededGenerator(seed: seed)
    let ustar = Array("a".utf8) + [UInt8](repeating: 0, count: 256) + Array("ustar\u{0}00".utf8)
    let starts: [[UInt8]] = [
      [0x1F, 0x8B, 8], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0],
      Array("LZIP\u{1}\u{C}".utf8), [0x28, 0xB5, 0x2F, 0xFD], ustar, [0x50, 0x4B, 3, 4],
    ]
    for start in starts {
      for _ in 0..<30 {
        let count = Int.random(in: 0..<3000, using: &random)
        let bytes = start + Bytes.pattern(count: count, seed: random.next())
        let directory = try TemporaryDirectory()
        let result = try directory.proof(bytes.cut(3))
        #expect(result == nil || result?.error != nil, "\(start) \(count)")
      }
    }
  }
}

/// Members of gzip files with any header.
enum Gzip {
  static func header(_ flags: UInt8, _ fields: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 0, 3] + fields
  }

  static func member(
    _ bytes: [UInt8],
    _ flags: UInt8 = 0,
    _ fields: [UInt8] = []
  ) throws -> [UInt8] {
    let sum = Checksum(of: bytes[...], .crc32)
    return header(flags, fields) + (try ZipCoding.deflated(bytes))
      + [UInt8](littleEndian: sum.crc32)
      + [UInt8](littleEndian: UInt32(truncatingIfNeeded: sum.count))
  }
}

/// Members of lzip files, with data that nobody unpacks.
enum Lzip {
  static func member(_ count: Int) -> [UInt8] {
    Array("LZIP\u{1}\u{C}".utf8) + Bytes.pattern(count: 10 + count)
      + [UInt8](repeating: 0, count: 12) + [UInt8](littleEndian: UInt64(36 + count))
  }
}
