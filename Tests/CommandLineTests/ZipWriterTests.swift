import Posix
import TestSupport
import Testing

/// The zips that other tests are made of, before anything is tested with them.
@Suite(.aside) struct ZipWriterTests {
  static let entries = ZipEntry.samples

  /// What a zip of the entries may have beside them.
  static let forms: [String: @Sendable (inout ZipWriter) -> Void] = [
    "plain": { _ in },
    "comment": { $0.comment = [1, 2, 3] },
    "comment of an entry": { $0.entries[0].comment = Array("remark".utf8) },
    "local extra field": { $0.entries[0].localExtra = ZipEntry.extra(0x6363, [1, 2, 3]) },
    "central extra field": { $0.entries[0].centralExtra = ZipEntry.extra(0x6363, [1]) },
    "ZIP64 end records": { $0.zip64 = .endRecords },
    "ZIP64": { $0.zip64 = .everything },
    "prefix": { $0.prefix = Bytes.text(count: 500) },
  ]

  @Test(arguments: forms.keys.sorted()) func everyProgramReadsASingleZip(form: String) throws {
    let bytes = try Self.writer(form).single()
    #expect(ZipDirectory(bytes).problems == [])
    let directory = try TemporaryDirectory()
    try Files.write(bytes, to: directory.file("a.zip"))
    let tree = FileTree(Self.entries)
    #expect(try ZipTools.complaints(about: directory.file("a.zip"), holding: tree) == [])
  }

  // 200 is more than the records at the end need, which no reader looks for in two parts.
  @Test(arguments: [200, 300, 512, 1000, 4096, 5000, 20_000], forms.keys.sorted())
  func sevenZipReadsASplitOne(size: Int, form: String) throws {
    if let reason = ZipTool.skipReason([.sevenZip]) { return print(reason) }
    let parts = try Self.writer(form).parts(of: size)
    #expect(parts.allSatisfy { $0.count <= size })
    if form != "prefix" { #expect(ZipLayout(parts).problems == []) }
    let set = try ZipSet(parts)
    #expect(try ZipTool.sevenZip.complaint(about: set.last) == nil)
  }

  @Test(arguments: QuirkRow.all.filter(\.isReadBySevenZip))
  func sevenZipReadsSomeOfWhatIsOdd(row: QuirkRow) throws {
    if let reason = ZipTool.skipReason([.sevenZip]) { return print(reason) }
    let set = try row.set()
    #expect(try ZipTool.sevenZip.complaint(about: set.last) == nil)
  }

  @Test(arguments: QuirkRow.all) func whatIsOddChangesTheParts(row: QuirkRow) throws {
    let parts = try row.writer.parts(of: row.size)
    var plain = row.writer
    plain.quirks = []
    #expect(try row.writer.quirks.isEmpty || plain.parts(of: row.size) != parts)
    guard let whole = try row.whole() else { return }
    let directory = ZipDirectory(whole)
    #expect(directory.problems == [])
    let joined = Array(parts.joined().dropFirst(row.writer.marker.bytes.count))
    let upTo = { (bytes: [UInt8]) in Array(bytes.prefix(directory.offset)) }
    #expect(Bytes.difference(upTo(joined), upTo(whole)) == nil)
  }

  private static func writer(_ form: String) throws -> ZipWriter {
    var writer = ZipWriter(entries)
    let change = try #require(forms[form])
    change(&writer)
    return writer
  }
}
