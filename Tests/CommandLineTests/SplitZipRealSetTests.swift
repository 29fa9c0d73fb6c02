import Posix
import TestSupport
import Testing

/// Archives that zip 3.0 split become what every other program reads.
///
/// Its own `-s 0` is no oracle: it truncates entries and exits with 0.
@Suite(.aside, .enabled(if: Tool.find("zip") != nil, "zip is not installed"))
struct SplitZipRealSetTests {
  static let small = FileTree.sample(bytes: 400_000, seed: 1)
  static let large = FileTree.sample(bytes: 1_900_000, seed: 2)

  static let rows: [(options: [String], tree: FileTree)] = [
    (["-s", "64k"], small), (["-s", "65k"], small), (["-s", "100k"], small),
    (["-s", "128k"], large), (["-s", "1m"], large),
    (["-s", "64k", "-fz"], small),
    // Where the first entry alone goes beyond its part, the name is known that zip did not give.
    (["-s", "128k", "-fd"], small),
    (["-s", "64k", "-0"], small), (["-s", "65k", "-0", "-X"], small),
  ]

  @Test(arguments: rows.indices) func everyProgramReadsWhatIsMerged(index: Int) throws {
    let row = Self.rows[index]
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.zip(row.tree, row.options, to: directory.path)
    #expect(parts.count > 1)
    try checkSource(parts)
    let merged = try mergeEveryWay(parts)
    try expectZip(merged, holds: row.tree)
    try expectCopied(parts.map { try Files.read($0) }, into: merged)
  }

  @Test func encryptedEntriesStayEncrypted() throws {
    let directory = try TemporaryDirectory()
    // Python decrypts a few hundred thousand bytes in a second.
    let tree = FileTree.sample(bytes: 150_000, seed: 3)
    let parts = try ZipPrograms.zip(tree, ["-s", "64k", "-P", "pw"], to: directory.path)
    #expect(parts.count > 1)
    try checkSource(parts, password: "pw")
    let merged = try mergeEveryWay(parts, telling: ["' is encrypted"])
    try expectZip(merged, holds: tree, password: "pw")
    try expectCopied(parts.map { try Files.read($0) }, into: merged)
  }

  @Test func theMarkerCanBeKept() throws {
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.zip(Self.small, ["-s", "64k"], to: directory.path)
    let merged = try mergeEveryWay(parts, ["--keep-marker"])
    try expectZip(merged, holds: Self.small)
    let whole = try Array(parts.flatMap { try Files.read($0) }.prefix(ZipDirectory(merged).offset))
    #expect(Bytes.difference(Array(merged.prefix(whole.count)), whole) == nil)
  }

  /// 7-Zip reads split archives, so it is known that zip wrote what it should have.
  private func checkSource(_ parts: [FilePath], password: String? = nil) throws {
    let last = try #require(parts.last)
    #expect(last.lastComponent == "a.zip")
    #expect(try ZipTool.sevenZip.complaint(about: last, password: password) == nil)
  }

  // MARK: - Telling

  @Test func theOutputIsNamedBesideTheParts() throws {
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.zip(Self.small, ["-s", "100k"], to: directory.path)
    try #require(parts.count > 1)
    let before = try Contents(of: directory.path)
    let outcome = try Tool.cleave.run(["merge", "--no-sync", parts[1]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == ["a.merged.zip is new"])
    let bytes = try Files.read(directory.file("a.merged.zip")).count
    let count = Self.small.entries.count
    let text = outcome.outputText.replacing("\(directory.path)/", with: "")
    #expect(text.hasPrefix("a.merged.zip: \(bytes) bytes ("), "\(outcome)")
    let source = "from \(parts.count) parts of a split zip with \(count) entries, CRC-32 "
    #expect(text.contains(source), "\(outcome)")
    #expect(text.split(separator: "\n").count == 1)
    let again = try Tool.cleave.run(["merge", "--no-sync", parts[0]])
    #expect(again.exitCode == 73, "\(again)")
  }
}
