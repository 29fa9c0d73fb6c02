import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SFVNameTests {
  private let sums = Manifest.Expected(size: 1, crc32: 2, adler32: 3)

  private func requireRoundTrip(
    _ entries: [Manifest.Entry],
    whole: Manifest.Whole? = nil
  ) throws {
    let bytes = SFV.render(entries, whole: whole)
    let list = try Manifest(parsingSFV: bytes, path: "a.sfv")
    #expect(list == Manifest(sfv: entries, whole: whole))
  }

  @Test(
    "a manifest holds the names that every tool reads back",
    arguments: [
      "gcd.mp4.zip.001", "-x.001", ".hidden", "two  blanks", "a\tb", "a;b", "a#b", "a*b", "?q",
      "AABBCCDD", "x AABBCCDD", "MD5 (x) = 00", "a:b", "'q'", "\"q\"", "%20", "~", "ä.001",
      "a\u{7F}b", "magnet:x", "xmagnet:?", "…",
    ] as [FilePath]
  )
  func holds(name: FilePath) throws {
    #expect(SFV.canHold(name))
    try requireRoundTrip(
      [Manifest.Entry(name: name, crc32: 0xA)],
      whole: Manifest.Whole(name: name, expected: sums)
    )
  }

  @Test("a name that is not UTF-8 is held byte for byte")
  func bytes() throws {
    let name = FilePath(bytes: [0xFF, 0xFE, 0x20, 0x80])
    #expect(SFV.canHold(name))
    try requireRoundTrip([Manifest.Entry(name: name, crc32: 1)])
  }

  @Test(
    "a manifest does not hold names that a tool reads as something else",
    arguments: [
      "", ".", "..", "a/b", "/", "a\\b", "a\nb", "a\rb", "a\r", ";a", "#a", "*a", " a", "\ta",
      "a ", "a\t", "\u{FEFF}a", "magnet:?x", "a\u{1B}b", "a\u{1}b", "a\u{B}b", "a\u{C}b",
    ] as [FilePath]
  )
  func holdsNot(name: FilePath) {
    #expect(!SFV.canHold(name))
  }

  @Test(
    "blanks around a name come back from a manifest that cleave wrote",
    arguments: ["a ", "a  ", "a\t", " a", "\ta", " a "] as [FilePath]
  )
  func blanks(name: FilePath) throws {
    try requireRoundTrip(
      [Manifest.Entry(name: name, crc32: 1)],
      whole: Manifest.Whole(name: name, expected: sums)
    )
  }

  @Test("random names that a manifest can hold come back from it")
  func random() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = Array(" \t;#*.\\/\r\n:0aF\u{FEFF}é".utf8) + [0x00, 0x1B, 0x80, 0xFF]
    var names: Set<FilePath> = []
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...6, using: &random)
      let name = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      names.insert(FilePath(bytes: name))
    }
    let entries = names.sorted().filter(SFV.canHold).map {
      Manifest.Entry(name: $0, crc32: .random(in: 0 ... .max, using: &random))
    }
    #expect(entries.count > 100)
    try requireRoundTrip(entries)
  }
}
