import Posix
import TestSupport
import Testing

/// What split makes: the parts, their names and the manifest.
@Suite(.aside) struct SplitTests {
  let directory: TemporaryDirectory
  let file: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("file")
  }

  // MARK: - Sizes

  static let cuts: [(count: Int, options: [String], sizes: [Int])] = [
    (2500, ["-b", "1000"], [1000, 1000, 500]),
    (2500, ["--bytes=1KB"], [1000, 1000, 500]),
    (2500, ["-b", "1K"], [1024, 1024, 452]),
    (2500, ["-b", "1KiB-24"], [1000, 1000, 500]),
    (3000, ["-b1000"], [1000, 1000, 1000]),
    (3000, ["-b", "3000"], [3000]),
    (3000, ["-b", "3001"], [3000]),
    (3000, ["-b", "fat32"], [3000]), (3000, ["-b", "CD"], [3000]), (3000, ["-b", "dvd"], [3000]),
    (0, ["-b", "10"], [0]), (1, ["-b", "10"], [1]), (1, ["-b", "1"], [1]),
    (0, ["-b", "10,rest"], [0]),
    (2500, ["-b", "1,2000,499"], [1, 2000, 499]),
    (2500, ["-b", "1,2000,rest"], [1, 2000, 499]),
    (2500, ["-b", "1,2000,9999"], [1, 2000, 499]),
    (2500, ["-b", "2500,rest"], [2500]),
    (2500, ["-b", "100,cd"], [100, 2400]),
    (2500, ["-n", "3"], [834, 833, 833]),
    (3000, ["--number=3"], [1000, 1000, 1000]),
    (2, ["-n", "4"], [1, 1, 0, 0]), (0, ["-n", "2"], [0, 0]), (10, ["-n", "1"], [10]),
  ]

  @Test(arguments: cuts, engines)
  func aFileIsCutAndMergedAgain(
    cut: (count: Int, options: [String], sizes: [Int]),
    engine: String
  ) throws {
    let bytes = Bytes.pattern(count: cut.count)
    try Files.write(bytes, to: file)
    let split = try Tool.cleave.run(
      ["split", "--no-sync", "--engine", engine] + cut.options + [file]
    )
    #expect(split.exitCode == 0, "\(split)")
    #expect(split.errorText == "")
    #expect(try sizes() == cut.sizes)
    try FileSystem.unlink(file)
    let merge = try Tool.cleave.run(
      ["merge", "--no-sync", "--engine", engine, directory.file("file.001")]
    )
    #expect(merge.exitCode == 0, "\(merge)")
    #expect(merge.outputText.hasSuffix(", as in \(file).sfv\n"), "\(merge)")
    #expect(try Bytes.difference(Files.read(file), bytes) == nil)
  }

  @Test(arguments: [(4, "file.0001"), (1, "file.1"), (9, "file.000000001")])
  func theNumberOfDigitsCanBeChosen(length: Int, name: FilePath) throws {
    try Files.write([1, 2, 3], to: file)
    let outcome = try split(["-b", "3", "-a", "\(length)"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.read(directory.file(name)) == [1, 2, 3])
  }

  /// What the user types, the first part, the manifest and the name that merging gives.
  @Test(
    arguments: [
      ("p_", "p_001", "p.sfv", "p"), ("p-", "p-001", "p.sfv", "p"), ("p.", "p.001", "p.sfv", "p"),
      ("p__", "p__001", "p_.sfv", "p_"), ("p", "p.001", "p.sfv", "p"), ("_", "_.001", "_.sfv", "_"),
    ] as [(String, FilePath, FilePath, FilePath)]
  )
  func aSeparatorAtTheEndOfAPrefixIsNotDoubled(
    prefix: String,
    part: FilePath,
    manifest: FilePath,
    whole: FilePath
  ) throws {
    let bytes = Bytes.pattern(count: 2500)
    for size in ["1000", "5000"] {
      try Files.write(bytes, to: file)
      let outcome = try Tool.cleave.run([
        "split", "-b", size, file, directory.file(FilePath(prefix)),
      ])
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(try Files.exists(directory.file(manifest)))
      let merged = try Tool.cleave.run(["merge", "-f", directory.file(part)])
      #expect(merged.exitCode == 0, "\(merged)")
      #expect(try Files.read(directory.file(whole)) == bytes)
      for name in try FileSystem.names(in: directory.path) {
        try FileSystem.unlink(directory.file(name))
      }
    }
  }

  @Test(
    arguments: [
      (1200, [], "file.0001", "file.1200"), (999, [], "file.001", "file.999"),
      (1000, [], "file.0001", "file.1000"), (1200, ["-a", "3"], "file.001", "file.1200"),
      (12, ["-a", "1"], "file.1", "file.12"), (12, ["-a", "5"], "file.00001", "file.00012"),
    ] as [(Int, [String], FilePath, FilePath)]
  )
  func numbersAreAsWideAsTheLastOne(
    count: Int,
    options: [String],
    first: FilePath,
    last: FilePath
  ) throws {
    let bytes = Bytes.pattern(count: count)
    try Files.write(bytes, to: file)
    let outcome = try split(["-b", "1", "--no-sync", "--manifest=none"] + options)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let names = try FileSystem.names(in: directory.path).filter { $0 != "file" }
    #expect(names.count == count)
    #expect(names.contains(first) && names.contains(last))
    let merged = try Tool.cleave.run(["merge", "-fq", "--no-sync", directory.file(last)])
    #expect(merged.exitCode == 0, "\(merged)")
    #expect(try Files.read(file) == bytes)
  }

  @Test func numbersOutgrowTheirWidth() throws {
    try Files.write(Bytes.pattern(count: 11), to: file)
    #expect(try split(["-b", "1", "-a", "1"]).exitCode == 0)
    #expect(try Files.exists(directory.file("file.11")))
    #expect(try !Files.exists(directory.file("file.01")))
    try FileSystem.unlink(file)
    #expect(try Tool.cleave.run(["merge", directory.file("file.7")]).exitCode == 0)
    #expect(try Bytes.difference(Files.read(file), Bytes.pattern(count: 11)) == nil)
  }

  /// Of a stream, `file.sfv` would be the 12,320th part.
  @Test(arguments: [[], ["-l", "1"]])
  func lettersMayComeToTheNameOfTheManifest(options: [String]) throws {
    let size = options.isEmpty ? ["-b", "2"] : options
    let outcome = try Tool.cleave.run(
      ["split", "-a", "3", "--alphabetic-suffixes"] + size + ["-", directory.file("file.")],
      input: .bytes(Array("a\nb\nc\n".utf8))
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Files.text(directory.file("file.aac")) == "c\n")
    #expect(try Files.exists(directory.file("file.sfv")))
    let many = try Tool.cleave.run(
      ["split", "-q", "-a", "3", "--alphabetic-suffixes", "-b", "1", "-", directory.file("g.")],
      input: .bytes([UInt8](repeating: 1, count: 12_320))
    )
    #expect(many.exitCode == 65, "\(many)")
    #expect(many.errorText.contains("makes more parts than there are suffixes"), "\(many)")
    #expect(try !Files.exists(directory.file("g.aaa")))
  }

  // MARK: - Names

  @Test(arguments: ["sub", "sub/"]) func aDirectoryGetsPartsNamedAfterTheFile(
    prefix: String
  ) throws {
    try Files.write([1, 2, 3], to: file)
    try Files.makeDirectory(directory.file("sub"))
    let target = FilePath("\(directory.path)/\(prefix)")
    #expect(try split(["-b", "2"], [target]).exitCode == 0)
    #expect(try Contents(of: directory.file("sub")).bytes("file.002") == [3])
    #expect(try directory.names() == ["file", "sub"])
  }

  @Test func aPrefixNamesPartsAndManifest() throws {
    try Files.write([1, 2, 3], to: file)
    #expect(try split(["-b", "2"], [directory.file("other")]).exitCode == 0)
    #expect(try directory.names() == ["file", "other.001", "other.002", "other.sfv"])
    #expect(try Files.text(directory.file("other.sfv")).contains("; name: file\n"))
    let merge = try Tool.cleave.run(["merge", directory.file("other.001")])
    #expect(merge.exitCode == 0, "\(merge)")
    #expect(try Files.read(directory.file("other")) == [1, 2, 3])
  }

  @Test(
    arguments: [[0], [1], [1, 100_000], [1, 1000], [99_999, 1]],
    ["1000", "1,rest", "100001"]
  )
  func standardInputIsCut(sizes: [Int], cut: String) throws {
    // The last row of sizes that a list allows is a long rest.
    let bytes = Bytes.pattern(count: sizes.reduce(0, +))
    let outcome = try Tool.cleave.run(
      ["split", "--no-sync", "-b", cut, "-", file],
      input: .bytes(bytes)
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let merge = try Tool.cleave.run(["merge", "--no-sync", directory.file("file.001")])
    #expect(merge.exitCode == 0, "\(merge)")
    #expect(try Bytes.difference(Files.read(file), bytes) == nil)
    if cut == "1000" { #expect(try self.sizes().dropLast().allSatisfy { $0 == 1000 }) }
  }

  @Test func standardInputThatIsTooLongForTheListLeavesNothing() throws {
    let outcome = try Tool.cleave.run(
      ["split", "-b", "2,2", "-", file],
      input: .bytes([1, 2, 3, 4, 5])
    )
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText == "cleave: standard input is longer than the list of sizes\n")
    #expect(try directory.names() == [])
  }

  // MARK: - The manifest

  @Test(arguments: [("rhash", "-c"), ("cksfv", "-qf")])
  func otherToolsAcceptTheManifest(tool: String, option: String) throws {
    guard let checker = Tool.find(FilePath(tool)) else {
      print("skipped: \(tool) is not installed")
      return
    }
    try Files.write(Bytes.pattern(count: 2500), to: file)
    #expect(try split(["-b", "1000"]).exitCode == 0)
    let good = try checker.run([option, "file.sfv"], workingDirectory: directory.path)
    #expect(good.exitCode == 0, "\(good)")
    try Files.flipByte(at: 5, of: directory.file("file.002"))
    let bad = try checker.run([option, "file.sfv"], workingDirectory: directory.path)
    #expect(bad.exitCode != 0, "\(bad)")
  }

  @Test func theManifestCanBeElsewhereOrNowhere() throws {
    try Files.write([1, 2, 3], to: file)
    let other = directory.file("other.sfv")
    #expect(try split(["-b", "2", "--manifest", "\(other)"]).exitCode == 0)
    #expect(try directory.names() == ["file", "file.001", "file.002", "other.sfv"])
    // It would contradict new parts of the same names.
    let stale = try split(["-b", "1,rest", "--force", "--manifest=none"])
    #expect(stale.exitCode == 73, "\(stale)")
    #expect(stale.errorText.contains("other.sfv: lists parts of the same names"), "\(stale)")
    try FileSystem.unlink(other)
    #expect(try split(["-b", "2", "--force", "--manifest=none"]).exitCode == 0)
    #expect(try directory.names() == ["file", "file.001", "file.002"])
  }

  // MARK: - Refusals

  @Test(arguments: ["file.001", "file.003", "file.004", "file.000", "file.999", "file.sfv"])
  func aTakenOrStaleNameIsRefused(name: FilePath) throws {
    try Files.write(Bytes.pattern(count: 2500), to: file)
    try Files.write([9], to: directory.file(name))
    let outcome = try split(["-b", "1000"])
    #expect(outcome.exitCode == 73, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(directory.path)/\(name): "), "\(outcome)")
    #expect(try directory.names() == ["file", name])
    #expect(try Files.read(directory.file(name)) == [9])
  }

  @Test(arguments: [("file.002", 0), ("file.sfv", 0), ("file.004", 73)] as [(FilePath, CInt)])
  func forceReplacesWhatIsTakenButNotWhatIsStale(name: FilePath, code: CInt) throws {
    try Files.write(Bytes.pattern(count: 2500), to: file)
    try Files.write([9], to: directory.file(name))
    let outcome = try split(["-b", "1000", "--force"])
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(try directory.names().count == (code == 0 ? 5 : 2))
  }

  @Test(
    arguments: [
      ([], "the size of the parts is missing: -b SIZE, -n N, -l N or -C SIZE"),
      (["-b", "0"], "-b: '0' must be more than 0"),
      (["-b", "10,0,rest"], "-b: '10,0,rest' must be more than 0"),
      (["-b", "100,200"], "the sizes leave 2200 bytes over; end the list with 'rest'"),
      (["-b", "1Q"], nil), (["-b", ""], nil), (["-b", "-5"], nil), (["-b", "10,,rest"], nil),
      (["-b", "rest"], nil), (["-b", "9999999999999999999"], nil),
      (["-n", "0"], "-n: '0' is not a number from 1 to 1000000"),
      (["-n", "1000001"], nil), (["-n", "x"], nil), (["-a", "0", "-n", "1"], nil),
      (["-a", "10", "-n", "1"], nil), (["-l", "0"], nil), (["-n", "l/0"], nil),
      (["-C", "0"], "-C: '0' must be more than 0"), (["-l", "1", "-t", "ab"], nil),
      (["-n", "r/0"], nil), (["-n", "2", "-l", "2"], nil), (["-b", "2", "-t", "x"], nil),
      (["-b", "2", "-e"], nil), (["-l", "2", "--consume"], nil),
      (["-n", "l/2", "--consume"], nil), (["-n", "2", "--additional-suffix=a/b"], nil),
      (["-n", "2", "--numeric-suffixes=x"], nil), (["-n", "2", "--hex-suffixes=0123456789"], nil),
      (["-n", "2", "-d", "--format=zip"], nil), (["-n", "2", "-x", "--joiners"], nil),
    ] as [([String], String?)]
  )
  func cutsThatDoNotFitAreUsageErrors(options: [String], line: String?) throws {
    try Files.write(Bytes.pattern(count: 2500), to: file)
    let outcome = try split(options)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.errorText.hasSuffix(" (see 'cleave split --help')\n"), "\(outcome)")
    if let line { #expect(outcome.errorText.hasPrefix("cleave: \(line) "), "\(outcome)") }
    #expect(try directory.names() == ["file"])
  }

  @Test func moreThanAMillionPartsAreRefused() throws {
    try Files.makeSparse(file, size: 1_000_001)
    let outcome = try split(["-b", "1"])
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(try directory.names() == ["file"])
  }

  // MARK: - Telling

  @Test func dryRunWritesNothing() throws {
    try Files.write(Bytes.pattern(count: 2500), to: file)
    let outcome = try split(["-b", "1000", "--dry-run"])
    #expect(outcome.exitCode == 0)
    let text = outcome.outputText.replacing("\(directory.path)/", with: "")
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.dropLast() == [
        "file: 2500 bytes (2.4 KiB) in 3 parts, by the direct engine, manifest file.sfv",
        "  file.001  1000 bytes at 0", "  file.002  1000 bytes at 1000",
        "  file.003  500 bytes at 2000",
      ]
    )
    #expect(lines.last?.hasPrefix("  space     2500 bytes (2.4 KiB) needed, ") == true)
    #expect(try directory.names() == ["file"])
  }

  @Test func theReportIsOneObject() throws {
    try Files.write(Array("123456789".utf8), to: file)
    let json = try JSON(split(["-b", "5", "--json"]))
    #expect(json.text("command") == "split")
    #expect(json.number("bytes") == 9)
    #expect(json.text("crc32") == "cbf43926")
    #expect(json.text("adler32") == "091e01de")
    #expect(json.list("parts").map { $0.number("bytes") } == [5, 4])
    #expect(json.list("parts").last?.text("path") == "\(directory.path)/file.002")
    #expect(json.text("manifest") == "\(directory.path)/file.sfv")
  }

  // MARK: - Inside

  private func split(_ options: [String], _ operands: [FilePath] = []) throws -> Outcome {
    try Tool.cleave.run(["split", "--no-sync"] + options + [file] + operands)
  }

  /// Of the parts, by number.
  private func sizes() throws -> [Int] {
    try directory.names().filter { $0 != "file" && $0 != "file.sfv" }
      .map { Int(try FileStatus.of(directory.file($0)).size) }
  }
}
