import Posix
import TestSupport
import Testing

/// What an interrupted job still needs is kept for it, and what is said of the job is so.
@Suite(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct InterruptedJobTests: CommandLines {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ name: String, _ count: Int = 40_960, seed: UInt64 = 1) throws {
    try Files.write(Bytes.pattern(count: count, seed: seed), to: directory.file(FilePath(name)))
  }

  private func shell(_ script: String) throws {
    let outcome = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    #expect(outcome.exitCode == 0, "\(script): \(outcome)")
  }

  private func expectSame(_ name: String, _ count: Int = 40_960, seed: UInt64 = 1) throws {
    let bytes = try Files.read(directory.file(FilePath(name)))
    #expect(Bytes.difference(bytes, Bytes.pattern(count: count, seed: seed)) == nil)
  }

  private func hidden() throws -> [FilePath] {
    try directory.names().filter { $0.bytes.first == UInt8(ascii: ".") }
  }

  // MARK: Sources

  @Test(
    "sources that an interrupted merge needs are not replaced, also where its output is elsewhere",
    arguments: [
      "split -q -f -b 8192 n f", "merge -q -f --as-given -o f.005 n", "split -q -f -b 8192 n f.",
    ],
    ["g", "o/g"]
  )
  func neededSources(line: String, output: String) throws {
    try write("f")
    try write("n", 49_152, seed: 2)
    try Files.makeDirectory(directory.file("o"))
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=8192 -o \(output) f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill")
    let before = try Contents(of: directory.path)
    try expect(73, line, "'cleave \(job)' goes on")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    try expect(0, job)
    try expectSame(output)
    try shell("rm -f g.sfv o/g.sfv")
    try expect(0, line)
  }

  @Test(
    "nor are they by a run that was at work before the job was begun",
    arguments: ["split -q -f -b 8192 n f", "merge -q -f --as-given -o f.005 n"],
    [true, false]
  )
  func neededSinceThen(line: String, isInterrupted: Bool) throws {
    try write("f")
    try write("n", seed: 2)
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    let replacing = try start(line, "fsync@.f.00#1=stop")
    #expect(try replacing.waitUntilStopped())
    let job = "merge -q --consume --checkpoint=8192 -o g f.001"
    let fault = "rename@f.003.cleave-rest#1="
    var running: RunningTool?
    if isInterrupted {
      try kill(job, fault + "kill")
    } else {
      running = try start(job, fault + "stop")
      let isStopped = try running?.waitUntilStopped()
      if isStopped != true { Issue.record("\(String(describing: try running?.wait()))") }
    }
    replacing.send(.resume)
    let outcome = try replacing.wait()
    #expect(outcome.exitCode == 73, "\(outcome)")
    let text = isInterrupted ? "'cleave \(job)' goes on" : "a run at work, which frees it itself"
    #expect(outcome.errorText.contains(text), "\(outcome)")
    if let running {
      running.send(.resume)
      #expect(try running.wait().exitCode == 0)
    } else {
      try expect(0, job)
    }
    try expectSame("g")
    #expect(try hidden() == [])
  }

  private func start(_ line: String, _ faults: String) throws -> RunningTool {
    try Tool.cleave.start(
      line.split(separator: " ").map { FilePath(String($0)) },
      environment: try FaultShim.environment(faults),
      workingDirectory: directory.path
    )
  }

  @Test(
    "what was made since a job was begun is not replaced by it, and what was there is",
    arguments: [
      ("merge -q -f --consume --checkpoint=8192 -o g f.001", "fsync@.g.cleave-journal#4", "g"),
      ("merge -q -f --resume --checkpoint=8192 -o g f.001", "fsync@.g.cleave-journal#4", "g"),
      ("split -q -f --resume --checkpoint=4096 -b 8192 f g", "fsync@.g.003#1", "g.004"),
      ("split -q -f --consume --checkpoint=4096 -b 8192 f g", "fsync@.g.003#1", "g.004"),
      ("split -q -f --resume --checkpoint=4096 -b 8192 f g", "rename@g.002#1", "g.004"),
      ("split -q -f --consume --checkpoint=4096 -b 8192 f g", "rename@g.002#1", "g.sfv"),
    ]
  )
  func madeSince(job: String, fault: String, made: String) throws {
    for isThere in [true, false] {
      try shell("rm -f g g.*")
      try write("f")
      try expect(0, "split -q -f --manifest=none -b 8192 f")
      if isThere { try shell("for n in g.001 g.004 \(made); do echo old > $n; done") }
      try kill(job, "\(fault)=kill")
      if !isThere {
        try shell("echo new > \(made)")
        let text = "\(made): was made or changed since the job was begun: move it away, and '"
        for _ in 1...2 { try expect(73, job, text + "cleave \(job)' goes on") }
        try shell("grep -q new \(made) && rm \(made)")
      }
      try expect(0, job)
      #expect(try hidden() == [])
      if job.hasPrefix("split") { try expect(0, "merge -q -o g g.001") }
      try expectSame("g")
    }
  }

  @Test func whatWasTouchedIsTakenWhereNothingIsCompared() throws {
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=8192 -o g f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill")
    try shell("touch f.005")
    try expect(75, job, "no manifest tells whether it is right")
    try expect(75, job, ", or --manifest=none takes it as it is")
    try shell("mv f.005 t; head -c 9 t > f.005")
    let none = "merge -q --consume --manifest=none --checkpoint=8192 -o g f.001"
    let outcome = try expect(75, none, "f.005: was changed since the job was begun")
    #expect(!outcome.errorText.contains("takes it"), "\(outcome)")
    try shell("mv t f.005")
    try expect(0, none)
    try expectSame("g")
  }

  @Test(
    "what a split has cut off is not taken for a whole file under its old name",
    arguments: [
      "split -b 4096 f q", "split -l 10 f q", "split -b 4096 --filter=cat f q",
      "split --consume -b 4096 f q", "merge --as-given -o x f", "merge --consume --as-given -o x f",
    ]
  )
  func cutOff(line: String) throws {
    try write("f")
    let job = "split -q --consume --checkpoint=8192 -b 8192 f"
    try kill(job, "rename@f.001#1=kill")
    try shell("mv f.cleave-rest f")
    let before = try Contents(of: directory.path)
    try expect(73, line, "under the name of f.cleave-rest, 'cleave \(job)' goes on")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    try shell("mv f f.cleave-rest")
    try expect(0, job)
    try expect(0, "merge -q -o g f.001")
    try expectSame("g")
  }

  /// What is left of the file is its first part then.
  @Test func theFirstPartIsNoFileThatWasCutOff() throws {
    try write("f")
    try kill("split -q --consume -b 8192 f", "unlink@.f.cleave-journal#1=kill")
    try expect(0, "merge -q -o g f.001")
    try expectSame("g")
  }

  @Test func whatIsLeftOfAPartIsToldUnderItsOldName() throws {
    guard FileSystem.canPunchHoles(in: directory.path) else { return }
    try write("f", 600_000)
    try expect(0, "split -q -b 200000 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=65536 -o g f.001"
    try kill(job, "fsync@.g.cleave-journal#4=kill")
    try shell("mv f.001.cleave-rest f.001")
    for command in [job, "cat f.001"] {
      let text = "under the name of f.001.cleave-rest, 'cleave \(job)' goes on"
      let outcome = try run(command)
      #expect([66, 73, 75].contains(outcome.exitCode), "\(outcome)")
      #expect(outcome.errorText.contains(text), "\(outcome)")
    }
    try shell("mv f.001 f.001.cleave-rest")
    try expect(0, job)
    try expectSame("g", 600_000)
  }

  // MARK: What is said

  @Test func aCommandThatWasRefusedIsNotNamed() throws {
    try write("f")
    try expect(0, "split -q -b 8192 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=8192 -o g f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill")
    try shell("touch f.005")
    for line in ["merge -q --consume --manifest=none -o g f.001", "clean", "clean"] {
      try expect(75, line, "'cleave \(job)' goes on")
    }
    try expect(0, job)
    try expectSame("g")
  }

  /// One that has gone on is.
  @Test func theCommandThatWentOnLastIsNamed() throws {
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try kill("merge -q --consume --checkpoint=8192 -o g f.001", "rename@f.003.cleave-rest#1=kill")
    let job = "merge -q --consume --checkpoint=4096 -o g f.001"
    try kill(job, "rename@f.004.cleave-rest#1=kill")
    try expect(75, "clean", "'cleave \(job)' goes on")
    try expect(0, job)
  }

  @Test func nothingIsSaidToBeThereWhichIsNot() throws {
    try write("f")
    let job = "split --consume --checkpoint=8192 -b 8192 f"
    try kill(job, "unlink@.f.cleave-journal#1=kill")
    try shell("rm .f.cleave-tmp* f.00*; true")
    let outcome = try expect(66, job, "is missing")
    #expect(!outcome.errorText.contains("going on"), "\(outcome)")
  }

  // MARK: Moved trees

  @Test("a link to the journal is moved with the tree", arguments: [false, true])
  func movedTree(isKilledAgain: Bool) throws {
    try shell("mkdir -p a/r/s a/r/o")
    try write("a/r/s/f")
    try expect(0, "split -q --manifest=none -b 8192 f", in: "a/r/s")
    try shell("rm a/r/s/f")
    let job = "merge -q --consume --checkpoint=8192 -o ../o/f f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill", in: "a/r/s")
    try shell("mv a/r b")
    if isKilledAgain {
      try kill(job, "rename@f.004.cleave-rest#1=kill", in: "b/s")
      try expect(75, "clean", "'cleave \(job)' goes on", in: "b/s")
      try expect(66, "merge -q -o x f.005", "'cleave \(job)' goes on", in: "b/s")
    }
    try expect(0, job, in: "b/s")
    try expectSame("b/o/f")
    try expect(0, "clean", in: "b/s")
    let names = try FileSystem.names(in: directory.file("b").appending("s"))
    #expect(names.isEmpty, "\(names)")
  }

  @Test("no link stays that leads to where the output was", arguments: ["p", "."])
  func movedOutput(place: String) throws {
    try shell("mkdir o")
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    try kill(
      "merge -q --consume --checkpoint=8192 -o o/g f.001",
      "rename@f.003.cleave-rest#1=kill"
    )
    try shell("mkdir -p \(place); mv o/.g* \(place)")
    try expect(0, "merge -q --consume --checkpoint=8192 -o \(place)/g f.003")
    try expectSame("\(place)/g")
    #expect(try hidden() == [])
  }

  @Test(
    "a job goes on where it was copied to, once it is gone where it was",
    arguments: [
      ("merge -q --consume --checkpoint=65536 f.001", ""),
      ("merge -q --consume --checkpoint=65536 f.001", "f.sfv"),
      ("split -q --consume --checkpoint=65536 --manifest=none -b 262144 f", "f"),
    ],
    ["auto", "never"]
  )
  func movedAcross(job: (line: String, removed: String), holes: String) throws {
    try shell("mkdir a")
    try write("a/f", 1 << 20)
    let isMerge = job.line.hasPrefix("merge")
    if isMerge {
      try expect(0, "split -q -b 262144 f", in: "a")
      try shell("cd a; rm f \(job.removed)")
    }
    try kill(job.line, "fsync@.f.cleave-journal#7=kill", in: "a")
    // As on another file system, each file has another inode.
    try shell("cp -a --sparse=\(holes) a b")
    try expect(75, job.line, "goes on only where it was begun", in: "b")
    try shell("mv a c; rm -r c")
    // What another job has left has another time.
    try shell(
      "cd b; for n in *-rest; do cp -p $n x; touch x; mv x $n.new; mv $n $n.old; mv $n.new $n; done"
    )
    try expect(75, job.line, "", in: "b")
    try shell("cd b; for n in *-rest; do mv $n.old $n; done")
    try kill(job.line, "fsync@.f.cleave-journal#5=kill", in: "b")
    // Back where it was, from elsewhere.
    try shell("cp -a b c; rm -r b; cp -a c b")
    let isUntold = job.removed == "f.sfv"
    if isUntold { try expect(75, job.line, "--manifest=none takes it as it is", in: "b") }
    if !isMerge {
      try expect(75, job.line, "or where all of it is moved to", in: "b")
      try shell("mv b d")
    }
    try expect(0, job.line + (isUntold ? " --manifest=none" : ""), in: isMerge ? "b" : "d")
    if !isMerge { try shell("mv d b") }
    if !isMerge { try shell("cat b/f.00* > b/f; rm b/f.00*") }
    try expectSame("b/f", 1 << 20)
    let names = try FileSystem.names(in: directory.file("b"))
    #expect(Set(names).isSubset(of: ["f", "f.sfv"]), "\(names)")
  }

  @Test func whatWasFreedSinceTheJournalWasCopiedIsNoZeros() throws {
    try shell("mkdir a b")
    try write("a/f", 1 << 20)
    try expect(0, "split -q --manifest=none -b 262144 f", in: "a")
    try shell("rm a/f")
    let line = "merge -q --consume --checkpoint=65536 f.001"
    try kill(line, "fsync@.f.cleave-journal#6=kill", in: "a")
    try shell("cp -a a/.f.cleave-journal b")
    try kill(line, "fsync@.f.cleave-journal#4=kill", in: "a")
    try shell("cp -a --sparse=never a/.*-tmp-* a/f.* b; rm -r a")
    try expect(65, line, "is a copy, and has zeros from", in: "b")
  }

  @Test(
    "what is left of a part does not take the place of what was made of it",
    arguments: ["auto", "never"]
  )
  func renamedCopy(holes: String) throws {
    try shell("mkdir a")
    try write("a/f", 1 << 20)
    try expect(0, "split -q --manifest=none -b 524288 f", in: "a")
    try shell("rm a/f")
    let line = "merge -q --consume --checkpoint=65536 f.001"
    try kill(line, "fsync@.f.cleave-journal#6=kill", in: "a")
    try shell(
      "cp -a --sparse=\(holes) a b; rm -r a; cd b; mv f.001.cleave-rest x; touch x; cp x f.001"
    )
    let text = "f.001: seems to be what is left of the file that the job was begun with"
    try expect(75, line + " --manifest=none", text, in: "b")
  }

  @Test func whatNoListProvesAnyMoreIsNoCopy() throws {
    try shell("mkdir a")
    try write("a/f", 1 << 20)
    try expect(0, "split -q -b 262144 f", in: "a")
    try shell("rm a/f")
    let line = "merge -q --consume --checkpoint=65536 f.001"
    try kill(line, "fsync@.f.cleave-journal#7=kill", in: "a")
    try shell("cp -a a b; rm -r a")
    try expect(75, line + " --manifest=none", "or by the list that it was begun by", in: "b")
    try expect(0, line, in: "b")
    try expectSame("b/f", 1 << 20)
  }

  @Test func whatIsLeftIsKeptForAJobThatIsAway() throws {
    try shell("mkdir o")
    try write("f", 1 << 20)
    try expect(0, "split -q --manifest=none -b 262144 f")
    try shell("rm f")
    let line = "merge -q --consume --checkpoint=65536 -o o/g f.001"
    try kill(line, "fsync@.g.cleave-journal#7=kill")
    try shell("mv o away")
    try expect(75, "clean -f", "its drive may have to be mounted")
    try shell("mv away o")
    try expect(0, line)
    try expectSame("o/g", 1 << 20)
  }

  @Test func whatProvedItselfGoesOnBesideAText() throws {
    try write("w")
    try shell(
      "gzip -n < w > f.dat; rm w; split -a 3 -d -b 8192 --numeric-suffixes=1 f.dat f.dat.; rm f.dat"
    )
    try shell("md5sum f.dat.* > README")
    let line = "merge -q --consume --checkpoint=4096 f.dat.001"
    try kill(line, "rename@f.dat.002.cleave-rest#1=kill")
    try expect(0, line)
    try shell("gzip -dc f.dat > f")
    try expectSame("f")
  }

  @Test func aMovedOutputIsNamed() throws {
    try shell("mkdir p o")
    try write("p/f")
    try expect(0, "split -q --manifest=none -b 8192 f", in: "p")
    try shell("rm p/f")
    let job = "merge -q --consume --checkpoint=8192 -o o/g p/f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill")
    try shell("mv o o2")
    let home = directory.file("o2")
    let line = "merge -q --consume --checkpoint=8192 -o \(home)/g p/f.001"
    try expect(75, "clean o2", "'cleave \(line)' goes on")
    try expect(
      66,
      "merge -q -o x p/f.003",
      "an interrupted run may have it: 'cleave clean p' tells more"
    )
    try expect(0, line)
    try expectSame("o2/g")
    #expect(try FileSystem.names(in: directory.file("p")).isEmpty)
  }

  @Test func aListThatCameSinceIsNotPassedOver() throws {
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    let job = "merge -q --consume --checkpoint=8192 f.001"
    try kill(job, "rename@f.003.cleave-rest#1=kill")
    try shell("echo '0123456789abcdef0123456789abcdef  f.004' > B3SUMS")
    try expect(65, job, "B3SUMS: has sums of BLAKE3")
    try expect(0, "merge -q --consume --manifest=none --checkpoint=8192 f.001")
    try expectSame("f")
  }

  @Test func aRunAtWorkWasNotInterrupted() throws {
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try shell("rm f")
    let line = "merge -q --consume --checkpoint=8192 f.001"
    let job = try start(line, "rename@f.003.cleave-rest#1=stop")
    #expect(try job.waitUntilStopped())
    try expect(66, "merge -q -o x f.004", "a run at work has")
    job.send(.resume)
    #expect(try job.wait().exitCode == 0)
    try expectSame("f")
  }

  // MARK: Marks and receipts

  @Test func whatGivesUpAnotherDivisionIsNamed() throws {
    try write("f")
    try expect(0, "split -q --share=1/2 -b 8192 f")
    let outcome = try expect(73, "split -q --share=1/3 -b 8192 f", "divided into 2 shares")
    let words = outcome.errorText.split(separator: "'").dropFirst()
    try expect(0, try #require(words.first.map { String($0.dropFirst("cleave ".utf8.count)) }))
    #expect(try hidden() == [])
    try shell("rm f.00*")
    for number in 1...3 { try expect(0, "split -q --share=\(number)/3 -b 8192 f") }
  }

  @Test func aShareThatIsRunAgainLeavesNoMark() throws {
    try write("f")
    try kill("split -q --share=1/2 -b 8192 f", "unlink@cleave-naming#1=kill")
    for number in 1...2 { try expect(0, "split -q --share=\(number)/2 -b 8192 f") }
    #expect(try hidden() == [])
    try shell("rm f f.sfv")
    try expect(0, "merge -q -o x f.001")
  }

  @Test func aMarkEndsWhereAllHadTheirNames() throws {
    try write("f")
    try kill("split -q --manifest=none -b 8192 f", "unlink@cleave-naming#1=kill")
    try shell("rm f; cp f.003 t; mv t f.003")
    try expect(0, "merge -n -o x f.001")
    // The last part may still be missed.
    try shell("mv f.005 t")
    try expect(66, "merge -n -o x f.001", "they may be of two sets")
    try expect(75, "clean")
    try shell("mv t f.005")
    try expect(0, "clean")
    #expect(try hidden() == [])
    try expect(0, "merge -q -o x f.001")
    try expectSame("x")
  }

  @Test(
    "parts of two sets are doubted, also where what had no names yet was removed",
    arguments: ["", "--resume "],
    2...5
  )
  func twoSets(option: String, rename: Int) throws {
    try write("f")
    try expect(0, "split -q --manifest=none -b 8192 f")
    try write("f", seed: 2)
    let line = "split -q -f --manifest=none -b 8192 \(option)f"
    let first = option.isEmpty ? 5 : 1
    let part = option.isEmpty ? first + 1 - rename : first + rename - 1
    try kill(line, "rename@f.00\(part)#1=kill")
    try shell("rm .f.*cleave-tmp* .f.cleave-journal; true")
    try expect(66, "merge -n -o x f.001", "run it again with --force")
    try expect(75, "clean")
    try expect(0, line)
    try expect(0, "merge -q -o x f.001")
    try expectSame("x", seed: 2)
  }

  @Test(
    "a split of which only receipts are left is complete",
    arguments: ["split --share=2/2 -b 8192 f", "split --share=1/2 -b 8192 f", "finish f"]
  )
  func completed(line: String) throws {
    try write("f")
    try expect(0, "split -q --share=1/2 -b 8192 f")
    try kill("split -q --share=2/2 -b 8192 f", "unlink@cleave-share#1=kill")
    try shell("sed 's/^f.003 ......../f.003 00000000/' f.sfv >l; mv f.sfv k; cp l f.sfv")
    try expect(73, line, "f.sfv: exists: where it is of these shares, all of them are done")
    try shell("mv k f.sfv; rm l")
    try expect(0, line, "f: all shares are done")
    if line.hasPrefix("split") {
      try expect(73, line, "f.sfv: exists: where it is of these shares, all of them are done")
    }
    #expect(try hidden() == [])
    try expect(0, "merge -q -o x f.001")
  }
}
