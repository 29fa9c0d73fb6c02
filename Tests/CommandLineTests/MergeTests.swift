import Foundation
import Posix
import TestSupport
import Testing

/// What merge takes, what it makes and what it tells.
@Suite(.aside) struct MergeTests {
  @Test(arguments: [0, 1, 2], engines)
  func anyOnePartIsEnough(index: Int, engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "--engine", engine, series.parts[index]]
    )
    try series.expectMerged(outcome, since: before)
    #expect(outcome.errorText == "")
    #expect(series.output(outcome).hasPrefix("file: 7500 bytes (7.3 KiB) from 3 parts, CRC-32 "))
  }

  @Test(arguments: engines) func asGivenOperandsAreTakenAsTheyCome(engine: String) throws {
    let series = try Series([5, 0, 5000])
    let order = [2, 0, 1].map { series.parts[$0] }
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "--as-given", "--engine", engine, "-o", series.directory.file("out")]
        + order
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    let wanted = try order.flatMap { try Files.read($0) }
    #expect(try Bytes.difference(Files.read(series.directory.file("out")), wanted) == nil)
  }

  @Test(arguments: engines) func partsOfOneSeriesAreJoinedByTheirNumbers(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let order = [2, 0, 1].map { series.parts[$0] }
    let outcome = try Tool.cleave.run(["merge", "--no-sync", "--engine", engine] + order)
    try series.expectMerged(outcome, since: before)
    let note = "cleave: file: parts are joined in the order of their numbers, not as given\n"
    #expect(series.lines(outcome) == note)
  }

  @Test func operandsOfOneSeriesNameTheOutput() throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try Tool.cleave.run(["merge", "--no-sync"] + series.parts)
    try series.expectMerged(outcome, since: before)
  }

  @Test func operandsWithoutACommonNameNeedOne() throws {
    let series = try Series()
    let others = ["x", "y"].map { series.directory.file($0) }
    for other in others { try Files.write([1], to: other) }
    let several = try Tool.cleave.run(["merge"] + others)
    #expect(several.exitCode == 64, "\(several)")
    #expect(several.errorText.hasPrefix("cleave: -o is needed"))
    let one = try Tool.cleave.run(["merge", series.directory.file("x")])
    #expect(one.exitCode == 66)
    #expect(series.lines(one).hasPrefix("cleave: x: is not named like a part of a series"))
  }

  @Test func standardInputStandsAmongTheParts() throws {
    let series = try Series([1000, 2000, 3000])
    let output = series.directory.file("out")
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "-q", "-o", output, series.parts[0], "-", series.parts[2]],
      input: .file(series.parts[1])
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Bytes.difference(Files.read(output), series.whole) == nil)
    let twice = try Tool.cleave.run(["merge", "-o", output, "-", "-"])
    #expect(twice.exitCode == 64)
  }

  // MARK: - Proof

  @Test(arguments: engines) func holesAreReadAsZeros(engine: String) throws {
    let directory = try TemporaryDirectory()
    let parts = ["a.001", "a.002"].map { directory.file(FilePath($0)) }
    for part in parts { try Files.makeSparse(part, size: 3_000_001) }
    try Files.append([1, 2, 3], to: parts[0])
    let outcome = try Tool.cleave.run(["merge", "--no-sync", "--engine", engine, parts[0]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let whole = try parts.flatMap { try Files.read($0) }
    #expect(try Bytes.difference(Files.read(directory.file("a")), whole) == nil)
  }

  @Test(arguments: ["none", "stream", "readback"], engines)
  func everyKindOfProofPasses(mode: String, engine: String) throws {
    for hasManifest in [true, false] {
      let series = try Series([70_001, 1, 30_000], hasManifest: hasManifest)
      let before = try series.contents()
      try series.expectMerged(series.merge(engine, ["--verify", mode]), since: before)
    }
  }

  @Test(
    .enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"),
    arguments: engines
  )
  func readingBackCanFail(engine: String) throws {
    let series = try Series()
    let before = try series.contents()
    let outcome = try series.merge(
      engine,
      ["--verify=readback"],
      environment: FaultShim.environment("read@/.file#1=EIO")
    )
    let line = "file: read failed at 0: Input/output error (EIO)"
    try series.expectFailure(outcome, 74, line, since: before)
  }

  @Test(arguments: ["file.001 xyz", "file.001"])
  func aManifestThatIsWrongIsBadData(line: String) throws {
    let series = try Series()
    try Files.write(Array("file.000 00000000\n\(line)\n".utf8), to: series.manifest)
    let before = try series.contents()
    let outcome = try series.merge()
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(series.lines(outcome).hasPrefix("cleave: file.sfv: line 2: "), "\(outcome)")
    #expect(try series.contents().changes(since: before) == [])
    let without = try series.merge("auto", ["--manifest=none"])
    #expect(without.exitCode == 0, "\(without)")
  }

  // MARK: - Telling

  @Test(arguments: engines + ["auto"]) func dryRunWritesNothing(engine: String) throws {
    let series = try Series(hasManifest: true)
    let before = try series.contents()
    for option in ["-n", "--dry-run"] {
      let outcome = try series.merge(engine, [option])
      #expect(outcome.exitCode == 0, "\(outcome)")
      let name = engine == "auto" ? "direct" : engine
      let lines = series.output(outcome).split(separator: "\n").map(String.init)
      #expect(
        lines.dropLast() == [
          "file: 7500 bytes (7.3 KiB) from 3 parts, by the \(name) engine, to be compared with file.sfv",
          "  file.001  3000 bytes (2.9 KiB) at 0", "  file.002  3000 bytes (2.9 KiB) at 3000",
          "  file.003  1500 bytes (1.5 KiB) at 6000",
        ]
      )
      #expect(lines.last?.hasPrefix("  space     7500 bytes (7.3 KiB) needed, ") == true)
      #expect(try series.contents().changes(since: before) == [])
    }
  }

  @Test(arguments: engines) func theReportIsOneObject(engine: String) throws {
    let series = try Series(hasManifest: true)
    let json = try JSON(series.merge(engine, ["--json"]))
    #expect(json.text("command") == "merge")
    #expect(json.text("engine") == engine)
    #expect(json.number("bytes") == 7500)
    #expect(json.flag("verified") == true)
    #expect(json.list("parts").map { $0.number("bytes") } == [3000, 3000, 1500])
    #expect(json.member("output")?.text("path") == "\(series.output)")
    #expect(json.text("manifest") == "\(series.manifest)")
    #expect((json.number("peakMemory") ?? 0) > 0)
  }

  @Test func aFailureIsAnObjectToo() throws {
    let series = try Series()
    try FileSystem.unlink(series.parts[0])
    let operands: [any ToolArgument] = ["-o", series.output, series.parts[0], series.parts[1]]
    let outcome = try Tool.cleave.run(["merge", "--json"] + operands)
    #expect(outcome.exitCode == 66)
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    let json = try JSON(outcome)
    #expect(json.number("exitCode") == 66)
    #expect(json.text("path") == "\(series.output)")
    #expect(json.names("missing") == ["\(series.parts[0])"])
    let given = try JSON(Tool.cleave.run(["merge", "--json", "--as-given"] + operands))
    #expect(given.text("symbol") == "ENOENT")
    #expect(given.text("path") == "\(series.parts[0])")
    #expect(given.names("missing") == [])
  }

  @Test(arguments: engines) func quietSaysNothingAndVerboseTellsTheMarks(engine: String) throws {
    let quiet = try Series().merge(engine, ["-q"])
    #expect(quiet.exitCode == 0)
    #expect(quiet.outputText == "" && quiet.errorText == "")
    let verbose = try Series().merge(engine, ["-v", "--high-water=3K", "--window=9K"])
    #expect(verbose.outputText.split(separator: "\n").count == 1)
    #expect(
      verbose.errorText.hasPrefix(
        "cleave: engine \(engine), low water 3072, high water 3072, window 9216; "
      ),
      "\(verbose)"
    )
  }

  @Test func aPartThatIsLeftOverIsWarnedOf() throws {
    let series = try Series(hasManifest: true)
    try Files.write([1], to: series.directory.file("file.004"))
    let before = try series.contents()
    let outcome = try series.merge()
    try series.expectMerged(outcome, since: before)
    let line = "cleave: warning: file.004: left over from a longer series; not merged\n"
    #expect(series.lines(outcome) == line)
  }

  @Test func permissionsAreThoseOfANewFile() throws {
    let series = try Series()
    let script = #"umask 027; exec "$1" merge -q --no-sync "$2""#
    let outcome = try Tool.shell.run(["-c", script, "sh", Tool.cleave.path, series.parts[0]])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try FileStatus.of(series.output).permissions == 0o640)
  }

  /// What `split` calls its parts says nothing of the whole.
  @Test func partsThatTellNoNameForTheWholeNeedOne() throws {
    let directory = try TemporaryDirectory()
    let place = directory.file("d")
    try Files.makeDirectory(place)
    for name in ["xaa", "xab"] as [FilePath] { try Files.write([1, 2], to: place.appending(name)) }
    func run(_ words: [String]) throws -> Outcome {
      try Tool.cleave.run(words, workingDirectory: place)
    }
    let line =
      "cleave: xaa: the parts tell no name for the whole, so that -o is needed: "
      + "'cleave merge -o OUT xaa'"
    let one = try run(["merge", "xab"])
    #expect(one.exitCode == 64 && one.errorText.hasPrefix(line + " (see "), "\(one)")
    let info = try run(["info", "xab"])
    #expect(info.outputText.contains("  merged    -o is needed: the parts tell no name, 4 bytes\n"))
    #expect(try JSON(run(["info", "--json", "xab"])).text("output") == nil)
    // The others are merged all the same, and what is wrong with one of them goes before.
    for name in ["f.001", "f.002"] as [FilePath] {
      try Files.write([3], to: place.appending(name))
    }
    let all = try run(["merge", "--no-sync", "--all", "."])
    #expect(
      all.exitCode == 64 && all.errorText == line + "\n",
      "\(all)"
    )
    #expect(try Files.read(place.appending("f")) == [3, 3])
    try FileSystem.unlink(place.appending("f"))
    for name in ["y.001", "y.003"] as [FilePath] {
      try Files.write([3], to: place.appending(name))
    }
    let missing = try run(["merge", "--no-sync", "--all", "."])
    #expect(missing.exitCode == 66, "\(missing)")
    #expect(missing.errorText.contains("y.002"), "\(missing)")
    #expect(try Files.read(place.appending("f")) == [3, 3])
  }

  /// However the directory of an output is written, it is made once.
  @Test(arguments: ["./d/x.part1", "l/x.part1"])
  func twoSeriesAreNotMadeUnderOneName(other: String) throws {
    let directory = try TemporaryDirectory()
    try Files.makeDirectory(directory.file("d"))
    try Files.symlink(directory.file("l"), to: "d")
    for name in ["x.001", "x.002", "x.part1", "x.part2"] as [FilePath] {
      try Files.write(Bytes.pattern(count: 5000), to: directory.file("d").appending(name))
    }
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "--all", "--force", "d/x.001", other],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.contains("would be made of two series"), "\(outcome)")
  }

  @Test func manifestsAloneStandForTheirSeries() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] as [FilePath] {
      try Files.write(Bytes.pattern(count: 5000), to: directory.file(name))
      let words: [any ToolArgument] = ["split", "--no-sync", "-b", "3000", name]
      let split = try Tool.cleave.run(words, workingDirectory: directory.path)
      #expect(split.exitCode == 0, "\(split)")
      try FileSystem.unlink(directory.file(name))
    }
    let merged = try Tool.cleave.run(
      ["merge", "--no-sync", "--all", "a.sfv", "b.sfv"],
      workingDirectory: directory.path
    )
    #expect(merged.exitCode == 0, "\(merged)")
    for name in ["a", "b"] as [FilePath] {
      let made = try Files.read(directory.file(name))
      #expect(Bytes.difference(made, Bytes.pattern(count: 5000)) == nil)
    }
  }

  /// A manifest of several series is refused as a directory of them is, and --all makes each.
  @Test(arguments: ["cksfv -q", "md5sum"]) func aManifestMayNameSeveralSeries(tool: String) throws {
    let directory = try TemporaryDirectory()
    let wholes = [("a.bin", 5000), ("b.bin", 4000)] as [(FilePath, Int)]
    for (name, size) in wholes {
      for (index, part) in Bytes.pattern(count: size).cut(to: 2000).enumerated() {
        try Files.write(part, to: directory.file(name.adding(".00\(index + 1)")))
      }
    }
    let program = FilePath(String(tool.prefix { $0 != " " }))
    guard Tool.find(program) != nil, tool != "md5sum" || Tool.cleaveHasDigests else { return }
    let list: FilePath = tool == "md5sum" ? "MD5SUMS" : "all.sfv"
    let below: FilePath = tool == "md5sum" ? "below.md5" : "below.sfv"
    let script = "mkdir d; cp *.0* d; \(tool) *.0* >\(list); \(tool) d/*.0* >\(below)"
    let made = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    func run(_ words: [any ToolArgument]) throws -> Outcome {
      try Tool.cleave.run(words, workingDirectory: directory.path)
    }
    let line = "\(list): is about 2 files, a.bin, b.bin: name a part of one, or "
    for command in [["merge"], ["cat"], ["merge", "--consume"], ["merge", "-o", "x"]] {
      let refused = try run(command + [list])
      #expect(refused.exitCode == 65, "\(refused)")
      let remedy = command == ["cat"] ? "'cleave merge --all …'" : "--all"
      #expect(refused.errorText == "cleave: \(line)\(remedy) merges all of them\n", "\(refused)")
    }
    let info = try run(["info", list])
    #expect(info.exitCode == 0, "\(info)")
    #expect(info.outputText.contains("a.bin: series of 3 parts\n"), "\(info)")
    #expect(info.outputText.contains("b.bin: series of 2 parts\n"), "\(info)")
    for (list, place) in [(list, "."), (below, "d")] {
      let merged = try run(["merge", "--no-sync", "--all", list])
      #expect(merged.exitCode == 0, "\(merged)")
      #expect(
        merged.outputText.components(separatedBy: ", as in \(list)\n").count == 3,
        "\(merged)"
      )
      for (name, size) in wholes {
        let file = directory.file(FilePath(place).appending(name))
        #expect(try Files.read(file) == Bytes.pattern(count: size))
      }
    }
    // Each has its own verdict.
    for (name, _) in wholes { try FileSystem.unlink(directory.file(name)) }
    try FileSystem.unlink(directory.file("a.bin.002"))
    let one = try run(["merge", "--no-sync", "--all", list])
    #expect(one.exitCode == 66 && one.errorText.contains("missing: a.bin.002"), "\(one)")
    #expect(try Files.read(directory.file("b.bin")) == Bytes.pattern(count: 4000))
  }

  @Test func seriesOfOneNameAreToldApart() throws {
    let series = try Series()
    for name in ["file.part1", "file.part2"] as [FilePath] {
      try Files.write([1, 2], to: series.directory.file(name))
    }
    let outcome = try Tool.cleave.run(["merge", "."], workingDirectory: series.directory.path)
    #expect(outcome.exitCode == 65)
    let line =
      "has the parts of 2 files in it, file (from file.001), file (from file.part1): name a part of one"
    #expect(outcome.errorText == "cleave: .: \(line)\n", "\(outcome)")
  }
}
