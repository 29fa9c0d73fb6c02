import Posix
import TestSupport
import Testing

/// Files that others change, damage or claim while sources are being freed, or while the job is
/// interrupted.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ConsumeSafetyTests {
  private static let journal: FilePath = ".file.cleave-journal"
  private static let consuming: [StagedJob.Kind] = [.mergeConsuming, .splitConsuming]

  // MARK: The journal

  /// A byte at any place; what was freed by then is known otherwise, or nothing is touched.
  @Test(arguments: consuming)
  func aDamagedJournalIsNotBuiltOn(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    for place in stride(from: 0.02, to: 1, by: 0.07) {
      try expectSafe(job) { $0[Int(Double($0.count) * place)] ^= 1 }
    }
    try expectSafe(job) { $0[$0.count - 1] ^= 1 }
  }

  /// Any number of lines is lost from its end.
  @Test(arguments: consuming)
  func aShortenedJournalIsNotBuiltOn(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    for lost in 1...9 {
      try expectSafe(job) { journal in
        let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
        journal.removeLast(journal.count - 1 - ends[ends.count - 1 - lost])
      }
    }
  }

  // MARK: Other jobs

  /// Interrupted when only its temporary has the first parts; then another series makes the same output.
  @Test(arguments: ["--consume", "--resume"])
  func whatOnlyAnotherJobHasIsNotGivenUp(option: String) throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 5)
    for index in 1...3 {
      try Files.write([UInt8(index)], to: job.directory.file(FilePath("file.part\(index)")))
    }
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(
      ["merge", option, "--manifest=none", "file.part1"],
      workingDirectory: job.directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("was begun by a run with other operands; "), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  @Test(arguments: consuming)
  func whereThereAreNoLocksNothingIsFreed(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run(faults: "flock=ENOLCK")
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("has no locks, and --consume needs them"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// A run that ends before it has begun leaves the journal of another as it is.
  @Test func aRunThatIsRefusedLeavesTheJournal() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 5)
    for (name, bytes) in [
      ("file", [1]), ("file.part1", Bytes.pattern(count: 100)), ("file.part2", [1]),
    ] as [(FilePath, [UInt8])] {
      try Files.write(bytes, to: job.directory.file(name))
    }
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(
      ["merge", "--consume", "--manifest=none", "file.part1"],
      workingDirectory: job.directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    let clean = try Tool.cleave.run(["clean", job.directory.path])
    #expect(clean.exitCode == 75, "\(clean)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// The parts that an interrupted job has not yet taken count from 1, and look like all of a series.
  @Test(
    "what is left of a series is no series",
    arguments: [["merge"], ["merge", "-o", "y"], ["merge", "--consume", "-o", "y"], ["cat"]]
  )
  func whatIsLeftOfASeriesIsNone(words: [String]) throws {
    let directory = try TemporaryDirectory()
    for index in 0...3 {
      let bytes = Bytes.pattern(count: 100_000, seed: UInt64(index))
      try Files.write(bytes, to: directory.file(FilePath("x.00\(index)")))
    }
    let killed = try Tool.cleave.run(
      ["merge", "--consume", "--checkpoint=100000", "x.000"],
      environment: FaultShim.environment("rename@x.001.cleave-rest#1=kill"),
      workingDirectory: directory.path
    )
    #expect(killed.wasKilled, "\(killed)")
    #expect(try !Files.exists(directory.file("x.000")))
    let before = try Contents(of: directory.path)
    let outcome = try Tool.cleave.run(words + ["x.001"], workingDirectory: directory.path)
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(
      outcome.errorText.contains("'cleave merge --consume --checkpoint=100000 x.000' goes on")
    )
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    let end = try Tool.cleave.run(
      ["merge", "--consume", "--checkpoint=100000", "x.000"],
      workingDirectory: directory.path
    )
    #expect(end.exitCode == 0, "\(end)")
  }

  /// All entries are lost; the temporary has what is nowhere else.
  @Test(arguments: ["cut", "zeros"])
  func aJournalWithoutEntriesIsNotTakenForNothing(change: String) throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 5)
    let journal = job.directory.file(Self.journal)
    var bytes = try Files.read(journal)
    let begin = try #require(
      bytes.indices.first { bytes[$0...].starts(with: "\nbegin ".utf8) }.map { $0 + 1 }
    )
    let end = try #require(bytes[begin...].firstIndex(of: UInt8(ascii: "\n"))) + 1
    if change == "cut" {
      bytes.removeLast(bytes.count - end)
    } else {
      for index in end..<bytes.count { bytes[index] = 0 }
    }
    try Files.write(bytes, to: journal)
    let before = try Contents(of: job.directory.path)
    for words in [
      ["clean", "."], ["merge", "--consume", "file.002"], ["merge", "--consume", "file.001"],
    ] {
      let outcome = try Tool.cleave.run(words, workingDirectory: job.directory.path)
      #expect(outcome.exitCode != 0, "\(outcome)")
      #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    }
  }

  /// The first entry is in the journal, and not on the device; the journal cannot be removed.
  @Test(arguments: consuming)
  func anEntryThatCannotBeFlushedIsGoneOnWith(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    for fault in ["EIO", "kill"] {
      try job.restore()
      let faults = "fsync@.cleave-journal#2=EIO; unlink@.cleave-journal=\(fault)"
      let first = try job.run(faults: faults)
      #expect(fault == "kill" ? first.wasKilled : first.exitCode == 74, "\(first)")
      try job.expectDone(try job.run("auto", []))
    }
  }

  /// With its journal damaged, an interrupted job ends right, or is refused with everything as it was.
  private func expectSafe(_ job: StagedJob, _ damage: (inout [UInt8]) -> Void) throws {
    try job.restore()
    try job.kill(atCheckpoint: 5)
    var bytes = try Files.read(job.directory.file(Self.journal))
    damage(&bytes)
    try Files.write(bytes, to: job.directory.file(Self.journal))
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    if outcome.exitCode == 0 { return try job.expectDone(outcome) }
    #expect([65, 66, 73].contains(outcome.exitCode), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [], "\(outcome)")
  }

  @Test func whatIsNoJournalIsNotWrittenOver() throws {
    let rows: [(String, CInt?)] = [
      ("a note without an end", 65), ("\0\0\0", 65), ("cleave-jour", 0),
    ]
    for (bytes, code) in rows {
      let job = try StagedJob(.mergeConsuming)
      let path = job.directory.file(Self.journal)
      try Files.write(Array(bytes.utf8), to: path)
      let outcome = try job.run()
      #expect(outcome.exitCode == code, "\(outcome)")
      if code != 0 { #expect(try Files.read(path) == Array(bytes.utf8)) }
    }
  }

  /// One that somebody else may write, or that has another name, says nothing.
  @Test func aJournalOfOthersIsNotBelieved() throws {
    let job = try StagedJob(.mergeConsuming)
    let path = job.directory.file(Self.journal)
    let changes: [((FilePath) throws -> Void, String)] = [
      (
        { try Files.setPermissions(0o622, of: $0) },
        "others may write to it; once only its owner may"
      ),
      (
        { try Files.hardLink(job.directory.file("link"), to: $0) },
        "it has 2 names, as in a copy by"
      ),
    ]
    for (change, reason) in changes {
      try job.restore()
      try job.kill()
      try change(path)
      let before = try Contents(of: job.directory.path)
      let outcome = try job.run("auto", ["-o", job.directory.file("file")])
      #expect(outcome.exitCode == 73, "\(outcome)")
      let text =
        "cleave: .file.cleave-journal: is not this user's alone, so that what it says is not believed: "
      #expect(job.lines(outcome).hasPrefix(text + reason), "\(outcome)")
      #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    }
  }

  // MARK: Sources

  /// What happens to a part while the program stands still before it frees it.
  @Test(arguments: ["replaced", "appended", "edited", "linked"])
  func whatIsAnotherFileByNowIsNotFreed(change: String) throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file("file.002")
    let tool = try Tool.cleave.start(
      job.arguments(),
      environment: FaultShim.environment("rename@file.002.cleave-rest#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    switch change {
    case "replaced":
      try Files.write([1, 2, 3], to: job.directory.file("other"))
      try FileSystem.rename(job.directory.file("other"), replacing: part)
    case "appended": try Files.append([1, 2, 3], to: part)
    case "edited": try Files.flipByte(at: 100, of: part)
    default: try Files.hardLink(job.directory.file("link"), to: part)
    }
    let changed = try Files.read(part)
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(outcome.errorText.contains("so it is not freed; what is done is kept; "), "\(outcome)")
    #expect(try Files.read(part) == changed)
  }

  @Test(arguments: consuming)
  func aFileThatAnotherProgramWritesIsNotConsumed(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let name: FilePath = kind.merges ? "file.003" : "file"
    let before = try Contents(of: job.directory.path)
    let writer = try FileDescriptor.open(job.directory.file(name), [.writeOnly])
    let outcome = try job.run("auto", [])
    #expect(outcome.exitCode == 75, "\(outcome)")
    let text = "\(name): is open for writing in another program, so it is not freed\n"
    #expect(job.lines(outcome).hasSuffix("cleave: \(text)"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    try writer.close()
    try job.expectDone(try job.run("auto", []))
  }

  @Test(arguments: [[], ["--consume"]])
  func aPartWithoutAByteThatGetsSomeIsNoted(options: [String]) throws {
    let series = try Series([3000, 0, 2000])
    let tool = try Tool.cleave.start(
      ["merge", "--as-given", "-o", series.output] + options + series.parts,
      environment: FaultShim.environment("fsync@.file.cleave-tmp#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    try Files.append([7], to: series.parts[1])
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(try !Files.exists(series.output))
    #expect(try Files.read(series.parts[1]) == [7])
  }

  /// A job that was interrupted: what has become of its sources meanwhile.
  @Test(arguments: ["edited", "linked"])
  func aSourceThatWasChangedMeanwhileIsRefused(change: String) throws {
    let job = try StagedJob(.mergeConsuming)
    // What is entered and not freed still has its own name.
    let killed = try job.run(faults: "rename@file.001.cleave-rest#1=kill")
    #expect(killed.signal == .kill)
    let part = job.directory.file("file.001")
    if change == "edited" {
      try Files.flipByte(at: 10, of: part)
    } else {
      try Files.hardLink(job.directory.file("link"), to: part)
    }
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == (change == "edited" ? 65 : 66), "\(outcome)")
    let changes = try Contents(of: job.directory.path).changes(since: before)
    if change == "edited" {
      #expect(job.lines(outcome).contains("put a good file.001 in its place"))
      #expect(changes == [".file.cleave-journal is another"])
      try Files.flipByte(at: 10, of: part)
      try job.expectDone(try job.run())
    } else {
      #expect(changes == [])
      try FileSystem.unlink(job.directory.file("link"))
      try job.expectDone(try job.run())
    }
  }

  /// A part that was not read before the job was interrupted, and what is in its place by now.
  @Test(arguments: [
    ("good", true, 0, ""),
    ("bad", true, 65, "put a good file.004 in its place; what is done is kept"),
    ("longer", true, 65, "put a good file.004 in its place; what is done is kept"),
    ("linked", true, 66, "file.004: has other names"),
    ("good", false, 75, "no manifest tells whether it is right; put back the one that was there"),
  ])
  func aPartThatWasNotReadMayBeReplaced(
    what: String,
    hasManifest: Bool,
    code: Int32,
    text: String
  ) throws {
    let job = try StagedJob(.mergeConsuming)
    let manifest = job.directory.file("file.sfv")
    let sums = try Files.read(manifest)
    if !hasManifest { try FileSystem.unlink(manifest) }
    let (part, old) = (job.directory.file("file.004"), job.directory.file("old"))
    let good = try Files.read(part)
    if hasManifest { try Files.write(good.map { $0 ^ 1 }, to: part) }
    try job.kill()
    try FileSystem.rename(part, replacing: old)
    let bytes = what == "longer" ? good + [1] : what == "bad" ? good.map { $0 ^ 2 } : good
    try Files.write(bytes, to: part)
    if what == "linked" { try Files.hardLink(job.directory.file("link"), to: part) }
    let outcome = try job.run()
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(job.lines(outcome).contains(text), "\(outcome)")
    if code != 0 {
      #expect(try Files.read(part) == bytes)
      if what == "linked" { try FileSystem.unlink(job.directory.file("link")) }
      if hasManifest {
        try Files.write(good, to: part)
      } else {
        try FileSystem.rename(old, replacing: part)
        #expect(try job.run().exitCode == 0)
        try Files.write(sums, to: manifest)
        return #expect(try Files.read(job.directory.file("file")) == job.after["file"])
      }
      try FileSystem.unlink(old)
      return try job.expectDone(try job.run())
    }
    try FileSystem.unlink(old)
    try job.expectDone(outcome)
  }

  /// One that had another size when the job was begun; the run that gets a good one is killed on its way.
  @Test(arguments: [(0, 40_000), (2, -30_000), (2, 40_000)], 1...8)
  func aGoodPartMayHaveAnotherSize(bad: (index: Int, difference: Int), moment: Int) throws {
    let sizes = bad.index == 0 ? [300_000, 150_000] : [300_000, 300_000, 150_000]
    let ways = [(true, true), (true, false), (false, true), (false, false)]
    for (place, (isRead, isInPlace)) in ways.enumerated()
    where BuildProducts.areTestsLong || place % 2 == moment % 2 {
      let job = try StagedJob(.mergeConsuming, sizes)
      let (manifest, sums) = (job.directory.file("file.sfv"), try job.leaveSizesOut())
      let part = job.directory.file(FilePath("file.00\(bad.index + 1)"))
      let good = try Files.read(part)
      try Files.write(Array((good + good).prefix(good.count + bad.difference)), to: part)
      if isRead {
        let begun = try job.run()
        #expect(begun.exitCode == 65, "\(begun)")
        #expect(
          job.lines(begun).contains("put a good \(part.lastComponent) in its place"),
          "\(begun)"
        )
      } else {
        try job.kill(atCheckpoint: 2)
      }
      let copy = job.directory.file("copy")
      try Files.write(good, to: isInPlace ? part : copy)
      if !isInPlace { try FileSystem.rename(copy, replacing: part) }
      var outcome = try job.run(faults: "fsync@.cleave-journal#\(moment)=kill")
      if outcome.signal == .kill { outcome = try job.run() }
      try Files.write(sums, to: manifest)
      try job.expectDone(outcome)
    }
  }

  /// Parts in each other's place, or with a wrong byte, in one checkpoint or several; runs are killed on their way.
  @Test(
    arguments: [[0, 1], [1, 2], [0, 2], [0, 1, 2]],
    [nil, 2, 3, 4, 5, 6, 7, 8, 9, 10] as [Int?]
  )
  func severalBadPartsAreReplacedByRenames(bad: [Int], moment: Int?) throws {
    let names = ["file.001", "file.002", "file.003"] as [FilePath]
    let count = max(2, bad[bad.count - 1] + 1)
    // A third of all, another one for each moment.
    for (place, (isSwapped, size)) in [
      (true, "1M"), (false, "1M"), (true, "130K"), (false, "130K"),
    ].enumerated() {
      let times = [nil, 2, 3] as [Int?]
      for begun in BuildProducts.areTestsLong ? times : [times[(place + (moment ?? 1)) % 3]] {
        let job = try StagedJob(.mergeConsuming, [Int](repeating: 70_000, count: count))
        func run(_ moment: Int?) throws -> Outcome {
          let faults = moment.map { "fsync@.cleave-journal#\($0)=kill" }
          return try job.run("auto", ["--checkpoint=\(size)"], faults: faults)
        }
        let good = try bad.map { try Files.read(job.directory.file(names[$0])) }
        /// Gives each of the parts the file of the one behind it, or of the one in front of it.
        func turn(by offset: Int) throws {
          for index in bad {
            let copy = job.directory.file(names[index].adding(".copy"))
            try FileSystem.rename(job.directory.file(names[index]), toNew: copy)
          }
          for (place, index) in bad.enumerated() {
            let other = bad[(place + offset + bad.count) % bad.count]
            let copy = job.directory.file(names[other].adding(".copy"))
            try FileSystem.rename(copy, toNew: job.directory.file(names[index]))
          }
        }
        if isSwapped {
          try turn(by: 1)
        } else {
          for index in bad { try Files.flipByte(at: 100, of: job.directory.file(names[index])) }
        }
        var outcome = try run(begun)
        #expect(outcome.exitCode == 65 || outcome.signal == .kill, "\(outcome)")
        if isSwapped, try bad.allSatisfy({ try Files.exists(job.directory.file(names[$0])) }) {
          try turn(by: -1)
        } else {
          for (index, bytes) in zip(bad, good) {
            try Files.write(bytes, to: job.directory.file("copy"))
            let part = job.directory.file(names[index])
            try FileSystem.rename(job.directory.file("copy"), replacing: part)
          }
        }
        outcome = try run(moment)
        if outcome.signal == .kill { outcome = try run(nil) }
        try job.expectDone(outcome)
      }
    }
  }

  /// Without a byte, it is in no checkpoint, and would be looked at when the others are gone.
  @Test(arguments: 0...2) func anEmptyPartThatShouldHaveBytesIsRefusedFirst(index: Int) throws {
    let job = try StagedJob(.mergeConsuming, [70_000, 70_000, 70_000])
    let (manifest, sums) = (job.directory.file("file.sfv"), try job.leaveSizesOut())
    let part = job.directory.file(FilePath("file.00\(index + 1)"))
    let good = try Files.read(part)
    try Files.write([], to: part)
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 65, "\(outcome)")
    let text = job.lines(outcome)
    #expect(text.contains("file.sfv: file.00\(index + 1) has CRC-32 00000000, not "), "\(outcome)")
    #expect(text.hasSuffix("; put a good file.00\(index + 1) in its place\n"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    try Files.write(good, to: part)
    try Files.write(sums, to: manifest)
    try job.expectDone(try job.run())
  }

  /// A run is killed behind what it entered of a bad part, which nobody has judged then; also where it is removed before
  /// the next run, which frees nothing.
  @Test(arguments: ["in place", "by rename", "removed"], [0, 5000])
  func aBadPartThatWasNotJudgedMayBeReplaced(how: String, more: Int) throws {
    let job = try StagedJob(.mergeConsuming, [200_000, 200_000, 150_000])
    let (manifest, sums) = (job.directory.file("file.sfv"), try job.leaveSizesOut())
    let index = more > 0 ? 3 : 2
    let part = job.directory.file(FilePath("file.00\(index)"))
    let (copy, good) = (job.directory.file("copy"), try Files.read(part))
    try Files.write(good.prefix(100) + [1] + good.dropFirst(101) + good.prefix(more), to: part)
    let killed = try job.run(
      "auto",
      ["--checkpoint=10M"],
      faults: "rename@file.001.cleave-rest#1=kill"
    )
    #expect(killed.signal == .kill)
    if how == "removed" {
      try FileSystem.unlink(part)
      let names = try job.directory.names().sorted()
      let outcome = try job.run()
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(
        job.lines(outcome).contains("put a good \(part.lastComponent) in its place"),
        "\(outcome)"
      )
      #expect(try job.directory.names().sorted() == names)
    }
    try Files.write(good, to: how == "in place" ? part : copy)
    if how != "in place" { try FileSystem.rename(copy, replacing: part) }
    let outcome = try job.run()
    try Files.write(sums, to: manifest)
    try job.expectDone(outcome)
  }

  /// The same again and again, at any moment: half read, read and not freed, or before all.
  @Test(arguments: ["touched", "copied"], 2...12)
  func partsMayBeReplacedAgainAndAgain(how: String, number: Int) throws {
    let job = try StagedJob(.mergeConsuming, [50_000, 100_000, 1, 50_000, 90_000])
    let options = ["--checkpoint=20K"]
    var outcome = try job.run("auto", options, faults: "fsync@.cleave-journal#\(number)=kill")
    for _ in 0..<3 where outcome.signal == .kill {
      for name in try job.directory.names() where name.bytes.starts(with: "file.0".utf8) {
        if name.ends(in: ".cleave-rest") { continue }
        let path = job.directory.file(name)
        if how == "touched" {
          try Files.setModified(try FileStatus.of(path).modified + 1_000_000_000, of: path)
        } else {
          try Files.write(try Files.read(path), to: job.directory.file("copy"))
          try FileSystem.rename(job.directory.file("copy"), replacing: path)
        }
      }
      outcome = try job.run("auto", options, faults: "fsync@.cleave-journal#\(number)=kill")
    }
    if outcome.exitCode == 73 {
      // Nothing was entered, and what is there cannot be told from what was.
      #expect(outcome.errorText.contains("there and right, 'cleave clean -f"), "\(outcome)")
      #expect(try job.directory.names().contains("file.001"))
      let clean = try Tool.cleave.run(["clean", "-f"], workingDirectory: job.directory.path)
      #expect(clean.exitCode == 0, "\(clean)")
    }
    if outcome.exitCode != 0 { outcome = try job.run("auto", options) }
    // A copy of one that was in the output already is somebody else's.
    for name in try job.directory.names() where how == "copied" && job.after[name] == nil {
      #expect(try Files.exists(job.directory.file("file")), "\(outcome)")
      TemporaryDirectory.remove(job.directory.file(name))
    }
    try job.expectDone(outcome)
  }

  /// What has been copied and not freed yet is compared with its copy.
  @Test(arguments: consuming)
  func whatIsLeftAndWasEditedIsNotFreed(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind, [300_000, 400_001, 1, 450_000])
    // Before the second hole is made, or the second cut.
    let call = kind.merges ? "fallocate@.cleave-rest#3=kill" : "ftruncate@.cleave-rest#1=kill"
    let killed = try job.run(faults: call)
    #expect(killed.signal == .kill)
    let name: FilePath = kind.merges ? "file.002.cleave-rest" : "file.cleave-rest"
    let path = job.directory.file(name)
    let place = kind.merges ? 80_000 : 1_000_000
    var bytes = try Files.read(path)
    bytes[place] ^= 1
    let file = try FileDescriptor.open(path, [.readWrite])
    try file.seek(to: Int64(place))
    try file.write(all: [bytes[place]])
    try file.close()
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(
      job.lines(outcome).contains("\(name): was changed since the job was begun: it is not freed")
    )
    let changes = try Contents(of: job.directory.path).changes(since: before)
    #expect(changes.allSatisfy { $0 == "\(Self.journal) is another" }, "\(changes)")
  }

  /// Each would end with a part of the bytes.
  @Test func twoRunsDoNotConsumeTheSameParts() throws {
    let job = try StagedJob(.mergeConsuming)
    let tool = try Tool.cleave.start(
      job.arguments(),
      environment: FaultShim.environment("fsync@.cleave-journal#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    let other = try job.run("auto", ["-o", job.directory.file("other")])
    #expect(other.exitCode == 75, "\(other)")
    #expect(job.lines(other).contains("file.001: is in use: another run is consuming it"))
    tool.send(.resume)
    try job.expectDone(try tool.wait())
  }

  /// Nothing of them is punched, so that a hole is always something that was freed.
  @Test func sourcesWithHolesGoWhole() throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("file.001")
    try Files.makeSparse(part, size: 700_000)
    try Files.append(Bytes.pattern(count: 300_000), to: part)
    try Files.write([1, 2, 3], to: directory.file("file.002"))
    let command: [any ToolArgument] = ["merge", "--consume", "--checkpoint=130K", part]
    let killed = try Tool.cleave.run(
      command,
      environment: FaultShim.environment("fsync@.cleave-journal#4=kill")
    )
    #expect(killed.signal == .kill)
    #expect(try Files.exists(part))
    let outcome = try Tool.cleave.run(command)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let expected =
      [UInt8](repeating: 0, count: 700_000) + Bytes.pattern(count: 300_000) + [1, 2, 3]
    #expect(try Files.read(directory.file("file")) == expected)
    #expect(try !Files.exists(part))
  }

  // MARK: Parts that are not what they should be

  /// What was put in the place of a bad part is looked at before anything is given up for it.
  @Test(arguments: ["file.001", "file.002"] as [FilePath])
  func aBadPartStaysUntilAGoodOneIsThere(name: FilePath) throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file(name)
    let good = try Files.read(part)
    try Files.write(good.map { $0 ^ 1 }, to: part)
    #expect(try job.run().exitCode == 65)
    try Files.write(good.map { $0 ^ 2 }, to: part)
    let before = try Contents(of: job.directory.path)
    for options in [["--resume"], ["--resume", "--dry-run"]] {
      let again = try job.run("auto", options)
      #expect(again.exitCode == (options.count == 1 ? 65 : 0), "\(again)")
      let changes = try Contents(of: job.directory.path).changes(since: before)
      #expect(changes == [] || changes == [".file.cleave-journal is another"])
    }
    try Files.write(good, to: part)
    try job.expectDone(try job.run())
  }

  /// What there is may be taken as it is.
  @Test(arguments: ["--manifest=none", "--verify=none"])
  func aBadPartMayBeTaken(option: String) throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file("file.001")
    try Files.write(try Files.read(part).map { $0 ^ 1 }, to: part)
    #expect(try job.run().exitCode == 65)
    let outcome = try job.run("auto", [option])
    #expect(outcome.exitCode == 0, "\(outcome)")
    var expected = try #require(job.after["file"])
    for place in 0..<300_000 { expected[place] ^= 1 }
    #expect(try Files.read(job.directory.file("file")) == expected)
    #expect(try job.directory.names().filter { $0.bytes.first == UInt8(ascii: ".") } == [])
  }

  /// Of two that change places, one comes first.
  @Test(arguments: ["file.001", "file.002"] as [FilePath])
  func aBadPartWaitsForTheOneThatItChangesPlacesWith(last: FilePath) throws {
    let job = try StagedJob(.mergeConsuming, [40_000, 40_000, 40_000])
    let (first, second) = (job.directory.file("file.001"), job.directory.file("file.002"))
    let (one, two) = (job.directory.file("one"), job.directory.file("two"))
    try FileSystem.rename(first, toNew: two)
    try FileSystem.rename(second, toNew: one)
    try FileSystem.rename(one, toNew: first)
    try FileSystem.rename(two, toNew: second)
    #expect(try job.run().exitCode == 65)
    try FileSystem.rename(first, toNew: two)
    try FileSystem.rename(second, toNew: one)
    let isSecond = last == second.lastComponent
    let (early, name) = isSecond ? (one, first) : (two, second)
    try FileSystem.rename(early, toNew: name)
    let third = try Files.read(job.directory.file("file.003"))
    let waiting = try job.run()
    #expect(waiting.exitCode == 65, "\(waiting)")
    #expect(job.lines(waiting).contains("put a good \(last) in its place"), "\(waiting)")
    #expect(try Files.read(job.directory.file("file.003")) == third)
    try FileSystem.rename(isSecond ? two : one, toNew: isSecond ? second : first)
    try job.expectDone(try job.run())
  }

  /// Names of two parts were exchanged, and a copy of the right one replaces the first alone.
  @Test func whatAnotherPartShouldBeIsNotGivenUp() throws {
    let job = try StagedJob(.mergeConsuming, [70_000, 70_000, 70_000, 70_000])
    let (second, third) = (job.directory.file("file.002"), job.directory.file("file.003"))
    let (two, three) = (try Files.read(second), try Files.read(third))
    try Files.write(three, to: second)
    try Files.write(two, to: third)
    let checkpoint = ["--checkpoint=70000"]
    #expect(try job.run("auto", checkpoint).exitCode == 65)
    try Files.write(two, to: second)
    let refused = try job.run("auto", checkpoint)
    #expect(refused.exitCode == 65, "\(refused)")
    let text = "what was read as file.002 is what file.003 should be, and nothing else is"
    #expect(job.lines(refused).contains(text), "\(refused)")
    try Files.write(three, to: third)
    try job.expectDone(try job.run("auto", checkpoint))
  }

  /// What no extent reads of a part is known by one sum alone where a list has no other.
  @Test func aCopyOfAPartWithAHeaderTakesItsPlace() throws {
    let directory = try TemporaryDirectory()
    let parts = (1...3).map { "id\n" + String(repeating: "\($0)234567\n", count: 20_000) }
    for (index, part) in parts.enumerated() {
      try Files.write(Array(part.utf8), to: directory.file(FilePath("f.00\(index + 1)")))
    }
    let script =
      "for p in f.00?; do echo $p $(gzip -c $p | tail -c 8 | od -An -tx4 -N4 | tr -d ' '); done >f.sfv"
    let made = try Tool.shell.run(["-ec", script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    let words: [any ToolArgument] = [
      "merge", "--consume", "--header", "--checkpoint=64K", directory.file("f.001"),
    ]
    let killed = try Tool.cleave.run(
      words,
      environment: FaultShim.environment(
        "fsync@.cleave-journal#3=kill",
        log: directory.file("log")
      )
    )
    #expect(killed.signal == .kill, "\(killed)")
    let last = directory.file("f.003")
    try FileSystem.unlink(last)
    try Files.write(Array(parts[2].utf8), to: last)
    let outcome = try Tool.cleave.run(words)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let whole = parts[0] + parts[1].dropFirst(3) + parts[2].dropFirst(3)
    #expect(try Files.read(directory.file("f")) == Array(whole.utf8))
  }

  // MARK: Going on

  /// Typed elsewhere, it would mean other files.
  @Test func whatGoesOnIsToldWithItsDirectory() throws {
    let job = try StagedJob(.mergeConsuming)
    let killed = try Tool.cleave.run(
      ["merge", "--consume", "--checkpoint=130K", "file.001"],
      environment: FaultShim.environment("fsync@.cleave-journal#4=kill"),
      workingDirectory: job.directory.path
    )
    #expect(killed.signal == .kill)
    let told = try Tool.cleave.run(["clean", job.directory.path], workingDirectory: "/")
    #expect(told.exitCode == 75, "\(told)")
    let line =
      "'cd \(job.directory.path) && cleave merge --consume --checkpoint=130K file.001' goes on"
    #expect(told.errorText.contains(line), "\(told)")
    let here = try Tool.cleave.run(["clean"], workingDirectory: job.directory.path)
    #expect(
      here.errorText.contains("; 'cleave merge --consume --checkpoint=130K file.001' goes on")
    )
    try job.expectDone(try job.run())
  }

  /// Files that have come to lie where it was typed are none of its.
  @Test(arguments: [false, true]) func aJobThatMovedWithItsDirectoryGoesOnThere(isTaken: Bool)
    throws
  {
    let directory = try TemporaryDirectory()
    let (old, new) = (directory.file("old"), directory.file("new"))
    try FileSystem.makeDirectory(old)
    let bytes = (1...3).map { Bytes.pattern(count: 300_000, seed: UInt64($0)) }
    func write(_ place: FilePath) throws {
      for (index, part) in bytes.enumerated() {
        try Files.write(part, to: place.appending(FilePath("f.00\(index + 1)")))
      }
    }
    try write(old)
    let command = ["merge", "--consume", "--checkpoint=130K", "f.001"]
    let killed = try Tool.cleave.run(
      command,
      environment: FaultShim.environment("fsync@.cleave-journal#4=kill"),
      workingDirectory: old
    )
    #expect(killed.signal == .kill)
    try FileSystem.rename(old, toNew: new)
    if isTaken {
      try FileSystem.makeDirectory(old)
      try write(old)
    }
    let told = try Tool.cleave.run(["clean"], workingDirectory: new)
    let line = "; 'cleave \(command.joined(separator: " "))' goes on, typed in what was \(old)\n"
    #expect(told.exitCode == 75 && told.errorText.hasSuffix(line), "\(told)")
    let done = try Tool.cleave.run(command, workingDirectory: new)
    #expect(done.exitCode == 0, "\(done)")
    #expect(try Files.read(new.appending("f")) == bytes.flatMap(\.self))
  }

  /// Room that was taken for the output is not needed again.
  @Test(.enabled(if: LoopFileSystem.available.contains(.ext4), "needs root and ext4"))
  func whatWasReservedIsNotWantedAgain() throws {
    let device = try LoopFileSystem(.ext4)
    let job = try StagedJob(.merge, [3 << 20, 3 << 20], in: device.path)
    let killed = try job.run(faults: "fsync@.cleave-journal#4=kill")
    #expect(killed.signal == .kill)
    let free = try #require(try FileSystem.available(at: device.path))
    // Some room is left, and not enough for another whole.
    let filler = device.path.appending("filler")
    try Files.write([UInt8](repeating: 1, count: Int(free) - (2 << 20)), to: filler)
    try job.expectDone(try job.run())
  }

  /// A copy of an interrupted job has other inodes.
  @Test func aCopyOfAJobIsNotGoneOnWith() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 3)
    let name = job.directory.file("file.001.cleave-rest")
    try Files.copy(name, to: job.directory.file("copy"))
    try FileSystem.rename(job.directory.file("copy"), replacing: name)
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(
      job.lines(outcome).contains("file.001.cleave-rest: is not the file that the job has left")
    )
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// The journal, or what is made, is taken away while the program stands still before it frees a part.
  @Test(arguments: [".cleave-journal", ".cleave-tmp-"])
  func withoutWhatKnowsOfItNothingIsFreed(text: String) throws {
    let job = try StagedJob(.mergeConsuming)
    let tool = try Tool.cleave.start(
      job.arguments(),
      environment: FaultShim.environment("rename@file.002.cleave-rest#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    let names = try job.directory.names().filter { "\($0)".contains(text) }
    let name = try #require(names.first)
    try FileSystem.unlink(job.directory.file(name))
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    let left = ["file.002", "file.002.cleave-rest"].contains { (name: FilePath) in
      (try? Files.exists(job.directory.file(name))) == true
    }
    #expect(left, "\(outcome)")
    #expect(try Files.exists(job.directory.file("file.003")))
  }

  /// A journal that goes on is written as a whole; without its end, or its beginning, nobody takes what it
  /// knows of for a leftover.
  @Test(arguments: [1, 100, .max])
  func cleanKeepsWhatAShortenedJournalKnewOf(lost: Int) throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 4)
    let again = try job.run(faults: "fsync@.cleave-journal#2=kill")
    #expect(again.signal == .kill)
    let path = job.directory.file(Self.journal)
    try Files.setSize(Int64(max(0, try Files.read(path).count - lost)), of: path)
    let before = try Contents(of: job.directory.path)
    let cleaned = try Tool.cleave.run(["clean", job.directory.path])
    #expect(cleaned.exitCode != 0, "\(cleaned)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// What is left of a source gets its old name back, and the journal does not know what was done.
  @Test(arguments: consuming, [nil, 0, 30, 300])
  func withoutItsJournalNothingIsBegunAnew(kind: StagedJob.Kind, left: Int?) throws {
    let job = try StagedJob(kind)
    try job.kill(atCheckpoint: 5)
    let journal = job.directory.file(Self.journal)
    if let left {
      try Files.setSize(Int64(left), of: journal)
    } else {
      try FileSystem.unlink(journal)
    }
    for name in try FileSystem.names(in: job.directory.path) where name.ends(in: ".cleave-rest") {
      let whole = FilePath(bytes: name.bytes.dropLast(".cleave-rest".utf8.count))
      try FileSystem.rename(job.directory.file(name), toNew: job.directory.file(whole))
    }
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect([65, 66, 73].contains(outcome.exitCode), "\(outcome)")
    let cleaned = try Tool.cleave.run(["clean", job.directory.path])
    #expect(cleaned.exitCode != 0, "\(cleaned)")
    let changes = try Contents(of: job.directory.path).changes(since: before)
    // An empty journal says nothing that could be lost.
    #expect(changes == [] || left == 0 && changes.count == 1, "\(changes)")
  }

  private static let rest: FilePath = "file.001.cleave-rest"

  /// An interrupted job, of which what is left of a part has its old name again; nil where there can be no holes.
  private func renamedBack() throws -> StagedJob? {
    let job = try StagedJob(.mergeConsuming)
    try job.kill(atCheckpoint: 4)
    let rest = job.directory.file(Self.rest)
    guard try Files.exists(rest), FileSystem.canPunchHoles(in: job.directory.path) else {
      print("skipped: no holes can be punched in \(job.directory.path)")
      return nil
    }
    try FileSystem.rename(rest, toNew: job.directory.file("file.001"))
    return job
  }

  /// What is left of a part has its old name again, and is joined by a run that frees nothing.
  @Test(arguments: [nil, 0, 300]) func whatWasFreedIsNotReadAsZeros(left: Int?) throws {
    guard let job = try renamedBack() else { return }
    try FileSystem.unlink(job.directory.file("file.sfv"))
    let journal = job.directory.file(Self.journal)
    if let left {
      try Files.setSize(Int64(left), of: journal)
    } else {
      try FileSystem.unlink(journal)
    }
    let before = try Contents(of: job.directory.path)
    for option in [[], ["-n"]] {
      let parts = (1...4).map { job.directory.file(FilePath("file.00\($0)")) }
      let found = try Tool.cleave.run(["merge", "--last=4"] + option + [parts[0]])
      #expect(found.exitCode == 66, "\(found)")
      let given: [any ToolArgument] = ["merge", "--as-given", "-o", job.directory.file("file")]
      let outcome = try Tool.cleave.run(given + option + parts)
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(
        job.lines(outcome).contains("file.001: has holes, and .file.cleave-tmp-"),
        "\(outcome)"
      )
      #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    }
  }

  /// The same beside the journal, by whatever else reads parts.
  @Test(
    arguments: [
      "merge --manifest=none --last=4 -o other", "merge --manifest=none --last=4 -o -",
      "merge --as-given -o other", "merge --manifest=none --last=4 --share=1/2", "split -b 100K",
      "cat --manifest=none --last=4",
    ]
  )
  func nothingElseReadsWhatWasFreed(command: String) throws {
    guard let job = try renamedBack() else { return }
    let before = try Contents(of: job.directory.path)
    let words = "\(command) file.001".split(separator: " ").map(String.init)
    let outcome = try Tool.cleave.run(words, workingDirectory: job.directory.path)
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(
      outcome.errorText.contains("file.001: has holes where an interrupted run"),
      "\(outcome)"
    )
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    // As it says.
    try FileSystem.rename(job.directory.file("file.001"), toNew: job.directory.file(Self.rest))
    try job.expectDone(try job.run("auto", []))
  }

  /// Once a bad part has been taken as it is, parts behind it go; it is not replaced any more.
  @Test func whatWasTakenIsNotGivenBack() throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file("file.001")
    let good = try Files.read(part)
    // With an inode that the first one cannot leave to it.
    let spare = try TemporaryDirectory(in: job.directory.path.directory)
    try Files.write(good, to: spare.file("good"))
    try Files.write(good.map { $0 ^ 1 }, to: part)
    #expect(try job.run().exitCode == 65)
    let killed = try job.run(
      "auto",
      ["--manifest=none"],
      faults: "rename@file.004.cleave-rest=kill"
    )
    #expect(killed.signal == .kill, "\(killed)")
    try FileSystem.rename(spare.file("good"), toNew: part)
    #expect(try job.run().exitCode == 65)
    #expect(try Files.read(part) == good)
    let outcome = try job.run("auto", ["--manifest=none"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    var expected = try #require(job.after["file"])
    for place in good.indices { expected[place] ^= 1 }
    #expect(try Files.read(job.directory.file("file")) == expected)
    #expect(try Files.read(part) == good)
  }

  /// The same file, with other bytes and the old time: by its look it is the bad one still.
  @Test func aPartThatWasRepairedInPlaceIsReadAgain() throws {
    let job = try StagedJob(.mergeConsuming)
    let part = job.directory.file("file.002")
    let good = try Files.read(part)
    try Files.write(good.map { $0 ^ 1 }, to: part)
    // Whole, under its own name.
    let first = try job.run(faults: "fallocate=EOPNOTSUPP")
    #expect(first.exitCode == 65, "\(first)")
    let status = try FileStatus.of(part)
    try Files.write(good, to: part)
    try Files.setModified(status.modified, of: part)
    try job.expectDone(try job.run())
  }

  /// What had been entered and was not freed when the job was killed, and was edited since, its time set back.
  @Test(arguments: consuming)
  func anEditThatHidesIsFoundBeforeItIsFreed(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let name: FilePath = kind.merges ? "file.001" : "file"
    let killed = try job.run(faults: "rename@\(name).cleave-rest#1=kill")
    #expect(killed.signal == .kill)
    let path = job.directory.file(name)
    let status = try FileStatus.of(path)
    try Files.flipByte(at: kind.merges ? 100 : 500_100, of: path)
    try Files.setModified(status.modified, of: path)
    let changed = try Files.read(path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(try Files.read(path) == changed)
  }

  /// What stands behind the end of a temporary is nobody's.
  @Test func whatIsBehindTheEndOfATemporaryIsCutOff() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill()
    let name = try #require(try job.directory.names().first(where: TemporaryNames.isOne))
    try Files.setSize(1 << 20, of: job.directory.file(name))
    try job.expectDone(try job.run())
  }

  /// A list that the job itself has written proves nothing of it.
  @Test func aJobIsNotProvedByItsOwnList() throws {
    let series = try Series([300_000, 200_001])
    let killed = try Tool.cleave.run(
      ["merge", "-q", "--consume", series.parts[0]],
      environment: FaultShim.environment("fsync@\(series.directory.path)#6+=kill")
    )
    guard killed.signal == .kill, try Files.exists(series.manifest) else { return }
    let outcome = try Tool.cleave.run(["merge", "--consume", series.parts[0]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(!outcome.outputText.contains("as in"), "\(outcome)")
  }

  /// Of many parts that are taken over, one is locked, and none stays open.
  @Test func manyPartsAreGoneOnWithFewDescriptors() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("file")
    let bytes = Bytes.pattern(count: 150_000)
    try Files.write(bytes, to: file)
    let words = "split --resume -q --checkpoint=1000 -b 1000 \(file)"
    let killed = try Tool.cleave.run(
      words.split(separator: " ").map(String.init),
      environment: FaultShim.environment("fsync@.cleave-journal#130=kill")
    )
    #expect(killed.signal == .kill, "\(killed)")
    let outcome = try Tool.shell.run(["-c", "ulimit -n 64; \(Tool.cleave.path) \(words)"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let parts = try directory.names().sorted().filter {
      "\($0)".hasPrefix("file.0") || "\($0)".hasPrefix("file.1")
    }
    #expect(parts.count == 150)
    #expect(try parts.flatMap { try Files.read(directory.file($0)) } == bytes)
  }

  // MARK: Outputs

  /// A secret stays one.
  @Test func whatReplacesAFileHasItsPermissions() throws {
    let series = try Series()
    try Files.write([1], to: series.output)
    try Files.setPermissions(0o600, of: series.output)
    let outcome = try series.merge("auto", ["--force"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try FileStatus.of(series.output).permissions == 0o600)
  }

  /// It goes on as it was begun, once the name is free.
  @Test(arguments: [StagedJob.Kind.merge, .mergeConsuming])
  func anOutputThatWasMadeMeanwhileIsMovedAway(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.kill()
    let path = job.directory.file("file")
    try Files.write([9], to: path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 73, "\(outcome)")
    let text = "exists; what is done is kept; once it is moved away, 'cleave "
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(!outcome.errorText.contains("--force"), "\(outcome)")
    #expect(try Files.read(path) == [9])
    try FileSystem.unlink(path)
    let end = try job.run(named: outcome)
    #expect(end.exitCode == 0, "\(end)")
    try job.expectDone(end)
  }

  /// Somebody else's file under the temporary's name is neither published nor removed.
  @Test func aTemporaryThatWasExchangedIsNotPublished() throws {
    let series = try Series()
    let tool = try Tool.cleave.start(
      // A proof would read the file by its name, now or a little later.
      ["merge", "--verify=stream", series.parts[0]],
      environment: FaultShim.environment("fsync@.file.cleave-tmp#1=stop")
    )
    #expect(try tool.waitUntilStopped())
    let name = try #require(try series.directory.names().first(where: TemporaryNames.isOne))
    let temporary = series.directory.file(name)
    try FileSystem.unlink(temporary)
    try Files.write([9], to: temporary)
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 75, "\(outcome)")
    #expect(try Files.read(temporary) == [9])
    #expect(try !Files.exists(series.output))
  }

  /// It may be the only copy, and the run would miss it.
  @Test func whatAnotherRunWritesToIsNotConsumed() throws {
    let job = try StagedJob(.mergeConsuming)
    try job.kill()
    let names = try job.directory.names()
    let temporary = try #require(names.first { $0.bytes.starts(with: ".file.cleave-tmp-".utf8) })
    let before = try Contents(of: job.directory.path)
    let command: [any ToolArgument] = [
      "split", "--consume", "-b", "100K", job.directory.file(temporary),
      job.directory.file("part."),
    ]
    let outcome = try Tool.cleave.run(command)
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(job.lines(outcome).contains("\(temporary): is what a run writes to"), "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
    #expect(try job.run().exitCode == 0)
  }
}
