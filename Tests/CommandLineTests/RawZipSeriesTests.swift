import Posix
import TestSupport
import Testing

/// Zips that were cut without looking at them are put together in the same way.
@Suite(.aside) struct RawZipSeriesTests {
  @Test(
    .enabled(if: Tool.find("7z") != nil, "7z is not installed"),
    arguments: ["64k", "100k", "1m"],
    [[], ["-mx0"], ["-ppw"]]
  )
  func volumesOfSevenZipMerge(size: String, options: [String]) throws {
    let tree = FileTree.sample(bytes: 400_000, seed: 5)
    let directory = try TemporaryDirectory()
    let parts = try ZipPrograms.sevenZip(tree, ["-v\(size)"] + options, to: directory.path)
    let merged = try mergeEveryWay(parts, telling: options == ["-ppw"] ? ["' is encrypted"] : [])
    let joined = try parts.flatMap { try Files.read($0) }
    #expect(Bytes.difference(merged, joined) == nil)
    let password = options == ["-ppw"] ? "pw" : nil
    let file = directory.file("merged.zip")
    try Files.write(merged, to: file)
    let unpacked = try ZipTool.sevenZip.complaint(about: file, holding: tree, password: password)
    #expect(unpacked == [])
  }

  static let wholes: [(name: String, change: @Sendable (inout ZipWriter) -> Void)] = [
    ("plain", { _ in }),
    ("comment", { $0.comment = [1] + ZipWriter.falseEndRecord + [2] }),
    ("ZIP64", { $0.zip64 = .everything }),
    ("extended ZIP64", { $0.zip64Extension = ZipEntry.extra(0x6363, [1, 2, 3]) }),
    ("a prefix that is counted", { $0.prefix = Bytes.text(count: 900) }),
    ("a prefix that is not", { $0.useUncountedPrefix() }),
    ("no entries", { $0.entries = [] }),
  ]

  @Test(arguments: wholes.indices, [1000, 333, 6000])
  func anyZipThatWasCutMerges(index: Int, size: Int) throws {
    var writer = ZipWriter(ZipWriterTests.entries)
    Self.wholes[index].change(&writer)
    let whole = try writer.single()
    let set = try ZipSet(whole.cut(to: size), names: .raw)
    let (name, _) = Self.wholes[index]
    let told = name.hasPrefix("a prefix") ? ["has 900 bytes in front of the zip"] : []
    let merged = try mergeEveryWay(set.parts, telling: told)
    #expect(Bytes.difference(merged, whole) == nil, "\(name)")
    let outcome = try Tool.cleave.run(["verify", set.first])
    #expect(outcome.exitCode == 0, "\(outcome)")
  }

  /// Joining bytes is what `--format raw` asks for, whatever is in them.
  @Test(arguments: [ZipSetNames.lower, .raw]) func rawLooksAtNothing(names: ZipSetNames) throws {
    let parts = [Bytes.pattern(count: 100), Bytes.pattern(count: 90), Bytes.pattern(count: 10)]
    let set = try ZipSet(parts, names: names)
    let merged = try mergeEveryWay(set.parts, ["--format", "raw"])
    #expect(merged == Array(parts.joined()))
  }
}

extension ZipWriter {
  fileprivate mutating func useUncountedPrefix() {
    prefix = Bytes.text(count: 900)
    countsPrefix = false
  }
}

extension [UInt8] {
  /// In pieces of this size, and a last one of what is left.
  func cut(to size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
