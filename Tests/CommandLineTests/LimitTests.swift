import Posix
import TestSupport
import Testing

/// Limits of the process, closed descriptors, and files that are larger than some numbers.
@Suite(.aside) struct LimitTests {
  /// Several times as many parts as descriptors.
  @Test(arguments: engines) func aThousandPartsNeedFewDescriptors(engine: String) throws {
    let directory = try TemporaryDirectory()
    let whole = Bytes.pattern(count: 2999)
    try Files.write(whole, to: directory.file("whole"))
    let limits = ToolLimits(openFiles: 256)
    let split = try Tool.cleave.run(
      ["split", "-q", "--no-sync", "-b", 3, "--engine", engine, directory.file("whole")],
      limits: limits
    )
    #expect(split.exitCode == 0, "\(split)")
    #expect(try directory.names().count == 1002)
    let output = directory.file("out")
    let merge = try Tool.cleave.run(
      [
        "merge", "-q", "--no-sync", "--engine", engine, "-o", output,
        directory.file("whole.1000"),
      ],
      limits: limits
    )
    #expect(merge.exitCode == 0, "\(merge)")
    #expect(try Bytes.difference(Files.read(output), whole) == nil)
    #expect(try directory.names().count == 1003)
  }

  @Test(arguments: engines) func fewDescriptorsAreEnough(engine: String) throws {
    let series = try Series([Int](repeating: 100, count: 50), hasManifest: true)
    let before = try series.contents()
    let outcome = try series.merge(engine, limits: ToolLimits(openFiles: 64))
    try series.expectMerged(outcome, since: before)
  }

  @Test(
    .enabled(if: !BuildProducts.haveThreadSanitizer, "the sanitizer itself dies of the limit"),
    arguments: engines
  )
  func aFileSizeLimitIsAnError(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      Series.smallPieces,
      limits: ToolLimits(fileSize: 2048)
    )
    let line = "file: write failed at 2048: File too large (EFBIG)"
    try series.expectFailure(outcome, 74, line, since: before)
  }

  #if os(Linux)
    static let commands: [[String]] = [
      ["merge", "file.001"], ["merge", "--engine=multiqueue", "--json", "file.001"],
      ["merge", "--engine=zerocopy", "file.001"], ["merge", "--engine=serial", "file.001"],
      ["merge", "--resume", "file.001"], ["merge", "--wait=1s", "file.001"], ["cat", "file.001"],
      ["split", "-n", "2", "file.001", "p"], ["verify", "file.001"], ["info", "file.001"],
      ["clean"], ["bench", "--runs=1", "--size=64K"],
    ]

    /// As many as it takes until there are enough: the loader itself needs one more than the standard
    /// ones.
    @Test(
      .enabled(if: !BuildProducts.haveThreadSanitizer, "the sanitizer itself dies of the limit"),
      .enabled(if: Tool.find("prlimit") != nil, "needs prlimit"),
      arguments: commands
    )
    func tooFewDescriptorsAreAnError(command: [String]) throws {
      let series = try Series(hasManifest: true)
      let before = try series.contents()
      let prlimit = try #require(Tool.find("prlimit"))
      var enough = 0
      for count in 4...64 where enough < 3 {
        let outcome = try prlimit.run(
          ["--nofile=\(count)", Tool.cleave.path] + command.map { FilePath($0) },
          workingDirectory: series.directory.path
        )
        #expect(outcome.exitCode == 0 || outcome.exitCode == 71, "\(count): \(outcome)")
        if outcome.exitCode == 0 {
          enough += 1
          try before.restore(in: series.directory.path)
        }
        #expect(try series.contents().changes(since: before) == [], "\(count): \(outcome)")
      }
      #expect(enough == 3, "64 descriptors are too few")
    }

    /// Also of commands without an engine, of which Dispatch waits for signals.
    @Test(.enabled(if: Stranger.exists, "needs root, setpriv and prlimit"), arguments: 0...4)
    func aCommandWithoutThreadsEnds(count: Int) throws {
      let target = try TemporaryDirectory()
      try Files.setPermissions(0o777, of: target.path)
      for command in [["clean", "\(target.path)"], ["bench", "--directory=\(target.path)"]] {
        let outcome = try Stranger.run(
          ["prlimit", "--nproc=\(count)", Tool.cleave.path] + command.map { FilePath($0) },
          number: 100 + count
        )
        #expect(outcome.exitCode == 71, "\(outcome)")
        let line = "cleave: the operating system gives too few threads (EAGAIN)\n"
        #expect(outcome.errorText == line)
        #expect(try target.names() == [])
      }
    }

    @Test(
      .enabled(if: !BuildProducts.haveThreadSanitizer, "the sanitizer itself dies of the limit"),
      arguments: engines,
      ["address space", "data"]
    )
    func tooLittleMemoryIsAnError(engine: String, limited: String) throws {
      // Less than the program itself takes is the loader's business.
      for size in stride(from: 48 << 20, through: 432 << 20, by: 24 << 20) {
        let series = try Series([1_000_000, 1_000_000])
        let before = try series.contents()
        var limits = ToolLimits()
        if limited == "data" { limits.data = size } else { limits.addressSpace = size }
        let outcome = try series.merge(engine, limits: limits)
        if outcome.exitCode == 0 {
          try series.expectMerged(outcome, since: before)
        } else {
          let line = "the operating system gives too few threads (EAGAIN)"
          try series.expectFailure(outcome, 71, line, since: before)
        }
      }
    }

    @Test(
      .enabled(if: !BuildProducts.haveThreadSanitizer, "the sanitizer itself dies of the limit"),
      arguments: [64, 128, 256, 511, 512]
    )
    func tooLittleStackIsAnError(kilobytes: Int) throws {
      let series = try Series([1_000_000, 1_000_000])
      let before = try series.contents()
      var limits = ToolLimits()
      limits.stack = kilobytes << 10
      let outcome = try series.merge("auto", limits: limits)
      if kilobytes == 512 { return try series.expectMerged(outcome, since: before) }
      let line = "the operating system gives too little stack: 512 KiB are needed (ulimit -s)"
      try series.expectFailure(outcome, 71, line, since: before)
    }

    /// Root may have any number of threads, so it is somebody else who merges.
    @Test(
      .enabled(if: Stranger.exists, "needs root, setpriv and prlimit"),
      arguments: engines
    )
    func tooFewThreadsAreAnError(engine: String) throws {
      let series = try Series()
      let target = try TemporaryDirectory()
      for path in [series.directory.path, target.path] {
        try Files.setPermissions(0o777, of: path)
      }
      for count in [1, 2, 3, 5, 8, 12, 20, 40] {
        let outcome = try Stranger.run(
          ["prlimit", "--nproc=\(count)", Tool.cleave.path, "merge", "--no-sync", "--force"]
            + ["--engine", engine, "-o", target.file("out"), series.parts[0]],
          number: engines.firstIndex(of: engine) ?? 0
        )
        guard outcome.exitCode != 0 else { continue }
        #expect(outcome.exitCode == 71, "\(outcome)")
        let line = "cleave: the operating system gives too few threads (EAGAIN)\n"
        #expect(outcome.errorText == line)
      }
      #expect(try Files.read(target.file("out")) == series.whole)
    }
  #endif

  // MARK: - Closed descriptors

  @Test(arguments: [[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]] as [Set<CInt>], engines)
  func closedDescriptorsDoNotMixWithTheOutput(closed: Set<CInt>, engine: String) throws {
    for option in ["--progress=always", "-v", "--json"] {
      let series = try Series(hasManifest: true)
      let before = try series.contents()
      let outcome = try series.merge(engine, [option], closing: closed)
      try series.expectMerged(outcome, since: before)
    }
  }

  @Test func dataForAClosedDescriptorIsRefused() throws {
    let series = try Series()
    let before = try series.contents()
    let output = try Tool.cleave.run(["merge", "-o", "-", series.parts[0]], closing: [1])
    try series.expectFailure(output, 73, "standard output: is closed", since: before)
    let input = try Tool.cleave.run(["merge", "-o", series.output, "-"], closing: [0])
    try series.expectFailure(input, 66, "standard input: is closed", since: before)
    let split = try Tool.cleave.run(["split", "-b", 1, "-", series.output], closing: [0])
    try series.expectFailure(split, 66, "standard input: is closed", since: before)
  }

  // MARK: - Large files

  private static let isLong = BuildProducts.areTestsLong

  /// Writes 4.4 GB three times.
  @Test(.enabled(if: isLong, "make test-long runs it"), arguments: engines)
  func partsOverTwoAndOffsetsOverFourGiBWork(engine: String) throws {
    let directory = try TemporaryDirectory()
    let size: Int64 = 2_362_232_013
    let parts = [1, 2].map { directory.file(FilePath("big.00\($0)")) }
    for part in parts { try Files.makeSparse(part, size: size) }
    try Files.append([1, 2, 3], to: parts[0])
    try Files.append([4, 5, 6], to: parts[1])
    let merged = try Tool.cleave.run(
      ["merge", "--no-sync", "--engine", engine, parts[0]],
      timeout: 300
    )
    #expect(merged.exitCode == 0, "\(merged)")
    #expect(try FileStatus.of(directory.file("big")).size == 2 * (size + 3))
    for part in parts { try FileSystem.unlink(part) }
    let split = try Tool.cleave.run(
      ["split", "--no-sync", "--engine", engine, "-b", "\(size + 3)", directory.file("big")],
      timeout: 300
    )
    #expect(split.exitCode == 0, "\(split)")
    #expect(try FileSystem.names(in: directory.path).count == 4)
    for (part, end) in zip(parts, [[1, 2, 3], [4, 5, 6]] as [[UInt8]]) {
      let tail = try #require(Tool.find("tail")).run(["-c", 4, part])
      #expect(tail.standardOutput == [0] + end)
    }
  }
}

/// A user who owns nothing and runs nothing.
private enum Stranger {
  static let exists =
    Tool.find("prlimit") != nil
    && (try? run([Tool.cleave.path, "--version"]))?.exitCode == 0

  /// - Parameter number: of the stranger; what one of them may have is not taken by another.
  static func run(_ command: [any ToolArgument], number: Int = 0) throws -> Outcome {
    let setpriv = try #require(Tool.find("setpriv"))
    let user = 61234 + number
    let options = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--"]
    return try setpriv.run(options + command)
  }
}
