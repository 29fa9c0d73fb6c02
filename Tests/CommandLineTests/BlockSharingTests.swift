import Posix
import TestSupport
import Testing

/// The direct engine on file systems whose files can share blocks.
@Suite(
  .aside,
  .serialized,
  .enabled(if: LoopFileSystem.isAvailable, "needs root, loop devices, and mkfs of XFS or Btrfs")
)
struct BlockSharingTests {
  /// Bytes, of both file systems on machines with pages of 4 KiB.
  private static let block = 4096
  private static let mebibyte = 1 << 20

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sizes: [Int]
    /// Bytes that are shared; the others are copied.
    let shared: Int

    init(_ name: String, _ sizes: [Int], shared: Int) {
      (testDescription, self.sizes, self.shared) = (name, sizes, shared)
    }
  }

  static let merges = [
    Row("whole blocks", [9 * mebibyte, block, 3 * mebibyte], shared: 12 * mebibyte + block),
    Row("a last part of any size", [9 * mebibyte, 5_000_001], shared: 9 * mebibyte + 5_000_001),
    // What comes behind is in no block of its own any more.
    Row("an odd part", [9_000_001, 3 * mebibyte], shared: 9_000_001 / block * block),
    Row(
      "odd parts that make up for each other",
      [9_000_001, block - 9_000_001 % block, 3 * mebibyte + 7],
      shared: 9_000_001 / block * block + 3 * mebibyte + 7
    ),
    Row("parts below a block", [5, 1001, 100], shared: 0),
  ]

  @Test(arguments: LoopFileSystem.kinds, merges)
  func mergingSharesWholeBlocks(kind: LoopFileSystem.Kind, row: Row) throws {
    let system = try LoopFileSystem(kind)
    for (mode, hasManifest) in [("none", false), ("stream", true), ("readback", true)] {
      let series = try Series(row.sizes, hasManifest: hasManifest, in: system.path)
      let before = try series.contents()
      let used = try system.usedBytes()
      let outcome = try series.merge("direct", ["-v", "--verify", mode])
      try series.expectMerged(outcome, since: before)
      #expect(Self.sharedBytes(outcome) == row.shared, "\(mode): \(outcome)")
      try Self.expect(system, took: Int64(series.whole.count - row.shared), since: used)
    }
  }

  @Test(arguments: LoopFileSystem.kinds, engines.filter { $0 != "direct" })
  func otherEnginesCopy(kind: LoopFileSystem.Kind, engine: String) throws {
    let system = try LoopFileSystem(kind)
    let series = try Series([9 * Self.mebibyte, 5_000_001], hasManifest: true, in: system.path)
    let before = try series.contents()
    let used = try system.usedBytes()
    let outcome = try series.merge(engine, ["-v"])
    try series.expectMerged(outcome, since: before)
    #expect(Self.sharedBytes(outcome) == 0, "\(outcome)")
    // So that what is measured above is known to be measured.
    try Self.expect(system, took: Int64(series.whole.count), since: used)
  }

  /// The size of the parts, and the bytes that are shared.
  static let splits = [
    (size: 8 * mebibyte, shared: 20 * mebibyte + 123),
    (size: 5 * mebibyte + block, shared: 20 * mebibyte + 123),
    // Every other part begins within a block.
    (size: 9_000_001, shared: 9_000_001 / block * block),
  ]

  @Test(arguments: LoopFileSystem.kinds, splits.indices)
  func splittingSharesWholeBlocks(kind: LoopFileSystem.Kind, index: Int) throws {
    let (size, shared) = Self.splits[index]
    let system = try LoopFileSystem(kind)
    let bytes = Bytes.repeatedPattern(count: 20 * Self.mebibyte + 123)
    for options in [["--manifest=none"], []] {
      let directory = try TemporaryDirectory(in: system.path)
      try Files.write(bytes, to: directory.file("file"))
      let used = try system.usedBytes()
      let outcome = try Tool.cleave.run(
        ["split", "-v", "--engine=direct", "-b", size, directory.file("file")] + options
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(Self.sharedBytes(outcome) == shared, "\(outcome)")
      let parts = try directory.names().filter { name in
        name.bytes.starts(with: Array("file.0".utf8))
      }
      #expect(parts.count == (bytes.count + size - 1) / size)
      let made = try parts.flatMap { try Files.read(directory.file($0)) }
      #expect(Bytes.difference(made, bytes) == nil)
      try Self.expect(system, took: Int64(bytes.count - shared), since: used)
    }
  }

  @Test(
    .enabled(if: Tool.find("zip") != nil, "needs zip"),
    arguments: LoopFileSystem.kinds
  )
  func splitZipsThatKeepTheirMarkerStayWhereTheyAre(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let directory = try TemporaryDirectory(in: system.path)
    let tree = FileTree(entries: ["a": Bytes.pattern(count: 300_000), "b": [1, 2, 3]])
    let parts = try ZipPrograms.zip(tree, ["-s", "64k"], to: directory.path)
    let last = try #require(parts.last)
    func merge(_ engine: String) throws -> (bytes: [UInt8], shared: Int) {
      let output = directory.file(FilePath(engine))
      let outcome = try Tool.cleave.run(
        ["merge", "-v", "--keep-marker", "--engine", engine, "-o", output, last]
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      return (try Files.read(output), Self.sharedBytes(outcome))
    }
    let (copied, shared) = (try merge("serial"), try merge("direct"))
    #expect(Bytes.difference(shared.bytes, copied.bytes) == nil)
    #expect(copied.shared == 0)
    // The directory at the end is another; the first parts are what they were.
    #expect(shared.shared >= (parts.count - 1) * 65_536 - Self.block)
  }

  // MARK: - Where it cannot be done

  @Test(arguments: LoopFileSystem.kinds)
  func partsOnAnotherDeviceAreCopied(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let size = 9 * Self.mebibyte
    let here = try Series([size, size], in: system.path)
    let elsewhere = try Series([size])
    let operands = [here.parts[0], elsewhere.parts[0], here.parts[1]]
    let expected = try operands.flatMap { try Files.read($0) }
    for (output, shared) in [(here.output, 2 * size), (elsewhere.output, 0)] {
      let outcome = try Tool.cleave.run(
        ["merge", "-v", "--as-given", "--engine=direct", "-o", output] + operands
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(Self.sharedBytes(outcome) == shared, "\(outcome)")
      #expect(try Bytes.difference(Files.read(output), expected) == nil)
    }
  }

  @Test(arguments: LoopFileSystem.kinds)
  func whatIsSharedIsComparedWithTheManifest(kind: LoopFileSystem.Kind) throws {
    let system = try LoopFileSystem(kind)
    let sizes = [9 * Self.mebibyte, 9 * Self.mebibyte]
    let series = try Series(sizes, hasManifest: true, in: system.path)
    try Files.flipByte(at: 5 * Self.mebibyte, of: series.parts[1])
    let before = try series.contents()
    let (copied, shared) = (try series.merge("serial"), try series.merge("direct"))
    #expect(shared.exitCode == 65, "\(shared)")
    #expect(shared.errorText == copied.errorText)
    #expect(series.lines(shared).contains("file.002"), "\(shared)")
    #expect(try series.contents().changes(since: before) == [])
  }

  // MARK: - Failing

  /// Which of the calls fail, and how; the first run of the engine is 8 MiB.
  static let failures = [
    ("1", ["EIO", "EOPNOTSUPP", "ENOSPC", "EINVAL", "EXDEV", "EPERM"]),
    ("2", ["EIO", "EOPNOTSUPP"]), ("2+", ["EIO", "ENOSPC"]), ("3", ["EIO", "EINVAL"]),
  ]

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds,
    failures
  )
  func whatCannotBeSharedIsCopied(
    kind: LoopFileSystem.Kind,
    failure: (calls: String, errors: [String])
  ) throws {
    let system = try LoopFileSystem(kind)
    let calls = failure.calls
    for error in failure.errors {
      let series = try Series([9_000_001, 3007, 9 * Self.mebibyte], in: system.path)
      let before = try series.contents()
      let log = system.path.appending("log")
      try Files.write([], to: log)
      let outcome = try series.merge(
        "direct",
        ["-v"],
        environment: FaultShim.environment("share@/.file#\(calls)=\(error)", log: log)
      )
      try series.expectMerged(outcome, since: before)
      #expect(try !Files.read(log).isEmpty, "no call failed")
      let shared = Self.sharedBytes(outcome)
      #expect(shared < 9_000_001 / Self.block * Self.block + 9 * Self.mebibyte, "\(outcome)")
      if calls != "1" { #expect(shared > 0, "\(outcome)") }
    }
  }

  /// At which call which part is cut or grows, and the exit code.
  static let changes = [
    (rule: "share@/.file#1=truncate:0:", part: 0, code: 65),
    (rule: "share@/.file#2=truncate:4096:", part: 0, code: 65),
    (rule: "share@/.file#2=truncate:5000000:", part: 1, code: 65),
    (rule: "share@/.file#3=truncate:1:", part: 1, code: 65),
    (rule: "share@/.file#1=append:", part: 0, code: 75),
    (rule: "share@/.file#3=append:", part: 1, code: 75),
  ]

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: LoopFileSystem.kinds,
    ["none", "stream"]
  )
  func aPartThatChangesMeanwhileIsNoticed(kind: LoopFileSystem.Kind, mode: String) throws {
    let system = try LoopFileSystem(kind)
    for change in Self.changes {
      let series = try Series([9 * Self.mebibyte, 9 * Self.mebibyte], in: system.path)
      let part = series.parts[change.part]
      let outcome = try series.merge(
        "direct",
        ["-q", "--verify", mode],
        environment: FaultShim.environment("\(change.rule)\(part)")
      )
      // A worker that opens the second part when another has cut it finds it changed.
      let isSeenLater = change.part == 1 && outcome.exitCode == 75
      #expect(outcome.exitCode == CInt(change.code) || isSeenLater, "\(change): \(outcome)")
      #expect(series.lines(outcome).hasPrefix("cleave: \(part.lastComponent): was "), "\(outcome)")
      #expect(try series.directory.names() == series.parts.map(\.lastComponent))
    }
  }

  // MARK: - Help

  /// What `-v` says of it.
  private static func sharedBytes(_ outcome: Outcome) -> Int {
    let found = outcome.errorText.firstMatch(of: /, ([0-9]+) bytes shared with the source/)
    return found.flatMap { Int($0.1) } ?? 0
  }

  /// So many bytes are taken that were free, give or take the file system's own records.
  private static func expect(
    _ system: LoopFileSystem,
    took bytes: Int64,
    since used: Int64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let taken = try system.usedBytes() - used
    #expect(
      abs(taken - bytes) < Int64(mebibyte),
      "\(taken) bytes were taken, and not \(bytes)",
      sourceLocation: sourceLocation
    )
  }
}
