import Posix
import TestSupport
import Testing

/// What info tells of a part or a file.
@Suite(.aside) struct InfoTests {
  @Test(arguments: [0, 2]) func aPartTellsItsSeries(index: Int) throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["info", series.parts[index]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = series.output(outcome).split(separator: "\n").map(String.init)
    #expect(
      lines.dropLast() == [
        "file: series of 3 parts",
        "  file.001  3000 bytes (2.9 KiB)",
        "  file.002  3000 bytes (2.9 KiB)",
        "  file.003  1500 bytes (1.5 KiB)",
        "  name      file in parts file.001, file.002 … (--as=numbers)",
        "  manifest  file.sfv, which names 3 parts",
        "  parts     3, from file.001 to file.003, without a gap",
        "  end       nothing inside tells where the last part ends",
        "  sizes     3 parts, all of 3000 bytes but a shorter last one",
        "  merged    file, 7500 bytes (7.3 KiB)",
      ]
    )
    #expect(lines.last?.hasPrefix("  space     7500 bytes (7.3 KiB) needed, ") == true)
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func missingPartsAndAnExistingOutputAreTold() throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[1])
    try Files.write([1], to: series.output)
    let outcome = try Tool.cleave.run(["info", series.parts[0]])
    #expect(outcome.exitCode == 66)
    #expect(series.lines(outcome) == "cleave: file: 1 part is missing: file.002\n")
    #expect(series.output(outcome).hasPrefix("file: series of 2 parts, incomplete\n"))
    #expect(!series.output(outcome).contains("  merged  "))
    #expect(series.output(outcome).contains("  manifest  none\n"))
  }

  @Test func anyFileIsTold() throws {
    let series = try Series()
    try Files.write([1], to: series.output)
    let outcome = try Tool.cleave.run(["info", series.output])
    #expect(outcome.exitCode == 0)
    #expect(series.output(outcome).hasPrefix("file: 1 byte\n  manifest  none\n  space     "))
  }

  /// Where each part begins is known only where all of them are there.
  @Test(arguments: [false, true]) func aMapIsDrawn(isWhole: Bool) throws {
    let series = try Series()
    if !isWhole { try FileSystem.unlink(series.parts[1]) }
    let outcome = try Tool.cleave.run(["info", "--map", series.parts[0]])
    #expect(outcome.exitCode == (isWhole ? 0 : 66), "\(outcome)")
    let text = series.output(outcome)
    let map = try #require(text.firstRange(of: "  map       "))
    let (full, half) = (String(repeating: "#", count: 47), String(repeating: "#", count: 24))
    let whole = [
      "file.001  at 0     \(full)", "file.002  at 3000  \(full)", "file.003  at 6000  \(half)",
    ]
    let rows = isWhole ? whole : ["file.001  \(full)", "file.003  \(half)"]
    let head = "  map       each character stands for 64 bytes\n"
    #expect(text[map.lowerBound...] == head + rows.map { "    \($0)\n" }.joined())
    #expect(try Tool.cleave.run(["info", "--map", "--json", series.parts[0]]).exitCode == 64)
  }

  /// Made anew where `CLEAVE_CAPTURES` is set, as `make captures` does.
  @Test func theMapIsAlsoAPicture() throws {
    let directory = try TemporaryDirectory()
    let whole = Fixture("7z-volumes-of-zip").path.appending("whole")
    func cleave(_ arguments: [FilePath]) throws -> Outcome {
      try Tool.cleave.run(arguments, workingDirectory: directory.path)
    }
    let split = try cleave([
      "split", "-q", "--format=zip", "--manifest=none", "-b64K", whole, "./a",
    ])
    #expect(split.exitCode == 0, "\(split)")
    #expect(try cleave(["info", "--svg=map.svg", "a.z01"]).exitCode == 0)
    let stored = BuildProducts.sources.appending("docs/pictures/map.svg")
    let picture = try Files.read(directory.file("map.svg"))
    if ProcessState.environment("CLEAVE_CAPTURES") != nil { try Files.write(picture, to: stored) }
    #expect(try picture == Files.read(stored), "'make captures' makes it anew")
    let again = try cleave(["info", "--svg=map.svg", "a.z01"])
    #expect(again.exitCode == 73 && again.errorText.contains("map.svg: exists"), "\(again)")
    let forced = try cleave(["info", "--svg=a.zip", "--force", "a.z01"])
    #expect(forced.errorText == "cleave: a.zip: is one of the inputs\n")
    #expect(try cleave(["info", "--svg=-", "a.z01"]).exitCode == 64)
    #expect(try directory.names() == ["a.z01", "a.zip", "map.svg"])
  }

  /// As a shell expands `file*`.
  @Test func aSeriesIsShownOnce() throws {
    let series = try Series(hasManifest: true)
    let one = try Tool.cleave.run(["info", series.parts[0]])
    let all = try Tool.cleave.run(["info"] + series.parts + [series.manifest])
    #expect(all.exitCode == 0, "\(all)")
    let lines = { (outcome: Outcome) in series.output(outcome).split(separator: "\n").dropLast() }
    #expect(lines(all) == lines(one))
  }

  @Test func everySeriesOfADirectoryIsShown() throws {
    let directory = try TemporaryDirectory()
    for name in ["a.001", "a.002", "b.001", "b.002"] as [FilePath] {
      try Files.write([1], to: directory.file(name))
    }
    let outcome = try Tool.cleave.run(["info", "."], workingDirectory: directory.path)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let heads = outcome.outputText.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(heads == ["a: series of 2 parts", "b: series of 2 parts"])
    let json = try Tool.cleave.run(["info", "--json", "."], workingDirectory: directory.path)
    #expect(json.exitCode == 64, "\(json)")
  }

  @Test func theReportIsOneObject() throws {
    let series = try Series(hasManifest: true)
    let json = try JSON(Tool.cleave.run(["info", "--json", series.parts[1]]))
    #expect(json.text("command") == "info")
    #expect(json.text("kind") == "series")
    #expect(json.number("bytes") == 7500)
    #expect(json.text("output") == "\(series.output)")
    #expect(json.flag("outputExists") == false)
    #expect(json.list("parts").count == 3)
  }

  #if os(Linux)
    @Test func aNameThatIsNotTextIsBase64() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file(FilePath(bytes: [0xFF, 0x0A]))
      try Files.write([1], to: path)
      let json = try JSON(
        Tool.cleave.run(
          ["info", "--json", path.lastComponent],
          workingDirectory: directory.path
        )
      )
      #expect(json.member("output")?.text("base64") == "/wo=")
    }
  #endif

  @Test func aDirectoryWithoutPartsSaysSo() throws {
    let directory = try TemporaryDirectory()
    let outcome = try Tool.cleave.run(["info", directory.path])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(directory.path): has no parts in it\n", "\(outcome)")
  }
}
