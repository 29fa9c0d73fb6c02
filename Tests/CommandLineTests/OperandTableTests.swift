import Foundation
import Posix
import TestSupport
import Testing

/// Whatever a command does with operands, they mean the same to all of them.
@Suite(.aside) struct OperandTableTests {
  /// Files, what is typed, and what it means.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [(FilePath, [UInt8])]
    let operands: [String]
    /// Nil where it is refused.
    var kind: String?
    /// What is read, in order.
    var parts: [String] = []
    /// The exit code of a refusal, and some of its words.
    var refusal: (code: CInt, text: String)?
    /// Whether the operand is merely a file, which only merging refuses.
    var isFile = false

    var testDescription: String { name }
  }

  @Test(arguments: rows) func operandsMeanTheSameToEveryCommand(row: Row) throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in row.files {
      if name.directory != "." { try? Files.makeDirectory(directory.file(name.directory)) }
      try Files.write(bytes, to: directory.file(name))
    }
    func run(_ command: [String]) throws -> Outcome {
      try Tool.cleave.run(command + row.operands, workingDirectory: directory.path)
    }
    let plan = try run(["merge", "-n", "--json", "-o", "made"])
    let data = try run(["cat", "--strict"])
    let merged = try run(["merge", "--no-sync", "-o", "made"])
    let info = row.operands.count == 1 ? try run(["info", "--json"]) : nil
    let verified = row.operands.count == 1 ? try run(["verify", "--json"]) : nil
    if let (code, text) = row.refusal {
      #expect(plan.exitCode == code && plan.errorText.contains(text), "\(plan)")
      #expect(merged.exitCode == code && merged.errorText == plan.errorText, "\(merged)")
      #expect(data.exitCode == code && Self.plain(data) == Self.plain(plan), "\(data)")
      #expect(try !Files.exists(directory.file("made")))
      guard !row.isFile else { return }
      if let info { #expect(info.exitCode == code && Self.plain(info).contains(text), "\(info)") }
      if let verified { #expect(verified.exitCode == code, "\(verified)") }
      return
    }
    try check(plan, row)
    #expect(merged.exitCode == 0, "\(merged)")
    #expect(data.exitCode == 0 || data.errorText.contains("nothing tells"), "\(data)")
    if data.exitCode == 0 {
      #expect(try Bytes.difference(data.standardOutput, Files.read(directory.file("made"))) == nil)
    }
    if let info { try check(info, row) }
    let hasManifest = row.files.contains { Self.manifestNames.map(\.name).contains($0.0) }
    if let verified, row.kind?.contains("zip") == true || hasManifest {
      #expect(verified.exitCode == 0, "\(verified)")
    }
  }

  /// What went wrong, without what tells of options that only merge has.
  private static func plain(_ outcome: Outcome) -> String {
    let words = ["'cleave merge ", " …'", "'", " and -o OUT", " -o OUT"]
    return words.reduce(outcome.errorText) { $0.replacing($1, with: "") }
  }

  private func check(_ outcome: Outcome, _ row: Row) throws {
    try #require(outcome.exitCode == 0, "\(outcome)")
    let report = try JSON(outcome)
    #expect(report.text("kind") == row.kind)
    #expect(report.list("parts").compactMap { $0.text("path") } == row.parts)
  }

  // MARK: The table

  private static let bytes = Bytes.pattern(count: 7001)
  private static let writer = ZipWriter(ZipWriterTests.entries)
  private static let whole = (try? writer.single()) ?? []
  private static let split = (try? writer.parts(of: whole.count / 3 + 200)) ?? []

  private static func cut(_ bytes: [UInt8], _ size: Int, _ names: [FilePath]) -> [(
    FilePath, [UInt8]
  )] {
    Array(zip(names, bytes.cut(to: size)))
  }

  private static let renamed = Array(series.dropFirst()) + [("f.1", series[0].1)]
  private static let packed = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes.prefix(1700)
  private static let tables: [(FilePath, [UInt8])] = [
    ("data.csv", [1, 2, 3]), ("data.000.csv", [1]), ("data.001.csv", [2, 3]),
    ("data.002.csv", [4, 5, 6]),
  ]
  private static let logs: [(FilePath, [UInt8])] = [
    ("log.txt", [1, 2, 3]), ("log00.txt", [1]), ("log01.txt", [2, 3]), ("log02.txt", [4, 5, 6]),
  ]
  private static let leftovers: [(FilePath, [UInt8])] = [
    ("f.001", bytes.prefix(1200)), ("f.002", bytes.prefix(1200)), ("f.003", bytes.prefix(1)),
    ("f.004", bytes.prefix(500)), ("f.005", bytes.prefix(500)),
  ].map { ($0.0, Array($0.1)) }
  private static let series = cut(bytes, 2000, ["f.001", "f.002", "f.003", "f.004"])
  private static let names = ["f.001", "f.002", "f.003", "f.004"]
  private static let pieces = cut(
    whole,
    whole.count / 3 + 1,
    ["w.zip.001", "w.zip.002", "w.zip.003"]
  )
  private static let zips = Array(zip(["a.z01", "a.z02", "a.zip"] as [FilePath], split))
  private static let concatenated: (FilePath, [UInt8]) = ("b.zip", split.flatMap { $0 })

  // MARK: Manifests

  /// What a program makes of files: `cksfv`, `sha256sum`.
  private static func sums(_ program: FilePath, _ files: [(FilePath, [UInt8])]) -> [UInt8] {
    guard let tool = Tool.find(program), let directory = try? TemporaryDirectory() else {
      return []
    }
    for (name, bytes) in files { try? Files.write(bytes, to: directory.file(name)) }
    let made = try? tool.run(files.map(\.0), workingDirectory: directory.path)
    return made?.standardOutput ?? []
  }

  private static let manifestNames: [(name: FilePath, program: FilePath)] = [
    ("f.sfv", "cksfv"), ("f.sha256", "sha256sum"), ("SHA256SUMS", "sha256sum"),
  ].filter { _, program in
    Tool.find(program) != nil && (program == "cksfv" || Tool.cleaveHasDigests)
  }

  private static let manifests: [Row] = manifestNames.flatMap { name, program in
    let wholeName: FilePath = "f"
    let ofParts = series + [(name, sums(program, series))]
    let ofWhole = (name, sums(program, [(wholeName, bytes)]))
    return [
      Row(
        name: "\(name) of the parts",
        files: ofParts,
        operands: ["\(name)"],
        kind: "series",
        parts: names
      ),
      Row(
        name: "a part, with \(name) of the parts",
        files: ofParts,
        operands: ["f.003"],
        kind: "series",
        parts: names
      ),
      Row(
        name: "\(name) of the parts, one of which is missing",
        files: ofParts.filter { $0.0 != "f.004" },
        operands: ["\(name)"],
        refusal: (66, "f: 1 part is missing: f.004")
      ),
      Row(
        name: "\(name) of parts, none of which is there",
        files: [(name, sums(program, series))],
        operands: ["\(name)"],
        refusal: (66, "f.001")
      ),
      Row(
        name: "a part, with \(name) of the whole",
        files: series + [ofWhole],
        operands: ["f.002"],
        kind: "series",
        parts: names
      ),
    ]
  }

  private static let rows: [Row] =
    manifests
    + names.map {
      Row(name: "any part: \($0)", files: series, operands: [$0], kind: "series", parts: names)
    }
    + [
      Row(
        name: "the directory",
        files: series.map { (FilePath("d").appending($0.0), $0.1) },
        operands: ["d"],
        kind: "series",
        parts: names.map { "d/\($0)" }
      ),
      Row(name: "all parts", files: series, operands: names, kind: "series", parts: names),
      Row(
        name: "all parts in the order of text",
        files: cut(bytes, 600, (1...12).map { FilePath("f.part\($0).mkv") }),
        operands: (1...12).map { "f.part\($0).mkv" }.sorted(),
        kind: "series",
        parts: (1...12).map { "f.part\($0).mkv" }
      ),
      Row(
        name: "not all parts",
        files: series,
        operands: ["f.001", "f.002", "f.004"],
        refusal: (66, "f.003: is a part, too")
      ),
      Row(
        name: "not all parts, in front",
        files: series,
        operands: ["f.002", "f.003", "f.004"],
        refusal: (66, "f.001: is a part, too")
      ),
      Row(
        name: "a gap",
        files: [series[0], series[1], series[3]],
        operands: ["f.001"],
        refusal: (66, "f: 1 part is missing: f.003")
      ),
      Row(
        name: "a gap among operands",
        files: [series[0], series[1], series[3]],
        operands: ["f.001", "f.002", "f.004"],
        refusal: (66, "f: 1 part is missing: f.003")
      ),
      Row(
        name: "parts of two files",
        files: series + cut(bytes, 4000, ["g.001", "g.002"]),
        operands: ["f.001", "g.001"],
        refusal: (65, "--all merges one after the other")
      ),
      Row(
        name: "a part cut short",
        files: series.map { $0.0 == "f.002" ? ($0.0, Array($0.1.dropLast(7))) : $0 },
        operands: ["f.003"],
        refusal: (65, "f.002: has 7 bytes less than f.001 and f.003 (1993, not 2000)")
      ),
      Row(
        name: "the next part is a download",
        files: series.prefix(3) + [(FilePath("f.004.crdownload"), [1])],
        operands: ["f.001"],
        refusal: (66, "f.004.crdownload says that f.004 is still being downloaded")
      ),
      Row(
        name: "the next part is a copy",
        files: series.prefix(3) + [(FilePath("f (1).004"), series[3].1)],
        operands: ["f.001"],
        refusal: (66, "f (1).004 may be f.004")
      ),
      Row(
        name: "a copy among all parts",
        files: series + [(FilePath("f (1).003"), series[2].1)],
        operands: ["f (1).003"] + names,
        refusal: (66, "f (1).003: may be another copy of f.003: leave it out, or")
      ),
      Row(
        name: "a copy and the part itself",
        files: series + [(FilePath("f (1).003"), series[2].1)],
        operands: ["f.003", "f (1).003"],
        refusal: (66, "f (1).003: may be another copy of f.003: leave it out, or")
      ),
      Row(
        name: "a download among all parts",
        files: series + [(FilePath("f.005.crdownload"), [1])],
        operands: names + ["f.005.crdownload"],
        refusal: (
          66, "f.005.crdownload: says that f.005 is still being downloaded: leave it out, or "
        )
      ),
      Row(
        name: "another file among all parts",
        files: series + [("notes", [1])],
        operands: names + ["notes"],
        refusal: (
          66, "notes: is not a part of f, as other operands are: leave it out, or --as-given"
        )
      ),
      Row(
        name: "another file and one of the parts",
        files: series + [("notes", [1])],
        operands: [names[0], "notes"],
        refusal: (
          66, "notes: is not a part of f, as another operand is: leave it out, or"
        )
      ),
      Row(
        name: "the whole among parts of different sizes",
        files: tables,
        operands: ["data.000.csv", "data.001.csv", "data.002.csv", "data.csv"],
        refusal: (66, "data.csv: has the name of the whole that other operands are parts of")
      ),
      Row(
        name: "the whole in front of parts of different sizes",
        files: logs,
        operands: ["log.txt", "log00.txt", "log01.txt", "log02.txt"],
        refusal: (66, "log.txt: has the name of the whole that other operands are parts of")
      ),
      Row(
        name: "a file as large as the others, whose names have more in them",
        files: [("data.csv", [1, 2, 3]), ("data one.csv", [1]), ("data two.csv", [2, 3])],
        operands: ["data.csv", "data one.csv", "data two.csv"],
        refusal: (66, "data.csv: has the name of the whole that other operands are parts of")
      ),
      Row(
        name: "a whole among its parts, as given",
        files: [("data.csv", [1, 2, 3]), ("data one.csv", [1]), ("data two.csv", [2, 3])],
        operands: ["--as-given", "data.csv", "data one.csv", "data two.csv"],
        kind: "files",
        parts: ["data.csv", "data one.csv", "data two.csv"]
      ),
      Row(
        name: "files of one size and one as large as both",
        files: [("data.csv", [1, 2]), ("a.csv", [1]), ("b.csv", [2])],
        operands: ["data.csv", "a.csv", "b.csv"],
        kind: "files",
        parts: ["data.csv", "a.csv", "b.csv"]
      ),
      Row(
        name: "leftovers of another cut",
        files: leftovers,
        operands: ["f.001"],
        refusal: (
          65,
          "f.003: has 1199 bytes less than f.001 and f.002 (1, not 1200): it was probably cut "
            + "short, or is the last one of a shorter series; --last=3 leaves out the parts behind it"
        )
      ),
      Row(
        name: "a file of no family",
        files: [("photo", bytes)],
        operands: ["photo"],
        refusal: (66, "--as-given -o OUT copies it by itself"),
        isFile: true
      ),
      Row(
        name: "a file of no family, as given",
        files: [("photo", bytes)],
        operands: ["--as-given", "photo"],
        kind: "file",
        parts: ["photo"]
      ),
      Row(
        name: "a RAR volume",
        files: [("a.part1.rar", [1]), ("a.part2.rar", [2])],
        operands: ["a.part1.rar"],
        refusal: (65, "unrar"),
        isFile: true
      ),
      Row(
        name: "RAR volumes, joined as bytes",
        files: [("a.part1.rar", [1]), ("a.part2.rar", [2])],
        operands: ["--format=raw", "a.part2.rar"],
        kind: "series",
        parts: ["a.part1.rar", "a.part2.rar"]
      ),
      Row(
        name: "old RAR volumes, joined as bytes",
        files: [("a.r00", [1]), ("a.r01", [2])],
        operands: ["--format=raw", "a.r00"],
        kind: "series",
        parts: ["a.r00", "a.r01"]
      ),
      Row(
        name: "old RAR volumes behind one without a number",
        files: [("a.rar", [0]), ("a.r00", [1]), ("a.r01", [2])],
        operands: ["--format=raw", "a.r00"],
        refusal: (66, "a.rar: is in front of a.r00, and has no number: name all of them")
      ),
      Row(
        name: "shards of a model, joined as bytes",
        files: [("m-00001-of-00002.safetensors", [1]), ("m-00002-of-00002.safetensors", [2])],
        operands: ["--format=raw", "m-00001-of-00002.safetensors"],
        kind: "series",
        parts: ["m-00001-of-00002.safetensors", "m-00002-of-00002.safetensors"]
      ),
      Row(
        name: "a shard of a model is missing",
        files: [("m-00001-of-00002.gguf", [1])],
        operands: ["--format=raw", "m-00001-of-00002.gguf"],
        refusal: (66, "m: 1 part is missing: m-00002-of-00002.gguf")
      ),
      Row(
        name: "extents of a disk, joined as bytes",
        files: [("v-s001.vmdk", [1]), ("v-s002.vmdk", [2])],
        operands: ["--format=raw", "v-s001.vmdk", "v-s002.vmdk"],
        kind: "series",
        parts: ["v-s001.vmdk", "v-s002.vmdk"]
      ),
      Row(
        name: "a part that was renamed to another width",
        files: renamed,
        operands: ["f.1"],
        refusal: (66, "f.1: is the only part with so many digits, and f.002 has others")
      ),
      Row(
        name: "a part that was renamed to another width, by its family",
        files: renamed,
        operands: ["--as=digit", "f.1"],
        refusal: (66, "f.1: is the only part with so many digits, and f.002 has others")
      ),
      Row(
        name: "a part of another width beside a whole series",
        files: series + [("f.01", [1])],
        operands: ["f.01"],
        refusal: (66, "f.01: is the only part with so many digits, and f.00")
      ),
      Row(
        name: "the others of a part that was renamed",
        files: renamed,
        operands: ["f.002"],
        refusal: (66, "1 part is missing: f.001; f.1 may be it: rename it if it is")
      ),
      Row(
        name: "a part with nothing beside it",
        files: [("f.1", [1])],
        operands: ["f.1"],
        refusal: (65, "nothing else says that it is a part of f: --as-given")
      ),
      Row(
        name: "pieces of a zip in the wrong order, whose names tell nothing",
        files: cut(whole, whole.count / 3 + 1, ["s.ab", "s.aa", "s.ac"]),
        operands: ["s.aa"],
        refusal: (65, "s.aa: the parts are in the wrong order: what belongs here is in s.ab; name")
      ),
      Row(
        name: "pieces of a gzip file in the wrong order, whose names tell nothing",
        files: cut(packed, 600, ["s.ac", "s.ab", "s.aa"]),
        operands: ["s.aa"],
        refusal: (65, "s: the parts do not begin like a gzip file, but s.ac does")
      ),
      Row(
        name: "wholes",
        files: [("m.001", whole), ("m.002", whole)],
        operands: ["m.002"],
        refusal: (65, "--format=raw joins the bytes")
      ),
      Row(
        name: "wholes, joined as bytes",
        files: [("m.001", whole), ("m.002", whole)],
        operands: ["--format=raw", "m.001", "m.002"],
        kind: "series",
        parts: ["m.001", "m.002"]
      ),
      Row(
        name: "a whole zip",
        files: [("w.zip", whole)],
        operands: ["w.zip"],
        refusal: (65, "is a whole zip, not split"),
        isFile: true
      ),
      Row(
        name: "pieces of a zip",
        files: pieces,
        operands: ["w.zip.002"],
        kind: "zip in pieces",
        parts: ["w.zip.001", "w.zip.002", "w.zip.003"]
      ),
      Row(
        name: "a split zip by any part",
        files: zips,
        operands: ["a.z02"],
        kind: "split zip",
        parts: ["a.z01", "a.z02", "a.zip"]
      ),
      Row(
        name: "a split zip by its last part",
        files: zips,
        operands: ["a.zip"],
        kind: "split zip",
        parts: ["a.z01", "a.z02", "a.zip"]
      ),
      Row(
        name: "a split zip in any order",
        files: zips,
        operands: ["a.zip", "a.z01", "a.z02"],
        kind: "split zip",
        parts: ["a.z01", "a.z02", "a.zip"]
      ),
      Row(
        name: "a split zip without a part",
        files: [zips[0], zips[2]],
        operands: ["a.z01"],
        refusal: (66, "a.z02")
      ),
      Row(
        name: "a split zip without its last part",
        files: [zips[0], zips[1]],
        operands: ["a.z01"],
        refusal: (66, "a.zip")
      ),
      Row(
        name: "a split zip that was concatenated",
        files: [concatenated],
        operands: ["b.zip"],
        refusal: (65, "cleave repair")
      ),
      Row(
        name: "a split zip that was concatenated, beside its parts",
        files: zips + [concatenated],
        operands: ["b.zip"],
        refusal: (65, "cleave repair")
      ),
      Row(
        name: "a split zip that was concatenated, in pieces",
        files: cut(concatenated.1, concatenated.1.count / 2 + 1, ["b.zip.001", "b.zip.002"]),
        operands: ["b.zip.001"],
        refusal: (65, "ends part 3, the last one, of a split zip, which these have concatenated")
      ),
    ]
}
