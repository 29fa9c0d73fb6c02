import Posix
import TestSupport
import Testing

/// Parts of zips under names that nobody gave them at first.
@Suite(.aside) struct ZipOperandTests {
  private static let writer = ZipWriter(ZipWriterTests.entries)

  /// Three parts of a split zip, or of a whole one, under these names.
  private func directory(_ names: [FilePath], isSplit: Bool = true) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let whole = try Self.writer.single()
    let size = whole.count / 3 + 200
    let parts = try isSplit ? Self.writer.parts(of: size) : whole.cut(to: size)
    try #require(parts.count == names.count)
    for (name, part) in zip(names, parts) { try Files.write(part, to: directory.file(name)) }
    return directory
  }

  private func run(_ arguments: [String], in directory: TemporaryDirectory) throws -> Outcome {
    try Tool.cleave.run(arguments, workingDirectory: directory.path)
  }

  @Test(arguments: engines, [true, false])
  func anyNamesDoWhereAllPartsAreNamed(engine: String, isSplit: Bool) throws {
    let directory = try directory(["one", "two(1)", "three.bin"], isSplit: isSplit)
    let outcome = try run(
      ["merge", "--engine", engine, "-o", "out", "one", "two(1)", "three.bin"],
      in: directory
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let merged = try Files.read(directory.file("out"))
    #expect(try Bytes.difference(merged, Self.writer.single()) == nil)
  }

  private static let wrong = [
    ["two", "one", "three"], ["one", "three", "two"], ["three", "two", "one"], ["one", "three"],
    ["one", "two"], ["two", "three"],
  ]

  @Test(arguments: wrong, [true, false])
  func partsInTheWrongOrderAreRefusedUnderAnyName(names: [String], isSplit: Bool) throws {
    let directory = try directory(["one", "two", "three"], isSplit: isSplit)
    let outcome = try run(["merge", "-o", "out"] + names, in: directory)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try directory.names() == ["one", "three", "two"])
    let raw = try run(["merge", "--format=raw", "-o", "out"] + names, in: directory)
    #expect(raw.exitCode == 0, "\(raw)")
  }

  /// The content counts, and not what the names seem to say.
  @Test func theOrderOfASplitZipIsThatOfItsContent() throws {
    let directory = try directory(["p3", "p2", "p1"])
    let right = ["p3", "p2", "p1"]
    for options in [[], ["--as-given", "--format=zip"]] {
      let outcome = try run(["merge", "-f", "-o", "out"] + options + right, in: directory)
      #expect(outcome.exitCode == 0 && outcome.outputText.contains("proved by"), "\(outcome)")
      #expect(try Bytes.difference(Files.read(directory.file("out")), Self.writer.single()) == nil)
    }
    try FileSystem.unlink(directory.file("out"))
    for order in [["p1", "p2", "p3"], ["p3", "p1", "p2"], ["p2", "p3", "p1"]] {
      let outcome = try run(["merge", "-o", "out"] + order, in: directory)
      #expect(outcome.exitCode == 65, "\(outcome)")
      let end = ": its headers fit in the order p3 p2 p1\n"
      #expect(outcome.errorText.hasSuffix(end), "\(outcome)")
      let given = try run(
        ["merge", "--as-given", "--format=zip", "-o", "out"] + order,
        in: directory
      )
      #expect(given.exitCode == 65, "\(given)")
    }
    #expect(try directory.names() == ["p1", "p2", "p3"])
  }

  /// Parts in the middle of an entry fit anywhere by their headers, but not by its CRC-32.
  @Test func aSplitZipOfOneEntryIsTurnedAround() throws {
    let directory = try TemporaryDirectory()
    let writer = ZipWriter([ZipEntry("big", Bytes.pattern(count: 9000), method: .stored)])
    let parts = try writer.parts(of: 2500)
    try #require(parts.count == 4)
    for (name, part) in zip(["p4", "p3", "p2", "p1"] as [FilePath], parts) {
      try Files.write(part, to: directory.file(name))
    }
    let turned = try run(["merge", "-o", "out", "p1", "p2", "p3", "p4"], in: directory)
    #expect(turned.exitCode == 65, "\(turned)")
    let end = ": its headers fit in the order p4 p3 p2 p1, and in others\n"
    #expect(turned.errorText.hasSuffix(end), "\(turned)")
    let wrong = try run(["merge", "-o", "out", "p4", "p2", "p3", "p1"], in: directory)
    #expect(wrong.exitCode == 65, "\(wrong)")
    let right = try run(["merge", "-o", "out", "p4", "p3", "p2", "p1"], in: directory)
    #expect(right.exitCode == 0, "\(right)")
    #expect(try Bytes.difference(Files.read(directory.file("out")), writer.single()) == nil)
  }

  /// Of a series by its names, too.
  @Test func numbersInNamesDoNotOutweighTheContent() throws {
    let directory = try directory(["p.3", "p.2", "p.1"])
    let outcome = try run(["merge", "-o", "out", "p.3", "p.2", "p.1"], in: directory)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Bytes.difference(Files.read(directory.file("out")), Self.writer.single()) == nil)
  }

  /// The order is the user's, and what comes of it is told.
  @Test func whatIsJoinedAsGivenIsProved() throws {
    let directory = try directory(["a", "b", "c"], isSplit: false)
    let words = ["merge", "--no-sync", "--as-given", "-f", "-o", "out"]
    let right = try run(words + ["a", "b", "c"], in: directory)
    #expect(right.exitCode == 0 && right.outputText.contains("proved by"), "\(right)")
    for order in [["b", "a", "c"], ["a", "c", "b"], ["a", "b"]] {
      let wrong = try run(words + ["--json"] + order, in: directory)
      #expect(wrong.exitCode == 0, "\(wrong)")
      #expect(wrong.errorText.contains("warning: out: joined as given, though "), "\(wrong)")
      #expect(wrong.outputText.contains(#""verified":false"#), "\(wrong)")
      for option in ["--verify=none", "--verify=stream"] {
        let silent = try run(words + [option] + order, in: directory)
        #expect(silent.exitCode == 0 && silent.errorText == "", "\(silent)")
      }
    }
  }

  @Test func theBytesOfASplitZipAreToldToBeNone() throws {
    let directory = try directory(["a", "b", "c"])
    let outcome = try run(["merge", "--as-given", "-o", "out", "a", "b", "c"], in: directory)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let line =
      "cleave: warning: out: joined as given, though a: is the first part of a split zip, and the bytes "
      + "of all are no zip: --format=zip makes one\n"
    #expect(outcome.errorText == line)
  }

  @Test func wholeZipsAreJoinedAsCatDoes() throws {
    let directory = try TemporaryDirectory()
    let whole = try Self.writer.single()
    try Files.write(whole, to: directory.file("a.zip"))
    try Files.write([1, 2, 3], to: directory.file("b"))
    let outcome = try run(["merge", "-o", "out", "b", "a.zip", "b"], in: directory)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("out")) == [1, 2, 3] + whole + [1, 2, 3])
  }

  @Test func aNumberedSeriesMayBeASplitZip() throws {
    let directory = try directory(["p.1", "p.2", "p.3"])
    let outcome = try run(["merge", "p.2"], in: directory)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains("3 parts of a split zip"), "\(outcome)")
    #expect(try Bytes.difference(Files.read(directory.file("p")), Self.writer.single()) == nil)
  }

  @Test(arguments: [["A.Z01", "a.z02", "a.zip"], ["a.z01", "A.z02", "a.ZIP"]] as [[FilePath]])
  func namesMayDifferInCase(names: [FilePath]) throws {
    let directory = try directory(names)
    for name in names {
      let outcome = try run(["merge", "-f", "-o", "out", "\(name)"], in: directory)
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
  }

  @Test(arguments: ["merge", "verify", "info"])
  func concatenatedPartsAreToldHowToBeRepaired(command: String) throws {
    let directory = try TemporaryDirectory()
    let joined = try Self.writer.parts(of: 2000).joined()
    try Files.write(Array(joined), to: directory.file("joined.zip"))
    let outcome = try run([command, "joined.zip"], in: directory)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("'cleave repair joined.zip'"), "\(outcome)")
    let given = try run(["merge", "--as-given", "-o", "o.zip", "joined.zip"], in: directory)
    #expect(given.exitCode == 0 && given.errorText.contains("as given, though"), "\(given)")
  }

  @Test func aManifestThatIsAskedForMustBeThere() throws {
    let directory = try directory(["a.z01", "a.z02", "a.zip"])
    let outcome = try run(["verify", "--manifest=none.sfv", "a.z01"], in: directory)
    #expect(outcome.exitCode == 66, "\(outcome)")
  }

  @Test func partsOfOneSeriesAreVerifiedOnce() throws {
    let directory = try directory(["a.z01", "a.z02", "a.zip"])
    let outcome = try run(["verify", "a.z01", "a.z02", "a.zip"], in: directory)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome)")
    #expect(lines.last?.hasSuffix(" right, 0 wrong, 0 not checked") == true, "\(outcome)")
  }
}
