import Posix
import TestSupport
import Testing

/// `--clone` on file systems whose files can share blocks.
@Suite(
  .aside,
  .serialized,
  .enabled(if: LoopFileSystem.isAvailable, "needs root, loop devices, and mkfs of XFS or Btrfs")
)
struct CloneTests {
  private static let block = 4096
  private static let mebibyte = 1 << 20

  /// The sizes of parts, and the bytes that are shared.
  static let merges = [
    ([9 * mebibyte, 5_000_001], 9 * mebibyte + 5_000_001),
    ([9_000_001, 3_000_007], 9_000_001 / block * block),
    ([5, block - 5, 9 * mebibyte + 7, 3], 9 * mebibyte),
  ]

  @Test(arguments: LoopFileSystem.kinds, merges.indices)
  func alwaysSharesWhatLiesAlikeAndCopiesTheRest(kind: LoopFileSystem.Kind, index: Int) throws {
    let (sizes, shared) = Self.merges[index]
    let system = try LoopFileSystem(kind)
    for engine in ["auto", "direct"] {
      let series = try Series(sizes, hasManifest: true, in: system.path)
      let before = try series.contents()
      let used = try system.usedBytes()
      let outcome = try series.merge(engine, ["-v", "--clone=always"])
      try series.expectMerged(outcome, since: before)
      #expect(outcome.errorText.contains(", \(shared) bytes shared with the source"), "\(outcome)")
      try Self.expect(system, took: series.whole.count - shared, since: used)
    }
  }

  @Test(arguments: LoopFileSystem.kinds)
  func neverSharesNothing(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    for engine in ["auto"] + engines {
      let series = try Series([9 * Self.mebibyte, 5_000_001], in: system.path)
      let before = try series.contents()
      let used = try system.usedBytes()
      let outcome = try series.merge(engine, ["-v", "--clone=never"])
      try series.expectMerged(outcome, since: before)
      #expect(!outcome.errorText.contains("share"), "\(outcome)")
      try Self.expect(system, took: series.whole.count, since: used)
    }
  }

  @Test(arguments: LoopFileSystem.kinds)
  func splittingHeedsIt(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let bytes = Bytes.repeatedPattern(count: 20 * Self.mebibyte + 123)
    for (clone, taken) in [("always", 0), ("never", bytes.count)] {
      let directory = try TemporaryDirectory(in: system.path)
      try Files.write(bytes, to: directory.file("file"))
      let used = try system.usedBytes()
      let outcome = try Tool.cleave.run(
        ["split", "--clone", clone, "-b", "8M", directory.file("file")]
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      let made = try (1...3).flatMap { try Files.read(directory.file(FilePath("file.00\($0)"))) }
      #expect(Bytes.difference(made, bytes) == nil)
      try Self.expect(system, took: taken, since: used)
    }
  }

  // MARK: - Where there is little room

  private static let little: Int64 = 10 << 20
  private static let large = [12 * mebibyte, 12 * mebibyte + 5]

  @Test(arguments: LoopFileSystem.kinds, ["auto", "always"])
  func whatIsSharedNeedsNoRoom(kind: LoopFileSystem.Kind, clone: String) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series(Self.large, hasManifest: true, in: system.path)
    try system.fill(leaving: Self.little)
    let before = try series.contents()
    let used = try system.usedBytes()
    let dry = try series.merge("auto", ["--dry-run", "--clone", clone])
    #expect(dry.exitCode == 0, "\(dry)")
    try series.expectMerged(try series.merge("auto", ["--clone", clone]), since: before)
    try Self.expect(system, took: 0, since: used)
    // The same way back.
    let split = try Tool.cleave.run(
      ["split", "--clone", clone, "-b", "10M", series.output, series.directory.file("again")]
    )
    #expect(split.exitCode == 0, "\(split)")
    try Self.expect(system, took: 0, since: used)
  }

  /// Jobs that can be gone on with are carried out a little at a time.
  @Test(arguments: LoopFileSystem.kinds, ["auto", "always", "never"])
  func jobsInStagesHeedIt(kind: LoopFileSystem.Kind, clone: String) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series(Self.large, hasManifest: true, in: system.path)
    if clone != "never" { try system.fill(leaving: Self.little) }
    let before = try series.contents()
    let used = try system.usedBytes()
    let outcome = try series.merge("auto", ["--resume", "--clone", clone])
    try series.expectMerged(outcome, since: before)
    try Self.expect(system, took: clone == "never" ? series.whole.count : 0, since: used)
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds
  )
  func aKilledJobGoesOnWhereThereIsLittleRoom(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series([24 * Self.mebibyte, 48 * Self.mebibyte + 5], in: system.path)
    try system.fill(leaving: Self.little)
    let before = try series.contents()
    let used = try system.usedBytes()
    let killed = try series.merge(
      "auto",
      ["--resume"],
      environment: FaultShim.environment("share@/.file#8=kill")
    )
    #expect(killed.signal == .kill, "\(killed)")
    let outcome = try series.merge("auto", ["--resume"])
    #expect(outcome.errorText.contains("going on"), "\(outcome)")
    try series.expectMerged(outcome, since: before)
    try Self.expect(system, took: 0, since: used)
  }

  @Test(arguments: LoopFileSystem.kinds)
  func partsThatAreConsumedMayBeShared(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series(Self.large, hasManifest: true, in: system.path)
    let used = try system.usedBytes()
    let outcome = try series.merge("auto", ["--consume", "--clone=always"], isSynchronized: true)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(Bytes.difference(try Files.read(series.output), series.whole) == nil)
    #expect(try series.directory.names() == ["file", "file.sfv"])
    try Self.expect(system, took: 0, since: used)
  }

  /// What is copied for other reasons than want of room needs it, and that is told beforehand.
  @Test(arguments: LoopFileSystem.kinds)
  func whatIsCopiedNeedsRoom(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let aligned = try Series(Self.large, in: system.path)
    let odd = try Series([Self.block + 1, 24 * Self.mebibyte + 1], in: system.path)
    try system.fill(leaving: Self.little)
    let rows = [
      (aligned, "direct", "never", 24 * Self.mebibyte + 5),
      (aligned, "serial", "auto", 24 * Self.mebibyte + 5),
      (odd, "direct", "auto", 24 * Self.mebibyte + 2),
      (odd, "direct", "always", 24 * Self.mebibyte + 2),
    ]
    for (series, engine, clone, bytes) in rows {
      let before = try series.contents()
      let outcome = try series.merge(engine, ["-q", "--clone", clone])
      #expect(outcome.exitCode == 74, "\(clone): \(outcome)")
      let line = "cleave: file: not enough space: \(bytes) bytes are needed and "
      #expect(series.lines(outcome).hasPrefix(line), "\(clone): \(outcome)")
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds
  )
  func wantOfRoomIsToldWhereSharingFails(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series(Self.large, in: system.path)
    try system.fill(leaving: Self.little)
    let before = try series.contents()
    let outcome = try series.merge(
      "direct",
      ["-q"],
      environment: FaultShim.environment("share@/.file#1+=EOPNOTSUPP")
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    let line = "cleave: file: not enough space: \(24 * Self.mebibyte + 5) bytes are needed and "
    #expect(series.lines(outcome).hasPrefix(line), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  // MARK: - Always, where it cannot be done

  @Test(arguments: LoopFileSystem.kinds)
  func alwaysNeedsPartsOnTheSameFileSystem(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let here = try Series([9 * Self.mebibyte, 9 * Self.mebibyte], in: system.path)
    let elsewhere = try Series([9 * Self.mebibyte])
    let before = try here.contents()
    // Found out before anything is written.
    let outcome = try Tool.cleave.run(
      [
        "merge", "--clone=always", "--as-given", "-o", here.output, here.parts[0],
        elsewhere.parts[0],
      ],
      environment: FaultShim.isAvailable ? FaultShim.environment("write@/.file#1=EIO") : [:]
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    let line =
      "cleave: file: cannot share the blocks of \(elsewhere.parts[0]): Invalid cross-device link "
      + "(EXDEV); --clone=auto copies them\n"
    #expect(here.lines(outcome) == line)
    #expect(try here.contents().changes(since: before) == [])
  }

  @Test(arguments: LoopFileSystem.kinds)
  func alwaysNeedsSomethingToShare(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series([5, 1001, 100], in: system.path)
    let before = try series.contents()
    try series.expectFailure(
      try series.merge("direct", ["-q", "--clone=always"]),
      73,
      "file: nothing can be shared: every source is smaller than a block, or not aligned to one; "
        + "--clone=auto copies them",
      since: before
    )
    // But an empty file has all that it needs.
    let empty = try Series([0, 0], in: system.path)
    let nothing = try empty.contents()
    let all = ["--clone=always", "--last=2"]
    try empty.expectMerged(try empty.merge("direct", all), since: nothing)
  }

  /// The first call is the trial, before anything is moved.
  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds,
    [1, 2, 3]
  )
  func alwaysFailsWhereSharingDoes(kind: LoopFileSystem.Kind, call: Int) throws {
    let system = try LoopFileSystem(kind)
    let impossible = "cannot share the blocks of PART"
    let way = "--clone=auto copies them"
    let rows = [
      ("EOPNOTSUPP", 73, "\(impossible): Operation not supported (EOPNOTSUPP); \(way)"),
      ("EINVAL", 73, "\(impossible): Invalid argument (EINVAL); \(way)"),
      ("EPERM", 77, "clone failed at PLACE: Operation not permitted (EPERM)"),
      ("EIO", 74, "clone failed at PLACE: Input/output error (EIO)"),
      ("ENOSPC", 74, "clone failed at PLACE: No space left on device (ENOSPC)"),
    ]
    for (error, code, text) in rows {
      let series = try Series([9 * Self.mebibyte], in: system.path)
      let before = try series.contents()
      let outcome = try series.merge(
        "direct",
        ["--clone=always", "--last=1"],
        environment: FaultShim.environment("share@/.file#\(call)=\(error)")
      )
      #expect(outcome.exitCode == CInt(code), "\(outcome)")
      let told = series.lines(outcome).replacing("file.001", with: "PART")
        .replacing(/at [0-9]+/, with: "at PLACE")
      #expect(told == "cleave: file: \(text)\n")
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds,
    [1, 2]
  )
  func aPartThatIsCutMeanwhileIsNamed(kind: LoopFileSystem.Kind, call: Int) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series([9 * Self.mebibyte, 9 * Self.mebibyte], in: system.path)
    let part = series.parts[0]
    let outcome = try series.merge(
      "direct",
      ["--clone=always", "--last=2"],
      environment: FaultShim.environment("share@/.file#\(call)=truncate:0:\(part)")
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(series.lines(outcome).hasPrefix("cleave: file.001: was truncated"), "\(outcome)")
    #expect(try series.directory.names() == series.parts.map(\.lastComponent))
  }

  /// So many bytes are taken that were free, give or take the file system's own records.
  private static func expect(
    _ system: LoopFileSystem,
    took bytes: Int,
    since used: Int64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let taken = try system.usedBytes() - used
    #expect(
      abs(taken - Int64(bytes)) < Int64(mebibyte),
      "\(taken) bytes were taken, and not \(bytes)",
      sourceLocation: sourceLocation
    )
  }
}

/// `--clone=always` where no file system helps.
@Suite(.aside) struct CloneRefusalTests {
  @Test(
    .enabled(if: (try? FileStatus.of("/dev/shm"))?.kind == .directory, "needs /dev/shm"),
    arguments: ["auto", "direct"]
  )
  func alwaysFailsInMemory(engine: String) throws {
    let series = try Series([3 << 20, 5000], hasManifest: true, in: "/dev/shm")
    let before = try series.contents()
    try series.expectFailure(
      try series.merge(engine, ["--clone=always"]),
      73,
      "file: cannot share the blocks of file.001: Operation not supported (EOPNOTSUPP); "
        + "--clone=auto copies them",
      since: before
    )
    for clone in ["auto", "never"] {
      let outcome = try series.merge(engine, ["-v", "--force", "--clone", clone])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(!outcome.errorText.contains("shared"), "\(outcome)")
    }
  }

  @Test(arguments: engines.filter { $0 != "direct" })
  func alwaysNeedsTheEngineThatShares(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    for command in ["merge", "split", "repair"] {
      let cut = command == "split" ? ["-b", "1000"] : []
      let outcome = try Tool.cleave.run(
        [command, "--clone=always", "--engine", engine, series.parts[0]] + cut
      )
      try series.expectFailure(
        outcome,
        64,
        "only the direct engine shares blocks (see 'cleave \(command) --help')",
        since: before
      )
    }
  }

  @Test func alwaysNeedsFilesAtBothEnds() throws {
    let series = try Series()
    let before = try series.contents()
    let rows: [(stream: String, command: String, arguments: [any ToolArgument])] = [
      ("a stream", "merge", ["-o", "-", series.parts[0]]),
      ("standard input", "merge", ["-o", series.output, "-"]),
      ("standard input", "split", ["-b", "1000", "-", series.output]),
    ]
    for row in rows {
      let outcome = try Tool.cleave.run([row.command, "--clone=always"] + row.arguments)
      try series.expectFailure(
        outcome,
        64,
        "--clone=always needs files: \(row.stream) has no blocks to share "
          + "(see 'cleave \(row.command) --help')",
        since: before
      )
    }
  }
}
