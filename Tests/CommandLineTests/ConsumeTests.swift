import Posix
import TestSupport
import Testing

/// Sources that go away while outputs are made.
@Suite(.aside) struct ConsumeTests {
  @Test(arguments: [StagedJob.Kind.mergeConsuming, .splitConsuming], engines)
  func sourcesAreGoneAndSaidToBe(kind: StagedJob.Kind, engine: String) throws {
    let job = try StagedJob(kind)
    let outcome = try job.run(engine, [])
    try job.expectDone(outcome)
    let what = kind.merges ? "the parts are" : "the file is"
    #expect(
      outcome.errorText.hasPrefix("cleave: warning: \(what) removed on the way; at most "),
      "\(outcome)"
    )
  }

  @Test(arguments: ["readback", "stream"])
  func whatIsVerifiedAsWell(mode: String) throws {
    for kind in [StagedJob.Kind.mergeConsuming, .splitConsuming] {
      let job = try StagedJob(kind)
      try job.expectDone(try job.run("auto", ["--verify", mode]))
    }
  }

  @Test func partsWithoutAByteGoToo() throws {
    let series = try Series([0, 3000, 0, 5, 0])
    let outcome = try Tool.cleave.run(["merge", "--consume", "--last=5", series.parts[2]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    // No manifest proves them, and so their sums stay.
    #expect(try series.directory.names().sorted() == ["file", "file.sfv"])
    #expect(try Files.read(series.output) == series.whole)
    let sums = try Files.text(series.manifest).split(separator: "\n").filter { $0.first != ";" }
    #expect(sums.map { $0.prefix(9) } == (1...5).map { "file.00\($0) " })
  }

  @Test func whatIsOnePartGetsItsName() throws {
    let directory = try TemporaryDirectory()
    for size in [0, 1, 5000] {
      let bytes = Bytes.pattern(count: size)
      try Files.write(bytes, to: directory.file("file"))
      let inode = try FileStatus.of(directory.file("file")).identity
      let outcome = try Tool.cleave.run(["split", "--consume", "-b", "5K", directory.file("file")])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try directory.names().sorted() == ["file.001", "file.sfv"])
      #expect(try Files.read(directory.file("file.001")) == bytes)
      #expect(try FileStatus.of(directory.file("file.001")).identity == inode)
      for name in try directory.names() { TemporaryDirectory.remove(directory.file(name)) }
    }
  }

  // MARK: - Refusing

  @Test func whatWouldNotBeSafeIsAWrongCommandLine() throws {
    let series = try Series()
    try Files.write(series.whole, to: series.output)
    let before = try series.contents()
    let rows: [([any ToolArgument], String)] = [
      (["merge", "--consume", "--verify=none", series.parts[0]], "--consume needs verification"),
      (["merge", "--consume", "--no-sync", series.parts[0]], "--consume needs data to be on the"),
      (["merge", "--consume", "-o", "-", series.parts[0]], "--resume and --consume need files"),
      (["merge", "--resume", "-o", series.output, "-"], "--resume and --consume need files"),
      (["split", "--resume", "-b", "1K", "-", series.output], "--resume and --consume need files"),
      (
        ["split", "--consume", "--verify=none", "-b", "1K", series.output], "--consume needs verif"
      ),
      (["split", "--consume", "--no-sync", "-b", "1K", series.output], "--consume needs data to"),
      (
        ["split", "--consume", "--format=zip", "-b", "64K", series.output],
        "--consume cuts bytes; --format=zip makes new headers"
      ),
      (["merge", "--resume", "--checkpoint=0", series.parts[0]], "--checkpoint: '0' must be more"),
    ]
    for (arguments, line) in rows {
      let outcome = try Tool.cleave.run(arguments)
      #expect(outcome.exitCode == 64, "\(outcome)")
      #expect(outcome.errorText.contains(line), "\(outcome)")
    }
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test func partsThatMustNotGoStopIt() throws {
    let series = try Series()
    let hardLink = series.directory.file("other")
    try FileSystem.rename(series.parts[1], replacing: hardLink)
    try Files.symlink(series.parts[1], to: hardLink)
    try expectRefusal(series, [series.parts[0]], "file.002: is a symbolic link, and links are not")
    TemporaryDirectory.remove(series.parts[1])
    try Files.hardLink(series.parts[1], to: hardLink)
    try expectRefusal(series, [series.parts[0]], "file.002: has other names, whose data would go")
    TemporaryDirectory.remove(hardLink)
    try expectRefusal(
      series,
      ["--as-given", "-o", series.directory.file("twice"), series.parts[0], series.parts[0]],
      "file.001: is given twice, and can be consumed once"
    )
  }

  private func expectRefusal(
    _ series: Series,
    _ operands: [any ToolArgument],
    _ line: String
  ) throws {
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", "--consume", "--quiet"] + operands)
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(series.lines(outcome).contains(line), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  // MARK: - Faults

  /// It is found out when all of it is in the output, and some of it is gone.
  @Test(arguments: engines, ["file.001", "file.002"] as [FilePath])
  func aBadPartIsReplaced(engine: String, name: FilePath) throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file(name)
    let good = try Files.read(part)
    try Files.write(good.map { $0 ^ 1 }, to: part)
    let outcome = try job.run(engine)
    #expect(outcome.exitCode == 65, "\(outcome)")
    let remedy = "; put a good \(name) in its place, or go on with --manifest=none; "
    #expect(outcome.errorText.contains(remedy), "\(outcome)")
    let again = try job.run(engine)
    #expect(again.exitCode != 0, "\(again)")
    try Files.write(good, to: part)
    try job.expectDone(try job.run(engine))
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func withoutHolesPartsGoWhole() throws {
    for kind in [StagedJob.Kind.mergeConsuming, .splitConsuming] {
      let job = try StagedJob(kind)
      let killed = try job.run(faults: "fallocate=EOPNOTSUPP;fsync@.cleave-journal#4=kill")
      #expect(killed.signal == .kill)
      try job.expectDone(try job.run(faults: "fallocate=EOPNOTSUPP"))
    }
  }

  /// Where the first part is gone, too.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatGoesOnNeedsNoMoreSpaceThanWhatBegins() throws {
    let job = try StagedJob(.mergeConsuming, [3 << 20, 6 << 20, 6 << 20])
    let options = ["--resume", "--checkpoint=1M"]
    let killed = try job.run("auto", options, faults: "fsync@.cleave-journal#8=kill")
    #expect(killed.signal == .kill)
    #expect(try !job.directory.names().contains("file.001"))
    let outcome = try job.run("auto", options)
    #expect(outcome.errorText.contains("; at most 5242880 bytes "), "\(outcome)")
    try job.expectDone(outcome)
  }

  /// Without its journal, a merge of what is left of the parts would make something else.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatIsLeftIsNoPart() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill()
    let outcome = try job.run("auto", ["--manifest=none", "-o", job.directory.file("other")])
    #expect(outcome.exitCode == 66, "\(outcome)")
    let plain = try Tool.cleave.run(["merge", job.directory.file("file.004")])
    #expect(plain.exitCode == 66, "\(plain)")
    let text = "file.001; an interrupted run has some of it; 'cleave merge "
    #expect(plain.errorText.contains(text), "\(plain)")
    try job.expectDone(try job.run(named: plain))
  }

  /// The journal is beside the output, and a link beside the parts leads to it.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatMakesAnOutputElsewhereIsFoundByTheParts() throws {
    let job = try StagedJob(.mergeConsuming)
    let (elsewhere, part) = (try TemporaryDirectory(), job.directory.file("file.004"))
    let output = elsewhere.file("whole")
    let whole = try #require(job.after["file"])
    let command: [any ToolArgument] = [
      "merge", "--consume", "--checkpoint=130K", "-o", output, part,
    ]
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    #expect(try Tool.cleave.run(command, environment: faults).signal == .kill)
    let link: FilePath = ".whole.cleave-journal-elsewhere"
    #expect(try job.directory.names().contains(link))
    let remedy = "merge --consume --checkpoint=130K -o \(output) \(part)' goes on"
    for command in ["merge", "info", "verify", "clean"] {
      let operand = command == "clean" ? job.directory.path : part
      let outcome = try Tool.cleave.run([command, operand])
      #expect(outcome.exitCode == (command == "clean" ? 75 : 66), "\(outcome)")
      #expect(outcome.errorText.contains(remedy), "\(outcome)")
    }
    // The parts lead to the output.
    let outcome = try Tool.cleave.run(["merge", "--consume", part])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(Bytes.difference(try Files.read(output), whole) == nil)
    #expect(try job.directory.names() == ["file.sfv"])
    #expect(try elsewhere.names() == ["whole"])
  }

  /// A directory of the parts may have another name when the job goes on.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func theLinkLeadsPastTheDirectoryOfTheParts() throws {
    let job = try StagedJob(.mergeConsuming)
    let elsewhere = try TemporaryDirectory(in: job.directory.path.directory)
    let output = FilePath("..").appending(elsewhere.path.lastComponent).appending("whole")
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    let killed = try Tool.cleave.run(
      ["merge", "--consume", "--checkpoint=130K", "-o", output, "file.004"],
      environment: faults,
      workingDirectory: job.directory.path
    )
    #expect(killed.signal == .kill)
    let link = job.directory.file(".whole.cleave-journal-elsewhere")
    let journal = elsewhere.file(".whole.cleave-journal")
    let target = try FileSystem.target(ofLink: link)
    #expect(target == ProcessState.realPath(of: journal))
    #expect(
      try Tool.cleave.run(["merge", "--consume", job.directory.file("file.004")]).exitCode == 0
    )
    #expect(try job.directory.names() == ["file.sfv"])
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func theLinkOfAnotherJobStays() throws {
    let job = try StagedJob(.mergeConsuming)
    let elsewhere = try TemporaryDirectory()
    let part = job.directory.file("file.004")
    let other: FilePath = ".whole.cleave-journal-elsewhere"
    // Of a file system that is not there now.
    try FileSystem.makeLink(at: job.directory.file(other), to: "/absent/.whole.cleave-journal")
    let command: [any ToolArgument] = [
      "merge", "--consume", "--checkpoint=130K", "-o", elsewhere.file("whole"), part,
    ]
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    #expect(try Tool.cleave.run(command, environment: faults).signal == .kill)
    #expect(try job.directory.names().contains(".whole.2.cleave-journal-elsewhere"))
    #expect(try Tool.cleave.run(["merge", "--consume", part]).exitCode == 0)
    #expect(try job.directory.names() == [other, "file.sfv"])
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aLinkToAJournalThatIsGoneIsRemoved() throws {
    let job = try StagedJob(.mergeConsuming)
    let elsewhere = try TemporaryDirectory()
    let part = job.directory.file("file.004")
    let faults = try FaultShim.environment("fsync@.cleave-journal#4=kill")
    let options = ["--consume", "--checkpoint=130K"]
    let killed = try Tool.cleave.run(
      ["merge"] + options + ["-o", elsewhere.file("whole"), part],
      environment: faults
    )
    #expect(killed.signal == .kill)
    #expect(try Tool.cleave.run(["clean", "-f", job.directory.path]).exitCode == 75)
    #expect(try job.directory.names().contains(".whole.cleave-journal-elsewhere"))
    #expect(try Tool.cleave.run(["clean", "-f", elsewhere.path]).exitCode == 0)
    // As of a drive that is not mounted, where something else may be.
    let link = job.directory.file(".whole.cleave-journal-elsewhere")
    let way =
      "its drive may have to be mounted; where the run is over, 'rm \(link)' removes the link"
    for other in [nil, "other" as FilePath] {
      if let other { try Files.write([1], to: elsewhere.file(other)) }
      let unmounted = try Tool.cleave.run(["clean", "-f", job.directory.path])
      #expect(unmounted.exitCode == 75)
      #expect(unmounted.errorText.contains(way), "\(unmounted)")
    }
    try Files.write([1], to: elsewhere.file("whole"))
    let outcome = try Tool.cleave.run(["clean", job.directory.path])
    // What is left of a part stays.
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(try !job.directory.names().contains(".whole.cleave-journal-elsewhere"))
  }

  /// What is in the temporary of an interrupted run, entered or not, is not room that is needed again.
  @Test(
    .enabled(if: MemoryFileSystem.isAvailable, "needs root"),
    arguments: [(24, 19_500_000, "1M", 3_000_000), (12, 5_600_000, "4M", 2_600_000)]
  )
  func whatAnInterruptedRunHasTakenIsNotNeededAgain(
    mebibytes: Int,
    count: Int,
    checkpoint: String,
    limit: Int
  ) throws {
    let device = try MemoryFileSystem(size: mebibytes << 20)
    let file = device.path.appending("file")
    let bytes = Bytes.repeatedPattern(count: count)
    let elsewhere = try TemporaryDirectory()
    try Files.write(bytes, to: elsewhere.file("file"))
    let cut = try Tool.cleave.run(
      ["split", "-q", "-n", "4", "--manifest=none", elsewhere.file("file"), file]
    )
    try #require(cut.exitCode == 0, "\(cut)")
    let words: [any ToolArgument] = [
      "merge", "--consume", "--checkpoint=\(checkpoint)", file.adding(".001"),
    ]
    let first = try Tool.cleave.run(words, limits: ToolLimits(fileSize: limit))
    #expect(first.exitCode == 74, "\(first)")
    let second = try Tool.cleave.run(words)
    #expect(second.exitCode == 0, "\(second)")
    #expect(try Files.read(file) == bytes)
  }
}
