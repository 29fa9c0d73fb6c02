import Posix
import TestSupport

/// cleave called by the name of `split`, and the GNU program of that name.
struct SplitTwins {
  /// What a run has left and said.
  struct Result: Equatable {
    var end: Outcome.End
    var output: String
    var error: String
    var files: [FilePath: [UInt8]]
    var permissions: [FilePath: UInt32]
  }

  private let directory: TemporaryDirectory
  private let own: FilePath
  private let others: FilePath
  /// Of the GNU program, such as 9.1.
  let version: String

  /// The program that `$CLEAVE_GNU_SPLIT` names, or the installed one; nil where that is no GNU `split`.
  init?() throws {
    let named = ProcessState.environment("CLEAVE_GNU_SPLIT").map { Tool(FilePath($0)) }
    guard let tool = named ?? Tool.find("split") else { return nil }
    let line = try tool.run(["--version"]).outputText.prefix { $0 != "\n" }
    guard line.contains("GNU coreutils"), let version = line.split(separator: " ").last else {
      return nil
    }
    self.version = String(version)
    directory = try TemporaryDirectory()
    (own, others) = (directory.file("own"), directory.file("others"))
    for (place, target) in [(own, Tool.cleave.path), (others, tool.path)] {
      try Files.makeDirectory(place)
      try Files.symlink(place.appending("split"), to: Files.resolved(target))
    }
  }

  /// Whether the GNU program cuts and complains as 9.5 does.
  var isRecent: Bool {
    let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return numbers.lexicographicallyPrecedes([9, 5]) == false
  }

  func compares(_ test: SplitCase) -> Bool {
    !test.differences.contains { $0.isLasting || !isRecent }
  }

  /// What both do with a command line: cleave, and the GNU program.
  func results(_ test: SplitCase) throws -> (Result, Result) {
    (try run(test, in: own), try run(test, in: others))
  }

  /// What comes of a script that calls `split`, for cleave and for the GNU program.
  func results(ofScript script: String) throws -> (Result, Result) {
    var results: [Result] = []
    for programs in [own, others] {
      let place = try TemporaryDirectory()
      let work = place.file("work")
      try Files.makeDirectory(work)
      let words: [any ToolArgument] = ["-c", "cd \"$1\"; shift\n" + script, "sh", work]
      results.append(try run(words, .null, [:], in: work, programs))
    }
    return (results[0], results[1])
  }

  private func run(_ test: SplitCase, in programs: FilePath) throws -> Result {
    let place = try TemporaryDirectory()
    let work = place.file("work")
    try Files.makeDirectory(work)
    try Files.makeDirectory(work.appending("dir"))
    let input = work.appending("in")
    try Files.write(test.bytes, to: input)
    for (name, bytes) in test.taken { try Files.write(bytes, to: work.appending(name)) }
    if test.linksInput { try? Files.hardLink(work.appending("xab"), to: input) }
    let standardInput: ToolInput =
      switch test.input {
      case .file: .null
      case .standardInput: .file(input)
      case .pipe: .bytes(test.bytes)
      }
    let script = "umask \(test.mask); cd \"$1\"; shift; exec split \"$@\""
    let words: [any ToolArgument] = ["-c", script, "sh", work] + test.words
    return try run(words, standardInput, test.environment, in: work, programs)
  }

  private func run(
    _ words: [any ToolArgument],
    _ input: ToolInput,
    _ environment: [String: String],
    in work: FilePath,
    _ programs: FilePath
  ) throws -> Result {
    var environment = environment
    environment["PATH"] = "\(programs):\(ProcessState.environment("PATH") ?? "/usr/bin:/bin")"
    let outcome = try Tool.shell.run(words, input: input, environment: environment)
    let tree = try FileTree(readFrom: work)
    return Result(
      end: outcome.end,
      output: outcome.outputText,
      error: outcome.errorText,
      files: tree.entries,
      permissions: try tree.entries.keys.reduce(into: [:]) { permissions, name in
        permissions[name] = try FileStatus.of(work.appending(name)).permissions
      }
    )
  }
}

extension SplitTwins.Result {
  /// What is not the same, one line each.
  func differences(from other: Self) -> [String] {
    var lines: [String] = []
    if end != other.end { lines.append("ends with \(end), not \(other.end)") }
    if output != other.output {
      lines.append("says \(output.debugDescription), not \(other.output.debugDescription)")
    }
    if error != other.error {
      lines.append("complains \(error.debugDescription), not \(other.error.debugDescription)")
    }
    lines += FileTree(entries: files).differences(from: FileTree(entries: other.files)).prefix(5)
    for (name, mode) in permissions where (other.permissions[name] ?? mode) != mode {
      lines.append("\(name) has the mode \(String(mode, radix: 8))")
    }
    return lines
  }
}
