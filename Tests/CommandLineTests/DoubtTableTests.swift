import Posix
import TestSupport
import Testing

/// Every doubt: what brings it about, what is said of it, and what comes of it.
@Suite(.aside) struct DoubtTableTests {
  /// Files, what is typed, what comes of it, and what settles it.
  struct Row: Sendable, CustomTestStringConvertible {
    let code: String
    let outcome: Severity
    let files: [(FilePath, [UInt8])]
    var operands = ["f.001"]
    /// The whole line, without the program's name.
    let message: String
    /// The files that are joined where the doubt stops nothing.
    var joined: [FilePath] = []
    /// What takes the doubt away, and what is joined then.
    let settled: Remedy

    var testDescription: String { "\(code): \(operands.joined(separator: " "))" }
  }

  enum Severity: Sendable {
    /// With the exit code.
    case refused(CInt)
    case warned, noted, told
  }

  struct Remedy: Sendable {
    var options: [String] = []
    /// Instead of those of the row.
    var operands: [String]?
    var change: @Sendable (TemporaryDirectory) throws -> Void = { _ in }
    let joined: [FilePath]
  }

  /// The types themselves are compared with the schema elsewhere.
  @Test func everyCodeHasARow() throws {
    let definitions = try #require(JSONSchema.load()["$defs"] as? [String: [String: Any]])
    let properties = definitions["doubt"]?["properties"] as? [String: [String: Any]]
    let codes = try #require(properties?["code"]?["enum"] as? [String])
    #expect(Set(Self.rows.map(\.code)) == Set(codes))
  }

  @Test(arguments: rows) func aDoubtIsToldAndDecided(row: Row) throws {
    let trial = try Trial(row)
    switch row.outcome {
    case .refused(let code):
      for options in [[], ["--strict"], ["--consume"], ["--force", "--verify=none"]] {
        try trial.expectRefusal(options, code)
      }
    case .warned:
      try trial.expectRefusal(["--strict"], 66)
      try trial.expectRefusal(["--strict", "--consume"], 66)
      try trial.expectMerged([], "cleave: warning: \(row.message)\n")
      try trial.expectMerged(["-q"], "")
    case .noted:
      try trial.expectMerged([], "cleave: \(row.message)\n")
      try trial.expectMerged(["--strict"], "cleave: \(row.message)\n")
    case .told:
      try trial.expectRefusal(["--strict"], 66)
      try trial.expectRefusal(["--strict", "--consume"], 66)
      try trial.expectMerged([], "")
      let verbose = try trial.run(["merge", "-n", "-v", "-o", "out"] + row.operands)
      #expect(verbose.errorText.contains("cleave: \(row.message)\n"), "\(verbose)")
    }
  }

  @Test(arguments: rows) func aDryRunAndInfoSayTheSame(row: Row) throws {
    let trial = try Trial(row)
    let before = try trial.contents()
    let planned = try trial.run(["merge", "-n", "--json", "-o", "out"] + row.operands)
    try trial.expectDoubt(JSON(planned))
    var code: CInt = 0
    if case .refused(let refusal) = row.outcome { code = refusal }
    #expect(planned.exitCode == code, "\(planned)")
    let single = row.operands.filter { !$0.hasPrefix("-") }.count == 1
    // Of what is no part, info tells what it is.
    if single, row.code != "no-part", row.code != "whole-zip" {
      let info = try trial.run(["info", "--json"] + row.operands)
      #expect(info.exitCode == code, "\(info)")
      let evidence = try JSON(info).list("evidence").compactMap { $0.text("text") }
      #expect(evidence.contains(row.message), "\(info)")
    }
    #expect(try trial.contents().changes(since: before) == [])
  }

  /// What the message names, or the rest of the parts, and all is well.
  @Test(arguments: rows) func whatSettlesItMerges(row: Row) throws {
    let trial = try Trial(row)
    try row.settled.change(trial.directory)
    let before = try trial.contents()
    let operands = row.settled.options + (row.settled.operands ?? row.operands)
    let outcome = try trial.run(["merge", "--no-sync", "--strict", "-o", "out"] + operands)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(!outcome.errorText.contains(row.message), "\(outcome)")
    let after = try trial.contents()
    #expect(after.changes(since: before) == ["out is new"])
    #expect(after.bytes("out") == row.settled.joined.flatMap { after.bytes($0) ?? [] })
  }
}

/// A row's files in a directory of their own.
private struct Trial {
  let row: DoubtTableTests.Row
  let directory: TemporaryDirectory

  init(_ row: DoubtTableTests.Row) throws {
    (self.row, directory) = (row, try TemporaryDirectory())
    for (name, bytes) in row.files { try Files.write(bytes, to: directory.file(name)) }
  }

  func contents() throws -> Contents { try Contents(of: directory.path) }

  func run(_ words: [String]) throws -> Outcome {
    try Tool.cleave.run(words, workingDirectory: directory.path)
  }

  /// Nothing has the final name, and every input is what it was.
  func expectRefusal(_ options: [String], _ code: CInt) throws {
    let before = try contents()
    let words = ["merge", "-o", "out"] + options + row.operands
    // What consumes a part takes its files as they are, and not from elsewhere.
    let plain = try run(words)
    #expect(plain.exitCode == code, "\(options): \(plain)")
    #expect(plain.errorText == "cleave: \(row.message)\n", "\(options)")
    #expect(plain.outputText == "")
    let report = try run(words + ["--json"])
    #expect(report.exitCode == code, "\(options): \(report)")
    let json = try JSON(report)
    #expect(json.text("event") == "failure" && json.text("error") == row.message, "\(report)")
    try expectDoubt(json)
    #expect(try contents().changes(since: before) == [], "\(options)")
  }

  func expectMerged(_ options: [String], _ said: String) throws {
    let before = try contents()
    let words = ["merge", "--no-sync", "-o", "out"] + options + row.operands
    for format in [[], ["--json"]] {
      let outcome = try run(words + format)
      #expect(outcome.exitCode == 0, "\(options): \(outcome)")
      #expect(outcome.errorText == said, "\(options)")
      if !format.isEmpty { try expectDoubt(JSON(outcome)) }
      let after = try contents()
      #expect(after.changes(since: before) == ["out is new"])
      #expect(after.bytes("out") == row.joined.flatMap { after.bytes($0) ?? [] })
      try FileSystem.unlink(directory.file("out"))
    }
  }

  func expectDoubt(_ json: JSON, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let doubts = json.list("doubts").filter { $0.text("code") == row.code }
    #expect(doubts.count == 1, "\(json)", sourceLocation: sourceLocation)
    let told = doubts.map { "\($0.text("path") ?? ""): \($0.text("text") ?? "")" }
    #expect(told == [row.message], sourceLocation: sourceLocation)
    let isWarned = if case .warned = row.outcome { json.text("event") != "failure" } else { false }
    #expect(
      json.names("warnings") == (isWarned ? [row.message] : []),
      sourceLocation: sourceLocation
    )
  }
}

// MARK: - The table

extension DoubtTableTests {
  private static let hundred = (0...99).map { FilePath($0 < 10 ? "f.0\($0)" : "f.\($0)") }

  private static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
    Bytes.pattern(count: count, seed: seed)
  }

  private static let equal: [(FilePath, [UInt8])] = [
    ("f.001", bytes(1000, 1)), ("f.002", bytes(1000, 2)),
  ]
  private static let three = equal + [("f.003", bytes(300, 3))]
  private static let names: [FilePath] = ["f.001", "f.002", "f.003"]
  private static let zip = (try? ZipWriter(ZipWriterTests.entries).single()) ?? []
  private static let tar: [UInt8] = {
    var tar = bytes(2048, 4)
    tar.replaceSubrange(257..<262, with: Array("ustar".utf8))
    return tar
  }()

  private static func sum(_ bytes: [UInt8]) -> String {
    let digits = String(ZipCoding.checksum(bytes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// What cleave writes of parts and their whole.
  private static func manifest(_ files: [(FilePath, [UInt8])]) -> [UInt8] {
    let whole = files.flatMap(\.1)
    let (a, b) = whole.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let a = (sums.0 + UInt32(byte)) % 65_521
      return (a, (sums.1 + a) % 65_521)
    }
    let lines =
      [
        "; Generated by cleave 1", "; name: f", "; size: \(whole.count)",
        "; crc32: \(sum(whole))", "; adler32: \(String(b << 16 | a, radix: 16))",
      ] + files.map { "\($0.0) \(sum($0.1))" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  static let rows: [Row] = beside + besideSeries + content + sizes + operands

  private static let beside: [Row] = [
    Row(
      code: "next-part-downloading",
      outcome: .refused(66),
      files: equal + [("f.003.crdownload", [1])],
      message: "f: f.003.crdownload says that f.003 is still being downloaded: --last=2 merges the "
        + "parts that are there",
      settled: Remedy(options: ["--last=2"], joined: ["f.001", "f.002"])
    ),
    Row(
      code: "next-part-downloading",
      outcome: .refused(66),
      files: equal + [("f.000.crdownload", [1])],
      message:
        "f: f.000.crdownload says that f.000 is still being downloaded: --first=1 merges the "
        + "parts that are there",
      settled: Remedy(options: ["--first=1", "--last=2"], joined: ["f.001", "f.002"])
    ),
    Row(
      code: "next-part-downloading",
      outcome: .refused(66),
      files: equal + [("f.003.part", [1])],
      operands: ["f.002"],
      message: "f: f.003.part says that f.003 is still being downloaded: --last=2 merges the parts "
        + "that are there",
      settled: Remedy(
        change: { directory in
          try FileSystem.unlink(directory.file("f.003.part"))
          try Files.write(bytes(300, 3), to: directory.file("f.003"))
        },
        joined: names
      )
    ),
    Row(
      code: "next-part-copy",
      outcome: .refused(66),
      files: equal + [("f (1).003", bytes(300, 3))],
      message: "f: f (1).003 may be f.003, which is not there: rename it, or --last=2 merges the "
        + "parts that are there",
      settled: Remedy(
        change: { try FileSystem.rename($0.file("f (1).003"), toNew: $0.file("f.003")) },
        joined: names
      )
    ),
    Row(
      code: "next-part-copy",
      outcome: .refused(66),
      files: [("f (1).001", bytes(1000, 1)), ("f.002", bytes(300, 2))],
      operands: ["f (1).001"],
      message:
        "f (1): f.002 may be f (1).002, which is not there: rename it, or --last=1 merges the "
        + "parts that are there",
      settled: Remedy(
        change: { try FileSystem.rename($0.file("f.002"), toNew: $0.file("f (1).002")) },
        joined: ["f (1).001", "f (1).002"]
      )
    ),
    Row(
      code: "next-part-copy",
      outcome: .refused(66),
      files: [
        ("f (1).001", bytes(1000, 1)), ("f.001", bytes(1000, 1)), ("f.002", bytes(300, 2)),
      ],
      operands: ["f (1).001"],
      message:
        "f (1): f (1).001 may be another copy of f.001, and of those, f.002 is there, too: try "
        + "f.001, or --last=1 merges the parts that are there",
      settled: Remedy(options: ["--last=1"], joined: ["f (1).001"])
    ),
    Row(
      code: "size",
      outcome: .refused(65),
      files: [("f_1.001", bytes(700, 1)), ("f.001", bytes(1000, 1))],
      operands: ["f_1.001"],
      message: "f_1.001: has 700 bytes, and f.001, of which it may be another copy, has 1000: try "
        + "f.001, or --last=1 merges the parts that are there",
      settled: Remedy(options: ["--last=1"], joined: ["f_1.001"])
    ),
    Row(
      code: "next-part-copy",
      outcome: .refused(66),
      files: equal + [("f.003.txt", bytes(300, 3))],
      message: "f: f.003.txt may be f.003, which is not there: rename it, or --last=2 merges the "
        + "parts that are there",
      settled: Remedy(
        change: { try FileSystem.rename($0.file("f.003.txt"), toNew: $0.file("f.003")) },
        joined: names
      )
    ),
    Row(
      code: "next-part-copy",
      outcome: .refused(66),
      files: equal + [("f.3", bytes(300, 3))],
      operands: ["."],
      message: "f: f.3 may be f.003, which is not there: rename it, or --last=2 merges the parts "
        + "that are there",
      settled: Remedy(options: ["--last=2"], joined: ["f.001", "f.002"])
    ),
    Row(
      code: "part-downloading",
      outcome: .refused(66),
      files: three + [("f.003.aria2", [1])],
      message:
        "f: f.003.aria2 says that f.003 is still being downloaded: wait for it, or --last=3 merges "
        + "the parts that are there",
      settled: Remedy(
        change: { try FileSystem.unlink($0.file("f.003.aria2")) },
        joined: names
      )
    ),
    Row(
      code: "copy-beside",
      outcome: .warned,
      files: three + [("f (1).002", bytes(1000, 9))],
      message: "f: f (1).002 may be another copy of f.002; not merged",
      joined: names,
      settled: Remedy(change: { try FileSystem.unlink($0.file("f (1).002")) }, joined: names)
    ),
    Row(
      code: "size",
      outcome: .refused(65),
      files: three + [("f (1).003", bytes(900, 9))],
      message:
        "f.003: has 300 bytes, and f (1).003, which may be another copy of it, has 900: put that in "
        + "its place, or --last=3 merges the parts that are there",
      settled: Remedy(change: { try FileSystem.unlink($0.file("f (1).003")) }, joined: names)
    ),
    Row(
      code: "download-beside",
      outcome: .warned,
      files: three + [("f.002.part", [1])],
      message: "f: f.002.part says that f.002 is still being downloaded",
      joined: names,
      settled: Remedy(change: { try FileSystem.unlink($0.file("f.002.part")) }, joined: names)
    ),
    Row(
      code: "other-case",
      outcome: .warned,
      files: three.dropLast() + [("F.003", bytes(300, 3))],
      message: "f: F.003 is taken for a part of it, though the case of its letters is another; "
        + "--last=3 says so",
      joined: ["f.001", "f.002", "F.003"],
      settled: Remedy(
        change: { try FileSystem.rename($0.file("F.003"), toNew: $0.file("f.003")) },
        joined: names
      )
    ),
    Row(
      code: "left-over",
      outcome: .warned,
      files: three + [("f.004", [1]), ("f.sfv", manifest(three))],
      message: "f.004: left over from a longer series; not merged",
      joined: names,
      settled: Remedy(options: ["--last=3"], joined: names)
    ),
    Row(
      code: "foreign-sums",
      outcome: .refused(65),
      files: three + [("CKSUMS", Array("3015617425 100 f.001\n".utf8))],
      message:
        "CKSUMS: has sums of cksum, which are not computed here, and nothing else proves the parts: "
        + "--manifest=none merges without it",
      settled: Remedy(options: ["--manifest=none"], joined: names)
    ),
    Row(
      code: "silent-manifest",
      outcome: .warned,
      files: three + [("f.sfv", Array("G.001 01020304\n".utf8))],
      message: "f.sfv: names none of the parts; not compared",
      joined: names,
      settled: Remedy(options: ["--manifest=none"], joined: names)
    ),
  ]

  private static let besideSeries: [Row] = [
    Row(
      code: "series-beside",
      outcome: .noted,
      files: three + [("log.1", bytes(99, 1)), ("log.2", bytes(190, 2))],
      operands: ["."],
      message: "log.1: may be a part of a series, too, which is not looked at: name it to do that",
      joined: names,
      settled: Remedy(operands: ["f.001"], joined: names)
    ),
    Row(
      code: "operand-gap",
      outcome: .refused(66),
      files: [("f", bytes(1000, 9))] + three,
      message:
        "f: has as many bytes as f.001, and may be the part in front of it: --as-given -o OUT "
        + "joins those that are named, if it is named first, --first=1 leaves it out",
      settled: Remedy(
        options: ["--as-given"],
        operands: ["f", "f.001", "f.002", "f.003"],
        joined: ["f"] + names
      )
    ),
  ]

  private static let table: [(FilePath, [UInt8])] = [
    ("f.001", Array("id,name\n1,a\n2,b\n".utf8)), ("f.002", Array("id,name\n3,c\n4,d\n".utf8)),
  ]

  private static let content: [Row] = [
    Row(
      code: "same-first-line",
      outcome: .refused(65),
      files: table,
      message: "f: all parts begin with the same line: --header takes it from the first alone, "
        + "--format=raw joins them as they are",
      settled: Remedy(options: ["--format=raw", "--last=2"], joined: ["f.001", "f.002"])
    ),
    Row(
      code: "start",
      outcome: .refused(65),
      files: [("f.7z.001", bytes(1000, 1)), ("f.7z.002", bytes(300, 2))],
      operands: ["f.7z.001"],
      message: "f.7z: the parts do not begin like a 7z archive, so that the first may be missing; "
        + "--format=raw joins the bytes",
      settled: Remedy(options: ["--format=raw"], joined: ["f.7z.001", "f.7z.002"])
    ),
    Row(
      code: "end",
      outcome: .refused(66),
      files: [("f.001", Array(tar[..<1024])), ("f.002", Array(tar[1024...]))],
      message:
        "f: it does not end with the records of zeros that end a tar file, so that f.003 may "
        + "be missing; --format=raw joins the bytes that are there",
      settled: Remedy(options: ["--format=raw", "--verify=stream"], joined: ["f.001", "f.002"])
    ),
    Row(
      code: "vouched-for",
      outcome: .warned,
      files: [
        ("w.zip.001", Array(zip[..<3000])), ("w.zip.002", Array(zip[3000...].dropLast(30))),
        ("w.zip.sfv", Array("w.zip \(sum(Array(zip.dropLast(30))))\n".utf8)),
      ],
      operands: ["w.zip.001"],
      message:
        "w.zip.002: is damaged, or not the last part: it does not end with the end record of a "
        + "zip; --format=raw joins the bytes all the same; joined as bytes, by its manifest",
      joined: ["w.zip.001", "w.zip.002"],
      settled: Remedy(options: ["--format=raw"], joined: ["w.zip.001", "w.zip.002"])
    ),
    Row(
      code: "whole-zip",
      outcome: .refused(65),
      files: [("w.zip", zip)],
      operands: ["w.zip"],
      message: "w.zip: is a whole zip, not split: there is nothing to merge",
      settled: Remedy(options: ["--as-given"], joined: ["w.zip"])
    ),
  ]

  private static let sizes: [Row] = [
    Row(
      code: "size",
      outcome: .refused(65),
      files: [("f.001", [])],
      message: "f.001: is empty: it may still have to come; --last=1 joins all",
      settled: Remedy(options: ["--last=1"], joined: ["f.001"])
    ),
    Row(
      code: "size",
      outcome: .refused(65),
      files: [("f.001", []), ("f.002", [])],
      message: "f.001: is empty: it may still have to come; --last=2 joins all",
      settled: Remedy(
        change: {
          try Files.write(manifest([("f.001", []), ("f.002", [])]), to: $0.file("f.sfv"))
        },
        joined: ["f.001", "f.002"]
      )
    ),
    Row(
      code: "size",
      outcome: .refused(65),
      files: [
        ("f.001", bytes(1000, 1)), ("f.002", bytes(993, 2)), ("f.003", bytes(1000, 3)),
        ("f.004", bytes(9, 4)),
      ],
      message: "f.002: has 7 bytes less than f.001 and f.003 (993, not 1000): it was probably cut "
        + "short, or is the last one of a shorter series; --last=2 leaves out the parts behind it, "
        + "--last=4 joins all",
      settled: Remedy(
        change: { try Files.write(bytes(1000, 2), to: $0.file("f.002")) },
        joined: names + ["f.004"]
      )
    ),
    Row(
      code: "size",
      outcome: .refused(65),
      files: equal + [("f.003", []), ("f.004", bytes(9, 4))],
      operands: ["f.004"],
      message:
        "f.003: is empty, not of 1000 bytes like f.001 and f.002: it may still have to come; "
        + "--last=4 joins all",
      settled: Remedy(options: ["--last=4"], joined: names + ["f.004"])
    ),
    Row(
      code: "long-last-part",
      outcome: .told,
      files: equal,
      message: "f: f.002 is as long as the others, and nothing tells that it is the last part; "
        + "--last=2 says so",
      joined: ["f.001", "f.002"],
      settled: Remedy(
        change: { try Files.write(bytes(300, 3), to: $0.file("f.003")) },
        joined: names
      )
    ),
    Row(
      code: "last-number",
      outcome: .warned,
      files: hundred.map { ($0, bytes(10, 7)) },
      operands: ["f.00"],
      message:
        "f: f.99 is as long as the others and has the highest number that fits, so that more may be "
        + "missing; --last=99 says so",
      joined: hundred,
      settled: Remedy(
        options: ["--last=99"],
        joined: hundred
      )
    ),
    Row(
      code: "sister-goes-on",
      outcome: .warned,
      files: [
        ("s1.001", bytes(1000, 1)), ("s1.002", bytes(300, 2)), ("s2.001", bytes(1000, 3)),
      ],
      operands: ["s2.001"],
      message:
        "s2: s1.001 beside s2.001 has as many bytes and is not the last, so that a part may be missing; --last=1 says so",
      joined: ["s2.001"],
      settled: Remedy(options: ["--last=1"], joined: ["s2.001"])
    ),
    Row(
      code: "other-count",
      outcome: .warned,
      files: [
        ("a1.x", bytes(10, 1)), ("a2.x", bytes(20, 2)), ("b1.x", bytes(30, 3)),
        ("b2.x", bytes(40, 4)),
      ],
      operands: ["a1.x", "a2.x", "b1.x", "b2.x"],
      message:
        "b1.x: begins another count than a1.x, as parts of another file do; they are joined as given",
      joined: ["a1.x", "a2.x", "b1.x", "b2.x"],
      settled: Remedy(options: ["--as-given"], joined: ["a1.x", "a2.x", "b1.x", "b2.x"])
    ),
    Row(
      code: "first-number",
      outcome: .told,
      files: [("f.01", bytes(1000, 1)), ("f.02", bytes(1000, 2)), ("f.03", bytes(300, 3))],
      operands: ["f.01"],
      message:
        "f: f.01 is the first, and 'split -d' begins with f.00, which is not there; --first=1 says so",
      joined: ["f.01", "f.02", "f.03"],
      settled: Remedy(options: ["--first=1"], joined: ["f.01", "f.02", "f.03"])
    ),
    Row(
      code: "unequal-sizes",
      outcome: .told,
      files: [
        ("f.001", bytes(1000, 1)), ("f.002", bytes(700, 2)), ("f.003", bytes(1300, 3)),
        ("f.004", bytes(20, 4)),
      ],
      message: "f: the parts have different sizes, so that none tells which one is the last; "
        + "--last=4 says so",
      joined: names + ["f.004"],
      settled: Remedy(options: ["--last=4"], joined: names + ["f.004"])
    ),
    Row(
      code: "only-part",
      outcome: .told,
      files: [("f.001", bytes(1000, 1))],
      message: "f: there is only f.001, and nothing tells that it is all; --last=1 says so",
      joined: ["f.001"],
      settled: Remedy(options: ["--last=1"], joined: ["f.001"])
    ),
  ]

  private static let operands: [Row] = [
    Row(
      code: "no-part",
      outcome: .refused(66),
      files: [("photo", bytes(10, 1))],
      operands: ["photo"],
      message: "photo: is not named like a part of a series: name all parts in their order and -o "
        + "OUT, or --as-given -o OUT copies it by itself",
      settled: Remedy(options: ["--as-given"], joined: ["photo"])
    ),
    Row(
      code: "operand-gap",
      outcome: .refused(66),
      files: three,
      operands: ["f.001", "f.003"],
      message: "f.002: is a part, too, and is not given: any one part alone stands for all, and "
        + "--as-given joins just those that are given",
      settled: Remedy(options: ["--as-given"], joined: ["f.001", "f.003"])
    ),
    Row(
      code: "operand-gap",
      outcome: .refused(66),
      files: three,
      operands: ["f.001", "f.002", "f.002", "f.003"],
      message: "f.002: is given twice: --as-given joins it twice",
      settled: Remedy(options: ["--as-given"], joined: ["f.001", "f.002", "f.002", "f.003"])
    ),
    Row(
      code: "operand-order",
      outcome: .noted,
      files: three,
      operands: ["f.003", "f.001", "f.002"],
      message: "f: parts are joined in the order of their numbers, not as given",
      joined: names,
      settled: Remedy(options: ["--as-given"], joined: ["f.003", "f.001", "f.002"])
    ),
  ]
}
