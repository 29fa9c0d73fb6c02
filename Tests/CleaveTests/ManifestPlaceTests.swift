import Posix
import TestSupport
import Testing

@testable import Cleave

/// Lists that name files by their paths, and sums files for single parts.
@Suite struct ManifestPlaceTests {
  private static func digits(_ byte: UInt8) -> String {
    String(repeating: String(byte, radix: 16), count: 64)
  }

  /// Lines of `sha256sum(1)`, each of a digest of its own.
  private static func list(_ names: [String]) -> [UInt8] {
    Array(names.enumerated().map { "\(digits(UInt8($0 + 1)))  \($1)\n" }.joined().utf8)
  }

  struct Row: Sendable {
    var list: String
    var lines: [String]
    var base: String
    /// The lines, from 1, that are the first part's, the second's and so on.
    var wanted: [UInt8]
  }

  private static func top(_ lines: [String], _ base: String, _ wanted: [UInt8]) -> Row {
    Row(list: "SHA256SUMS", lines: lines, base: base, wanted: wanted)
  }

  private static func below(_ lines: [String], _ wanted: [UInt8]) -> Row {
    Row(list: "dist/SHA256SUMS", lines: lines, base: "dist/f", wanted: wanted)
  }

  static let rows = [
    top(["docs/a", "f.001", "f.002", "other"], "f", [2, 3]),
    top(["docs/a", "dist/f.001", "./dist/f.002"], "dist/f", [2, 3]),
    below(["dist/f.001", "dist\\f.002", "docs/a"], [1, 2]),
    below(["f.001", "gone/f.001", "dist/f.001"], [1]),
    // What leads to the part is more than what has its name.
    top(["f.001", "dist/f.001"], "dist/f", [2]),
    top(["gone/f.001", "gone/f.002"], "f", [1, 2]),
    // A file that is there is the one that is meant.
    top(["docs/f.001", "f.002"], "f", [2]),
    top(["docs/f.001"], "f", []),
    top(["../f.001", "f.002"], "f", [2, 1]),
    top(["/gone/f.001", "C:\\f.002"], "f", [1, 2]),
    top(["/f.001", "f.001"], "f", [2]),
    top(["/gone/x", "../gone/y"], "f", []),
    top(["dist/f.z01", "dist/f.zip"], "dist/f.zip", [1, 2]),
    top(["dist/f.partaa", "dist/f.partab"], "dist/f", [1, 2]),
  ]

  private static func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["dist", "docs"] as [FilePath] { _ = try directory.directory(name) }
    _ = try directory.make("docs/f.001", [1])
    return directory
  }

  @Test(
    "entries are a part's where they lead to it, or nothing else can be meant",
    arguments: rows.indices
  )
  func places(index: Int) throws {
    let row = Self.rows[index]
    let directory = try Self.directory()
    let path = try directory.make(FilePath(row.list), Self.list(row.lines))
    let base = directory(FilePath(row.base))
    let manifest = try Manifest(reading: path, about: base)
    let sums = manifest.parts(of: base).compactMap { $0.expected.digests.first?.text }
    #expect(sums == row.wanted.map { Self.digits($0) }, "\(manifest)")
    let names = manifest.parts(of: base).map(\.name)
    #expect(names.allSatisfy { !$0.bytes.contains(UInt8(ascii: "/")) })
  }

  @Test(
    "two entries that may be one part are refused",
    arguments: [["v1/f.001", "v2/f.001"], ["x/v1/f.001", "v1/f.001", "v2/f.002"]]
  )
  func ambiguous(lines: [String]) throws {
    let directory = try Self.directory()
    let path = try directory.make("SHA256SUMS", Self.list(lines))
    let error = #expect(throws: CleaveError.self) {
      try Manifest(reading: path, about: directory("f"))
    }
    let text: Sentence =
      "\(lines[0]) and \(lines[1]) have different sums, and either may be f.001; "
      + "\(.withoutManifest) compares neither"
    #expect(error == CleaveError(.badData, path, text))
    // With the part itself there is no question.
    let exact = try directory.make("sums.sha256", Self.list(lines + ["./f.001"]))
    #expect(try Manifest(reading: exact, about: directory("f")).parts(of: "f").count >= 1)
  }

  @Test("sums files for single parts are read together, in the order of the parts")
  func together() throws {
    let directory = try TemporaryDirectory()
    let base = directory("f")
    for number in [10, 9, 2, 1] {
      let name = "f.\(number)"
      _ = try directory.make(FilePath("\(name).sha256"), Self.list([name]))
    }
    _ = try directory.make("f.2.md5.txt", Array(String(repeating: "1", count: 32).utf8))
    _ = try directory.make("f.9.crc32", Array("0000000F".utf8))
    // Neither a sums file, nor for one part.
    _ = try directory.make("f.3.hash", Array("a text".utf8))
    _ = try directory.make("f.4.txt", Self.list(["f.4"]))
    let manifest = try #require(try Manifest.beside(FilesMeant(base, nil)))
    #expect(manifest.entries.map(\.name) == ["f.1", "f.2", "f.9", "f.10"])
    #expect(manifest.entries[1].expected.digests.count == 2)
    #expect(manifest.entries[2].expected.crc32 == 15)
    #expect(!manifest.listsAllParts)
    #expect(manifest.name == "\(directory("f.1.sha256")) to f.10.sha256")
    let promised = manifest.promisedParts(FilesMeant(base, ["f.1", "f.11"]))
    #expect(Set(promised) == ["f.1", "f.2", "f.9", "f.10", "f.11"])
    // The same by the name of one of them, with those of its ending.
    let given = try Manifest(reading: directory("f.9.sha256"), about: base)
    #expect(given.entries.map(\.name) == ["f.1", "f.2", "f.9", "f.10"])
    #expect(given.entries.allSatisfy { $0.expected.digests.count == 1 })
  }

  @Test("a list of several files under a part's name is a list")
  func listUnderPartsName() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.make("f.001.sha256", Self.list(["f.001", "f.002"]))
    let manifest = try #require(try Manifest.beside(FilesMeant(directory("f"), nil)))
    #expect(manifest.listsAllParts)
    #expect(manifest.parts(of: "f").count == 2)
  }

  @Test("a sums file for one part that cannot be read is told")
  func unreadable() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.make("f.001.sha256", Self.list(["f.001"]))
    let path = try directory.make("f.002.sha256", Array("nothing".utf8))
    let error = #expect(throws: CleaveError.self) {
      try Manifest.beside(FilesMeant(directory("f"), nil))
    }
    #expect(error == CleaveError(.badData, path, "line 1: is not a digest and a name"))
  }

  @Test(
    "a list that is a link which leads nowhere is told",
    arguments: ["SHA256SUMS", "f.sfv", "f.md5", "f.001.sha256"]
  )
  func dangling(name: String) throws {
    let directory = try TemporaryDirectory()
    _ = try directory.make("f.001", [1])
    try Files.symlink(directory(FilePath(name)), to: "nowhere")
    let error = #expect(throws: CleaveError.self) { try Selection(of: [directory("f.001")]) }
    #expect(error?.system?.errno == .notFound)
    #expect(error?.remedies.contains(.withoutManifest) == true)
  }

  @Test("hexadecimal parts are parts, and a file with such an ending is not")
  func hexadecimal() throws {
    let names = (0..<20).map { "h." + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let manifest = try Manifest(parsing: Self.hex(names + ["h.db"]), path: "h.sha256")
    #expect(manifest.parts(of: "h").map(\.name) == names.map { FilePath($0) })
    let decimal = try Manifest(parsing: Self.hex(["h.00", "h.01", "h.db"]), path: "h.sha256")
    #expect(decimal.parts(of: "h").map(\.name) == ["h.00", "h.01"])
  }

  private static func hex(_ names: [String]) -> [UInt8] {
    Array(names.map { "\(digits(1))  \($0)\n" }.joined().utf8)
  }

  @Test("the time for many lines does not grow with their square")
  func many() throws {
    let times = try [500, 4000].map { count in
      // Each is read in its own way.
      let lines = (1...count).map { "f\(String(repeating: "-", count: $0 % 50))part\($0).x 1\n" }
      let manifest = try Manifest(parsing: Array(lines.joined().utf8), path: "other.sfv")
      return ProcessorTime.seconds { #expect(manifest.parts(of: "f.x").count > count / 100) }
    }
    // As many times as long would be 8; the square 64.
    #expect(times[1] < times[0] * 32, "\(times)")
  }

  @Test("bytes are found wherever they are", arguments: ["", "a", "aab", "abab", "nowhere"])
  func search(text: String) {
    for place in ["", "xaaab", "aaaaab", "ababab", "abaabab", "aab"] {
      let isThere = text.isEmpty || place.contains(text)
      #expect(ByteSearch(Array(text.utf8)).isFound(in: Array(place.utf8)) == isThere)
    }
  }
}
