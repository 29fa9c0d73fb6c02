import Posix
import TestSupport
import Testing

@testable import Cleave

/// Which of the manifests beside some parts is compared with.
@Suite struct ManifestChoiceTests {
  /// Lines of `NAME.sfv` for the names behind the colon: the first, second and third part's sums.
  struct Row: Sendable, CustomTestStringConvertible {
    var parts = ["f.001", "f.002", "f.003"]
    var lists: [(name: String, lines: [String])]
    /// The manifest that is taken, or what the error says.
    var taken: String?
    var refusal: String?
    var warnings = 0

    var testDescription: String { "\(parts.first ?? ""): \(lists.map(\.name))" }
  }

  private static let all = ["f.001", "f.002", "f.003"]

  static let rows = [
    Row(lists: [("all.sfv", all), ("f.001.sfv", ["f.001"])], taken: "all.sfv"),
    Row(lists: [("all.sfv", all), ("f.sfv", [])], taken: "all.sfv"),
    Row(lists: [("all.sfv", all), ("f.sfv", ["old.001"])], taken: "all.sfv"),
    Row(lists: [("f.sfv", all), ("all.sfv", ["f.001"])], taken: "f.sfv"),
    // Those that have all are one as good as the other; their names decide.
    Row(lists: [("f.sfv", all), ("all.sfv", all)], taken: "f.sfv"),
    Row(lists: [("f.001.sfv", ["f.001"])], taken: "f.001.sfv", warnings: 1),
    Row(lists: [("f.sfv", ["old.001"])], taken: nil, warnings: 1),
    Row(lists: [("F.SFV", all)], taken: "F.SFV"),
    Row(lists: [("F.sfv", ["F.001", "F.002", "F.003"])], refusal: "in letters of another case"),
    Row(lists: [("f.sfv", ["F.001", "F.002", "F.003"])], refusal: "in letters of another case"),
    Row(lists: [("f.sfv", ["e\u{301}.001", "x.2", "y"])], refusal: "as many files by other names"),
    Row(
      parts: ["F.001", "F.002", "F.003"],
      lists: [("f.sfv", all)],
      refusal: "in letters of another case"
    ),
    // Names with more digits are read as numbers alone first.
    Row(
      parts: (1...12).map { "f.part.\($0)" },
      lists: (1...12).map { ("f.part.\($0).sfv", ["f.part.\($0)"]) },
      taken: "f.part.1.sfv"
    ),
  ]

  @Test(arguments: rows) func theOneThatHasSumsOfAllPartsIsTaken(row: Row) throws {
    let directory = try TemporaryDirectory()
    for part in row.parts { _ = try directory.make(FilePath(part), Array("\(part)\n".utf8)) }
    for list in row.lists {
      let lines = list.lines.map { name in
        let sum = Checksum(of: Array("\(name)\n".utf8)[...], .crc32).crc32
        return "\(name) \(Checksum.hexadecimal(sum))\n"
      }
      _ = try directory.make(FilePath(list.name), Array(lines.joined().utf8))
    }
    do throws(CleaveError) {
      let selection = try Selection(of: [directory.file(FilePath(row.parts[0]))])
      #expect(row.refusal == nil)
      #expect(selection.manifest.map { "\($0.path.lastComponent)" } == row.taken)
      #expect(selection.evidence.doubts.count { $0.code == .silentManifest } == row.warnings)
      if row.warnings == 0, let manifest = selection.manifest {
        #expect(manifest.covers(selection.names, makesWhole: true, of: selection.base))
      }
    } catch {
      #expect(error.kind == .badData && row.refusal.map("\(error)".contains) == true, "\(error)")
    }
  }

  private func directory(_ names: [String], listing listed: [String]) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in names { _ = try directory.make(FilePath(name), Array("\(name)\n".utf8)) }
    let lines = listed.map { name in
      let sum = Checksum(of: Array("\(name)\n".utf8)[...], .crc32).crc32
      return "\(name) \(Checksum.hexadecimal(sum))\n"
    }
    _ = try directory.make("f.sfv", Array(lines.joined().utf8))
    return directory
  }

  /// A list that was damaged has another number in place of the first.
  @Test(arguments: [true, false])
  func noPartInFrontIsLeftOutForTheSakeOfAList(isThere: Bool) throws {
    let names = isThere ? Self.all : Array(Self.all.dropFirst())
    let directory = try directory(names, listing: ["f.002", "f.003", "f.009"])
    let sum = Array("; size: 18\n; crc32: 00000000\n; adler32: 00000000\n".utf8)
    let list = directory.file("f.sfv")
    try Files.write(sum + Files.read(list), to: list)
    var request = Selection.Request()
    request.reading.bounds.last = .number(3)
    for operand in ["f.001", "f.002"] as [FilePath] where isThere || operand == "f.001" {
      let error = #expect(throws: CleaveError.self) {
        try Selection(of: [directory.file(operand)], request)
      }
      if isThere { #expect(error?.path?.lastComponent == "f.001") }
      #expect(error?.kind == (isThere ? .badData : .missingInput))
    }
  }

  /// Names without numbers have no other order than that of the lines.
  @Test(
    arguments: [
      (["u", "v", "w"], true), (["v", "u", "w"], false), (["u", "w"], false),
    ]
  )
  func filesWithoutNumbersAreAllOnlyInTheirOrder(names: [String], isComplete: Bool) throws {
    let directory = try directory(["u", "v", "w"], listing: ["u", "v", "w"])
    let manifest = try Manifest(reading: directory.file("f.sfv"))
    let parts = names.map { name in
      let path = directory.file(FilePath(name))
      return (path: path, checksum: Checksum(of: Array("\(name)\n".utf8)[...], .crc32))
    }
    var verdict = Verdict()
    verdict.compare(with: manifest, parts: parts, whole: nil, of: nil)
    #expect(verdict.proofs.map(\.isComplete) == [isComplete])
  }

  /// The parts are meant where the whole that a list names is not there.
  @Test(arguments: [["f.aa", "f.ab"], ["f.000", "f.001"], ["f.001", "f.002"]])
  func aListOfTheWholeStandsForItsParts(parts: [String]) throws {
    let directory = try directory(parts, listing: ["f"])
    let selection = try Selection(of: [directory.file("f.sfv")])
    #expect(selection.names.map { "\($0.lastComponent)" } == parts)
  }

  /// Many lists of others hide no list of the directory.
  @Test func listsOfADirectoryAreReadFirst() throws {
    let directory = try TemporaryDirectory()
    for name in Self.all { _ = try directory.make(FilePath(name), [1]) }
    let line = { (name: String) in Array("\(String(repeating: "0", count: 32))  \(name)\n".utf8) }
    for number in 1...70 {
      _ = try directory.make(FilePath("f.x\(number).md5"), line("other\(number)"))
    }
    _ = try directory.make("MD5SUMS", Self.all.flatMap(line))
    let selection = try Selection(of: [directory.file("f.001")])
    #expect(selection.manifest?.path.lastComponent == "MD5SUMS")
  }

  /// Nobody shall believe that it was compared.
  @Test func aListOfTheDirectoryThatCannotBeReadIsTold() throws {
    let directory = try TemporaryDirectory()
    for name in Self.all { _ = try directory.make(FilePath(name), [1]) }
    _ = try directory.directory("MD5SUMS")
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: [directory.file("f.001")])
    }
    #expect(error?.path?.lastComponent == "MD5SUMS", "\(String(describing: error))")
    var request = Selection.Request()
    request.manifest = .none
    #expect(try Selection(of: [directory.file("f.001")], request).files?.count == 3)
  }
}
