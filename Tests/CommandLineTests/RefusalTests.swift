import Posix
import TestSupport
import Testing

/// Command lines and sets that look fine and are not.
@Suite struct RefusalTests {
  @Test(arguments: engines) func aManifestCutShortHidesNoPart(engine: String) throws {
    let series = try Series(hasManifest: true)
    let lines = try Files.text(series.manifest).split(separator: "\n")
    let short = lines.filter { !$0.hasPrefix(";") }.dropLast().joined(separator: "\n")
    try Files.write(Array(short.utf8), to: series.manifest)
    let before = try series.contents()
    let line = "file.003: is not in file.sfv; --manifest=none merges without it"
    try series.expectFailure(try series.merge(engine), 65, line, since: before)
  }

  @Test func anOperandIsNeverLeftOut() throws {
    let series = try Series(hasManifest: true)
    let extra = series.directory.file("file.004")
    try Files.write([1], to: extra)
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", extra])
    let line = "file.004: is not in file.sfv; --manifest=none merges without it"
    try series.expectFailure(outcome, 65, line, since: before)
    let other = try Tool.cleave.run(["merge", "--no-sync", series.parts[0]])
    #expect(other.exitCode == 0, "\(other)")
    #expect(series.lines(other).contains("file.004: left over from a longer series; not merged"))
  }

  @Test(arguments: [
    (["split", "-b", "10", "-n", "3", "FILE"], "-b SIZE and -n N exclude each other"),
    (["split", "-b", "1000", "FILE", ""], "the PREFIX is empty"),
    (["merge", "-o", "", "FILE.001"], "the name of the output is empty"),
  ])
  func aCommandLineWithoutSenseIsRefused(words: [String], message: String) throws {
    let series = try Series()
    try Files.write(series.whole, to: series.output)
    let before = try series.contents()
    let arguments: [any ToolArgument] = words.map { word in
      word.hasPrefix("FILE") ? series.output.adding(String(word.dropFirst(4))) : FilePath(word)
    }
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(message) (see "), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func aNameWithoutItsNumberIsToldWhatToTry() throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(["merge", series.output])
    #expect(outcome.exitCode == 66)
    #expect(
      series.lines(outcome)
        == "cleave: file: does not exist, but parts of it do: try file.001\n"
    )
  }

  @Test func oneBadManifestKeepsNoOtherFromBeingChecked() throws {
    let series = try Series(hasManifest: true)
    try Files.write(Array("rubbish\n".utf8), to: series.directory.file("a.sfv"))
    let outcome = try Tool.cleave.run(["verify"], workingDirectory: series.directory.path)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.outputText == "file.001: OK\nfile.002: OK\nfile.003: OK\n")
  }

  @Test func anIncompleteSeriesIsOneObject() throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[1])
    let outcome = try Tool.cleave.run(["info", "--json", series.parts[0]])
    #expect(outcome.exitCode == 66)
    let json = try JSON(outcome)
    #expect(json.text("problem")?.hasSuffix("1 part is missing: file.002") == true)
  }

  @Test(arguments: [["--help"], ["--version"], ["info", "PART"], ["merge", "--help"]])
  func aResultThatNobodyHearsIsAnError(words: [String]) throws {
    let series = try Series()
    let arguments: [any ToolArgument] = words.map { $0 == "PART" ? series.parts[0] : FilePath($0) }
    let outcome = try Tool.cleave.run(arguments, closing: [1])
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(outcome.errorText == "cleave: standard output is closed\n")
  }

  @Test(arguments: engines) func fewDescriptorsAndManyPartsAreEnough(engine: String) throws {
    let series = try Series([Int](repeating: 100, count: 400), hasManifest: true)
    let before = try series.contents()
    let outcome = try series.merge(engine, limits: ToolLimits(openFiles: 64))
    try series.expectMerged(outcome, since: before)
    let split = try Tool.cleave.run(
      ["split", "-b", 50, "--engine", engine, series.output, series.directory.file("again")],
      limits: ToolLimits(openFiles: 64)
    )
    #expect(split.exitCode == 0, "\(split)")
  }
}
