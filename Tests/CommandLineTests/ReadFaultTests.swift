import Posix
import TestSupport
import Testing

/// Parts that cannot be read, or that change while they are.
@Suite(.aside, .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
struct ReadFaultTests {
  typealias Row = WriteFaultTests.Row

  static let failures = [
    Row("open@/file.002=EACCES", 77, "file.002: open failed: Permission denied (EACCES)"),
    Row("open@/file.003=ENOENT", 66, "file.003: open failed: No such file or directory (ENOENT)"),
    Row("open@/file.003=EIO", 74, "file.003: open failed: Input/output error (EIO)"),
    Row("open@/file.001=EMFILE", 71, "file.001: open failed: Too many open files (EMFILE)"),
  ]

  @Test(arguments: failures, engines)
  func aPartThatCannotBeOpenedIsNamed(row: Row, engine: String) throws {
    try expectFailure(row, engine)
  }

  static let readFailures = [
    Row("read@/file.001#1=EIO", 74, "file.001: read failed at 0: Input/output error (EIO)"),
    // The first one looks whether the part is one of another series.
    Row("read@/file.002#1=EIO", 74, "file.002: read failed at 0: Input/output error (EIO)"),
    Row("read@/file.002#4=EIO", 74, "file.002: read failed at 1000: Input/output error (EIO)"),
    Row("read@/file.003#4=EIO", 74, "file.003: read failed at 1000: Input/output error (EIO)"),
    Row("read@/file.002#5=ESTALE", 74, "file.002: read failed at 2000: Stale file handle (ESTALE)"),
  ]

  /// The zerocopy engine does not read; its parts fail as mappings.
  @Test(arguments: readFailures, engines.filter { $0 != "zerocopy" })
  func aReadThatFailsNamesThePartAndTheOffset(row: Row, engine: String) throws {
    try expectFailure(row, engine)
  }

  static let mappingFailures = [
    Row("mmap@/file.001#1=EIO", 74, "file.001: mmap failed at 0: Input/output error (EIO)"),
    Row(
      "mmap@/file.003#1=ENOMEM",
      71,
      "file.003: mmap failed at 0: Cannot allocate memory (ENOMEM)"
    ),
    // What a mapping does where the device fails: it has no page, and only a read says why.
    Row(
      "mmap@/file.002#1=short:0; read@/file.002=EIO",
      74,
      "file.002: read failed at 0: Input/output error (EIO)"
    ),
    Row("mmap@/file.001#1=short:0", 74, "file.001: mmap failed at 0: Bad address (EFAULT)"),
  ]

  @Test(arguments: mappingFailures)
  func aMappingThatFailsNamesThePartAndTheOffset(row: Row) throws {
    try expectFailure(row, "zerocopy")
  }

  private func expectFailure(_ row: Row, _ engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      Series.smallPieces,
      environment: FaultShim.environment(row.rule)
    )
    try series.expectFailure(outcome, row.code, row.line, since: before)
  }

  // MARK: - What must not be noticed

  static let unnoticed = [
    "read=short:1", "read=short:777", "write@/.file=short:1", "write@/.file=short:777",
    "read@/file.00=short:999; write@/.file=short:1001",
    "read@/file.00#1=EINTR", "read@/file.00#4=EINTR", "write@/.file#1=EINTR",
    "write@/.file#3=EINTR", "open@/.file#1=EINTR", "open@/file.002#1=EINTR",
    "read@/file.00#1=EAGAIN", "read@/file.00#2=EAGAIN", "read@/file.00#5=EAGAIN",
    "write@/.file#1=EAGAIN", "write@/.file#2=EAGAIN", "write@/.file#7=EAGAIN",
    "write@/.file#1=EAGAIN; write@/.file#2=EAGAIN; write@/.file#3=short:1",
    "open@/file.002#1=EAGAIN", "close@/file.001=EIO", "close@/.file=EINTR",
    "fsync#1=EINTR", "rename#1=EINTR",
  ]

  @Test(arguments: unnoticed, engines)
  func theMergeGoesOn(rule: String, engine: String) throws {
    // Several pieces at once make a difference to what reads and writes.
    let isOfData = rule.hasPrefix("read") || rule.hasPrefix("write")
    let windows = isOfData ? [["--high-water=1000", "--window=8000"]] : []
    for options in [Series.smallPieces] + windows {
      let series = try Series()
      let before = try series.contents()
      let outcome = try series.merge(
        engine,
        options,
        isSynchronized: rule.hasPrefix("fsync"),
        environment: FaultShim.environment(rule)
      )
      try series.expectMerged(outcome, since: before)
    }
  }

  // MARK: - Parts that change

  /// At which write the part is cut, which part, and to how many bytes. Before all of it has been
  /// read, that is.
  static let cuts = [
    (1, 1, 0), (1, 1, 1), (1, 1, 12_000), (1, 2, 0), (1, 2, 4096), (1, 3, 0), (1, 3, 19_999),
    (5, 2, 8192), (9, 3, 5000), (9, 2, 4096),
  ]
  static let lateCuts = cuts + [(25, 2, 5000), (25, 3, 0), (25, 3, 4096), (45, 3, 20)]

  @Test(arguments: lateCuts, engines)
  func aPartThatIsTruncatedIsBadData(cut: (Int, Int, Int), engine: String) throws {
    try expectTruncation(cut, engine, Series.smallPieces)
  }

  @Test(arguments: cuts, engines)
  func aPartThatIsTruncatedIsBadDataInALargeWindow(cut: (Int, Int, Int), engine: String) throws {
    try expectTruncation(cut, engine, ["--high-water=1000", "--window=9000"])
  }

  private func expectTruncation(
    _ cut: (write: Int, part: Int, size: Int),
    _ engine: String,
    _ options: [String]
  ) throws {
    let series = try Series([20_000, 20_000, 20_000])
    let action = "truncate:\(cut.size):\(series.parts[cut.part - 1])"
    let outcome = try series.merge(
      engine,
      options + ["--last=3"],
      environment: FaultShim.environment("write@/.file#\(cut.write)=\(action)")
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    let line = series.lines(outcome)
    #expect(line.hasPrefix("cleave: file.00\(cut.part): was truncated: it ends at "), "\(outcome)")
    #expect(line.hasSuffix(", not at 20000\n"), "\(line)")
    #expect(try series.directory.names() == series.parts.map(\.lastComponent))
  }

  @Test(arguments: [(1, 1), (1, 3), (9, 3)], engines)
  func aPartThatGrowsMeansTryAgain(change: (write: Int, part: Int), engine: String) throws {
    let series = try Series([20_000, 20_000, 20_000])
    let action = "append:\(series.parts[change.part - 1])"
    let outcome = try series.merge(
      engine,
      Series.smallPieces + ["--last=3"],
      environment: FaultShim.environment("write@/.file#\(change.write)=\(action)")
    )
    #expect(outcome.exitCode == 75, "\(outcome)")
    let line = "cleave: file.00\(change.part): was changed while it was being read\n"
    #expect(series.lines(outcome) == line)
    #expect(try series.directory.names() == series.parts.map(\.lastComponent))
  }
}
