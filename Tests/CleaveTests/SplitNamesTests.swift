import Posix
import TestSupport
import Testing

@testable import Cleave

/// What split calls parts, and that merging finds them again by any one.
@Suite struct SplitNamesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// As it was typed; nil for the file's name.
    var prefix: FilePath?
    var suffixes = PartSuffixes()
    var ending: FilePath = ""
    var length: Int?
    /// Of the parts, in order.
    var names: [FilePath]

    var testDescription: String { "\(names[0])" }
  }

  private static let hexadecimal = PartSuffixes(.hexadecimal)
  private static let decimal = PartSuffixes(.decimal)
  private static var single: PartSuffixes {
    var suffixes = hexadecimal
    suffixes.length = 1
    return suffixes
  }
  private static let letters = PartSuffixes(.letters)

  static let rows = [
    Row(names: ["f.csv.001", "f.csv.002", "f.csv.003"]),
    Row(ending: ".csv", names: ["f.csv.001.csv", "f.csv.002.csv", "f.csv.003.csv"]),
    Row(suffixes: decimal, names: ["f.csv.00", "f.csv.01", "f.csv.02"]),
    Row(prefix: "x", suffixes: decimal, names: ["x00", "x01", "x02"]),
    Row(prefix: "x", suffixes: decimal, ending: ".csv", names: ["x00.csv", "x01.csv", "x02.csv"]),
    Row(
      prefix: "x_",
      suffixes: decimal,
      ending: ".csv",
      names: ["x_00.csv", "x_01.csv", "x_02.csv"]
    ),
    Row(prefix: "x", suffixes: decimal, length: 4, names: ["x0000", "x0001", "x0002"]),
    Row(prefix: "x", suffixes: PartSuffixes(.decimal, from: 1), names: ["x01", "x02", "x03"]),
    Row(prefix: "x", suffixes: PartSuffixes(.decimal, from: 7), names: ["x07", "x08", "x09"]),
    Row(
      prefix: "x.",
      suffixes: PartSuffixes(.decimal, from: 99),
      names: ["x.099", "x.100", "x.101"]
    ),
    Row(prefix: "x", suffixes: hexadecimal, names: ["x00", "x01", "x02"]),
    Row(
      prefix: "x",
      suffixes: hexadecimal,
      ending: ".csv",
      names: ["x00.csv", "x01.csv", "x02.csv"]
    ),
    Row(suffixes: hexadecimal, length: 3, names: ["f.csv.000", "f.csv.001", "f.csv.002"]),
    Row(prefix: "x", suffixes: letters, names: ["xaa", "xab", "xac"]),
    Row(prefix: "x", suffixes: letters, ending: ".csv", names: ["xaa.csv", "xab.csv", "xac.csv"]),
    Row(prefix: "backup", suffixes: letters, names: ["backupaa", "backupab", "backupac"]),
    Row(prefix: "part", suffixes: letters, names: ["partaa", "partab", "partac"]),
    Row(suffixes: letters, names: ["f.csv.aa", "f.csv.ab", "f.csv.ac"]),
    Row(prefix: "x", suffixes: letters, length: 4, names: ["xaaaa", "xaaab", "xaaac"]),
    Row(prefix: "x-", suffixes: letters, length: 1, names: ["x-a", "x-b", "x-c"]),
    Row(prefix: "a.z", suffixes: decimal, names: ["a.z00", "a.z01", "a.z02"]),
    Row(prefix: "p..", suffixes: letters, names: ["p..aa", "p..ab", "p..ac"]),
    // Also the prefix ends in what may be the first letter.
    Row(prefix: "data", suffixes: letters, names: ["dataaa", "dataab", "dataac"]),
    // These may be decimal numbers as well, of which the manifest tells the first.
    Row(
      prefix: "x.",
      suffixes: PartSuffixes(.hexadecimal, from: 2),
      names: ["x.02", "x.03", "x.04"]
    ),
  ]

  static let ones = [
    Row(prefix: "p", suffixes: letters, names: ["paa"]),
    Row(prefix: "x-", suffixes: letters, length: 1, names: ["x-a"]),
    Row(suffixes: letters, ending: ".csv", names: ["f.csv.aa.csv"]),
    Row(prefix: "film.part1of3", names: ["film.part1of3.001"]),
    Row(prefix: "a.001", ending: ".zip", names: ["a.001.001.zip"]),
    Row(prefix: "x", suffixes: PartSuffixes(.decimal, from: 7), names: ["x07"]),
  ]

  @Test("the only part leads to what it makes, as its manifest does", arguments: ones)
  func only(row: Row) throws {
    try Files.write(text, to: file)
    let outcome = try split(row, .every(100)).run()
    #expect(outcome.report.destinations.count == 1)
    try FileSystem.unlink(file)
    let lists = try directory.names().filter { $0.ends(in: ".sfv") }
    #expect(try directory.names() == (row.names + lists).sorted())
    for name in row.names + lists + ["."] {
      var merge = Merge(try Selection(of: [directory.file(name)]), into: directory.file("whole"))
      merge.work.output.synchronizes = false
      #expect(try merge.run().verdict.isVerified, "\(name)")
      #expect(try Files.read(directory.file("whole")) == text, "\(name)")
      try FileSystem.unlink(directory.file("whole"))
    }
  }

  /// Letters that are hexadecimal digits, too, with a dot more in front than the name of the whole has.
  @Test func aManifestOfLettersBehindTwoDotsIsOfAllOfThem() throws {
    let bytes = Bytes.pattern(count: 290)
    try Files.write(bytes, to: file)
    _ = try split(Row(prefix: "p..", suffixes: Self.letters, names: []), .every(10)).run()
    try FileSystem.unlink(file)
    #expect(try Verify([directory.file("p..sfv")]).run().isRight)
    _ = try Merge(try Selection(of: [directory.file("p..sfv")]), into: directory.file("whole"))
      .run()
    #expect(try Files.read(directory.file("whole")) == bytes)
  }

  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file("f.csv") }
  private let text = Array("first\nsecond line\n3\n".utf8)

  init() throws { directory = try TemporaryDirectory() }

  private func split(_ row: Row, _ cuts: CutList) -> Split {
    var suffixes = row.suffixes
    suffixes.length = row.length ?? suffixes.length
    suffixes.ending = row.ending
    let naming = PartNaming(
      row.prefix.map { directory.file($0) } ?? file,
      isTyped: row.prefix != nil,
      suffixes
    )
    var split = Split(file, cuts, naming: naming)
    split.work.output.synchronizes = false
    return split
  }

  @Test("any part leads to the others, and to what they make", arguments: rows)
  func parts(row: Row) throws {
    for cuts in [CutList.records(1), .recordBytes(14), .recordChunks(3), .every(7), .count(3)] {
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
      try Files.write(text, to: file)
      _ = try split(row, cuts).run()
      try FileSystem.unlink(file)
      let names = try directory.names().filter { !$0.ends(in: ".sfv") }
      #expect(names == Array(row.names.prefix(names.count)), "\(cuts)")
      #expect(names.count >= 2)
      for name in names {
        var merge = Merge(try Selection(of: [directory.file(name)]), into: directory.file("whole"))
        merge.work.output.synchronizes = false
        #expect(merge.selection.names.count == names.count, "\(cuts) of \(name)")
        #expect(merge.selection.defaultOutput == file, "\(cuts) of \(name)")
        #expect(try merge.run().verdict.isVerified, "\(cuts) of \(name)")
        #expect(try Files.read(directory.file("whole")) == text, "\(cuts) of \(name)")
        try FileSystem.unlink(directory.file("whole"))
        #expect(try Verify([directory.file(name)]).run().isRight)
      }
    }
  }

  /// Suffixes of many parts: those of the last one, by the parts' number.
  typealias Last = (suffixes: PartSuffixes, prefix: FilePath?, cuts: CutList, last: FilePath)
  static let lasts: [Last] = [
    (decimal, "x", .every(10), "x69"), (decimal, "x", .every(7), "x9009"),
    (decimal, "x", .count(100), "x99"), (decimal, "x", .count(101), "x100"),
    (PartSuffixes(.decimal, from: 1), "x", .every(7), "x100"),
    (hexadecimal, "x", .every(50), "x0d"), (hexadecimal, "x", .every(2), "xf06d"),
    (hexadecimal, "x", .count(300), "x12b"), (hexadecimal, nil, .every(50), "f.csv.0d"),
    (PartSuffixes(.hexadecimal, from: 9), "x", .every(25), "x24"),
    (hexadecimal, "part", .every(25), "part1b"), (hexadecimal, "chunk", .every(50), "chunk0d"),
    (letters, "x", .every(20), "xbi"), (letters, "x", .every(1), "xzabx"),
    (letters, "x", .count(700), "xbax"), (letters, nil, .every(1), "f.csv.zabx"),
  ]

  @Test("so are those of many parts", arguments: lasts)
  func many(row: Last) throws {
    let bytes = Bytes.pattern(count: 700)
    try Files.write(bytes, to: file)
    let outcome = try split(
      Row(prefix: row.prefix, suffixes: row.suffixes, names: [row.last]),
      row.cuts
    ).run()
    try FileSystem.unlink(file)
    let names = try directory.names().filter { !$0.ends(in: ".sfv") }
    #expect(names.last == row.last)
    #expect(names.count == outcome.report.destinations.count)
    for name in [names[0], names[names.count / 2], row.last] {
      var merge = Merge(try Selection(of: [directory.file(name)]), into: directory.file("whole"))
      merge.work.output.synchronizes = false
      #expect(try merge.run().verdict.isVerified, "\(name)")
      #expect(try Files.read(directory.file("whole")) == bytes, "\(name)")
      try FileSystem.unlink(directory.file("whole"))
    }
  }

  @Test("digests tell the first part as well", arguments: ["", ".csv"])
  func digests(ending: FilePath) throws {
    try Files.write(text, to: file)
    var suffixes = PartSuffixes(.decimal, from: 5)
    suffixes.ending = ending
    var split = split(Row(prefix: "x", suffixes: suffixes, ending: ending, names: []), .records(1))
    split.options.manifest = .file(directory.file(FilePath("x\(ending).sha256")))
    _ = try split.run()
    try FileSystem.unlink(file)
    for name in ["x05", "x06", "x07"] {
      let part = directory.file(FilePath("\(name)\(ending)"))
      var merge = Merge(try Selection(of: [part]), into: directory.file("whole"))
      merge.work.output.synchronizes = false
      #expect(try merge.run().verdict.isVerified, "\(name)")
      #expect(try Files.read(directory.file("whole")) == text, "\(name)")
      try FileSystem.unlink(directory.file("whole"))
      #expect(try Verify([part]).run().isRight)
    }
    // What the manifest names is still missing where it is not there.
    try FileSystem.unlink(directory.file(FilePath("x05\(ending)")))
    #expect(throws: CleaveError.self) {
      _ = try Merge(
        try Selection(of: [directory.file(FilePath("x06\(ending)"))]),
        into: directory.file("whole")
      ).prepare()
    }
  }

  @Test(
    "a hexadecimal number that is missing is not passed over",
    arguments: ["part", "x"],
    [0, 12]
  )
  func hexadecimalGap(stem: String, missing: Int) throws {
    for number in 0..<28 where number != missing {
      let digits = String(number, radix: 16)
      let name = "\(stem)\(digits.count < 2 ? "0" : "")\(digits)"
      try Files.write([UInt8](repeating: 7, count: 40), to: directory.file(FilePath(name)))
    }
    for digits in ["01", "09", "10", "19", "0b", "1b"] {
      let part = directory.file(FilePath("\(stem)\(digits)"))
      #expect(throws: CleaveError.self, "\(part)") {
        _ = try Merge(try Selection(of: [part]), into: directory.file("whole")).prepare()
      }
    }
  }

  /// Names that are found with a manifest under the parts' own name beside them.
  static let listed: [(Row, CutList)] = [
    (Row(ending: ".csv", names: []), .records(1)), (Row(ending: ".csv", names: []), .dealt(2)),
    (Row(prefix: "x", suffixes: decimal, ending: ".csv", names: []), .every(7)),
    (Row(prefix: "x", suffixes: decimal, ending: ".csv", names: []), .every(100)),
    (Row(prefix: "x-", suffixes: PartSuffixes(.decimal, from: 98), names: []), .every(7)),
  ]

  @Test("a manifest of any name leads to the parts that it lists", arguments: listed.indices)
  func anyName(index: Int) throws {
    let (row, cuts) = Self.listed[index]
    for list in ["sums.sfv", "SHA256SUMS"] as [FilePath] {
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
      try Files.write(text, to: file)
      var split = split(row, cuts)
      split.options.manifest = .file(directory.file(list))
      _ = try split.run()
      try FileSystem.unlink(file)
      let names = try directory.names()
      for name in names + ["."] {
        var merge = Merge(try Selection(of: [directory.file(name)]), into: directory.file("whole"))
        merge.work.output.synchronizes = false
        #expect(merge.selection.names.count == names.count - 1, "\(name)")
        #expect(try merge.run().verdict.isVerified, "\(name)")
        #expect(try Files.read(directory.file("whole")) == text, "\(name)")
        try FileSystem.unlink(directory.file("whole"))
      }
      guard let part = names.first(where: { $0 != list }), names.count > 2 else { continue }
      try FileSystem.unlink(directory.file(part))
      let error = #expect(throws: CleaveError.self) { try Selection(of: [directory.file(list)]) }
      #expect(error?.kind == .missingInput && error?.message.contains("\(part)") == true)
    }
  }

  /// Manifests beside the parts, and whether each part would be merged by itself.
  static let manifests: [(ManifestChoice, Bool)] = [
    (.none, true), (.file("m.sfv"), true), (.file("m.crc"), true),
    (.file("f.csv.part1.crc"), false),
    (.file("f.csv.part1.sha256"), false), (.automatic, false),
  ]

  @Test(
    "names that only a manifest under theirs makes those of parts have it",
    arguments: manifests
  )
  func mistaken(manifest: ManifestChoice, isRefused: Bool) throws {
    try Files.write(Bytes.pattern(count: 30), to: file)
    for suffixes in [PartSuffixes(), Self.decimal] {
      var split = split(Row(suffixes: suffixes, ending: ".part1", names: []), .every(10))
      split.options.manifest = manifest
      if case .file(let list) = manifest { split.options.manifest = .file(directory.file(list)) }
      if isRefused {
        let error = #expect(throws: CleaveError.self) { try split.run() }
        #expect(error?.kind == .contradiction)
        let text =
          "taken for a part of another file where no manifest such as f.csv.part1.sfv is beside"
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        #expect(try directory.names() == ["f.csv"])
      } else {
        _ = try split.run()
        let parts = try directory.names().filter { $0.ends(in: ".part1") }
        for part in parts { #expect(try Selection(of: [directory.file(part)]).names.count == 3) }
        for name in try directory.names() where name != "f.csv" {
          try FileSystem.unlink(directory.file(name))
        }
      }
    }
  }

  /// Total Commander's tells nothing of parts.
  @Test func aManifestThatListsNoPartsHasTheirName() throws {
    try Files.write(Bytes.pattern(count: 29), to: file)
    for count in [1, 3] {
      var split = split(Row(ending: ".csv", names: []), .count(count))
      split.options.manifest = .file(directory.file("m.crc"))
      let error = #expect(throws: CleaveError.self) { try split.run() }
      #expect(error?.kind == .contradiction)
      #expect(error?.message.contains("no manifest such as f.csv.csv.sfv is beside it") == true)
      split.options.manifest = .file(directory.file("f.csv.csv.crc"))
      _ = try split.run()
      let part = directory.file("f.csv.001.csv")
      #expect(try Selection(of: [part]).names.count == count)
      for name in try directory.names() where name != "f.csv" {
        try FileSystem.unlink(directory.file(name))
      }
    }
  }

  /// By its name it leads to the parts, or by that of the whole in it.
  @Test func aManifestThatListsNoPartsLeadsToThem() throws {
    try Files.write(Bytes.pattern(count: 29), to: file)
    let rows: [(prefix: FilePath, list: FilePath, isRefused: Bool)] = [
      ("q", "t.crc", true), ("q", "q.crc", false), ("f.csv", "t.crc", false),
    ]
    for (prefix, list, isRefused) in rows {
      var split = split(Row(prefix: prefix, names: []), .count(3))
      split.options.manifest = .file(directory.file(list))
      if isRefused {
        let error = #expect(throws: CleaveError.self) { try split.run() }
        #expect(error?.message.contains("t.crc would lead to no parts") == true)
        #expect(try directory.names() == ["f.csv"])
      } else {
        _ = try split.run()
        #expect(try Selection(of: [directory.file(list)]).names.count == 3)
        for name in try directory.names() where name != "f.csv" {
          try FileSystem.unlink(directory.file(name))
        }
      }
    }
  }

  /// What is refused, and what the sentence has in it.
  static let refusals: [(row: Row, text: String)] = [
    (
      Row(prefix: "p1", suffixes: decimal, names: ["p100"]),
      "would not be taken for a part of this file again"
    ),
    (
      Row(prefix: "x.", suffixes: PartSuffixes(.hexadecimal, from: 9), names: ["x.09"]),
      "would not be taken"
    ),
    (Row(prefix: "x-", suffixes: letters, length: 1, names: ["x-a"]), "not enough suffixes for 30"),
    (
      Row(prefix: "x-", suffixes: hexadecimal, length: 1, names: ["x-0"]),
      "not enough suffixes for 30"
    ),
    (Row(ending: ".sfv", names: ["f.csv.001.sfv"]), "name that manifests, downloads"),
    (Row(ending: ".crdownload", names: ["f.csv.01"]), "name that manifests, downloads"),
    (Row(ending: ".cleave-rest", names: ["f.csv.01"]), "what is left of sources"),
    (Row(ending: ".z01", names: ["f.csv.001.z01"]), "use no names of other formats"),
    (Row(ending: ".zx01", names: ["f.csv.001.zx01"]), "use no names of other formats"),
    (Row(ending: ".rar", names: ["f.csv.001.rar"]), "use no names of other formats"),
    (
      Row(prefix: "chunk_", ending: ".rar", names: ["chunk_001.rar"]),
      "use no names of other formats"
    ),
    (Row(prefix: "a_chunk.", ending: ".rar", names: ["a_chunk.001.rar"]), "other formats"),
    (Row(ending: ".E01", names: ["f.csv.001.E01"]), "use no names of other formats"),
    (Row(ending: ".swm", names: ["f.csv.001.swm"]), "use no names of other formats"),
    (Row(prefix: "foo.r", suffixes: decimal, names: ["foo.r00"]), "use no names of other formats"),
    // The 18th is `foo.rar`.
    (Row(prefix: "foo.r", suffixes: letters, names: ["foo.raa"]), "use no names of other formats"),
    (Row(prefix: "img10", suffixes: hexadecimal, names: ["img1000"]), "would not be taken"),
  ]

  @Test("names that would not be found again are refused", arguments: refusals)
  func refuses(row: Row, text: String) throws {
    try Files.write(Bytes.pattern(count: 30), to: file)
    let error = #expect(throws: CleaveError.self) { try split(row, .every(1)).run() }
    #expect(error?.kind == .contradiction)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(try directory.names() == ["f.csv"])
  }

  /// Replacing the parts would not be enough, which is told at once.
  @Test func whatMustGoEvenWherePartsAreReplacedIsTold() throws {
    try Files.write(Bytes.pattern(count: 40), to: file)
    let row = Row(names: [])
    _ = try split(row, .every(10)).run()
    var again = split(row, .every(20))
    let error = #expect(throws: CleaveError.self) { try again.run() }
    let text =
      "f.csv.003 and 1 more would be taken for parts of the new series, and must be removed first"
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    for name in ["f.csv.003", "f.csv.004"] as [FilePath] {
      try FileSystem.unlink(directory.file(name))
    }
    again.work.output.replacesExisting = true
    _ = try again.run()
  }

  /// Names that are there, and whether they are in the way of x00 and x01.
  static let others: [(FilePath, PartSuffixes, Bool)] = [
    ("x00", decimal, true), ("x02", decimal, true), ("x9000", decimal, true),
    ("x90", decimal, false), ("x1", decimal, false), ("xab", decimal, false),
    ("xab", letters, true), ("xac", letters, true), ("xAC", letters, true),
    ("xabc", letters, false), ("xzaaa", letters, true), ("xac.csv", letters, false),
    ("x06", PartSuffixes(.decimal, from: 7), true), ("x08", PartSuffixes(.decimal, from: 7), true),
  ]

  @Test("what would be taken for a part is in the way", arguments: others)
  func stale(name: FilePath, suffixes: PartSuffixes, isInTheWay: Bool) throws {
    try Files.write(Bytes.pattern(count: 30), to: file)
    try directory.make(name, [9])
    let split = split(Row(prefix: "x", suffixes: suffixes, names: []), .every(15))
    if isInTheWay {
      let error = #expect(throws: CleaveError.self) { try split.run() }
      #expect(error?.kind == .cannotCreate && error?.path == directory.file(name))
    } else {
      _ = try split.run()
    }
    #expect(try Files.read(directory.file(name)) == [9])
  }
}
