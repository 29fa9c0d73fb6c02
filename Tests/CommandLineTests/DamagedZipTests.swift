import Posix
import TestSupport
import Testing

/// What only the contents of entries show, and what does not keep parts from being merged.
@Suite(.aside) struct DamagedZipTests {
  static let damages: [(name: String, change: @Sendable (ZipSet) throws -> Void)] = [
    ("two parts of data are swapped", { try $0.swap(3, 4) }),
    ("one byte is another", { try Files.flipByte(at: 700, of: $0.parts[3]) }),
    ("a part is of other data", { try $0.replace(3, from: BrokenZipSet.writer(seed: 9)) }),
  ]

  @Test(arguments: damages.indices, [ZipSetNames.lower, .raw])
  func damagedDataShowsWhenEntriesAreTested(index: Int, names: ZipSetNames) throws {
    let damage = Self.damages[index]
    let set = try BrokenZipSet.sound(names)
    // A raw series is cut four bytes later, which makes no difference to what is in which part.
    try damage.change(set)
    let before = try Contents(of: set.directory.path)
    let verify = try Tool.cleave.run(["verify", set.first])
    #expect(verify.exitCode == 1, "\(verify)")
    #expect(verify.errorText.contains("large"), "\(verify)")
    let quick = try Tool.cleave.run(["verify", "--quick", set.first])
    #expect(quick.exitCode == 0, "\(quick)")
    let output = set.directory.file("out")
    let tested = try mergeZip(set.first, to: output, ["--verify", "entries"])
    #expect(tested.exitCode == 65, "\(tested)")
    #expect(tested.errorText.contains("large"), "\(tested)")
    #expect(try Contents(of: set.directory.path).changes(since: before) == [])
    // Nobody need ask: no manifest proves it.
    let proved = try mergeZip(set.first, to: output)
    #expect(proved.exitCode == 65 && proved.errorText == tested.errorText, "\(proved)")
    #expect(try Contents(of: set.directory.path).changes(since: before) == [])
    let untested = try mergeZip(set.first, to: output, ["--verify=stream"])
    #expect(untested.exitCode == 0, "\(untested)")
    #expect(untested.outputText.hasSuffix(", nothing to compare with\n"), "\(untested)")
  }

  @Test func everyPartIsTestedFromAnyOther() throws {
    let set = try BrokenZipSet.sound(.lower)
    for part in set.parts {
      let outcome = try Tool.cleave.run(["verify", part])
      #expect(outcome.exitCode == 0, "\(outcome)")
    }
    try Files.flipByte(at: 10, of: set.parts[0].sibling("a.z05"))
    for part in set.parts { #expect(try Tool.cleave.run(["verify", part]).exitCode == 1) }
  }

  @Test func aWholeZipIsTestedToo() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("a.zip")
    var writer = BrokenZipSet.writer()
    try Files.write(writer.single(), to: file)
    #expect(try Tool.cleave.run(["verify", file]).exitCode == 0)
    writer.entries[1].wrongChecksum = 7
    try Files.write(writer.single(), to: file)
    let outcome = try Tool.cleave.run(["verify", file])
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errorText.contains("second"), "\(outcome)")
  }

  // MARK: - What is no harm

  @Test(arguments: ["a.z08", "a.z09", "a.z20"]) func aStalePartIsWarnedOf(name: FilePath) throws {
    let set = try BrokenZipSet.sound(.lower)
    try Files.write(Bytes.pattern(count: 1500), to: set.directory.file(name))
    let output = set.directory.file("out")
    let outcome = try mergeZip(set.first, to: output)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(set.lines(outcome).hasPrefix("cleave: warning: "), "\(outcome)")
    #expect(set.lines(outcome).contains("\(name)"), "\(outcome)")
    #expect(try Bytes.difference(Files.read(output), BrokenZipSet.writer().single()) == nil)
  }

  @Test func rawPiecesMayHaveTheNamesOfASplitZip() throws {
    let whole = try BrokenZipSet.writer().single()
    let set = try ZipSet(whole.cut(to: 1500), names: .lower)
    #expect(try Bytes.difference(mergeEveryWay(set.parts), whole) == nil)
  }

  // MARK: - Joined as they were

  @Test(arguments: QuirkRow.all.filter { $0.names == .lower && $0.writer.quirks.isEmpty })
  func whatWasJoinedWithoutLookingIsRepaired(row: QuirkRow) throws {
    let set = try row.set()
    let joined = set.directory.file("joined.zip")
    try Files.write(set.parts.flatMap { try Files.read($0) }, to: joined)
    let before = try Contents(of: set.directory.path)
    let outcome = try Tool.cleave.run(["repair", joined])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let after = try Contents(of: set.directory.path)
    #expect(after.changes(since: before) == ["joined.repaired.zip is new"])
    let repaired = after.bytes("joined.repaired.zip") ?? []
    #expect(try Bytes.difference(repaired, row.whole() ?? []) == nil)
    try expectZip(repaired, holds: row.tree, readers: row.readers)
  }

  @Test func whatIsNotJoinedYetIsToBeMerged() throws {
    let set = try BrokenZipSet.sound(.lower)
    for part in [set.parts[1], set.parts[set.parts.count - 1]] {
      let outcome = try Tool.cleave.run(["repair", part])
      #expect(outcome.exitCode == 65, "\(outcome)")
      #expect(
        set.lines(outcome).contains("is a part of a split zip: 'cleave merge -o OUT "),
        "\(outcome)"
      )
    }
  }

  @Test func whatIsInFrontHidesNoWrongEntry() throws {
    let directory = try TemporaryDirectory()
    var writer = ZipWriter([ZipEntry("a", Bytes.pattern(count: 9000), method: .stored)])
    writer.prefix = Array("junk".utf8) + [UInt8](repeating: 10, count: 300)
    let joined = directory.file("j.zip")
    try Files.write(Array(try writer.parts(of: 4000).joined()), to: joined)
    for isDamaged in [false, true] {
      if isDamaged { try Files.flipByte(at: 5000, of: joined) }
      let outcome = try Tool.cleave.run(["repair", "-f", joined])
      #expect(outcome.exitCode == (isDamaged ? 65 : 0), "\(outcome)")
      #expect(outcome.errorText.contains("'a' has CRC-32 ") == isDamaged, "\(outcome)")
    }
  }
}
