import Posix
import TestSupport
import Testing

/// Runs that were interrupted, and those that go on.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ResumeTests {
  @Test(arguments: StagedJob.Kind.allCases, engines)
  func aKilledRunIsGoneOnWith(kind: StagedJob.Kind, engine: String) throws {
    let job = try StagedJob(kind)
    try job.kill(engine)
    let outcome = try job.run(engine)
    try job.expectDone(outcome)
    let isSaid = outcome.errorText.contains("going on, ") && !outcome.errorText.contains(", 0 of")
    #expect(isSaid, "\(outcome)")
  }

  @Test(arguments: StagedJob.Kind.allCases)
  func whatOneEngineBeganAnotherEnds(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    for (number, engine) in engines.enumerated() where number < 3 {
      let outcome = try job.run(engine, faults: "write@.cleave-tmp#2=kill")
      #expect(outcome.signal == .kill, "\(outcome)")
    }
    try job.expectDone(try job.run("direct"))
  }

  @Test(arguments: StagedJob.Kind.allCases)
  func withoutAJournalResumeBegins(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.expectDone(try job.run())
  }

  @Test(arguments: engines)
  func partsOfLinesAreGoneOnWith(engine: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("f")
    let lines = (0..<9000).map { number in
      Bytes.pattern(count: number % 97, seed: UInt64(number)).map { $0 | 16 } + [10]
    }
    try Files.write(Array(lines.joined()), to: file)
    func run(_ count: Int, faults: String? = nil) throws -> Outcome {
      let options = ["--resume", "--checkpoint=50K", "--engine", engine]
      let environment = try faults.map { try FaultShim.environment($0) } ?? [:]
      return try Tool.cleave.run(
        ["split", "-l", count, file] + options,
        environment: environment
      )
    }
    #expect(try run(4000, faults: "fsync@.cleave-journal#4=kill").signal == .kill)
    let other = try run(3000)
    #expect(other.exitCode == 73, "\(other)")
    #expect(other.errorText.contains("was begun by a run that makes other parts"), "\(other)")
    let outcome = try run(4000)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText.contains("going on, "), "\(outcome)")
    #expect(try directory.names() == ["f", "f.001", "f.002", "f.003", "f.sfv"])
    for (number, start) in [0, 4000, 8000].enumerated() {
      let part = Array(lines[start..<min(start + 4000, 9000)].joined())
      #expect(try Files.read(directory.file(FilePath("f.00\(number + 1)"))) == part)
    }
  }

  /// The journal cannot be had, or is cut short at any of its bytes.
  @Test(arguments: [StagedJob.Kind.merge, .split])
  func aTornJournalCountsAsFarAsItGoes(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.kill()
    let journal = job.directory.file(".file.cleave-journal")
    let whole = try Files.read(journal)
    let left = try Contents(of: job.directory.path)
    for count in stride(from: 0, to: whole.count, by: 37) {
      try job.removeWhatWasMade()
      try left.restore(in: job.directory.path) { $0.bytes.first == UInt8(ascii: ".") }
      try Files.write(Array(whole[..<count]), to: journal)
      let outcome = try job.run()
      // Without its beginning the temporaries are nobody's; another kind of run would report them.
      for name in try job.directory.names() where TemporaryNames.isOne(name) {
        TemporaryDirectory.remove(job.directory.file(name))
      }
      try job.expectDone(outcome)
    }
  }

  /// A byte of what was kept is another one.
  @Test(arguments: StagedJob.Kind.allCases)
  func whatIsKeptIsLookedAt(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.kill()
    let damaged = try #require(
      try job.directory.names().sorted().first(where: TemporaryNames.isOne)
    )
    var bytes = try Files.read(job.directory.file(damaged))
    bytes[70_000] ^= 1
    try Files.write(bytes, to: job.directory.file(damaged))
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    guard kind.consumes else { return try job.expectDone(outcome) }
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  @Test(arguments: StagedJob.Kind.allCases)
  func sourcesThatWereChangedAreRefused(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.kill(atCheckpoint: 3)
    let name: FilePath = kind.merges ? "file.004" : kind.consumes ? "file.cleave-rest" : "file"
    let path = job.directory.file(name)
    var bytes = try Files.read(path)
    bytes[bytes.count / 2] ^= 1
    // Another file under the same name.
    try Files.write(bytes, to: job.directory.file("x"))
    try FileSystem.rename(job.directory.file("x"), replacing: path)
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    let changes = try Contents(of: job.directory.path).changes(since: before)
    if kind == .mergeConsuming {
      // It was not read yet, and could have been a better one.
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(outcome.errorText.contains("put a good file.004 in its place"), "\(outcome)")
      #expect(changes == [".file.cleave-journal is another"])
    } else {
      #expect(outcome.exitCode == 75, "\(outcome)")
      #expect(changes == [])
    }
  }

  /// A byte that was copied is another one by now, and the time is what it was; or nothing is another.
  @Test(arguments: [StagedJob.Kind.merge, .split], [true, false])
  func anEditThatKeepsTheTimeIsSeen(kind: StagedJob.Kind, isEdit: Bool) throws {
    let job = try StagedJob(kind)
    try job.kill(atCheckpoint: 3)
    let path = job.directory.file(kind.merges ? "file.001" : "file")
    let words =
      isEdit
      ? "cp -p $1 t; printf x | dd of=$1 bs=1 seek=9 conv=notrunc; touch -r t $1; rm t"
      : "chmod 600 $1"
    _ = try Tool.shell.run(["-c", words, "sh", path], workingDirectory: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == (isEdit ? 75 : 0), "\(outcome)")
    #expect(outcome.errorText.contains("was changed since the job was begun") == isEdit)
  }

  @Test func anotherJobIsNotTakenForThisOne() throws {
    let split = try StagedJob(.split)
    try split.kill()
    let file = split.directory.file("file")
    let outcome = try Tool.cleave.run(["split", "--resume", "-b", "100K", file])
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(
      split.lines(outcome) == "cleave: .file.cleave-journal: was begun by a run that makes other "
        + "parts; 'cleave split -b 300000,200001,1,150000 file --engine auto --checkpoint=130K "
        + "--resume' goes on, or 'cleave clean \(split.directory.path)' removes it\n"
    )
    try split.expectDone(try split.run(named: outcome))
    let merge = try StagedJob(.merge)
    try merge.kill()
    let other = merge.directory.file("other.001")
    try Files.write([1, 2, 3], to: other)
    let output = merge.directory.file("file")
    let merged = try Tool.cleave.run(["merge", "--resume", "-o", output, other])
    #expect(merged.exitCode == 73, "\(merged)")
  }

  /// What decides which bytes are made is said each time.
  @Test func otherOptionsAreNotThoseThatItWasBegunWith() throws {
    let merge = try StagedJob(.merge)
    let output = merge.directory.file("file")
    let part = merge.directory.file("file.001")
    func run(_ options: [any ToolArgument], faults: String? = nil) throws -> Outcome {
      let words: [any ToolArgument] = ["merge", "--resume", "--checkpoint=130K", "-o", output]
      return try Tool.cleave.run(
        words + options,
        environment: try faults.map { try FaultShim.environment($0) } ?? [:]
      )
    }
    let fault = "fsync@.cleave-journal#3=kill"
    let begun: [[any ToolArgument]] = [
      ["--last=3", part], [part], ["--as-given", part, merge.directory.file("file.002")],
    ]
    for words in begun {
      #expect(try run(words, faults: fault).signal == .kill)
      let others: [[any ToolArgument]] = [
        [part], ["--last=3", part], ["--last=2", part], ["--header", part], ["--format=raw", part],
        ["--as-given", part],
      ]
      for other in others where "\(other)" != "\(words)" {
        let outcome = try run(other)
        #expect(outcome.exitCode == 73, "\(other) behind \(words): \(outcome)")
        let text = "was begun with other options for which parts are joined, and how; 'cleave merge"
        #expect(outcome.errorText.contains(text), "\(outcome)")
      }
      let done = try run(words)
      #expect(done.exitCode == 0, "\(words): \(done)")
      try FileSystem.unlink(output)
    }
  }

  /// How a list is found when a job begins, which goes on by it when parts are gone.
  struct ListRow: Sendable, CustomTestStringConvertible {
    var name: String
    var moves = ""
    /// What each list has.
    let lists: [(list: String, files: [String])]
    var operands = ["x.001"]
    /// A part that is gone when the job goes on.
    var gone = "x.002"
    var output = ["-o", "film"]
    var options = ["--consume"]
    var isWhole = true
    var testDescription: String { name }
  }

  static let listRows = [
    ListRow(name: "of the output", lists: [("film.sfv", ["film"])]),
    ListRow(
      name: "in several directories",
      moves: "mkdir a b; mv x.001 x.002 a; mv x.00? b",
      lists: [("a/s.sfv", ["a/x.001", "a/x.002"]), ("b/s.sfv", ["b/x.003", "b/x.004"])],
      operands: ["a/x.001", "a/x.002", "b/x.003", "b/x.004"],
      gone: "a/x.002"
    ),
    ListRow(
      name: "of files without a common name",
      moves: "mv x.001 one; mv x.002 two; mv x.003 three; mv x.004 four",
      lists: [("s.sfv", ["one", "two", "three", "four"])],
      operands: ["one", "two", "three", "four"],
      gone: "two"
    ),
    ListRow(
      name: "of some parts",
      lists: [("x.001.sfv", ["x.001"]), ("x.002.sfv", ["x.002"])],
      isWhole: false
    ),
    ListRow(
      name: "of a directory below it, as the operand",
      moves: "mkdir a; mv x.00? a",
      lists: [("s.sfv", ["a/x.001", "a/x.002", "a/x.003", "a/x.004"])],
      operands: ["s.sfv"],
      gone: "a/x.002"
    ),
    ListRow(
      name: "of a directory below it, where the output goes, too",
      moves: "mkdir a; mv x.00? a",
      lists: [("s.sfv", ["a/x.001", "a/x.002", "a/x.003", "a/x.004"])],
      operands: ["s.sfv"],
      gone: "a/x.002",
      output: []
    ),
    ListRow(
      name: "of a directory that its parts were moved out of, as the operand",
      lists: [("s.sfv", ["a/x.001", "a/x.002", "a/x.003", "a/x.004"])],
      operands: ["s.sfv"]
    ),
    ListRow(
      name: "of the whole in a directory below it, as the operand",
      moves: "mkdir a; mv x.00? a",
      lists: [("s.sfv", ["a/x"])],
      operands: ["s.sfv"],
      gone: "a/x.002"
    ),
    ListRow(
      name: "of two directories below it, as the operand",
      moves: "mkdir a b; mv x.001 x.003 a; mv x.00? b",
      lists: [("s.sfv", ["a/x.001", "a/x.003", "b/x.002", "b/x.004"])],
      operands: ["s.sfv"],
      gone: "b/x.002"
    ),
    ListRow(
      name: "of two directories below it, with the output in a third",
      moves: "mkdir a b c; mv x.001 x.003 a; mv x.00? b",
      lists: [("s.sfv", ["a/x.001", "a/x.003", "b/x.002", "b/x.004"])],
      operands: ["s.sfv"],
      gone: "b/x.002",
      output: ["-o", "c/film"]
    ),
  ].flatMap { row in
    guard row.operands == ["s.sfv"] else { return [row] }
    var other = row
    (other.name, other.options) = ("\(row.name), with --resume", ["--resume"])
    return [row, other]
  }

  /// What an SFV file has of a file.
  private static func line(_ name: String, _ bytes: [UInt8]) -> String {
    let digits = String(ZipCoding.checksum(bytes), radix: 16)
    return "\(name) \(String(repeating: "0", count: 8 - digits.count))\(digits)\n"
  }

  /// Parts `x.001` and so on of 100,000 bytes; returns all of them.
  private func parts(_ count: Int, in directory: TemporaryDirectory) throws -> [UInt8] {
    let bytes = Bytes.pattern(count: count * 100_000)
    for (index, part) in bytes.cut(to: 100_000).enumerated() {
      try Files.write(part, to: directory.file(FilePath("x.00\(index + 1)")))
    }
    return bytes
  }

  @Test("a job goes on by the list that it was begun by", arguments: listRows)
  func lists(row: ListRow) throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(4, in: directory)
    let moved = try Tool.shell.run(["-ec", row.moves], workingDirectory: directory.path)
    try #require(moved.exitCode == 0, "\(moved)")
    for (list, files) in row.lists {
      let lines = try files.map { file in
        let isWhole = ["film", "a/x"].contains(file)
        let path = directory.file(FilePath(file))
        let isMoved = try !isWhole && !Files.exists(path)
        let place = isMoved ? directory.file(path.lastComponent) : path
        let found = isWhole ? bytes : try Files.read(place)
        let isBelow = row.operands == [list]
        return Self.line(isBelow ? file : "\(FilePath(file).lastComponent)", found)
      }
      try Files.write(Array(lines.joined().utf8), to: directory.file(FilePath(list)))
    }
    func run(_ faults: String?) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", "--checkpoint=50K"] + row.options + row.output + row.operands,
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: directory.path
      )
    }
    // By then the first two parts are gone.
    let killed = try run("fsync@.cleave-journal#7=kill")
    #expect(killed.signal == .kill)
    let consumes = row.options == ["--consume"]
    if consumes {
      #expect(killed.errorText.contains("nothing proves") != row.isWhole, "\(killed)")
    }
    #expect(try Files.exists(directory.file(FilePath(row.gone))) != consumes)
    let outcome = try run(nil)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText.contains("going on, "), "\(outcome)")
    #expect(
      outcome.outputText.contains(row.isWhole ? ", as in " : ", in part as in "),
      "\(outcome)"
    )
    let output = directory.file(FilePath(row.output.last ?? "a/x"))
    #expect(try Files.read(output) == bytes)
  }

  /// A list that comes while a job of parts in several directories is interrupted.
  @Test(arguments: ["--consume", "--resume"], ["s.sfv", "a/s.sfv", "b/s.sfv"])
  func aPartInALaterListIsNotPassedOver(option: String, list: String) throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(3, in: directory)
    let moves = "mkdir a b; mv x.001 x.002 a; mv x.003 b"
    let moved = try Tool.shell.run(["-ec", moves], workingDirectory: directory.path)
    try #require(moved.exitCode == 0, "\(moved)")
    let operands = ["a/x.001", "a/x.002", "b/x.003"]
    func run(_ options: [String], _ faults: String? = nil) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", "--checkpoint=50K", "-o", "o", option] + options + operands,
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: directory.path
      )
    }
    #expect(try run([], "fsync@.cleave-journal#5=kill").signal == .kill)
    let place = FilePath(list).directory
    let lines = zip(operands, bytes.cut(to: 100_000)).filter { file, _ in
      place == "." || FilePath(file).directory == place
    }
    .map { Self.line(place == "." ? $0 : "\(FilePath($0).lastComponent)", $1) }
    let other = place == "." ? "b/x.004" : "x.004"
    try Files.write(
      Array((lines.joined() + "\(other) 12345678\n").utf8),
      to: directory.file(FilePath(list))
    )
    let later = try run([])
    #expect(later.exitCode == 66, "\(later)")
    let text =
      "\(list): has x.004, which the job was not begun with: --manifest=none goes on without it"
    #expect(later.errorText.contains(text), "\(later)")
    try Files.write(Array(lines.joined().utf8), to: directory.file(FilePath(list)))
    let done = try run([])
    #expect(done.exitCode == 0, "\(done)")
    #expect(try Files.read(directory.file("o")) == bytes)
  }

  /// What came since the job was begun: a part behind the last one, and a list.
  @Test(arguments: [false, true])
  func whatCameSinceIsNotPassedOver(consumes: Bool) throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(3, in: directory)
    func run(_ options: [String] = [], _ faults: String? = nil) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", consumes ? "--consume" : "--resume", "--checkpoint=50K", "x.001"] + options,
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: directory.path
      )
    }
    #expect(try run([], "fsync@.cleave-journal#5=kill").signal == .kill)
    try Files.write([1], to: directory.file("x.004"))
    let later = try run()
    let text =
      "cleave: x.004: has come since the job was begun: --last=003 goes on without it"
      + (consumes
        ? "\n" : ", or 'cleave clean' gives up what is done, and the next run begins anew\n")
    #expect(later.exitCode == 75 && later.errorText.hasSuffix(text), "\(later)")
    try Files.write(Array("x.003 00000000\n".utf8), to: directory.file("x.003.sfv"))
    let listed = try run(["--last=3"])
    #expect(listed.exitCode == 65, "\(listed)")
    #expect(listed.errorText.contains("x.003.sfv: x.003 has CRC-32 "), "\(listed)")
    try FileSystem.unlink(directory.file("x.003.sfv"))
    if !consumes { #expect(try run(["--last=3"], "fsync@.cleave-journal#5=kill").signal == .kill) }
    let done = try run(["--last=3"])
    #expect(done.exitCode == 0, "\(done)")
    #expect(try Files.read(directory.file("x")) == bytes)
  }

  /// A job that was begun by a list above its parts, beside which another comes.
  @Test func aListAboveIsStillThere() throws {
    let directory = try TemporaryDirectory()
    let inner = try TemporaryDirectory(in: directory.path)
    let bytes = try parts(3, in: inner)
    func run(_ faults: String? = nil) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", "--resume", "--checkpoint=50K", "x.001"],
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: inner.path
      )
    }
    let lines = bytes.cut(to: 100_000).enumerated().map { index, part in
      Self.line("x.00\(index + 1)", part)
    }
    let below = lines.map { "\(inner.path.lastComponent)/\($0)" }
    try Files.write(Array(below.joined().utf8), to: directory.file("above.sfv"))
    #expect(try run("fsync@.cleave-journal#5=kill").signal == .kill)
    try Files.write(Array("x.002 00000000\n".utf8), to: inner.file("new.sfv"))
    let wrong = try run()
    #expect(wrong.exitCode == 65, "\(wrong)")
    #expect(wrong.errorText.contains("has another CRC-32 of x.002 than "), "\(wrong)")
    try Files.write(Array(lines.joined().utf8), to: inner.file("new.sfv"))
    let done = try run()
    #expect(done.exitCode == 0, "\(done)")
    #expect(done.outputText.contains("above.sfv"), "\(done)")
    #expect(try Files.read(inner.file("x")) == bytes)
  }

  /// Downloads come under another name first, and no part behind them is gone.
  @Test func badPartsInOneCheckpointAreReplacedTogether() throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(7, in: directory)
    let parts = bytes.cut(to: 100_000)
    let lines = parts.enumerated().map { Self.line("x.00\($0 + 1)", $1) }
    try Files.write(Array(lines.joined().utf8), to: directory.file("SUMS.sfv"))
    let bad = [("x.003" as FilePath, parts[2]), ("x.004", parts[3])]
    for (name, part) in bad { try Files.write(part.map { $0 ^ 1 }, to: directory.file(name)) }
    func run() throws -> Outcome {
      try Tool.cleave.run(
        ["merge", "--consume", "--checkpoint=150K", "x.001"],
        workingDirectory: directory.path
      )
    }
    let first = try run()
    #expect(first.exitCode == 65 && first.errorText.contains("x.003"), "\(first)")
    for (name, part) in bad {
      try Files.write(part, to: directory.file("new"))
      try FileSystem.rename(directory.file("new"), replacing: directory.file(name))
    }
    let done = try run()
    #expect(done.exitCode == 0, "\(done)")
    #expect(try Files.read(directory.file("x")) == bytes)
  }

  /// Such a job would begin anew, without the part.
  @Test(arguments: [["--resume"], ["--consume"]])
  func aPartThatIsGoneOfAJobThatHasDoneNothingIsMissing(options: [String]) throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(3, in: directory)
    func run(_ options: [String], _ faults: String? = nil) throws -> Outcome {
      try Tool.cleave.run(
        ["merge"] + options + ["x.001"],
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: directory.path
      )
    }
    #expect(try run(options, "fsync@.cleave-journal#1=kill").signal == .kill)
    try FileSystem.rename(directory.file("x.003"), toNew: directory.file("away"))
    for options in [options, []] {
      let outcome = try run(options)
      #expect(
        outcome.exitCode == 66 && outcome.errorText.contains("x.003: is missing"),
        "\(outcome)"
      )
    }
    try FileSystem.rename(directory.file("away"), toNew: directory.file("x.003"))
    #expect(try run(options).exitCode == 0)
    #expect(try Files.read(directory.file("x")) == bytes)
  }

  /// What comes while a job is interrupted, with a list of its parts beside them or none.
  @Test(arguments: [false, true], [false, true])
  func whatAJobDoesNotHaveEndsIt(consumes: Bool, isListed: Bool) throws {
    let directory = try TemporaryDirectory()
    let bytes = try parts(3, in: directory)
    func run(_ faults: String? = nil) throws -> Outcome {
      try Tool.cleave.run(
        ["merge", consumes ? "--consume" : "--resume", "--checkpoint=50K", "x.001"],
        environment: try faults.map { try FaultShim.environment($0) } ?? [:],
        workingDirectory: directory.path
      )
    }
    let list = bytes.cut(to: 100_000).enumerated().map { index, part in
      Self.line("x.00\(index + 1)", part)
    }
    let listed = directory.file("SUMS.sfv")
    if isListed { try Files.write(Array(list.joined().utf8), to: listed) }
    #expect(try run("fsync@.cleave-journal#5=kill").signal == .kill)
    for name in ["x.004", "x.005", "X.004", "x.004.crdownload"] as [FilePath] {
      try Files.write([1], to: directory.file(name))
      let outcome = try run()
      #expect(outcome.exitCode == 75, "\(name): \(outcome)")
      #expect(outcome.errorText.contains("\(name)"), "\(outcome)")
      try FileSystem.unlink(directory.file(name))
    }
    if isListed {
      try Files.write(Array((list.joined() + "x.004 00000000\n").utf8), to: listed)
      let outcome = try run()
      #expect(outcome.exitCode == 75, "\(outcome)")
      #expect(outcome.errorText.contains("SUMS.sfv: has x.004"), "\(outcome)")
      try Files.write(Array(list.joined().utf8), to: listed)
      let other = directory.file("x.sfv")
      for (line, code) in [("x.004 00000000\n", 75), ("x.002 00000000\n", 65)] as [(String, CInt)] {
        try Files.write(Array((list[0] + line).utf8), to: other)
        let outcome = try run()
        #expect(outcome.exitCode == code, "\(outcome)")
        #expect(outcome.errorText.contains("cleave: x.sfv: "), "\(outcome)")
      }
      try FileSystem.unlink(other)
    }
    let done = try run()
    #expect(done.exitCode == 0, "\(done)")
    #expect(try Files.read(directory.file("x")) == bytes)
  }

  /// Nothing is given up that was not asked for.
  @Test(arguments: [StagedJob.Kind.mergeConsuming, .merge])
  func consumingIsAskedForEachTime(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    try job.kill()
    let before = try Contents(of: job.directory.path)
    let outcome = try Tool.cleave.run(
      ["merge", kind.consumes ? "--resume" : "--consume", job.directory.file("file.004")]
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    let which = kind.consumes ? "with" : "without"
    #expect(job.lines(outcome).hasPrefix("cleave: .file.cleave-journal: was begun \(which) --con"))
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// Parts and the whole have the same name, each in a directory of its own.
  @Test(arguments: [[], ["--consume"]]) func namesMayBeTheSame(option: [String]) throws {
    let directory = try TemporaryDirectory()
    let whole = Bytes.pattern(count: 600_000)
    var operands: [any ToolArgument] = []
    for (index, name) in ["a", "b"].enumerated() {
      try Files.makeDirectory(directory.file(FilePath(name)))
      let part = directory.file(FilePath("\(name)/x"))
      try Files.write(Array(whole[(index * 300_000)..<((index + 1) * 300_000)]), to: part)
      operands.append(part)
    }
    let command: [any ToolArgument] =
      ["merge", "--resume", "--checkpoint=100K", "-o", directory.file("x")] + option + operands
    for checkpoint in [3, 4] {
      let faults = try FaultShim.environment("fsync@.cleave-journal#\(checkpoint)=kill")
      #expect(try Tool.cleave.run(command, environment: faults).signal == .kill)
    }
    let outcome = try Tool.cleave.run(command)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(Bytes.difference(try Files.read(directory.file("x")), whole) == nil)
    #expect(try Files.exists(directory.file("b/x")) == option.isEmpty)
  }

  @Test(arguments: [90, 200, 243]) func namesMayBeLong(length: Int) throws {
    let directory = try TemporaryDirectory()
    let name = FilePath(String(repeating: "n", count: length - 4))
    let whole = Bytes.pattern(count: 300_000)
    try Files.write(whole, to: directory.file(name))
    for command in [["split", "-b", "100K"], ["merge"]] {
      let operand = directory.file(command[0] == "split" ? name : name.adding(".001"))
      let arguments: [any ToolArgument] =
        command + ["--consume", "--checkpoint=64K", "--manifest=none", operand]
      let faults = try FaultShim.environment("fsync@.cleave-journal#3=kill")
      #expect(try Tool.cleave.run(arguments, environment: faults).signal == .kill)
      let outcome = try Tool.cleave.run(arguments)
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    // Nothing proves parts without a manifest, and so their sums stay.
    #expect(try directory.names().sorted() == [name, name.adding(".sfv")])
    #expect(Bytes.difference(try Files.read(directory.file(name)), whole) == nil)
  }

  /// As far as it got, it is kept; the line says so.
  @Test(arguments: StagedJob.Kind.allCases, engines)
  func aFullDiskIsGoneOnFrom(kind: StagedJob.Kind, engine: String) throws {
    let job = try StagedJob(kind)
    let outcome = try job.run(engine, faults: "write@.cleave-tmp#3+=ENOSPC")
    #expect(outcome.exitCode == 74, "\(outcome)")
    let text =
      "No space left on device (ENOSPC); what is done is kept; once that is put right, 'cleave "
    #expect(outcome.errorText.contains(text), "\(outcome)")
    #expect(outcome.errorText.hasSuffix("' goes on\n"), "\(outcome)")
    try job.expectDone(try job.run(named: outcome))
  }

  /// Nothing had been entered yet.
  @Test(arguments: StagedJob.Kind.allCases)
  func whatIsOfNoUseIsNotKept(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let before = try Contents(of: job.directory.path)
    for faults in ["write@.cleave-tmp=EIO", "write@.cleave-journal=ENOSPC", "fsync=EIO"] {
      let outcome = try job.run(faults: faults)
      #expect(outcome.exitCode == 74, "\(outcome)")
      #expect(outcome.errorText.split(separator: "\n").count <= 2)
      #expect(try Contents(of: job.directory.path).changes(since: before) == [], "\(faults)")
    }
  }

  /// A manifest contradicts: other parts are needed, and with them another job.
  @Test func aMergeThatTurnsOutWrongLeavesNothing() throws {
    let job = try StagedJob(.merge)
    let part = job.directory.file("file.002")
    var bytes = try Files.read(part)
    bytes[5] ^= 1
    try Files.write(bytes, to: part)
    let before = try Contents(of: job.directory.path)
    let outcome = try job.run()
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try Contents(of: job.directory.path).changes(since: before) == [])
  }

  /// A name is complete from when it is given, and not before.
  @Test func aDirectoryThatCannotBeFlushedIsToldOf() throws {
    let job = try StagedJob(.merge)
    var told: Set<Bool> = []
    for number in 1... {
      try job.restore()
      let outcome = try job.run(faults: "fsync@\(job.directory.path)#\(number)=EIO")
      if outcome.exitCode == 0 { break }
      guard outcome.errorText.contains("fsync of the directory failed: ") else { continue }
      let isNamed = try Files.exists(job.directory.file("file"))
      told.insert(isNamed)
      let start = isNamed ? "complete, durability unconfirmed: fsync" : "fsync"
      #expect(job.lines(outcome).hasPrefix("cleave: file: \(start) of the directory failed: "))
      #expect(outcome.exitCode == 74, "\(outcome)")
      try job.expectDone(try job.run())
    }
    #expect(told == [false, true])
  }

  @Test(arguments: StagedJob.Kind.allCases)
  func aSignalLeavesWhatCanBeGoneOnWith(kind: StagedJob.Kind) throws {
    let job = try StagedJob(kind)
    let tool = try Tool.cleave.start(
      job.arguments(),
      environment: FaultShim.environment(
        "write@.cleave-tmp#4=stop; write@.cleave-tmp#5+=delay:300"
      )
    )
    #expect(try tool.waitUntilStopped())
    let journal = try Files.text(job.directory.file(".file.cleave-journal"))
    #expect(journal.contains("round"))
    // It is there when the program goes on.
    tool.send(.interrupt)
    tool.send(.resume)
    let outcome = try tool.wait()
    #expect(outcome.signal == .interrupt, "\(outcome)")
    try job.expectDone(try job.run())
  }

  /// Parts whose names are bytes, and spaces.
  @Test func namesAreBytes() throws {
    let directory = try TemporaryDirectory()
    let name = FilePath(bytes: Array("a b%\n".utf8) + [0xFF])
    let whole = Bytes.pattern(count: 300_000)
    try Files.write(whole, to: directory.file(name))
    let plain: [any ToolArgument] = [
      "split", "--consume", "--checkpoint=64K", "-b", "100K", directory.file(name),
    ]
    let refused = try Tool.cleave.run(plain)
    #expect(refused.exitCode == 64 && refused.errorText.contains("--manifest=none"), "\(refused)")
    #expect(try Files.read(directory.file(name)) == whole)
    let split = plain + ["--manifest=none"]
    let killed = try Tool.cleave.run(
      split,
      environment: FaultShim.environment("fsync@.cleave-journal#3=kill")
    )
    #expect(killed.signal == .kill, "\(killed)")
    let ended = try Tool.cleave.run(split)
    #expect(ended.exitCode == 0, "\(ended)")
    let merged = try Tool.cleave.run(
      ["merge", "--consume", directory.file(name.adding(".002"))]
    )
    #expect(merged.exitCode == 0, "\(merged)")
    #expect(try directory.names() == [name])
    #expect(Bytes.difference(try Files.read(directory.file(name)), whole) == nil)
  }

  /// Its directory is made anew from parts that are gone by then.
  @Test(arguments: engines) func aSplitZipIsGoneOnWith(engine: String) throws {
    for consuming in [[], ["--consume"]] {
      let parts = try ZipWriter(ZipWriterTests.entries).parts(of: 2000)
      let set = try ZipSet(parts)
      let whole = try ZipWriter(ZipWriterTests.entries).single()
      let arguments: [any ToolArgument] =
        ["merge", "--resume", "--checkpoint=1000", "--engine", engine] + consuming + [set.first]
      // The last of them, where nothing is consumed, is when all is done but for the journal.
      for point in ["fsync@.cleave-journal#4", "fsync@.cleave-journal#3", "unlink"] {
        let faults = try FaultShim.environment(point + "=kill")
        let outcome = try Tool.cleave.run(arguments, environment: faults)
        #expect(outcome.signal == .kill, "\(outcome)")
      }
      let outcome = try Tool.cleave.run(arguments)
      #expect(outcome.exitCode == 0, "\(outcome)")
      let made = try Files.read(set.directory.file("a.merged.zip"))
      #expect(Bytes.difference(made, whole) == nil)
      let names = try set.directory.names()
      #expect(names.count { $0.bytes.first == 0x2E } == 0)
      #expect(names.count == (consuming.isEmpty ? parts.count + 1 : 1), "\(names)")
    }
  }

  /// The directory, which the plan has of its own, is the last round, or all of the last parts.
  @Test(arguments: ["merge", "split"])
  func aZipGoesOnWhereOnlyItsDirectoryIsLeft(command: String) throws {
    let entries = (1...300).map { ZipEntry("entry \($0)", [UInt8($0 & 255)]) }
    let writer = ZipWriter(
      entries + [ZipEntry("large", Bytes.pattern(count: 70_000), method: .stored)]
    )
    let size = 64 << 10
    let whole = try writer.single()
    var kills = 0
    for number in 1...200 {
      let directory = try TemporaryDirectory()
      var words: [any ToolArgument] = [command, "--resume", "--checkpoint=4K"]
      if command == "merge" {
        for (index, part) in try writer.parts(of: size).enumerated() {
          let name = try index == writer.parts(of: size).count - 1 ? "a.zip" : "a.z0\(index + 1)"
          try Files.write(part, to: directory.file(FilePath(name)))
        }
        words += ["-o", "out.zip", "a.zip"]
      } else {
        try Files.write(whole, to: directory.file("a.zip"))
        words += ["--format=zip", "-b", "64K", "a.zip", "b"]
      }
      let faults = try FaultShim.environment("fsync#\(number)=kill")
      func run(_ environment: [String: String] = [:]) throws -> Outcome {
        try Tool.cleave.run(words, environment: environment, workingDirectory: directory.path)
      }
      let killed = try run(faults)
      if killed.exitCode == 0 { break }
      try #require(killed.signal == .kill, "\(killed)")
      kills += 1
      let outcome = try run()
      #expect(outcome.exitCode == 0, "\(number): \(outcome)")
      if command == "merge" {
        #expect(try Files.read(directory.file("out.zip")) == whole)
      }
    }
    #expect((10..<200).contains(kills))
  }
}

/// Names that files have while they are made.
enum TemporaryNames {
  static func isOne(_ name: FilePath) -> Bool {
    name.string?.contains(".cleave-tmp-") ?? false
  }
}
