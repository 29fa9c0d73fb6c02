import Posix
import TestSupport
import Testing

/// What moving bytes costs by counts, which say the same on every machine, busy or not.
@Suite(.enabled(if: CountShim.isAvailable, "counting needs Linux, glibc and a C compiler"))
struct CountTests {
  @Test(arguments: engines, ["stream", "none"])
  func noEngineTakesMoreThanItDid(engine: String, verify: String) throws {
    // What else runs decides who waits for whom, and with it some hundred allocations of one run.
    var exceeded: [String] = []
    for _ in 1...3 {
      exceeded = try Cost.ofSplitAndMerge(engine, ["--verify", verify]).flatMap { cost in
        try cost.exceeded(by: engine).map { "\(cost.command): \($0)" }
      }
      if exceeded.isEmpty { break }
    }
    #expect(exceeded == [])
  }

  @Test(arguments: engines) func everyByteIsReadAndWrittenOnce(engine: String) throws {
    for cost in try Cost.ofSplitAndMerge(engine, []) {
      #expect(cost.growth { $0.writeBytes + $0.copyBytes } == Cost.growth, "\(cost.command)")
      // Mapped bytes are not read by a call, but for what the last slice of a part leaves over.
      let read = engine == "zerocopy" ? 0...1024 : Cost.growth...Cost.growth
      #expect(read.contains(cost.growth { $0.readBytes }), "\(cost.command)")
    }
  }

  /// What shows that the limits can fail.
  @Test(arguments: engines) func smallPiecesExceedTheLimits(engine: String) throws {
    for cost in try Cost.ofSplitAndMerge(engine, ["--high-water", "64K"]) {
      #expect((16...16.5).contains(cost.perMebibyte { $0.writes }), "\(cost.command)")
      let names = Set(try cost.exceeded(by: engine).map(\.limit.name))
      var expected: Set = ["writes", "calls"]
      // The direct engine allocates nothing for a piece, and else what the load of the machine decides.
      if engine != "direct" { expected.insert("allocations") }
      #expect(names.isSuperset(of: expected), "\(cost.command)")
    }
  }

  /// What is named by the shell, and what there is of it.
  struct Glob: Sendable, CustomTestStringConvertible {
    let command: String
    let operands: String
    /// Makes the files of so many, `$n`.
    let script: String

    var testDescription: String { "\(command) \(operands): \(script)" }
  }

  private static let parts = "for i in $(seq -w $n); do echo $i >f.0$i; done; "
  private static let pairs =
    "for i in $(seq $((n / 2))); do echo 11 >s$i.x.001; echo 1 >s$i.x.002; done"
  private static let others =
    "for i in $(seq $n); do echo $i >$(echo $i | md5sum | tr 0-9a-f g-v | head -c 8).txt; done"

  static let globs = [
    Glob(command: "info", operands: "f.*", script: parts),
    Glob(command: "verify", operands: "f.*", script: parts),
    Glob(command: "info", operands: "f.*", script: parts + "rm f.005"),
    Glob(command: "verify", operands: "f.*", script: parts + "rm f.005"),
    Glob(command: "info", operands: "*", script: parts + "for f in *; do md5sum $f >$f.md5; done"),
    Glob(command: "merge --all -n", operands: "*", script: pairs),
    Glob(command: "merge --all -n", operands: ".", script: pairs),
    Glob(command: "info", operands: "*", script: pairs),
    Glob(command: "verify", operands: ".", script: pairs),
    Glob(command: "info", operands: "*", script: others),
    Glob(command: "verify", operands: "*", script: others),
  ]

  /// One that would do for each of them what is done for all would ask four times as much.
  @Test("twice as many operands ask twice as much of the system", arguments: globs)
  func manyOperands(glob: Glob) throws {
    let calls = try [20, 40, 80].map { count in
      let directory = try TemporaryDirectory()
      let script = "n=\(count); \(glob.script)"
      _ = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
      let line = "exec \"$0\" \(glob.command) \(glob.operands)"
      let arguments = ["-c", line, "\(Tool.cleave.path)"]
      return try Counts.run(.shell, arguments, in: directory.path).counts.calls
    }
    #expect(Double(calls[2] - calls[1]) < 2.5 * Double(calls[1] - calls[0]), "\(calls)")
  }

  @Test func whatIsKnownToBeDoneIsCounted() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 10_000), to: directory.file("source"))
    let dd = try #require(Tool.find("dd"))
    let arguments = ["if=source", "of=output", "bs=999"]
    let counts = try Counts(dd, arguments, in: directory.path)
    // One more read finds the end.
    #expect((counts.reads, counts.readBytes) == (12, 10_000))
    #expect((counts.writes, counts.writeBytes) == (11, 10_000))
    #expect(counts.opens >= 2)
    let elsewhere = try TemporaryDirectory()
    let others = try Counts(dd, arguments, in: directory.path, below: elsewhere.path)
    #expect(others.otherTransfers == counts.otherTransfers + 23)
    #expect(others.readBytes + others.writeBytes == 0)
  }

  @Test func peakMemoryIsTheProgramsOwn() throws {
    let directory = try TemporaryDirectory()
    // This process is made larger than what it starts, to see that its own size does not count.
    let ballast = [UInt8](repeating: 1, count: 64 << 20)
    let dd = try #require(Tool.find("dd"))
    func peak(_ size: String) throws -> Int {
      try Counts(dd, ["if=/dev/zero", "of=/dev/null", "bs=\(size)", "count=1"], in: directory.path)
        .peakResidentBytes
    }
    #expect((1..<(32 << 20)).contains(try peak("1K")))
    #expect(try peak("400M") > 300 << 20)
    #expect(ballast[77] == 1)
  }
}
