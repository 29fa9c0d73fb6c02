import Posix
import TestSupport
import Testing

/// What stands on a terminal while a job runs, and what is left there.
@Suite(.aside, .enabled(if: Tool.find("tmux") != nil, "needs tmux")) struct ProgressLineTests {
  @Test(arguments: [
    (30, "9 %, 9:9 left"),
    (40, "9 %, 9.9 B of 9.9 B, 9:9 left"),
    (80, "9 %, 9.9 B of 9.9 B, 9.9 B/s, 9:9 left"),
    (
      200,
      "9 %, 9.9 B of 9.9 B, 9.9 B/s, 9:9 left, a-film-with-a-long-name.mkv.9 (9 of 9)"
    ),
  ])
  func theLineHasAsManyFieldsAsFit(columns: Int, line: String) throws {
    let window = try Window(columns: columns)
    try window.type(window.merge)
    try expect(window) { $0.contains(line) }
  }

  @Test func aNarrowerWindowHasFewerFields() throws {
    let window = try Window(columns: 80)
    try window.type(window.merge)
    try expect(window) { $0.contains { $0.hasSuffix("B/s, 9:9 left") } }
    try window.resize(columns: 40)
    let line = "9 %, 9.9 B of 9.9 B, 9:9 left"
    try expect(window) { $0.contains(line) }
  }

  @Test func theLineIsGoneWhereTheJobIsStoppedAndWhereItEnds() throws {
    let window = try Window(columns: 80)
    let isRunning = { (lines: [String]) in lines.last?.hasSuffix(" left") ?? false }
    let isClean = { (lines: [String]) in !lines.contains { $0.contains("B/s") } }
    try window.type(window.merge)
    try expect(window, isRunning)
    try window.press("C-z")
    try expect(window) { $0.contains { $0.contains("Stopped") } && isClean($0) }
    try window.type("fg")
    try expect(window, isRunning)
    try window.press("C-c")
    try expect(window) { $0.contains("cleave: interrupted") && isClean($0) }
  }

  @Test func aJobPausesAndGoesOnAtAKey() throws {
    let window = try Window(columns: 80)
    try window.type("\(window.merge); stty -a")
    try expect(window) { $0.last?.hasSuffix(" left") ?? false }
    try window.press("p")
    let isPaused = { (lines: [String]) in lines.last?.hasSuffix("paused, p goes on") ?? false }
    try expect(window, isPaused)
    let reader = try window.read()
    // Other keys mean nothing, and are not shown.
    try window.press("x")
    for _ in 1...20 {
      #expect(isPaused(try window.lines()))
      try Readiness.pause(milliseconds: 10)
    }
    try window.press("p")
    try expect(window) { lines in
      lines.contains { $0.contains(" from 9 parts") } && lines.contains { $0.contains(" echo ") }
    }
    reader.send(.kill)
  }

  @Test(arguments: ["C-c", "C-z"]) func aPausedJobEndsAndStops(key: String) throws {
    let window = try Window(columns: 80)
    try window.type(window.merge)
    try expect(window) { $0.last?.hasSuffix(" left") ?? false }
    try window.press("p")
    try expect(window) { $0.last?.hasSuffix("paused, p goes on") ?? false }
    try window.press(key)
    if key == "C-z" {
      try expect(window) { $0.contains { $0.contains("Stopped") } }
      try window.type("fg")
      try expect(window) { $0.last?.hasSuffix("paused, p goes on") ?? false }
      try window.press("p")
      try expect(window) { $0.last?.hasSuffix(" left") ?? false }
      try window.press("C-c")
    }
    try expect(window) { $0.contains("cleave: interrupted") }
    try window.type("stty -a")
    try expect(window) { $0.contains { $0.contains(" icanon ") && $0.contains(" echo ") } }
  }

  private func expect(
    _ window: Window,
    _ isWanted: ([String]) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isShown = try window.shows(isWanted)
    let lines = try window.lines()
    #expect(isShown, "\(lines)", sourceLocation: sourceLocation)
  }
}

/// A shell in a window, and a job in it that stands still.
private final class Window {
  /// Four parts, more than a pipe takes that nobody reads.
  let merge: String
  private let directory: TemporaryDirectory
  private let tmux: Tool
  /// Has the pipe open.
  private let reader: RunningTool

  init(columns: Int) throws {
    directory = try TemporaryDirectory()
    tmux = try #require(Tool.find("tmux"))
    for number in 1...4 {
      let part = directory.file(FilePath("a-film-with-a-long-name.mkv.00\(number)"))
      try Files.makeSparse(part, size: 4 << 20)
    }
    try Files.makeFIFO(directory.file("out"))
    reader = try Tool.shell.start(["-c", "exec sleep 1000 <\"$0\"", directory.file("out")])
    merge =
      "'\(Tool.cleave.path)' merge --verify=none -o out "
      + "a-film-with-a-long-name.mkv.001"
    try run([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "12", "-c",
      "\(directory.path)", "env PS1='$ ' sh -c 'exec bash --norc --noprofile -i'",
    ])
  }

  deinit {
    _ = try? run(["kill-server"])
    reader.send(.kill)
  }

  func type(_ line: String) throws { try run(["send-keys", line, "Enter"]) }
  func press(_ key: String) throws { try run(["send-keys", key]) }

  /// Reads what the job writes, as fast as it comes.
  func read() throws -> RunningTool {
    try Tool.shell.start(["-c", "exec cat <\"$0\" >/dev/null", directory.file("out")])
  }

  func resize(columns: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "12"])
  }

  /// Whether the window comes to show what is looked for.
  func shows(_ isWanted: ([String]) -> Bool) throws -> Bool {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(RunningTool.patience) {
      if isWanted(try lines()) { return true }
      try Readiness.pause(milliseconds: 10)
    }
    return false
  }

  /// What stands in the window, but for empty lines; every number is 9, and of bytes.
  func lines() throws -> [String] {
    try run(["capture-pane", "-p"]).split(separator: "\n").map { line in
      line.replacing("KiB", with: "B").replacing("MiB", with: "B").reduce(into: "") {
        masked,
        letter in
        if !letter.isNumber {
          masked.append(letter)
        } else if masked.last != "9" {
          masked.append("9")
        }
      }
    }
  }

  @discardableResult private func run(_ arguments: [String]) throws -> String {
    let outcome = try tmux.run(
      ["-L", "test"] + arguments,
      environment: ["TMUX_TMPDIR": "\(directory.path)", "TERM": "xterm", "TMUX": ""]
    )
    try #require(outcome.exitCode == 0, "\(arguments): \(outcome)")
    return outcome.outputText
  }
}
