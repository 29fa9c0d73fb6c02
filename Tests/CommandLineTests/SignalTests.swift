import Posix
import TestSupport
import Testing

/// What signals do to a job that takes its time.
@Suite(.aside) struct SignalTests {
  static let ending: [(Signal, String)] = [
    (.interrupt, "INT"), (.terminate, "TERM"), (.hangUp, "HUP"),
  ]
  /// Seconds until the end; a second is promised.
  static let most = 2.0

  // MARK: - Files

  /// Calls that take long, that do not come back in time, and that want to be called for ever.
  static let delays = [
    "write@/.file=delay:50", "write@/.file#3=delay:100000", "write@/.file#3+=EAGAIN",
  ]

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ending,
    engines
  )
  func aMergeIsTakenBack(signal: (number: Signal, name: String), engine: String) throws {
    try expectPromptness(over: Self.delays) { delay in
      let series = try Series([30_000, 30_000, 29_999])
      let before = try series.contents()
      let tool = try Tool.cleave.start(
        ["merge", "--engine", engine] + Series.smallPieces + [series.parts[0]],
        environment: FaultShim.environment(delay)
      )
      #expect(try tool.wait { try series.directory.names().count > 3 })
      let seconds = try expectEnd(of: tool, by: signal.number)
      #expect(try series.contents().changes(since: before) == [], "\(delay)")
      return seconds
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ending,
    engines
  )
  func aSplitIsTakenBack(signal: (number: Signal, name: String), engine: String) throws {
    try expectPromptness(over: Self.delays) { delay in
      let directory = try TemporaryDirectory()
      try Files.write(Bytes.pattern(count: 90_000), to: directory.file("file"))
      let tool = try Tool.cleave.start(
        ["split", "-b", 30_000, "--engine", engine] + Series.smallPieces
          + [directory.file("file")],
        environment: FaultShim.environment(delay)
      )
      #expect(try tool.wait { try directory.names().count > 1 })
      let seconds = try expectEnd(of: tool, by: signal.number)
      #expect(try directory.names() == ["file"], "\(delay)")
      return seconds
    }
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aVerificationEnds() throws {
    let series = try Series(hasManifest: true)
    try expectPromptness(over: ["read@/file.00=delay:100000"]) { delay in
      let log = try TemporaryDirectory()
      let tool = try Tool.cleave.start(
        ["verify", series.manifest],
        environment: FaultShim.environment(delay, log: log.file("log"))
      )
      #expect(try tool.wait { try Files.exists(log.file("log")) })
      return try expectEnd(of: tool, by: .interrupt)
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: engines
  )
  func aSecondSignalEndsAtOnce(engine: String) throws {
    // A busy machine may let the first one's patience run out before the second arrives.
    for _ in 0..<20 where try endByTwoSignals(engine) == .terminate { return }
    Issue.record("the second signal never ended it")
  }

  /// Sends INT and then TERM to a job that is stuck in a call; returns the one that ended it.
  private func endByTwoSignals(_ engine: String) throws -> Signal? {
    let series = try Series()
    let before = try series.contents()
    let tool = try Tool.cleave.start(
      ["merge", "--engine", engine, series.parts[0]],
      environment: FaultShim.environment("write@/.file=delay:100000")
    )
    #expect(try tool.wait { try series.directory.names().count > 3 })
    tool.send(.interrupt)
    #expect(try tool.wait { try !tool.hasPending(.interrupt) })
    tool.send(.terminate)
    let outcome = try tool.wait()
    #expect(outcome.errorText == "cleave: interrupted\n")
    #expect(try series.contents().changes(since: before) == [])
    return outcome.signal
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aSignalThatComesTwiceAtOnceIsOne() throws {
    // On a busy machine, there may be some time between them.
    for _ in 0..<20 where try endByTheSameSignals().contains("what is done is kept") { return }
    Issue.record("the second one always ended it")
  }

  /// Sends TERM twice, as `timeout` does, to a job that has done something; returns what is said.
  private func endByTheSameSignals() throws -> String {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 4096, seed: 1), to: directory.file("f"))
    let tool = try Tool.cleave.start(
      ["split", "--resume", "--checkpoint=1024", "-b", "1024", "f"],
      environment: FaultShim.environment("fsync@.f.003#1=delay:300"),
      workingDirectory: directory.path
    )
    let isDelayed = try tool.wait {
      try directory.names().contains { $0.bytes.starts(with: ".f.003.".utf8) }
    }
    #expect(isDelayed)
    for _ in 1...2 {
      tool.send(.terminate)
      #expect(try tool.wait { try !tool.hasPending(.terminate) })
    }
    return try tool.wait().errorText
  }

  // MARK: - Streams

  @Test(arguments: ending)
  func standardInputThatNeverEndsIsLeft(signal: (number: Signal, name: String)) throws {
    let directory = try TemporaryDirectory()
    let commands: [[any ToolArgument]] = [
      ["merge", "-o", directory.file("out"), "-"],
      ["split", "-b", 400, "-", directory.file("out")],
    ]
    try expectPromptness(over: commands) { command in
      let tool = try Tool.cleave.start(command, input: .unending(Bytes.pattern(count: 1000)))
      #expect(try tool.wait { try !directory.names().isEmpty })
      let seconds = try expectEnd(of: tool, by: signal.number)
      #expect(try directory.names() == [])
      return seconds
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: ending
  )
  func aStreamWithoutAReaderIsLeft(signal: (number: Signal, name: String)) throws {
    let series = try Series([2_000_000, 1_999_999])
    let names = ["closed", "open"].map { series.directory.file($0) }
    for name in names { try Files.makeFIFO(name) }
    let before = try series.contents()
    // Nobody opens the one; the other is open, but nobody reads, and more comes than a pipe holds.
    let reader = try FileDescriptor.open(names[1], [.readWrite, .nonBlocking])
    try expectPromptness(over: names) { name in
      let directory = try TemporaryDirectory()
      let log = directory.file("log")
      let tool = try Tool.cleave.start(
        ["merge", "-o", name, series.parts[0]],
        environment: FaultShim.environment("open@\(name)=delay:1", log: log)
      )
      let isStuck = try tool.wait {
        if name == names[0] {
          // It tries again and again.
          return try Files.exists(log) && Files.read(log).count { $0 == UInt8(ascii: "\n") } > 3
        }
        let room = try Readiness.wait(for: .writing, reader.rawValue, path: name, milliseconds: 0)
        return room == .timedOut
      }
      #expect(isStuck && tool.isRunning)
      let seconds = try expectEnd(of: tool, by: signal.number)
      #expect(try series.contents().changes(since: before) == [])
      return seconds
    }
  }

  // MARK: - Signals that do not end it

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: engines
  )
  func aMergeThatWasStoppedGoesOn(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let tool = try Tool.cleave.start(
      ["merge", "--engine", engine] + Series.smallPieces + [series.parts[0]],
      environment: FaultShim.environment("write@/.file#4=stop")
    )
    #expect(try tool.waitUntilStopped())
    tool.send(.resume)
    try series.expectMerged(tool.wait(), since: before)
  }

  @Test(arguments: ending)
  func anIgnoredSignalStaysIgnored(signal: (number: Signal, name: String)) throws {
    let directory = try TemporaryDirectory()
    let tool = try Tool.cleave.start(
      ["merge", "-o", directory.file("out"), "-"],
      input: .unending([1, 2, 3]),
      ignoring: [signal.number]
    )
    #expect(try tool.wait { try !directory.names().isEmpty })
    tool.send(signal.number)
    // What is answered has come behind it, and the end would be by the first signal.
    tool.send(.user1)
    #expect(try tool.wait { try tool.errorSoFar().contains(UInt8(ascii: "\n")) })
    let other: Signal = signal.number == .interrupt ? .terminate : .interrupt
    tool.send(other)
    let outcome = try tool.wait()
    #expect(outcome.signal == other, "\(outcome)")
    #expect(outcome.errorText.hasSuffix("\ncleave: interrupted\n"), "\(outcome)")
    #expect(try directory.names() == [])
  }

  @Test func userSignalOneTellsHowFarTheJobIs() throws {
    let directory = try TemporaryDirectory()
    let tool = try Tool.cleave.start(
      ["merge", "-o", directory.file("out"), "-"],
      input: .unending(Bytes.pattern(count: 2048))
    )
    #expect(
      try tool.wait {
        try directory.names().contains { try FileStatus.of(directory.file($0)).size == 2048 }
      }
    )
    // The bytes are in the file a moment before they are counted.
    var asked = 0
    var told: [Substring] = []
    while asked < 1000, told.last?.hasPrefix("cleave: 2.0 KiB, ") != true {
      asked += 1
      tool.send(.user1)
      #expect(try tool.wait { try tool.errorSoFar().count { $0 == UInt8(ascii: "\n") } == asked })
      told = String(decoding: try tool.errorSoFar(), as: UTF8.self).split(separator: "\n")
    }
    tool.send(.terminate)
    let outcome = try tool.wait()
    let lines = outcome.errorText.split(separator: "\n")
    #expect(lines.count == asked + 1, "\(outcome)")
    #expect(told.last?.hasPrefix("cleave: 2.0 KiB, ") == true, "\(outcome)")
    #expect(told.allSatisfy { $0.hasSuffix("/s") }, "\(outcome)")
    #expect(lines.last == "cleave: interrupted")
    #expect(outcome.signal == .terminate)
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whereThereIsNoTerminalEachTenthIsALine() throws {
    let series = try Series([10_001, 9999])
    let outcome = try series.merge(
      "serial",
      Series.smallPieces + ["--progress=always"],
      environment: FaultShim.environment("write@/.file#5=delay:2000")
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = outcome.errorText.split(separator: "\n")
    // Some had gone by when it was looked for the first time.
    #expect((1...10).contains(lines.count), "\(outcome)")
    #expect(lines.allSatisfy { $0.hasPrefix("cleave: ") && $0.contains(" of 19.5 KiB, ") })
    #expect(!outcome.errorText.contains("\r") && !outcome.errorText.contains("\u{1B}"))
  }

  @Test(arguments: [[], ["--progress=auto"], ["--progress=never"], ["--progress=always", "-q"]])
  func thereIsNoProgressLineWhereNobodyLooks(options: [String]) throws {
    let outcome = try Series().merge("serial", options)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText == "")
  }

  // MARK: - Inside

  /// Seconds are those of a machine that has nothing else to do now and then: of some attempts, all
  /// of which must be right, one must be quick.
  private func expectPromptness<Case>(
    over cases: [Case],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ seconds: (Case) throws -> Double
  ) throws {
    for item in cases {
      let isPrompt = try (0..<10).contains { _ in try seconds(item) < Self.most }
      #expect(isPrompt, "\(item)", sourceLocation: sourceLocation)
    }
  }

  /// Returns how many seconds that took.
  private func expectEnd(
    of tool: RunningTool,
    by signal: Signal,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Double {
    let start = ContinuousClock.now
    tool.send(signal)
    let outcome = try tool.wait()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(outcome.signal == signal, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.errorText == "cleave: interrupted\n", sourceLocation: sourceLocation)
    return seconds
  }
}
