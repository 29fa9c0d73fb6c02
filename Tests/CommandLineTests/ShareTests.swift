import Posix
import TestSupport
import Testing

/// Runs that make one output together.
@Suite struct ShareTests {
  private let series: Series
  private let before: [FilePath]

  init() throws {
    series = try Series([300_000, 200_001, 1, 150_000], hasManifest: true)
    before = try series.directory.names().sorted()
  }

  private func run(_ share: String, _ options: [String] = [], faults: String? = nil) throws
    -> Outcome
  {
    try Tool.cleave.run(
      ["merge", "--share=\(share)", "-o", series.output] + options + [series.parts[0]],
      environment: try faults.map { try FaultShim.environment($0) } ?? [:]
    )
  }

  private func expectDone() throws {
    #expect(try series.directory.names().sorted() == (before + ["file"]).sorted())
    #expect(Bytes.difference(try Files.read(series.output), series.whole) == nil)
  }

  @Test(arguments: engines) func theLastOneCompletesIt(engine: String) throws {
    for (number, missing) in [(3, "1, 2, 4"), (1, "2, 4"), (1, "2, 4"), (4, "2")] {
      let outcome = try run("\(number)/4", ["--engine=\(engine)"])
      let line = "file: share \(number)/4 is done, not yet \(missing)\n"
      #expect(outcome.exitCode == 0 && outcome.outputText.hasSuffix(line))
      #expect(try !Files.exists(series.output))
    }
    let last = try run("2/4", ["--engine=\(engine)"])
    #expect(last.exitCode == 0 && last.outputText.contains(", as in "), "\(last)")
    try expectDone()
  }

  @Test func atOnceAndTwiceTheyMakeTheSame() throws {
    let tools = try [1, 2, 3, 4, 2, 3].map { number in
      try Tool.cleave.start(
        ["merge", "--share=\(number)/4", "-o", series.output, series.parts[0]]
      )
    }
    for tool in tools {
      let outcome = try tool.wait()
      // One that begins when all is done finds the output there.
      #expect([0, 73].contains(outcome.exitCode), "\(outcome)")
    }
    try expectDone()
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: [
      "ftruncate=kill", "pwrite=kill", "fsync=kill", "fsync#2=kill", "rename=kill", "unlink=kill",
      "fsync#3=kill", "rename#2=kill", "fsync#4=kill",
    ]
  )
  func whatIsKilledIsRunAgain(fault: String) throws {
    for number in 1...3 {
      _ = try run("\(number)/3", faults: fault)
      // What is complete has its name; else it goes on.
      if try Files.exists(series.output) { break }
      let outcome = try run("\(number)/3")
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    if try !Files.exists(series.output) { _ = try run("1/3") }
    #expect(Bytes.difference(try Files.read(series.output), series.whole) == nil)
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatNobodyHasCompletedIsFinished() throws {
    let finish: [any ToolArgument] = ["finish", series.output]
    #expect(try Tool.cleave.run(finish).exitCode == 66)
    #expect(try run("1/2").exitCode == 0)
    let missing = try Tool.cleave.run(finish, workingDirectory: "/")
    #expect(missing.exitCode == 66, "\(missing)")
    #expect(series.lines(missing) == "cleave: file: not done yet: share 2/2\n")
    let killed = try run("2/2", faults: "rename#2=kill")
    #expect(killed.signal == .kill, "\(killed)")
    let outcome = try Tool.cleave.run(finish, workingDirectory: "/")
    #expect(outcome.exitCode == 0 && outcome.outputText.contains(", as in "), "\(outcome)")
    try expectDone()
  }

  @Test func whatIsWrongGetsNoName() throws {
    var bytes = try Files.read(series.parts[1])
    bytes[5] ^= 1
    try Files.write(bytes, to: series.parts[1])
    #expect(try run("1/2").exitCode == 0)
    let outcome = try run("2/2")
    #expect(
      outcome.exitCode == 65 && outcome.errorText.contains("file.002 has CRC-32"),
      "\(outcome)"
    )
    #expect(try !Files.exists(series.output))
    bytes[5] ^= 1
    try Files.write(bytes, to: series.parts[1])
    // The shares were those of another file.
    #expect(try run("2/2").outputText.contains("not yet 1"))
    #expect(try run("1/2").exitCode == 0)
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatKeepsRunsApartIsNotDoneWithout() throws {
    let unflushed = try run("1/2", ["--no-sync"])
    #expect(unflushed.exitCode == 64, "\(unflushed)")
    #expect(unflushed.errorText.contains("on the device, not --no-sync"), "\(unflushed)")
    let unlocked = try run("1/2", faults: "flock=ENOLCK")
    #expect(unlocked.exitCode == 73, "\(unlocked)")
    #expect(unlocked.errorText.contains("has no locks, and --share needs them"), "\(unlocked)")
    let tooLarge = try run("1/2", faults: "ftruncate=EFBIG")
    #expect(tooLarge.exitCode != 0)
    #expect(try series.directory.names().sorted() == before)
  }

  /// The number of a file that is gone may be the next one's.
  @Test func receiptsOfAnotherTemporaryDoNotCount() throws {
    #expect(try run("1/2").exitCode == 0)
    let names = try series.directory.names().filter { "\($0)".contains("cleave-tmp") }
    let temporary = series.directory.file(try #require(names.first))
    // As one that is made under the same number.
    try Files.write([], to: temporary)
    #expect(try run("2/2").outputText.contains("not yet 1"))
    #expect(try run("1/2").exitCode == 0)
    try expectDone()
  }

  private func temporary() throws -> FilePath {
    let names = try series.directory.names().filter {
      "\($0)".hasPrefix(".file.cleave-tmp-")
    }
    return series.directory.file(try #require(names.first))
  }

  /// Starts a share, and lets something be done before it leaves its receipt.
  private func run(_ share: String, meanwhile body: () throws -> Void) throws -> Outcome {
    let process = try Tool.cleave.start(
      ["merge", "--share", share, "-o", series.output, series.parts[0]],
      environment: FaultShim.environment("fsync@.cleave-tmp#1=stop")
    )
    #expect(try process.waitUntilStopped())
    try body()
    process.send(.resume)
    return try process.wait()
  }

  /// Also the share that has the end of it does not give it its permissions.
  @Test(arguments: engines) func nobodyElseReadsOrWritesIt(engine: String) throws {
    #expect(try run("2/2", ["--engine", engine]).exitCode == 0)
    #expect(try FileStatus.of(temporary()).permissions == 0o600)
    #expect(try run("1/2").exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func anotherProgramsFileIsNotTheOutput() throws {
    #expect(try run("1/2").exitCode == 0)
    let outcome = try run("2/2") { try Files.write([1], to: series.output) }
    #expect(outcome.exitCode == 73 && outcome.errorText.contains("file: exists"), "\(outcome)")
    #expect(try Files.read(series.output) == [1])
    try FileSystem.unlink(series.output)
    #expect(try run("2/2").exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aShareWhoseFileIsGoneIsNotDone() throws {
    let outcome = try run("1/2") { try FileSystem.unlink(temporary()) }
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(try run("1/2").outputText.contains("not yet 2"))
    #expect(try run("2/2").exitCode == 0)
    try expectDone()
  }

  /// A device that does not answer for a moment says nothing of what is done.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aReceiptThatCannotBeReadIsNotMissing() throws {
    #expect(try run("1/2").exitCode == 0)
    #expect(try run("2/2", faults: "open@.cleave-share#1=EIO").exitCode == 74)
    #expect(try run("2/2").exitCode == 0)
    try expectDone()
  }

  @Test func whatIsInTheWayIsNamed() throws {
    #expect(try run("1/2").exitCode == 0)
    let path = try temporary()
    try FileSystem.unlink(path)
    try Files.symlink(path, to: series.parts[0])
    let outcome = try run("2/2")
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("\(path): is in the way: "), "\(outcome)")
  }

  /// Otherwise it could write other bytes over what the first one vouches for.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whoDoesAShareTwiceAtOnceWaits() throws {
    let words: [any ToolArgument] = ["-v", "--share=1/2", "-o", series.output, series.parts[0]]
    let first = try Tool.cleave.start(
      ["merge"] + words,
      environment: FaultShim.environment("fsync@.cleave-tmp#1=stop")
    )
    #expect(try first.waitUntilStopped())
    let twin = try Tool.cleave.start(["merge"] + words)
    _ = try twin.wait {
      try String(decoding: twin.errorSoFar(), as: UTF8.self).contains("waited for")
    }
    first.send(.resume)
    #expect(try first.wait().exitCode == 0)
    #expect(try twin.wait().exitCode == 0)
    #expect(try run("2/2").exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatWasGivenUpMeanwhileIsNotCompleted() throws {
    #expect(try run("1/2").exitCode == 0)
    #expect(try run("2/2", faults: "rename@/file=kill").signal == .kill)
    let finish = try Tool.cleave.start(
      ["finish", series.output],
      environment: FaultShim.environment("flock@.file.cleave-tmp#1=stop")
    )
    #expect(try finish.waitUntilStopped())
    for name in try series.directory.names() where "\(name)".contains("cleave-") {
      try FileSystem.unlink(series.directory.file(name))
    }
    #expect(try run("1/2").exitCode == 0)
    finish.send(.resume)
    let outcome = try finish.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(outcome.errorText.contains("what was done of it is gone"), "\(outcome)")
    #expect(try run("2/2").exitCode == 0)
    try expectDone()
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aTemporaryOnlyToBeReadIsGoneOnWith() throws {
    for part in series.parts { try FileSystem.setPermissions(0o444, of: part) }
    #expect(try run("1/2").exitCode == 0)
    #expect(try run("2/2", faults: "rename@/file=kill").signal == .kill)
    // As of anybody but root.
    let last = try run("2/2", faults: "open@.file.cleave-tmp#1=EACCES")
    #expect(last.exitCode == 0, "\(last)")
    #expect(try FileStatus.of(series.output).permissions & 0o777 == 0o444)
  }

  @Test func whatAutoBeganIsFinished() throws {
    for number in 1...2 {
      let outcome = try Tool.cleave.run(
        ["merge", "--share=auto/2", "-o", series.output, series.parts[0]],
        environment: ["PARALLEL_SEQ": "\(number)"]
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      if number == 2 { continue }
      let outcomeOfFinish = try Tool.cleave.run(["finish", series.output])
      #expect(outcomeOfFinish.exitCode == 66, "\(outcomeOfFinish)")
      #expect(outcomeOfFinish.errorText.contains("not done yet: share 2/2"), "\(outcomeOfFinish)")
    }
    try expectDone()
  }

  @Test func aJobThatWasMovedIsNotFinishedElsewhere() throws {
    #expect(try run("1/2").exitCode == 0)
    let other = try TemporaryDirectory()
    for name in try series.directory.names() {
      try Files.copy(series.directory.file(name), to: other.file(name))
    }
    let outcome = try Tool.cleave.run(["finish", other.file("file")])
    #expect(outcome.exitCode == 66 && outcome.errorText.contains("was begun as"), "\(outcome)")
  }

  @Test(arguments: [300_000]) func aTemporaryThatWasCutIsNotGoneOnWith(size: Int) throws {
    #expect(try run("1/2").exitCode == 0)
    let names = try series.directory.names().filter { "\($0)".contains("cleave-tmp") }
    let temporary = series.directory.file(try #require(names.first))
    try Files.write(Array(Files.read(temporary).prefix(size)), to: temporary)
    let outcome = try run("2/2")
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(outcome.errorText.contains("was changed by another program; 'cleave clean "))
    #expect(try !Files.exists(series.output))
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    for number in 1...2 { #expect(try run("\(number)/2").exitCode == 0) }
    try expectDone()
  }

  @Test func sharesAreDividedInOneWay() throws {
    #expect(try run("1/2").exitCode == 0)
    let outcome = try run("1/3")
    #expect(outcome.exitCode == 73 && outcome.errorText.contains("divided into 2"), "\(outcome)")
    #expect(try Tool.cleave.run(["clean", series.directory.path]).exitCode == 0)
    #expect(try series.directory.names().sorted() == before)
  }

  @Test func aFileThatIsThereStays() throws {
    try Files.write([1, 2, 3], to: series.output)
    #expect(try run("1/1").exitCode == 73)
    #expect(try Files.read(series.output) == [1, 2, 3])
    #expect(try run("1/1", ["--force"]).exitCode == 0)
    try expectDone()
  }

  @Test func aSplitZipIsMadeTogether() throws {
    let directory = try TemporaryDirectory()
    let parts = try ZipWriter(ZipEntry.samples).parts(of: 4000)
    for index in parts.indices {
      let name = ZipSetNames.lower.name(of: index, among: parts.count)
      try Files.write(parts[index], to: directory.file(name))
    }
    let part = directory.file("a.z01")
    let (alone, together) = (directory.file("alone.zip"), directory.file("together.zip"))
    #expect(try Tool.cleave.run(["merge", "-o", alone, part]).exitCode == 0)
    for number in 1...5 {
      let outcome = try Tool.cleave.run(["merge", "--share=\(number)/5", "-o", together, part])
      #expect(outcome.exitCode == 0, "\(outcome)")
      if number == 5 { #expect(outcome.outputText.contains("proved by"), "\(outcome)") }
    }
    #expect(try Files.read(alone) == Files.read(together))
  }

  @Test(
    arguments: [
      ["--resume"], ["--consume"], ["--wait"], ["--all"], ["-n"], ["-o-"], ["--share=3/2"],
      ["--share=0/2"], ["--share=x"], ["--share=1/2/3"], ["--share=auto"],
    ]
  )
  func whatCannotBeShared(options: [String]) throws {
    let outcome = try run("1/2", options)
    #expect(outcome.exitCode == 64 && outcome.errorText.contains("--share"), "\(outcome)")
    #expect(try series.directory.names().sorted() == before)
  }
}
