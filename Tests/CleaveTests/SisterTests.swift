import Posix
import TestSupport
import Testing

@testable import Cleave

/// One part alone, beside names that differ from its own in another number.
@Suite struct SisterTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Names and bytes; the first is the operand.
    var files: KeyValuePairs<String, Int>
    /// What the message has in it; nil where the part is taken for all.
    var text: String?

    var testDescription: String { files.map(\.key).joined(separator: " ") }
  }

  static let rows = [
    // `split -d --additional-suffix=.001`, and what cleave makes with `.part1` in place of that.
    Row(files: ["x01.001": 20, "x00.001": 20, "x02.001": 5], text: "x00.001 and 1 more beside it"),
    Row(
      files: ["f.002.part1": 20, "f.001.part1": 20, "f.003.part1": 20],
      text: "numbers takes 3 files for its parts"
    ),
    Row(files: ["x0b.001": 7, "x09.001": 7, "x0a.001": 7], text: "x09.001 and 1 more"),
    // The other number is behind that of the part.
    Row(files: ["f.part1.0.csv": 8, "f.part1.1.csv": 7], text: "f.part1.1.csv beside it"),
    Row(
      files: ["f.part1.ab~": 8, "f.part1.aa~": 8, "f.part1.ac~": 3],
      text: "f.part1.aa~ and 1 more"
    ),
    Row(files: ["x00.001": 200, "x01.001": 5], text: "x01.001 beside it"),
    // Sizes of two files, and of three.
    Row(files: ["film1.mkv.001": 23, "film2.mkv.001": 21]),
    Row(files: ["film1.mkv.001": 23, "film2.mkv.001": 21, "film3.mkv.001": 22]),
    Row(files: ["film1.mkv.001": 20, "film3.mkv.001": 20]),
    // One has a second part of its own.
    Row(files: ["film1.mkv.001": 20, "film2.mkv.001": 20, "film2.mkv.002": 5]),
    Row(files: ["film.mkv.001": 20, "other.mkv.001": 20]),
  ]

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func make(_ row: Row) throws -> FilePath {
    for (name, size) in row.files {
      _ = try directory.make(FilePath(name), Bytes.pattern(count: size))
    }
    return directory(FilePath(row.files[0].key))
  }

  @Test("names and sizes of the parts of one file are not those of single parts", arguments: rows)
  func sisters(row: Row) throws {
    let part = try make(row)
    guard let text = row.text else {
      #expect(try Selection(of: [part]).names.elementsEqual([part]))
      return
    }
    let error = #expect(throws: CleaveError.self) { try Selection(of: [part]) }
    #expect(error?.kind == .missingInput)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    // Who names the last part tells what it is, and so does a list of the whole, but none of all the parts.
    var request = Selection.Request()
    request.reading.bounds.last = .text(part.lastComponent)
    let selection = try Selection(of: [part], request)
    #expect(selection.names.elementsEqual([part]))
    let whole = try #require(selection.base?.lastComponent)
    let sum = Checksum(of: try Files.read(part)[...], .crc32).crc32
    func list(_ names: [FilePath]) throws {
      let entries = names.map { Manifest.Entry(name: $0, crc32: sum) }
      try Files.write(SFV.render(entries), to: directory("all.sfv"))
    }
    try list(row.files.map { FilePath($0.key) })
    #expect(throws: CleaveError.self) { try Selection(of: [part]) }
    try list([whole])
    #expect(try Selection(of: [part]).names.elementsEqual([part]))
  }

  /// The others, and their manifest, are where it leads to.
  @Test func aLinkToOneOfSeveralPartsIsNotTheWhole() throws {
    _ = try directory.directory("d")
    for name in ["d/f.001", "d/f.002", "d/g.001"] as [FilePath] {
      _ = try directory.make(name, [1, 2, 3])
    }
    for target in ["d/f.001", directory("d/f.002")] as [FilePath] {
      let link = directory(target.lastComponent)
      try Files.symlink(link, to: target)
      let error = #expect(throws: CleaveError.self) { try Selection(of: [link]) }
      #expect(error?.kind == .missingInput, "\(error?.message ?? "")")
      if target.lastComponent == "f.001" {
        #expect(error?.message.contains("which is one of 2 parts: try that") == true)
      }
      try FileSystem.unlink(link)
    }
    try Files.symlink(directory("g.001"), to: "d/g.001")
    #expect(try Selection(of: [directory("g.001")]).names.count == 1)
    // Links to all of them are as good as the parts.
    for name in ["f.001", "f.002"] as [FilePath] {
      try Files.symlink(directory(name), to: directory("d").appending(name))
    }
    #expect(try Selection(of: [directory("f.001")]).names.count == 2)
  }
}
