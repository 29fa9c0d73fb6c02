import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SumsParserTests {
  private static let md5 = "0cc175b9c0f1b6a831c399e269772661"
  private static let sha256 = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
  private static let long = String(repeating: "0aF9", count: 32)

  private static func entry(_ kind: Digest.Kind, _ digits: String, _ name: FilePath) throws
    -> Manifest.Entry
  {
    let digest = try #require(Digest(kind, digits: digits.utf8))
    return Manifest.Entry(name: name, expected: Manifest.Expected(digests: [digest]))
  }

  @Test(
    "what coreutils, RHash and OpenSSL write is understood",
    arguments: [
      ("\(sha256)  a.001\n", .sha256, "a.001"),
      ("\(sha256) *a.001\n", .sha256, "a.001"),
      ("\(sha256) a.001", .sha256, "a.001"),
      ("  \(sha256)   a.001 \r\n", .sha256, " a.001 "),
      ("\u{FEFF}# x\n; y\n\n\(sha256)  ./a b\n", .sha256, "a b"),
      ("\\\(sha256)  a\\\\b\\nc\\rd\n", .sha256, "a\\b\nc\rd"),
      ("SHA256 (a.001) = \(sha256)\n", .sha256, "a.001"),
      ("SHA2-256(a.001)= \(sha256)\n", .sha256, "a.001"),
      ("\\SHA256 (n\\nl) = \(sha256)\n", .sha256, "n\nl"),
      ("MD5   (a ) = (b) = \(md5) \n", .md5, "a ) = (b"),
      ("md5 (\(md5)  x) = \(md5.uppercased())\n", .md5, "\(md5)  x"),
      ("BLAKE2b (a) = \(long)\n", .b2, "a"),
      ("SHA512 (a) = \(long)\n", .sha512, "a"),
      ("\(long)  a", .sha512, "a"),
    ] as [(String, Digest.Kind, String)]
  )
  func understood(text: String, kind: Digest.Kind, name: String) throws {
    let digits = [.md5: Self.md5, .sha256: Self.sha256][kind] ?? Self.long
    let wanted = Manifest(sums: [try Self.entry(kind, digits, FilePath(name))])
    #expect(try Manifest(parsingSums: Array(text.utf8), nil, path: "a") == wanted)
    #expect(try Manifest(parsingSums: Array(text.utf8), kind, path: "a") == wanted)
    #expect(Manifest.Format(of: Array(text.utf8)) == .sums(nil))
  }

  @Test(
    "a path below the list is kept, and a file elsewhere is left out",
    arguments: [
      ("docs/x", "docs/x", "docs/x"), ("./a//b/./c", "a/b/c", "a/b/c"),
      ("dist\\\\x", "dist\\x", "dist/x"),
      ("..\\x", nil, nil), ("../x", nil, nil), ("/x", nil, nil), ("C:\\x", nil, nil),
      ("\\\\server\\x", nil, nil), ("a/../x", nil, nil), ("./..", nil, nil),
    ] as [(String, String?, String?)]
  )
  func paths(path: String, escaped: String?, plain: String?) throws {
    for (line, wanted) in [
      ("\(Self.md5)  \(path)", plain), ("MD5 (\(path)) = \(Self.md5)", plain),
      ("\\\(Self.md5)  \(path)", escaped),
    ] {
      // Not every path has backslashes that escape something.
      if line.hasPrefix("\\"), path.contains("\\"), !path.contains("\\\\") { continue }
      if path.hasPrefix("\\\\"), line.hasPrefix("\\") { continue }
      let text = line.hasPrefix("\\") ? line : line.replacing("\\\\", with: "\\")
      let sums = try Manifest(parsingSums: Array(text.utf8), nil, path: "a")
      let prefixed = path.hasPrefix("\\\\") ? nil : wanted
      #expect(
        sums.listedNames == [prefixed].compactMap { $0.map { FilePath($0) } },
        "\(text)"
      )
      #expect(sums.outside == (prefixed == nil ? 1 : 0), "\(text)")
    }
  }

  @Test(
    "a digest by itself, or of standard input, is of what the list is named after",
    arguments: [
      ("\(md5)", "f.bin.md5", "f.bin"), (" \(md5.uppercased()) \t\r\n\r\n", "F.MD5", "F"),
      ("\u{FEFF}\(md5)\n", "dir/f.md5sum", "f"), ("\(md5)  -", "f.md5", "f"),
      ("\(md5) *stdin", "f.md5", "f"), ("MD5(stdin)= \(md5)", "f.md5.txt", "f"),
      ("# x\n(stdin)= \(md5)", "f_md5.txt", "f"), ("\(md5)", "f.sum", "f"),
      ("\(md5)", "f.md5.hash", "f"), ("\(md5)  -", "MD5SUMS", "-"),
      ("\(md5) *stdin", "md5.txt", "stdin"),
    ] as [(String, FilePath, FilePath)]
  )
  func unnamed(text: String, path: FilePath, name: FilePath) throws {
    let wanted = [try Self.entry(.md5, Self.md5, name)]
    #expect(
      try Manifest(parsingSums: Array(text.utf8), nil, path: path).entries.elementsEqual(wanted)
    )
    #expect(try Manifest(parsing: Array(text.utf8), path: path).entries.map(\.name) == [name])
  }

  @Test("digests of one file are put together") func several() throws {
    let text = "MD5 (a) = \(Self.md5)\nMD5 (b) = \(Self.md5)\nSHA256 (a) = \(Self.sha256)\n"
    let sums = try Manifest(parsingSums: Array(text.utf8), nil, path: "a")
    #expect(sums.entries.map(\.name) == ["a", "b"])
    #expect(sums.entries[0].expected.digests.map(\.kind) == [.md5, .sha256])
  }

  @Test("a line may be there twice") func twice() throws {
    let text = "\(Self.md5)  a\n\(Self.md5) *a\n"
    let wanted = Manifest(sums: [try Self.entry(.md5, Self.md5, "a")])
    #expect(try Manifest(parsingSums: Array(text.utf8), nil, path: "a") == wanted)
    #expect(
      try Manifest(parsingSFV: Array("a 1\nb 2\na 1\n".utf8), path: "a").listedNames
        == ["a", "b"]
    )
  }

  @Test("lists in UTF-16 are read", arguments: [true, false]) func wide(isLittle: Bool) throws {
    let units = [0xFEFF] + Array("\(Self.md5)  é\r\n".utf16)
    let bytes = units.flatMap { unit in
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      return isLittle ? pair : pair.reversed()
    }
    for path in ["f.md5", "checksums.txt"] as [FilePath] {
      #expect(try Manifest(parsing: bytes, path: path).entries.map(\.name) == ["é"])
    }
  }

  @Test(
    "what is no list says what it is",
    arguments: [
      ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n4294967295 1 a\n", "f.md5", "PGP"),
      ("MD5 hash of a:\r\n\(md5)\r\nCertUtil: -hashfile command\r\n", "f.md5", "CertUtil"),
      ("\(sha256)  a\n", "f.b2", "BLAKE2b digest of 256 bits"),
    ] as [(String, FilePath, String)]
  )
  func foreign(text: String, path: FilePath, words: String) {
    let error = #expect(throws: CleaveError.self) {
      try Manifest(parsing: Array(text.utf8), path: path)
    }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test(
    "a wrong line is refused, and named",
    arguments: [
      ("a.001\n", nil, "line 1: is not a digest and a name"),
      ("\n\(md5)  x\nff\(md5.dropFirst(2)) *x\n", nil, "line 3: x appears twice"),
      ("\(md5)  ..", nil, "line 1: the name .. is a directory's"),
      ("\(md5)  x/", nil, "line 1: the name ends in a slash, as those of directories do"),
      ("\(md5)", nil, "line 1: is not a digest and a name"),
      ("\(md5)  a\0b", nil, "line 1: the name holds a NUL byte"),
      ("\\\(md5)  a\\tb", nil, "line 1: the name has a backslash that escapes nothing"),
      ("\\\(md5)  a\\", nil, "line 1: the name has a backslash that escapes nothing"),
      ("\(md5)0  x", nil, "line 1: does not begin with a digest"),
      ("\(md5)  x", .sha256, "line 1: does not have the 64 hexadecimal digits of SHA256"),
      ("MD5 (x) = \(md5)0", nil, "line 1: does not have the 32 hexadecimal digits of MD5"),
      (
        "MD5 (x) = g\(md5.dropLast())", nil,
        "line 1: does not have the 32 hexadecimal digits of MD5"
      ),
      ("MD5 (x) \(md5)", nil, "line 1: is not a digest and a name"),
      ("MD5 (x =\(md5)", nil, "line 1: is not a digest and a name"),
      ("SHA3 (x) = \(md5)", nil, "line 1: does not begin with a digest"),
    ] as [(String, Digest.Kind?, String)]
  )
  func refused(text: String, kind: Digest.Kind?, message: String) {
    let error = #expect(throws: CleaveError.self) {
      try Manifest(parsingSums: Array(text.utf8), kind, path: "a")
    }
    #expect(error == CleaveError(.badData, "a", Sentence(message)))
  }

  @Test(
    "wrong comments about the whole are refused, but only cleave's own",
    arguments: [
      ("# name: a\n# size: 1", "line 3: the comments about the whole have no digest, or several"),
      ("# size: -1", "line 2: the size is not a decimal number of bytes"),
      ("# md5: 0", "line 2: the md5 is not a hexadecimal digest"),
      ("# name: ../x", "line 2: the name ../x holds a path separator"),
      ("# md5: \(md5)", "line 2: the key name is missing from the comments about the whole"),
    ]
  )
  func refusedWhole(text: String, message: String) throws {
    let error = #expect(throws: CleaveError.self) {
      try Manifest(parsingSums: Array("# Generated by cleave 1\n\(text)".utf8), nil, path: "a")
    }
    #expect(error == CleaveError(.badData, "a", Sentence(message)))
    let other = Array("# Generated by cleaver 1\n\(text)".utf8)
    #expect(try Manifest(parsingSums: other, nil, path: "a") == Manifest(sums: []))
  }

  @Test(
    "a manifest comes back as it was written, whatever the name",
    arguments: ["a.001", "a\\b", "n\nl", "\r", " a ", "*a", "#a", "\u{1B}", "a\\nb"] as [FilePath]
  )
  func roundTrip(name: FilePath) throws {
    let digest = try #require(Digest(.sha256, digits: Self.sha256.utf8))
    let entries = [try Self.entry(.sha256, Self.sha256, name)]
    let expected = Manifest.Expected(size: 7, digests: [digest])
    let whole = Manifest.Whole(name: name, expected: expected)
    let bytes = Sums.render(entries, whole: whole)
    let wanted = Manifest(sums: entries, whole: whole)
    #expect(try Manifest(parsingSums: bytes, .sha256, path: "a") == wanted)
    #expect(Manifest.Format(of: bytes) == .sums(nil))
  }
}
