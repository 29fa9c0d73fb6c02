import Posix
import TestSupport
import Testing

/// The shim that makes system calls fail, tried on `dd`, which makes one call for each block.
@Suite(.aside, .enabled(if: FaultShim.isAvailable && Tool.find("dd") != nil))
struct FaultShimTests {
  let directory: TemporaryDirectory
  let source: FilePath
  let output: FilePath
  let bytes = Bytes.pattern(count: 10_000)

  init() throws {
    directory = try TemporaryDirectory()
    source = directory.file("source")
    output = directory.file("output")
    try Files.write(bytes, to: source)
  }

  @Test(
    arguments: [
      ("write@/output#3=ENOSPC", 2000, 1),
      ("read@/source#5+=EIO", 4000, 1),
      ("fsync@/output=5", 10_000, 1),
      ("open@/output#1=EROFS", nil, 1),
      ("any@/output#5=ENOSPC", 2000, 1),
      ("close@/output=EIO", 10_000, 1),
      ("write@/output#4=exit:9", 3000, 9),
      ("write@/other#1=EIO; read@/source#*=short:100", 10_000, 0),
      ("read@/source#1=delay:20", 10_000, 0),
      ("wrote=EIO", nil, 99),
      ("write=EWRONG", nil, 99),
    ] as [(String, Int?, CInt)]
  )
  func aRuleHitsTheCallThatItNames(rule: String, count: Int?, exitCode: CInt) throws {
    let outcome = try copy(FaultShim.environment(rule))
    #expect(outcome.exitCode == exitCode, "\(outcome)")
    #expect(try FileStatus.ifPresent(output)?.size == count.map { Int64($0) })
  }

  @Test func killAndStopArriveInTheMiddle() throws {
    let killed = try copy(FaultShim.environment("write@/output#3=kill"))
    #expect(killed.wasKilled)
    let stopped = try start(FaultShim.environment("write@/output#3=stop"))
    #expect(try stopped.waitUntilStopped())
    #expect(try FileStatus.of(output).size == 2000)
    stopped.send(.resume)
    #expect(try stopped.wait().exitCode == 0)
    #expect(try FileStatus.of(output).size == 10_000)
  }

  @Test func theSourceCanChangeUnderTheProgram() throws {
    let appended = try copy(FaultShim.environment("read@/source#3=append:\(source)"))
    #expect(appended.exitCode == 0)
    #expect(try FileStatus.of(output).size == 10_001)
    let truncated = try copy(FaultShim.environment("read@/source#3=truncate:2500:\(source)"))
    #expect(truncated.exitCode == 0)
    #expect(try FileStatus.of(output).size == 2500)
  }

  @Test func theShimReachesAProgramBehindLimits() throws {
    let outcome = try Tool.shell.run(
      ["-c", "exec dd if=source of=output bs=1000"],
      environment: FaultShim.environment("open@source#1=EIO"),
      limits: ToolLimits(openFiles: 64),
      workingDirectory: directory.path
    )
    #expect(outcome.errorText.contains("Input/output error"), "\(outcome)")
  }

  @Test func aSweepTriesEveryCallOnce() throws {
    // dd leaves half an output behind when it fails, so every point but the last is a violation.
    let aftermath = Aftermath(output: output, whole: bytes, others: ["source"])
    let sweep = try FaultSweep.run(rule: "write@/output", action: "EIO") {
      TemporaryDirectory.remove(output)
    } command: { environment in
      try copy(environment)
    } check: { point in
      try aftermath.violations(of: point.outcome).map { String($0.prefix { $0 != "[" }) }
    }
    #expect(sweep.points == 10)
    let names = sweep.violations.filter { $0.contains("\(output): is there") }
    #expect(names.count == 10, "\(sweep.violations)")
  }

  private var arguments: [any ToolArgument] {
    ["if=\(source)", "of=\(output)", "bs=1000", "conv=fsync", "status=noxfer"]
  }

  private func copy(_ environment: [String: String]) throws -> Outcome {
    try #require(Tool.find("dd")).run(arguments, environment: environment)
  }

  private func start(_ environment: [String: String]) throws -> RunningTool {
    try #require(Tool.find("dd")).start(arguments, environment: environment)
  }
}
