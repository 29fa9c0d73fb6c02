import Posix
import TestSupport
import Testing

/// The manifest that comes with a split zip: sums of the parts, and of the zip that they make.
@Suite(.aside) struct SplitZipManifestTests {
  /// A zip that was split, in a directory with its parts and their manifest.
  private struct Parts {
    let directory: TemporaryDirectory
    let whole: [UInt8]
    let names: [FilePath]

    init() throws {
      var writer = ZipWriter(ZipWriterTests.entries)
      writer.entries.append(ZipEntry("large", Bytes.pattern(count: 200_000)))
      whole = try writer.single()
      directory = try TemporaryDirectory()
      try Files.write(whole, to: directory.file("whole.zip"))
      let outcome = try Tool.cleave.run(
        ["split", "--no-sync", "--format=zip", "-b", "64K", "whole.zip", "a"],
        workingDirectory: directory.path
      )
      try #require(outcome.exitCode == 0, "\(outcome)")
      names = try directory.names().filter { $0 != "whole.zip" && $0 != "a.zip.sfv" }
      #expect(try Files.exists(directory.file("a.zip.sfv")))
    }

    func run(_ arguments: [String]) throws -> Outcome {
      try Tool.cleave.run(arguments, workingDirectory: directory.path)
    }
  }

  @Test(arguments: engines) func mergingComparesPartsAndWhole(engine: String) throws {
    let parts = try Parts()
    let outcome = try parts.run(["merge", "--no-sync", "--engine", engine, "a.z02"])
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.outputText.contains("as in a.zip.sfv"), "\(outcome)")
    let merged = try Files.read(parts.directory.file("a.merged.zip"))
    #expect(Bytes.difference(merged, parts.whole) == nil)
  }

  @Test(arguments: engines) func aPartThatChangedIsNamed(engine: String) throws {
    let parts = try Parts()
    try Files.flipByte(at: 60_000, of: parts.directory.file("a.z02"))
    let outcome = try parts.run(["merge", "--no-sync", "--engine", engine, "a.zip"])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("a.z02 has CRC-32"), "\(outcome)")
    #expect(try !Files.exists(parts.directory.file("a.merged.zip")))
  }

  /// The bytes that are not copied count as well: the directory, which is written anew.
  @Test func aDirectoryThatChangedIsNamed() throws {
    let parts = try Parts()
    let last = parts.directory.file("a.zip")
    var bytes = try Files.read(last)
    let record = try #require(bytes.lastOffset(of: [0x50, 0x4B, 1, 2]))
    // The time of an entry, which nothing else depends on.
    bytes[record + 12] ^= 1
    try Files.write(bytes, to: last)
    let outcome = try parts.run(["merge", "--no-sync", "a.zip"])
    #expect(outcome.exitCode == 65, "\(outcome)")
    #expect(outcome.errorText.contains("a.zip has CRC-32"), "\(outcome)")
    let unasked = try parts.run(["merge", "--no-sync", "--manifest=none", "a.zip"])
    #expect(unasked.exitCode == 0, "\(unasked)")
  }

  @Test(arguments: ["a.z01", "a.zip", "a.zip.sfv"])
  func verifyComparesPartsAndTestsEntries(operand: String) throws {
    let parts = try Parts()
    let outcome = try parts.run(["verify", operand])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    let tested = operand == "a.zip.sfv" ? [] : lines.filter { $0.hasPrefix("a.zip: split zip in ") }
    #expect(tested.count == (operand == "a.zip.sfv" ? 0 : 1), "\(outcome)")
    let named = parts.names.map { "\($0): OK" }
    #expect(Array(lines.prefix(named.count)) == named)
    try Files.flipByte(at: 60_000, of: parts.directory.file("a.z02"))
    let damaged = try parts.run(["verify", operand])
    #expect(damaged.exitCode == 1, "\(damaged)")
    #expect(damaged.errorText.contains("cleave: a.z02: has CRC-32 "), "\(damaged)")
  }

  @Test(arguments: [("rhash", ["-c"]), ("cksfv", ["-q", "-f"])])
  func otherToolsReadIt(name: String, options: [String]) throws {
    let parts = try Parts()
    guard let tool = Tool.find(FilePath(name)) else {
      print("skipped: \(name) is not installed")
      return
    }
    let outcome = try tool.run(options + ["a.zip.sfv"], workingDirectory: parts.directory.path)
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  /// Its bytes are not those of the parts, so that parts and whole are summed apart.
  @Test(
    .enabled(if: Tool.cleaveHasDigests, "no libcrypto here"),
    arguments: engines
  )
  func aDigestOfTheWholeAloneIsRight(engine: String) throws {
    let set = try ZipSet(ZipWriter(ZipWriterTests.entries).parts(of: 2000))
    let output = set.directory.file("out.zip")
    let outcome = try Tool.cleave.run(
      [
        "merge", "--no-sync", "--engine", engine, "--checksum", "sha256", "-o", output,
        set.parts[0],
      ]
    )
    #expect(outcome.exitCode == 0, "\(outcome)")
    let tool = try #require(Tool.find("sha256sum"))
    let sum = try tool.run([output]).outputText.prefix(64)
    #expect(outcome.outputText.contains(sum), "\(outcome)")
  }
}
