import Posix
import TestSupport
import Testing

/// A job that freed its sources and was interrupted: what keeps it from going on, what is said of that, and whether it
/// goes on when that was done.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ConsumeRemedyTests {
  /// What a job is killed at.
  private enum Moment {
    /// Everything is made, and nothing has its name.
    static let beforePublishing = (split: "rename@/file.001=kill", merge: "rename@/file#5=kill")
    /// Two of four parts have their names.
    static let amidParts = "rename@/file.003=kill"
    /// Everything has its name.
    static let atTheEnd = "unlink@.cleave-journal=kill"
  }

  private func interrupted(_ kind: StagedJob.Kind, at faults: String) throws -> StagedJob {
    let job = try StagedJob(kind)
    let outcome = try job.run("auto", [], faults: faults)
    try #require(outcome.signal == .kill, "\(outcome)")
    return job
  }

  /// Runs the job, which must fail and leave everything as it was.
  @discardableResult
  private func expectRefusal(
    _ job: StagedJob,
    _ code: Int32,
    _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run("auto", [])
    #expect(outcome.exitCode == code, "\(outcome)", sourceLocation: sourceLocation)
    #expect(job.lines(outcome).contains(text), "\(outcome)", sourceLocation: sourceLocation)
    let changes = try Contents(of: job.directory.path).changes(since: before)
    #expect(changes == [], sourceLocation: sourceLocation)
    return outcome
  }

  /// What goes on with a job may have been typed otherwise than what began it.
  @Test func theLineThatWentOnLastIsNamed() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill()
    let second = try job.run("auto", ["--manifest=none"], faults: "fsync@.cleave-journal#3=kill")
    try #require(second.signal == .kill, "\(second)")
    let told = try Tool.cleave.run(["info", job.directory.file("file.004")])
    #expect(told.errorText.contains("--manifest=none"), "\(told)")
    try job.expectDone(try job.run(named: told))
  }

  // MARK: Other files of the same names

  @Test(arguments: [
    (StagedJob.Kind.splitConsuming, Moment.amidParts, ": move it away, and 'cleave split "),
    (.mergeConsuming, Moment.beforePublishing.merge, ", like 3 more: move them away, and 'cleave "),
    (.mergeConsuming, Moment.atTheEnd, ", like 3 more: move them away, and 'cleave merge "),
  ])
  func otherFilesOfTheSourcesNamesAreMovedAway(
    kind: StagedJob.Kind,
    faults: String,
    text: String
  ) throws {
    let job = try interrupted(kind, at: faults)
    let names = kind.merges ? (1...4).map { FilePath("file.00\($0)") } : ["file"]
    for name in names { try Files.write(Bytes.pattern(count: 900), to: job.directory.file(name)) }
    let outcome = try expectRefusal(
      job,
      73,
      "\(names[0]): is another file than the job was begun with\(text)"
    )
    for name in names { try FileSystem.unlink(job.directory.file(name)) }
    try job.expectDone(try job.run(named: outcome))
  }

  /// The parts of another set, with a list that calls them right, take the places of none of the job's own.
  @Test(arguments: [
    ("fsync@.cleave-journal#4=kill", true), (Moment.beforePublishing.merge, true),
    (Moment.beforePublishing.merge, false),
  ])
  func anotherSetIsNoneOfTheJob(faults: String, isElsewhere: Bool) throws {
    let job = try interrupted(.mergeConsuming, at: faults)
    let other = job.directory.file("other")
    try FileSystem.makeDirectory(other)
    try Files.write(Bytes.pattern(count: 650_002, seed: 9), to: other.appending("file"))
    let cut = ["split", "--consume", "-b", "300000,200001,1,150000", "file"]
    let made = try Tool.cleave.run(cut, workingDirectory: other)
    #expect(made.exitCode == 0, "\(made)")
    // What the job has not freed yet is put aside.
    let aside = job.directory.file("aside")
    try FileSystem.makeDirectory(aside)
    if !isElsewhere {
      for name in try job.directory.names() where name.bytes.starts(with: "file.".utf8) {
        try FileSystem.rename(job.directory.file(name), toNew: aside.appending(name))
      }
      for name in try FileSystem.names(in: other) {
        try FileSystem.rename(other.appending(name), toNew: job.directory.file(name))
      }
    }
    let before = try Contents(of: job.directory.path)
    let part = isElsewhere ? "other/file.001" : "file.001"
    let outcome = try Tool.cleave.run(
      ["merge", "--consume", "-o", "file", part],
      workingDirectory: job.directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("goes on"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    if !isElsewhere {
      for name in try job.directory.names() where name.bytes.starts(with: "file.".utf8) {
        try FileSystem.unlink(job.directory.file(name))
      }
      for name in try FileSystem.names(in: aside) {
        try FileSystem.rename(aside.appending(name), toNew: job.directory.file(name))
      }
    }
    for path in [other, aside] { TemporaryDirectory.remove(path) }
    try job.expectDone(try job.run("auto", []))
  }

  /// The sources are gone: what they made is the only copy.
  @Test(arguments: [
    (StagedJob.Kind.splitConsuming, "split -b 400 file", "file.001"),
    (.splitConsuming, "split -f -b 400 file", "file.001"),
    (.splitConsuming, "split -f --dry-run -b 600 file", "file.001"),
    (.splitConsuming, "split -f -b 2000 other file", "file.001"),
    (.splitConsuming, "merge -f --as-given -o file.002 other file", "file.002"),
    (.mergeConsuming, "merge -f --as-given -o file other other2", "file"),
    (.mergeConsuming, "merge -f -n --as-given -o file other other2", "file"),
    (.mergeConsuming, "merge --as-given -o ./file other other2", "./file"),
    // Nor is it freed for another job.
    (.splitConsuming, "merge --consume --as-given -o made file.001 file.002", "file.001"),
    (.mergeConsuming, "split --consume -b 300 file made", "file"),
  ])
  func whatWasMadeOfFreedFilesIsNotReplaced(
    kind: StagedJob.Kind,
    command: String,
    name: String
  ) throws {
    let job = try interrupted(kind, at: kind.merges ? Moment.atTheEnd : Moment.amidParts)
    let others = ["other", kind.merges ? "other2" : "file"].map { job.directory.file(FilePath($0)) }
    for path in others { try Files.write(Bytes.pattern(count: 1000), to: path) }
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(
      command.split(separator: " ").map(String.init),
      workingDirectory: job.directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    let text = "\(name): is what an interrupted run has made of what it has freed; 'cd "
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(!outcome.errorText.contains("--force"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    for path in others { try FileSystem.unlink(path) }
    try job.expectDone(try job.run("auto", []))
  }

  /// A job that frees its sources cannot go on without those that it has not read yet.
  @Test func whatAJobStillNeedsIsNotFreedForAnother() throws {
    let job = try interrupted(.mergeConsuming, at: "rename@/file.001.cleave-rest=kill")
    let other = job.directory.file("other")
    try Files.write(Bytes.pattern(count: 1000), to: other)
    let before = try Contents(of: job.directory.path)
    for command in [
      "merge --consume --as-given -o made other file.004", "split --consume -b 300 file.004 made",
    ] {
      let outcome = try Tool.cleave.run(
        command.split(separator: " ").map(String.init),
        workingDirectory: job.directory.path
      )
      #expect([66, 73].contains(outcome.exitCode), "\(outcome)")
      #expect(outcome.errorText.contains(" goes on"), "\(outcome)")
      #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    }
    try FileSystem.unlink(other)
    try job.expectDone(try job.run("auto", []))
  }

  /// What lies elsewhere under the same names is none of the job's.
  @Test func filesOfTheSameNamesAreFreedElsewhere() throws {
    let job = try interrupted(.mergeConsuming, at: "rename@/file.001.cleave-rest=kill")
    let other = job.directory.file("file.003")
    let bytes = try Files.read(other)
    try FileSystem.unlink(other)
    try Files.write(bytes, to: other)
    let outcome = try Tool.cleave.run(["split", "--consume", "-b", "300", other, other])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  /// What still has its temporary's name is not there yet.
  @Test func aFileInTheWayOfAPartIsReplaced() throws {
    let job = try interrupted(.splitConsuming, at: Moment.amidParts)
    let (path, other) = (job.directory.file("file.003"), job.directory.file("other"))
    for path in [path, other] { try Files.write([9, 9], to: path) }
    let outcome = try Tool.cleave.run(["merge", "-f", "--as-given", "-o", path, other, other])
    #expect(outcome.exitCode == 0, "\(outcome)")
    for path in [path, other] { try FileSystem.unlink(path) }
    try job.expectDone(try job.run("auto", []))
  }

  // MARK: What is left of a file that is split

  @Test(arguments: [Moment.beforePublishing.split, "ftruncate@.cleave-rest#2=kill"])
  func whatIsLeftUnderItsOldNameIsRenamed(faults: String) throws {
    let job = try interrupted(.splitConsuming, at: faults)
    let (rest, file) = (job.directory.file("file.cleave-rest"), job.directory.file("file"))
    try FileSystem.rename(rest, toNew: file)
    let text = "file: is what is left of the file that the job was begun with; under the name of "
    let outcome = try expectRefusal(job, 75, text + "file.cleave-rest, 'cleave split ")
    try FileSystem.rename(file, toNew: rest)
    try job.expectDone(try job.run(named: outcome))
  }

  /// Nothing was cut off, and the file was touched, or what was copied of it was edited.
  @Test(arguments: [false, true]) func aFileThatWasOnlyTouchedMayBeBegunAnew(isEdited: Bool) throws
  {
    let job = try interrupted(.splitConsuming, at: "rename@file.cleave-rest#1=kill")
    let file = job.directory.file("file")
    if isEdited { try Files.flipByte(at: 500_100, of: file) }
    try Files.setModified(1_000_000_000, of: file)
    let outcome = try expectRefusal(job, 75, "file: was changed since the job was begun")
    let text =
      "; nothing of it was freed, and 'cleave clean -f \(job.directory.file(".file.cleave-journal"))' gives up "
    #expect(outcome.errorText.contains(text) == !isEdited, "\(outcome)")
    if isEdited { return }
    let cleaned = try Tool.cleave.run(["clean", "-f", job.directory.path])
    #expect(cleaned.exitCode == 0, "\(cleaned)")
    try job.expectDone(try job.run("auto", []))
  }

  @Test func aCopyOfWhatIsLeftIsToldFromIt() throws {
    let job = try interrupted(.splitConsuming, at: Moment.beforePublishing.split)
    let (rest, own) = (job.directory.file("file.cleave-rest"), job.directory.file("own"))
    try FileSystem.rename(rest, toNew: own)
    try Files.copy(own, to: rest)
    try expectRefusal(
      job,
      75,
      "file.cleave-rest: is not the file that the job has left, but a copy"
    )
    try FileSystem.rename(own, replacing: rest)
    try job.expectDone(try job.run("auto", []))
  }

  /// Bytes behind the end of what is left.
  @Test(arguments: [
    (StagedJob.Kind.splitConsuming, "ftruncate@.cleave-rest#1=kill", "file", 650_002),
    (.mergeConsuming, "fallocate@.cleave-rest#1=kill", "file.001", 300_000),
  ])
  func theSizesOfWhatHasGrownAreSaid(
    kind: StagedJob.Kind,
    faults: String,
    name: String,
    size: Int
  ) throws {
    let job = try interrupted(kind, at: faults)
    let rest = job.directory.file(FilePath("\(name).cleave-rest"))
    try Files.append([1, 2, 3], to: rest)
    let text = "was changed since the job was begun: it has \(size + 3) bytes, and had \(size)"
    try expectRefusal(job, 75, "\(name).cleave-rest: \(text)\n")
    let info = try Tool.cleave.run(["info", rest])
    #expect(info.exitCode == 66, "\(info)")
    #expect(info.errorText.contains("is what --consume has left of a file; 'cleave "), "\(info)")
    try Files.setSize(Int64(size), of: rest)
    try job.expectDone(try job.run(named: info))
  }

  // MARK: What was made

  @Test(arguments: [
    (
      StagedJob.Kind.splitConsuming, Moment.beforePublishing.split, "file.cleave-rest",
      "file.001: is missing: put it back, or file.cleave-rest or file, whichever was there, and '"
    ),
    (
      .splitConsuming, Moment.amidParts, "file.002",
      "file.002: is missing: put it back, or .file.002.cleave-tmp-"
    ),
    (
      .mergeConsuming, Moment.atTheEnd, "file",
      "file: is missing: put it back, or .file.cleave-tmp-"
    ),
    (
      .mergeConsuming, "fsync@.cleave-journal#5=kill", ".file.cleave-tmp-",
      ": is missing: put it back, and 'cleave merge "
    ),
  ])
  func whatWasTakenAwayIsPutBack(
    kind: StagedJob.Kind,
    faults: String,
    start: String,
    text: String
  ) throws {
    let job = try interrupted(kind, at: faults)
    let name = try #require(try job.directory.names().first { "\($0)".hasPrefix(start) })
    let (path, away) = (job.directory.file(name), job.directory.file("away"))
    try FileSystem.rename(path, toNew: away)
    let outcome = try expectRefusal(job, 66, text)
    let way = "; 'cleave clean -f \(job.directory.path)/."
    let end = ".cleave-journal' gives the job up\n"
    #expect(outcome.errorText.contains(way) && outcome.errorText.hasSuffix(end), "\(outcome)")
    try FileSystem.rename(away, toNew: path)
    try job.expectDone(try job.run(named: outcome))
  }

  @Test func aTemporaryWithAnotherNameIsSaidToHaveOne() throws {
    let job = try interrupted(.mergeConsuming, at: "fsync@.cleave-journal#5=kill")
    let name = try #require(try job.directory.names().first(where: TemporaryNames.isOne))
    let link = job.directory.file("link")
    try Files.hardLink(link, to: job.directory.file(name))
    let outcome = try job.run("auto", [])
    #expect(outcome.exitCode == 77, "\(outcome)")
    let text =
      "\(name): is not this user's alone: it has 2 names, as in a copy by hard links; once "
    #expect(job.lines(outcome).contains(text), "\(outcome)")
    try FileSystem.unlink(link)
    try job.expectDone(try job.run(named: outcome))
  }

  // MARK: Lists of what is left

  /// A part was replaced by its copy, and a list is named that has only parts of which nothing was read.
  @Test(arguments: [2, 3]) func aListOfWhatIsLeftWillDo(first: Int) throws {
    let job = try StagedJob(.mergeConsuming)
    let manifest = job.directory.file("file.sfv")
    let sums = try Files.text(manifest).split(separator: "\n")
    try FileSystem.unlink(manifest)
    try #require(try job.run("auto", [], faults: "fsync@.cleave-journal#3=kill").signal == .kill)
    let (part, copy) = (job.directory.file("file.004"), job.directory.file("copy"))
    try Files.copy(part, to: copy)
    try FileSystem.rename(copy, replacing: part)
    let lines = (first...4).flatMap { number in sums.filter { $0.hasPrefix("file.00\(number)") } }
    let list = job.directory.file("list.sfv")
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: list)
    let outcome = try job.run("auto", ["--manifest=\(list)"])
    if first == 3 {
      #expect(outcome.exitCode == 65, "\(outcome)")
      let text = "list.sfv: does not name file.002, of which nothing was read yet; --manifest=none"
      #expect(job.lines(outcome).contains(text), "\(outcome)")
    } else {
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.read(job.directory.file("file")) == job.after["file"])
    }
  }
}
