import Posix
import TestSupport
import Testing

@testable import Cleave

/// Parts that all begin with the first records of what was split.
@Suite struct RecordHeaderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var cuts: CutList
    var header: Int64
    var parts: [String]
    var separator = UInt8(ascii: "\n")
    var omitsEmptyParts = false

    var testDescription: String { "\(header) of \(text.debugDescription), \(cuts)" }
  }

  static let rows = [
    Row(text: "h\na\nb\nc\n", cuts: .records(2), header: 1, parts: ["h\na\nb\n", "h\nc\n"]),
    Row(text: "h\ni\na\nb", cuts: .records(1), header: 2, parts: ["h\ni\na\n", "h\ni\nb"]),
    Row(
      text: "h\ni\nj\na\nb\nc\n",
      cuts: .records(1),
      header: 3,
      parts: ["h\ni\nj\na\n", "h\ni\nj\nb\n", "h\ni\nj\nc\n"]
    ),
    Row(text: "h\na\n", cuts: .records(5), header: 1, parts: ["h\na\n"]),
    Row(text: "h\n", cuts: .records(1), header: 1, parts: ["h\n"]),
    Row(text: "h\ni", cuts: .records(1), header: 3, parts: ["h\ni"]),
    Row(text: "", cuts: .records(1), header: 1, parts: [""]),
    Row(
      text: "hxaxb\nxc",
      cuts: .records(1),
      header: 1,
      parts: ["hxax", "hxb\nx", "hxc"],
      separator: UInt8(ascii: "x")
    ),
    Row(text: "h\na\nb\n", cuts: .recordBytes(4), header: 1, parts: ["h\na\n", "h\nb\n"]),
    Row(
      text: "h\na\nbbbbb\nc\n",
      cuts: .recordBytes(5),
      header: 1,
      parts: ["h\na\n", "h\nbbb", "h\nbb\n", "h\nc\n"]
    ),
    Row(text: "h\na\nb\n", cuts: .recordBytes(9), header: 1, parts: ["h\na\nb\n"]),
    Row(text: "h\na\nb\n", cuts: .recordChunks(2), header: 1, parts: ["h\na\n", "h\nb\n"]),
    Row(
      text: "h\naaaaaa\nb\n",
      cuts: .recordChunks(3),
      header: 1,
      parts: ["h\naaaaaa\n", "h\n", "h\nb\n"]
    ),
    Row(
      text: "h\naaaaaa\nb\n",
      cuts: .recordChunks(3),
      header: 1,
      parts: ["h\naaaaaa\n", "h\nb\n"],
      omitsEmptyParts: true
    ),
    Row(text: "h", cuts: .recordChunks(2), header: 1, parts: ["h", "h"]),
  ]

  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file("f") }

  init() throws { directory = try TemporaryDirectory() }

  private func split(_ row: Row, _ engine: EngineName? = nil) throws -> Split {
    try Files.write(Array(row.text.utf8), to: file)
    var split = Split(file, row.cuts)
    (split.options.separator, split.options.omitsEmptyParts) = (row.separator, row.omitsEmptyParts)
    split.options.header = row.header
    (split.work.engine, split.work.output.synchronizes) = (engine, false)
    return split
  }

  private func merge(_ request: Selection.Request = Selection.Request()) throws -> Merge {
    let selection = try Selection(of: [directory.file("f.001")], request)
    var merge = Merge(selection, into: directory.file("g"))
    merge.work.output = OutputOptions(replacesExisting: true, synchronizes: false)
    return merge
  }

  @Test("what every engine repeats, merging leaves out", arguments: rows)
  func roundTrip(row: Row) throws {
    for engine in EngineName.allCases {
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
      let outcome = try split(row, engine).run()
      #expect(outcome.report.whole == Checksum(of: Array(row.text.utf8)[...], [.crc32, .adler32]))
      let names = try directory.names().filter { $0 != "f" && $0 != "f.sfv" }
      let found = try names.map { try Files.read(directory.file($0)) }
      #expect(found == row.parts.map { Array($0.utf8) }, "\(engine)")
      #expect(try Verify([directory.file("f.sfv")]).run().isRight)
      // What the manifest tells, and what is asked for.
      var merge = try merge()
      merge.work.engine = engine
      #expect(try merge.run().verdict.isVerified)
      #expect(try Files.read(directory.file("g")) == Array(row.text.utf8), "\(engine)")
      merge.options.header = Merge.Header(row.header, separator: row.separator)
      #expect(try merge.run().verdict.isVerified)
      #expect(try Files.read(directory.file("g")) == Array(row.text.utf8), "\(engine)")
    }
  }

  @Test(
    "parts have digests, and the file its own",
    .enabled(if: RunningDigest.isAvailable, "needs libcrypto")
  )
  func digests() throws {
    let row = Self.rows[0]
    var split = try split(row)
    split.options.digests = [.sha256]
    _ = try split.run()
    let manifest = try Files.read(directory.file("f.sha256"))
    #expect(String(decoding: manifest, as: UTF8.self).contains("\n# header: 2\n"))
    #expect(try Verify([directory.file("f.sha256")]).run().isRight)
    #expect(try merge().run().verdict.isVerified)
    #expect(try Files.read(directory.file("g")) == Array(row.text.utf8))
  }

  @Test("parts with headers are freed one after the other", arguments: [true, false])
  func consuming(byManifest: Bool) throws {
    let row = Self.rows[0]
    _ = try split(row).run()
    var request = Selection.Request()
    if !byManifest {
      try FileSystem.unlink(directory.file("f.sfv"))
      request.headerRecords = 1
      request.reading.family = .numbers
    }
    var merge = try merge(request)
    merge.work.output.synchronizes = true
    merge.work.consumes = true
    merge.options.header = Merge.Header(1)
    _ = try merge.run()
    #expect(try Files.read(directory.file("g")) == Array(row.text.utf8))
    #expect(try !Files.exists(directory.file("f.002")))
  }

  @Test("a list of the whole is compared without the headers", arguments: [false, true])
  func wholeAlone(consuming: Bool) throws {
    let row = Self.rows[0]
    _ = try split(row).run()
    let sum = Checksum(of: Array(row.text.utf8)[...], [.crc32]).crc32
    try Files.write(Array("f \(Checksum.hexadecimal(sum))\n".utf8), to: directory.file("whole.sfv"))
    try FileSystem.unlink(directory.file("f"))
    let request = Selection.Request(manifest: .file(directory.file("whole.sfv")))
    for operand in ["f.001", "whole.sfv"] as [FilePath] {
      #expect(try Verify([directory.file(operand)], request).run().isRight)
    }
    var merge = try merge(request)
    merge.work.output.synchronizes = consuming
    merge.work.consumes = consuming
    #expect(try merge.run().verdict.isVerified)
  }

  @Test("a job does not go on with another number of records") func otherHeader() throws {
    var request = Selection.Request()
    let asked = [nil, 1, 2].map { (records: Int64?) in
      request.headerRecords = records
      return request.asked
    }
    #expect(Set(asked).count == 3, "\(asked)")
  }

  @Test("a split in rounds repeats the header, too")
  func rounds() throws {
    let row = Self.rows[2]
    var split = try split(row)
    (split.work.isResumable, split.work.checkpoint) = (true, 1)
    let report = try split.run().report
    #expect(report.whole == Checksum(of: Array(row.text.utf8)[...], [.crc32, .adler32]))
    #expect(try merge().run().verdict.isVerified)
  }

  @Test("a part that begins otherwise is not merged", arguments: ["H\nc\n", "h", ""])
  func otherHeader(part: String) throws {
    _ = try split(Self.rows[0]).run()
    try FileSystem.unlink(directory.file("f.sfv"))
    try Files.write(Array(part.utf8), to: directory.file("f.002"))
    var request = Selection.Request()
    request.isAsGiven = true
    let parts: [FilePath] = ["f.001", "f.002"]
    let selection = try Selection(of: parts.map { directory.file($0) }, request)
    var merge = Merge(selection, into: directory.file("g"))
    merge.options.header = Merge.Header(1)
    let error = #expect(throws: CleaveError.self) { try merge.run() }
    #expect(error?.kind == .badData)
    #expect(error?.path?.lastComponent == "f.002")
    let told = "does not begin with the same 2 bytes as \(directory.file("f.001"))"
    #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
    #expect(try !Files.exists(directory.file("g")))
  }

  @Test("a manifest whose header is no part's is not followed", arguments: ["9", "1048577", "x"])
  func hostileManifest(size: String) throws {
    _ = try split(Self.rows[0]).run()
    let path = directory.file("f.sfv")
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    try Files.write(Array(text.replacing("header: 2", with: "header: \(size)").utf8), to: path)
    let error = #expect(throws: CleaveError.self) { _ = try merge().run() }
    #expect(error?.kind == .badData)
    #expect(try !Files.exists(directory.file("g")))
  }

  /// What is refused, with which kind, and what the sentence has in it.
  static let refusals: [(CutList, CleaveError.Kind, @Sendable (inout Split) -> Void, String)] = [
    (.every(2), .contradiction, { _ in }, "where records do"),
    (.count(2), .contradiction, { _ in }, "where records do"),
    (.records(1), .contradiction, { $0.options.header = -1 }, "where records do"),
    (.records(1), .contradiction, { $0.options.block = 3 }, "not just put together"),
    (.records(1), .contradiction, { $0.options.makesJoiners = true }, "not just put together"),
    (.records(1), .contradiction, { $0.options.manifest = .file("x.crc") }, "Total Commander"),
    (.recordBytes(2), .badData, { _ in }, "2 bytes, and fill a part"),
    (.recordBytes(1), .badData, { _ in }, "2 bytes, and fill a part"),
  ]

  @Test("what makes no sense is refused", arguments: refusals)
  func refuses(
    cuts: CutList,
    kind: CleaveError.Kind,
    change: @Sendable (inout Split) -> Void,
    text: String
  ) throws {
    var split = try split(Row(text: "h\na\nb\n", cuts: cuts, header: 1, parts: []))
    change(&split)
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == kind)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(try directory.names() == ["f"])
  }

  @Test("a header has an end somewhere")
  func tooLong() throws {
    try Files.write([UInt8](repeating: 97, count: RecordHeader.mostBytes + 1), to: file)
    var split = Split(file, .records(1))
    split.options.header = 1
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.message.contains("more than 1048576 bytes") == true)
  }

  @Test("what is behind some bytes has the sum of both without theirs")
  func sums() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...9000, using: &generator)).map { _ in
        UInt8.random(in: 250 ... .max, using: &generator)
      }
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      for kinds in [[.crc32, .adler32], .crc32, .adler32, []] as [Checksum.Kinds] {
        let (start, whole) = (Checksum(of: bytes[..<cut], kinds), Checksum(of: bytes[...], kinds))
        #expect(whole.behind(start) == Checksum(of: bytes[cut...], kinds))
      }
    }
  }
}
