import Posix
import TestSupport
import Testing

@testable import Cleave

/// What is in files that are named like parts: whether they may be pieces of one file.
@Suite struct ForeignContentTests {
  @Test(
    "every kind has a row, and a sample of it is recognised",
    arguments: FileFormat.Kind.allCases
  )
  func row(kind: FileFormat.Kind) throws {
    #expect(FileFormat.table.filter { $0.kind == kind }.count == 1)
    let sample = try FormatSample.whole(kind)
    let format = FileFormat.of(Array(sample.prefix(FileFormat.headSize)), size: Int64(sample.count))
    #expect(format?.kind == kind || FileFormat.distant.contains { $0.kind == kind })
  }

  @Test("a file that ends within its header is no trouble", arguments: FileFormat.Kind.allCases)
  func short(kind: FileFormat.Kind) throws {
    let sample = try FormatSample.whole(kind)
    // All that may end in a number or a magic, and some of the others.
    for count in 0..<600 where count < 64 || 254...270 ~= count || count >= 500 || count % 16 == 0 {
      let head = Array(sample.prefix(count))
      let format = FileFormat.of(head, size: Int64(count))
      #expect(format == nil || format?.kind == kind)
      #expect(RARHeader.isVolume(head, kind) != true)
      #expect(!TarHeader.isLaterVolume(head))
      #expect(StandIn(head, size: Int64(count)) == nil)
    }
  }

  private static let wholes = FileFormat.Kind.allCases.filter {
    FileFormat.of($0).joining != .freely
  }

  @Test("files that are each a whole are refused", arguments: wholes, [2, 3, 12])
  func eachAWhole(kind: FileFormat.Kind, count: Int) throws {
    let trial = try SelectionTrial(
      parts: (1...count).map { try FormatSample.whole(kind, seed: UInt64($0)) }
    )
    let error = try #require(trial.refusal(), "\(kind)")
    #expect(error.kind == .badData)
    let reason =
      kind == .hacha ? "with a header of Hacha's" : "so is f.002: they are not parts of one"
    #expect(error.message.hasPrefix("f.001: ") && error.message.contains(reason), "\(error)")
    #expect(error.remedies == [.format(.raw)])
    if let tool = FileFormat.of(kind).tool { #expect(error.message.contains(tool)) }
    #expect(trial.refusal(format: .raw) == nil)
    #expect(trial.explicitRefusal() == error)
  }

  @Test(
    "one file that was cut anywhere is joined",
    arguments: FileFormat.Kind.allCases.filter { $0 != .hacha && $0 != .splitZip },
    [1, 2, 3, 12]
  )
  func pieces(kind: FileFormat.Kind, count: Int) throws {
    let trial = try SelectionTrial(parts: FormatSample.whole(kind).cut(into: count))
    #expect(trial.refusal() == nil, "\(kind)")
    if count > 1 { #expect(trial.explicitRefusal() == nil, "\(kind)") }
  }

  @Test("compressed files with names of their own are joined as zcat reads them")
  func streams() throws {
    func refusal(_ names: [FilePath]) throws -> CleaveError? {
      try SelectionTrial(names.map { ($0, FormatSample.gzip(Bytes.pattern(count: 99))) })
        .explicitRefusal()
    }
    #expect(try refusal(["monday.gz", "tuesday.gz"]) == nil)
    #expect(try refusal(["monday.tar.gz", "tuesday.tar.gz"])?.kind == .badData)
    #expect(try refusal(["monday.tgz", "tuesday.tgz"])?.kind == .badData)
  }

  @Test(
    "parts that do not begin as the name of their whole promises are refused",
    arguments: FileFormat.table.filter { !$0.endings.isEmpty }.map(\.kind) + [.rar5],
    FileFormat.table.flatMap(\.endings)
  )
  func promises(kind: FileFormat.Kind, ending: String) throws {
    let format = FileFormat.of(kind)
    let parts = try FormatSample.whole(kind).cut(into: 3)
    let error = try SelectionTrial(parts: parts, of: "f\(ending)").refusal()
    let isSo = format.endings.contains(ending) || kind == .rar5 && ending == ".rar"
    let told = "do not begin like \(FileFormat.promised(by: FilePath("f\(ending)"))?.name ?? "")"
    #expect(isSo ? error == nil : error?.message.contains(told) == true, "\(error as Any)")
  }

  @Test(
    "an lz4 file may begin in several ways",
    arguments: [[4, 0x22, 0x4D, 0x18], [2, 0x21, 0x4C, 0x18], [0x50, 0x2A, 0x4D, 0x18]] as [[UInt8]]
  )
  func lz4(start: [UInt8]) throws {
    let parts = (start + Bytes.pattern(count: 900)).cut(into: 3)
    #expect(try SelectionTrial(parts: parts, of: "f.lz4").refusal() == nil)
  }

  // MARK: Lines

  private func numbers(_ range: ClosedRange<Int>) -> String {
    range.map { "\($0)\n" }.joined()
  }

  @Test(
    "parts that all begin with the same line are refused",
    arguments: [
      "id,name,value", "-- MySQL dump 10.13", "<!DOCTYPE html>", "<?xml version=\"1.0\"?>",
      "größe;x",
    ],
    [2, 3, 12]
  )
  func headers(line: String, count: Int) throws {
    let parts = (1...count).map { part in
      Array("\(line)\n\(numbers((part * 1000)...(part * 1000 + 500)))".utf8)
    }
    let trial = try SelectionTrial(parts: parts, of: "f.txt")
    let error = try #require(trial.refusal())
    let told: Sentence =
      "f.txt: all parts begin with the same line: \(.leavingOutHeader) takes it from the first alone, "
      + "\(.format(.raw)) joins them as they are"
    #expect(error.sentence == told)
    #expect(trial.refusal(format: .raw) == nil)
    var request = Selection.Request()
    request.headerRecords = 1
    #expect(try Selection(of: [trial.directory("f.txt.001")], request).files?.count == count)
    // The last may end anywhere.
    let cut = try SelectionTrial(
      parts: parts.dropLast() + [parts[count - 1].dropLast()],
      of: "f.txt"
    )
    #expect(cut.doubts().contains(.sameLine))
  }

  @Test(
    "one text that was cut between lines is joined, whatever its lines are",
    arguments: [
      String(repeating: "y\n", count: 3000), String(repeating: "\n", count: 3000),
      String(repeating: "{\n\"a\": 1\n}\n", count: 1000),
      String(repeating: "BEGIN:VCARD\nN:x\nEND:VCARD\n", count: 1000),
      String(repeating: "---\nname: x\n", count: 1500),
      String(repeating: "id\n1\n2\n", count: 1000),
      (1...3000).map { "\($0)\n" }.joined(),
    ],
    [1, 6, 500, 999, 1000]
  )
  func oneText(text: String, count: Int) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { Array("\($0)\n".utf8) }
    let parts = stride(from: 0, to: lines.count, by: count).map { start in
      Array(lines[start..<min(start + count, lines.count)].joined())
    }
    #expect(try SelectionTrial(parts: Array(parts.prefix(200))).refusal() == nil)
  }

  @Test("parts that were cut anywhere may begin with the same bytes")
  func periodic() throws {
    let period = Array("id,name\n".utf8) + Bytes.pattern(count: 992)
    let parts = Array(repeating: period.map { $0 == 10 ? 32 : $0 }, count: 3)
    #expect(try SelectionTrial(parts: parts).refusal() == nil)
    let disk = [UInt8](repeating: 0, count: 1000)
    #expect(try SelectionTrial(parts: [disk, disk, disk]).refusal() == nil)
  }

  // MARK: Volumes

  @Test(
    "a RAR that was cut is told from a volume by its flag and by what the second part begins with",
    arguments: [FormatSample.rar4, FormatSample.rar5] as [@Sendable (Bool) -> [UInt8]]
  )
  func rar(head: @Sendable (Bool) -> [UInt8]) throws {
    let body = Bytes.pattern(count: 1000)
    func refusal(_ parts: [[UInt8]], _ base: String) throws -> String? {
      try SelectionTrial(parts: parts, of: base).refusal()?.message
    }
    for base in ["Rar4.split", "mydata", "f.rar"] {
      #expect(try refusal((head(false) + body).cut(into: 3), base) == nil)
      // One volume, cut.
      #expect(try refusal((head(true) + body).cut(into: 3), base) == nil)
      let volumes = try refusal([head(true) + body, head(true) + body], base)
      #expect(volumes?.hasPrefix("\(base).001: is a RAR volume: 'unrar x' unpacks") == true)
      let wholes = try refusal([head(false) + body, head(false) + body], base)
      #expect(wholes?.contains("is a RAR archive of its own") == true)
    }
    #expect(try refusal([head(true) + body], "f")?.contains("is a RAR volume") == true)
    #expect(try refusal([head(false) + body], "f") == nil)
  }

  @Test(
    "volumes of tar -M are refused, in GNU's format and in that of POSIX",
    .enabled(if: Tool.find("tar") != nil, "tar is not installed"),
    arguments: ["gnu", "posix"]
  )
  func tarVolumes(format: String) throws {
    let directory = try TemporaryDirectory()
    try directory.make("in", Bytes.pattern(count: 50_000))
    let names = (1...6).map { "v.00\($0)" }
    let made = try #require(Tool.find("tar")).run(
      ["-c", "--format=\(format)", "-M", "-L", "20"] + names.flatMap { ["-f", $0] } + ["in"],
      workingDirectory: directory.path
    )
    #expect(made.exitCode == 0, "\(made)")
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: [directory("v.001")], Selection.Request(manifest: .none))
    }
    #expect(error?.message.contains("v.002: is a volume of 'tar -M'") == true, "\(error as Any)")
  }

  // MARK: What was saved instead of a part

  struct Row: Sendable, CustomTestStringConvertible {
    let base: String
    let parts: [[UInt8]]
    /// The part that is refused, and why; nil where all are joined.
    let refused: String?

    init(_ base: String, _ parts: [String], _ refused: String?) {
      self.init(base, bytes: parts.map { Array($0.utf8) }, refused)
    }

    init(_ base: String, bytes parts: [[UInt8]], _ refused: String?) {
      (self.base, self.parts, self.refused) = (base, parts, refused)
    }

    var testDescription: String {
      "\(base): \(parts.map { String(decoding: $0.prefix(20), as: UTF8.self) })"
    }
  }

  private static let binary = Bytes.pattern(count: 3000)
  private static let pointer =
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
  private static let page = "\u{FEFF}\r\n <!DOCTYPE HTML PUBLIC><html><body>404</body></html>\n"
  private static func binary(with text: String, at index: Int, of count: Int = 3) -> [[UInt8]] {
    (0..<count).map { $0 == index ? Array(text.utf8) : binary }
  }
  private static let (isPage, isError) = (
    "is a web page, probably an error", "is the error message"
  )

  private static let rows = [
    Row(
      "m",
      [pointer, pointer],
      "f.001: is a pointer of Git LFS, not the file itself: 'git lfs pull'"
    ),
    Row("m", bytes: binary(with: pointer, at: 2), "003: is a pointer of Git LFS"),
    Row("m", bytes: binary(with: pointer, at: 500, of: 600), "501: is a pointer of Git LFS"),
    Row("m", bytes: binary(with: page, at: 1), "002: \(isPage)"),
    Row("m", bytes: binary(with: page, at: 2), "003: \(isPage)"),
    Row("m", bytes: binary(with: "<html>", at: 0), "001: \(isPage)"),
    Row("m.7z", [page, page], "001: \(isPage)"),
    Row("m", [page, page, page], "001: \(isPage)"),
    Row(
      "m",
      bytes: binary(with: "<?xml version=\"1.0\"?>\n<Error><Code>", at: 1),
      "002: \(isError)"
    ),
    Row("m", bytes: binary(with: #"{"error":{"code":404}}"#, at: 1), "002: \(isError)"),
    Row("m", bytes: binary(with: #"{ "message": "Not Found" }"#, at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: #"{"detail":"Not found."}"#, at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "404: Not Found", at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "error code: 502\n", at: 1), "002: \(isError)"),
    Row("m", bytes: binary(with: "HTTP/1.1 403 Forbidden\r\n", at: 0), "001: \(isError)"),
    Row("m", bytes: binary(with: "Internal Server Error", at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "404 - Not Found", at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "error code: 1020", at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "Error 503 Service Unavailable", at: 2), "003: \(isError)"),
    Row("m", bytes: binary(with: "404 lines were found", at: 2), nil),
    Row("m", bytes: binary(with: "error", at: 2), nil),
    Row("m", bytes: binary(with: "1020", at: 2), nil),
    Row("m", bytes: binary(with: "not", at: 2), nil),
    Row("a.log", ["GET /a\n200\n", "GET /b\n", "404 Not Found\n"], nil),
    // Text may hold all of that.
    Row("page.html", [page, "<p>more</p>\n"], nil),
    Row("m", [page, "<p>more</p>\n", "<p>end</p>\n"], nil),
    Row("m", ["<svg>aaaaaaaa\n", "<html>bbbbbbb\n"], nil),
    Row("log", [#"{"message":"a"}"# + "\n", #"{"message":"b"}"# + "\n"], nil),
    Row("notes.txt", ["<p>one\n", page, "two\n"], nil),
    Row("page.html", ["<!-- one -->\n", page], nil), Row("page.php", ["one\n", page], nil),
    Row("log.json", ["[ {\"a\": 1},\n", #"{"message":"b"}]"#], nil),
    Row("log.txt", ["{\"a\": 1}\n", #"{"error":"b"}"# + "\n"], nil),
    Row("notes.txt", [page.replacing("</html>", with: ""), "one\n", "two\n"], nil),
    // But not what begins otherwise.
    Row("t.csv", [page, "1,2\n", "3,4\n"], "001: \(isPage)"),
    Row("notes", [page, "one\n"], "001: \(isPage)"),
    Row("a.log", [#"{"error":"b"}"# + "\n", "2024 two\n"], "001: \(isError)"),
    Row("notes.txt", ["one\n", page, "two\n"], "002: \(isPage)"),
    Row("t.csv", ["a,b\n1,2\n", "3,4\n5,6\n", page], "003: \(isPage)"),
    Row("a.log", ["2024 one\n", "2024 two\n", "<html><body>503"], "003: \(isPage)"),
    Row("a.log", ["[2024-01-01] one\n", #"{"error":"b"}"#], "002: \(isError)"),
    Row("t.csv", ["a,b\n", "<?xml version='1.0'?><Error>"], "002: \(isError)"),
    Row("t.json", ["[{\"a\": 1},\n", page], "002: \(isPage)"),
    Row("t.md", ["# one\n", page], "002: \(isPage)"),
    Row("t.xml", ["<?xml version=\"1.0\"?><a>\n", "<b/>\n", page], "003: \(isPage)"),
    Row("t.svg", ["<svg>\n", page], "002: \(isPage)"),
    Row("m", ["version https://git-lfs.github.com/spec/v1 is explained here\n", "more\n"], nil),
    Row("t.csv", ["a,b\n1,2\n", "3,4\n5,6\n"], nil),
    Row("run", ["#!/bin/sh\n", "#!/bin/sh\n"], nil),
  ]

  @Test("what was saved instead of a part is refused, and text is not", arguments: rows)
  func standIns(row: Row) throws {
    let trial = try SelectionTrial(parts: row.parts, of: row.base)
    // Short ones are odd by their sizes, too, which is said later.
    let error = trial.refusal(last: Int64(row.parts.count))
    if let refused = row.refused {
      let part = refused.hasPrefix("f.") ? String(refused.dropFirst(2)) : refused
      #expect(error?.message.hasPrefix("\(row.base).\(part)") == true, "\(error as Any)")
      #expect(error?.kind == .badData)
    } else {
      #expect(error == nil)
    }
    #expect(trial.refusal(format: .raw) == nil)
  }

  @Test("MP3 files with names of their own are joined, and images are not")
  func namedWholes() throws {
    func refusal(_ kind: FileFormat.Kind, _ names: [FilePath]) throws -> CleaveError? {
      try SelectionTrial(names.map { ($0, try FormatSample.whole(kind)) }).explicitRefusal()
    }
    #expect(try refusal(.id3, ["track01.mp3", "track02.mp3", "track03.mp3"]) == nil)
    let error = try refusal(.iso, ["disk1.iso", "disk2.iso"])
    #expect(error?.message.contains("disk1.iso: is a CD or DVD image of its own") == true)
    #expect(try refusal(.diskImage, ["a.dmg", "b.dmg"])?.kind == .badData)
  }

  @Test("files with names of their own may be pages and JSON", arguments: ["b.html", "b.json"])
  func namedPages(name: FilePath) throws {
    let bytes = name == "b.html" ? Self.page : #"{"error":"b"}"#
    let files: [(name: FilePath, bytes: [UInt8])] = [
      ("a.txt", Array("one\n".utf8)), (name, Array(bytes.utf8)),
    ]
    #expect(try SelectionTrial(files).explicitRefusal() == nil)
    #expect(try SelectionTrial(files.reversed()).explicitRefusal() == nil)
  }

  @Test("a page among text is what a manifest says that it is")
  func listedPage() throws {
    let parts = ["a,b\n1,2\n", "3,4\n5,6\n", Self.page].map { Array($0.utf8) }
    let trial = try SelectionTrial(parts: parts, of: "t.csv")
    #expect(trial.refusal(last: 3)?.kind == .badData)
    let lines = (1...3).map { "t.csv.00\($0) 00000000\n" }
    try trial.directory.make("t.csv.sfv", Array(lines.joined().utf8))
    #expect(trial.refusal(last: 3) == nil)
  }

  // MARK: What only looks like a whole

  private static let random = Bytes.pattern(count: 6000, seed: 7)
  private static let gzip = FormatSample.gzip(random)

  private static let healthy: [(String, [[UInt8]])] = [
    ("raw bytes", random.cut(into: 3)),
    ("zeros", [[UInt8](repeating: 0, count: 5000), [UInt8](repeating: 0, count: 5000)]),
    ("a disk", ([0xEB, 0x3C, 0x90] + random + [0x55, 0xAA]).cut(into: 4)),
    (
      "gzip with 1f 8b where the second part begins",
      [Array(gzip[..<2100]), [0x1F, 0x8B, 8, 0xFF] + gzip[2104..<4200], Array(gzip[4200...])]
    ),
    ("bgzip, cut anywhere", FormatSample.blockedGzip(members: 9).cut(into: 4)),
    (
      "bgzip, cut between two members once",
      FormatSample.blockedGzip(members: 9).cut(at: [900 + 18 + 5 + 8, 4000])
    ),
    ("gzip behind gzip", (gzip + gzip + FormatSample.gzip([])).cut(into: 5)),
    (
      "a tar, cut where an entry begins",
      FormatSample.tar((0..<6).map { _ in (UInt8(ascii: "0"), Array(random[..<512])) })
        .cut(into: 7)
    ),
    (
      "a tar of tars, cut where one begins",
      FormatSample.tar([(UInt8(ascii: "0"), FormatSample.tar([(UInt8(ascii: "0"), [1])]))])
        .cut(into: 7)
    ),
    (
      "JPEG by three bytes in one of three",
      [[0xFF, 0xD8, 0xFF] + random, [0xFF, 0xD8, 0xFF, 1], random]
    ),
  ]

  @Test("what begins like a whole by chance is joined", arguments: healthy.indices)
  func isJoined(index: Int) throws {
    let (name, parts) = Self.healthy[index]
    let trial = try SelectionTrial(parts: parts)
    #expect(trial.refusal(last: Int64(parts.count)) == nil, "\(name)")
    #expect(trial.explicitRefusal() == nil, "\(name)")
  }

  @Test("a zip that was cut where an entry begins is joined")
  func zipAtEntry() throws {
    let entries = (1...4).map { ZipEntry("\($0)", Bytes.pattern(count: 1000)) }
    let whole = try ZipWriter(entries).single()
    let starts = whole.indices.filter { whole[$0...].starts(with: [0x50, 0x4B, 3, 4]) }
    #expect(starts.count == 4)
    let trial = try SelectionTrial(parts: whole.cut(at: Array(starts.dropFirst())), of: "a.zip")
    #expect(trial.refusal() == nil)
  }
}
