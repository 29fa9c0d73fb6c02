import Posix
import TestSupport
import Testing

/// Command lines and sets that look fine and are not.
@Suite(.aside) struct RefusalTests {
  @Test(arguments: engines) func aManifestCutShortHidesNoPart(engine: String) throws {
    let series = try Series(hasManifest: true)
    let lines = try Files.text(series.manifest).split(separator: "\n")
    let short = lines.filter { !$0.hasPrefix(";") }.dropLast().joined(separator: "\n")
    try Files.write(Array(short.utf8), to: series.manifest)
    let before = try series.contents()
    let line =
      "file.003: is not in file.sfv; --last=2 leaves it out, --manifest=none takes it in"
    try series.expectFailure(try series.merge(engine), 65, line, since: before)
  }

  /// Sparse files of 5 EiB, which few file systems have.
  @Test(.enabled(if: MemoryFileSystem.isAvailable, "needs root and tmpfs"))
  func partsThatAreTooLargeTogetherAreRefused() throws {
    let memory = try MemoryFileSystem(size: 1 << 20)
    let parts = [1, 2].map { memory.path.appending(FilePath("a.00\($0)")) }
    for part in parts { try Files.makeSparse(part, size: 5 << 60) }
    let output = memory.path.appending("out")
    for option in ["--format=raw", "--format=auto"] {
      let outcome = try Tool.cleave.run(["merge", option, "-o", output, parts[0]])
      #expect(outcome.exitCode == 65, "\(outcome)")
      let text =
        "the parts have more than \(Int64.max) bytes together, the most that a file can have"
      #expect(outcome.errorText == "cleave: \(parts[0]): \(text)\n")
    }
  }

  @Test func anOperandIsNeverLeftOut() throws {
    let series = try Series(hasManifest: true)
    let extra = series.directory.file("file.004")
    try Files.write([1], to: extra)
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", extra])
    let line =
      "file.004: is not in file.sfv; --last=3 leaves it out, --manifest=none takes it in"
    try series.expectFailure(outcome, 65, line, since: before)
    let other = try Tool.cleave.run(["merge", "--no-sync", series.parts[0]])
    #expect(other.exitCode == 0, "\(other)")
    #expect(series.lines(other).contains("file.004: left over from a longer series; not merged"))
  }

  @Test(arguments: [
    (
      ["split", "-b", "10", "-n", "3", "FILE"],
      "--bytes does not go with --number: one of them says where to cut"
    ),
    (["split", "-b", "1000", "FILE", ""], "the PREFIX is empty"),
    (["merge", "-o", "", "FILE.001"], "the name of the output is empty"),
  ])
  func aCommandLineWithoutSenseIsRefused(words: [String], message: String) throws {
    let series = try Series()
    try Files.write(series.whole, to: series.output)
    let before = try series.contents()
    let arguments: [any ToolArgument] = words.map { word in
      word.hasPrefix("FILE") ? series.output.adding(String(word.dropFirst(4))) : FilePath(word)
    }
    let outcome = try Tool.cleave.run(arguments)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(message) (see "), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(
    arguments: [
      ("o.zip", "a zip"), ("o.gz", "a gzip file"), ("o.7z", "a 7z archive"), ("o.xz", "an xz file"),
      ("o.ZST", "a zstd file"), ("o.tar", "a tar file"), ("o.rar", "a RAR archive"),
      ("o.bz2", "a bzip2 file"), ("o.lz4", "an lz4 file"), ("o.lz", "an lzip file"),
    ] as [(FilePath, String)]
  )
  func whatDoesNotBeginAsItsNamePromisesIsRefused(name: FilePath, format: String) throws {
    let directory = try TemporaryDirectory()
    for part in ["one", "two"] as [FilePath] {
      try Files.write(Bytes.pattern(count: 2000), to: directory.file(part))
    }
    func merge(_ options: [any ToolArgument]) throws -> Outcome {
      let words: [any ToolArgument] = ["merge", "--no-sync", "-o", name, "one", "two"]
      return try Tool.cleave.run(words + options, workingDirectory: directory.path)
    }
    for options in [[], ["-n"]] as [[String]] {
      let outcome = try merge(options)
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(
        outcome.errorText
          == "cleave: \(name): what the parts make does not begin like \(format), so that they are others "
          + "or in the wrong order; --format=raw joins them all the same\n"
      )
      #expect(try directory.names() == ["one", "two"])
    }
    for option in ["--verify=none", "--as-given", "--format=raw"] {
      let outcome = try merge([option, "-f"])
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
  }

  @Test func noOptionIsNamedThatReplacesTheInput() throws {
    let series = try Series()
    let words: [any ToolArgument] = ["split", "-n", "3", series.parts[2], series.output]
    let outcome = try Tool.cleave.run(words)
    #expect(outcome.exitCode == 73, "\(outcome)")
    // The first is another file, which could be replaced.
    #expect(outcome.errorText.contains("file.001: exists; --force replaces it"), "\(outcome)")
    for part in series.parts.dropLast() { try FileSystem.unlink(part) }
    let other = try Tool.cleave.run(words)
    #expect(other.exitCode == 73, "\(other)")
    #expect(other.errorText.contains("file.003: is one of the inputs"), "\(other)")
  }

  @Test func nothingIsBehindTheLastPart() throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(["merge", "--first=9", series.parts[0]])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains(": 1 part is missing: file.009\n"), "\(outcome)")
  }

  /// What is left of a source may be the only copy.
  @Test func nothingIsMadeUnderTheNameOfWhatIsLeft() throws {
    let series = try Series()
    let before = try series.contents()
    let rest = series.parts[0].adding(".cleave-rest")
    for options in [[], ["-f"], ["--consume"]] as [[String]] {
      let outcome = try Tool.cleave.run(["merge", "-o", rest, series.parts[0]] + options)
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(
        outcome.errorText.contains("has the form of names that unfinished jobs"),
        "\(outcome)"
      )
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test func aRunThatMayGoOnMakesNothingUnderTheNameOfAPart() throws {
    let series = try Series()
    let before = try series.contents()
    for option in ["--resume", "--consume"] {
      let output = series.directory.file("file.004")
      let outcome = try Tool.cleave.run(["merge", option, "-o", output, series.parts[0]])
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(outcome.errorText.contains("has the name of one more part of file"), "\(outcome)")
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test func aNameWithoutItsNumberIsToldWhatToTry() throws {
    let series = try Series()
    let outcome = try Tool.cleave.run(["merge", series.output])
    #expect(outcome.exitCode == 66)
    #expect(
      series.lines(outcome)
        == "cleave: file: does not exist, but parts of it do: try file.001\n"
    )
  }

  @Test("parts that were consumed are not there, but what they make is") func consumed() throws {
    let series = try Series()
    let words = ["merge", "--consume", "-q", series.parts[0]]
    #expect(try Tool.cleave.run(words).exitCode == 0)
    let again = try Tool.cleave.run(words)
    #expect(again.exitCode == 66)
    #expect(
      series.lines(again)
        == "cleave: file.001: does not exist; file itself is there: 'cleave verify file'\n"
    )
  }

  @Test func oneBadManifestKeepsNoOtherFromBeingChecked() throws {
    let series = try Series(hasManifest: true)
    try Files.write(Array("rubbish\n".utf8), to: series.directory.file("a.sfv"))
    let outcome = try Tool.cleave.run(["verify"], workingDirectory: series.directory.path)
    #expect(outcome.exitCode == 65, "\(outcome)")
    let summary = "3 right, 0 wrong, 0 missing, 1 not checked\n"
    #expect(outcome.outputText == "file.001: OK\nfile.002: OK\nfile.003: OK\n" + summary)
  }

  @Test func anIncompleteSeriesIsOneObject() throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[1])
    let outcome = try Tool.cleave.run(["info", "--json", series.parts[0]])
    #expect(outcome.exitCode == 66)
    let json = try JSON(outcome)
    #expect(json.text("problem")?.hasSuffix("1 part is missing: file.002") == true)
    #expect(outcome.outputText.contains(#""exitCode":66"#), "\(outcome)")
    #expect(outcome.outputText.contains(#""missing":[""#), "\(outcome)")
  }

  @Test(arguments: [["--help"], ["--version"], ["info", "PART"], ["merge", "--help"]])
  func aResultThatNobodyHearsIsAnError(words: [String]) throws {
    let series = try Series()
    let arguments: [any ToolArgument] = words.map { $0 == "PART" ? series.parts[0] : FilePath($0) }
    let outcome = try Tool.cleave.run(arguments, closing: [1])
    #expect(outcome.exitCode == 74, "\(outcome)")
    #expect(outcome.errorText == "cleave: standard output is closed\n")
  }

  @Test(arguments: engines) func fewDescriptorsAndManyPartsAreEnough(engine: String) throws {
    let series = try Series([Int](repeating: 100, count: 400), hasManifest: true)
    let before = try series.contents()
    let outcome = try series.merge(engine, limits: ToolLimits(openFiles: 64))
    try series.expectMerged(outcome, since: before)
    let split = try Tool.cleave.run(
      ["split", "-b", 50, "--engine", engine, series.output, series.directory.file("again")],
      limits: ToolLimits(openFiles: 64)
    )
    #expect(split.exitCode == 0, "\(split)")
  }

  @Test func aManifestGivenByNameIsComparedWhateverTheNames() throws {
    let series = try Series(hasManifest: true)
    let other = series.directory.file("other")
    try Files.write(Bytes.pattern(count: 10), to: other)
    for operands in [[other], [other, other]] {
      let arguments: [any ToolArgument] =
        ["merge", "--manifest", series.manifest, "-o", series.output]
        + (operands.count == 1 ? ["--as-given"] : []) + operands
      let outcome = try Tool.cleave.run(arguments)
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(try !Files.exists(series.output))
    }
  }

  @Test func aManifestOfTheWholeAloneIsEnough() throws {
    let series = try Series(hasManifest: true)
    let crc = try Files.text(series.manifest).split(separator: "\n")
      .first { $0.hasPrefix("; crc32: ") }?.dropFirst(9)
    try Files.write(Array("file \(crc ?? "0")\n".utf8), to: series.manifest)
    let outcome = try Tool.cleave.run(["merge", "--no-sync", series.parts[0]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(series.output(outcome).contains("as in file.sfv"))
    try Files.flipByte(at: 1, of: series.parts[2])
    let wrong = try Tool.cleave.run(["merge", "-f", series.parts[0]])
    #expect(wrong.exitCode == 65, "\(wrong)")
  }

  @Test func standardInputMayStandForAPart() throws {
    let series = try Series(hasManifest: true)
    let outcome = try Tool.cleave.run(
      ["merge", "-o", series.output, series.parts[0], "-", series.parts[2]],
      input: .file(series.parts[1])
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(series.output) == series.whole)
  }

  @Test func aSplitNeverReplacesWhatItReads() throws {
    let series = try Series()
    let file = series.directory.file("film.sfv")
    try Files.write(series.whole, to: file)
    let before = try series.contents()
    let rows: [[any ToolArgument]] = [
      ["split", "-f", "-n", 2, file, series.directory.file("film")],
      ["split", "-f", "-n", 2, "--manifest", file, file],
    ]
    for row in rows {
      let outcome = try Tool.cleave.run(row)
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test func standardOutputIsNotOneOfTheParts() throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try Tool.shell.run([
      "-c", "exec \"$0\" merge -o - \"$1\" >>\"$1\"", Tool.cleave.path, series.parts[0],
    ])
    let line = "standard output: is one of the inputs"
    try series.expectFailure(outcome, 73, line, since: before)
  }

  @Test(arguments: ["merge -o -", "merge --wait=1s -o -", "cat", "cat --range=0-9"])
  func standardOutputIsNeitherAListNorAPartToCome(words: String) throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    for other in ["file.sfv", "file.003"] {
      for redirection in [">>", "1<>"] {
        let outcome = try Tool.shell.run(
          [
            "-c", FilePath("exec \"$0\" \(words) file.001 \(redirection)\(other)"),
            Tool.cleave.path,
          ],
          workingDirectory: series.directory.path
        )
        #expect(outcome.exitCode == 73, "\(outcome)")
        #expect(outcome.errorText.contains("standard output: is "), "\(outcome)")
        #expect(try series.contents().changes(since: before) == [])
      }
    }
  }

  #if os(Linux)
    @Test(arguments: [
      ["info", "--svg=out.sfv", "file.001"], ["split", "-n2", "--manifest=out.sfv", "file.001"],
    ])
    func whatLeadsToStandardOutputIsNotReplaced(words: [FilePath]) throws {
      let series = try Series()
      try Files.symlink(series.directory.file("out.sfv"), to: "/proc/self/fd/1")
      let before = try series.contents()
      let outcome = try Tool.cleave.run(
        [words[0], "-f"] + words.dropFirst(),
        workingDirectory: series.directory.path
      )
      #expect(outcome.exitCode == 73, "\(outcome)")
      #expect(outcome.errorText.contains("out.sfv: leads to an open file"), "\(outcome)")
      #expect(try series.contents().changes(since: before) == [])
    }
  #endif

  @Test(arguments: ["file.sfv", "file.sha256"])
  func noListOfSeveralIsReplaced(name: FilePath) throws {
    let series = try Series(hasManifest: true)
    let place = series.directory.path
    let sums = try Tool.shell.run(["-c", "sha256sum file.0*"], workingDirectory: place)
    try Files.write(sums.standardOutput, to: series.directory.file("file.sha256"))
    let before = try series.contents()
    let outcome = try Tool.cleave.run(
      ["merge", "-f", "-o", name, "file.001"],
      workingDirectory: place
    )
    let line = "\(name): is a list of sums that the parts are compared with"
    try series.expectFailure(outcome, 73, line, since: before)
  }

  @Test(arguments: ["file.004", "file.009"])
  func verifyLooksAtWhatItWasAskedAbout(name: FilePath) throws {
    let series = try Series(hasManifest: true)
    try Files.write([1], to: series.directory.file("file.004"))
    let outcome = try Tool.cleave.run(["verify", series.directory.file(name)])
    #expect(outcome.exitCode == (name == "file.004" ? 1 : 66), "\(outcome)")
  }

  @Test(arguments: engines, ["--window=8E", "--high-water=4T", "--low-water=2G"])
  func marksBeyondMemoryAreRefused(engine: String, option: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", "--engine", engine, option, series.parts[0]])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aSmallPartThatIsTruncatedUnderTheMappingIsBadData() throws {
    let series = try Series([Int](repeating: 120_001, count: 12))
    for call in 1...3 {
      let copy = try TemporaryDirectory()
      for part in series.parts { try Files.copy(part, to: copy.file(part.lastComponent)) }
      let rule = "write@/.file#\(call)=truncate:0:\(copy.file("file.005"))"
      let outcome = try Tool.cleave.run(
        ["merge", "--engine", "zerocopy", copy.file("file.001")],
        environment: FaultShim.environment(rule)
      )
      #expect(outcome.exitCode == 65 || call > 1 && outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.signal == nil)
    }
  }

  @Test func manyPartsCanBeReadBackWithFewDescriptors() throws {
    let series = try Series()
    try Files.write(series.whole, to: series.output)
    let outcome = try Tool.cleave.run(
      ["split", "-n", 100, "--verify=readback", series.output, series.directory.file("part")],
      limits: ToolLimits(openFiles: 64)
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  @Test(arguments: engines) func theManifestAmongThePartsIsNoPart(engine: String) throws {
    let series = try Series(hasManifest: true)
    let operands: [any ToolArgument] = series.parts + [series.manifest]
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "--engine", engine, "-o", series.output] + operands
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(series.output) == series.whole)
  }

  /// What a manifest keeps from being merged, and what the message says of it.
  static let byManifest: [(change: String, words: [String], code: CInt, line: String)] = [
    (
      "truncate -s 500 f.002", ["f.001"], 65,
      "f.002: has 1500 bytes less than f.001 and f.003 (500, not 2000), and the parts have 6500 bytes, but "
        + "f.sfv says 8000: it was probably cut short; --manifest=none does without it"
    ),
    (
      "rm f.004", ["f.001"], 66,
      "f: 1 part is missing: f.004; only f.sfv tells of it: --manifest=none does without it"
    ),
    (
      "rm f.0*", ["f.sfv"], 66,
      "f: 4 parts are missing: f.001 to f.004; where they are elsewhere, name one, and the list with --manifest=FILE"
    ),
    (
      "cat f.0* >f; rm f.0*", ["f.sfv"], 66,
      "f: 4 parts are missing: f.001 to f.004; f itself is there: 'cleave verify f'"
    ),
    (
      "sed -i '/^;/d;/f.004/d' f.sfv", ["f.001"], 65,
      "f.004: is not in f.sfv; --last=3 leaves it out, --manifest=none takes it in"
    ),
    (
      "sed -i '/^;/d;/f.00[34]/d' f.sfv", ["f.001"], 65,
      "f.003: is not in f.sfv, nor is 1 other; --last=2 leaves them out, --manifest=none takes them in"
    ),
    (
      "sed -i '/^;/d;/f.00[34]/d' f.sfv; rm f.003", ["f.001"], 65,
      "f.004: is not in f.sfv; --last=2 leaves it out"
    ),
    (
      "sed -i '/^;/d;/f.00[34]/d' f.sfv; rm f.003", ["f.004"], 65,
      "f.004: is not in f.sfv; --last=2 leaves it out"
    ),
    (
      "sed -i '/^;/d;/f.004/d' f.sfv", ["--last=4", "f.001"], 65,
      "f.004: is not in f.sfv, which lists others of the parts: --manifest=none merges without it"
    ),
    ("mv f.004 f.005", ["--last=5", "f.001"], 66, "f: 1 part is missing: f.004"),
    // Either name could be meant.
    (
      "for i in 1 2 3 4; do mv f.00$i o.00$i; done; echo x >f; echo y >o",
      ["--force", "--manifest=f.sfv", "o.001"], 73,
      "o: exists, and so does f, as f.sfv calls it: -o says which to replace"
    ),
  ]

  @Test(arguments: byManifest)
  func whatAManifestRefusesIsToldWithItsRemedy(
    row: (change: String, words: [String], code: CInt, line: String)
  ) throws {
    let directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 8000), to: directory.file("f"))
    let script = "\"$0\" split -q --no-sync -b 2000 f && rm f && { \(row.change); }"
    let made = try Tool.shell.run(
      ["-c", script, Tool.cleave.path],
      workingDirectory: directory.path
    )
    try #require(made.exitCode == 0, "\(made)")
    let before = try Contents(of: directory.path)
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync"] + row.words,
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == row.code, "\(outcome)")
    #expect(outcome.errorText == "cleave: \(row.line)\n", "\(outcome)")
    #expect(try Contents(of: directory.path).changes(since: before) == [])
  }

  @Test func aPieceThatIsAskedForIsProvedPartByPart() throws {
    let series = try Series(hasManifest: true)
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "-o", "piece", "--last=2", "file.001"],
      workingDirectory: series.directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.hasSuffix(", as in file.sfv\n"), "\(outcome)")
    #expect(!outcome.outputText.contains("in part"), "\(outcome)")
  }
}
