import Posix
import TestSupport
import Testing

/// Files that no manifest tells of, by what is in them.
@Suite(.aside) struct VerifyContentTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(Bytes.pattern(count: 9000), to: directory.file("file"))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: FilePath
    /// Makes `name` of `file`.
    let script: String
    let proof: String

    var testDescription: String { "\(name)" }
  }

  static let rows = [
    Row(
      name: "f.gz",
      script: "gzip -nc file >f.gz",
      proof: "proved by the CRC-32 and size of 1 gzip member"
    ),
    Row(
      name: "f.xz",
      script: "xz -c file >f.xz",
      proof: "in part proved by the structure of 1 xz stream"
    ),
    Row(
      name: "f.zst",
      script: "zstd -qc file >f.zst",
      proof: "in part proved by the structure of 1 zstd frame"
    ),
    Row(
      name: "f.lz",
      script: "lzip -c file >f.lz",
      proof: "in part proved by the structure of 1 lzip member"
    ),
    Row(
      name: "f.7z",
      script: "7z a -bd f.7z file >/dev/null",
      proof: "in part proved by the CRC-32s of the 7z headers"
    ),
    Row(
      name: "f.tar",
      script: "tar -cf f.tar file",
      proof: "in part proved by 1 header of the tar file"
    ),
  ].filter { row in
    Tool.find(FilePath(String(row.script.prefix { $0 != " " }))) != nil
  }

  /// What cannot be unpacked here is no fault where a manifest tells of every byte.
  @Test(arguments: [("", 1), ("a.zip.00[12]", 1), ("a.zip.00?", 0)] as [(String, CInt)])
  func entriesThatAreNotTestedAreComparedWithAManifest(listed: String, code: CInt) throws {
    var entry = ZipEntry("secret", Bytes.pattern(count: 3000), method: .stored)
    entry.flags |= ZipEntry.encryptedFlag
    for (index, part) in try ZipWriter([entry]).single().cut(to: 1000).enumerated() {
      try Files.write(part, to: directory.file(FilePath("a.zip.00\(index + 1)")))
    }
    let script = "test -z '\(listed)' || sha256sum \(listed) >a.zip.sha256"
    let made = try Tool.shell.run(["-ec", script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    let outcome = try Tool.cleave.run(["verify", directory.file("a.zip.001")])
    #expect(outcome.exitCode == code, "\(outcome)")
  }

  private func make(_ row: Row) throws -> [UInt8] {
    let made = try Tool.shell.run(["-ec", row.script], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    return try Files.read(directory.file(row.name))
  }

  private func cut(_ bytes: [UInt8], _ name: FilePath, size: Int = 4000) throws {
    for (index, part) in bytes.cut(to: size).enumerated() {
      try Files.write(part, to: directory.file(name.adding(".00\(index + 1)")))
    }
  }

  private func run(_ arguments: [any ToolArgument]) throws -> Outcome {
    try Tool.cleave.run(arguments, workingDirectory: directory.path)
  }

  @Test(arguments: rows) func whatIsRightIsProvedAsMergeProvesIt(row: Row) throws {
    let bytes = try make(row)
    let line = "\(row.name): OK, \(row.proof)\n1 right, 0 wrong, 0 missing, 0 not checked\n"
    let whole = try run(["verify", row.name])
    #expect(whole.exitCode == 0 && whole.outputText == line && whole.errorText == "", "\(whole)")
    try FileSystem.unlink(directory.file(row.name))
    try cut(bytes, row.name)
    let parts = try run(["verify", row.name.adding(".002"), row.name.adding(".001")])
    #expect(parts.exitCode == 0 && parts.outputText == line && parts.errorText == "", "\(parts)")
    let merged = try run(["merge", "--no-sync", row.name.adding(".001")])
    #expect(merged.exitCode == 0 && merged.outputText.hasSuffix(", \(row.proof)\n"), "\(merged)")
  }

  /// As a download reserves what it has not fetched yet.
  @Test(arguments: rows.filter { ["f.gz", "f.xz"].contains($0.name) })
  func aPartOfZerosAloneDoesNotBelong(row: Row) throws {
    let bytes = try make(row)
    try Files.write(bytes, to: directory.file(row.name.adding(".001")))
    try Files.write(
      [UInt8](repeating: 0, count: bytes.count * 4),
      to: directory.file(row.name.adding(".002"))
    )
    for words in [["verify"], ["merge", "--consume"]] {
      let outcome = try run(words + ["\(row.name).001"])
      #expect(outcome.exitCode == 65, "\(outcome)")
      let text = "\(row.name).002: does not belong here: the "
      #expect(outcome.errorText.contains(text), "\(outcome)")
      #expect(try Files.exists(directory.file(row.name.adding(".002"))))
    }
  }

  @Test(arguments: rows) func whatContradictsItselfIsBadData(row: Row) throws {
    let bytes = try make(row)
    try Files.write(Array(bytes.prefix(bytes.count / 4)), to: directory.file(row.name))
    let outcome = try run(["verify", row.name])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("cleave: \(row.name): "), "\(outcome)")
    #expect(outcome.outputText == "0 right, 1 wrong, 0 missing, 0 not checked\n")
    let list = try run(["verify", "--list-bad", row.name])
    #expect(list.exitCode == 65 && list.outputText == "\(row.name)\n", "\(list)")
  }

  /// The same name for both, and each is looked at by itself.
  @Test(
    .enabled(if: Tool.find("gzip") != nil, "gzip is not installed"),
    arguments: ["f.gz", "w.zip"] as [FilePath],
    [true, false]
  )
  func aWholeBesideItsPartsIsAnotherThing(name: FilePath, isWholeDamaged: Bool) throws {
    let zip = ZipWriter([
      ZipEntry("file", Bytes.pattern(count: 9000), method: .stored)
    ])
    let bytes = name == "w.zip" ? try zip.single() : try make(Self.rows[0])
    try Files.write(bytes, to: directory.file(name))
    try cut(bytes, name)
    let parts = (1...3).map { name.adding(".00\($0)") }
    try Files.flipByte(at: 2000, of: directory.file(isWholeDamaged ? name : parts[0]))
    for operands in [[name] + parts, parts + [name]] {
      let outcome = try run(["verify"] + operands)
      #expect([1, 65].contains(outcome.exitCode), "\(outcome)")
      #expect(outcome.outputText.contains("OK") && outcome.errorText != "", "\(outcome)")
      let report = try JSON(run(["verify", "--json"] + operands))
      let states = Set(report.list("files").compactMap { $0.text("status") })
      #expect(states == ["ok", "different"], "\(report)")
      // Which of the parts is wrong, the content does not know.
      let list = try run(["verify", "--list-bad"] + operands)
      #expect(list.outputText == (isWholeDamaged ? "\(name)\n" : ""), "\(list)")
      // All parts are one thing to read.
      let plan = try run(["verify", "--dry-run"] + operands)
      #expect(plan.outputText.split(separator: "\n").count == 3, "\(plan)")
    }
  }

  @Test(.enabled(if: Tool.find("gzip") != nil, "gzip is not installed"), arguments: [false, true])
  func whatIsDamagedAsGivenIsMadeAndTold(consumes: Bool) throws {
    try cut(make(Self.rows[0]), "f.gz")
    try Files.flipByte(at: 3000, of: directory.file("f.gz.001"))
    let words: [any ToolArgument] = ["merge", "--as-given", "-o", "out", "f.gz.001", "f.gz.002"]
    let outcome = try run(words + ["f.gz.003"] + (consumes ? ["--consume"] : []))
    // What is to be given up has to be right.
    #expect(outcome.exitCode == (consumes ? 65 : 0), "\(outcome)")
    let text = consumes ? "--verify=stream" : "the content is wrong, and was joined as given"
    #expect(outcome.errorText.contains(text), "\(outcome)")
  }

  @Test(.enabled(if: Tool.find("tar") != nil, "tar is not installed"))
  func aPartThatAFindingNamesIsListed() throws {
    let script = "cp file again; tar -cf f.tar file again"
    let made = try Tool.shell.run(["-ec", script], workingDirectory: directory.path)
    #expect(made.exitCode == 0, "\(made)")
    var bytes = try Files.read(directory.file("f.tar"))
    try FileSystem.unlink(directory.file("f.tar"))
    // In the header of the second file.
    bytes[512 + 9216 + 110] ^= 1
    try cut(bytes, "f.tar")
    let list = try run(["verify", "--list-bad", "f.tar.001"])
    #expect(list.exitCode == 65 && list.outputText == "f.tar.003\n", "\(list)")
    let report = try JSON(run(["verify", "--json", "f.tar.001"]))
    #expect(report.names("bad") == ["f.tar.003"], "\(report)")
  }

  @Test(
    arguments: [
      (100, "w.zip.001\n", "'x' "), (4500, "w.zip.001\nw.zip.002\n", "w.zip.001 to w.zip.002"),
    ] as [(Int64, String, String)]
  )
  func thePartsOfADamagedEntryAreListed(position: Int64, list: String, text: String) throws {
    let zip = ZipWriter(
      ["x", "y", "z"].map { ZipEntry($0, Bytes.pattern(count: 3000), method: .stored) }
    )
    var bytes = try zip.single()
    bytes[Int(position)] ^= 1
    try cut(bytes, "w.zip")
    let outcome = try run(["verify", "w.zip.002"])
    #expect(outcome.exitCode == 1 && outcome.errorText.contains(text), "\(outcome)")
    let bad = try run(["verify", "--list-bad", "w.zip.001"])
    #expect(bad.exitCode == 1 && bad.outputText == list, "\(bad)")
  }

  struct Header: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Bytes behind the start of the header.
    let field: Int
    /// What is listed where the header beside the data is changed, or that in the directory.
    let listed: (local: String, central: String)
    var descriptor = ZipEntry.Descriptor.none
  }

  private static let headers = [
    Header(testDescription: "CRC-32", field: 14, listed: ("w.zip.001\n", "w.zip.003\n")),
    Header(testDescription: "size", field: 22, listed: ("w.zip.001\n", "w.zip.003\n")),
    Header(testDescription: "encryption", field: 6, listed: ("", "")),
    Header(testDescription: "method", field: 8, listed: ("", "")),
    Header(
      testDescription: "CRC-32 of one with a descriptor",
      field: 14,
      listed: ("", "w.zip.003\n"),
      descriptor: .signed
    ),
  ]

  /// Of two headers that contradict each other, the one that the data contradicts, too, or none.
  @Test(arguments: headers, [false, true])
  func aPartIsListedOnlyWhereItsHeaderIsWrong(row: Header, isCentral: Bool) throws {
    let zip = ZipWriter(
      ["x", "y", "z"].map {
        ZipEntry($0, Bytes.pattern(count: 3000), method: .stored, descriptor: row.descriptor)
      }
    )
    var bytes = try zip.single()
    let record = try #require(bytes.lastOffset(of: [0x50, 0x4B, 1, 2])) - 2 * 47
    bytes[isCentral ? record + row.field + 2 : row.field] ^= 1
    try cut(bytes, "w.zip", size: bytes.count / 3 + 1)
    let bad = try run(["verify", "--list-bad", "w.zip.001"])
    let listed = isCentral ? row.listed.central : row.listed.local
    #expect(bad.outputText == listed, "\(bad)")
    #expect((bad.exitCode != 0) == (isCentral || row.descriptor == .none), "\(bad)")
  }

  /// What is missing there may be so because of what is in front of it.
  @Test(.enabled(if: Tool.find("xz") != nil, "xz is not installed"))
  func aPartWithoutWhatXzNeedsThereIsNotListed() throws {
    try Files.write(Bytes.pattern(count: 300_000), to: directory.file("file"))
    let made = try Tool.shell.run(["-ec", "xz -c file"], workingDirectory: directory.path)
    try #require(made.exitCode == 0, "\(made)")
    var bytes = made.standardOutput
    // The size of the first chunk, behind the headers of the stream and its block.
    bytes[25] ^= 1
    try cut(bytes, "f.xz", size: 50_000)
    let outcome = try run(["verify", "f.xz.001"])
    #expect(outcome.errorText.contains("f.xz.002: there should be a chunk"), "\(outcome)")
    let list = try run(["verify", "--list-bad", "f.xz.001"])
    #expect(list.exitCode == 65 && list.outputText == "", "\(list)")
  }

  @Test func ofADirectoryTheSeriesIsNamed() throws {
    let place = directory.file("d")
    try Files.makeDirectory(place)
    for name in ["f.001", "f.002"] as [FilePath] { try Files.write([1], to: place.appending(name)) }
    for words in [["verify"], ["verify", "."]] {
      let outcome = try Tool.cleave.run(words, workingDirectory: place)
      #expect(outcome.exitCode == 66, "\(outcome)")
      #expect(outcome.errorText.hasPrefix("cleave: f: no manifest tells of it"), "\(outcome)")
    }
  }

  @Test(
    "what merging takes as one set is one to check and to show",
    .enabled(if: Tool.find("gzip") != nil, "gzip is not installed"),
    arguments: [
      ["x01", "x02", "x03"], ["g1", "g2", "g3"],
      ["f.gz.1_3", "f.gz.2_3", "f.gz.3_3"],
      ["VTS_01_1.VOB", "VTS_01_2.VOB", "VTS_01_3.VOB"],
      ["DJI_0001.MP4", "DJI_0002.MP4", "DJI_0003.MP4"],
      ["film Part 1", "film Part 2", "film Part 3"],
    ] as [[FilePath]]
  )
  func set(names: [FilePath]) throws {
    let bytes = try make(Self.rows[0])
    let size = bytes.count / 3 + 1
    for (index, name) in names.enumerated() {
      let part = bytes[(index * size)..<min(bytes.count, (index + 1) * size)]
      try Files.write(Array(part), to: directory.file(name))
    }
    let merged = try run(["merge", "-o", "made"] + names)
    #expect(merged.exitCode == 0 && merged.outputText.contains(Self.rows[0].proof), "\(merged)")
    let verified = try run(["verify"] + names)
    #expect(verified.exitCode == 0, "\(verified)")
    #expect(verified.outputText.contains(Self.rows[0].proof), "\(verified)")
    let info = try run(["info", "--json"] + names)
    #expect(info.exitCode == 0, "\(info)")
    #expect(try JSON(info).list("parts").compactMap { $0.text("path") } == names.map { "\($0)" })
    let compared = try run(["info", "--compare"] + names)
    #expect(compared.exitCode == 0, "\(compared)")
    let other = Bytes.pattern(count: bytes.count - 2 * size, seed: 7)
    try Files.write(other, to: directory.file(names[2]))
    let wrong = try run(["verify"] + names)
    #expect(wrong.exitCode == 65, "\(wrong)")
    #expect(wrong.outputText.hasPrefix("0 right, 1 wrong, 0 missing, "), "\(wrong)")
  }

  @Test(.enabled(if: Tool.find("gzip") != nil, "gzip is not installed"))
  func filesThatTellOfThemselvesAreNoSet() throws {
    let bytes = try make(Self.rows[0])
    let names = ["log1.gz", "log2.gz", "log3.gz"] as [FilePath]
    for name in names { try Files.write(bytes, to: directory.file(name)) }
    try Files.write(Array(bytes.dropLast()), to: directory.file("log2.gz"))
    let outcome = try run(["verify", "--list-bad"] + names)
    #expect(outcome.exitCode == 65 && outcome.outputText == "log2.gz\n", "\(outcome)")
  }

  @Test(
    "files of which each is whole, or none is known, are checked one by one",
    arguments: [
      ("seq 1 900|gzip >d1.gz; : >d2.gz", "d1.gz d2.gz", "1 right, 0 wrong, 0 missing, 1 not", 66),
      (
        "seq 9|gzip >v1.bin; seq 8 >v2.bin", "v1.bin v2.bin", "1 right, 0 wrong, 0 missing, 1 not",
        66
      ),
      (
        "for i in 1 2 3; do seq $i 90 >x$i.dat; done; md5sum x1.dat x2.dat >MD5SUMS",
        "x1.dat x2.dat x3.dat", "2 right, 0 wrong, 0 missing, 1 not", 66
      ),
      (
        "head -c 99 file >d1; head -c 9 file >d3; seq 900|gzip >d2; printf XYZ|dd of=d2 bs=1 seek=50 conv=notrunc",
        "d1 d2 d3", "0 right, 1 wrong, 0 missing, 2 not", 65
      ),
    ]
  )
  func single(script: String, names: String, summary: String, code: CInt) throws {
    _ = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    let outcome = try run(["verify"] + names.split(separator: " ").map { FilePath(String($0)) })
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.outputText.contains(summary), "\(outcome)")
  }

  @Test(
    "a list of some parts is of a set, whatever else is counted so",
    arguments: ["verify", "info"]
  )
  func listed(command: String) throws {
    let script = "split -b 1024 -d file p; for i in 1 2 3; do mv p0$i x0$i; done; md5sum x0? >x.md5"
    _ = try Tool.shell.run(["-c", script], workingDirectory: directory.path)
    let names = ["x01", "x02", "x03"] as [FilePath]
    let merged = try run(["merge", "-o", "made"] + names)
    #expect(merged.exitCode == 0, "\(merged)")
    for operands in [names, names + ["x.md5"]] {
      let outcome = try run([command] + operands)
      #expect(outcome.exitCode == 0, "\(outcome)")
      let count = command == "verify" ? "\n3 right, 0 wrong" : "\nx: series of 3 parts\n"
      #expect("\n\(outcome.outputText)".contains(count), "\(outcome)")
    }
  }

  @Test func whatTellsNothingAsksForAManifest() throws {
    let outcome = try run(["verify", "file"])
    #expect(outcome.exitCode == 66, "\(outcome)")
    let line =
      "cleave: file: no manifest tells of it, and nothing in it tells whether it is right; "
      + "--manifest=FILE names one; not checked\n"
    #expect(outcome.errorText == line)
    #expect(outcome.outputText == "0 right, 0 wrong, 0 missing, 1 not checked\n")
  }

  @Test(
    .enabled(if: Tool.find("gzip") != nil, "gzip is not installed"),
    arguments: [
      ("f.gz.001 00000000\n", 1, "--manifest=none"), ("no line of a manifest\n", 65, nil),
    ] as [(String, CInt, String?)]
  )
  func aManifestThatIsWrongCanBeLeftOut(text: String, code: CInt, none: String?) throws {
    try cut(make(Self.rows[0]), "f.gz")
    try Files.write(Array(text.utf8), to: directory.file("f.gz.sfv"))
    let outcome = try run(["verify", "f.gz.002"])
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.errorText.contains("--manifest=none"), "\(outcome)")
    #expect(try run(["verify", "--manifest=none", "f.gz.002"]).exitCode == 0)
  }

  @Test(
    arguments: [
      (["none.sfv"], "1 not checked"), (["--manifest=list.txt", "file"], "1 not checked"),
      (["gone"], "1 missing, 0 not checked"),
    ] as [([String], String)]
  )
  func aMissingManifestIsNoMissingFile(words: [String], summary: String) throws {
    let outcome = try run(["verify"] + words)
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.outputText.hasSuffix("\(summary)\n"), "\(outcome)")
  }

  @Test func everySeriesWithAGapIsTold() throws {
    for name in ["a.001", "a.004", "b.001", "b.003"] as [FilePath] {
      try Files.write([1], to: directory.file(name))
    }
    let outcome = try run(["verify", "a.001", "b.001"])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(
      outcome.errorText
        == "cleave: a: 2 parts are missing: a.002 to a.003\ncleave: b: 1 part is missing: b.002\n"
    )
    #expect(outcome.outputText == "0 right, 0 wrong, 3 missing, 0 not checked\n")
    let list = try run(["verify", "--list-bad", "a.004", "b.003"])
    #expect(list.outputText == "a.002\na.003\nb.002\n", "\(list)")
  }

  @Test(.enabled(if: Tool.find("gzip") != nil, "gzip is not installed"))
  func aDirectoryStandsForEverySeriesInIt() throws {
    let bytes = try make(Self.rows[0])
    try FileSystem.unlink(directory.file("f.gz"))
    try cut(bytes, "a.gz")
    try cut(bytes, "b.gz")
    for operands in [[], [directory.path]] as [[FilePath]] {
      let outcome = try run(["verify"] + operands)
      #expect(outcome.exitCode == 0, "\(outcome)")
      #expect(outcome.outputText.hasSuffix("\n2 right, 0 wrong, 0 missing, 0 not checked\n"))
    }
  }

  @Test func anEmptyDirectoryHasNothing() throws {
    try Files.makeDirectory(directory.file("empty"))
    let outcome = try run(["verify", "empty", "gone.sfv"])
    #expect(outcome.exitCode == 66, "\(outcome)")
    #expect(outcome.errorText.contains("cleave: empty: has no manifest in it, and no parts\n"))
    #expect(outcome.outputText == "0 right, 0 wrong, 0 missing, 2 not checked\n")
  }

  /// Files are held open only while they are looked at.
  @Test func moreFilesThanDescriptorsAreVerified() throws {
    let zip = try ZipWriter([ZipEntry("a", [1, 2, 3])]).single()
    let names = (1...100).map { FilePath("\($0).zip") }
    for name in names { try Files.write(zip, to: directory.file(name)) }
    let outcome = try Tool.cleave.run(
      ["verify"] + names,
      limits: ToolLimits(openFiles: 64),
      workingDirectory: directory.path
    )
    #expect(outcome.exitCode == 0, "\(outcome.errorText.prefix(500))")
    #expect(outcome.outputText.hasSuffix("\n100 entries right, 0 wrong, 0 not checked\n"))
  }

  @Test(.enabled(if: Tool.find("gzip") != nil, "gzip is not installed"))
  func aDryRunTellsWhatWouldBeCompared() throws {
    let bytes = try make(Self.rows[0])
    let outcome = try run(["verify", "-n", "f.gz"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains(", by the CRC-32 and size of the gzip data\n"))
    #expect(outcome.outputText.hasSuffix(" to read\n"))
    #expect(outcome.outputText.contains("\n\(bytes.count) bytes "), "\(outcome)")
  }
}
