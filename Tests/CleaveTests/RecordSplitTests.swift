import Posix
import TestSupport
import Testing

@testable import Cleave

/// Parts that end where lines, or other records, do.
@Suite struct RecordSplitTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var cuts: CutList
    var parts: [String]
    var separator = UInt8(ascii: "\n")
    var omitsEmptyParts = false

    var testDescription: String { "\(cuts) of \(text.debugDescription)" }
  }

  static let rows = [
    Row(text: "a\nb\nc\n", cuts: .records(2), parts: ["a\nb\n", "c\n"]),
    Row(text: "a\nb\nc", cuts: .records(1), parts: ["a\n", "b\n", "c"]),
    Row(text: "a\n\n\nb", cuts: .records(2), parts: ["a\n\n", "\nb"]),
    Row(text: "abc", cuts: .records(5), parts: ["abc"]),
    Row(text: "", cuts: .records(5), parts: [""]),
    Row(text: "axbxc", cuts: .records(2), parts: ["axbx", "c"], separator: UInt8(ascii: "x")),
    Row(text: "a\0b\nc\0", cuts: .records(1), parts: ["a\0", "b\nc\0"], separator: 0),
    Row(text: "a\nbb\nccc\n", cuts: .recordBytes(6), parts: ["a\nbb\n", "ccc\n"]),
    Row(text: "a\nbbbbbbb\nc\n", cuts: .recordBytes(4), parts: ["a\n", "bbbb", "bbb\n", "c\n"]),
    Row(text: "abcdefgh", cuts: .recordBytes(3), parts: ["abc", "def", "gh"]),
    Row(text: "", cuts: .recordBytes(3), parts: [""]),
    Row(text: "a\nb\nc\nd\n", cuts: .recordChunks(2), parts: ["a\nb\n", "c\nd\n"]),
    Row(text: "aaaaaa\nb\n", cuts: .recordChunks(3), parts: ["aaaaaa\n", "", "b\n"]),
    Row(
      text: "aaaaaa\nb\n",
      cuts: .recordChunks(3),
      parts: ["aaaaaa\n", "b\n"],
      omitsEmptyParts: true
    ),
    Row(text: "", cuts: .recordChunks(2), parts: ["", ""]),
    Row(text: "", cuts: .recordChunks(2), parts: [""], omitsEmptyParts: true),
    Row(text: "ab", cuts: .count(4), parts: ["a", "b"], omitsEmptyParts: true),
  ]

  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file("f") }

  init() throws { directory = try TemporaryDirectory() }

  private func split(_ row: Row, _ engine: EngineName? = nil) throws -> Split {
    try Files.write(Array(row.text.utf8), to: file)
    var split = Split(file, row.cuts)
    (split.options.separator, split.options.omitsEmptyParts) = (row.separator, row.omitsEmptyParts)
    (split.work.engine, split.work.output.synchronizes) = (engine, false)
    return split
  }

  @Test("every engine copies parts of records, and merging them gives the file", arguments: rows)
  func parts(row: Row) throws {
    for engine in EngineName.allCases {
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
      _ = try split(row, engine).run()
      let names = try directory.names().filter { $0 != "f" && $0 != "f.sfv" }
      #expect(names == row.parts.indices.map { FilePath("f.00\($0 + 1)") })
      let found = try names.map { try Files.read(directory.file($0)) }
      #expect(found == row.parts.map { Array($0.utf8) }, "\(engine)")
      #expect(try Verify([directory.file("f.sfv")]).run().isRight)
      let selection = try Selection(of: [directory.file("f.001")], Selection.Request())
      var merge = Merge(selection, into: directory.file("g"))
      merge.work.output.synchronizes = false
      let verdict = try merge.run().verdict
      #expect(verdict.isVerified)
      #expect(try Files.read(directory.file("g")) == Array(row.text.utf8))
    }
  }

  @Test("blocks of parts of records have sums of their own")
  func blocks() throws {
    let row = Row(text: "aaaa\nbb\nccccccc\n", cuts: .records(2), parts: [])
    var split = try split(row)
    split.options.block = 3
    _ = try split.run()
    var bytes = try Files.read(directory.file("f.001"))
    bytes[4] ^= 1
    try Files.write(bytes, to: directory.file("f.001"))
    let wrong = try Verify([directory.file("f.sfv")]).run().findings.first { $0.status != .ok }
    #expect(wrong?.path.lastComponent == "f.001")
  }

  /// What is refused, and what the sentence has in it.
  static let refusals: [(CutList, @Sendable (inout Split) -> Void, String)] = [
    (.records(0), { _ in }, "more than 0"),
    (.recordBytes(0), { _ in }, "more than 0"),
    (.recordChunks(0), { _ in }, "more than 0"),
    (.records(1), { $0.work.consumes = true }, "counted from its start"),
    (.records(1), { $0.options.isZip = true }, "one size"),
  ]

  @Test("what makes no sense is refused", arguments: refusals)
  func refuses(cuts: CutList, change: @Sendable (inout Split) -> Void, text: String) throws {
    var split = try split(Row(text: "a\nb\n", cuts: cuts, parts: []))
    split.work.output.synchronizes = true
    change(&split)
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == .contradiction)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(try directory.names() == ["f"])
  }

  @Test("sizes alone do not tell where records end")
  func sizes() {
    #expect(throws: CutError.dependsOnRecords) { try CutList.records(1).sizes(of: 9) }
  }

  @Test("looking for records ends when the job is cancelled")
  func cancellation() throws {
    let split = try split(Row(text: "a\nb\n", cuts: .records(1), parts: []))
    split.work.cancellation.cancel()
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == .cancelled)
    #expect(try directory.names() == ["f"])
  }
}
