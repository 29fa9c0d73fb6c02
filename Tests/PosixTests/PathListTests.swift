import Posix
import TestSupport
import Testing

@Suite("names that are likely are found among many") struct PathListTests {
  private static let names: [FilePath] = [
    "a.001", "A.002", "a.1", "a.001.sfv", "b.001", "a", "", "a.", "a.x01", "a.000000001",
  ]

  @Test(
    arguments: [
      (
        "", "",
        ["a.001", "A.002", "a.1", "a.001.sfv", "b.001", "a", "", "a.", "a.x01", "a.000000001"]
      ),
      ("a.", "", ["a.001", "A.002", "a.1", "a.001.sfv", "a.", "a.x01", "a.000000001"]),
      ("A.0", "01", ["a.001", "a.000000001"]),
      ("a.001", "001", ["a.001"]),
      ("a.001.", ".sfv", ["a.001.sfv"]),
      ("c", "", []),
    ] as [(String, String, [FilePath])]
  )
  func theirStartAndEnd(start: String, end: String, found: [FilePath]) {
    let likely = PathList(Self.names).likely(beginning: Array(start.utf8), ending: Array(end.utf8))
    #expect(Set(likely).isSuperset(of: found))
  }

  @Test func whatIsBetween() {
    let list = PathList(Self.names)
    let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
    let found = list.likely(beginning: Array("a.".utf8), around: 1...3, of: isDigit)
    #expect(found == ["a.001", "A.002", "a.1"])
    let ending = list.likely(beginning: [], ending: Array("001".utf8), around: 2...2)
    #expect(ending == ["a.001", "b.001"])
  }

  @Test func pathsInDirectories() {
    let together = PathList(Self.names.map { FilePath("d").appending($0) })
    #expect(together.likely(beginning: Array("b".utf8)) == ["d/b.001"])
    // Of different directories, whoever asks looks at each.
    let apart: [FilePath] = ["d/a.001", "e/a.002"]
    #expect(PathList(apart).likely(beginning: Array("b".utf8)) == apart)
  }

  @Test(
    arguments: [[], ["d/a", "d/A"], ["d/a", "e/a"], ["a", "d/a"], ["a", "", "b"]] as [[FilePath]]
  )
  func whetherOneIsThere(paths: [FilePath]) {
    var list = PathList(paths)
    for _ in 0..<2 {
      for path in ["a", "A", "d/a", "d/A", "D/a", "e/a", "d/", "", "b"] as [FilePath] {
        #expect(list.contains(path) == paths.contains(path), "\(path)")
      }
      list.willBeSearched()
    }
  }

  /// However often it is asked, and whatever is appended in between.
  @Test func aListThatIsSearchedOftenFindsTheSame() {
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    let letters = Array("aAbB.1@`é".utf8)
    let some = { (random: inout SeededGenerator) in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        letters.randomElement(using: &random)!
      }
    }
    let plain = PathList((0..<200).map { _ in FilePath(bytes: some(&random)) })
    var searched = plain
    searched.willBeSearched()
    for _ in 0..<60 {
      let start = some(&random)
      #expect(
        searched.likely(beginning: start) == plain.likely(beginning: start),
        "seed \(seed), \(start)"
      )
    }
    searched.append("ab.7")
    #expect(searched.likely(beginning: Array("ab.".utf8)).contains("ab.7"))
  }
}
