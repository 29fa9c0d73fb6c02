import Posix
import TestSupport
import Testing

/// The instruments that the other tests rely on.
@Suite(.aside) struct TestSupportTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  // MARK: - Files

  @Test func aTemporaryDirectoryGoesWithEverythingInIt() throws {
    var inner: TemporaryDirectory? = try TemporaryDirectory(in: directory.path)
    let path = try #require(inner?.path)
    try Files.makeDirectory(path.appending("closed"))
    try Files.write([1], to: path.appending("closed/file"))
    try Files.symlink(path.appending("dangling"), to: "nowhere")
    try Files.setPermissions(0, of: path.appending("closed"))
    #expect(try inner?.names() == ["closed", "dangling"])
    inner = nil
    #expect(try !Files.exists(path))
  }

  @Test func namesMayBeAnyBytes() throws {
    let path = directory.file(FilePath(bytes: [0xFF, 0xFE, 0x0A, 0x20]))
    try Files.write([1, 2, 3], to: path)
    let outcome = try #require(Tool.find("cat")).run([path])
    #expect(outcome.standardOutput == [1, 2, 3], "\(outcome)")
  }

  @Test func filesAreReplacedAppendedCopiedAndExtended() throws {
    let (first, second) = (directory.file("first"), directory.file("second"))
    try Files.write(Bytes.pattern(count: 200_000), to: first)
    try Files.write([1], to: first)
    try Files.append([2], to: first)
    try Files.copy(first, to: second)
    try Files.setSize(4, of: second)
    try Files.flipByte(at: 0, of: second)
    #expect(try Files.read(first) == [1, 2])
    #expect(try Files.read(second) == [0xFE, 2, 0, 0])
    try Files.makeSparse(second, size: 5 << 30)
    #expect(try FileStatus.of(second).size == 5 << 30)
  }

  @Test func everyKindOfNameCanBeMade() throws {
    try Files.write([7], to: directory.file("file"))
    try Files.hardLink(directory.file("hard"), to: directory.file("file"))
    try Files.symlink(directory.file("soft"), to: "file")
    try Files.makeFIFO(directory.file("fifo"))
    #expect(try FileStatus.of(directory.file("hard")).links == 2)
    #expect(try Files.read(directory.file("soft")) == [7])
    #expect(try FileStatus.of(directory.file("fifo")).kind == .fifo)
  }

  @Test func aPatternDependsOnItsSeedOnly() {
    let long = Bytes.pattern(count: 100_003, seed: 5)
    #expect(Bytes.difference(Array(long.prefix(13)), Bytes.pattern(count: 13, seed: 5)) == nil)
    #expect(Bytes.difference(long, Bytes.pattern(count: 100_003, seed: 6)) == "differs at byte 0")
    #expect(Bytes.difference([1, 2], [1]) == "2 bytes and not 1")
    #expect(Set(long).count == 256)
  }

  // MARK: - Running a program

  @Test func bothOutputsComeBackWholeHoweverLarge() throws {
    let outcome = try shell("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; exit 3")
    #expect(outcome.exitCode == 3)
    #expect(outcome.standardOutput.count == 3_000_000)
    #expect(outcome.standardError.count == 2_000_000)
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    #expect(throws: SystemError.self) { try Tool("/nonexistent/tool").run([]) }
    #expect(Tool.find("no-such-tool-anywhere") == nil)
  }

  @Test(arguments: [0, 1, 65_537, 1_000_000])
  func inputAndOutputPassThroughPipes(count: Int) throws {
    let bytes = Bytes.pattern(count: count)
    let outcome = try shell("cat", input: .bytes(bytes), standardOutput: .pipe)
    #expect(Bytes.difference(outcome.standardOutput, bytes) == nil)
    #expect(outcome.exitCode == 0)
  }

  @Test func inputAndOutputMayBeFiles() throws {
    try Files.write([1, 2], to: directory.file("in"))
    let output = directory.file("out")
    let outcome = try shell(
      "cat",
      input: .file(directory.file("in")),
      standardOutput: .file(output)
    )
    #expect(outcome.standardOutput == [])
    #expect(try Files.read(output) == [1, 2])
  }

  @Test func aReaderCanLeave() throws {
    let outcome = try #require(Tool.find("yes"))
      .run([], standardOutput: .pipeClosed(after: 1000))
    #expect(outcome.signal == .pipe, "\(outcome)")
    #expect(outcome.standardOutput.count >= 1000)
    #expect(!outcome.timedOut)
  }

  @Test(arguments: [0, 1, 2] as [CInt]) func aDescriptorCanBeClosed(descriptor: CInt) throws {
    let script = """
      for n in 0 1 2; do [ -e /dev/fd/$n ] || echo $n >>"$1"; done
      """
    let found = directory.file("closed")
    _ = try Tool.shell.run(["-c", script, "sh", found], closing: [descriptor])
    #expect(try Files.text(found) == "\(descriptor)\n")
  }

  @Test func limitsDirectoryAndEnvironmentArriveAtTheProgram() throws {
    let outcome = try shell(
      "ulimit -n; ulimit -f; pwd; echo $COLOUR",
      environment: ["COLOUR": "blue; $x"],
      limits: ToolLimits(openFiles: 64, fileSize: 5120),
      workingDirectory: directory.path
    )
    #expect(outcome.outputText == "64\n10\n\(directory.path)\nblue; $x\n")
  }

  @Test func signalsAreAtTheirDefaultsUnlessIgnored() throws {
    let defaults = try shell("kill -TERM $$; echo survived")
    let ignoring = try shell("kill -TERM $$; echo survived", ignoring: [.terminate])
    #expect(defaults.signal == .terminate)
    #expect(ignoring.outputText == "survived\n")
  }

  @Test func aProgramThatHangsIsKilled() throws {
    let outcome = try #require(Tool.find("sleep")).run(["100"], timeout: 0.2)
    #expect(outcome.timedOut)
    #expect(outcome.signal == .kill)
    #expect(outcome.seconds >= 0.2)
  }

  @Test func aRunningProgramCanBeStoppedResumedAndInterrupted() throws {
    let tool = try Tool.shell.start(
      ["-c", "echo ready; exec cat"],
      input: .unending([65]),
      standardOutput: .pipe
    )
    tool.send(.stop)
    #expect(try tool.waitUntilStopped())
    #expect(tool.isRunning)
    tool.send(.resume)
    #expect(try tool.wait { tool.outputSoFar.last == 65 })
    tool.send(.interrupt)
    let outcome = try tool.wait()
    #expect(outcome.signal == .interrupt)
    #expect(outcome.outputText == "ready\nA")
  }

  @Test func cleaveIsBesideTheTests() throws {
    #expect(try FileStatus.ifPresent(Tool.cleave.path)?.kind == .regular, "\(Tool.cleave.path)")
    #expect(try Files.exists(BuildProducts.sources.appending("Package.swift")))
  }

  private func shell(
    _ script: String,
    input: ToolInput = .null,
    standardOutput: ToolOutput = .capture,
    environment: [String: String] = [:],
    limits: ToolLimits = ToolLimits(),
    ignoring: [Signal] = [],
    workingDirectory: FilePath? = nil
  ) throws -> Outcome {
    try Tool.shell.run(
      ["-c", script],
      input: input,
      standardOutput: standardOutput,
      environment: environment,
      limits: limits,
      ignoring: ignoring,
      workingDirectory: workingDirectory
    )
  }
}
