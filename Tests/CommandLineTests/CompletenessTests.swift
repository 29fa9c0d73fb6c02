import Posix
import TestSupport
import Testing

/// What merge and info say where parts are missing, are too many, or are none.
@Suite(.aside) struct CompletenessTests {
  /// Files in a directory, an operand among them, and what comes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let files: [(name: String, bytes: [UInt8])]
    let options: [String]
    let code: CInt
    /// What is said on standard error, without the directory; nil where nothing is.
    let message: String?
    /// The files that are joined.
    let joined: [String]

    init(
      _ files: [(String, [UInt8])],
      _ code: CInt,
      _ message: String?,
      joined: [String] = []
    ) {
      self.init(files, [], code, message, joined: joined)
    }

    init(
      _ files: [(String, [UInt8])],
      _ options: [String],
      _ code: CInt,
      _ message: String?,
      joined: [String] = []
    ) {
      self.files = files.map { (name: $0.0, bytes: $0.1) }
      (self.options, self.code, self.message, self.joined) = (options, code, message, joined)
    }

    var testDescription: String { "\(files.map(\.name)) \(options)" }
  }

  static func bytes(_ count: Int) -> [UInt8] { Bytes.pattern(count: count) }
  static let (full, short) = (bytes(1000), bytes(300))
  static let equal = [("f.001", full), ("f.002", full)]
  static let rising = [("f.001", full), ("f.002", full), ("f.003", short)]
  static let stale = rising + [("f.004", full), ("f.005", short)]
  static let information = [("f.000", bytes(40)), ("f.001", full), ("f.002", full)]
  static let logs = [("log.1", bytes(10)), ("log.2", bytes(30)), ("log.3", bytes(20))]

  /// A 7z header that tells of so many bytes, and bytes behind it; the header behind them is right if
  /// it is there.
  static func sevenZip(telling total: Int, _ count: Int) -> [UInt8] {
    let all = bytes(max(total, count) - 32)
    let header = ZipCoding.checksum(Array(all[(total - 132)..<(total - 32)]))
    let start = little(UInt64(total - 132)) + little(UInt64(100)) + little(header)
    let magic: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]
    return Array((magic + little(ZipCoding.checksum(start)) + start + all).prefix(count))
  }

  private static func little<I: FixedWidthInteger>(_ number: I) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// A file of 512 bytes and the end; or what only begins like a tar file, without one.
  static func tar(hasEnd: Bool) -> [UInt8] {
    guard hasEnd else {
      var tar = bytes(2048)
      tar.replaceSubrange(257..<262, with: Array("ustar".utf8))
      return tar
    }
    var head = [UInt8](repeating: 0, count: 512)
    for (place, text) in [
      (0, "a"), (124, "00000001000"), (148, "        "), (156, "0"), (257, "ustar"),
    ] {
      head.replaceSubrange(place..<(place + text.utf8.count), with: Array(text.utf8))
    }
    let sum = String(head.reduce(0) { $0 + Int($1) }, radix: 8)
    let digits = String(repeating: "0", count: 6 - sum.count) + sum + "\0"
    head.replaceSubrange(148..<155, with: Array(digits.utf8))
    return head + bytes(512) + [UInt8](repeating: 0, count: 1024)
  }

  static func pieces(of bytes: [UInt8], _ name: String, at size: Int) -> [(String, [UInt8])] {
    stride(from: 0, to: bytes.count, by: size).enumerated().map { index, start in
      ("\(name).00\(index + 1)", Array(bytes[start..<min(start + size, bytes.count)]))
    }
  }

  static let endless =
    "f: f.002 is as long as the others, and nothing tells that it is the last part; --last=2 says so"
  static let unequal =
    "f: the parts have different sizes, so that none tells which one is the last"
  static func short(_ part: Int, _ bytes: String, of last: Int) -> String {
    "f.00\(part): has \(bytes): it was probably cut short, or is the last one of a shorter series; "
      + "--last=\(part) leaves out the parts behind it, --last=\(last) joins all"
  }
  static let information0 =
    "f.000: is shorter than the others, and may be an information file: --first=1 leaves it out, "
    + "--first=0 joins it"
  static let rows = [
    // Gaps.
    Row([("f.001", full), ("f.003", full)], 66, "f: 1 part is missing: f.002"),
    Row([("xaa", full), ("xac", full)], ["-o", "x"], 66, "x: 1 part is missing: xab"),
    Row(
      [("f.part1of3.x", full), ("f.part2of3.x", full)],
      66,
      "f.x: 1 part is missing: f.part3of3.x"
    ),
    Row(
      [("f.001", full), ("f.002.crdownload", short), ("f.003", short)],
      66,
      "f: 1 part is missing: f.002; f.002.crdownload says that it is still being downloaded"
    ),
    Row(
      [("f (1).002", full), ("f.001", full), ("f.003", short)].rotated,
      66,
      "f: 1 part is missing: f.002; f (1).002 may be it: rename it if it is"
    ),
    Row(rising, ["--last=4"], 66, "f: 1 part is missing: f.004"),
    // The last part.
    Row(equal, 0, nil, joined: ["f.001", "f.002"]),
    Row(equal, ["--strict"], 66, endless),
    Row(equal, ["--strict", "--last=2"], 0, nil, joined: ["f.001", "f.002"]),
    Row(
      [("f.001", full)],
      ["--strict"],
      66,
      "f: there is only f.001, and nothing tells that it is all; --last=1 says so"
    ),
    Row(rising, ["--strict"], 0, nil, joined: ["f.001", "f.002", "f.003"]),
    Row(
      [("f.part1of2", full), ("f.part2of2", full)],
      ["--strict"],
      0,
      nil,
      joined: ["f.part1of2", "f.part2of2"]
    ),
    // What is inside.
    Row(
      pieces(of: sevenZip(telling: 3000, 2000), "f", at: 1000),
      66,
      "f: 1000 of the 3000 bytes that the 7z header tells of are missing, so that f.003 may be missing; "
        + "--format=raw joins the bytes that are there"
    ),
    Row(
      pieces(of: sevenZip(telling: 2000, 3000), "f", at: 1000),
      65,
      "f.002: the 7z archive ends with this part, and there are 1000 bytes more; "
        + "--last=2 merges without them"
    ),
    Row(
      pieces(of: sevenZip(telling: 2000, 3000), "f", at: 1000),
      ["--last=2"],
      0,
      nil,
      joined: ["f.001", "f.002"]
    ),
    Row(
      pieces(of: sevenZip(telling: 2000, 2000), "f", at: 1000),
      ["--strict"],
      0,
      nil,
      joined: ["f.001", "f.002"]
    ),
    Row(
      pieces(of: tar(hasEnd: true), "f", at: 1024),
      ["--strict"],
      0,
      nil,
      joined: ["f.001", "f.002"]
    ),
    Row(
      pieces(of: tar(hasEnd: false), "f", at: 1024),
      ["--strict"],
      66,
      "f: it does not end with the records of zeros that end a tar file, so that f.003 may be "
        + "missing; --format=raw joins the bytes that are there"
    ),
    // Too many.
    Row(
      stale,
      65,
      short(3, "700 bytes less than f.001 and f.002 (300, not 1000)", of: 5)
    ),
    Row(stale, ["--last=3"], 0, nil, joined: ["f.001", "f.002", "f.003"]),
    Row(stale, ["--last=5"], 0, nil, joined: stale.map(\.0)),
    Row(information, 65, information0),
    Row(information, ["--first=1", "--last=2"], 0, nil, joined: ["f.001", "f.002"]),
    Row(information, ["--first=0", "--last=2"], 0, nil, joined: information.map(\.0)),
    Row(
      rising + [("f (1).002", full)],
      0,
      "warning: f: f (1).002 may be another copy of f.002; not merged",
      joined: rising.map(\.0)
    ),
    Row(
      rising + [("f (1).002", full)],
      ["--strict"],
      66,
      "f: f (1).002 may be another copy of f.002; not merged"
    ),
    Row(
      rising + [("f.003.aria2", short)],
      ["--strict"],
      66,
      "f: f.003.aria2 says that f.003 is still being downloaded: wait for it, or --last=3 merges "
        + "the parts that are there"
    ),
    Row(
      pieces(of: tar(hasEnd: false), "f", at: 1024) + [("f.003", short), ("f.004", bytes(1024))],
      65,
      short(3, "724 bytes less than f.001 and f.002 (300, not 1024)", of: 4)
    ),
    Row(
      [("f.001", bytes(9000)), ("f.002", bytes(1100)), ("f.003", bytes(2000))],
      ["--strict"],
      66,
      "\(unequal); --last=3 says so"
    ),
    Row(
      [("f.001", full), ("f.002", full), ("f.003", full), ("f.004", short), ("f.005", bytes(600))],
      65,
      short(4, "700 bytes less than f.001 and f.002 (300, not 1000)", of: 5)
    ),
    Row(
      [("f.001", bytes(300)), ("f.002", full), ("f.003", full)],
      65,
      "f.001: has 700 bytes less than f.002 and f.003 (300, not 1000): it was probably cut short; "
        + "--last=3 joins all"
    ),
    Row(
      [("f.001", bytes(300)), ("f.002", full)],
      65,
      "f.001: has 700 bytes less than f.002 (300, not 1000): it was probably cut short; "
        + "--last=2 joins all"
    ),
    Row(
      [("f.001", bytes(300)), ("f.002", bytes(1001))],
      ["--strict"],
      66,
      "\(unequal); --last=2 says so"
    ),
    Row(
      rising + [("f.01", full), ("f.02", full), ("f.03", full), ("f.04", short)],
      0,
      nil,
      joined: rising.map(\.0)
    ),
    Row(
      [("f.part1of2", full), ("f.part2of2", [])],
      65,
      "f.part2of2: is empty: it may still have to come; --last=2 joins all"
    ),
    Row([("f.000", short), ("f.001", full)], 65, information0),
    Row(
      [1000, 800, 990, 1500, 1500].enumerated().map { ("f.00\($0 + 1)", bytes($1)) },
      ["--strict"],
      66,
      "\(unequal); --last=5 says so"
    ),
    Row([("f.partac", full), ("f.partab", full)], 66, "f: 1 part is missing: f.partaa"),
    Row(
      pieces(of: bytes(3000), "f.7z", at: 1100),
      65,
      "f.7z: the parts do not begin like a 7z archive, so that the first may be missing; --format=raw "
        + "joins the bytes"
    ),
    // What is no part.
    Row(
      [("log.1", full), ("log.2", short)],
      65,
      "log.1: is named like many things, such as a log that was rotated, and nothing else says that it "
        + "is a part of log: --as=digit joins it with the others"
    ),
    Row(
      logs,
      65,
      "log.1: is named like many things, such as a log that was rotated, and nothing else says that it "
        + "is a part of log: --as=digit joins it with the others"
    ),
    Row(logs, ["--as=digit"], 0, nil, joined: logs.map(\.0)),
    Row(logs, ["--as=dash"], 65, "log.1: is not named as --as=dash has it"),
  ]

  @Test(arguments: rows) func mergeSaysWhatIsWrong(row: Row) throws {
    let directory = try TemporaryDirectory()
    for file in row.files { try Files.write(file.bytes, to: directory.file(FilePath(file.name))) }
    let before = try Contents(of: directory.path)
    let hasOutput = row.options.contains("-o")
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "-q"].filter {
        row.message?.hasPrefix("warning") != true || $0 != "-q"
      }
        + (hasOutput ? [] : ["-o", "out"]) + row.options + [row.files[0].name],
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == row.code, "\(outcome)")
    #expect(outcome.errorText == (row.message.map { "cleave: \($0)\n" } ?? ""))
    let after = try Contents(of: directory.path)
    if row.code == 0 {
      let whole = row.joined.flatMap { name in row.files.first { $0.name == name }?.bytes ?? [] }
      #expect(try Files.read(directory.file("out")) == whole)
    } else {
      #expect(after.changes(since: before) == [])
    }
    // info comes to the same end, and does nothing.
    let told = try Tool.cleave.run(
      ["info", "-q"] + row.options.filter { $0.hasPrefix("--") } + [row.files[0].name],
      workingDirectory: directory.path
    )
    #expect(told.exitCode == row.code, "\(told)")
  }

  /// Files that are not to be joined, and the tool that is named.
  @Test(
    arguments: [
      (["f.part1.rar", "f.part2.rar"], [], "unrar"), (["f.rar", "f.r00"], [], "unrar"),
      (["f.r00", "f.rar"], [], "unrar"),
      (["f.001", "f.002"], Array("Rar!\u{1A}\u{7}\0".utf8), "unrar"),
      (["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"], [], "llama-gguf-split"),
      (["f.001", "f.002"], Array("GGUF".utf8), "llama-gguf-split"),
      (["disk1.gsd", "disk2.gsd"], [], "GSplit"),
      (["f.0", "f.1"], Array("?????\u{7}\0\0\0?????f?????9?????5?????".utf8), "Hacha"),
      (
        ["takeout-20250101T000000Z-001.zip", "takeout-20250101T000000Z-002.zip"], [], "unpack them"
      ),
      (["a.part1.pdf", "a.part2.pdf"], Array("%PDF-1.7".utf8), "not parts of one file"),
    ] as [([String], [UInt8], String)]
  )
  func whatMustNotBeJoinedIsRefused(names: [String], head: [UInt8], tool: String) throws {
    let directory = try TemporaryDirectory()
    for name in names { try Files.write(head + Self.full, to: directory.file(FilePath(name))) }
    let before = try Contents(of: directory.path)
    for command in [["merge", "-o", "out"], ["info", "-q"]] {
      let outcome = try Tool.cleave.run(command + [names[0]], workingDirectory: directory.path)
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(outcome.errorText.contains(tool), "\(outcome)")
      #expect(outcome.errorText.split(separator: "\n").count == 1)
    }
    #expect(try Contents(of: directory.path).changes(since: before) == [])
    let raw = try Tool.cleave.run(
      ["merge", "-q", "--no-sync", "--format=raw", "-o", "out"] + names,
      workingDirectory: directory.path
    )
    #expect(raw.exitCode == 0, "\(raw)")
    #expect(try Files.read(directory.file("out")) == names.flatMap { _ in head + Self.full })
  }

  /// A manifest with the sums of the whole knows better than what is inside.
  @Test func whatCleaveHasSplitIsMergedWhateverItIs() throws {
    let directory = try TemporaryDirectory()
    for head in [Array("Rar!\u{1A}\u{7}\0".utf8), Self.sevenZip(telling: 9000, 200)] {
      let whole = head + Self.full
      try Files.write(whole, to: directory.file("w"))
      let options = ["--no-sync", "-q", "-f"]
      let split = try Tool.cleave.run(
        ["split", "-b", "500"] + options + [directory.file("w"), directory.file("part")]
      )
      #expect(split.exitCode == 0, "\(split)")
      let output = directory.file("part")
      let outcome = try Tool.cleave.run(
        ["merge", "-o", output] + options + [directory.file("part.002")]
      )
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.read(directory.file("part")) == whole)
      for part in ["part.001", "part.002", "part.003"] as [FilePath] {
        try? FileSystem.unlink(directory.file(part))
      }
    }
  }

  @Test func copiesOfPartsOfASplitZipAreNamed() throws {
    let set = try ZipSet(ZipWriter(ZipWriterTests.entries).parts(of: 2000))
    let copy = set.directory.file("a (1).z02")
    try Files.copy(set.directory.file("a.z02"), to: copy)
    let options = ["merge", "--no-sync", "-f", "-o", "out.zip"]
    let outcome = try Tool.cleave.run(options + ["a.z01"], workingDirectory: set.directory.path)
    let line = "a.zip: a (1).z02 may be another copy of a.z02; not merged\n"
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "cleave: warning: " + line)
    let strict = try Tool.cleave.run(
      options + ["--strict", "a.zip"],
      workingDirectory: set.directory.path
    )
    #expect(strict.exitCode == 66)
    #expect(strict.errorText == "cleave: " + line)
    try FileSystem.unlink(set.directory.file("a.z02"))
    let missing = try Tool.cleave.run(options + ["a.zip"], workingDirectory: set.directory.path)
    #expect(missing.exitCode == 66)
    #expect(
      missing.errorText
        == "cleave: a.zip: 1 part is missing: a.z02; a (1).z02 may be it: rename it if it is\n"
    )
  }

  @Test func aFileByItselfIsNoSeries() throws {
    let directory = try TemporaryDirectory()
    try Files.write(Self.full, to: directory.file("photo.jpg"))
    let options = ["merge", "--no-sync", "-o", "out"]
    let strict = try Tool.cleave.run(
      options + ["--strict", "photo.jpg"],
      workingDirectory: directory.path
    )
    let line =
      "photo.jpg: is not named like a part of a series: name all parts in their order and -o OUT, or "
      + "--as-given -o OUT copies it by itself\n"
    #expect(strict.exitCode == 66)
    #expect(strict.errorText == "cleave: " + line)
    let outcome = try Tool.cleave.run(options + ["photo.jpg"], workingDirectory: directory.path)
    #expect(outcome.exitCode == 66 && outcome.errorText == strict.errorText, "\(outcome)")
    #expect(try directory.names() == ["photo.jpg"])
    let given = try Tool.cleave.run(
      options + ["--as-given", "--strict", "photo.jpg"],
      workingDirectory: directory.path
    )
    #expect(given.exitCode == 0 && given.errorText == "", "\(given)")
    #expect(try Files.read(directory.file("out")) == Self.full)
  }

  @Test func theOrderOfAShellIsNotThatOfTheNumbers() throws {
    let directory = try TemporaryDirectory()
    let names = (1...11).map { "f.\($0)" }
    let parts = (1...11).map { Bytes.pattern(count: 1000, seed: $0) }
    for (name, bytes) in zip(names, parts) {
      try Files.write(bytes, to: directory.file(FilePath(name)))
    }
    func merge(_ options: [String], _ operands: [String]) throws -> Outcome {
      try? FileSystem.unlink(directory.file("out"))
      return try Tool.cleave.run(
        ["merge", "--no-sync", "-o", "out"] + options + operands,
        workingDirectory: directory.path
      )
    }
    func made() throws -> [UInt8] { try Files.read(directory.file("out")) }
    let note = "cleave: f: parts are joined in the order of their numbers, not as given\n"
    for operands in [names.sorted(), names.reversed()] {
      let outcome = try merge(["--strict", "--last=11"], operands)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.errorText == note)
      #expect(try made() == parts.flatMap(\.self))
    }
    // What is not given is meant all the same, or --as-given says that it is not.
    for (operands, first, more) in [
      (["f.2", "f.1"], "f.3", 8), (["f.1", "f.3"], "f.2", 8), (["f.2", "f.3"], "f.1", 8),
      (Array(names.dropLast()), "f.11", 0),
    ] {
      let outcome = try merge([], operands)
      #expect(outcome.exitCode == 66, "\(outcome)")
      let others = more > 0 ? " (and \(more) more)" : ""
      let line =
        "\(first): is a part, too\(others), and is not given: any one part alone stands for all, and "
        + "--as-given joins just those that are given\n"
      #expect(outcome.errorText == "cleave: " + line)
      #expect(try !Files.exists(directory.file("out")))
      let given = try merge(["--as-given", "--strict"], operands)
      #expect(given.exitCode == 0 && given.errorText == "", "\(given)")
      let numbers = operands.compactMap { Int($0.dropFirst(2)) }
      #expect(try made() == numbers.flatMap { parts[$0 - 1] })
    }
  }

  @Test(
    arguments: [
      ["f.1", "f.2", "f.001", "f.002"], ["f.aa", "f.ab", "f.00", "f.01"],
      ["f.001", "f.002", "F.001", "F.002"], ["f.part1.x", "f.part2.x", "f.part01.x", "f.part02.x"],
    ] as [[String]]
  )
  func aDirectoryWithTwoSeriesOfOneNameIsRefused(names: [String]) throws {
    let directory = try TemporaryDirectory()
    for name in names { try Files.write(Self.full, to: directory.file(FilePath(name))) }
    let outcome = try Tool.cleave.run(["merge", "-o", "out", directory.path])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.hasSuffix("and they are not of one series: name a part\n"))
  }

  @Test func optionsForNamesAreAboutAllThatIsGiven() throws {
    let series = try Series()
    let before = try series.contents()
    let given: [any ToolArgument] = Array(series.parts[...1])
    let outside = try Tool.cleave.run(["merge", "-o", series.output, "--first=0"] + given)
    try series.expectFailure(outside, 66, "file: 1 part is missing: file.000", since: before)
    for (options, range) in [
      (["--last=1"], 0..<3000), (["--first=2", "--last=2"], 3000..<6000), (["--last=2"], 0..<6000),
    ] {
      let directory = try TemporaryDirectory()
      let output = directory.file("out")
      let outcome = try Tool.cleave.run(["merge", "--no-sync", "-o", output] + options + given)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.read(output) == Array(series.whole[range]))
    }
    // Elsewhere they are about nothing, but that the last one is the last.
    let other = try Series()
    let words: [any ToolArgument] = ["merge", "-o", other.directory.file("out")]
    let scattered: [any ToolArgument] = [series.parts[0], other.parts[1]]
    for (options, code) in [
      (["--as-given", "--last=2"], 64), (["--first=1"], 65), (["--as=numbers"], 65),
      (["--last=2"], 0),
    ] {
      let outcome = try Tool.cleave.run(words + options + scattered)
      #expect(outcome.exitCode == CInt(code), "\(outcome)")
      let text = "--as, --first and --last are about"
      #expect(outcome.errorText.contains(text) == (code != 0), "\(outcome)")
    }
  }

  @Test(.enabled(if: FaultShim.isAvailable, "faults need Linux and a C compiler"))
  func aDirectoryIsGoneOnWith() throws {
    let series = try Series([3000, 3000, 1500], hasManifest: true)
    let options = ["merge", "--resume", "--checkpoint=1000", "-q"]
    let killed = try Tool.cleave.run(
      options + [series.directory.path],
      environment: FaultShim.environment("fsync@.cleave-journal#3=kill")
    )
    #expect(killed.exitCode == nil, "\(killed)")
    let outcome = try Tool.cleave.run(options + [series.directory.path])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    #expect(try Files.read(series.output) == series.whole)
  }

  @Test func oneRARThatWasCutIsJoined() throws {
    let directory = try TemporaryDirectory()
    let head = Array("Rar!\u{1A}\u{7}\0".utf8) + Self.full
    try Files.write(head, to: directory.file("f.rar.001"))
    try Files.write(Self.short, to: directory.file("f.rar.002"))
    let outcome = try Tool.cleave.run(["merge", "-q", "--no-sync", directory.file("f.rar.002")])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file("f.rar")) == head + Self.short)
  }

  @Test func aDirectoryOfFiveSeriesNamesThemAll() throws {
    let directory = try TemporaryDirectory()
    let series: [(whole: String, names: [String])] = [
      ("a.bin", (1...3).map { "a.bin.00\($0)" }), ("b.mp4", (1...3).map { "b.part\($0)of3.mp4" }),
      ("c", ["caa", "cab", "cac"]), ("d.raw", (1...3).map { "d.part\($0).raw" }),
      ("e.mkv", (1...3).map { "e.mkv.rclone_chunk.00\($0)" }),
    ]
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    var wholes: [String: [UInt8]] = [:]
    for one in series {
      for (index, name) in one.names.enumerated() {
        let size = index == 2 ? 100 : 500
        let bytes = (0..<size).map { _ in UInt8.random(in: 1...255, using: &random) }
        try Files.write(bytes, to: directory.file(FilePath(name)))
        wholes[one.whole, default: []] += bytes
      }
    }
    try Files.write(Self.full, to: directory.file("readme.txt"))
    let outcome = try Tool.cleave.run(["merge", directory.path])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(
      outcome.errorText.hasSuffix(
        ": has the parts of 5 files in it, a.bin, b.mp4, c, d.raw, e.mkv: name a part of one, "
          + "or --all merges all of them\n"
      )
    )
    for one in series {
      let part = one.names.randomElement(using: &random) ?? ""
      let output = directory.file("out")
      let merged = try Tool.cleave.run(
        ["merge", "-q", "--no-sync", "-f", "-o", output, directory.file(FilePath(part))]
      )
      #expect(merged.exitCode == 0, "seed \(seed): \(merged)")
      #expect(try Files.read(output) == wholes[one.whole], "seed \(seed): \(part)")
    }
  }

  @Test(arguments: ["", "/"]) func aDirectoryOfOneSeriesStandsForIt(ending: String) throws {
    let series = try Series(hasManifest: true)
    let outcome = try Tool.cleave.run(
      ["merge", "--no-sync", "-q", series.directory.path.adding(ending)]
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(series.output) == series.whole)
    let empty = try TemporaryDirectory()
    let none = try Tool.cleave.run(["merge", empty.path])
    #expect(none.exitCode == 66)
    #expect(none.errorText == "cleave: \(empty.path): has no parts in it\n")
  }

  @Test func aManifestStandsForItsParts() throws {
    let series = try Series(hasManifest: true)
    let other = series.directory.file("renamed.sfv")
    try Files.copy(series.manifest, to: other)
    for manifest in [series.manifest, other] {
      let outcome = try Tool.cleave.run(["merge", "--no-sync", "-f", manifest])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.contains("as in \(manifest)"), "\(outcome)")
      #expect(try Files.read(series.output) == series.whole)
    }
  }
}

extension Array {
  /// The second element first: the operand is the first row.
  fileprivate var rotated: [Element] { Array(self[1...]) + [self[0]] }
}
