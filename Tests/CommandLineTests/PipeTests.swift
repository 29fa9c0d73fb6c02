import Posix
import TestSupport
import Testing

/// Outputs that are read while they are written, and readers that leave.
@Suite(.aside) struct PipeTests {
  @Test(arguments: [[], ["--engine=serial"], ["--high-water=777", "--window=777"]])
  func partsAreReadAsOneStream(options: [String]) throws {
    let series = try Series([300_000, 0, 1, 70_000])
    let before = try series.contents()
    for output in [ToolOutput.pipe, .capture] {
      let outcome = try Tool.cleave.run(
        ["merge", "-q", "--last=4", "-o", "-"] + options + [series.parts[0]],
        standardOutput: output
      )
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      #expect(outcome.errorText == "")
      #expect(Bytes.difference(outcome.standardOutput, series.whole) == nil)
    }
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func reportsDoNotMixWithData() throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(["merge", "-v", "-o", "-", series.parts[0]])
    #expect(Bytes.difference(outcome.standardOutput, series.whole) == nil)
    #expect(outcome.errorText.contains("standard output: 7500 bytes"), "\(outcome.errorText)")
  }

  @Test func aNamedPipeIsWrittenInPlace() throws {
    let series = try Series([300_000, 5])
    let fifo = series.directory.file("fifo")
    try Files.makeFIFO(fifo)
    let reader = try #require(Tool.find("cat")).start([fifo], standardOutput: .pipe)
    let outcome = try Tool.cleave.start(["merge", "-q", "-o", fifo, series.parts[0]])
    let read = try reader.wait()
    #expect(try outcome.wait().exitCode == 0)
    #expect(Bytes.difference(read.standardOutput, series.whole) == nil)
    #expect(try FileStatus.of(fifo).kind == .fifo)
    #expect(try series.directory.names() == ["fifo", "file.001", "file.002"])
  }

  @Test(.enabled(if: LoopDevice.isAvailable, "needs root and loop devices"))
  func aBlockDeviceIsWrittenInPlaceIfForced() throws {
    let series = try Series([1_000_000, 48_576])
    let device = try LoopDevice(size: 1 << 20)
    let before = try series.contents()
    let refused = try Tool.cleave.run(["merge", "-o", device.path, series.parts[0]])
    let line = "\(device.path): is a block device; --force overwrites it"
    try series.expectFailure(refused, 73, line, since: before)
    let forced = try Tool.cleave.run(["merge", "--force", "-o", device.path, series.parts[0]])
    #expect(forced.exitCode == 0, "\(forced)")
    #expect(try Bytes.difference(Files.read(device.path), series.whole) == nil)
    let twice = Array(repeating: series.parts[0], count: 2)
    let long = try Tool.cleave.run(
      ["merge", "-q", "--force", "--as-given", "-o", device.path] + twice
    )
    let full =
      "\(device.path): not enough space: 2000000 bytes are needed and the device has 1048576, "
      + "which is 951424 too few"
    try series.expectFailure(long, 74, full, since: before)
    #expect(try Bytes.difference(Files.read(device.path), series.whole) == nil)
  }

  /// What the device loses or changes is not told of as written.
  @Test(
    .enabled(if: LoopDevice.isAvailable, "needs root and loop devices"),
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler")
  )
  func aBlockDeviceIsFlushedAndReadBack() throws {
    let series = try Series([1_000_000, 48_576])
    let device = try LoopDevice(size: 1 << 20)
    let before = try series.contents()
    let command: [any ToolArgument] = [
      "merge", "-q", "--force", "-o", device.path, series.parts[0],
    ]
    let unflushed = try Tool.cleave.run(
      command,
      environment: FaultShim.environment("fsync@\(device.path)=EIO")
    )
    let text = "\(device.path): fsync failed: Input/output error (EIO)"
    try series.expectFailure(unflushed, 74, text, since: before)
    let tool = try Tool.cleave.start(
      command + ["--verify=readback"],
      environment: FaultShim.environment("read@\(device.path)#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    let file = try FileDescriptor.open(device.path, [.writeOnly])
    try file.write(all: [series.whole[0] ^ 1])
    try file.synchronize()
    tool.send(.resume)
    let changed = try tool.wait()
    #expect(changed.exitCode == 74, "\(changed)")
    #expect(changed.errorText.contains("the device gave back other data than was written"))
  }

  #if os(Linux)
    /// The shell's descriptor 3 is what the program has as its input or output.
    @Test(arguments: ["- <&3", "-o - PART >&3"], ["KILL", "TERM"])
    func aSharedPipeIsLeftAsItWas(words: String, signal: String) throws {
      let series = try Series([1_000_000])
      let fifo = series.directory.file("fifo")
      try Files.makeFIFO(fifo)
      let command =
        words.hasPrefix("-o")
        ? words.replacing("PART", with: "\(series.parts[0])") : "-o \(series.output) \(words)"
      let script = """
        exec 3<>"$1"
        grep flags: /proc/self/fdinfo/3
        "$0" merge \(command) &
        sleep 0.3
        kill -\(signal) $!
        wait $! 2>/dev/null
        grep flags: /proc/self/fdinfo/3
        """
      let outcome = try Tool.shell.run(["-c", script, Tool.cleave.path, fifo])
      let flags = outcome.outputText.split(separator: "\n")
      #expect(flags.count == 2 && flags[0] == flags[1], "\(outcome)")
    }
  #endif

  @Test(arguments: [0, 1, 1000, 100_000]) func aReaderThatLeavesEndsItSilently(count: Int) throws {
    let series = try Series([1_000_000, 999_999])
    let before = try series.contents()
    let outcome = try Tool.cleave.run(
      ["merge", "-o", "-", series.parts[0]],
      standardOutput: .pipeClosed(after: count)
    )
    #expect(outcome.signal == .pipe, "\(outcome.errorText)")
    #expect(outcome.errorText == "")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func theShellSeesTheReaderLeave() throws {
    // More than a pipe holds.
    let series = try Series([2_000_000, 1_000_000])
    let script = #"{ "$1" merge -o - "$2"; echo $? >&2; } | head -c 10 >/dev/null"#
    let outcome = try Tool.shell.run(
      ["-c", script, "sh", Tool.cleave.path, series.parts[0]]
    )
    #expect(outcome.errorText == "141\n")
  }

  @Test func aReaderMayLeaveWhileTheInputIsSilent() throws {
    for bytes in [[], Bytes.pattern(count: 1000)] {
      let outcome = try Tool.cleave.run(
        ["merge", "-o", "-", "-"],
        input: .unending(bytes),
        standardOutput: .pipeClosed(after: bytes.count)
      )
      #expect(outcome.signal == .pipe, "\(outcome)")
      #expect(outcome.errorText == "")
    }
  }

  @Test(arguments: ["--help", "--version", "info"])
  func aReaderMayLeaveBeforeTheReport(command: String) throws {
    let series = try Series()
    let operands: [any ToolArgument] = command == "info" ? [series.parts[0]] : []
    let outcome = try Tool.cleave.run(
      [command] + operands,
      standardOutput: .pipeClosed(after: 0)
    )
    // It may have been faster than the reader.
    #expect(outcome.signal == .pipe || outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
  }

  // MARK: - Full devices

  #if os(Linux)
    @Test func aFullDeviceIsAnError() throws {
      let series = try Series()
      let before = try series.contents()
      let reason = "write failed at 0: No space left on device (ENOSPC)"
      let named = try Tool.cleave.run(["merge", "-o", "/dev/full", series.parts[0]])
      try series.expectFailure(named, 74, "/dev/full: \(reason)", since: before)
      let standard = try Tool.cleave.run(
        ["merge", "-o", "-", series.parts[0]],
        standardOutput: .file("/dev/full")
      )
      try series.expectFailure(standard, 74, "standard output: \(reason)", since: before)
    }

    @Test(arguments: [["info"], ["verify"], ["info", "--json"], ["verify", "--json"]])
    func aReportThatCannotBeWrittenIsAnError(command: [String]) throws {
      let series = try Series(hasManifest: true)
      let before = try series.contents()
      let outcome = try Tool.cleave.run(
        command + [series.parts[0]] as [any ToolArgument],
        standardOutput: .file("/dev/full")
      )
      let line = "standard output: write failed: No space left on device (ENOSPC)"
      try series.expectFailure(outcome, 74, line, since: before)
    }

    @Test func aMergeWhoseReportIsLostIsAnErrorToo() throws {
      let series = try Series()
      let outcome = try Tool.cleave.run(
        ["merge", "--no-sync", series.parts[0]],
        standardOutput: .file("/dev/full")
      )
      #expect(outcome.exitCode == 74, "\(outcome)")
      #expect(try Bytes.difference(Files.read(series.output), series.whole) == nil)
    }

    @Test func dataMayGoToTheNullDevice() throws {
      let series = try Series()
      let outcome = try Tool.cleave.run(["merge", "-q", "-o", "/dev/null", series.parts[0]])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try FileStatus.of("/dev/null").kind == .characterDevice)
    }
  #endif

  @Test(arguments: ["multiqueue", "zerocopy"]) func onlyOneEngineStreams(engine: String) throws {
    let series = try Series()
    let commands: [[any ToolArgument]] = [
      ["merge", "-o", "-", series.parts[0]], ["merge", "-o", "/dev/null", series.parts[0]],
      ["merge", "-o", series.output, "-"], ["split", "-b", 10, "-", series.output],
    ]
    for command in commands {
      let outcome = try Tool.cleave.run(command + ["--engine", engine])
      #expect(outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.hasPrefix("cleave: only the serial engine "), "\(outcome)")
    }
  }
}
