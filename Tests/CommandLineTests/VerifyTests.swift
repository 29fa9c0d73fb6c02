import Posix
import TestSupport
import Testing

/// Files against their manifest.
@Suite(.aside) struct VerifyTests {
  @Test(arguments: ["file.sfv", "file.001", "file.003", "file", nil])
  func whatIsRightIsToldAndIsZero(operand: FilePath?) throws {
    let series = try Series(hasManifest: true)
    if operand == "file" { try Files.write(series.whole, to: series.output) }
    let before = try series.contents()
    let outcome = try verify(series, operand.map { [$0] } ?? [])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    let lines = ["file.001: OK", "file.002: OK", "file.003: OK"]
    let wanted =
      operand == "file"
      ? ["file: OK", "1 right, 0 wrong, 0 missing, 0 not checked"]
      : lines + ["3 right, 0 wrong, 0 missing, 0 not checked"]
    #expect(outcome.outputText.split(separator: "\n").map(String.init) == wanted)
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(arguments: ["file.sfv", "file.001"]) func aDifferenceIsOne(operand: FilePath) throws {
    let series = try Series(hasManifest: true)
    try Files.flipByte(at: 7, of: series.parts[1])
    let outcome = try verify(series, [operand])
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: file.002: has CRC-32 "), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    let summary = "2 right, 1 wrong, 0 missing, 0 not checked\n"
    #expect(outcome.outputText == "file.001: OK\nfile.003: OK\n" + summary)
  }

  @Test func aManifestThatIsNamedAloneStandsForWhatItNames() throws {
    let series = try Series(hasManifest: true)
    let outcome = try Tool.cleave.run(["verify", "--manifest", series.manifest])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\n3 right, 0 wrong, 0 missing, 0 not checked\n"))
  }

  @Test(arguments: ["merge", "info", "split"])
  func aLinkThatLeadsNowhereIsCalledSo(command: String) throws {
    let directory = try TemporaryDirectory()
    let link = directory.file("link")
    try Files.symlink(link, to: "nowhere")
    let outcome = try Tool.cleave.run([command, link] + (command == "split" ? ["-b1"] : []))
    #expect(
      outcome.exitCode == 66 && outcome.errorText.contains(": is a link that leads nowhere\n")
    )
  }

  @Test func aWholeThatIsWrongIsOne() throws {
    let series = try Series(hasManifest: true)
    try Files.write(Bytes.pattern(count: 7501), to: series.output)
    let outcome = try verify(series, ["file"])
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorText == "cleave: file: has 7501 bytes, not 7500\n")
  }

  @Test func aMissingPartIsMissingInputAndTheOthersAreChecked() throws {
    let series = try Series(hasManifest: true)
    try FileSystem.unlink(series.parts[1])
    let outcome = try verify(series, ["file.sfv"])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText == "cleave: file.002: missing\n")
    let summary = "2 right, 0 wrong, 1 missing, 0 not checked\n"
    #expect(outcome.outputText == "file.001: OK\nfile.003: OK\n" + summary)
  }

  @Test func whatIsAllMissingIsMissing() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Array("a.001 1\na.002 2\n".utf8), to: directory.file("a.sfv"))
    let outcome = try Tool.cleave.run(["verify", "a.sfv"], workingDirectory: directory.path)
    #expect(outcome.exitCode == 66, "\(outcome)")
    let text =
      "cleave: warning: a.sfv: none of its files is where it says; 'cleave verify --manifest=a.sfv DIRECTORY' "
      + "compares those in another directory\n"
    #expect(outcome.errorText == text + "cleave: a.001: missing\ncleave: a.002: missing\n")
    #expect(outcome.outputText == "0 right, 0 wrong, 2 missing, 0 not checked\n")
  }

  /// The name that stands for standard input elsewhere.
  @Test func aFileCalledDashIsCompared() throws {
    let directory = try TemporaryDirectory()
    try Files.write([1], to: directory.file("-"))
    try Files.write(Array("- 00000001\n".utf8), to: directory.file("a.sfv"))
    let outcome = try Tool.cleave.run(["verify", "a.sfv"], workingDirectory: directory.path)
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText == "cleave: ./-: has CRC-32 a505df1b, not 00000001\n")
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [
      ("read@/file.002#1=EIO", 74, "file.002: read failed at 0: Input/output error (EIO)"),
      ("open@file.002=EACCES", 77, "file.002: open failed: Permission denied (EACCES)"),
    ] as [(String, CInt, String)]
  )
  func aPartThatCannotBeReadIsTold(rule: String, code: CInt, line: String) throws {
    let series = try Series(hasManifest: true)
    let outcome = try verify(series, ["file.sfv"], environment: FaultShim.environment(rule))
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(line)\n")
  }

  @Test func aManifestOfAnotherToolIsUnderstood() throws {
    let series = try Series()
    guard let cksfv = Tool.find("cksfv") else {
      print("skipped: cksfv is not installed")
      return
    }
    let made = try cksfv.run(
      series.parts.map(\.lastComponent),
      workingDirectory: series.directory.path
    )
    try Files.write(made.standardOutput, to: series.manifest)
    #expect(try verify(series, ["file.sfv"]).exitCode == 0)
    let before = try series.contents()
    try series.expectMerged(series.merge(), since: before)
  }

  @Test(
    arguments: [
      ("none.sfv", 66), ("file.sfv/", 66), ("lonely", 66), ("-", 64), ("empty.sfv", 65),
    ] as [(FilePath, CInt)]
  )
  func whatCannotBeVerifiedIsAnError(operand: FilePath, code: CInt) throws {
    let series = try Series(hasManifest: true)
    try Files.write([1], to: series.directory.file("lonely"))
    try Files.write([], to: series.directory.file("empty.sfv"))
    let outcome = try verify(series, [operand])
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1)
  }

  @Test func dryRunAndObject() throws {
    let series = try Series(hasManifest: true)
    try Files.flipByte(at: 0, of: series.parts[0])
    let dry = try verify(series, ["-n", "file.001"])
    #expect(dry.exitCode == 0)
    #expect(dry.outputText.hasPrefix("file.001: 3000 bytes (2.9 KiB), by file.sfv\n"), "\(dry)")
    #expect(dry.outputText.hasSuffix("\n7500 bytes (7.3 KiB) to read\n"), "\(dry)")
    let outcome = try verify(series, ["--json", "file.001"])
    #expect(outcome.exitCode == 1)
    let json = try JSON(outcome)
    #expect(json.number("exitCode") == 1)
    let states = json.list("files").map { "\($0.text("path") ?? "") \($0.text("status") ?? "")" }
    #expect(Set(states) == ["file.001 different", "file.002 ok", "file.003 ok"])
    let summary = try #require(json.member("summary"))
    let numbers = ["right", "wrong", "missing", "notChecked"].map { summary.number($0) }
    #expect(numbers == [2, 1, 0, 0])
  }

  private func verify(
    _ series: Series,
    _ arguments: [FilePath],
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try Tool.cleave.run(
      ["verify"] + arguments,
      environment: environment,
      workingDirectory: series.directory.path
    )
  }
}
