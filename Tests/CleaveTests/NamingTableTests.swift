import Posix
import TestSupport
import Testing

@testable import Cleave

/// The families of names, by what people and programs really call their parts.
@Suite struct NamingTableTests {
  /// Names in the order of the parts, and what they are read as; any of them is enough.
  struct Row: Sendable, CustomTestStringConvertible {
    let family: NamingStyle.Family
    let names: [FilePath]
    let whole: FilePath

    init(_ family: NamingStyle.Family, _ names: [String], _ whole: String) {
      (self.family, self.names) = (family, names.map { FilePath($0) })
      self.whole = FilePath(whole)
    }

    var testDescription: String { "\(family.rawValue): \(names[0])" }
  }

  static let rows = [
    Row(.numbers, ["gcd.mp4.zip.001", "gcd.mp4.zip.002", "gcd.mp4.zip.003"], "gcd.mp4.zip"),
    Row(.numbers, ["disk.img.00", "disk.img.01"], "disk.img"),
    Row(.numbers, ["a.7z.998", "a.7z.999", "a.7z.1000"].map(from(1)).flatMap { $0 }, "a.7z"),
    Row(.numbers, ["film.part01.001", "film.part01.002"], "film.part01"),
    Row(.digit, ["big.iso.0", "big.iso.1", "big.iso.2"], "big.iso"),
    Row(.digit, (1...12).map { "big.iso.\($0)" }, "big.iso"),
    Row(.hexadecimal, (0..<20).map { "dump.\(hexadecimal($0))" }, "dump"),
    Row(.hexadecimal, (0..<250).map(widened), "dump"),
    Row(.rcloneChunks, ["v.mkv.rclone_chunk.001", "v.mkv.rclone_chunk.002"], "v.mkv"),
    Row(.ofTotal, ["v.part1of3.mp4", "v.part2of3.mp4", "v.part3of3.mp4"], "v.mp4"),
    Row(.ofTotal, ["My Film (part 1 of 2).avi", "My Film (part 2 of 2).avi"], "My Film.avi"),
    Row(.ofTotal, ["x_Part_01_of_02", "x_Part_02_of_02"], "x"),
    Row(.ofTotal, (1...11).map { "model.gguf-part-\($0)-of-11" }, "model.gguf"),
    Row(
      .partWord,
      ["v.part1.mp4", "v.part2.mp4", "v.part10.mp4"].map(upTo10).flatMap { $0 },
      "v.mp4"
    ),
    Row(.partWord, ["backup-part-01.tar", "backup-part-02.tar"], "backup.tar"),
    Row(.partWord, ["a.split0", "a.split1"], "a"),
    Row(.partWord, ["log_chunk_001", "log_chunk_002"], "log"),
    Row(.partWord, ["d.seg.1.bin", "d.seg.2.bin"], "d.bin"),
    Row(.partWord, ["setup.sf-part1", "setup.sf-part2"], "setup"),
    Row(.partWord, ["V.PART1.MP4", "V.PART2.MP4"], "V.MP4"),
    Row(.partLetters, ["movie.mkv.partaa", "movie.mkv.partab", "movie.mkv.partac"], "movie.mkv"),
    Row(.partWord, ["f.chunk.0", "f.chunk.1"], "f"),
    Row(.partWord, (0..<20).map { "f.part-\(hexadecimal($0))" }, "f"),
    Row(.hexadecimal, (1..<30).map { "f.\(hexadecimal($0))" }, "f"),
    Row(.partLetters, ["foo.tar.gz.part-aa", "foo.tar.gz.part-ab"], "foo.tar.gz"),
    Row(.dashDigits, (0..<20).map { "f-\(hexadecimal($0))" }, "f"),
    Row(.partLetters, ["f.partaa.bin", "f.partab.bin"], "f.bin"),
    Row(.letters, ["f-aa.mp4", "f-ab.mp4", "f-ac.mp4"], "f.mp4"),
    Row(.letters, ["xaa", "xab", "xac"], "x"),
    Row(.letters, ["big.tar.gz.aa", "big.tar.gz.ab"], "big.tar.gz"),
    Row(.letters, ["big_aaa", "big_aab", "big_aac"], "big"),
    Row(.letters, (0..<700).map(letters), "db"),
    Row(.digits, ["x00", "x01", "x02"], "x"),
    Row(.dashDigits, ["backup.tar-00", "backup.tar-01"], "backup.tar"),
    Row(.dashDigits, ["dump_01", "dump_02", "dump_03"], "dump"),
  ]

  @Test("any part of each family is enough", arguments: rows)
  func found(row: Row) throws {
    let directory = try TemporaryDirectory()
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    for name in row.names.shuffled(using: &random) { try directory.make(name, [1, 2]) }
    for name in [row.names[0], row.names.randomElement(using: &random) ?? "", row.names.last ?? ""]
    {
      let series = try #require(try PartSeries.containing(directory(name)), "\(name), seed \(seed)")
      #expect(series.family == row.family, "\(name), seed \(seed)")
      #expect(series.base == directory(row.whole), "\(name), seed \(seed)")
      let complete = try series.requireComplete()
      #expect(complete.series.parts.map(\.path) == row.names.map { directory($0) }, "seed \(seed)")
      #expect(complete.stale.isEmpty)
    }
  }

  /// What a name alone says, and what is missing then.
  @Test(
    "a gap is told by the names that are missing",
    arguments: [
      (["xaa", "xac"], "1 part is missing: xab"),
      (["v.part1of3.mp4", "v.part2of3.mp4"], "1 part is missing: v.part3of3.mp4"),
      (["v.part2.mp4", "v.part3.mp4"], "1 part is missing: v.part1.mp4"),
      (["m.partaa", "m.partad"], "2 parts are missing: m.partab to m.partac"),
      (["c.rclone_chunk.001", "c.rclone_chunk.003"], "1 part is missing: c.rclone_chunk.002"),
      (
        ["d.00", "d.0a", "d.01", "d.02", "d.04", "d.05", "d.06", "d.07", "d.08", "d.09"],
        "1 part is missing: d.03"
      ),
      (
        ["a.001", "a.003", "a (1).002"],
        "1 part is missing: a.002; a (1).002 may be it: rename it if it is"
      ),
      (
        ["a.001", "a.003", "a.002.crdownload"],
        "1 part is missing: a.002; a.002.crdownload says that it is still being downloaded"
      ),
    ] as [([String], String)]
  )
  func gaps(names: [String], message: String) throws {
    let directory = try TemporaryDirectory()
    for name in names { try directory.make(FilePath(name), [1]) }
    let series = try #require(try PartSeries.containing(directory(FilePath(names[0]))))
    let error = #expect(throws: CleaveError.self) { try series.requireComplete() }
    #expect(error?.kind == .missingInput)
    #expect(error?.message == "\(series.base): \(message)")
  }

  @Test(
    "names that are no part's",
    arguments: [
      ["data", "date"], ["photo-01"], ["syslog", "syslog.gz"], ["aa"],
      ["release-2024", "release-2025"], ["x01", "x02"], ["a.part1.rar", "a.part2.rar"],
      ["a.rar", "a.r00"], ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"], ["disk1.gsd"],
      ["takeout-20250101T000000Z-001.zip", "takeout-20250101T000000Z-002.zip"],
    ] as [[FilePath]]
  )
  func none(names: [FilePath]) throws {
    let directory = try TemporaryDirectory()
    for name in names { try directory.make(name, [1]) }
    #expect(try PartSeries.containing(directory(names[0])) == nil)
  }

  /// Names of two series, or of other files, beside each other.
  @Test(
    "what is like a part and is none is left alone",
    arguments: [
      ("f.aaaa", ["f.aa", "f.ab", "f.aaaa", "f.aaab"], ["f.aaaa", "f.aaab"]),
      ("f.ab", ["f.aa", "f.ab", "f.aaaa", "f.aaab"], ["f.aa", "f.ab"]),
      ("data.aa", ["data.aa", "data.ab", "data.gz"], ["data.aa", "data.ab"]),
      ("x.aac", ["x.aaa", "x.aab", "x.aac", "x.iso"], ["x.aaa", "x.aab", "x.aac"]),
      ("f.0000", ["f.00", "f.0a", "f.01", "f.0000", "f.0001"], ["f.0000", "f.0001"]),
    ] as [(FilePath, [FilePath], [FilePath])]
  )
  func neighbours(operand: FilePath, names: [FilePath], members: [FilePath]) throws {
    let directory = try TemporaryDirectory()
    for name in names { try directory.make(name, [1]) }
    let series = try #require(try PartSeries.containing(directory(operand)))
    #expect(series.parts.map(\.path.lastComponent) == members)
    #expect(throws: Never.self) { try series.requireComplete() }
  }

  @Test("names that can be read in two ways stop with the option that decides")
  func rivals() throws {
    let directory = try TemporaryDirectory()
    let names: [FilePath] = ["x.part1.001", "x.part1.002", "x.part2.001", "x.part2.002"]
    for name in names { try directory.make(name, [1]) }
    let error = #expect(throws: CleaveError.self) {
      try PartSeries.containing(directory("x.part1.001"))
    }
    #expect(error?.kind == .badData)
    #expect(error?.remedies == [.family(.numbers), .family(.partWord)])
    let numbered = try PartSeries.containing(directory("x.part1.001"), as: .numbers)
    #expect(numbered?.base == directory("x.part1"))
    let words = try PartSeries.containing(directory("x.part1.001"), as: .partWord)
    #expect(words?.base == directory("x.001"))
  }

  @Test("names that differ in case alone are one series, unless both have a part of one number")
  func cases() throws {
    let directory = try TemporaryDirectory()
    for name in ["A.001", "a.002", "A.003"] as [FilePath] { try directory.make(name, [1]) }
    let mixed = try #require(try PartSeries.containing(directory("A.001")))
    #expect(mixed.parts.map(\.path.lastComponent) == ["A.001", "a.002", "A.003"])
    try directory.make("a.001", [1])
    let apart = try #require(try PartSeries.containing(directory("A.001")))
    #expect(apart.parts.map(\.path.lastComponent) == ["A.001", "A.003"])
    #expect(apart.foreign.map(\.lastComponent) == ["a.001", "a.002"])
  }

  @Test("a name that is not UTF-8 is read like any other")
  func bytes() throws {
    let directory = try TemporaryDirectory()
    let names = [1, 2].map { FilePath(bytes: [0xFF, 0xFE] + Array(".part\($0).x".utf8)) }
    for name in names { try directory.make(name, [1]) }
    let series = try #require(try PartSeries.containing(directory(names[1])))
    #expect(series.parts.map(\.path.lastComponent) == names)
    #expect(series.base.lastComponent.bytes == [0xFF, 0xFE] + Array(".x".utf8))
  }

  @Test("every family has a row, and rows that --as offers are joined")
  func rowsAreThere() {
    let families = NamingStyle.table.map(\.family)
    #expect(Set(families) == Set(NamingStyle.Family.allCases))
    let refused: Set<NamingStyle.Family> = [.splitZip, .zipx, .foreign]
    #expect(Set(NamingStyle.joinedFamilies) == Set(families).subtracting(refused))
  }
}

private func from(_ first: Int) -> (String) -> [String] {
  { name in
    guard name.hasSuffix(".998") else { return [name] }
    return (first...998).map { number in
      "a.7z." + String(repeating: "0", count: 3 - String(number).count) + "\(number)"
    }
  }
}

private func upTo10(_ name: String) -> [String] {
  guard name.hasPrefix("v.part2.") else { return [name] }
  return (2...9).map { "v.part\($0).mp4" }
}

private func hexadecimal(_ number: Int) -> String {
  (number < 16 ? "0" : "") + String(number, radix: 16)
}

/// As `split -x` names parts: 00 … ef, f000 ….
private func widened(_ place: Int) -> String {
  "dump." + (place < 240 ? hexadecimal(place) : "f0" + hexadecimal(place - 240))
}

/// As `split` names parts: aa … yz, zaaa ….
private func letters(_ place: Int) -> String {
  let digits = PartAlphabet.letters.digits(of: Int64(place < 650 ? place : place - 650), width: 2)
  let text = String(decoding: digits, as: UTF8.self)
  return "db." + (place < 650 ? text : "za" + text)
}
