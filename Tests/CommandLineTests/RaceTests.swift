import Posix
import TestSupport
import Testing

/// Others who are at work on the same names at the same time.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct RaceTests {
  @Test(arguments: [[], ["--force"]], engines)
  func ofTwoRunsForOneNameOneWins(options: [String], engine: String) throws {
    let target = try TemporaryDirectory()
    // Of 512 bytes and more, the longer would be taken for the whole that a part is missing of.
    let rivals = try [[3000, 1], [10, 201, 60]].map { try Series($0) }
    let tools = try rivals.map { series in
      try Tool.cleave.start(
        ["merge", "--engine", engine, "-o", target.file("out"), series.parts[0]] + options,
        environment: FaultShim.environment("write@/.out#1=delay:100")
      )
    }
    let outcomes = try tools.map { try $0.wait() }
    let found = try Files.read(target.file("out"))
    #expect(try target.names() == ["out"])
    #expect(rivals.contains { $0.whole == found })
    if options.isEmpty {
      #expect(Set(outcomes.map(\.exitCode)) == [0, 73], "\(outcomes)")
      let winner = outcomes.firstIndex { $0.exitCode == 0 }
      #expect(winner.map { rivals[$0].whole } == found)
    } else {
      #expect(outcomes.allSatisfy { $0.exitCode == 0 }, "\(outcomes)")
    }
  }

  /// Between the look at the name and the rename, which must not replace.
  @Test func aRivalThatWasQuickerIsReplacedIfForced() throws {
    let series = try Series()
    let before = try series.contents()
    let environment = try FaultShim.environment("rename#1=EEXIST")
    let refused = try series.merge(environment: environment)
    try series.expectFailure(refused, 73, "file: exists; --force replaces it", since: before)
    let forced = try series.merge("auto", ["--force"], environment: environment)
    try series.expectMerged(forced, since: before)
  }

  /// At the first write to the output, so that some parts have been opened and others have not.
  @Test(arguments: [0, 1, 2], engines)
  func aLinkThatIsSwappedLeadsNowhereElse(part: Int, engine: String) throws {
    let series = try Series()
    let other = series.directory.file("other")
    try Files.write(Bytes.pattern(count: 3000, seed: 9), to: other)
    let original = series.directory.file("original")
    try FileSystem.rename(series.parts[part], toNew: original)
    try Files.symlink(series.parts[part], to: "original")
    let tool = try Tool.cleave.start(
      ["merge", "--no-sync", "--engine", engine] + Series.smallPieces + [series.parts[0]],
      environment: FaultShim.environment("write@/.file#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    try FileSystem.unlink(series.parts[part])
    try Files.symlink(series.parts[part], to: "other")
    tool.send(.resume)
    let outcome = try tool.wait()
    if outcome.exitCode == 0 {
      #expect(try Files.read(series.output) == series.whole)
    } else {
      #expect(outcome.exitCode == 75, "\(outcome)")
      let line = "cleave: file.00\(part + 1): was changed while it was being read\n"
      #expect(series.lines(outcome) == line)
      #expect(try !Files.exists(series.output))
    }
  }
}
