import Posix
import TestSupport
import Testing

@Suite(.enabled(if: Tool.mayStart, "make check starts no program")) struct ChildProcessTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func theExitCodeAndTheStartOfTheMessageAreTold() throws {
    let ending = try run("echo first >&2; echo second >&2; echo unheard; exit 7")
    #expect(ending.end == .exited(7))
    #expect(ending.message == Array("first\nsecond\n".utf8))
    #expect(try directory.names() == [])
  }

  @Test func aLongMessageIsCutAndHoldsNothingUp() throws {
    let ending = try run("head -c 1000000 /dev/zero >&2")
    #expect(ending.end == .exited(0))
    #expect(ending.message.count == 4096)
  }

  @Test func whatItTookIsMeasured() throws {
    let ending = try run("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done")
    #expect(ending.seconds > 0)
    #expect(ending.userSeconds + ending.systemSeconds > 0)
    #expect(ending.userSeconds + ending.systemSeconds < ending.seconds + 1)
    #expect(ending.peakResidentBytes > 100_000)
  }

  @Test func aProgramThatIsNotThereIsAnError() throws {
    let command = ChildProcess.Command("/nowhere/at-all", ["x"], environment: [])
    let error = SystemError("exec", "/nowhere/at-all", .notFound)
    #expect(throws: error) { try ChildProcess(command, messages: directory.file("messages")) }
    #expect(try directory.names() == [])
  }

  @Test func argumentsAndVariablesArriveByteForByte() throws {
    let odd = FilePath(bytes: [0x20, 0xFF, 0x0A, 0x27])
    let ending = try run(
      #"printf '%s|%s|%s' "$1" "$VARIABLE" "$HOME" >&2"#,
      [odd],
      environment: [FilePath(bytes: Array("VARIABLE=".utf8) + odd.bytes)]
    )
    let bar = UInt8(ascii: "|")
    #expect(ending.message == odd.bytes + [bar] + odd.bytes + [bar])
  }

  @Test func aSignalReachesWhatTheChildHasStarted() throws {
    let started = directory.file("started")
    let child = try start(#"(echo > "$1"; sleep 100); echo survived >&2"#, [started])
    while try !Files.exists(started) { try Readiness.pause(milliseconds: 5) }
    child.send(.terminate)
    let ending = try child.wait()
    #expect(ending.end == .killed(.terminate))
    #expect(ending.seconds < 50)
    // By now the number may be somebody else's.
    child.send(.kill)
  }

  @Test func whatIsLeftRunningIsKilledAndNotWaitedFor() throws {
    let held = directory.file("held")
    try Files.makeFIFO(held)
    let reader = try FileDescriptor.open(held, [.readOnly, .nonBlocking])
    // What holds the pipe open is what the shell leaves running.
    let ending = try run(#"exec 3> "$1"; sleep 100 & exit 3"#, [held])
    #expect(ending.end == .exited(3))
    #expect(ending.seconds < 50)
    let end = try Readiness.wait(for: .reading, reader.rawValue, path: held, milliseconds: 40_000)
    #expect(end == .ready)
  }

  /// This process ignores it; a child must not find it so.
  @Test func signalsAreAtTheirDefaults() throws {
    Signal.pipe.ignore()
    let ending = try run("kill -PIPE $$; exit 1")
    #expect(ending.end == .killed(.pipe))
  }

  private func run(
    _ script: FilePath,
    _ operands: [FilePath] = [],
    environment: [FilePath] = []
  ) throws -> ChildProcess.Ending {
    try start(script, operands, environment: environment).wait()
  }

  private func start(
    _ script: FilePath,
    _ operands: [FilePath] = [],
    environment: [FilePath] = []
  ) throws -> ChildProcess {
    let command = ChildProcess.Command(
      "/bin/sh",
      ["sh", "-c", script, "sh"] + operands,
      environment: environment + ["PATH=/usr/bin:/bin"]
    )
    return try ChildProcess(command, messages: directory.file("messages"))
  }
}
