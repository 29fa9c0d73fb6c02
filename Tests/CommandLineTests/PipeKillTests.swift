import Posix
import TestSupport
import Testing

/// Pipes of which either side is killed at a random moment.
@Suite(.aside, .serialized) struct PipeKillTests {
  /// How often each kind of pipe is cut; `make kill` says.
  private static let wanted = ProcessState.environment("CLEAVE_KILL_TESTS").flatMap { Int($0) }
  private static let count = wanted ?? 3

  private static let cuts = [
    ["-l", "20000"], ["-C", "500K"], ["-b", "400K"], ["-l", "20000", "--header=2"],
    ["-n", "r/4"],
  ]

  private let directory: TemporaryDirectory
  private let bytes: [UInt8]
  private let seed = SeededGenerator.seed

  init() throws {
    directory = try TemporaryDirectory()
    bytes = (0..<200_000).flatMap { Array("line \($0) of a stream\n".utf8) }
    try Files.write(bytes, to: directory.file("big"))
  }

  /// A script at work in a directory of its own.
  private struct Trial {
    let tool: RunningTool
    let directory = try? TemporaryDirectory()

    /// - Parameter arguments: `$@`; `$0` is the program.
    init(_ script: String, _ arguments: [String] = []) throws {
      tool = try Tool.shell.start(
        ["-c", script, Files.resolved(Tool.cleave.path)] + arguments.map { FilePath($0) },
        workingDirectory: try #require(directory).path
      )
    }

    func file(_ name: FilePath) throws -> FilePath { try #require(directory).file(name) }

    /// What is there under final names, but for what filters have not finished.
    func named() throws -> [FilePath: [UInt8]] {
      let names = try #require(directory).names().filter { name in
        name.bytes.starts(with: "p.".utf8) && name.string?.hasSuffix(".part") == false
      }
      return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Files.read(file($0))) })
    }

    /// Kills the process whose number is the last line of a file, a while after that is there.
    func killNoted(after pause: Double) throws {
      let note = try file("pid")
      _ = try tool.wait { try Files.exists(note) && Files.read(note).last == 10 }
      _ = try tool.wait(timeout: pause) { false }
      // It may have ended.
      _ = try Tool.shell.run(["-c", #"kill -KILL $(tail -n 1 "$0") 2>/dev/null"#, note])
    }
  }

  /// Seconds, and what is made, without a kill.
  private func untouched(_ script: String, _ cut: [String]) throws -> (Double, [FilePath: [UInt8]])
  {
    let trial = try Trial(script, cut)
    let outcome = try trial.tool.wait()
    try #require(outcome.exitCode == 0 && outcome.errorText.isEmpty, "\(outcome)")
    let made = try trial.named()
    try #require(!made.isEmpty)
    return (outcome.seconds, made)
  }

  private var big: FilePath { directory.file("big") }

  // MARK: - split

  @Test func aSplitThatIsKilledLeavesNothingThatIsNotWhole() throws {
    let script = #""$0" split -q "$@" - p < \#(big)"#
    var generator = SeededGenerator(seed: seed)
    var (kills, partly) = (0, 0)
    for index in 0..<Self.count {
      let cut = Self.cuts[index % Self.cuts.count]
      let (seconds, goal) = try untouched(script, cut)
      let trial = try Trial("exec " + script, cut)
      _ = try trial.tool.wait(timeout: .random(in: 0...seconds, using: &generator)) { false }
      trial.tool.send(.kill)
      kills += try trial.tool.wait().wasKilled ? 1 : 0
      let found = try trial.named()
      partly += found.isEmpty || found.count == goal.count ? 0 : 1
      for (name, bytes) in found {
        #expect(Bytes.difference(bytes, goal[name] ?? []) == nil, "\(name), seed \(seed), \(index)")
      }
    }
    print("split: \(kills) of \(Self.count) killed, \(partly) when some had names, seed \(seed)")
  }

  /// A split cannot know that there would have been more: what has come is split, and whole.
  @Test func whatASourceLeftThatIsKilledIsSplit() throws {
    let source = "sh -c 'echo $$ > pid; exec cat \(big)'"
    let script = source + #" | { "$0" split "$@" - p; echo $? > code; }"#
    var generator = SeededGenerator(seed: seed)
    var cutOff = 0
    for index in 0..<Self.count {
      let cut = ["-q"] + Self.cuts[index % Self.cuts.count]
      let (seconds, _) = try untouched(script, cut)
      let trial = try Trial(script, cut)
      try trial.killNoted(after: .random(in: 0...seconds, using: &generator))
      let outcome = try trial.tool.wait()
      let code = try Files.text(trial.file("code"))
      #expect(code == "0\n", "\(outcome), seed \(seed), \(index)")
      let whole = try trial.file("whole")
      let merged = try Tool.cleave.run(["merge", "-q", "-o", whole, trial.file("p.sfv")])
      #expect(merged.exitCode == 0, "\(merged), seed \(seed), \(index)")
      let found = try Files.read(whole)
      #expect(bytes.starts(with: found), "seed \(seed), \(index)")
      cutOff += found.count < bytes.count ? 1 : 0
    }
    print("source | split: \(cutOff) of \(Self.count) cut off, seed \(seed)")
  }

  // MARK: - merge

  @Test(arguments: [false, true]) func aMergeEndsWithItsReader(isEndless: Bool) throws {
    let merge =
      isEndless
      ? #""$0" merge -q -o - - < /dev/zero"#
      : #""$0" merge -q --as-given -o - "# + String(repeating: "\(big) ", count: 60)
    let script =
      "{ \(merge); echo $? > code; } | sh -c 'echo $$ > pid; exec cat > /dev/null'"
    var generator = SeededGenerator(seed: seed)
    let seconds = isEndless ? 0.3 : try Trial(script).tool.wait().seconds
    var (left, longest) = (0, Duration.zero)
    for index in 0..<Self.count {
      let trial = try Trial(script)
      try trial.killNoted(after: .random(in: 0...seconds, using: &generator))
      let start = ContinuousClock.now
      let outcome = try trial.tool.wait()
      longest = max(longest, start.duration(to: .now))
      let code = try Files.text(trial.file("code"))
      #expect(code == "141\n" || code == "0\n" && !isEndless, "\(outcome), seed \(seed), \(index)")
      left += code == "141\n" ? 1 : 0
    }
    // Of a machine that is busy with other tests.
    #expect(longest < .seconds(Self.wanted == nil ? 20 : 1), "seed \(seed)")
    print("merge | reader: \(left) of \(Self.count) left, \(longest) at most, seed \(seed)")
  }

  // MARK: - Filters

  /// Either the split, which then ends its filters, or a filter. One that sees a split vanish by SIGKILL
  /// cannot tell that from the end of a part.
  @Test(arguments: ["the split", "a filter"])
  func aFilterThatIsEndedMakesNoPart(ended: String) throws {
    let filter = #"echo \$\$ >> pid; cat > \$FILE.part && mv \$FILE.part \$FILE"#
    let script = #""$0" split -q --jobs=2 --filter="\#(filter)" "$@" p < \#(big)"#
    var generator = SeededGenerator(seed: seed)
    var ends = 0
    // No records are dealt out to filters.
    let cuts = Self.cuts.filter { $0[0] != "-n" }
    for index in 0..<Self.count {
      let cut = cuts[index % cuts.count] + [index % 2 == 0 ? "-" : "\(big)"]
      let (seconds, goal) = try untouched(script, cut)
      let trial = try Trial("exec " + script, cut)
      let pause = Double.random(in: 0...seconds, using: &generator)
      if ended == "a filter" {
        try trial.killNoted(after: pause)
      } else {
        _ = try trial.tool.wait(timeout: pause) { false }
        trial.tool.send(.terminate)
      }
      let outcome = try trial.tool.wait()
      let found = try trial.named()
      for (name, bytes) in found {
        #expect(Bytes.difference(bytes, goal[name] ?? []) == nil, "\(name), seed \(seed), \(index)")
      }
      if outcome.exitCode == 0 {
        #expect(found == goal, "seed \(seed), \(index)")
      } else {
        ends += 1
        let isRight = ended == "a filter" ? outcome.exitCode == 74 : outcome.signal == .terminate
        #expect(isRight, "\(outcome), seed \(seed), \(index)")
      }
    }
    print("split | filter: \(ends) of \(Self.count) ended with \(ended), seed \(seed)")
  }
}
