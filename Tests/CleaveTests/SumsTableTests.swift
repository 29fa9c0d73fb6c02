import Posix
import TestSupport
import Testing

@testable import Cleave

/// Lines that have more in them than a digest and a name.
@Suite struct SumsTableTests {
  private static let md5 = "0cc175b9c0f1b6a831c399e269772661"
  private static let sha1 = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"
  private static let sha256 = String(repeating: "0a", count: 32)

  @Test(
    "a line has one name and one digest of a kind",
    arguments: [
      ("\(md5)         3000  f.001", "f.001"), ("8A7C1D22         3000  f.001", "f.001"),
      ("\"MD5\",\"\(md5)\",\"f.001\"", "f.001"), ("\"MD5\";\"\(md5)\";\"f 1.001\"", "f 1.001"),
      ("3000,\(md5),\(sha256),d/f.001", "d/f.001"), ("f.001: \(md5)", "f.001"),
      ("| f.001 | \(md5) | 4.7 GB |", "f.001"), ("* f.001\t\(sha1)\t\(md5)", "f.001"),
      ("MD5 (f.001) = \(md5)", "f.001"), ("sha-256: `\(sha256)` f.001", "f.001"),
      ("\(md5)         3000  01 f.001", "01 f.001"), ("f (1).001 = \(md5)", "f (1).001"),
      ("MD5 for data: \(md5)-00000002\n\(md5)         1  a", "a"),
      ("RMD160 (f.001) = \(sha1)\nSHA1 (f.001) = \(sha1)", "f.001"),
      ("Name  Sum\n----  ---\n\nf.001: \(md5)\nThese are all.\n", "f.001"),
    ] as [(String, FilePath)]
  )
  func isRead(text: String, name: FilePath) throws {
    let table = try #require(SumsTable(Array(text.utf8), nil))
    let found = table.lists.entries.map(\.name) + table.lists.nested.map(\.name)
    #expect(found == [name])
  }

  @Test(
    "where a line may be damaged, or of other sums, nothing is read",
    arguments: [
      // Nothing at all, no digest, no name.
      "", "words", md5,
      // Two digests of one kind for a name, in one line and in two.
      "f.001 \(md5) \(md5)",
      "f.001: \(md5)\nf.001: 1\(md5.dropFirst())",
      // One that is longer, shorter, or has a letter that is no digit.
      "a: \(md5)\nf.001: \(md5)0", "a: \(md5)\nf.001: \(md5.dropLast())",
      "a: \(md5)\nf.001: x\(md5.dropFirst())", "a: \(md5)\n\(md5)", "a: \(md5)\n5d41",
      "a: \(md5)\n0cc175b9c",
      // Other kinds.
      "BLAKE3  Size  Name\nBLAKE3 \(sha256) f.001", "f.001 | sha3-256 | \(sha256)",
      "MD5 (f.001) = \(sha1)",
      // One that tells otherwise of a file, beside another.
      "x: \(sha1)\nf.001: \(md5)\nf.002: pending\n",
      "x: \(md5)\nf.001: \(md5)\nf.002 (last): \(md5)\n",
      "f.001: \(md5)\n# f.002: \(md5)\n", "SHA1 (f.001) = \(sha1)\nMD4 (f.002) = \(md5)\n",
      // The end was cut off.
      "8A7C1D22   3000  f.001\n8A7C1D22   3000  f.", "8A7C1D22   3000  f.001\n8A7C1D22   3",
      // Eight characters, and a sign among them.
      "+A7C1D22   3000  f.001",
    ]
  )
  func isNotRead(text: String) {
    #expect(SumsTable(Array(text.utf8), nil) == nil)
  }

  @Test("what the name of a file says must be there")
  func kind() throws {
    let line = Array("f.001: \(Self.md5)".utf8)
    #expect(SumsTable(line, .md5) != nil)
    #expect(SumsTable(line, .sha1) == nil)
    #expect((try? Manifest(parsing: line, path: "f.sha1")) == nil)
    #expect(try Manifest(parsing: line, path: "f.md5").entries.count == 1)
    // A list that begins as one is damaged.
    let list = Array("\(Self.md5)  f.001\nwords\n".utf8)
    #expect((try? Manifest(parsing: list, path: "checksums.txt")) == nil)
  }

  @Test("lines that end in NUL are those of a list")
  func nul() throws {
    let text = Array("\(Self.md5)  a\0\(Self.md5)  b\0".utf8)
    #expect(try Manifest(parsing: text, path: "MD5SUMS").entries.map(\.name) == ["a", "b"])
  }
}
