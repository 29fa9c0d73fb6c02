import Posix
import TestSupport
import Testing

/// The parts that other tools made, before anything is tested with them.
@Suite(.aside) struct FixtureTests {
  @Test(arguments: [
    ("7z-volumes-of-zip", 3), ("zip-and-split", 4), ("uneven", 5), ("empty-part", 3),
    ("one-byte-part", 3), ("zero-based", 3), ("two-digit", 3), ("single-digit", 11),
  ])
  func thePartsMakeTheWhole(name: String, count: Int) throws {
    let fixture = Fixture(FilePath(name))
    let parts = try fixture.parts()
    #expect(parts.count == count)
    let joined = try parts.flatMap { try Files.read($0) }
    #expect(try Bytes.difference(joined, fixture.whole()) == nil)
  }

  #if os(Linux)
    @Test func partsCanBeCopiedUnderANameOfAnyBytes() throws {
      let directory = try TemporaryDirectory()
      let name = FilePath(bytes: [0xFF, 0xFE])
      let copies = try Fixture("two-digit").copyParts(to: directory.path, renaming: name)
      #expect(copies.map(\.lastComponent) == [".01", ".02", ".03"].map { name.adding($0) })
      #expect(try directory.names() == copies.map(\.lastComponent))
    }
  #endif
}
