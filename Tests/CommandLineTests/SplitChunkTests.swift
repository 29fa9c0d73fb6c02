import Posix
import TestSupport
import Testing

/// `-n`: parts of which one alone is wanted, and those of standard input.
@Suite(.aside) struct SplitChunkTests {
  private let directory: TemporaryDirectory
  private let bytes: [UInt8]
  private var file: FilePath { directory.file("f") }

  init() throws {
    directory = try TemporaryDirectory()
    bytes = (0..<3000).flatMap { Array("\($0)\(String(repeating: "x", count: $0 % 70))\n".utf8) }
    try Files.write(bytes, to: file)
  }

  private func run(
    _ words: [FilePath],
    _ input: ToolInput = .null,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try Tool.cleave.run(
      words,
      input: input,
      environment: environment,
      workingDirectory: directory.path
    )
  }

  /// What each of some parts has.
  private func parts(_ kind: String, of count: Int) throws -> [[UInt8]] {
    if kind == "r/" {
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast()
      return (0..<count).map { part in
        lines.enumerated().filter { $0.offset % count == part }.flatMap { $0.element + [10] }
      }
    }
    let made = try run(["split", "--manifest=none", "-n", FilePath("\(kind)\(count)"), "f", "p"])
    #expect(made.exitCode == 0, "\(made)")
    return try directory.names().filter { $0.bytes.starts(with: "p.".utf8) }.map { name in
      defer { try? FileSystem.unlink(directory.file(name)) }
      return try Files.read(directory.file(name))
    }
  }

  @Test(arguments: ["", "l/", "r/"], [1, 3, 7])
  func onePartGoesToStandardOutput(kind: String, count: Int) throws {
    for (index, part) in try parts(kind, of: count).enumerated() {
      let option = FilePath("-n\(kind)\(index + 1)/\(count)")
      for input in [nil, ToolInput.file(file), .bytes(bytes)] {
        let outcome = try run(["split", option, input == nil ? "f" : "-"], input ?? .null)
        #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
        #expect(outcome.standardOutput == part, "\(option) \(index)")
      }
    }
    #expect(try directory.names() == ["f"])
  }

  @Test(arguments: ["r/2/3", "r/1/2"])
  func linesWithAnotherEndAreDealtToo(number: String) throws {
    let input = ToolInput.bytes(Array("a\n;b;c;d".utf8))
    let outcome = try run(["split", "-t;", "-n", FilePath(number), "-"], input)
    #expect(outcome.outputText == (number == "r/2/3" ? "b;" : "a\n;c;"), "\(outcome)")
  }

  @Test(arguments: ["r/2/3", "l/2/3", "2/3"])
  func standardOutputIsNotTheInput(number: FilePath) throws {
    for script in ["f 1<>f", "- <f 1<>f", "f >>f"] {
      let outcome = try Tool.shell.run(
        ["-c", FilePath("exec \"$0\" split -n \"$1\" \(script)"), Tool.cleave.path, number],
        workingDirectory: directory.path
      )
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(outcome.errorText == "cleave: standard output: is one of the inputs\n", "\(outcome)")
      #expect(try Files.read(file) == bytes)
    }
  }

  /// The pipe is full when the file is changed, which is larger than what is read in advance.
  @Test(
    arguments: [(65, "truncate -s 2000000 f"), (75, "echo >> f")],
    ["split -n r/1/2 f", "split -n 1/2 f", "split -n r/1/2 - < f", "merge -o - - < f"]
  )
  func aFileThatIsChangedIsSeen(change: (code: Int, command: String), words: String) throws {
    try Files.write(Array(repeatElement(bytes, count: 50).joined()), to: file)
    let script = """
      { "$0" \(words) 3>&- || echo $? >&3; } 3>&2 2> errors |
      (head -c 1000; \(change.command); cat) > /dev/null
      """
    let outcome = try Tool.shell.run(
      ["-c", FilePath(script), Tool.cleave.path],
      workingDirectory: directory.path
    )
    #expect(outcome.errorText == "\(change.code)\n", "\(outcome)")
  }

  @Test(arguments: ["4", "l/4"], [true, false])
  func standardInputIsCutToSoManyParts(number: String, isPipe: Bool) throws {
    let input: ToolInput = isPipe ? .bytes(bytes) : .file(file)
    let temporary = try TemporaryDirectory()
    let outcome = try run(
      ["split", "-n", FilePath(number), "-", "p"],
      input,
      environment: ["TMPDIR": "\(temporary.path)"]
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasPrefix("standard input: \(bytes.count) bytes"), "\(outcome)")
    #expect(try temporary.names() == [])
    let found = try (1...4).map { try Files.read(directory.file(FilePath("p.00\($0)"))) }
    #expect(try run(["merge", "-o", "whole", "p.sfv"]).exitCode == 0)
    #expect(try Files.read(directory.file("whole")) == bytes)
    #expect(try FileStatus.of(directory.file("p.001")).permissions & 0o077 != 0)
    for name in try directory.names() where name != "f" {
      try FileSystem.unlink(directory.file(name))
    }
    #expect(try parts(number == "4" ? "" : "l/", of: 4) == found)
  }

  @Test func whereStandardInputCannotBeCopiedTheVariableIsNamed() throws {
    let outcome = try run(
      ["split", "-n", "4", "-", "p"],
      .bytes(bytes),
      environment: ["TMPDIR": "\(directory.file("none"))"]
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("TMPDIR names the directory"), "\(outcome)")
  }

  @Test func partsThatAreThereAreNotWaitedFor() throws {
    try Files.write([], to: directory.file("p.002"))
    let outcome = try run(["split", "-n", "3", "-", "p"], .unending([97]))
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText == "cleave: p.002: exists; --force replaces it\n", "\(outcome)")
  }

  @Test(
    arguments: [
      (["-n", "5/4", "f"], "is not a number from 1 to 4"),
      (["-n", "0/4", "f"], "is not a number from 1 to 4"),
      (["-n", "1/2", "f", "p"], "one operand too many"), (["-n", "1/2", "--json", "f"], "--json"),
      (["-n", "1/2", "--filter=cat", "f"], "--filter"),
      (["-n", "l/1/2", "-e", "f"], "--elide-empty-files"),
      (["-n", "l/1/2", "--header", "f"], "--header"), (["-n", "1/2", "-t;", "f"], "--separator"),
      (["-n", "1/2", "--resume", "f"], "--resume"), (["-n", "1/2", "-l3", "f"], "--lines"),
    ]
  )
  func whatMakesNoSenseIsRefused(words: [String], text: String) throws {
    let outcome = try run(["split"] + words.map { FilePath($0) })
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try directory.names() == ["f"])
  }
}
