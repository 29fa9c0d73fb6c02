import Posix
import TestSupport
import Testing

/// What killed runs leave, and what becomes of it.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct CleanTests {
  @Test(arguments: ["merge", "split"]) func whatAKilledRunLeftIsToldAndRemoved(name: String) throws
  {
    let series = try Series()
    try Files.write(series.whole, to: series.directory.file("x"))
    let before = try series.contents()
    let command: [any ToolArgument] =
      name == "merge"
      ? ["merge", series.parts[0]] : ["split", "-b", "1K", series.directory.file("x")]
    let killed = try Tool.cleave.run(
      command,
      environment: FaultShim.environment("rename=kill")
    )
    #expect(killed.signal == .kill, "\(killed)")
    let left = try series.directory.names().filter(TemporaryNames.isOne)
    #expect(!left.isEmpty)
    let next = try Tool.cleave.run(command)
    #expect(next.exitCode == 0, "\(next)")
    let cleaning = "'cleave clean \(series.directory.path)' removes it"
    #expect(next.errorText.contains("left by a run that did not end; \(cleaning)"))
    let dry = try Tool.cleave.run(["clean", "-n", series.directory.path])
    #expect(dry.exitCode == 0 && dry.outputText.contains("would be removed"), "\(dry)")
    #expect(try left.allSatisfy { try Files.exists(series.directory.file($0)) })
    let outcome = try Tool.cleave.run(["clean", series.directory.path])
    #expect(outcome.exitCode == 0 && outcome.errorText == "", "\(outcome)")
    #expect(outcome.outputText.split(separator: "\n").count == left.count)
    let changes = try series.contents().changes(since: before)
    #expect(changes.allSatisfy { $0.hasSuffix(" is new") && !$0.hasPrefix(".") }, "\(changes)")
  }

  /// Names that only look like those of temporaries, and what is not a file.
  @Test func whatIsNotOursStays() throws {
    let directory = try TemporaryDirectory()
    let names: [FilePath] = [
      "a.cleave-tmp-12345678", ".a.cleave-tmp-1234567", ".a.cleave-tmp-1234567G",
      ".a.cleave-tmp-123456789", ".cleave-tmp-12345678", ".a.cleave-tmp-12345678.txt",
    ]
    for name in names { try Files.write([1], to: directory.file(name)) }
    try Files.makeDirectory(directory.file(".d.cleave-tmp-12345678"))
    try Files.symlink(directory.file(".l.cleave-tmp-12345678"), to: directory.file(names[0]))
    let before = try directory.names().sorted()
    let outcome = try Tool.cleave.run(["clean", directory.path])
    #expect(outcome.exitCode == 0 && outcome.outputText == "", "\(outcome)")
    #expect(try directory.names().sorted() == before)
  }

  @Test func whatIsInUseStays() throws {
    for option in [[], ["--resume"]] {
      let series = try Series([30_000, 30_000])
      let tool = try Tool.cleave.start(
        ["merge"] + Series.smallPieces + option + [series.parts[0]],
        environment: FaultShim.environment("write@.cleave-tmp#4=stop")
      )
      #expect(try tool.waitUntilStopped())
      #expect(try series.directory.names().contains(where: TemporaryNames.isOne))
      let outcome = try Tool.cleave.run(["clean", series.directory.path])
      #expect(outcome.exitCode == 0 && outcome.outputText == "", "\(outcome)")
      #expect(outcome.errorText.contains("in use by another run; it stays"), "\(outcome)")
      // A second run for the same output gives way at once.
      let second = try Tool.cleave.run(["merge"] + option + [series.parts[0]])
      #expect(second.exitCode == 73, "\(second)")
      tool.send(.resume)
      #expect(try tool.wait().exitCode == 0)
      #expect(try Files.read(series.output) == series.whole)
    }
  }

  @Test func whatCannotBeOpenedStays() throws {
    let directory = try TemporaryDirectory()
    let temporary: FilePath = ".a.cleave-tmp-12345678"
    try Files.write([1], to: directory.file(temporary))
    let outcome = try Tool.cleave.run(
      ["clean", directory.path],
      environment: FaultShim.environment("open@.cleave-tmp=EACCES")
    )
    #expect(outcome.exitCode == 0 && outcome.outputText == "", "\(outcome)")
    let text = "(EACCES); whether a run is at work on it is not known; it stays\n"
    #expect(outcome.errorText.hasSuffix(text), "\(outcome)")
    #expect(try directory.names() == [temporary])
    let next = try Tool.cleave.run(["clean", directory.path])
    #expect(next.exitCode == 0, "\(next)")
    #expect(try directory.names() == [])
  }

  @Test func oneJournalThatIsNoneKeepsNothingElse() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Array("none\n".utf8), to: directory.file(".a.cleave-journal"))
    // May hold the only copy of something.
    for name in [".a.cleave-tmp-12345678", ".a.001.cleave-tmp-12345679"] as [FilePath] {
      try Files.write([1], to: directory.file(name))
    }
    let before = try directory.names().sorted()
    try Files.write([1], to: directory.file(".b.cleave-tmp-87654320"))
    let outcome = try Tool.cleave.run(["clean", "--json", "/nowhere", directory.path])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("/.a.cleave-journal: "), "\(outcome)")
    #expect(outcome.outputText.contains(#""problems":["/nowhere: "#), "\(outcome)")
    #expect(try directory.names().sorted() == before)
    #expect(try Tool.cleave.run(["clean", directory.path]).exitCode == 65)
  }

  @Test func aDirectoryThatIsLockedIsNotCleaned() throws {
    let directory = try TemporaryDirectory()
    try Files.write([1], to: directory.file(".b.cleave-tmp-12345678"))
    let holder = try FileDescriptor.open(directory.path, [.readOnly, .directory])
    let isLocked = holder.lock()
    #expect(isLocked)
    let outcome = try Tool.cleave.run(["clean", directory.path])
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(directory.path): is locked"), "\(outcome)")
    #expect(try directory.names().count == 1)
    try holder.close()
  }

  @Test func theOnlyCopyStays() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill()
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(["clean", job.directory.path])
    #expect(outcome.exitCode == 75, "\(outcome)")
    let text = " that may be the only copy of data; 'cleave merge "
    #expect(outcome.errorText.contains(text), "\(outcome)")
    let quiet = try Tool.cleave.run(["clean", "-q", job.directory.path])
    #expect(quiet.exitCode == 75 && quiet.errorText == outcome.errorText, "\(quiet)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    let forced = try Tool.cleave.run(["clean", "--force", "--json", job.directory.path])
    #expect(
      forced.exitCode == 0 && forced.outputText.contains("\"command\":\"clean\""),
      "\(forced)"
    )
    #expect(try !job.directory.names().contains { $0.bytes.first == UInt8(ascii: ".") })
  }

  @Test func whatCanBeGoneOnWithIsToldOf() throws {
    let job = try StagedJob(.merge)
    try job.kill()
    let outcome = try job.run("auto", [])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let command = "cleave merge file.001 --engine auto --checkpoint=130K --resume"
    let text = " and others: left by a run that did not end; '\(command)' goes on\n"
    #expect(job.lines(outcome).hasSuffix(text), "\(outcome)")
    let cleaned = try Tool.cleave.run(["clean", job.directory.path])
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    try job.expectDone(cleaned)
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatStopsTheJobThatGoesOnStopsItsDryRun() throws {
    let job = try StagedJob(.merge)
    try job.kill()
    try Files.write([1], to: job.directory.file("file"))
    let outcome = try job.run("auto", ["--resume", "-n"])
    #expect(outcome.exitCode == 73, "\(outcome)")
  }

  /// Without the others, the parts that have their names would seem to be all.
  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func whatHasItsNameInPartStays() throws {
    let job = try StagedJob(.split)
    #expect(try job.run(faults: "rename@file.003#1=kill").signal == .kill)
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(["clean", job.directory.path])
    #expect(outcome.exitCode == 75, "\(outcome)")
    let text = "all of it is made, and some may have its name already; 'cleave split "
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    try job.expectDone(try job.run(named: outcome))
  }

  /// Killed when all is made: what goes on needs a source that was changed or is gone, and the message names what ends it.
  @Test(arguments: [false, true], [true, false])
  func whatCannotGoOnNamesTheWayOut(isMerge: Bool, isGone: Bool) throws {
    let series = try Series([1000, 1000, 900])
    let whole = series.directory.file("whole")
    if !isMerge { try Files.write(series.whole, to: whole) }
    let command: [any ToolArgument] =
      isMerge
      ? ["merge", "--resume", series.parts[0]]
      : ["split", "--resume", "-b", "1K", whole, series.directory.file("part.")]
    let killed = try Tool.cleave.run(
      command,
      environment: FaultShim.environment(isMerge ? "rename=kill" : "rename#2=kill")
    )
    #expect(killed.signal == .kill)
    let source = isMerge ? series.parts[1] : whole
    let bytes = try Files.read(source)
    if isGone { try FileSystem.unlink(source) } else { try Files.write(bytes + [1], to: source) }
    let names = try series.directory.names()
    let journal = try #require(names.first { $0.ends(in: ".cleave-journal") })
    let clean = "'cleave clean -f \(series.directory.file(journal))' gives it up"
    let next = try Tool.cleave.run(command)
    #expect(next.exitCode == (isGone ? 66 : 75), "\(next)")
    let copy = "of the rest, there may be no other copy, and "
    let isKnown = next.errorText.contains("; \(copy)\(clean), and leaves what has its name\n")
    #expect(isKnown, "\(next)")
    #expect(!next.errorText.contains("alone"), "\(next)")
    let told = try Tool.cleave.run(["clean", series.directory.path])
    #expect(told.exitCode == 75 && told.errorText.hasSuffix("goes on, \(clean)\n"), "\(told)")
    #expect(try Tool.cleave.run(["clean", "-f", series.directory.path]).exitCode == 0)
    try Files.write(bytes, to: source)
    #expect(try Tool.cleave.run(command + ["-f"]).exitCode == 0)
  }

  /// What does not begin like a journal may be anything, and is not removed.
  @Test func aJournalWithAnotherBeginningNamesTheWayOut() throws {
    let job = try StagedJob(.merge)
    try job.kill()
    let journal = job.directory.file(".file.cleave-journal")
    var bytes = try Files.read(journal)
    bytes[2] ^= 1
    try Files.write(bytes, to: journal)
    let names = try job.directory.names()
    let temporary = job.directory.file(
      try #require(names.first { "\($0)".contains(".cleave-tmp-") })
    )
    let clean = "'cleave clean -f \(temporary)'"
    let outcome = try job.run()
    let way = "'rm \(journal)' and then \(clean) give up what it had done"
    #expect(outcome.exitCode == 65 && outcome.errorText.contains(way), "\(outcome)")
    #expect(try Tool.cleave.run(["clean", "-f", job.directory.path]).exitCode == 65)
    try FileSystem.unlink(journal)
    #expect(try Tool.cleave.run(["clean", "-f", temporary]).exitCode == 0)
    try job.expectDone(try job.run())
  }

  /// Zeros are what a power loss leaves.
  @Test(arguments: [false, true], [false, true])
  func ofADamagedJournalItIsSaidWhatMayBeLost(frees: Bool, isZeros: Bool) throws {
    let job = try StagedJob(frees ? .mergeConsuming : .merge)
    try job.kill()
    let journal = job.directory.file(".file.cleave-journal")
    var bytes = try Files.read(journal)
    if isZeros { bytes = bytes.map { _ in 0 } } else { bytes[40] ^= 1 }
    try Files.write(bytes, to: journal)
    let outcome = try job.run()
    #expect(outcome.exitCode == 65, "\(outcome)")
    let clean =
      "where all that it was about is still there, 'cleave clean -f \(journal)' gives"
    #expect(outcome.errorText.contains(clean), "\(outcome)")
    let copy = "temporaries beside it may be the only copy of what was freed; "
    #expect(outcome.errorText.contains(copy) == frees, "\(outcome)")
  }

  /// Others in the directory may have the only copy of something.
  @Test func aFileStandsForItsRunAlone() throws {
    let series = try Series()
    for part in series.parts {
      let name = "\(part.lastComponent)".replacing("file", with: "other")
      try Files.copy(part, to: series.directory.file(FilePath(name)))
    }
    let freeing: [any ToolArgument] = ["merge", "--consume", series.parts[0]]
    let keeping: [any ToolArgument] = ["merge", "--resume", series.directory.file("other.001")]
    for command in [freeing, keeping] {
      let faults = try FaultShim.environment("rename=kill")
      #expect(try Tool.cleave.run(command, environment: faults).signal == .kill)
    }
    let before = try series.directory.names()
    let mine = before.filter { "\($0)".hasPrefix(".other.") }
    let journal = series.directory.file(".other.cleave-journal")
    #expect(mine.count == 2 && before.contains(".other.cleave-journal"), "\(before)")
    let none = try Tool.cleave.run(["clean", "-f", series.parts[1]])
    #expect(none.exitCode == 66 && none.errorText.contains("is nothing that a run has left"))
    #expect(try series.directory.names() == before)
    let cleaned = try Tool.cleave.run(["clean", "-f", journal])
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    #expect(try series.directory.names() == before.filter { !mine.contains($0) })
    #expect(try Tool.cleave.run(freeing).exitCode == 0)
    #expect(try Files.read(series.output) == series.whole)
  }

  /// What was copied of it may be nowhere else.
  @Test func whatWasCopiedOfAMissingPartStays() throws {
    let job = try StagedJob(.merge)
    try job.kill()
    let part = job.directory.file("file.000")
    let first = try Files.exists(part) ? part : job.directory.file("file.001")
    let away = job.directory.file("away")
    try FileSystem.rename(first, toNew: away)
    let before = try job.directory.names()
    let next = try job.run()
    #expect(next.exitCode == 66, "\(next)")
    #expect(next.errorText.contains("of which there may be no other copy"), "\(next)")
    let kept = try Tool.cleave.run(["clean", job.directory.path])
    #expect(kept.exitCode == 75, "\(kept)")
    let text = "not all sources are there as they were: put them back, and"
    #expect(kept.errorText.contains(text), "\(kept)")
    #expect(try job.directory.names() == before)
    try FileSystem.rename(away, toNew: first)
    try job.expectDone(try job.run())
  }

  /// The first part gets its name behind the others, so that those are not taken for all there are.
  @Test(
    arguments: [
      ["f", "g"], ["--alphabetic-suffixes", "f", "g."], ["-d", "f", "g"], ["-x", "f", "g-"],
      ["f", "g", "--additional-suffix=.csv", "-d"],
    ]
  )
  func whatAKilledSplitHasNamedIsNotTakenForAllOfIt(words: [String]) throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("f"))
    let split: [any ToolArgument] = ["split", "-b", "1000"] + words
    let killed = try Tool.cleave.run(
      split,
      environment: FaultShim.environment("rename#3=kill"),
      workingDirectory: directory.path
    )
    #expect(killed.signal == .kill, "\(killed)")
    let made = try directory.names().filter { $0.bytes.first == UInt8(ascii: "g") }.sorted()
    #expect(made.count == 2, "\(made)")
    for isCleaned in [false, true] {
      if isCleaned {
        let kept = try Tool.cleave.run(["clean"], workingDirectory: directory.path)
        #expect(kept.exitCode == 75, "\(kept)")
        #expect(kept.errorText.contains("it was giving parts their names"), "\(kept)")
        let clean = try Tool.cleave.run(["clean", "-f"], workingDirectory: directory.path)
        #expect(clean.exitCode == 0, "\(clean)")
      }
      for operand in made + ["."] {
        let merged = try Tool.cleave.run(["merge", operand], workingDirectory: directory.path)
        #expect([65, 66].contains(merged.exitCode), "\(merged)")
      }
    }
    let again = try Tool.cleave.run(split + ["-f"], workingDirectory: directory.path)
    #expect(again.exitCode == 0, "\(again)")
    let cleaned = try Tool.cleave.run(["clean"], workingDirectory: directory.path)
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    #expect(try directory.names().filter(TemporaryNames.isOne).isEmpty)
  }

  /// Some parts are new then, and some old; the temporaries have the others.
  @Test(arguments: [["f", "g"], ["--alphabetic-suffixes", "f", "g."], ["-d", "f", "g."]])
  func whatASplitLeavesThatHasReplacedSomePartsStays(words: [String]) throws {
    let directory = try TemporaryDirectory()
    let split: [any ToolArgument] = ["split", "-f", "-b", "1000", "--manifest=none"] + words
    try Files.write(Bytes.pattern(count: 5000), to: directory.file("f"))
    let first = try Tool.cleave.run(split, workingDirectory: directory.path)
    #expect(first.exitCode == 0, "\(first)")
    let parts = try directory.names().sorted().filter { $0 != "f" }
    let part = parts[0]
    try Files.write(Bytes.pattern(count: 5000, seed: 2), to: directory.file("f"))
    let killed = try Tool.cleave.run(
      split,
      environment: FaultShim.environment("rename#3=kill"),
      workingDirectory: directory.path
    )
    #expect(killed.signal == .kill, "\(killed)")
    let before = try Contents(of: directory.path)
    let kept = try Tool.cleave.run(["clean"], workingDirectory: directory.path)
    #expect(kept.exitCode == 75, "\(kept)")
    #expect(kept.errorText.contains("it was giving parts their names"), "\(kept)")
    for consuming in [[], ["--consume"]] {
      let merged = try Tool.cleave.run(
        ["merge", part, "-o", "m"] + consuming,
        workingDirectory: directory.path
      )
      #expect(merged.exitCode == 66, "\(merged)")
    }
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    let again = try Tool.cleave.run(split, workingDirectory: directory.path)
    #expect(again.exitCode == 0, "\(again)")
    let cleaned = try Tool.cleave.run(["clean"], workingDirectory: directory.path)
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    let whole = try Tool.cleave.run(["merge", part, "-o", "m"], workingDirectory: directory.path)
    #expect(whole.exitCode == 0, "\(whole)")
  }

  @Test func aDirectoryThatIsNotThereIsMissing() throws {
    let outcome = try Tool.cleave.run(["clean", "/nowhere"])
    #expect(outcome.exitCode == 66, "\(outcome)")
  }

  /// Two runs that begin at the same moment: whoever is later at the end has 73, or both know before.
  @Test(arguments: 1...5) func ofTwoRunsOneWins(round: Int) throws {
    let series = try Series([30_000, 30_000])
    let tools = try (0..<2).map { _ in try Tool.cleave.start(["merge", series.parts[0]]) }
    let codes = try tools.map { try $0.wait().exitCode ?? -1 }
    #expect(codes.sorted() == [0, 73])
    #expect(try Files.read(series.output) == series.whole)
  }
}
