import Posix
import Testing

@Suite struct FilePathTests {
  @Test(
    "a path has a last component and a directory",
    arguments: [
      ("a", "a", "."),
      ("a/b", "b", "a"),
      ("/a", "a", "/"),
      ("/a/b", "b", "/a"),
      ("a/b/", "b", "a"),
      ("a/b///", "b", "a"),
      ("a//b", "b", "a"),
      ("//a", "a", "/"),
      ("/", "/", "/"),
      ("///", "/", "/"),
      ("", "", "."),
      (".", ".", "."),
      ("..", "..", "."),
      ("./a", "a", "."),
    ] as [(FilePath, FilePath, FilePath)]
  )
  func aPathHasComponents(path: FilePath, last: FilePath, directory: FilePath) {
    #expect(path.lastComponent == last)
    #expect(path.directory == directory)
  }

  @Test(
    "a sibling is in the same directory",
    arguments: [
      ("a", "x", "x"),
      ("a/b", "x", "a/x"),
      ("a/b/", "x", "a/x"),
      ("/a", "x", "/x"),
      ("./a", "x", "./x"),
      ("a//b", "x", "a//x"),
      ("", "x", "x"),
    ] as [(FilePath, FilePath, FilePath)]
  )
  func aSiblingIsInTheSameDirectory(path: FilePath, name: FilePath, expected: FilePath) {
    #expect(path.sibling(name) == expected)
  }

  @Test(
    "a name is put into a directory",
    arguments: [
      ("a", "x", "a/x"),
      ("a/", "x", "a/x"),
      ("/", "x", "/x"),
      (".", "x", "x"),
      ("..", "x", "../x"),
      ("", "x", "x"),
    ] as [(FilePath, FilePath, FilePath)]
  )
  func aNameIsPutIntoADirectory(directory: FilePath, name: FilePath, expected: FilePath) {
    #expect(directory.appending(name) == expected)
  }

  @Test func componentsKeepTheirBytes() {
    let path = FilePath(bytes: [0xFF, 0x2F, 0xC3, 0x2F, 0x80])
    #expect(path.lastComponent.bytes == [0x80])
    #expect(path.directory.bytes == [0xFF, 0x2F, 0xC3])
    #expect(path.sibling("x").bytes == [0xFF, 0x2F, 0xC3, 0x2F, 0x78])
    #expect(path.appending(FilePath(bytes: [0xFE])).bytes == path.bytes + [0x2F, 0xFE])
    #expect(path.adding(".00").bytes == path.bytes + [0x2E, 0x30, 0x30])
  }

  @Test(
    "a slash at the end is seen",
    arguments: [
      ("a", false), ("a/", true), ("/", true), ("", false),
    ] as [(FilePath, Bool)]
  )
  func aSlashAtTheEndIsSeen(path: FilePath, expected: Bool) {
    #expect(path.endsInSlash == expected)
  }

  @Test func aPathEndsAtTheFirstNul() {
    #expect(FilePath(bytes: [0x61, 0, 0x62]).bytes == [0x61])
  }

  @Test func aPathGoesToCAndBack() {
    let path = FilePath(bytes: [0xFF, 0x61, 0x80])
    #expect(path.withCString { FilePath(cString: $0) } == path)
    #expect(FilePath("").withCString { FilePath(cString: $0) } == "")
  }

  @Test func pathsAreOrderedByBytes() {
    let paths: [FilePath] = ["", "B", "a", "a.1", "aa", "\u{E9}", FilePath(bytes: [0xFF])]
    #expect(paths.reversed().sorted() == paths)
  }

  @Test func onlyUTF8IsAString() {
    #expect(FilePath("\u{E9}\n").string == "\u{E9}\n")
    #expect(FilePath(bytes: [0x61, 0xFF]).string == nil)
  }
}
