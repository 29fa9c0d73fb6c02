import Posix
import TestSupport
import Testing

/// The scripts that `split --joiners` writes for POSIX shells and for Python, run by those that are installed.
@Suite(.aside) struct JoiningScriptTests {
  let directory: TemporaryDirectory
  let bytes = Bytes.pattern(count: 2500)

  init() throws { directory = try TemporaryDirectory() }

  static let shells = ["sh", "dash", "bash", "busybox"]
  static let all = shells + ["python3"]

  static let names: [FilePath] = [
    "plain", "two  blanks ", " first", "it's", "a$b`c`\"d\"", "$(exit 7)", "-rf", "--", "new\nline",
    "end\n", "*?[a-z]", "back\\slash\\", "#;&|<>()", "~", "%s%n", "!!", "a=b",
    FilePath(bytes: [0xFF, 0xFE, 0x27, 0x80]), FilePath(bytes: [0x83, 0x5C, 0x27]),
  ]

  // MARK: - Joining

  @Test(arguments: all, names) func anyNameIsJoined(program: String, name: FilePath) throws {
    guard let program = Interpreter(program) else { return }
    try split(name)
    let before = try Contents(of: directory.path)
    let outcome = try program.run(directory.file(name.adding(program.suffix)))
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    // The parts of names that no SFV file holds have a sums file instead.
    let sum =
      try Files.exists(directory.file(name.adding(".sha256")))
      ? "SHA-256 \(sha256())" : "CRC-32 \(crc32(of: name))"
    #expect(outcome.outputText == "\(name): 2500 bytes from 3 parts, \(sum)\n")
    #expect(try Files.read(directory.file(name)) == bytes)
    #expect(try Contents(of: directory.path).changes(since: before) == ["\(name) is new"])
  }

  @Test(arguments: ["mkdir", "mkfifo", "ln -s film.001"])
  func whatHasTheTemporarysNameIsLeftAlone(way: String) throws {
    try split("film")
    let script = "\(way) .cleave-join-$$; \(way) .cleave-join-$$-0; exec sh film.join.sh"
    let outcome = try Tool.shell.run(
      ["-c", script],
      workingDirectory: directory.path,
      timeout: 20
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("film")) == bytes)
    #expect(try Files.read(directory.file("film.001")) == Array(bytes[..<1000]))
    #expect(try directory.names().count { $0.bytes.first == UInt8(ascii: ".") } == 2)
  }

  @Test(arguments: ["script.join.sh", "./script.join.sh"])
  func theScriptIsFoundFromItsOwnDirectory(script: FilePath) throws {
    try split("script")
    let outcome = try Tool.shell.run([script], workingDirectory: directory.path)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("script")) == bytes)
  }

  @Test(arguments: ["sh", "python3"]) func theScriptIsAProgram(program: String) throws {
    guard let program = Interpreter(program) else { return }
    try split("film")
    let outcome = try Tool(directory.file("film").adding(program.suffix)).run([])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("film")) == bytes)
  }

  static let cuts: [(count: Int, options: [String])] = [
    (0, ["-b", "10"]), (1, ["-b", "10"]), (2, ["-n", "4"]), (30, ["-b", "1", "-a", "1"]),
    (1100, ["-b", "1"]), (2500, ["-b", "1,2000,rest"]), (2500, ["-b", "700,700,1,700,rest"]),
  ]

  @Test(arguments: ["sh", "python3"], cuts)
  func partsOfAnySizesAndNumbersAreJoined(
    program: String,
    cut: (count: Int, options: [String])
  ) throws {
    guard let program = Interpreter(program) else { return }
    let some = Bytes.pattern(count: cut.count)
    try split("file", some, cut.options)
    let outcome = try program.run(directory.file("file").adding(program.suffix))
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("file")) == some)
  }

  // MARK: - Faults

  static let faults: [(what: String, line: String)] = [
    ("gone", "film.002 is missing"),
    ("short", "film.002 has 999 bytes, not 1000"),
    ("long", "film.003 has 501 bytes, not 500"),
    ("empty", "film.001 has 0 bytes, not 1000"),
    ("directory", "film.002 is not a regular file"),
    ("several", "film.001 is missing; 3 parts are missing or wrong"),
    ("damaged", "film has CRC-32 SUM, not GOOD: a part is damaged"),
    ("swapped", "film has CRC-32 SUM, not GOOD: a part is damaged"),
    ("taken", "film exists already"),
  ]

  @Test(arguments: all, faults)
  func whatIsWrongIsToldInOneLine(program: String, fault: (what: String, line: String)) throws {
    guard let program = Interpreter(program) else { return }
    try split("film")
    let good = try crc32(of: "film")
    try damage(fault.what)
    let before = try Contents(of: directory.path)
    let outcome = try program.run(directory.file("film").adding(program.suffix))
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.outputText == "")
    let line = outcome.errorText.replacing(#/CRC-32 [0-9a-f]{8}/#, with: "CRC-32 SUM")
    #expect(line.replacing(good, with: "GOOD") == fault.line + "\n", "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  private func damage(_ what: String) throws {
    let parts = ["film.001", "film.002", "film.003"].map { directory.file($0) }
    switch what {
    case "gone": try FileSystem.unlink(parts[1])
    case "short": try Files.setSize(999, of: parts[1])
    case "long": try Files.setSize(501, of: parts[2])
    case "empty": try Files.setSize(0, of: parts[0])
    case "directory":
      try FileSystem.unlink(parts[1])
      try Files.makeDirectory(parts[1])
    case "several": for part in parts { try FileSystem.unlink(part) }
    case "damaged": try Files.flipByte(at: 7, of: parts[1])
    case "swapped":
      let first = try Files.read(parts[0])
      try Files.copy(parts[1], to: parts[0])
      try Files.write(first, to: parts[1])
    default: try Files.write([9], to: directory.file("film"))
    }
  }

  // MARK: - What a machine has

  @Test(arguments: ["rhash", "crc32", "python3", "gzip", ""])
  func anyProgramThatKnowsTheSumDoes(program: String) throws {
    let programs = program == "gzip" ? ["gzip", "tail", "od"] : program == "" ? [] : [program]
    guard let path = try makePath(programs) else { return }
    try split("film")
    let sum = try crc32(of: "film")
    let good = try Tool.shell.run([directory.file("film.join.sh")], environment: path.environment)
    #expect(good.exitCode == 0, "\(good)")
    let checked =
      program == ""
      ? "only sizes were checked: there is no rhash, crc32, python3 or gzip" : "CRC-32 \(sum)"
    #expect(good.outputText == "film: 2500 bytes from 3 parts, \(checked)\n", "\(good)")
    #expect(try Files.read(directory.file("film")) == bytes)
    try FileSystem.unlink(directory.file("film"))
    try Files.flipByte(at: 7, of: directory.file("film.002"))
    let bad = try Tool.shell.run([directory.file("film.join.sh")], environment: path.environment)
    #expect(bad.exitCode == (program == "" ? 0 : 1), "\(bad)")
  }

  @Test(
    .enabled(if: Tool.cleaveHasDigests, "no libcrypto here"),
    arguments: ["sha256sum", "shasum", "openssl", ""]
  )
  func aDigestIsComparedRatherThanTheSum(program: String) throws {
    let others = ["gzip", "tail", "od"]
    guard let path = try makePath(program == "" ? others : [program] + others) else { return }
    try split("film", nil, ["-b", "1000", "--checksum=sha256"])
    let script = directory.file("film.join.sh")
    let good = try Tool.shell.run([script], environment: path.environment)
    #expect(good.exitCode == 0, "\(good)")
    let kind = program == "" ? "CRC-32 [0-9a-f]{8}" : "SHA-256 [0-9a-f]{64}"
    let line = try Regex("film: 2500 bytes from 3 parts, \(kind)\n")
    #expect(good.outputText.wholeMatch(of: line) != nil, "\(good)")
    try FileSystem.unlink(directory.file("film"))
    try Files.flipByte(at: 7, of: directory.file("film.002"))
    let bad = try Tool.shell.run([script], environment: path.environment)
    #expect(bad.exitCode == 1, "\(bad)")
    let fault = try Regex("film has \(kind), not [0-9a-f]+: a part is damaged\n")
    #expect(bad.errorText.wholeMatch(of: fault) != nil, "\(bad)")
  }

  @Test(arguments: [false, true])
  func withoutHardLinksNothingIsReplacedEither(isTaken: Bool) throws {
    let taking = isTaken ? "echo taken >film\n" : ""
    let path = try #require(
      try makePath(["gzip", "tail", "od"], ["ln": "#!/bin/sh\n\(taking)exit 1\n"])
    )
    try split("film")
    let outcome = try Tool.shell.run(
      [directory.file("film.join.sh")],
      environment: path.environment
    )
    #expect(outcome.exitCode == (isTaken ? 1 : 0), "\(outcome)")
    #expect(outcome.errorText == (isTaken ? "film exists already\n" : ""))
    #expect(try Files.read(directory.file("film")) == (isTaken ? Array("taken\n".utf8) : bytes))
    #expect(try directory.names().count == 9)
  }

  @Test func aFileThatAppearsMeanwhileIsNotReplaced() throws {
    let cat = try #require(Tool.find("cat"))
    let path = try #require(
      try makePath(["gzip"], ["cat": "#!/bin/sh\necho other >film\nexec \(cat.path) \"$@\"\n"])
    )
    try split("film")
    let outcome = try Tool.shell.run(
      [directory.file("film.join.sh")],
      environment: path.environment
    )
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText == "film exists already\n")
    #expect(try Files.text(directory.file("film")) == "other\n")
    #expect(try directory.names().count == 9)
  }

  @Test(arguments: shells, [("HUP", 129), ("INT", 130), ("TERM", 143)] as [(String, CInt)])
  func aSignalLeavesNothing(shell: String, signal: (name: String, code: CInt)) throws {
    guard let shell = Interpreter(shell) else { return }
    let stub = "#!/bin/sh\nkill -\(signal.name) \"$PPID\"\n"
    let path = try #require(try makePath([], ["cat": stub]))
    try split("film")
    let before = try Contents(of: directory.path)
    let outcome = try shell.run(directory.file("film.join.sh"), environment: path.environment)
    #expect(outcome.exitCode == signal.code, "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test func aPartThatCannotBeReadLeavesNothing() throws {
    let path = try #require(
      try makePath([], ["cat": "#!/bin/sh\necho \"cat: $1: Input/output error\" >&2\nexit 1\n"])
    )
    try split("film")
    let outcome = try Tool.shell.run(
      [directory.file("film.join.sh")],
      environment: path.environment
    )
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText == "cat: ./film.001: Input/output error\n")
    #expect(try directory.names().count == 8)
  }

  // MARK: - Inside

  /// A program that runs scripts, from another directory than theirs.
  struct Interpreter {
    let program: Tool
    let options: [String]
    /// How its scripts are called behind the name.
    let suffix: String

    /// Nil, and says so, where it is not installed.
    init?(_ name: String) {
      guard let program = Tool.find(FilePath(name)) else {
        print("skipped: \(name) is not installed")
        return nil
      }
      self.program = program
      options = name == "busybox" ? ["sh"] : []
      suffix = name == "python3" ? ".join.py" : ".join.sh"
    }

    func run(_ script: FilePath, environment: [String: String] = [:]) throws -> Outcome {
      try program.run(options + [script], environment: environment, workingDirectory: "/")
    }
  }

  func split(
    _ name: FilePath,
    _ some: [UInt8]? = nil,
    _ cut: [String] = ["-b", "1000"]
  ) throws {
    let file = directory.file(name)
    try Files.write(some ?? bytes, to: file)
    // Names that Windows does not know get no script for it.
    let outcome = try Tool.cleave.run(["split", "--no-sync", "--joiners", "-q"] + cut + [file])
    #expect(outcome.exitCode == 0, "\(outcome)")
    try FileSystem.unlink(file)
  }

  /// Of the whole.
  private func sha256() throws -> String {
    let tool = try #require(Tool.find("sha256sum"))
    return try String(tool.run([], input: .bytes(bytes)).outputText.prefix(64))
  }

  /// As the script has it.
  func crc32(of name: FilePath) throws -> String {
    let script = try Files.text(directory.file(name.adding(".join.sh")))
    return try String(#require(script.firstMatch(of: #/\ncrc32=([0-9a-f]{8})\n/#)).1)
  }

  /// A directory of programs that stands for all that a machine has.
  private struct SearchPath {
    let directory: TemporaryDirectory
    var environment: [String: String] { ["PATH": "\(directory.path)"] }
  }

  /// - Returns: nil, and says so, where a program is not installed.
  private func makePath(_ programs: [String], _ stubs: [String: String] = [:]) throws -> SearchPath?
  {
    let path = SearchPath(directory: try TemporaryDirectory())
    for (name, text) in stubs {
      let stub = path.directory.file(FilePath(name))
      try Files.write(Array(text.utf8), to: stub)
      try Files.setPermissions(0o755, of: stub)
    }
    for name in ["cat", "ls", "ln", "mv", "rm", "mkdir", "rmdir"] + programs
    where stubs[name] == nil {
      guard let tool = Tool.find(FilePath(name)) else {
        print("skipped: \(name) is not installed")
        return nil
      }
      // Not a link: what is called by another name or directory may be something else.
      let stub = path.directory.file(FilePath(name))
      let search = ProcessState.environment("PATH") ?? ""
      try Files.write(
        Array("#!/bin/sh\nPATH='\(search)' exec '\(tool.path)' \"$@\"\n".utf8),
        to: stub
      )
      try Files.setPermissions(0o755, of: stub)
    }
    return path
  }
}
