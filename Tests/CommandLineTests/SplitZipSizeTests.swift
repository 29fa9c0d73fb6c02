import Posix
import TestSupport
import Testing

/// Into how many parts a zip is split, and zips of every kind.
@Suite(.aside) struct SplitZipSizeTests {
  let directory: TemporaryDirectory
  let file: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("a.zip")
    try Files.makeDirectory(directory.file("out"))
  }

  @Test(arguments: ["0", "1", "65535", "63K", "4294967296", "4GiB", "1T"])
  func aSizeThatTheFormatDoesNotHaveIsRefused(size: String) throws {
    try Files.write(ZipWriter(ZipWriterTests.entries).single(), to: file)
    let outcome = try split(size)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(try FileSystem.names(in: directory.file("out")) == [])
  }

  @Test(arguments: ["65536", "64K", "4294967295", "4GiB-1"])
  func whatFitsInOnePartIsRefused(size: String) throws {
    try Files.write(ZipWriter(ZipWriterTests.entries).single(), to: file)
    let outcome = try split(size)
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip: fits into one part of "), "\(outcome)")
    #expect(outcome.errorText.contains("; without --format=zip any file is split"), "\(outcome)")
    #expect(try FileSystem.names(in: directory.file("out")) == [])
  }

  /// The marker needs four bytes that the single file does not.
  @Test(arguments: -4...4) func aZipOfAboutOnePartIsSplitIfItMustBe(difference: Int) throws {
    let noise = Bytes.pattern(count: 65_536 + difference - 31 - 47 - 22)
    let whole = try ZipWriter([ZipEntry("a", noise, method: .stored)]).single()
    #expect(whole.count == 65_536 + difference)
    try Files.write(whole, to: file)
    #expect(try split("64K").exitCode == (difference > 0 ? 0 : 65))
    let parts = try SplitZipFormatTests.parts(in: directory.file("out"))
    #expect(parts.count == (difference > 0 ? 2 : 0))
    if difference > 0 { try expectMergedBack(parts, whole) }
  }

  @Test func partsBeyond99HaveThreeDigits() throws {
    let noise = Bytes.pattern(count: 110 * 65_536)
    let whole = try ZipWriter([ZipEntry("a", noise, method: .stored)]).single()
    try Files.write(whole, to: file)
    #expect(try split("64K").exitCode == 0)
    let parts = try SplitZipFormatTests.parts(in: directory.file("out"))
    #expect(parts.count > 110)
    #expect(try ZipTool.sevenZip.complaint(about: #require(parts.last)) == nil)
    try expectMergedBack(parts, whole)
  }

  @Test(arguments: [Bytes.pattern(count: 100_000), [], Array("PK\u{3}\u{4}".utf8)])
  func whatIsNoZipIsRefused(bytes: [UInt8]) throws {
    try Files.write(bytes, to: file)
    let outcome = try split("64K")
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try FileSystem.names(in: directory.file("out")) == [])
  }

  @Test func aPartOfASplitZipIsNotSplitAgain() throws {
    let set = try BrokenZipSet.sound(.lower)
    try Files.copy(set.last, to: file)
    let outcome = try split("64K")
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(try FileSystem.names(in: directory.file("out")) == [])
  }

  // MARK: - Anything

  private static let isLong = BuildProducts.areTestsLong

  @Test func anyZipIsSplitAndMergedBack() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<(Self.isLong ? 200 : 20) {
      let whole = try Self.writer(&generator).single()
      let size = Int.random(in: 65_536...200_000, using: &generator)
      try Files.write(whole, to: file)
      let outcome = try split("\(size)", ["-f"])
      let comment: Comment = "seed \(seed), round \(round), size \(size): \(outcome)"
      if whole.count <= size {
        #expect(outcome.exitCode == 65, comment)
        continue
      }
      try #require(outcome.exitCode == 0, comment)
      let parts = try SplitZipFormatTests.parts(in: directory.file("out"))
      let contents = try parts.map { try Files.read($0) }
      #expect(contents.allSatisfy { $0.count <= size }, comment)
      #expect(ZipLayout(contents).problems == [], comment)
      #expect(try ZipTool.sevenZip.complaint(about: #require(parts.last)) == nil, comment)
      try expectMergedBack(parts, whole, comment)
      TemporaryDirectory.remove(directory.file("out"))
      try Files.makeDirectory(directory.file("out"))
    }
  }

  private static func writer(_ generator: inout SeededGenerator) -> ZipWriter {
    var writer = ZipWriter([])
    for index in 0..<Int.random(in: 1...40, using: &generator) {
      let count = Int.random(in: 0...40_000, using: &generator)
      let kind = Int.random(in: 0...2, using: &generator)
      let seed = generator.next()
      let name = "entry \(index)" + String(repeating: "-", count: count % 97)
      let bytes = kind == 0 ? Bytes.text(count: count, seed: seed) : Bytes.pattern(count: count)
      let descriptors: [ZipEntry.Descriptor] = [.none, .none, .signed, .plain]
      let descriptor = descriptors.randomElement(using: &generator) ?? .none
      let method: ZipEntry.Method = kind == 1 ? .stored : .deflated
      writer.entries.append(ZipEntry(name, bytes, method: method, descriptor: descriptor))
    }
    writer.zip64 =
      [.none, .none, .endRecords, .everything].randomElement(using: &generator) ?? .none
    writer.comment = Bytes.text(count: Int.random(in: 0...3000, using: &generator))
    return writer
  }

  // MARK: - Steps

  private func split(_ size: String, _ options: [String] = []) throws -> Outcome {
    let target = FilePath("\(directory.path)/out/")
    return try Tool.cleave.run(
      ["split", "--no-sync", "--format", "zip", "-b", size] + options + [file, target]
    )
  }

  private func expectMergedBack(
    _ parts: [FilePath],
    _ whole: [UInt8],
    _ comment: Comment? = nil
  ) throws {
    let back = directory.file("back.zip")
    let outcome = try mergeZip(#require(parts.first), to: back, ["-f"])
    #expect(outcome.exitCode == 0, comment ?? "\(outcome)")
    #expect(try Bytes.difference(Files.read(back), whole) == nil, comment)
  }
}
