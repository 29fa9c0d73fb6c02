import Posix
import TestSupport
import Testing

/// What verify says is to be fetched again.
@Suite(.aside) struct VerifyListTests {
  let directory: TemporaryDirectory

  /// file.001 … file.005 with their manifest.
  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("file"))
    let split = try Tool.cleave.run(
      ["split", "--no-sync", "-b", "1000", "file"],
      workingDirectory: directory.path
    )
    #expect(split.exitCode == 0, "\(split)")
  }

  private static let allGone = (1...5).map { "gone file.00\($0)" }

  static let rows: [(damage: [String], operands: [FilePath], bad: [FilePath], code: CInt)] = [
    ([], ["file.sfv"], [], 0),
    (["flip file.002"], ["file.sfv"], ["file.002"], 1),
    (["flip file.002"], ["file.004"], ["file.002"], 1),
    (["flip file.002"], [], ["file.002"], 1),
    (["flip file.002"], ["file.001", "file.sfv", "file.002"], ["file.002"], 1),
    (["gone file.003"], ["file.sfv"], ["file.003"], 66),
    // What options leave out is not looked at.
    (["gone file.003", "flip file.004"], ["--last=2", "file.001"], [], 0),
    (["gone file.003"], ["--last=3", "file.001"], ["file.003"], 66),
    (
      ["gone file.003", "flip file.001", "short file.005"], ["file.001"],
      ["file.003", "file.001", "file.005"], 1
    ),
    (["flip file"], ["file"], ["file"], 1),
    // No part that the manifest knows of.
    (["new file.006"], ["file.006"], [], 1),
    (["gone file.sfv"], ["file.001"], [], 66),
    // The parts were merged: the whole is as the manifest says, or not.
    (allGone, ["file.sfv"], [], 0),
    (allGone, [], [], 0),
    (allGone + ["flip file"], ["file.sfv"], ["file"], 1),
    (allGone + ["gone file"], ["file.sfv"], (1...5).map { FilePath("file.00\($0)") }, 66),
  ]

  @Test(arguments: rows) func theListHasNothingButTheNames(
    row: (damage: [String], operands: [FilePath], bad: [FilePath], code: CInt)
  ) throws {
    for damage in row.damage { try apply(damage) }
    let usual = try verify([], row.operands)
    let list = try verify(["--list-bad"], row.operands)
    #expect(list.exitCode == row.code, "\(list)")
    #expect(usual.exitCode == row.code, "\(usual)")
    #expect(list.errorText == usual.errorText)
    #expect(list.standardOutput == row.bad.flatMap { $0.bytes + [0x0A] }, "\(list)")
    let quiet = try verify(["--list-bad", "--quiet", "--null"], row.operands)
    #expect(quiet.exitCode == row.code, "\(quiet)")
    #expect(quiet.standardOutput == row.bad.flatMap { $0.bytes + [0] }, "\(quiet)")
    let json = try verify(["--json"], row.operands)
    let names = row.bad.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(json.outputText.contains("\"bad\":[\(names)]"), "\(json)")
    #expect(json.exitCode == row.code, "\(json)")
  }

  private func apply(_ damage: String) throws {
    let words = damage.split(separator: " ")
    let file = directory.file(FilePath(String(words[1])))
    switch words[0] {
    case "flip": try Files.flipByte(at: 7, of: file)
    case "gone": try FileSystem.unlink(file)
    case "short": try Files.setSize(10, of: file)
    default: try Files.write([1], to: file)
    }
  }

  @Test func namesAreShownUnlessTheyEndInNull() throws {
    let name = FilePath(bytes: [0xFF, 0x61])
    let part = name.adding(".001")
    try Files.write([1], to: directory.file(part))
    try Files.write(name.bytes + Array(".001 00000000\n".utf8), to: directory.file("other.sfv"))
    #expect(try verify(["--list-bad"], ["other.sfv"]).outputText == "\\xffa.001\n")
    #expect(try verify(["--list-bad", "-0"], ["other.sfv"]).standardOutput == part.bytes + [0])
    let subdirectory: FilePath = "new\nline"
    try Files.makeDirectory(directory.file(subdirectory))
    try Files.write(Array("a 1\nb 2\n".utf8), to: directory.file("new\nline/m.sfv"))
    let shown = try verify(["--list-bad"], ["new\nline/m.sfv"])
    #expect(shown.outputText == "new\\nline/a\nnew\\nline/b\n")
    let list = try verify(["--list-bad", "-0"], ["new\nline/m.sfv"])
    #expect(list.standardOutput == Array("new\nline/a\0new\nline/b\0".utf8))
  }

  @Test func aNameGivesTheTerminalNoCommand() throws {
    let part = FilePath("\u{1B}[31m.001")
    try Files.write([1], to: directory.file(part))
    try Files.write(part.bytes + Array(" 00000000\n".utf8), to: directory.file("other.sfv"))
    for options in [[], ["--list-bad"], ["--json"], ["--dry-run"]] as [[String]] {
      let outcome = try verify(options, ["other.sfv"])
      let written = outcome.standardOutput + outcome.standardError
      #expect(!written.contains(0x1B), "\(outcome)")
      #expect(!written.isEmpty)
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [
      ("read@/file.002#1+=EIO", 74, "file.002\n"), ("open@file.002=EACCES", 77, "file.002\n"),
      ("open@file.sfv=EACCES", 77, ""),
    ] as [(String, CInt, String)]
  )
  func whatCannotBeReadIsInTheList(rule: String, code: CInt, list: String) throws {
    let environment = try FaultShim.environment(rule)
    let outcome = try verify(["--list-bad"], ["file.001"], environment: environment)
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.outputText == list, "\(outcome)")
  }

  @Test(
    arguments: [
      (
        ["--list-bad", "--json"], "--list-bad does not go with --json: its object has the same list"
      ),
      (
        ["--list-bad", "--dry-run"],
        "--list-bad does not go with --dry-run: the files have to be read"
      ),
      (["--null"], "--null is for --list-bad: it says how names end there"),
    ] as [([String], String)]
  )
  func contradictionsAreUsageErrors(options: [String], line: String) throws {
    let outcome = try verify(options, ["file.sfv"])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(line) (see 'cleave verify --help')\n")
    #expect(outcome.outputText.isEmpty != options.contains("--json"), "\(outcome)")
  }

  private func verify(
    _ options: [String],
    _ operands: [FilePath],
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try Tool.cleave.run(
      ["verify"] + options + operands,
      environment: environment,
      workingDirectory: directory.path
    )
  }
}
