import Posix
import TestSupport
import Testing

@testable import Cleave

/// The list of a manifest keeps what is put into it.
@Suite struct ManifestEntriesTests {
  private static func entry(_ index: Int, _ random: inout SeededGenerator) throws -> Manifest.Entry
  {
    var expected = Manifest.Expected()
    if Bool.random(using: &random) { expected.size = Int64.random(in: 0...(.max), using: &random) }
    if Bool.random(using: &random) { expected.crc32 = .random(in: 0...(.max), using: &random) }
    if Bool.random(using: &random) { expected.adler32 = .random(in: 0...(.max), using: &random) }
    for kind in Digest.Kind.allCases where Bool.random(using: &random) {
      let bytes = (0..<kind.count).map { _ in UInt8.random(in: 0...255, using: &random) }
      expected.digests.append(try #require(Digest(kind, bytes: bytes)))
    }
    var entry = Manifest.Entry(name: FilePath("n\(index)"), expected: expected)
    guard Bool.random(using: &random) else { return entry }
    let sums = (0..<Int.random(in: 0...5, using: &random)).map { UInt32($0) }
    entry.blocks = BlockSums(size: 3, length: Int64(3 * sums.count), crc32s: sums)
    return entry
  }

  @Test func entriesAreFoundByTheirPlacesAndTheirNames() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var wanted: [Manifest.Entry] = []
    var list = Manifest.Entries()
    for index in 0..<3000 {
      let entry = try Self.entry(index, &random)
      wanted.append(entry)
      list.append(entry)
      if index % 7 == 0 {
        let place = Int.random(in: 0...index, using: &random)
        wanted[place] = try Self.entry(place, &random)
        list.replace(place, with: wanted[place])
      }
    }
    #expect(Array(list) == wanted, "seed \(seed)")
    for (index, entry) in wanted.enumerated() {
      #expect(list.firstIndex(named: entry.name) == index)
      #expect(list.expected(of: entry.name) == entry.expected, "seed \(seed)")
    }
    #expect(!list.contains(named: "n3000") && !list.contains(named: ""))
    let even = list.keeping { $0.expected.crc32 != nil }
    #expect(Array(even) == wanted.filter { $0.expected.crc32 != nil }, "seed \(seed)")
    #expect(list.keeping { _ in true } == list)
  }

  @Test func aNameThatIsThereTwiceIsFoundAtItsFirstPlace() {
    let entries: Manifest.Entries = [
      Manifest.Entry(name: "a", expected: Manifest.Expected(crc32: 1)),
      Manifest.Entry(name: "b", expected: Manifest.Expected(crc32: 2)),
      Manifest.Entry(name: "a", expected: Manifest.Expected(crc32: 3)),
    ]
    #expect(entries.map(\.expected.crc32) == [1, 2, 3])
    #expect(entries.firstIndex(named: "a") == 0)
  }

  @Test func filesAreGroupedByTheirDirectories() {
    let names: [FilePath] = ["a", "x/b", "y/z/c", "x/d", "e", "y/z/f"]
    var lists = ManifestLists()
    for name in names { lists.append(Manifest.Entry(name: name, expected: Manifest.Expected())) }
    let files = ListedFiles(lists.entries, nested: lists.nested, beside: "in/a.sfv")
    #expect(
      files.elementsEqual(["in/a", "in/e", "in/x/b", "in/y/z/c", "in/x/d", "in/y/z/f"])
    )
    let groups = ListedFiles.Directories(of: files).groups.map { $0.map { files[Int($0)] } }
    #expect(groups == [["in/a", "in/e"], ["in/x/b", "in/x/d"], ["in/y/z/c", "in/y/z/f"]])
    #expect(files.allSatisfy { files.contains($0) })
    for other: FilePath in ["a", "in/", "in/x", "in/g", "out/a", "in//a"] {
      #expect(!files.contains(other), "\(other)")
    }
  }
}
