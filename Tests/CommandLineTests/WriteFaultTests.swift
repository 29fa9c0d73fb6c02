import Posix
import TestSupport
import Testing

/// Outputs that cannot be made, written, flushed, closed or named.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct WriteFaultTests {
  struct Row: Sendable {
    let rule: String
    let code: CInt
    let line: String

    init(_ rule: String, _ code: CInt, _ line: String) {
      (self.rule, self.code, self.line) = (rule, code, line)
    }
  }

  static let failures = [
    Row("open@/.file=EACCES", 77, "open failed: Permission denied (EACCES)"),
    Row("open@/.file=EROFS", 73, "open failed: Read-only file system (EROFS)"),
    Row("open@/.file=ENOSPC", 74, "open failed: No space left on device (ENOSPC)"),
    Row("open@/.file=EMFILE", 71, "open failed: Too many open files (EMFILE)"),
    Row("write@/.file#1=ENOSPC", 74, "write failed at 0: No space left on device (ENOSPC)"),
    Row("write@/.file#4=ENOSPC", 74, "write failed at 3000: No space left on device (ENOSPC)"),
    Row("write@/.file#4=EDQUOT", 74, "write failed at 3000: Disk quota exceeded (EDQUOT)"),
    Row("write@/.file#2=EIO", 74, "write failed at 1000: Input/output error (EIO)"),
    Row("write@/.file#3=EFBIG", 74, "write failed at 2000: File too large (EFBIG)"),
    Row("write@/.file#2=EPERM", 77, "write failed at 1000: Operation not permitted (EPERM)"),
    Row("fsync@/.file=EIO", 74, "fsync failed: Input/output error (EIO)"),
    Row("fsync@/.file#1=ENOSPC", 74, "fsync failed: No space left on device (ENOSPC)"),
    Row("fsync@/.file#1=EDQUOT", 74, "fsync failed: Disk quota exceeded (EDQUOT)"),
    Row("close@/.file=EIO", 74, "close failed: Input/output error (EIO)"),
    Row("close@/.file=ENOSPC", 74, "close failed: No space left on device (ENOSPC)"),
    Row("rename@/file=EIO", 74, "rename failed: Input/output error (EIO)"),
    Row("rename@/file=EACCES", 77, "rename failed: Permission denied (EACCES)"),
    Row("rename@/file=ENOSPC", 74, "rename failed: No space left on device (ENOSPC)"),
    Row("rename@/file=EROFS", 73, "rename failed: Read-only file system (EROFS)"),
    Row("rename@/file=EEXIST", 73, "exists; --force replaces it"),
  ]

  @Test(arguments: failures, engines)
  func nothingIsLeftOfAnOutputThatFails(row: Row, engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      Series.smallPieces,
      isSynchronized: true,
      environment: FaultShim.environment(row.rule)
    )
    try series.expectFailure(outcome, row.code, "file: \(row.line)", since: before)
  }

  /// With one engine: ``SweepTests`` has every call of a replacing merge fail.
  @Test(arguments: failures.filter { !$0.rule.hasSuffix("EEXIST") })
  func whatWasThereBeforeStays(row: Row) throws {
    let series = try Series()
    try Files.write([1, 2, 3], to: series.output)
    let before = try series.contents()
    let outcome = try series.merge(
      "direct",
      Series.smallPieces + ["--force"],
      isSynchronized: true,
      environment: FaultShim.environment(row.rule)
    )
    try series.expectFailure(outcome, row.code, "file: \(row.line)", since: before)
  }

  @Test(arguments: engines) func aReservationThatFailsIsAFullDisk(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let log = try TemporaryDirectory()
    let outcome = try series.merge(
      engine,
      environment: FaultShim.environment("fallocate=ENOSPC", log: log.file("log"))
    )
    // In memory nothing is reserved.
    guard try Files.exists(log.file("log")) else { return }
    let line = "file: fallocate failed: No space left on device (ENOSPC)"
    try series.expectFailure(outcome, 74, line, since: before)
  }

  @Test(arguments: ["EINVAL", "ENOSYS", "EOPNOTSUPP"], engines)
  func aFileSystemMayKnowNeitherReservingNorExclusiveNames(error: String, engine: String) throws {
    for links in ["", "; link=EPERM", "; link=EOPNOTSUPP"] {
      let series = try Series()
      let before = try series.contents()
      let rules = "fallocate=\(error); rename#1=\(error)" + links
      let outcome = try series.merge(engine, environment: FaultShim.environment(rules))
      try series.expectMerged(outcome, since: before)
    }
  }

  @Test(arguments: engines) func aDirectoryThatCannotBeFlushedIsToldAndKept(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      isSynchronized: true,
      environment: FaultShim.environment("fsync@\(series.directory.path)#2=EIO")
    )
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(
      series.lines(outcome)
        == "cleave: file: complete, durability unconfirmed: fsync of the directory failed: "
        + "Input/output error (EIO)\n"
    )
    let after = try series.contents()
    #expect(after.changes(since: before) == ["file is new"])
    #expect(Bytes.difference(after.bytes("file") ?? [], series.whole) == nil)
  }

  @Test(arguments: ["EINVAL", "ENOTSUP"], engines)
  func aDirectoryNeedNotKnowFlushing(error: String, engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      isSynchronized: true,
      environment: FaultShim.environment("fsync@\(series.directory.path)#2=\(error)")
    )
    try series.expectMerged(outcome, since: before)
  }

  @Test(arguments: engines) func aFlushIsNeverTriedAgain(engine: String) throws {
    let series = try Series()
    let log = try TemporaryDirectory()
    let outcome = try series.merge(
      engine,
      isSynchronized: true,
      environment: FaultShim.environment("fsync=EIO", log: log.file("log"))
    )
    #expect(outcome.exitCode == 74)
    let calls = try Files.text(log.file("log")).split(separator: "\n")
    #expect(calls.count == 1, "\(calls)")
  }

  @Test(arguments: engines) func missingSpaceIsToldBeforeAnythingIsWritten(engine: String) throws {
    let series = try Series([1])
    try Files.makeSparse(series.parts[0], size: 4 << 40)
    let parts = [any ToolArgument](repeating: series.parts[0], count: 200)
    let outcome = try Tool.cleave.run(
      ["merge", "-q", "--as-given", "--engine", engine, "-o", series.output] + parts
    )
    #expect(outcome.exitCode == 74)
    let line = series.lines(outcome)
    #expect(line.hasPrefix("cleave: file: not enough space: 879609302220800 bytes are needed"))
    #expect(
      line.hasSuffix(" too few; freeing the sources on the way needs less: --consume\n"),
      "\(line)"
    )
    #expect(try series.directory.names() == ["file.001"])
  }

  // MARK: - Splitting

  static let splitFailures = [
    Row("write@/.file.002#1=ENOSPC", 74, "file.002: write failed at 0: ENOSPC"),
    Row("write@/.file.003#1=EIO", 74, "file.003: write failed at 0: EIO"),
    Row("open@/.file.003=EMFILE", 71, "file.003: open failed: EMFILE"),
    Row("fsync@/.file.002=EIO", 74, "file.002: fsync failed: EIO"),
    Row("close@/.file.003=EIO", 74, "file.003: close failed: EIO"),
    Row("rename@/file.002=EIO", 74, "file.002: rename failed: EIO"),
    Row("rename@/file.003=EACCES", 77, "file.003: rename failed: EACCES"),
    Row("open@/.file.sfv=ENOSPC", 74, "file.sfv: open failed: ENOSPC"),
    Row("write@/.file.sfv=ENOSPC", 74, "file.sfv: write failed: ENOSPC"),
    Row("rename@/file.sfv=EIO", 74, "file.sfv: rename failed: EIO"),
  ]

  @Test(arguments: splitFailures, engines)
  func noPartIsLeftOfASplitThatFails(row: Row, engine: String) throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 7500), to: directory.file("file"))
    let before = try Contents(of: directory.path)
    let outcome = try Tool.cleave.run(
      ["split", "-b", 3000, "--engine", engine, directory.file("file")],
      environment: FaultShim.environment(row.rule)
    )
    #expect(outcome.exitCode == row.code, "\(outcome)")
    let line = outcome.errorText.replacing("\(directory.path)/", with: "")
    // The system's text stands between the two halves.
    let halves = row.line.split(separator: ": ")
    #expect(line.hasPrefix("cleave: " + halves.dropLast().joined(separator: ": ")), "\(line)")
    #expect(line.hasSuffix(" (\(halves[halves.count - 1]))\n"), "\(line)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }
}
