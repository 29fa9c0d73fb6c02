import Posix
import TestSupport
import Testing

@testable import Cleave

/// Which of the manifests beside some parts is compared with.
@Suite struct ManifestChoiceTests {
  /// Lines of `NAME.sfv` for the names behind the colon: the first, second and third part's sums.
  struct Row: Sendable, CustomTestStringConvertible {
    var parts = ["f.001", "f.002", "f.003"]
    var lists: [(name: String, lines: [String])]
    /// The manifest that is taken, or what the error says.
    var taken: String?
    var refusal: String?
    var warnings = 0

    var testDescription: String { "\(parts.first ?? ""): \(lists.map(\.name))" }
  }

  private static let all = ["f.001", "f.002", "f.003"]

  static let rows = [
    Row(lists: [("all.sfv", all), ("f.001.sfv", ["f.001"])], taken: "all.sfv"),
    Row(lists: [("all.sfv", all), ("f.sfv", [])], taken: "all.sfv"),
    Row(lists: [("all.sfv", all), ("f.sfv", ["old.001"])], taken: "all.sfv"),
    Row(lists: [("f.sfv", all), ("all.sfv", ["f.001"])], taken: "f.sfv"),
    // Those that have all are one as good as the other; their names decide.
    Row(lists: [("f.sfv", all), ("all.sfv", all)], taken: "f.sfv"),
    Row(lists: [("f.001.sfv", ["f.001"])], taken: "f.001.sfv", warnings: 1),
    Row(lists: [("f.sfv", ["old.001"])], taken: nil, warnings: 1),
    Row(lists: [("F.SFV", all)], taken: "F.SFV"),
    Row(lists: [("F.sfv", ["F.001", "F.002", "F.003"])], refusal: "in letters of another case"),
    Row(lists: [("f.sfv", ["F.001", "F.002", "F.003"])], refusal: "in letters of another case"),
    Row(lists: [("f.sfv", ["e\u{301}.001", "x.2", "y"])], refusal: "as many files by other names"),
    Row(
      parts: ["F.001", "F.002", "F.003"],
      lists: [("f.sfv", all)],
      refusal: "in letters of another case"
    ),
    Row(
      parts: ["F.001", "F.002", "F.003"],
      lists: [("all.sfv", all)],
      refusal: "in letters of another case"
    ),
    // The whole alone.
    Row(lists: [("all.sfv", ["F"])], refusal: "has F and not f, in letters of another case"),
    Row(lists: [("f.sfv", ["F"])], refusal: "has F and not f, in letters of another case"),
    // The same letters in another form of Unicode.
    Row(
      parts: ["\u{E9}.001", "\u{E9}.002"],
      lists: [("all.sfv", ["e\u{301}.001", "e\u{301}.002"])],
      refusal: "in other bytes for the same letters"
    ),
    // Names with more digits are read as numbers alone first.
    Row(
      parts: (1...12).map { "f.part.\($0)" },
      lists: (1...12).map { ("f.part.\($0).sfv", ["f.part.\($0)"]) },
      taken: "f.part.1.sfv"
    ),
  ]

  @Test(arguments: rows) func theOneThatHasSumsOfAllPartsIsTaken(row: Row) throws {
    let directory = try TemporaryDirectory()
    for part in row.parts { _ = try directory.make(FilePath(part), Array("\(part)\n".utf8)) }
    for list in row.lists {
      let lines = list.lines.map { name in
        let sum = Checksum(of: Array("\(name)\n".utf8)[...], .crc32).crc32
        return "\(name) \(Checksum.hexadecimal(sum))\n"
      }
      _ = try directory.make(FilePath(list.name), Array(lines.joined().utf8))
    }
    do throws(CleaveError) {
      let selection = try Selection(of: [directory.file(FilePath(row.parts[0]))])
      #expect(row.refusal == nil)
      #expect(selection.manifest.map { "\($0.path.lastComponent)" } == row.taken)
      #expect(selection.evidence.doubts.count { $0.code == .silentManifest } == row.warnings)
      if row.warnings == 0, let manifest = selection.manifest {
        #expect(manifest.covers(selection.names, makesWhole: true, of: selection.base))
      }
    } catch {
      #expect(error.kind == .badData && row.refusal.map("\(error)".contains) == true, "\(error)")
    }
  }

  private func directory(_ names: [String], listing listed: [String]) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in names { _ = try directory.make(FilePath(name), Array("\(name)\n".utf8)) }
    let lines = listed.map { name in
      let sum = Checksum(of: Array("\(name)\n".utf8)[...], .crc32).crc32
      return "\(name) \(Checksum.hexadecimal(sum))\n"
    }
    _ = try directory.make("f.sfv", Array(lines.joined().utf8))
    return directory
  }

  /// A list that was damaged has another number in place of the first.
  @Test(arguments: [true, false])
  func noPartInFrontIsLeftOutForTheSakeOfAList(isThere: Bool) throws {
    let names = isThere ? Self.all : Array(Self.all.dropFirst())
    let directory = try directory(names, listing: ["f.002", "f.003", "f.009"])
    let sum = Array("; size: 18\n; crc32: 00000000\n; adler32: 00000000\n".utf8)
    let list = directory.file("f.sfv")
    try Files.write(sum + Files.read(list), to: list)
    var request = Selection.Request()
    request.reading.bounds.last = .number(3)
    for operand in ["f.001", "f.002"] as [FilePath] where isThere || operand == "f.001" {
      let error = #expect(throws: CleaveError.self) {
        try Selection(of: [directory.file(operand)], request)
      }
      if isThere { #expect(error?.path?.lastComponent == "f.001") }
      #expect(error?.kind == (isThere ? .badData : .missingInput))
    }
  }

  /// Names without numbers have no other order than that of the lines.
  @Test(
    arguments: [
      (["u", "v", "w"], true), (["v", "u", "w"], false), (["u", "w"], false),
    ]
  )
  func filesWithoutNumbersAreAllOnlyInTheirOrder(names: [String], isComplete: Bool) throws {
    let directory = try directory(["u", "v", "w"], listing: ["u", "v", "w"])
    let manifest = try Manifest(reading: directory.file("f.sfv"))
    let parts = names.map { name in
      let path = directory.file(FilePath(name))
      return (path: path, checksum: Checksum(of: Array("\(name)\n".utf8)[...], .crc32))
    }
    var verdict = Verdict()
    verdict.compare(with: manifest, parts: parts, whole: nil, of: nil)
    #expect(verdict.proofs.map(\.isComplete) == [isComplete])
  }

  /// The parts are meant where the whole that a list names is not there.
  @Test(arguments: [["f.aa", "f.ab"], ["f.000", "f.001"], ["f.001", "f.002"]])
  func aListOfTheWholeStandsForItsParts(parts: [String]) throws {
    let directory = try directory(parts, listing: ["f"])
    let selection = try Selection(of: [directory.file("f.sfv")])
    #expect(selection.names.map { "\($0.lastComponent)" } == parts)
  }

  private static func line(_ name: String, of bytes: [UInt8]) -> String {
    "\(name) \(Checksum.hexadecimal(Checksum(of: bytes[...], .crc32).crc32))\n"
  }

  private static func verify(_ operands: FilePath...) throws -> Verify.Result {
    try Verify(operands).run()
  }

  /// Lists are made before files are moved.
  @Test(arguments: ["dl/", "dl\\", "./", "/gone/dl/", "../gone/", "C:\\dl\\"])
  func aListOfFilesThatWereMovedIsOfThose(folder: String) throws {
    for name in ["f.sfv", "other.sfv"] as [FilePath] {
      let directory = try directory(Self.all, listing: [])
      try FileSystem.unlink(directory.file("f.sfv"))
      let lines = Self.all.map { Self.line("\(folder)\($0)", of: Array("\($0)\n".utf8)) }
      let list = try directory.make(name, Array(lines.joined().utf8))
      for operand in [list, directory.file("f.001")] {
        let selection = try Selection(of: [operand])
        #expect(selection.names.map { "\($0.lastComponent)" } == Self.all)
        #expect(
          selection.manifest?.covers(selection.names, makesWhole: true, of: selection.base) == true
        )
        let result = try Self.verify(operand)
        #expect(result.isRight && result.summary.right == 3, "\(operand): \(result.summary)")
      }
      try Files.flipByte(at: 1, of: directory.file("f.002"))
      for operand in [list, directory.file("f.001")] {
        #expect(try Self.verify(operand).summary.wrong == 1)
      }
    }
  }

  /// The parts may be copied from there.
  @Test func aListOfFilesThatAreElsewhereIsComparedWithThoseBesideIt() throws {
    let (directory, other) = (
      try directory(Self.all, listing: []), try directory(Self.all, listing: [])
    )
    let lines = Self.all.map { Self.line("\(other.file(FilePath($0)))", of: Array("\($0)\n".utf8)) }
    for name in ["f.sfv", "list.sfv"] {
      let list = directory.file(FilePath(name))
      try Files.write(Array(lines.joined().utf8), to: list)
      for operand in [list, directory.file("f.001")] {
        let result = try Self.verify(operand)
        #expect(result.isRight && result.summary.right == 3, "\(operand): \(result.summary)")
      }
      try Files.flipByte(at: 1, of: directory.file("f.002"))
      for operand in [list, directory.file("f.001")] {
        #expect(try Self.verify(operand).summary.wrong == 1)
      }
      try Files.flipByte(at: 1, of: directory.file("f.002"))
      try FileSystem.unlink(list)
    }
  }

  /// The list has one line more than there are parts.
  @Test func namesThatEndAsThePartsDoMayBeMeant() throws {
    let directory = try directory(
      Self.all,
      listing: ["e\u{301}.001", "e\u{301}.002", "e\u{301}.003", "e.nfo"]
    )
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: [directory.file("f.001")])
    }
    #expect(error?.kind == .badData && error?.remedies.contains(.withoutManifest) == true)
  }

  @Test(arguments: [["f.000", "f.001"], ["f-00", "f-01"], ["f.aa", "f.ab"]])
  func aWholeIsRightWhereItsPartsMakeIt(parts: [String]) throws {
    let directory = try TemporaryDirectory()
    for part in parts { _ = try directory.make(FilePath(part), Array("\(part)\n".utf8)) }
    let whole = Self.line("f", of: Array(parts.map { "\($0)\n" }.joined().utf8))
    let lines = [whole] + parts.map { Self.line($0, of: Array("\($0)\n".utf8)) }
    let list = try directory.make("f.sfv", Array(lines.joined().utf8))
    let result = try Self.verify(list)
    #expect(result.isRight && result.summary.right == 3, "\(result.summary)")
    let names = try Selection(of: [list]).names.map { "\($0.lastComponent)" }
    #expect(names == parts)
    // Parts that are right, and make something else.
    let other = [Self.line("f", of: [1])] + lines.dropFirst()
    try Files.write(Array(other.joined().utf8), to: list)
    #expect(try Self.verify(list).summary.wrong == 1)
    try Files.write(Array(lines.joined().utf8), to: list)
    try FileSystem.unlink(directory.file(FilePath(parts[1])))
    #expect(try Self.verify(list).summary.missing == 2)
  }

  @Test(
    arguments: [["libx.so", "libx.so.1"], ["f.zip", "f.z01", "f.z02"], ["a", "b.000", "b.001"]]
  )
  func whatHasNoPartsIsMissing(names: [String]) throws {
    let directory = try directory(Array(names.dropFirst()), listing: names)
    let result = try Self.verify(directory.file("f.sfv"))
    #expect(result.summary.missing == 1 && !result.isRight, "\(result.summary)")
  }

  /// The numbers in the names of wholes are not those of parts.
  @Test func partsOfSeveralListedWholesAreCompared() throws {
    let directory = try TemporaryDirectory()
    for whole in ["disc1.iso", "disc2.iso"] {
      for number in 1...2 {
        _ = try directory.make(FilePath("\(whole).00\(number)"), Array("\(whole) \(number)\n".utf8))
      }
      let bytes = Array("\(whole) 1\n\(whole) 2\n".utf8)
      _ = try directory.make(FilePath("\(whole).sfv"), Array(Self.line(whole, of: bytes).utf8))
    }
    let summary = try Self.verify(directory.path).summary
    #expect(summary.right == 2 && summary.missing == 0, "\(summary)")
    _ = try directory.make("disc2.iso.002", Array("disc2.iso 3\n".utf8))
    let damaged = try Self.verify(directory.path).summary
    #expect(damaged.right == 1 && damaged.wrong == 1, "\(damaged)")
  }

  @Test func partsAndTheirManifestAreComparedOnce() throws {
    let directory = try directory(Self.all, listing: Self.all)
    let parts = Self.all.map { directory.file(FilePath($0)) }
    for operands in [parts + [directory.file("f.sfv")], [directory.file("f.sfv")] + parts] {
      let result = try Verify(operands).run()
      #expect(result.isRight && result.summary.right == 3, "\(result.summary)")
    }
  }

  /// Many lists of others hide no list of the directory.
  @Test func listsOfADirectoryAreReadFirst() throws {
    let directory = try TemporaryDirectory()
    for name in Self.all { _ = try directory.make(FilePath(name), [1]) }
    let line = { (name: String) in Array("\(String(repeating: "0", count: 32))  \(name)\n".utf8) }
    for number in 1...70 {
      _ = try directory.make(FilePath("f.x\(number).md5"), line("other\(number)"))
    }
    _ = try directory.make("MD5SUMS", Self.all.flatMap(line))
    let selection = try Selection(of: [directory.file("f.001")])
    #expect(selection.manifest?.path.lastComponent == "MD5SUMS")
  }

  /// Nobody shall believe that it was compared.
  @Test func aListOfTheDirectoryThatCannotBeReadIsTold() throws {
    let directory = try TemporaryDirectory()
    for name in Self.all { _ = try directory.make(FilePath(name), [1]) }
    _ = try directory.directory("MD5SUMS")
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: [directory.file("f.001")])
    }
    #expect(error?.path?.lastComponent == "MD5SUMS", "\(String(describing: error))")
    var request = Selection.Request()
    request.manifest = .none
    #expect(try Selection(of: [directory.file("f.001")], request).files?.count == 3)
  }

  // MARK: Files that share no name

  private static let files = ["alpha", "beta", "gamma"]

  private func files(
    in directory: TemporaryDirectory,
    _ names: [String] = files
  ) throws(CleaveError) -> Selection {
    try Selection(of: names.map { directory.file(FilePath($0)) })
  }

  @Test func aListOfFilesThatShareNoNameIsCompared() throws {
    for lists in [[("all.sfv", Self.files)], Self.files.map { ("\($0).sfv", [$0]) }] {
      let directory = try directory(Self.files, listing: [])
      try FileSystem.unlink(directory.file("f.sfv"))
      for (list, names) in lists {
        let lines = names.map { Self.line($0, of: Array("\($0)\n".utf8)) }
        _ = try directory.make(FilePath(list), Array(lines.joined().utf8))
      }
      let selection = try files(in: directory)
      #expect(
        selection.manifest?.covers(selection.names, makesWhole: true, of: nil) == true,
        "\(lists)"
      )
      try Files.flipByte(at: 1, of: directory.file("gamma"))
      let error = #expect(throws: CleaveError.self) {
        try Merge(files(in: directory), into: directory.file("out")).run()
      }
      #expect(error?.kind == .badData, "\(lists)")
      #expect(try !Files.exists(directory.file("out")))
    }
  }

  /// It has sums, and tells neither the order nor how many there are.
  @Test func theContentIsLookedAtBesideAListOfFilesThatShareNoName() throws {
    let directory = try TemporaryDirectory()
    let gzip = try #require(Tool.find("gzip"))
    let packed = try gzip.run(["-c"], input: .bytes(Bytes.pattern(count: 9000, seed: 7)))
    let pieces = packed.standardOutput.cut(3)
    var lines: [String] = []
    for (name, piece) in zip(Self.files, pieces) {
      _ = try directory.make(FilePath(name), piece)
      lines.append(Self.line(name, of: piece))
    }
    _ = try directory.make("all.sfv", Array(lines.joined().utf8))
    let out = directory.file("out.gz")
    for names in [["alpha", "beta"], ["beta", "alpha", "gamma"]] {
      let error = #expect(throws: CleaveError.self) {
        try Merge(files(in: directory, names), into: out).run()
      }
      #expect(
        error?.kind == (names.count == 2 && names[0] == "alpha" ? .missingInput : .badData),
        "\(names)"
      )
    }
    let merged = try Merge(files(in: directory), into: out).run()
    #expect(merged.verdict.isVerified)
  }

  /// A list need not have all of them: nothing says that they belong together.
  @Test func filesThatAListHasNotAreTold() throws {
    let directory = try directory(Self.files, listing: ["alpha", "beta", "delta"])
    let selection = try files(in: directory)
    // Of gamma it has no sum, and delta is not given.
    #expect(selection.evidence.doubts.map(\.code) == [.silentManifest, .silentManifest])
    let merged = try Merge(selection, into: directory.file("out")).run()
    #expect(!merged.verdict.isVerified)
  }

  /// Those of other directories, and of other forms, are read together like others.
  @Test func sumsFilesForSinglePartsAreReadTogether() throws {
    for folder in ["", "parts/", "/gone/parts/"] {
      let directory = try directory(Self.all, listing: [])
      for name in Self.all {
        let line = Self.line("\(folder)\(name)", of: Array("\(name)\n".utf8))
        _ = try directory.make(FilePath("\(name).sfv"), Array(line.utf8))
      }
      #expect(try Self.verify(directory.file("f.001")).summary.right == 3)
      try Files.flipByte(at: 1, of: directory.file("f.002"))
      #expect(try Self.verify(directory.file("f.001")).summary.wrong == 1, "\(folder)")
    }
    let directory = try directory(Self.all, listing: [])
    for name in Self.all {
      let bytes = Array("\(name)\n".utf8)
      let sum = Checksum.hexadecimal(Checksum(of: bytes[...], .crc32).crc32)
      let text = "filename=\(name)\r\nsize=\(bytes.count)\r\ncrc32=\(sum)\r\n"
      _ = try directory.make(FilePath("\(name).crc"), Array(text.utf8))
    }
    try Files.flipByte(at: 1, of: directory.file("f.003"))
    let selection = try Selection(of: [directory.file("f.001")])
    #expect(selection.manifest?.entries.count == 3)
    let error = #expect(throws: CleaveError.self) {
      try Merge(selection, into: directory.file("out")).run()
    }
    #expect(error?.kind == .badData)
  }

  @Test func theWholeIsComparedWhateverIsNamedFirst() throws {
    let directory = try directory(["f.001", "f.002"], listing: [])
    let lines =
      [Self.line("f", of: [1])]
      + ["f.001", "f.002"].map {
        Self.line($0, of: Array("\($0)\n".utf8))
      }
    let list = try directory.make("f.sfv", Array(lines.joined().utf8))
    let part = directory.file("f.001")
    for operands in [[list], [part], [list, part], [part, list]] {
      let summary = try Verify(operands).run().summary
      #expect(summary.wrong == 1 && summary.right == 2, "\(operands): \(summary)")
    }
  }

  /// What a list has, and counts otherwise than the parts that are there.
  @Test(arguments: [
    (Array(0...12), 16, 2, "f.z", 10), (Array(0...12), 16, 2, "f.", 10),
    (Array(0...12), 16, 1, "f.", 10),
    (Array(0...17), 16, 2, "f", 10),
  ])
  func partsThatAreCountedOtherwiseAreMissing(
    numbers: [Int],
    radix: Int,
    width: Int,
    head: String,
    there: Int
  ) throws {
    let names = numbers.map { number in
      let digits = String(number, radix: radix)
      return head + String(repeating: "0", count: width - digits.count) + digits
    }
    let lines = names.map { Self.line($0, of: Array("\($0)\n".utf8)) }
    let directory = try TemporaryDirectory()
    for name in names { _ = try directory.make(FilePath(name), Array("\(name)\n".utf8)) }
    _ = try directory.make("sums.sfv", Array(lines.joined().utf8))
    let part = directory.file(FilePath(names[0]))
    #expect(try Selection(of: [part]).names.count == names.count)
    for name in names[there...] where PartDigits(Array(name.utf8.suffix(width))) == nil {
      try FileSystem.unlink(directory.file(FilePath(name)))
    }
    let error = #expect(throws: CleaveError.self) { try Selection(of: [part]) }
    #expect(error?.kind == .missingInput && error?.missingCount ?? 0 > 0, "\(error?.text ?? "")")
  }

  /// A list beside some of the parts names one that is not given.
  @Test func aPartThatAListInAnotherDirectoryHasIsMissing() throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    for (folder, numbers) in [("a", 1...2), ("b", 3...4)] {
      let names = numbers.map { "f.00\($0)" }
      for name in names {
        _ = try directory.make(FilePath("\(folder)/\(name)"), Array("\(name)\n".utf8))
      }
      let lines = names.map { Self.line($0, of: Array("\($0)\n".utf8)) }
      _ = try directory.make(FilePath("\(folder)/sums.sfv"), Array(lines.joined().utf8))
    }
    let parts = ["a/f.001", "a/f.002", "b/f.003", "b/f.004"].map { directory.file(FilePath($0)) }
    #expect(
      try Selection(of: parts).manifest?.covers(PathList(parts), makesWhole: true, of: nil) == true
    )
    let error = #expect(throws: CleaveError.self) { try Selection(of: Array(parts.prefix(3))) }
    #expect(error?.kind == .missingInput)
    #expect(error?.remedies == [.withoutManifest])
  }

  /// What several lists say together; of one that leaves a part out, it alone is asked.
  @Test func listsThatCoverThePartsOnlyTogetherAreTakenTogether() throws {
    let rows: [(lists: [(String, [String])], kind: CleaveError.Kind?, isCovered: Bool)] = [
      ([("f.001.sfv", ["f.001"]), ("f.002.sfv", ["f.002"]), ("sums.sfv", ["f.003"])], nil, true),
      ([("sums.sfv", ["f.001", "f.002"]), ("more.sfv", ["f.003"])], nil, true),
      ([("sums.sfv", ["f.001", "f.002"]), ("more.sfv", ["g.003"])], .badData, false),
      ([("f.001.sfv", ["f.001"]), ("sums.sfv", ["f.002"])], .badData, false),
      // What another list has besides, or says otherwise.
      (
        [("a.sfv", ["f.001", "f.002"]), ("b.sfv", ["f.003"]), ("c.sfv", ["f.004"])], .missingInput,
        false
      ),
      ([("a.sfv", ["f.001", "f.002", "f.003"]), ("b.sfv", ["f.004"])], .missingInput, false),
      ([("a.sfv", ["f.001", "f.002", "f.003"]), ("b.sfv", ["f.002 00000000"])], .badData, false),
      ([("a.sfv", ["f.001", "f.002"]), ("b.sfv", ["f.002 00000000", "f.003"])], .badData, false),
    ]
    for row in rows {
      let directory = try directory(Self.all, listing: [])
      try FileSystem.unlink(directory.file("f.sfv"))
      for (list, names) in row.lists {
        let lines = names.map { name in
          name.contains(" ") ? "\(name)\n" : Self.line(name, of: Array("\(name)\n".utf8))
        }
        _ = try directory.make(FilePath(list), Array(lines.joined().utf8))
      }
      do {
        let selection = try Selection(of: [directory.file("f.001")])
        #expect(row.kind == nil, "\(row)")
        let isCovered = selection.manifest?.covers(selection.names, makesWhole: true, of: nil)
        #expect(isCovered == row.isCovered, "\(row)")
        try Files.flipByte(at: 1, of: directory.file("f.002"))
        #expect(try Self.verify(directory.file("f.001")).summary.wrong == 1, "\(row)")
      } catch {
        #expect((error as? CleaveError)?.kind == row.kind, "\(row): \(error)")
      }
    }
  }

  /// A list in one of several directories, or above them, has a part that is not given.
  @Test(arguments: ["a/sums.sfv", "sums.sfv"] as [FilePath])
  func aListOfSeveralDirectoriesHasAPartThatIsNotGiven(name: FilePath) throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    let names = ["a/f.001", "a/f.003", "b/f.002", "b/f.004"]
    let parts = try names.map { try directory.make(FilePath($0), Array("\($0)\n".utf8)) }
    let written =
      name == "sums.sfv"
      ? names : names.map { $0.hasPrefix("a") ? "\($0.dropFirst(2))" : "../\($0)" }
    let lines = zip(written, names).map { Self.line($0, of: Array("\($1)\n".utf8)) }
    _ = try directory.make(name, Array(lines.joined().utf8))
    let selection = try Selection(of: parts)
    #expect(selection.manifest?.covers(selection.names, makesWhole: true, of: nil) == true)
    for some in [Array(parts.prefix(3)), Array(parts.prefix(2)), [parts[0]]] {
      let error = #expect(throws: CleaveError.self) { try Selection(of: some) }
      #expect(error?.kind == .missingInput, "\(some): \(error?.text ?? "")")
    }
  }

  /// Lists of more than these parts, which are all there.
  @Test(
    arguments: [
      // Of another set below.
      [("sums.sfv", ["f.001", "f.002", "f.003", "old/f.001", "old/f.004"])],
      [("sums.sfv", ["f.001", "f.002", "f.003"]), ("SHA.sfv", ["f.aa", "f.ab", "f.001"])],
      [("f.crc32", ["f.001", "f.002", "f.003"]), ("more.sfv", ["f.gz", "f.002"])],
      // Counted otherwise.
      [("sums.sfv", ["f.00", "f.01", "f.001", "f.002", "f.003"])],
    ] as [[(String, [String])]]
  )
  func listsMayHaveMore(lists: [(String, [String])]) throws {
    let directory = try directory(Self.all, listing: [])
    try FileSystem.unlink(directory.file("f.sfv"))
    _ = try directory.directory("old")
    for name in ["old/f.001", "old/f.004"] as [FilePath] { _ = try directory.make(name, [1]) }
    for (list, names) in lists {
      let lines = names.map { Self.line($0, of: Array("\($0)\n".utf8)) }
      _ = try directory.make(FilePath(list), Array(lines.joined().utf8))
    }
    #expect(try Selection(of: [directory.file("f.001")]).names.count == 3)
  }

  /// The whole beside its parts in letters is no part that is far behind.
  @Test func aListedWholeIsNoPartInLetters() throws {
    let names = ["prog.aa", "prog.ab", "prog.ac", "prog.gz"]
    let directory = try directory(names, listing: [])
    try FileSystem.unlink(directory.file("f.sfv"))
    let lines = names.map { Self.line($0, of: Array("\($0)\n".utf8)) }
    _ = try directory.make("sums.sfv", Array(lines.joined().utf8))
    #expect(try Selection(of: [directory.file("prog.aa")]).names.count == 3)
  }

  /// Names in a list lead to files in other directories, and one in the directory above has those of all.
  @Test(arguments: ["sums.sfv", "a/sums.sfv"] as [FilePath], [false, true])
  func aListLeadsToFilesInSeveralDirectories(name: FilePath, isNamed: Bool) throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    let names = ["a/f.001", "b/f.002"]
    let parts = try names.map { try directory.make(FilePath($0), Array("\($0)\n".utf8)) }
    let list = directory.file(name)
    let written = name == "sums.sfv" ? names : ["f.001", "../b/f.002"]
    let lines = zip(written, names).map { Self.line($0, of: Array("\($1)\n".utf8)) }
    try Files.write(Array(lines.joined().utf8), to: list)
    let request = Selection.Request(manifest: isNamed ? .file(list) : .automatic)
    let selection = try Selection(of: parts, request)
    #expect(selection.manifest?.covers(selection.names, makesWhole: true, of: nil) == true)
    try Files.flipByte(at: 1, of: parts[1])
    let error = #expect(throws: CleaveError.self) {
      try Merge(try Selection(of: parts, request), into: directory.file("out")).run()
    }
    #expect(error?.kind == .badData)
  }

  @Test func listsOfFilesWithOneNameAreToldOf() throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    let parts = try ["a/x", "b/x"].map { try directory.make(FilePath($0), Array("\($0)\n".utf8)) }
    _ = try directory.make("b/sums.sfv", Array(Self.line("x", of: Array("b/x\n".utf8)).utf8))
    let selection = try Selection(of: parts)
    #expect(selection.evidence.doubts.map(\.code) == [.silentManifest])
    #expect(selection.evidence.doubts.first?.path == directory.file("b/sums.sfv"))
  }

  /// A list beside what is to be made, under any name that tells of it.
  @Test(
    arguments: ["film.sfv", "film.crc32", "FILM.SFV", "film.sfv.txt", "sums.sfv"] as [FilePath],
    [false, true]
  )
  func aListOfTheOutputIsComparedWith(name: FilePath, isDamaged: Bool) throws {
    let directory = try directory(Self.all, listing: [])
    try FileSystem.unlink(directory.file("f.sfv"))
    let bytes = Self.all.flatMap { Array("\($0)\n".utf8) }
    _ = try directory.make(name, Array(Self.line("film", of: bytes).utf8))
    if isDamaged { try Files.flipByte(at: 1, of: directory.file("f.002")) }
    let merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("film"))
    do {
      let verdict = try merge.run().verdict
      #expect(!isDamaged && verdict.isVerified, "\(name)")
    } catch {
      #expect(isDamaged && error.kind == .badData, "\(name): \(error)")
    }
  }

  @Test func aListOfTheOutputThatCannotBeReadRefuses() throws {
    let directory = try directory(Self.all, listing: [])
    try FileSystem.unlink(directory.file("f.sfv"))
    _ = try directory.make("film.sfv", Array("film\n".utf8))
    let part = directory.file("f.001")
    let error = #expect(throws: CleaveError.self) {
      try Merge(try Selection(of: [part]), into: directory.file("film")).run()
    }
    #expect(
      error?.kind == .badData && error?.remedies == [.withoutManifest],
      "\(error?.text ?? "")"
    )
    let request = Selection.Request(manifest: .none)
    _ = try Merge(try Selection(of: [part], request), into: directory.file("film")).run()
  }

  /// Two series of one name are told apart by how the file that is looked at is counted.
  @Test func aSecondSeriesOfTheNameIsComparedWithItsLines() throws {
    let names = ["f.001", "f.002", "f.part1", "f.part2"]
    let directory = try directory(names, listing: names)
    for name in names {
      let summary = try Self.verify(directory.file(FilePath(name))).summary
      #expect(summary.right == 2 && summary.notChecked == 0, "\(name): \(summary)")
    }
    try Files.flipByte(at: 1, of: directory.file("f.part2"))
    #expect(try Self.verify(directory.file("f.part1")).summary.wrong == 1)
  }

  /// Each has its own list, or one has that of all.
  @Test func listsBesidePartsInSeveralDirectoriesAreRead() throws {
    let directory = try TemporaryDirectory()
    for folder in ["a", "b"] as [FilePath] { _ = try directory.directory(folder) }
    let names = ["a/f.001", "b/f.002", "b/f.003"]
    for name in names { _ = try directory.make(FilePath(name), Array("\(name)\n".utf8)) }
    let line = { (name: String) in Self.line("\(name.dropFirst(2))", of: Array("\(name)\n".utf8)) }
    let parts = names.map { directory.file(FilePath($0)) }
    let rows: [(lists: [(FilePath, [String])], isAll: Bool)] = [
      ([("b/f.sfv", names)], true), ([("a/f.sfv", ["a/f.001"])], false),
      ([("a/f.sfv", ["a/f.001"]), ("b/f.sfv", ["b/f.002", "b/f.003"])], true),
    ]
    for row in rows {
      let lists = try row.lists.map { list, names in
        try directory.make(list, Array(names.map(line).joined().utf8))
      }
      let selection = try Selection(of: parts)
      let isAll = selection.manifest?.covers(selection.names, makesWhole: true, of: nil)
      #expect(isAll == row.isAll, "\(row)")
      if row.isAll {
        try Files.flipByte(at: 1, of: parts[2])
        let damaged = try Selection(of: parts)
        let error = #expect(throws: CleaveError.self) {
          try Merge(damaged, into: directory.file("out")).run()
        }
        #expect(error?.kind == .badData)
        try Files.flipByte(at: 1, of: parts[2])
      }
      for list in lists { try FileSystem.unlink(list) }
    }
  }

  /// Where parts have another name than what they make.
  @Test func aListThatIsNamedAfterTheOutputIsOfIt() throws {
    let directory = try directory(Self.all, listing: [])
    let whole = Array(Self.all.map { "\($0)\n" }.joined().utf8)
    let out = directory.file("out")
    for (bytes, isRight) in [(whole, true), ([1], false)] as [([UInt8], Bool)] {
      try Files.write(Array(Self.line("out", of: bytes).utf8), to: out.adding(".sfv"))
      let selection = try Selection(of: [directory.file("f.001")])
      if isRight {
        #expect(try Merge(selection, into: out).run().verdict.isVerified)
        try FileSystem.unlink(out)
      } else {
        let error = #expect(throws: CleaveError.self) { try Merge(selection, into: out).run() }
        #expect(error?.kind == .badData)
        #expect(try !Files.exists(out))
      }
    }
  }

  /// Which of them is right, nothing tells.
  @Test(arguments: [["f.001", "f.002", "f.003"], ["f.002"]])
  func listsThatContradictThatOfSplitAreRefused(listed: [String]) throws {
    let directory = try TemporaryDirectory()
    let whole = try directory.make("f", Bytes.pattern(count: 2000))
    var split = Split(whole, .every(1000), naming: PartNaming(whole, isTyped: false))
    split.work.output.synchronizes = false
    _ = try split.run()
    let part = directory.file("f.001")
    for name in ["f.crc32", "MD5SUMS", "f.md5", "g.sfv"] as [FilePath] {
      let isMD5 = ["f.md5", "MD5SUMS"].contains(name)
      let lines = listed.map {
        isMD5 ? "\(String(repeating: "0", count: 32))  \($0)\n" : "\($0) 1\n"
      }
      _ = try directory.make(name, Array(lines.joined().utf8))
      // Of other kinds of sums only the names can contradict, before any are computed.
      let isRefused = listed.count > 1 || !isMD5
      let error: CleaveError?
      do throws(CleaveError) {
        _ = try Selection(of: [part])
        error = nil
      } catch let caught {
        error = caught
      }
      #expect((error != nil) == isRefused, "\(name): \(String(describing: error))")
      try FileSystem.unlink(directory.file(name))
    }
  }

  /// A shell's `*` has capital letters first.
  @Test func noListIsJoinedToParts() throws {
    let directory = try directory(["f.aa", "f.ab", "g"], listing: ["f.aa", "f.ab"])
    try FileSystem.rename(directory.file("f.sfv"), toNew: directory.file("f.SFV"))
    let files = { (names: [String]) in names.map { directory.file(FilePath($0)) } }
    let selection = try Selection(of: files(["f.SFV", "f.aa", "f.ab"]))
    #expect(selection.names.map { "\($0.lastComponent)" } == ["f.aa", "f.ab"])
    // Names that share nothing.
    let other = try directory.make("h", [1])
    let lines = Self.line("h", of: [1]) + Self.line("g", of: [2])
    let list = try directory.make("h.sfv", Array(lines.utf8))
    let both = try Selection(of: [other, list, directory.file("g")])
    #expect(both.names.map { "\($0.lastComponent)" } == ["h", "g"])
    for path in [other, list] { try FileSystem.unlink(path) }
    let error = #expect(throws: CleaveError.self) {
      try Selection(of: files(["f.SFV", "g", "f.aa"]))
    }
    #expect(error?.kind == .missingInput && error?.path == directory.file("f.SFV"))
  }

  /// The last of them has the name of the whole.
  @Test func sumsFilesForThePartsOfASplitZipAreReadTogether() throws {
    let parts = ["f.z01", "f.z02", "f.zip"]
    let directory = try directory(parts, listing: [])
    for part in parts {
      let line = Self.line(part, of: Array("\(part)\n".utf8))
      _ = try directory.make(FilePath("\(part).sfv"), Array(line.utf8))
    }
    let names = PathList(parts.map { directory.file(FilePath($0)) })
    let manifest = try #require(try Manifest.beside(FilesMeant(directory.file("f.zip"), names)))
    #expect(manifest.covers(names, makesWhole: false, of: directory.file("f.zip")))
  }

  /// It says which parts there are in any case.
  @Test func aManifestIsAnOperandAlsoWhereNothingIsCompared() throws {
    let directory = try directory(Self.all, listing: Self.all)
    var request = Selection.Request()
    request.manifest = .none
    let selection = try Selection(of: [directory.file("f.sfv")], request)
    #expect(selection.names.count == 3 && selection.manifest == nil)
  }

  @Test func theTimeForManyPartsAsOperandsDoesNotGrowWithTheirSquare() throws {
    let times = try [100, 800].map { count in
      let names = (0..<count).map { "f.\(String(1000 + $0))" }
      let directory = try directory(names, listing: names)
      let operands = names.map { directory.file(FilePath($0)) } + [directory.file("f.sfv")]
      var right = 0
      let seconds = try ProcessorTime.seconds { right = try Verify(operands).run().summary.right }
      #expect(right == count)
      return seconds
    }
    // As many times as long would be 8; the square 64.
    #expect(times[1] < times[0] * 32, "\(times)")
  }

  @Test func theTimeForManySumsFilesDoesNotGrowWithTheirSquare() throws {
    let times = try [50, 400].map { count in
      let directory = try TemporaryDirectory()
      for number in 1...count {
        let name = "g\(number).bin"
        _ = try directory.make(FilePath(name), [1])
        _ = try directory.make(
          FilePath("\(name).sfv"),
          Array(Self.line("/gone/\(name)", of: [1]).utf8)
        )
      }
      var right = 0
      let seconds = try ProcessorTime.seconds {
        right = try Self.verify(directory.path).summary.right
      }
      #expect(right == count)
      return seconds
    }
    // As many times as long would be 8; the square 64.
    #expect(times[1] < times[0] * 32, "\(times)")
  }
}
