import Posix
import TestSupport
import Testing

@testable import Cleave

/// Records dealt out in turn among several parts, and put together again.
@Suite struct RecordDealingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var count: Int
    var parts: [String]
    var separator = UInt8(ascii: "\n")
    var omitsEmptyParts = false
    /// What the manifest has behind `dealt`.
    var told: String

    var testDescription: String { "\(count) of \(text.debugDescription)" }
  }

  static let rows = [
    Row(text: "a\nb\nc\n", count: 2, parts: ["a\nc\n", "b\n"], told: "2 0A"),
    Row(text: "a\nb\nc", count: 2, parts: ["a\nc", "b\n"], told: "2 0A"),
    Row(text: "a\nb", count: 3, parts: ["a\n", "b", ""], told: "3 0A"),
    Row(text: "a\nb", count: 3, parts: ["a\n", "b"], omitsEmptyParts: true, told: "2 0A"),
    Row(text: "\n\n\na", count: 2, parts: ["\n\n", "\na"], told: "2 0A"),
    Row(text: "abc", count: 1, parts: ["abc"], told: "1 0A"),
    Row(text: "abc", count: 2, parts: ["abc", ""], told: "2 0A"),
    Row(text: "", count: 3, parts: ["", "", ""], told: "3 0A"),
    Row(text: "", count: 3, parts: [""], omitsEmptyParts: true, told: "1 0A"),
    Row(text: "a\0b\nc\0", count: 2, parts: ["a\0", "b\nc\0"], separator: 0, told: "2 00"),
    Row(text: "axbxc", count: 2, parts: ["axc", "bx"], separator: 120, told: "2 78"),
    Row(text: "a\u{FF}", count: 1, parts: ["a\u{FF}"], separator: 0xC3, told: "1 C3"),
  ]

  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file("f") }
  private var whole: FilePath { directory.file("g") }

  init() throws { directory = try TemporaryDirectory() }

  private func split(_ bytes: [UInt8], among count: Int) throws -> Split {
    try Files.write(bytes, to: file)
    var split = Split(file, .dealt(count))
    split.work.output = OutputOptions(replacesExisting: true, synchronizes: false)
    return split
  }

  private func split(_ row: Row) throws -> Split {
    var split = try split(Array(row.text.utf8), among: row.count)
    (split.options.separator, split.options.omitsEmptyParts) = (row.separator, row.omitsEmptyParts)
    return split
  }

  private func merge(_ request: Selection.Request = Selection.Request()) throws -> Merge {
    var merge = Merge(try Selection(of: [directory.file("f.001")], request), into: whole)
    merge.work.output = OutputOptions(replacesExisting: true, synchronizes: false)
    return merge
  }

  /// Of parts with these bytes, which nothing is known of.
  private func merge(_ parts: [String], by separator: UInt8 = 10) throws -> Merge {
    var request = Selection.Request()
    request.isAsGiven = true
    let names = try parts.enumerated().map { index, text in
      let name = directory.file(FilePath("p\(index)"))
      try Files.write(Array(text.utf8), to: name)
      return name
    }
    var merge = Merge(try Selection(of: names, request), into: whole)
    merge.options.dealtSeparator = separator
    merge.work.output = OutputOptions(replacesExisting: true, synchronizes: false)
    return merge
  }

  @Test("what is dealt out is taken back in turn, and proved by the manifest", arguments: rows)
  func roundTrip(row: Row) throws {
    let outcome = try split(row).run()
    let sum = Checksum(of: Array(row.text.utf8)[...], [.crc32, .adler32])
    #expect(outcome.report.whole == sum)
    let names = try directory.names().filter { $0 != "f" && $0 != "f.sfv" }
    #expect(
      try names.map { try Files.read(directory.file($0)) } == row.parts.map { Array($0.utf8) }
    )
    #expect(
      outcome.report.destinations
        == row.parts.map { Checksum(of: Array($0.utf8)[...], [.crc32, .adler32]) }
    )
    let manifest = try Files.read(directory.file("f.sfv"))
    #expect(String(decoding: manifest, as: UTF8.self).contains("\n; dealt: \(row.told)\n"))
    #expect(try Verify([directory.file("f.sfv")]).run().isRight)
    #expect(try Verify([file]).run().isRight)
    for asked in [nil, row.separator] {
      var merge = try merge()
      merge.options.dealtSeparator = asked
      let made = try merge.run()
      #expect(made.verdict.isVerified)
      #expect(made.report.whole == sum && made.report.sources == outcome.report.destinations)
      #expect(try Files.read(whole) == Array(row.text.utf8))
    }
    // Nothing is known of parts that are given.
    #expect(try merge(row.parts, by: row.separator).run().report.whole.crc32 == sum.crc32)
    #expect(try Files.read(whole) == Array(row.text.utf8))
  }

  @Test(
    "parts have digests, and the file its own",
    .enabled(if: RunningDigest.isAvailable, "needs libcrypto")
  )
  func digests() throws {
    var split = try split(Self.rows[1])
    split.options.digests = [.sha256]
    let report = try split.run().report
    #expect(report.digests.parts.count == 2)
    let manifest = try Files.read(directory.file("f.sha256"))
    #expect(String(decoding: manifest, as: UTF8.self).contains("\n# dealt: 2 0A\n"))
    #expect(try Verify([directory.file("f.sha256")]).run().isRight)
    #expect(try Verify([file]).run().isRight)
    var merge = try merge()
    merge.options.digests = [.sha256]
    let made = try merge.run()
    #expect(made.verdict.isVerified)
    #expect(made.report.digests.whole == report.digests.whole)
    #expect(made.report.digests.parts == report.digests.parts)
    #expect(try Files.read(whole) == Array(Self.rows[1].text.utf8))
  }

  @Test("records of any length are dealt among any number of parts, and taken back")
  func random() throws {
    let seed = SeededGenerator.seed
    var generator = SeededGenerator(seed: seed)
    for trial in 0..<12 {
      // Some are too many to gather enough for each.
      let isWide = trial == 0 && ProcessState.openFileLimit > 3000
      let count = isWide ? 1500 : Int.random(in: 1...9, using: &generator)
      // Longer than what is read, or gathered, at a time.
      let longest = [10, 5000, 700_000][trial % 3]
      var records = (0..<Int.random(in: 0...(trial % 3 == 2 ? 9 : 4000), using: &generator)).map {
        _ in
        [UInt8](repeating: 97, count: Int.random(in: 0...longest, using: &generator)) + [10]
      }
      if Bool.random(using: &generator), let last = records.popLast() {
        records.append(Array(last.dropLast()))
      }
      let bytes = Array(records.joined())
      _ = try split(bytes, among: count).run()
      for part in 0..<count where part < 9 {
        let found = try Files.read(directory.file(FilePath(Self.name(part, of: count))))
        let dealt = stride(from: part, to: records.count, by: count).flatMap { records[$0] }
        #expect(found == dealt, "seed \(seed), trial \(trial), part \(part) of \(count)")
      }
      let first = directory.file(FilePath(Self.name(0, of: count)))
      var merge = Merge(try Selection(of: [first], Selection.Request()), into: whole)
      merge.work.output = OutputOptions(replacesExisting: true, synchronizes: false)
      #expect(try merge.run().verdict.isVerified, "seed \(seed), trial \(trial)")
      #expect(try Files.read(whole) == bytes, "seed \(seed), trial \(trial)")
      for name in try directory.names() { try FileSystem.unlink(directory.file(name)) }
    }
  }

  private static func name(_ part: Int, of count: Int) -> String {
    let (digits, width) = ("\(part + 1)", max(3, "\(count)".count))
    return "f." + String(repeating: "0", count: width - digits.count) + digits
  }

  /// Parts that no file is dealt out to, the number of the one that is named, and what is said of it.
  static let wrong: [([String], Int, String)] = [
    (["a\n", "b\nd\n"], 1, "has a record too many, or p0 one too few"),
    (["a\nc\ne\n", "b\n"], 0, "has a record too many, or p1 one too few"),
    (
      ["a\nc", "b\nd\n"], 0, "ends with a record that has no end, but p1 has another one behind it"
    ),
    (["a\n", "b", "c\n"], 1, "ends with a record that has no end, but p2 has another one"),
    (["a", "b\n"], 0, "ends with a record that has no end"),
    (["", "b\n"], 1, "has a record too many, or p0 one too few"),
    (["a\n", "b\n", "", "d"], 3, "has a record too many, or p2 one too few"),
    (["a\nb", "c"], 1, "ends with a record that has no end, but p0 has another one behind it"),
  ]

  @Test("parts that no file is dealt out to are not put together", arguments: wrong)
  func notOfOneFile(parts: [String], place: Int, text: String) throws {
    let error = #expect(throws: CleaveError.self) { _ = try merge(parts).run() }
    #expect(error?.kind == .badData)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(error?.path?.lastComponent == FilePath("p\(place)"), "\(error?.message ?? "")")
    #expect(try !Files.exists(whole))
  }

  @Test("a part that differs, is missing or too many is found by the manifest")
  func changed() throws {
    _ = try split(Array("a\nb\nc\nd\n".utf8), among: 2).run()
    try Files.write(Array("x\nc\n".utf8), to: directory.file("f.001"))
    let error = #expect(throws: CleaveError.self) { try merge().run() }
    #expect(error?.kind == .badData)
    #expect(error?.message.contains("f.001") == true, "\(error?.message ?? "")")
    #expect(try !Verify([directory.file("f.sfv")]).run().isRight)
    #expect(try !Files.exists(whole))
    try FileSystem.unlink(directory.file("f.002"))
    let missing = #expect(throws: CleaveError.self) { try merge().run() }
    #expect(missing?.kind == .missingInput)
    #expect(try !Files.exists(whole))
  }

  /// What stands behind `dealt`, and what is said of it.
  static let hostile = [
    ("", "needs a number of parts"), ("2", "needs a number of parts"),
    ("2 A", "two hexadecimal digits"), ("2 0A 0", "two hexadecimal digits"),
    ("2 0G", "two hexadecimal digits"), ("x 0A", "needs a number"), ("-1 0A", "needs a number"),
    ("99999999999999999999 0A", "needs a number"), ("0 0A", "among 1 to 1000000 parts"),
    ("1000001 0A", "among 1 to 1000000 parts"), ("3 0A", "among 3 parts"),
    ("2 0A\n; header: 1", "do not go together"), ("2 0A\n; dealt: 2 0A", "appears twice"),
    ("2 00", "has no end"),
  ]

  @Test("a manifest that tells something impossible is not followed", arguments: hostile)
  func hostileManifest(value: String, text: String) throws {
    _ = try split(Array("a\nb\nc\n".utf8), among: 2).run()
    let path = directory.file("f.sfv")
    let manifest = String(decoding: try Files.read(path), as: UTF8.self)
    try Files.write(
      Array(manifest.replacing("dealt: 2 0A", with: "dealt: \(value)").utf8),
      to: path
    )
    let error = #expect(throws: CleaveError.self) { _ = try merge().run() }
    #expect(error?.kind == .badData)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(try !Files.exists(whole))
  }

  /// What is refused of a split.
  static let splits: [(@Sendable (inout Split) -> Void, String)] = [
    ({ $0.options.header = 1 }, "where records do"),
    ({ $0.options.block = 3 }, "\(Setting.blocks.rawValue)"),
    ({ $0.options.makesJoiners = true }, "\(Setting.joiners.rawValue)"),
    ({ $0.options.filter = Split.Filter("cat") }, "\(Setting.filter.rawValue)"),
    ({ $0.options.isZip = true }, "\(Setting.zip.rawValue)"),
    ({ $0.work.isResumable = true }, "\(Setting.resuming.rawValue)"),
    ({ $0.work.consumes = true }, "\(Setting.consuming.rawValue)"),
    ({ $0.work.sharing = .always }, "\(Setting.sharing.rawValue)"),
    ({ $0.work.engine = .direct }, "only the serial engine"),
    ({ $0.options.manifest = .file("x.crc") }, "Total Commander"),
  ]

  @Test(
    "what does not go with dealing is refused before anything is made",
    arguments: splits.indices
  )
  func refusesSplits(index: Int) throws {
    var split = try split(Self.rows[0])
    split.work.output.synchronizes = true
    Self.splits[index].0(&split)
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == .contradiction)
    #expect(error?.message.contains(Self.splits[index].1) == true, "\(error?.message ?? "")")
    #expect(try directory.names() == ["f"])
  }

  /// What is refused of a merge, whoever tells that records were dealt out.
  static let merges: [(@Sendable (inout Merge) -> Void, String)] = [
    ({ $0.options.header = Merge.Header(1) }, "\(Setting.header.rawValue)"),
    ({ $0.options.range = { 0..<$0 } }, "\(Setting.range.rawValue)"),
    ({ $0.work.isResumable = true }, "\(Setting.resuming.rawValue)"),
    ({ $0.work.consumes = true }, "\(Setting.consuming.rawValue)"),
    ({ $0.work.sharing = .always }, "\(Setting.sharing.rawValue)"),
    ({ $0.work.engine = .direct }, "only the serial engine"),
    ({ $0.work.verification = .entries }, "\(Setting.entries.rawValue)"),
    ({ $0.options.dealtSeparator = 0 }, "end with a line feed"),
  ]

  @Test("what does not go with taking records in turn is refused", arguments: merges.indices)
  func refusesMerges(index: Int) throws {
    _ = try split(Self.rows[0]).run()
    var merge = try merge()
    merge.work.output.synchronizes = true
    Self.merges[index].0(&merge)
    let error = #expect(throws: CleaveError.self) { try merge.run() }
    #expect(error?.kind == .contradiction)
    #expect(
      error?.message.contains(Self.merges[index].1) == true,
      "\(error?.message ?? "")"
    )
    #expect(try !Files.exists(whole))
  }

  @Test("shares of a merge, and pieces of a set, are refused")
  func pieces() throws {
    _ = try split(Self.rows[0]).run()
    let shared = MergeShare(try merge(), nil)
    let error = #expect(throws: CleaveError.self) { _ = try shared.run() }
    #expect(error?.message.contains(Setting.share.rawValue) == true, "\(error?.message ?? "")")
    var request = Selection.Request()
    request.reading.bounds.last = .text("001")
    let piece = #expect(throws: CleaveError.self) { _ = try merge(request).run() }
    #expect(piece?.kind == .badData)
    #expect(piece?.message.contains("these are 1") == true, "\(piece?.message ?? "")")
  }

  @Test("parts replace nothing, and leave nothing behind where one cannot be made")
  func allOrNothing() throws {
    var split = try split(Self.rows[0])
    split.work.output.replacesExisting = false
    try Files.write([1], to: directory.file("f.002"))
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == .cannotCreate && error?.path?.lastComponent == "f.002")
    #expect(try directory.names() == ["f", "f.002"])
    try FileSystem.unlink(directory.file("f.002"))
    try Files.makeDirectory(directory.file("f.002"))
    let second = #expect(throws: CleaveError.self) { try split.run() }
    #expect(second?.kind == .cannotCreate, "\(second?.message ?? "")")
    #expect(try directory.names() == ["f", "f.002"])
  }

  @Test("a part has the permissions of the file, and its time where that is kept")
  func metadata() throws {
    var split = try split(Self.rows[0])
    try FileSystem.setPermissions(0o640, of: file)
    split.work.output.keepsTimes = true
    _ = try split.run()
    let (part, source) = (try FileStatus.of(directory.file("f.002")), try FileStatus.of(file))
    #expect(part.permissions & 0o777 & ~0o640 == 0)
    #expect(part.modified == source.modified)
    var merge = try merge()
    merge.work.output.keepsTimes = true
    _ = try merge.run()
    #expect(try FileStatus.of(whole).modified == source.modified)
  }
}
