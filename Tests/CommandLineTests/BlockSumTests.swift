import Posix
import TestSupport
import Testing

/// Manifests with the sums of blocks: who writes them, who reads them, and what verify tells by them.
@Suite(.aside) struct BlockSumTests {
  let directory: TemporaryDirectory
  /// 2 parts of 200,000 bytes and one of 100,001: of 50,000 bytes, 4, 4 and 3 blocks.
  static let bytes = Bytes.pattern(count: 500_001)
  private static let cut = ["-b", "200000", "--block", "50000"]

  init() throws { directory = try TemporaryDirectory() }

  // MARK: - Writing

  @Test(
    arguments: engines,
    [[], ["--resume", "--checkpoint=70K"], ["--consume", "--checkpoint=70K"]] as [[String]]
  )
  func everyEngineWritesThem(engine: String, options: [String]) throws {
    let outcome = try split(["--engine", engine] + options)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.text(directory.file("file.sfv")) == expected())
  }

  @Test func theyAreOfStandardInputToo() throws {
    let outcome = try Tool.cleave.run(
      ["split", "--no-sync"] + Self.cut + ["-", directory.file("file")],
      input: .bytes(Self.bytes)
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.text(directory.file("file.sfv")) == expected())
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: engines,
    [["--resume"], ["--consume"]] as [[String]]
  )
  func aJobThatIsGoneOnWithHasThemAll(engine: String, options: [String]) throws {
    let options = options + ["--checkpoint=70K", "--engine", engine]
    for checkpoint in [2, 5] {
      let killed = try split(options, faults: "fsync@.cleave-journal#\(checkpoint)=kill")
      #expect(killed.signal == .kill, "\(killed)")
      let other = try split(options + ["--block", "60000"], again: true)
      #expect(other.exitCode == 73, "\(other)")
      #expect(other.errorText.contains("was begun by a run with another --block; "), "\(other)")
      let outcome = try split(options, again: true)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.text(directory.file("file.sfv")) == expected())
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
    }
  }

  /// Its beginning is freed while its end is still needed.
  @Test(.enabled(if: MemoryFileSystem.isAvailable, "needs root"), arguments: engines)
  func consumingNeedsNoMoreSpaceWithThem(engine: String) throws {
    let device = try MemoryFileSystem(size: 28 << 20)
    let file = device.path.appending("file")
    try Files.write(Bytes.repeatedPattern(count: 20 << 20), to: file)
    let outcome = try Tool.cleave.run(
      [
        "split", "--consume", "--checkpoint=1M", "-b", "4M,rest", "--block=256K", "--engine",
        engine, file,
      ]
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Tool.cleave.run(["verify", "-q", file.adding(".sfv")]).exitCode == 0)
  }

  @Test(
    arguments: [
      (0, "10", "file.001 00000000\n; blocks: 10 0\n"),
      (9, "10", "file.001 CBF43926\n; blocks: 10 9\n; crc32s: CBF43926\n"),
      (9, "9", "file.001 CBF43926\n; blocks: 9 9\n; crc32s: CBF43926\n"),
      (9, "1KiB", "file.001 CBF43926\n; blocks: 1024 9\n; crc32s: CBF43926\n"),
      (
        9, "1",
        "file.001 CBF43926\n; blocks: 1 9\n"
          + "; crc32s: 83DCEFB7 1AD5BE0D 6DD28E9B F3B61B38 84B12BAE 1DB87A14 6ABF4A82 FA005713\n; crc32s: 8D076785\n"
      ),
    ] as [(Int, String, String)]
  )
  func smallFilesHaveFew(count: Int, block: String, lines: String) throws {
    try Files.write(Array("123456789".utf8.prefix(count)), to: directory.file("file"))
    let outcome = try Tool.cleave.run(["split", "-n1", "--block", block, directory.file("file")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.text(directory.file("file.sfv")).hasSuffix("\n" + lines))
    #expect(try Tool.cleave.run(["verify", directory.file("file.sfv")]).exitCode == 0)
  }

  // MARK: - Reading

  @Test(arguments: [("rhash", "-c"), ("cksfv", "-qf")])
  func otherToolsSeeComments(tool: String, option: String) throws {
    guard let checker = Tool.find(FilePath(tool)) else {
      print("skipped: \(tool) is not installed")
      return
    }
    #expect(try split([]).exitCode == 0)
    let good = try checker.run([option, "file.sfv"], workingDirectory: directory.path)
    #expect(good.exitCode == 0, "\(good)")
    try Files.flipByte(at: 5, of: directory.file("file.002"))
    let bad = try checker.run([option, "file.sfv"], workingDirectory: directory.path)
    #expect(bad.exitCode != 0, "\(bad)")
  }

  @Test func mergeHeedsTheSizesThatComeWithThem() throws {
    #expect(try split(["--consume"]).exitCode == 0)
    let parts = try Contents(of: directory.path)
    // All together they have the right number.
    try Files.setSize(199_999, of: directory.file("file.002"))
    try Files.setSize(100_002, of: directory.file("file.003"))
    let refused = try Tool.cleave.run(["merge", directory.file("file.001")])
    #expect(refused.exitCode == 65, "\(refused)")
    #expect(refused.errorText.contains("file.002 has 199999 bytes, not 200000; "), "\(refused)")
    for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
    try parts.restore(in: directory.path) { _ in true }
    #expect(try Tool.cleave.run(["merge", directory.file("file.001")]).exitCode == 0)
    #expect(try Files.read(directory.file("file")) == Self.bytes)
  }

  /// What is done to file.003, of 100,001 bytes, and what is told of it.
  static let damages: [(flips: [Int], size: Int64, problem: String, ranges: [ClosedRange<Int>])] = [
    ([0], 100_001, "CRC", [0...49_999]), ([49_999], 100_001, "CRC", [0...49_999]),
    ([50_000], 100_001, "CRC", [50_000...99_999]), ([100_000], 100_001, "CRC", [100_000...100_000]),
    ([0, 60_000], 100_001, "CRC", [0...99_999]),
    ([0, 100_000], 100_001, "CRC", [0...49_999, 100_000...100_000]),
    ([], 100_000, "has 100000 bytes, not 100001", [100_000...100_000]),
    ([], 60_000, "has 60000 bytes, not 100001", [50_000...100_000]),
    ([], 0, "has 0 bytes, not 100001", [0...100_000]),
    ([], 100_002, "has 100002 bytes, not 100001", []),
    ([7], 200_000, "has 200000 bytes, not 100001", [0...49_999]),
  ]

  @Test(arguments: damages) func verifyTellsWhichBytesDiffer(
    damage: (flips: [Int], size: Int64, problem: String, ranges: [ClosedRange<Int>])
  ) throws {
    #expect(try split([]).exitCode == 0)
    let part = directory.file("file.003")
    for place in damage.flips { try Files.flipByte(at: place, of: part) }
    try Files.setSize(damage.size, of: part)
    let outcome = try Tool.cleave.run(["verify", "file.sfv"], workingDirectory: directory.path)
    #expect(outcome.exitCode == 1, "\(outcome)")
    let shown = damage.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
    let end = shown.isEmpty ? "" : "; bytes \(shown) differ"
    let line = outcome.errorText.replacing(#/has CRC-32 [0-9a-f]{8}, not [0-9a-f]{8}/#, with: "CRC")
    #expect(line == "cleave: file.003: \(damage.problem)\(end)\n", "\(outcome)")
    let json = try JSON(Tool.cleave.run(["verify", "--json", part]))
    let file = try #require(json.list("files").first { $0.text("status") == "different" })
    #expect(file.list("ranges").map { $0.number("from") } == damage.ranges.map(\.lowerBound))
    #expect(file.list("ranges").map { $0.number("to") } == damage.ranges.map(\.upperBound))
    #expect(
      json.list("files").filter { !$0.list("ranges").isEmpty }.count == (shown.isEmpty ? 0 : 1)
    )
  }

  @Test func manyRangesAreShortenedForPeopleOnly() throws {
    try Files.write(Bytes.pattern(count: 100), to: directory.file("file"))
    #expect(
      try Tool.cleave.run(["split", "-n1", "--block=1", directory.file("file")]).exitCode == 0
    )
    for place in stride(from: 0, to: 100, by: 2) {
      try Files.flipByte(at: place, of: directory.file("file.001"))
    }
    let outcome = try Tool.cleave.run(["verify", directory.file("file.sfv")])
    #expect(outcome.errorText.hasSuffix(", 36-36, 38-38 and 30 more ranges differ\n"), "\(outcome)")
    let json = try JSON(Tool.cleave.run(["verify", "--json", directory.file("file.sfv")]))
    #expect(json.list("files").first?.list("ranges").count == 50)
  }

  // MARK: - Refusals

  @Test(
    arguments: [
      (["--block", "0"], "--block: '0' must be more than 0"),
      (["--block", "7"], "that would make 71430 blocks; 65536 are the most"),
      (["--block", "1M", "--manifest=none"], "--block needs a manifest"),
      (
        ["--block", "1M", "--format=zip"],
        "--block is for parts that are cut anywhere, not for --format=zip"
      ),
    ] as [([String], String)]
  )
  func whatMakesNoSenseIsAUsageError(options: [String], line: String) throws {
    try Files.write(Self.bytes, to: directory.file("file"))
    let outcome = try Tool.cleave.run(
      ["split", "-b", "200000"] + options + [directory.file("file")]
    )
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(line) (see 'cleave split --help')\n")
    #expect(try directory.names() == ["file"])
  }

  @Test func standardInputOfTooManyBlocksLeavesNothing() throws {
    let outcome = try Tool.cleave.run(
      ["split", "--no-sync", "-b", "50K", "--block", "1", "-", directory.file("file")],
      input: .bytes([UInt8](repeating: 0, count: 66_000))
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText == "cleave: standard input has more than 65536 blocks\n")
    #expect(try directory.names() == [])
  }

  // MARK: - Inside

  private func split(
    _ options: [String],
    again: Bool = false,
    faults: String? = nil
  ) throws -> Outcome {
    if !again { try Files.write(Self.bytes, to: directory.file("file")) }
    return try Tool.cleave.run(
      ["split", "--quiet"] + Self.cut + options + [directory.file("file")],
      environment: try faults.map { try FaultShim.environment($0) } ?? [:]
    )
  }

  /// The manifest, with the sums that Python's zlib finds.
  private func expected() throws -> String { try Self.manifest.get() }

  private static let manifest = Result {
    let python = try #require(Tool.find("python3"))
    let script = """
      import sys, zlib
      data = sys.stdin.buffer.read()
      crc = lambda data: "%08X" % zlib.crc32(data)
      print("; name: file\\n; size: %d\\n; crc32: %s\\n; adler32: %08X" % (len(data), crc(data), zlib.adler32(data)))
      for number in range(3):
          part = data[number * 200000:(number + 1) * 200000]
          print("file.%03d %s\\n; blocks: 50000 %d" % (number + 1, crc(part), len(part)))
          print("; crc32s: " + " ".join(crc(part[at:at + 50000]) for at in range(0, len(part), 50000)))
      """
    let outcome = try python.run(["-c", script], input: .bytes(Self.bytes))
    #expect(outcome.exitCode == 0, "\(outcome)")
    let version = try Tool.cleave.run(["--version"]).outputText.prefix { $0 != "\n" }
    return "; Generated by \(version)\n" + outcome.outputText
  }
}
