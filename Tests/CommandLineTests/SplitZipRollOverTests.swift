import Posix
import TestSupport
import Testing

/// What zip 3.0 writes where a record does not fit behind what is there, which 7-Zip cannot open.
@Suite(.aside, .enabled(if: Tool.find("zip") != nil, "zip is not installed"))
struct SplitZipRollOverTests {
  private static let limit = 65_536
  /// The marker, and a local header and a central record for a name of one letter.
  private static let (marker, header, record) = (4, 31, 47)

  /// How much room the stored contents of the first entry leave in the first part.
  static let rows: [(room: Int, options: [String])] =
    [0, 5, 21].map { (header + record + marker + $0, []) }
    + [0, 10, 46].map { (header + marker + $0, []) }
    // A record of the directory is 12 bytes longer here, and those at the end are 98.
    + [0, 33, 97].map { (header + 20 + record + 12 + marker + $0, ["-fz"]) }
    + [0, 10].map { (header + 20 + marker + $0, ["-fz"]) }

  @Test(arguments: rows) func oneEntryAndItsRecordsInTwoParts(
    row: (room: Int, options: [String])
  ) throws {
    var tree = FileTree()
    tree.add("a", Bytes.pattern(count: Self.limit - row.room))
    try test(tree, row.options, partCount: 2)
  }

  @Test(arguments: [0, 10, 30]) func theSecondEntryDoesNotFit(room: Int) throws {
    var tree = FileTree()
    tree.add("a", Bytes.pattern(count: Self.limit - Self.marker - Self.header - room))
    tree.add("b", Bytes.pattern(count: 1000))
    try test(tree, [], partCount: 2)
  }

  @Test(arguments: [[], ["-fz"]]) func theDirectoryGoesOverSeveralParts(options: [String]) throws {
    var tree = FileTree()
    let name = String(repeating: "long", count: 20)
    for index in 0..<900 { tree.add(FilePath("\(name) \(index)"), Bytes.text(count: index % 13)) }
    try test(tree, options, partCount: 3)
  }

  private func test(_ tree: FileTree, _ options: [String], partCount: Int) throws {
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.zip(tree, ["-0", "-X", "-s", "64k"] + options, to: directory.path)
    #expect(parts.count >= partCount)
    let merged = try mergeEveryWay(parts)
    try expectZip(merged, holds: tree)
    try expectCopied(parts.map { try Files.read($0) }, into: merged)
  }
}
