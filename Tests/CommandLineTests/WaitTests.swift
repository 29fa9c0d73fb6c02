import Posix
import TestSupport
import Testing

/// Parts that come while they are waited for.
@Suite(.aside) struct WaitTests {
  // MARK: - Coming

  @Test(arguments: [[1, 2, 3], [3, 1, 2], [3, 2, 1], [2, 3, 1]])
  func partsComeInAnyOrder(order: [Int]) throws {
    let arriving = try Arriving()
    let tool = try arriving.start()
    var come: Set<Int> = []
    for number in order {
      #expect(try arriving.awaitReason(tool, Self.reason(after: come)))
      #expect(try !Files.exists(arriving.series.output))
      try arriving.copy(number)
      come.insert(number)
    }
    try arriving.expectMerged(tool)
  }

  /// What parts of three are waited for.
  private static func reason(after come: Set<Int>) -> String {
    if come.isEmpty { return "file.001: does not exist" }
    let missing = (1...3).filter { !come.contains($0) }
    if missing.count == 1 { return "file: 1 part is missing: file.00\(missing[0])\n" }
    let between = missing[0] + 1 == missing[1] ? " to " : ", "
    let start = come == [3] ? "; --first=3 begins with file.003" : ""
    return
      "file: 2 parts are missing: file.00\(missing[0])\(between)file.00\(missing[1])\(start)\n"
  }

  /// Where nothing but a shorter part tells the end, that part has to be quiet for ten seconds.
  @Test func aShorterPartIsTheEndInTheEnd() throws {
    let arriving = try Arriving()
    let tool = try arriving.start(["--wait"])
    try arriving.copy(1, 2)
    let reason = "file.002: may not be the last part: nothing tells where the series ends"
    #expect(try arriving.awaitReason(tool, reason))
    try arriving.copy(3)
    #expect(try arriving.awaitReason(tool, reason.replacing("002", with: "003")))
    #expect(try !Files.exists(arriving.series.output))
    try arriving.expectMerged(tool)
  }

  @Test func whatHasComeIsWrittenBeforeTheRestIsThere() throws {
    let arriving = try Arriving()
    try arriving.copy(1)
    let tool = try arriving.start()
    #expect(try arriving.awaitTemporary(tool, of: 3000))
    try arriving.copy(2)
    #expect(try arriving.awaitTemporary(tool, of: 6000))
    #expect(tool.isRunning)
    try arriving.copy(3)
    try arriving.expectMerged(tool)
  }

  @Test func partsAreMovedIn() throws {
    let arriving = try Arriving()
    let tool = try arriving.start()
    var come: Set<Int> = []
    for number in [3, 2, 1] {
      #expect(try arriving.awaitReason(tool, Self.reason(after: come)))
      try arriving.move(arriving.series.parts[number - 1])
      come.insert(number)
    }
    try arriving.expectMerged(tool)
  }

  /// A part that is open is the only thing that is missing.
  @Test(arguments: [true, false], [1000, 3000])
  func noPartIsTakenBeforeItIsFinished(isThere: Bool, size: Int) throws {
    let arriving = try Arriving()
    try arriving.copy(1, 3)
    let early = isThere ? nil : try arriving.start()
    let bytes = try arriving.bytes(2)
    let writer = try FileDescriptor.open(
      arriving.series.parts[1],
      [.writeOnly, .create],
      permissions: 0o666
    )
    try writer.write(all: Array(bytes[..<size]))
    let tool = try early ?? arriving.start()
    #expect(try arriving.awaitReason(tool, "file.002: is still being written"))
    #expect(try arriving.awaitTemporary(tool, of: 3000))
    #expect(try !arriving.hasTemporary(of: 3001))
    try writer.write(all: Array(bytes[size...]))
    try writer.close()
    try arriving.expectMerged(tool)
  }

  @Test(arguments: [".part", ".crdownload", ".aria2", ".!qB"])
  func aDownloadIsNotFinishedWhileItsNoteIsThere(ending: String) throws {
    let arriving = try Arriving()
    try arriving.copy(1, 2, 3)
    let note = arriving.series.parts[1].adding(ending)
    try Files.write([1], to: note)
    let tool = try arriving.start()
    #expect(try arriving.awaitTemporary(tool, of: 3000))
    #expect(try arriving.awaitReason(tool, "file.002: is still being written"))
    #expect(try !arriving.hasTemporary(of: 3001))
    try FileSystem.unlink(note)
    try arriving.expectMerged(tool)
  }

  @Test func anEmptyFileIsOnlyAPlace() throws {
    let arriving = try Arriving()
    try arriving.copy(1, 3)
    try Files.write([], to: arriving.series.parts[1])
    let tool = try arriving.start()
    #expect(try arriving.awaitTemporary(tool, of: 3000))
    #expect(try arriving.awaitReason(tool, "file.002: is "))
    #expect(try !arriving.hasTemporary(of: 3001))
    try arriving.copy(2)
    try arriving.expectMerged(tool)
  }

  @Test func whatIsAllThereIsMergedAtOnce() throws {
    let series = try Series()
    let before = try series.contents()
    try series.expectMerged(try series.merge("direct", ["--wait"]), since: before)
  }

  @Test func aThousandPartsCome() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var sizes = [Int](repeating: 700, count: 1000)
    sizes[999] = 5
    let arriving = try Arriving(sizes)
    let tool = try arriving.start(["--wait", "--last=1000"])
    // The first comes last: any other could be the end.
    for number in (2...1000).shuffled(using: &random) + [1] {
      try arriving.move(arriving.series.parts[number - 1])
    }
    try arriving.expectMerged(tool)
  }

  // MARK: - The end

  /// Parts of one size: only the manifest says which is the last.
  @Test(arguments: [0, 1, 3]) func aManifestTellsTheEndWheneverItComes(after count: Int) throws {
    let arriving = try Arriving([3000, 3000, 3000], hasManifest: true)
    let tool = try arriving.start(["--wait"])
    for number in 0...3 {
      if number > 0 { try arriving.copy(number) }
      if number == count { try arriving.move(arriving.series.manifest) }
      if number == 3 { break }
      let knows = number >= count && number > 0
      #expect(try arriving.awaitReason(tool, Self.reason(after: number, knowingTheEnd: knows)))
    }
    try arriving.expectMerged(tool)
  }

  /// Why a merge waits that has the first parts of three.
  private static func reason(after count: Int, knowingTheEnd: Bool) -> String {
    if count > 0 && !knowingTheEnd { return "file.00\(count): may not be the last part" }
    return reason(after: Set(1..<(count + 1))).replacing("\n", with: "")
  }

  @Test func aManifestThatIsBeingWrittenIsWaitedFor() throws {
    let arriving = try Arriving([3000, 3000, 3000], hasManifest: true)
    try arriving.copy(1, 2)
    // Its first lines name two parts.
    let text = try Files.read(arriving.source(arriving.series.manifest))
    let cut = try #require(text.lastIndex(of: UInt8(ascii: "\n"), before: text.count - 1))
    let writer = try FileDescriptor.open(
      arriving.series.manifest,
      [.writeOnly, .create],
      permissions: 0o666
    )
    try writer.write(all: Array(text[...cut]))
    let tool = try arriving.start(["--wait"])
    let reason = "file: the parts have 6000 bytes, but file.sfv says 9000"
    #expect(try arriving.awaitReason(tool, reason))
    try writer.write(all: Array(text[(cut + 1)...]))
    try writer.close()
    #expect(try arriving.awaitReason(tool, "file: 1 part is missing: file.003; only file.sfv"))
    try arriving.copy(3)
    try arriving.expectMerged(tool)
  }

  /// What it wants is computed from the start if it is there, and in a merge anew if it comes late.
  @Test(.enabled(if: Tool.find("sha256sum") != nil, "needs sha256sum"), arguments: [0, 2])
  func aSumsFileTellsTheEndToo(after count: Int) throws {
    let arriving = try Arriving([3000, 3000, 3000])
    let sums = try #require(Tool.find("sha256sum")).run(
      arriving.series.parts.map(\.lastComponent),
      workingDirectory: arriving.elsewhere.path
    )
    let tool = try arriving.start(["--wait"])
    for number in 0...3 {
      if number > 0 { try arriving.copy(number) }
      if number == count {
        try Files.write(sums.standardOutput, to: arriving.series.directory.file("file.sha256"))
      }
      if number == 3 { break }
      let knows = number >= count && number > 0
      #expect(try arriving.awaitReason(tool, Self.reason(after: number, knowingTheEnd: knows)))
    }
    try arriving.expectMerged(tool)
  }

  @Test func namesMayTellTheEnd() throws {
    let directory = try TemporaryDirectory()
    let parts = (1...3).map { directory.file(FilePath("film.part\($0)of3.bin")) }
    try Files.write(Bytes.pattern(count: 100), to: parts[2])
    let tool = try Tool.cleave.start(["merge", "-v", "--no-sync", "--wait", parts[2]])
    try Files.write(Bytes.pattern(count: 100), to: parts[0])
    let reason = "film.bin: 1 part is missing: film.part2of3.bin"
    #expect(try tool.awaitReason(reason, in: directory.path))
    try Files.write(Bytes.pattern(count: 100), to: parts[1])
    #expect(try tool.wait().exitCode == 0)
    let whole = try Files.read(directory.file("film.bin"))
    #expect(whole == Array(repeatElement(Bytes.pattern(count: 100), count: 3).joined()))
  }

  @Test(arguments: [ZipSetNames.lower, .raw]) func aZipTellsItsEnd(names: ZipSetNames) throws {
    let writer = ZipWriter(ZipWriterTests.entries)
    let parts = names == .raw ? try writer.single().cut(to: 3000) : try writer.parts(of: 3000)
    let set = try ZipSet(parts, names: names)
    let expected = try mergeEveryWay(set.parts, engines: ["direct"])
    let other = try TemporaryDirectory()
    let arriving = set.parts.map { other.file($0.lastComponent) }
    let output = other.file("out")
    let tool = try Tool.cleave.start(
      ["merge", "-v", "--no-sync", "--wait", "-o", output, arriving[arriving.count - 1]]
    )
    var told = 0
    for (from, to) in zip(set.parts, arriving).reversed() {
      told = try tool.awaitReasons(moreThan: told)
      #expect(try !Files.exists(output))
      try FileSystem.rename(from, toNew: to)
    }
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Bytes.difference(Files.read(output), expected) == nil)
  }

  @Test func stalePartsAreLeftOutInTheEnd() throws {
    let arriving = try Arriving(hasManifest: true)
    try Files.write(
      Bytes.pattern(count: 3000, seed: 9),
      to: arriving.series.directory.file("file.004")
    )
    try arriving.copy(1, 2)
    let tool = try arriving.start(["--wait"])
    #expect(try arriving.awaitTemporary(tool, of: 6000))
    #expect(try arriving.awaitReason(tool, "file: 1 part is missing: file.003"))
    // It is shorter than the one behind it.
    let told = try tool.awaitReasons(moreThan: 0)
    try arriving.copy(3)
    _ = try tool.awaitReasons(moreThan: told)
    try arriving.move(arriving.series.manifest)
    try arriving.expectMerged(tool)
  }

  /// Where the output is to be, a part may come meanwhile.
  @Test func aPartThatComesIsNotReplaced() throws {
    let arriving = try Arriving()
    try arriving.copy(1, 2)
    let last = arriving.series.parts[2]
    let tool = try arriving.start(["--wait", "--last=3", "--force", "-o", last])
    #expect(try arriving.awaitTemporary(tool, of: 6000))
    try arriving.copy(3)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("is one of the inputs"), "\(outcome)")
    #expect(try Files.read(last).count == 1500)
  }

  // MARK: - Streams

  @Test func aStreamGetsPartsAsTheyCome() throws {
    let arriving = try Arriving([70_000, 70_000, 1])
    try arriving.copy(1)
    let tool = try arriving.start(["-q", "--wait", "--last=3", "-o", "-"], output: .pipe)
    for number in 2...3 {
      let count = 70_000 * (number - 1)
      #expect(try tool.wait { tool.outputSoFar.count >= count })
      #expect(tool.outputSoFar.count == count)
      try arriving.copy(number)
    }
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(Bytes.difference(outcome.standardOutput, arriving.series.whole) == nil)
  }

  @Test func aReaderMayLeaveWhileNothingComes() throws {
    let arriving = try Arriving()
    try arriving.copy(1)
    let tool = try arriving.start(["-q", "--wait", "-o", "-"], output: .pipeClosed(after: 3000))
    let outcome = try tool.wait()
    #expect(outcome.signal == .pipe, "\(outcome)")
  }

  // MARK: - Giving up

  @Test func whatIsMissingIsNamedWhenTimeIsUp() throws {
    let arriving = try Arriving([3000, 3000, 3000, 1500])
    try arriving.copy(1, 3)
    let before = try arriving.series.contents()
    let outcome = try arriving.start(["-q", "--wait=1s"]).wait()
    let line = "file: 1 part is missing: file.002; nothing has happened for 1 s"
    try arriving.series.expectFailure(outcome, 66, line, since: before)
  }

  @Test func nothingAtAllIsNoSuccess() throws {
    let arriving = try Arriving()
    let before = try arriving.series.contents()
    let outcome = try arriving.start(["-q", "--wait=1"]).wait()
    #expect(outcome.exitCode == 66)
    #expect(arriving.series.lines(outcome).hasPrefix("cleave: file.001: "), "\(outcome)")
    #expect(try arriving.series.contents().changes(since: before) == [])
  }

  @Test func aPartThatNobodyFinishesIsNamed() throws {
    let arriving = try Arriving()
    try arriving.copy(1, 2)
    let writer = try FileDescriptor.open(
      arriving.series.parts[2],
      [.writeOnly, .create],
      permissions: 0o666
    )
    try writer.write(all: [1, 2, 3])
    let before = try arriving.series.contents()
    let outcome = try arriving.start(["-q", "--wait=1s"]).wait()
    let line = "file.003: is still being written; nothing has happened for 1 s"
    try arriving.series.expectFailure(outcome, 66, line, since: before)
    try writer.close()
  }

  /// Who waits does not know whether all is there, and where nothing else tells, nothing is made.
  @Test(arguments: [false, true]) func partsOfOneSizeHaveNoEnd(isStrict: Bool) throws {
    let arriving = try Arriving([3000, 3000])
    try arriving.copy(1, 2)
    let before = try arriving.series.contents()
    let strict = isStrict ? ["--strict"] : []
    let outcome = try arriving.start(["-q", "--wait=1s"] + strict).wait()
    #expect(outcome.exitCode == 66, "\(outcome)")
    let text =
      "file.002: may not be the last part: nothing tells where the series ends, and --last="
    #expect(arriving.series.lines(outcome).hasPrefix("cleave: \(text)"), "\(outcome)")
    #expect(try arriving.series.contents().changes(since: before) == [])
    try arriving.expectMerged(arriving.start(["--wait=1s", "--last=2"] + strict))
  }

  /// It may still grow.
  @Test func aShorterPartThatHasJustComeIsNotTheLast() throws {
    let arriving = try Arriving()
    try arriving.copy(1, 2, 3)
    let before = try arriving.series.contents()
    let outcome = try arriving.start(["-q", "--wait=1s"]).wait()
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("file.003: may not be the last part"), "\(outcome)")
    #expect(try arriving.series.contents().changes(since: before) == [])
  }

  @Test func badPartsAreRefusedWithoutWaitingForOthers() throws {
    let arriving = try Arriving([3000, 3000, 1500], hasManifest: true)
    try arriving.move(arriving.series.manifest)
    try arriving.copy(1, 3)
    try Files.write(Bytes.pattern(count: 2999), to: arriving.series.parts[1])
    let before = try arriving.series.contents()
    let outcome = try arriving.start(["-q", "--wait"]).wait()
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try arriving.series.contents().changes(since: before) == [])
  }

  @Test(arguments: [Signal.interrupt, .terminate, .kill]) func itIsEndedBySignals(signal: Signal)
    throws
  {
    let arriving = try Arriving()
    try arriving.copy(1)
    let before = try arriving.series.contents()
    let tool = try arriving.start()
    #expect(try arriving.awaitTemporary(tool, of: 3000))
    tool.send(signal)
    let outcome = try tool.wait()
    #expect(outcome.signal == signal, "\(outcome)")
    if signal != .kill { #expect(try arriving.series.contents().changes(since: before) == []) }
    // The next run is not kept from anything by what a kill has left.
    try arriving.copy(2, 3)
    let next = try arriving.series.merge("auto", ["--wait"])
    #expect(next.exitCode == 0, "\(next)")
    #expect(try Files.read(arriving.series.output) == arriving.series.whole)
  }

  /// Of which no event tells, as a part is open.
  @Test func aDirectoryThatGoesWithAPartEndsItAtOnce() throws {
    let parent = try TemporaryDirectory()
    let directory = parent.file("parts")
    try Files.makeDirectory(directory)
    try Files.write([1, 2, 3], to: directory.appending("file.001"))
    let tool = try Tool.cleave.start(
      ["merge", "--wait=1h", "-o", parent.file("out"), directory.appending("file.001")]
    )
    let isWritten = try tool.wait {
      try parent.names().contains {
        let isTemporary = $0.bytes.starts(with: ".out.cleave-tmp-".utf8)
        return try isTemporary && FileStatus.ifPresent(parent.file($0))?.size == 3
      }
    }
    #expect(isWritten)
    TemporaryDirectory.remove(directory)
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 66, "\(outcome)")
    // What is seen first may be that the part has gone.
    let texts = [
      "was renamed or removed while parts were awaited", "does not exist", "No such file",
    ]
    #expect(texts.contains { outcome.errorText.contains($0) }, "\(outcome)")
    #expect(try parent.names() == [])
  }

  @Test(arguments: ["moved", "removed"]) func aDirectoryThatGoesEndsIt(way: String) throws {
    let parent = try TemporaryDirectory()
    let directory = parent.file("parts")
    try Files.makeDirectory(directory)
    let tool = try Tool.cleave.start(["merge", "-v", "--wait", directory.appending("file.001")])
    let reason = "parts/file.001: does not exist"
    #expect(try tool.awaitReason(reason, in: parent.path))
    if way == "moved" {
      try FileSystem.rename(directory, replacing: parent.file("others"))
    } else {
      TemporaryDirectory.remove(directory)
    }
    let outcome = try tool.wait()
    #expect(outcome.exitCode == 66, "\(outcome)")
    let line = "\(directory): was renamed or removed while parts were awaited\n"
    #expect(outcome.errorText.hasSuffix(line), "\(outcome)")
  }

  // MARK: - What does not go together

  private static let time = "; a time is given as in --wait=5s"

  @Test(
    arguments: [
      (["--wait", "-"], "--wait takes one part, and finds the others by its name\(Self.time)"),
      (
        ["--wait", "a.001", "a.002"],
        "--wait takes one part, and finds the others by its name\(Self.time)"
      ),
      (
        ["--wait", "--resume", "a.001"],
        "--wait does not go with --resume: what is still to come is not known yet"
      ),
      (
        ["--wait", "--consume", "a.001"],
        "--wait does not go with --consume: what is still to come is not known yet"
      ),
      (
        ["--wait", "-n", "a.001"],
        "--wait does not go with --dry-run: what is still to come is not known yet"
      ),
      (["--wait=x", "a.001"], "--wait: 'x' is not a time; use a number with s, m, h or d"),
    ] as [([String], String)]
  )
  func aWrongCommandLineIsToldInOneLine(arguments: [String], line: String) throws {
    let outcome = try Tool.cleave.run(["merge"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText == "cleave: \(line) (see 'cleave merge --help')\n")
  }

  @Test func whatIsNoPartsNameCannotBeWaitedFor() throws {
    let directory = try TemporaryDirectory()
    let outcome = try Tool.cleave.run(["merge", "--wait", directory.file("film.mkv")])
    #expect(outcome.exitCode == 65)
    #expect(outcome.errorText.contains("film.mkv: is not named like a part"), "\(outcome)")
  }

  @Test func anOutputThatExistsIsToldOfBeforeAnyWaiting() throws {
    let arriving = try Arriving()
    try Files.write([1], to: arriving.series.output)
    let outcome = try arriving.start(["--wait", "-o", arriving.series.output]).wait()
    #expect(outcome.exitCode == 73, "\(outcome)")
  }
}

extension [UInt8] {
  fileprivate func lastIndex(of byte: UInt8, before end: Int) -> Int? {
    self[..<end].lastIndex(of: byte)
  }
}
