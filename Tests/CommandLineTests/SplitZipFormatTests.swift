import Posix
import TestSupport
import Testing

/// A zip is split so that other programs read the parts, and merges to the same bytes.
@Suite(.aside) struct SplitZipFormatTests {
  static let tree = FileTree.sample(bytes: 600_000, seed: 7)
  static let small = FileTree.sample(bytes: 200_000, seed: 8)

  /// A zip to split.
  struct Source: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var tree = SplitZipFormatTests.tree
    var password: String?
    /// The program that it needs.
    var program: FilePath = "zip"
    var make: @Sendable (FileTree, FilePath) throws -> Void
  }

  static let sources: [Source] = [
    zip([]), zip(["-0"]), zip(["-0", "-X"]), zip(["-fz"]), zip(["-fd"]),
    zip(["-P", "pw"], tree: small, password: "pw"),
    sevenZip([]), sevenZip(["-mx0"]), sevenZip(["-ppw"], tree: small, password: "pw"),
    // Of two parts, 7-Zip opens none where the directory starts in the first and ends in the second;
    // with 131,072 bytes it is about that.
    written("a directory of several parts", manyEntries) { _ in },
    written("the same with ZIP64", manyEntries) { $0.zip64 = .everything },
    written("descriptors and comments", entries(descriptor: .signed)) {
      $0.comment = Bytes.text(count: 40_000)
    },
    written("descriptors without signature", entries(descriptor: .plain)) { _ in },
    written("ZIP64 end records", entries()) { $0.zip64 = .endRecords },
    written("ZIP64", entries(descriptor: .signed)) { $0.zip64 = .everything },
  ]

  @Test(arguments: sources, ["64K", "65537", "100000", "131072"])
  func otherProgramsReadTheParts(source: Source, size: String) throws {
    if let reason = ZipPrograms.skipReason(source.program) { return print(reason) }
    let work = try TemporaryDirectory()
    let original = work.file("a.zip")
    try source.make(source.tree, work.path)
    let parts = try split(original, size, in: work)
    let limit = try #require(Self.limits[size])
    try #require(parts.count > 1)
    let contents = try parts.map { try Files.read($0) }
    #expect(contents.allSatisfy { $0.count <= limit })
    #expect(ZipLayout(contents).problems == [])
    let last = try #require(parts.last)
    #expect(try ZipTool.sevenZip.complaint(about: last, password: source.password) == nil)
    try expectJoinedByZip(last, source, in: work)
    try expectMergedBack(parts[0], original, in: work)
  }

  private static let limits = [
    "64K": 65_536, "65537": 65_537, "100000": 100_000, "131072": 131_072,
  ]

  // MARK: - Steps

  private func split(
    _ file: FilePath,
    _ size: String,
    in work: TemporaryDirectory
  ) throws -> [FilePath] {
    try Files.makeDirectory(work.file("out"))
    let target = FilePath("\(work.path)/out/")
    let outcome = try Tool.cleave.run(
      ["split", "--no-sync", "--format", "zip", "-b", size, file, target]
    )
    try #require(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errorText == "")
    return try Self.parts(in: work.file("out"))
  }

  /// The parts in their order, without a manifest.
  static func parts(in directory: FilePath) throws -> [FilePath] {
    let names = try FileSystem.names(in: directory).filter { $0 != "a.sfv" && $0 != "a.zip.sfv" }
    let ordered = names.indices.map { ZipSetNames.lower.name(of: $0, among: names.count) }
    #expect(Set(names) == Set(ordered))
    return ordered.map { directory.appending($0) }
  }

  /// zip 3.0 loses the rest of an entry, and exits with 0, where the bytes of it that a part
  /// ends with are a multiple of 16,384.
  private func expectJoinedByZip(
    _ last: FilePath,
    _ source: Source,
    in work: TemporaryDirectory
  ) throws {
    guard let zip = Tool.find("zip") else { return }
    let joined = work.file("joined.zip")
    let outcome = try zip.run(["-q", "-s", "0", last, "--out", joined])
    #expect(outcome.exitCode == 0, "\(outcome)")
    let unpacked = try ZipTool.unzip.complaint(
      about: joined,
      holding: source.tree,
      password: source.password
    )
    // Of 7-Zip's encryption unzip knows nothing.
    if source.program == "zip" || source.password == nil { #expect(unpacked == []) }
  }

  private func expectMergedBack(
    _ part: FilePath,
    _ original: FilePath,
    in work: TemporaryDirectory
  ) throws {
    let back = work.file("back.zip")
    let outcome = try mergeZip(part, to: back)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(try Bytes.difference(Files.read(back), Files.read(original)) == nil)
  }

  // MARK: - Sources

  private static func zip(
    _ options: [String],
    tree: FileTree = tree,
    password: String? = nil
  ) -> Source {
    let name = (["zip"] + options).joined(separator: " ")
    return Source(testDescription: name, tree: tree, password: password) {
      _ = try ZipPrograms.zip($0, options, to: $1)
    }
  }

  private static func sevenZip(
    _ options: [String],
    tree: FileTree = tree,
    password: String? = nil
  ) -> Source {
    let name = (["7z"] + options).joined(separator: " ")
    return Source(testDescription: name, tree: tree, password: password, program: "7z") {
      _ = try ZipPrograms.sevenZip($0, options, to: $1)
    }
  }

  private static func written(
    _ name: String,
    _ entries: [ZipEntry],
    _ change: @escaping @Sendable (inout ZipWriter) -> Void
  ) -> Source {
    Source(testDescription: name, tree: FileTree(entries), program: "unzip") { _, directory in
      var writer = ZipWriter(entries)
      change(&writer)
      try Files.write(writer.single(), to: directory.appending("a.zip"))
    }
  }

  private static let manyEntries = (0..<900).map { index in
    ZipEntry(String(repeating: "long", count: 25) + " \(index)", [UInt8](repeating: 1, count: 9))
  }

  private static func entries(descriptor: ZipEntry.Descriptor = .none) -> [ZipEntry] {
    (0..<12).map { index in
      let noise = Bytes.pattern(count: 16_384 * index / 2 + 9, seed: UInt64(index))
      return ZipEntry("entry \(index)", noise, descriptor: descriptor)
    }
  }
}
