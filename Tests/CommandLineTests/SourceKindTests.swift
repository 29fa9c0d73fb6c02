import Posix
import TestSupport
import Testing

/// Sources that are no regular files.
@Suite(.aside) struct SourceKindTests {
  // MARK: Block devices

  @Test(.enabled(if: LoopDevice.isAvailable, "needs root and loop devices"), arguments: engines)
  func aBlockDeviceIsASource(engine: String) throws {
    let series = try Series([1_000_000, 48_576])
    let device = try LoopDevice(size: 1 << 20)
    try FileDescriptor.open(device.path, [.writeOnly]).write(all: series.whole)
    let options = ["-q", "--engine", engine]
    let merged = try Tool.cleave.run(
      ["merge", "--as-given", "-o", series.output] + options + [series.parts[1], device.path]
    )
    #expect(merged.exitCode == 0, "\(merged)")
    let expected = try Files.read(series.parts[1]) + series.whole
    #expect(try Bytes.difference(Files.read(series.output), expected) == nil)
    let prefix = series.directory.file("cut.")
    let cut = try Tool.cleave.run(["split", "-b", "300000"] + options + [device.path, prefix])
    #expect(cut.exitCode == 0, "\(cut)")
    let back = series.directory.file("back")
    let first = series.directory.file("cut.001")
    let whole = try Tool.cleave.run(["merge", "-o", back] + options + [first])
    #expect(whole.exitCode == 0, "\(whole)")
    #expect(try Bytes.difference(Files.read(back), series.whole) == nil)
    let read = try Tool.cleave.run(["cat", "--as-given", device.path])
    #expect(Bytes.difference(read.standardOutput, series.whole) == nil, "\(read.errorText)")
  }

  @Test(.enabled(if: LoopDevice.isAvailable, "needs root and loop devices"))
  func whatABlockDeviceCannotBeIsRefused() throws {
    let series = try Series()
    let device = try LoopDevice(size: 1 << 20)
    let before = try series.contents()
    let path = device.path
    let staged = "--resume and --consume need files, not \(path), which is a block device"
    let cut = series.directory.file("cut")
    let rows: [(command: String, arguments: [any ToolArgument], message: String)] = [
      (
        "split", ["-n", "2", path], "'\(path)' is a block device: a PREFIX for the parts is needed"
      ),
      ("split", ["-n", "2", "--resume", path, cut], staged),
      ("split", ["-n", "2", "--consume", path, cut], staged),
      ("merge", ["--as-given", "--resume", "-o", cut, path, series.parts[0]], staged),
    ]
    for (command, arguments, message) in rows {
      let outcome = try Tool.cleave.run([command] + arguments)
      let line = "\(message) (see 'cleave \(command) --help')"
      try series.expectFailure(outcome, 64, line, since: before)
    }
  }

  @Test(arguments: [
    (
      "split -b 4 /dev/stdin <f",
      "'/dev/stdin' names no file of yours: a PREFIX for the parts is needed"
    ),
    ("cat f | \"$0\" split -b 4 /dev/stdin x.", "'/dev/stdin' is a pipe: '- PREFIX' reads one"),
    ("cat f | \"$0\" split -n 2 /dev/fd/0 x.", "'/dev/fd/0' is a pipe: '- PREFIX' reads one"),
  ])
  func whatStandardInputIsCalledElsewhereIsRefused(command: String, text: String) throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 9), to: directory.file("f"))
    let line = command.contains("|") ? command : "\"$0\" \(command)"
    let outcome = try Tool.shell.run(
      ["-c", FilePath(line), Tool.cleave.path],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try directory.names() == ["f"])
  }

  /// A shell's `<(…)` has a number that is none of a part.
  @Test(arguments: ["merge -o out", "cat"]) func anOpenFileIsNoPartByItsNumber(
    _ command: String
  ) throws {
    let series = try Series([300, 300, 100])
    let line =
      "exec 7<file.001 8<file.002 9<file.003; \"$0\" \(command) /dev/fd/7 /dev/fd/8 /dev/fd/9"
    func run(_ line: String) throws -> Outcome {
      try Tool.shell.run(
        ["-c", FilePath(line), Tool.cleave.path],
        workingDirectory: series.directory.path
      )
    }
    let outcome = try run(line)
    #expect(outcome.exitCode == 65, "\(outcome)")
    let text = "/dev/fd/7: is an open file, and no part by its name: "
    #expect((outcome.errorText + outcome.outputText).contains(text), "\(outcome)")
    let given = try run(line.replacing("\" \(command)", with: "\" \(command) --as-given"))
    #expect(given.exitCode == 0, "\(given)")
  }

  @Test func whatPipesAloneMakeIsNotExecutable() throws {
    let series = try Series([300, 300, 100])
    let line = "cat file.001 | { \"$0\" merge -q --as-given -o out /dev/fd/7 7<&0; }"
    let outcome = try Tool.shell.run(
      ["-c", FilePath(line), Tool.cleave.path],
      workingDirectory: series.directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let status = try FileStatus.of(series.directory.file("out"))
    #expect(status.permissions & 0o111 == 0 && status.size == 300)
  }

  // MARK: Named pipes

  @Test(arguments: [["-o", "joined"], ["-o", "-"]])
  func namedPipesAreJoinedAsTheyAreGiven(output: [String]) throws {
    let series = try Series([300_000, 70_000, 5])
    let pipes = ["one", "two"].map { series.directory.file($0) }
    for pipe in pipes { try Files.makeFIFO(pipe) }
    let shell = try #require(Tool.find("sh"))
    // The second writer comes when the first one is done.
    let writer = try shell.start(
      ["-c", "cat file.001 > one; cat file.003 > two"],
      workingDirectory: series.directory.path
    )
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--as-given"] + output + ["one", "file.002", "two"],
      workingDirectory: series.directory.path
    )
    #expect(try outcome.exitCode == 0 && writer.wait().exitCode == 0, "\(outcome)")
    let joined =
      output == ["-o", "-"]
      ? outcome.standardOutput : try Files.read(series.directory.file("joined"))
    #expect(Bytes.difference(joined, series.whole) == nil)
  }

  @Test func aNamedPipeWithoutAWriterCanBeGivenUp() throws {
    let series = try Series()
    let pipe = series.directory.file("pipe")
    try Files.makeFIFO(pipe)
    let before = try series.contents()
    let tool = try Tool.cleave.start(
      ["merge", "--as-given", "-o", series.output, series.parts[0], pipe]
    )
    #expect(try tool.wait { try series.directory.names().count > before.names.count })
    tool.send(.terminate)
    let outcome = try tool.wait()
    #expect(outcome.signal == .terminate, "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func whatANamedPipeCannotBeIsRefused() throws {
    let series = try Series()
    let pipe = series.directory.file("pipe")
    try Files.makeFIFO(pipe)
    let before = try series.contents()
    let joining: [any ToolArgument] = ["--as-given", pipe, series.parts[0]]
    let rows: [(Int32, [any ToolArgument], String)] = [
      (
        64, ["split", "-n", "2", pipe],
        "'pipe' is a pipe: '- PREFIX' reads one that is standard input, as '<' makes it (see 'cleave split --help')"
      ),
      (
        64, ["merge", "--resume", "-o", series.output] + joining,
        "--resume and --consume need files, not a named pipe (see 'cleave merge --help')"
      ),
      (
        64, ["cat", "--range=0-5"] + joining,
        "--range needs files, not a named pipe (see 'cleave cat --help')"
      ),
      (73, ["merge", "-q", "-o", pipe] + joining, "pipe: is one of the inputs"),
    ]
    for (code, arguments, message) in rows {
      try series.expectFailure(Tool.cleave.run(arguments), code, message, since: before)
    }
  }
}
