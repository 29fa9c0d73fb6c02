import Posix
import TestSupport
import Testing

/// What parts make, and pieces of it, on standard output.
@Suite(.aside) struct CatTests {
  // MARK: - Every kind of parts

  /// Parts, and what they make.
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var options: [String] = []
    /// The parts that are given, and the bytes to be found.
    var make: @Sendable (TemporaryDirectory) throws -> (operands: [FilePath], whole: [UInt8])
  }

  static let kinds: [Kind] = [
    Kind(testDescription: "numbered parts", options: ["--last=5"]) { directory in
      let parts = [40_000, 1, 0, 70_000, 300].map { Bytes.pattern(count: $0, seed: UInt64($0)) }
      let paths = try write(parts, "film.00", in: directory)
      return ([paths[3]], Array(parts.joined()))
    },
    Kind(testDescription: "parts of a zip") { directory in
      let whole = try zip.single()
      let paths = try write(whole.cut(to: 3000), "a.zip.00", in: directory)
      return ([paths[1]], whole)
    },
    Kind(testDescription: "a split zip") { directory in try splitZip(zip, in: directory) },
    Kind(testDescription: "a split zip with its marker", options: ["--keep-marker"]) { directory in
      try splitZip(zip, in: directory, ["--keep-marker"])
    },
    Kind(testDescription: "a split zip whose headers are put right") { directory in
      var writer = zip
      writer.quirks = .forgetsSizes
      return try splitZip(writer, in: directory)
    },
    Kind(testDescription: "a split zip as bytes", options: ["--format=raw"]) { directory in
      let parts = try zip.parts(of: 2500)
      return ([try names(parts, in: directory)[0]], Array(parts.joined()))
    },
    Kind(testDescription: "operands as given", options: ["--as-given"]) { directory in
      let parts = [70_000, 5, 1234].map { Bytes.pattern(count: $0, seed: UInt64($0)) }
      let paths = try write(parts, "piece", in: directory)
      return ([paths[2], paths[0], paths[1], paths[2]], parts[2] + parts[0] + parts[1] + parts[2])
    },
  ]

  private static let zip = ZipWriter(ZipWriterTests.entries)

  private static func write(
    _ parts: [[UInt8]],
    _ prefix: String,
    in directory: TemporaryDirectory
  ) throws -> [FilePath] {
    let paths = parts.indices.map { directory.file(FilePath("\(prefix)\($0 + 1)")) }
    for (path, bytes) in Swift.zip(paths, parts) { try Files.write(bytes, to: path) }
    return paths
  }

  private static func names(
    _ parts: [[UInt8]],
    in directory: TemporaryDirectory
  ) throws -> [FilePath] {
    let paths = parts.indices.map {
      directory.file(ZipSetNames.lower.name(of: $0, among: parts.count))
    }
    for (path, bytes) in Swift.zip(paths, parts) { try Files.write(bytes, to: path) }
    return paths
  }

  /// What merge makes of it is the merge tests' concern.
  private static func splitZip(
    _ writer: ZipWriter,
    in directory: TemporaryDirectory,
    _ options: [String] = []
  ) throws -> (operands: [FilePath], whole: [UInt8]) {
    let paths = try names(try writer.parts(of: 2500), in: directory)
    let other = try TemporaryDirectory()
    let merged = try mergeZip(paths[0], to: other.file("merged"), options)
    try #require(merged.exitCode == 0, "\(merged)")
    return ([paths[1]], try Files.read(other.file("merged")))
  }

  @Test(arguments: kinds) func theWholeIsWritten(kind: Kind) throws {
    let directory = try TemporaryDirectory()
    let (operands, whole) = try kind.make(directory)
    let before = try Contents(of: directory.path)
    for output in [ToolOutput.pipe, .capture] {
      let outcome = try Tool.cleave.run(["cat"] + kind.options + operands, standardOutput: output)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      #expect(outcome.errorText == "")
      #expect(Bytes.difference(outcome.standardOutput, whole) == nil)
    }
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test(arguments: kinds) func anyPieceIsWritten(kind: Kind) throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let (operands, whole) = try kind.make(directory)
    for number in 0..<30 {
      let start = Int.random(in: 0..<whole.count, using: &random)
      // Half of them are small, where the borders of parts and records are.
      let most = number % 2 == 0 ? whole.count : min(whole.count, start + 100)
      let end = Int.random(in: (start + 1)...most, using: &random)
      let texts = ["\(start)-\(end - 1)"] + (end == most ? ["-\(whole.count - start)"] : [])
      for text in texts {
        let last = text.hasPrefix("-") ? whole.count : end
        try expect(Array(whole[start..<last]), of: text, kind.options + operands, "seed \(seed)")
      }
    }
  }

  private func expect(
    _ bytes: [UInt8],
    of range: String,
    _ words: [any ToolArgument],
    _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try Tool.cleave.run(["cat", "--range", range] + words)
    let comment: Comment = "\(comment), \(range): \(outcome.errorText)"
    #expect(outcome.exitCode == 0, comment, sourceLocation: sourceLocation)
    #expect(outcome.errorText == "", comment, sourceLocation: sourceLocation)
    let difference = Bytes.difference(outcome.standardOutput, bytes)
    #expect(difference == nil, comment, sourceLocation: sourceLocation)
  }

  // MARK: - Ranges

  @Test(
    arguments: [
      ("0-0", 0..<1), ("0-2999", 0..<3000), ("0-3000", 0..<3001), ("2999-3000", 2999..<3001),
      ("3000-5999", 3000..<6000), ("6000-", 6000..<7500), ("7499-", 7499..<7500),
      ("-1", 7499..<7500), ("-1500", 6000..<7500), ("-7500", 0..<7500), ("-8K", 0..<7500),
      ("7000-1T", 7000..<7500), ("1K-2K-1", 1024..<2048), ("1K-2K", 1024..<2049),
      ("0-9223372036854775807", 0..<7500),
    ] as [(String, Range<Int>)]
  )
  func bothEndsAreIncluded(text: String, range: Range<Int>) throws {
    let series = try Series()
    try expect(Array(series.whole[range]), of: text, [series.parts[2]])
  }

  @Test(arguments: ["7500-", "7500-7500", "9223372036854775807-"])
  func whatBeginsBehindTheEndIsNotThere(range: String) throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(["cat", "--range=\(range)", series.parts[0]])
    #expect(outcome.exitCode == 66)
    #expect(
      series.lines(outcome) == "cleave: file: has 7500 bytes, none of which --range asks for\n"
    )
    #expect(outcome.standardOutput == [])
  }

  @Test(
    arguments: [
      ([], "a part to write is missing"),
      (["--range", "2-1", "x"], "--range: '2-1' ends before it begins"),
      (["--range=-0", "x"], "--range: '-0' asks for no bytes"),
      (["--range=5", "x"], "--range: '5' is not a range; use FROM-TO, FROM- or -COUNT"),
      (["--range=0-5", "-"], "--range needs files, not standard input"),
      (["-", "-"], "standard input can be read only once"),
      (["--json", "x"], "unknown option --json"),
    ] as [([String], String)]
  )
  func aWrongCommandLineIsToldInOneLine(arguments: [String], line: String) throws {
    let outcome = try Tool.cleave.run(["cat"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText == "cleave: \(line) (see 'cleave cat --help')\n")
    #expect(outcome.standardOutput == [])
  }

  // MARK: - What is read

  #if os(Linux)
    /// To read all of it would take hours.
    @Test func ofAHugeSeriesOnlyTheRangeIsRead() throws {
      let directory = try TemporaryDirectory()
      let size: Int64 = 1 << 40
      try Files.makeSparse(directory.file("huge.001"), size: size)
      try Files.write(Bytes.pattern(count: 10), to: directory.file("huge.002"))
      try Files.makeSparse(directory.file("huge.003"), size: size)
      let start = size - 5
      let outcome = try Tool.cleave.run(
        ["cat", "--last=3", "--range", "\(start)-\(start + 19)", directory.file("huge.003")]
      )
      let zeros = [UInt8](repeating: 0, count: 5)
      #expect(outcome.standardOutput == zeros + Bytes.pattern(count: 10) + zeros, "\(outcome)")
    }

    @Test(.enabled(if: CountShim.isAvailable, "counting needs Linux, glibc and a C compiler"))
    func noByteIsReadThatIsNotAskedFor() throws {
      let series = try Series([3 << 20, 3 << 20, 3 << 20])
      let sink = try TemporaryDirectory()
      let output = sink.file("output")
      for (range, count) in [("3145628-3M+9", 110), ("-5", 5), ("1M-", 8 << 20)] {
        let words = ["--format=raw", "--range", range, "file.001"]
        let counts = try counts(words, to: output, in: series.directory)
        #expect(counts.readBytes == count, "\(range)")
        #expect(try FileStatus.of(output).size == count, "\(range)")
      }
    }

    @Test(.enabled(if: CountShim.isAvailable, "counting needs Linux, glibc and a C compiler"))
    func aHugeSeriesNeedsLittleMemory() throws {
      let directory = try TemporaryDirectory()
      for number in 1...4 {
        try Files.makeSparse(directory.file(FilePath("huge.00\(number)")), size: 128 << 20)
      }
      let counts = try counts(["--format=raw", "huge.001"], to: "/dev/null", in: directory)
      #expect(counts.readBytes == 512 << 20)
      #expect(counts.peakResidentBytes < 64 << 20)
    }

    /// What it asks of the system to write what there is in a directory to somewhere else.
    private func counts(
      _ words: [String],
      to output: FilePath,
      in directory: TemporaryDirectory
    ) throws -> Counts {
      let script = #"out=$1; shift; exec "$@" >"$out""#
      let command: [any ToolArgument] = ["-c", script, "sh", output, Tool.cleave.path, "cat"]
      return try Counts(Tool.shell, command + words, in: directory.path)
    }
  #endif

  // MARK: - What goes wrong

  @Test func aMissingPartIsMissedWhateverTheRange() throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[1])
    for words in [[], ["--range=0-9"]] {
      let before = try series.contents()
      let outcome = try Tool.cleave.run(["cat"] + words + [series.parts[0]])
      try series.expectFailure(outcome, 66, "file: 1 part is missing: file.002", since: before)
    }
  }

  @Test func theManifestIsComparedWithTheWholeAlone() throws {
    let series = try Series(hasManifest: true)
    let good = try Tool.cleave.run(["cat", series.parts[0]])
    #expect(good.exitCode == 0, "\(good)")
    #expect(good.standardOutput == series.whole)
    try Files.flipByte(at: 17, of: series.parts[1])
    let bad = try Tool.cleave.run(["cat", series.parts[0]])
    #expect(bad.exitCode == 65)
    #expect(series.lines(bad).hasPrefix("cleave: file.sfv: file.002 has CRC-32 "), "\(bad)")
    // All of it has left by then.
    #expect(bad.standardOutput.count == 7500)
    for words in [["--range=0-"], ["--manifest=none"]] {
      let unchecked = try Tool.cleave.run(["cat"] + words + [series.parts[0]])
      #expect(unchecked.exitCode == 0, "\(unchecked)")
      #expect(unchecked.errorText == "")
      #expect(unchecked.standardOutput.count == 7500)
    }
  }

  @Test func standardInputMayBeAPart() throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(
      ["cat", series.parts[0], "-", series.parts[2]],
      input: .file(series.parts[1])
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.standardOutput == series.whole)
  }

  @Test(arguments: [0, 10, 100_000]) func aReaderMayLeave(count: Int) throws {
    let series = try Series([1_000_000, 999_000])
    for words in [[], ["--range=5-1998990"]] {
      let outcome = try Tool.cleave.run(
        ["cat"] + words + [series.parts[0]],
        standardOutput: .pipeClosed(after: count)
      )
      #expect(outcome.signal == .pipe, "\(outcome.errorText)")
      #expect(outcome.errorText == "")
    }
  }

  @Test func theOutputIsNoneOfTheParts() throws {
    let series = try Series()
    let before = try series.contents()
    let script = #""$1" cat "$2" >>"$2""#
    let outcome = try Tool.shell.run(["-c", script, "sh", Tool.cleave.path, series.parts[0]])
    let line = "standard output: is one of the inputs"
    try series.expectFailure(outcome, 73, line, since: before)
  }

  @Test(
    "parts beside standard input are in their order, and the last is given",
    arguments: [
      (66, "- file.002 <file.001", "file.003: is a part, too, and is not given"),
      (66, "- file.003 file.002 <file.001", "file.002: is given behind file.003, against"),
      (
        66, "file.001 file.003 - </dev/null",
        "file.003: comes behind file.001, and the parts between"
      ),
      (65, "- a.z02 a.zip </dev/null", "a.z02: is a part of a split zip"),
      (0, "- file.003 <file.001", ""),
      (0, "- file.001 </dev/null", ""),
      (0, "--last=2 - file.002 <file.001", ""),
      (0, "--as-given - file.003 file.002 <file.001", ""),
      (0, "--format=raw - a.z02 a.zip </dev/null", ""),
    ] as [(CInt, String, String)]
  )
  func aroundStandardInput(code: CInt, words: String, text: String) throws {
    let series = try Series()
    for name in ["a.z02", "a.zip"] as [FilePath] {
      try Files.copy(series.parts[0], to: series.directory.file(name))
    }
    let outcome = try Tool.shell.run(
      ["-c", FilePath("exec \"$0\" cat \(words)"), Tool.cleave.path],
      workingDirectory: series.directory.path
    )
    #expect(outcome.exitCode == code, "\(outcome.errorText)")
    #expect(outcome.errorText.contains(text), "\(outcome.errorText)")
  }
}
