import Posix
import TestSupport
import Testing

/// Parts that are missing, are no files, or are not the ones they should be.
@Suite(.aside) struct InputTests {
  @Test(arguments: engines) func everyMissingPartIsNamed(engine: String) throws {
    let series = try Series([10, 10, 10, 10, 10, 10, 10])
    for index in [1, 3, 4] { try FileSystem.unlink(series.parts[index]) }
    let before = try series.contents()
    try series.expectFailure(
      series.merge(engine),
      66,
      "file: 3 parts are missing: file.002, file.004 to file.005",
      since: before
    )
  }

  @Test(arguments: engines) func theManifestKnowsOfPartsAtTheEnd(engine: String) throws {
    let series = try Series(hasManifest: true)
    try FileSystem.unlink(series.parts[2])
    let before = try series.contents()
    let line =
      "file: 1 part is missing: file.003; only file.sfv tells of it: --manifest=none does without it"
    try series.expectFailure(series.merge(engine), 66, line, since: before)
  }

  @Test func missingOperandsAreNamedTogether() throws {
    let series = try Series()
    let before = try series.contents()
    let paths = ["x", "y"].map { series.directory.file(FilePath($0)) }
    let outcome = try Tool.cleave.run(
      ["merge", "-o", series.output, series.parts[0]] + paths
    )
    #expect(outcome.exitCode == 66)
    #expect(series.lines(outcome) == "cleave: 2 parts are missing: x, y\n")
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(arguments: ["nothing", "nothing.001", "nowhere/file.001"])
  func aFileThatIsNotThereIsMissingInput(name: String) throws {
    let directory = try TemporaryDirectory()
    for command in ["merge", "info", "verify", "split"] {
      let options = command == "split" ? ["-b", "1"] : []
      let outcome = try Tool.cleave.run(
        [command] + options + [directory.file(FilePath(name))]
      )
      #expect(outcome.exitCode == 66, "\(command): \(outcome)")
      #expect(outcome.errorText.split(separator: "\n").count == 1)
      #expect(try directory.names() == [])
    }
  }

  // MARK: - Not regular files

  @Test(arguments: ["a directory", "a named pipe", "a character device"], engines)
  func aPartMustBeARegularFile(kind: String, engine: String) throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[1])
    switch kind {
    case "a directory": try Files.makeDirectory(series.parts[1])
    case "a named pipe": try Files.makeFIFO(series.parts[1])
    default: try Files.symlink(series.parts[1], to: "/dev/zero")
    }
    let before = try series.contents()
    let line = "file.002: is \(kind), not a regular file"
    try series.expectFailure(series.merge(engine), 66, line, since: before)
    let given = try Tool.cleave.run(
      ["merge", "--engine", engine, "-o", series.output] + series.parts
    )
    try series.expectFailure(given, 66, line, since: before)
  }

  @Test(arguments: engines) func aPartMayBeASymbolicLink(engine: String) throws {
    let series = try Series()
    let elsewhere = try TemporaryDirectory()
    try Files.copy(series.parts[1], to: elsewhere.file("x"))
    try FileSystem.unlink(series.parts[1])
    try Files.symlink(series.parts[1], to: elsewhere.file("x"))
    let before = try series.contents()
    try series.expectMerged(series.merge(engine), since: before)
  }

  // MARK: - Wrong parts

  @Test(arguments: engines) func theSamePartTwiceIsJoinedAsGiven(engine: String) throws {
    let series = try Series()
    let order = [0, 0, 2, 1, 0].map { series.parts[$0] }
    let before = try series.contents()
    let refused = try Tool.cleave.run(["merge", "-o", series.output] + order)
    let line = "file.001: is given twice: --as-given joins it twice"
    try series.expectFailure(refused, 66, line, since: before)
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "-q", "--as-given", "--engine", engine, "-o", series.output] + order
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let wanted = try order.flatMap { try Files.read($0) }
    #expect(try Bytes.difference(Files.read(series.output), wanted) == nil)
  }

  @Test(arguments: [[0, 0, 2], [0, 1, 2, 2]])
  func aPartIsGivenOnce(order: [Int]) throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    let outcome = try Tool.cleave.run(
      ["merge", "-o", series.output] + order.map { series.parts[$0] }
    )
    let part = order[1] == 0 ? "file.001" : "file.003"
    let line = "\(part): is given twice: --as-given joins it twice"
    try series.expectFailure(outcome, 66, line, since: before)
  }

  /// Where standard input is among the parts, their order is the one that is typed.
  @Test(
    arguments: [
      ([0, 0, nil], 65, "file.001: is given where file.sfv has file.002"),
      ([0, 2, nil], 65, "file.003: is given where file.sfv has file.002"),
      ([0, nil, 2, 2], 65, "file.003: is part 4, but file.sfv has only 3"),
      ([0, nil], 66, "file.sfv: has parts that are not given: file.003"),
    ] as [([Int?], CInt, String)]
  )
  func theManifestFixesTheOrder(order: [Int?], code: CInt, line: String) throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    let operands = order.map { $0.map { series.parts[$0] } ?? "-" }
    let outcome = try Tool.cleave.run(
      ["merge", "-o", series.output] + operands,
      input: .file(series.parts[1])
    )
    try series.expectFailure(outcome, code, line, since: before)
  }

  @Test func aPartThatIsNotGivenIsMissing() throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", "-o", series.output] + series.parts.prefix(2))
    let line =
      "file.003: is a part, too, and is not given: any one part alone stands for all, and "
      + "--as-given joins just those that are given"
    try series.expectFailure(outcome, 66, line, since: before)
  }

  @Test(arguments: engines) func aPartOfAnotherSeriesIsBadData(engine: String) throws {
    let series = try Series(hasManifest: true)
    try Files.write(Bytes.pattern(count: 3000, seed: 9), to: series.parts[1])
    let before = try series.contents()
    let outcome = try series.merge(engine)
    #expect(outcome.exitCode == 65, "\(outcome)")
    let line = series.lines(outcome)
    #expect(line.hasPrefix("cleave: file.sfv: file.002 has CRC-32 "), "\(line)")
    #expect(!line.contains("file.001"))
    #expect(try series.contents().changes(since: before) == [])
  }

  @Test(arguments: engines) func oneWrongBitIsFound(engine: String) throws {
    let series = try Series(hasManifest: true)
    try Files.flipByte(at: 1499, of: series.parts[2])
    let before = try series.contents()
    for mode in ["stream", "readback"] {
      let outcome = try series.merge(engine, ["--verify", mode])
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(series.lines(outcome).hasPrefix("cleave: file.sfv: file.003 has CRC-32 "))
      #expect(try series.contents().changes(since: before) == [])
    }
    #expect(try series.merge(engine, ["--verify=none"]).exitCode == 0)
  }

  @Test(arguments: engines) func anotherSizeIsSeenBeforeReading(engine: String) throws {
    let series = try Series(hasManifest: true)
    try Files.setSize(2999, of: series.parts[1])
    let before = try series.contents()
    let line =
      "file.002: has 1 byte less than file.001 (2999, not 3000), and the parts have 7499 bytes, but file.sfv "
      + "says 7500: it was probably cut short; --manifest=none does without it"
    try series.expectFailure(series.merge(engine), 65, line, since: before)
  }

  // MARK: - Small parts

  @Test(
    arguments: [[0], [1], [0, 0, 0], [1, 0, 1], [0, 1], [1, 0], [0, 0, 5000, 0]],
    engines
  )
  func emptyAndOneBytePartsMerge(sizes: [Int], engine: String) throws {
    for options in [[], ["--high-water=1", "--window=1"], ["--verify=readback"]] {
      let series = try Series(sizes)
      let before = try series.contents()
      // An empty part among others is taken for one that is still to come.
      let last = "--last=\(sizes.count)"
      try series.expectMerged(series.merge(engine, options + [last]), since: before)
    }
  }
}
