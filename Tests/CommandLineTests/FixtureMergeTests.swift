import Posix
import TestSupport
import Testing

/// Every engine puts together what other tools cut, byte for byte, whatever the water marks.
@Suite(.aside) struct FixtureMergeTests {
  private static let small = [
    "uneven", "empty-part", "one-byte-part", "zero-based", "two-digit", "single-digit",
  ]
  private static let all = small + ["7z-volumes-of-zip", "zip-and-split"]

  private static let marks: [[String]] = [
    [],
    ["--high-water=4096"],
    ["--high-water=4096", "--low-water=1", "--window=10K"],
    ["--high-water=1M", "--low-water=1M", "--window=1M"],
    ["--low-water=1"],
    ["--high-water=4095", "--window=4097", "--qos=background"],
  ]

  /// So many writes that only the smaller fixtures can be waited for.
  private static let tinyMarks: [[String]] = [
    ["--high-water=1", "--window=1"],
    ["--high-water=7", "--low-water=7", "--window=7"],
    ["--high-water=7", "--low-water=3", "--window=100"],
  ]

  @Test(arguments: all, engines) func aFixtureMerges(name: String, engine: String) throws {
    for marks in Self.marks { try merge(name, engine, marks) }
  }

  @Test(arguments: small, engines)
  func aFixtureMergesAFewBytesAtATime(name: String, engine: String) throws {
    for marks in Self.tinyMarks { try merge(name, engine, marks) }
  }

  @Test(arguments: all, engines)
  func aMergedFixtureStartsFromAnyPart(name: String, engine: String) throws {
    let last = try #require(try Fixture(FilePath(name)).parts().last)
    try merge(name, engine, [], from: last)
  }

  private func merge(
    _ name: String,
    _ engine: String,
    _ marks: [String],
    from part: FilePath? = nil
  ) throws {
    let fixture = Fixture(FilePath(name))
    let directory = try TemporaryDirectory()
    let output = directory.file("out")
    let first = try part ?? fixture.parts()[0]
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "--engine", engine] + marks + Self.bounds(name)
        + ["-o", output, first]
    )
    #expect(outcome.exitCode == 0, "\(marks): \(outcome)")
    #expect(outcome.errorText.isEmpty, "\(outcome)")
    #expect(try directory.names() == ["out"])
    #expect(try Bytes.difference(Files.read(output), fixture.whole()) == nil, "\(marks)")
  }

  /// An empty part is joined only where it is known to be one.
  private static func bounds(_ name: String) -> [String] {
    name == "empty-part" ? ["--last=3"] : []
  }

  // MARK: - Names

  private static let names: [(FilePath, String)] = [
    (FilePath(bytes: [0xFF, 0xFE, 0x20]), #"\xff\xfe "#),
    ("two\nlines", #"two\nlines"#),
    (FilePath("red\u{1B}[31m"), #"red\x1b[31m"#),
    (FilePath("turned \u{202E}round"), #"turned \u{202e}round"#),
    ("-x", "-x"), ("--force", "--force"), ("back\\slash", #"back\\slash"#),
    ("ends in space ", "ends in space "), ("dots..", "dots.."), (".hidden", ".hidden"),
  ]

  #if os(Linux)
    @Test(arguments: names, engines)
    func aNameMayBeAnyBytes(name: (path: FilePath, shown: String), engine: String) throws {
      let fixture = Fixture("uneven")
      let directory = try TemporaryDirectory()
      let parts = try fixture.copyParts(to: directory.path, renaming: name.path)
      let outcome = try run(engine, "./" + parts[1].lastComponent, in: directory)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.hasPrefix("./\(name.shown): 12345 bytes"), "\(outcome)")
      let names = (parts.map(\.lastComponent) + [name.path]).sorted()
      #expect(try directory.names() == names)
      let whole = try Files.read(directory.file(name.path))
      #expect(try Bytes.difference(whole, fixture.whole()) == nil)
    }

    @Test(arguments: names) func aNameInAnErrorIsOneLine(
      name: (path: FilePath, shown: String)
    ) throws {
      let directory = try TemporaryDirectory()
      _ = try Fixture("uneven").copyParts(to: directory.path, renaming: name.path)
      try Files.write([7], to: directory.file(name.path))
      let outcome = try run("auto", "./" + name.path + ".001", in: directory)
      #expect(outcome.exitCode == 73)
      #expect(outcome.errorText == "cleave: ./\(name.shown): exists; --force replaces it\n")
      #expect(try Files.read(directory.file(name.path)) == [7])
    }

    private func run(
      _ engine: String,
      _ part: FilePath,
      in directory: TemporaryDirectory
    ) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", "--no-sync", "--engine", engine, part],
        workingDirectory: directory.path
      )
    }
  #endif

  @Test func twoDashesEndTheOptions() throws {
    let directory = try TemporaryDirectory()
    let parts = try Fixture("two-digit").copyParts(to: directory.path, renaming: "--version")
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--", parts[0].lastComponent],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let whole = try Files.read(directory.file("--version"))
    #expect(try Bytes.difference(whole, Fixture("two-digit").whole()) == nil)
  }

  #if os(Linux)
    @Test(arguments: engines) func mergesAFixtureWhoseNamesAreNotUTF8(engine: String) throws {
      let fixture = Fixture("non-utf8-name")
      let directory = try TemporaryDirectory()
      let tar = try #require(Tool.find("tar"))
      let unpacked = try tar.run(["-xf", fixture.path.appending("parts.tar"), "-C", directory.path])
      #expect(unpacked.exitCode == 0, "\(unpacked)")
      let parts = try directory.names()
      #expect(parts.count == 3)
      let outcome = try Tool.cleave.run(
        ["merge", "--no-sync", "--engine", engine, directory.file(parts[1])]
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      let made = FilePath(bytes: Array("caf".utf8) + [0xE9, 0x2D, 0xFF, 0xFE] + Array(".bin".utf8))
      #expect(try Files.read(directory.file(made)) == fixture.whole())
    }
  #endif
}

private func + (left: FilePath, right: FilePath) -> FilePath {
  FilePath(bytes: left.bytes + right.bytes)
}
