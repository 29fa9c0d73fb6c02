import Posix
import TestSupport
import Testing

@testable import Cleave

/// What operands mean: the answer that every command gets.
@Suite struct SelectionTests {
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    var files = SelectionTests.series
    let operands: [FilePath]
    var request: @Sendable (inout Selection.Request) -> Void = { _ in }
    var kind = Selection.Kind.series
    var parts: [FilePath] = SelectionTests.names
    var output: FilePath? = "f"
    /// Codes of its doubts.
    var doubts: [Doubt.Code] = []
    /// Why nothing is made of it.
    var refusal: (kind: CleaveError.Kind, text: String)?
    /// Whether not even a selection comes of it.
    var isThrown = false
  }

  private static let bytes = Bytes.pattern(count: 7001)
  static let names: [FilePath] = ["f.001", "f.002", "f.003", "f.004"]
  static let series = Array(zip(names, bytes.cut(into: 4)))
  private static let recording: [(FilePath, [UInt8])] = [
    ("rec.ts", Bytes.pattern(count: 4000, seed: 9)), ("rec.ts.001", Bytes.pattern(count: 4000)),
    ("rec.ts.002", Bytes.pattern(count: 900)),
  ]
  private static let whole = (try? ZipWriter(ZipEntry.samples).single()) ?? []
  private static let split = (try? ZipWriter(ZipEntry.samples).parts(of: 4000)) ?? []
  private static let zipNames = split.indices.map {
    ZipSetNames.lower.name(of: $0, among: split.count)
  }

  private static func manifest(_ names: [FilePath]) -> (FilePath, [UInt8]) {
    let lines = series.filter { names.contains($0.0) }
      .map { "\($0.0) \(Checksum(of: $0.1[...], .crc32).crc32Text)\n" }
    return ("f.sfv", Array(lines.joined().utf8))
  }

  /// `list.sfv` of parts under these names, beside some of them.
  private static func listed(_ names: [FilePath], there: [FilePath]) -> [(FilePath, [UInt8])] {
    let parts = Array(zip(names, bytes.cut(into: names.count)))
    let lines = parts.map { "\($0) \(Checksum(of: $1[...], .crc32).crc32Text)\n" }
    return parts.filter { there.contains($0.0) } + [("list.sfv", Array(lines.joined().utf8))]
  }

  static let rows =
    names.map { Row(description: "any part: \($0)", operands: [$0]) } + [
      Row(
        description: "parts behind one without a number, as television is recorded",
        files: recording,
        operands: ["rec.ts.001"],
        parts: ["rec.ts.001", "rec.ts.002"],
        output: "rec.ts",
        doubts: [.operandGap],
        refusal: (
          .missingInput, "rec.ts: has as many bytes as rec.ts.001, and may be the part in front"
        )
      ),
      Row(
        description: "the same, with the first one named",
        files: recording,
        operands: ["rec.ts.001"],
        request: { $0.reading.bounds.first = 1 },
        parts: ["rec.ts.001", "rec.ts.002"],
        output: "rec.ts"
      ),
      Row(
        description: "parts beside the whole",
        files: recording.dropFirst() + [("rec.ts" as FilePath, Bytes.pattern(count: 4900))],
        operands: ["rec.ts.001"],
        parts: ["rec.ts.001", "rec.ts.002"],
        output: "rec.ts"
      ),
      Row(
        description: "parts beside a copy of the first",
        files: recording.dropFirst() + [("rec.ts" as FilePath, Bytes.pattern(count: 4000))],
        operands: ["rec.ts.001"],
        parts: ["rec.ts.001", "rec.ts.002"],
        output: "rec.ts"
      ),
      Row(
        description: "the only part beside a copy of it",
        files: [("rec.ts", Bytes.pattern(count: 40)), ("rec.ts.001", Bytes.pattern(count: 40))],
        operands: ["rec.ts.001"],
        parts: ["rec.ts.001"],
        output: "rec.ts"
      ),
      Row(description: "the directory", operands: ["."]),
      Row(description: "all parts in their order", operands: names),
      Row(
        description: "all parts in another order",
        operands: names.reversed(),
        doubts: [.operandOrder]
      ),
      Row(
        description: "all parts in another order, as given",
        operands: names.reversed(),
        request: { $0.isAsGiven = true },
        kind: .files,
        parts: names.reversed(),
        output: nil
      ),
      Row(
        description: "a manifest that names the parts",
        files: series + [manifest(names)],
        operands: ["f.sfv"]
      ),
      Row(
        description: "a part with a manifest of fewer parts",
        files: series + [manifest(Array(names[..<3]))],
        operands: ["f.001"],
        refusal: (.badData, "f.004: is not in f.sfv; ")
      ),
      Row(
        description: "a part in letters of another case than its manifest has",
        files: [("F.001" as FilePath, series[0].1)] + series.dropFirst() + [manifest(names)],
        operands: ["f.002"],
        refusal: (.badData, "F.001: is not in f.sfv, which has f.001, in letters of another case: ")
      ),
      Row(
        description: "a manifest that names a part which is not there",
        files: series.dropLast() + [manifest(names)],
        operands: ["f.002"],
        refusal: (.missingInput, "f: 1 part is missing: f.004")
      ),
      Row(
        description: "a part without the first, which a list names",
        files: listed(["x00", "x01", "x02"], there: ["x01", "x02"]),
        operands: ["x02"],
        refusal: (.missingInput, "x: 1 part is missing: x00")
      ),
      Row(
        description: "a first part without the others, which a list names",
        files: listed(["x00", "x01", "x02"], there: ["x00"]),
        operands: ["x00"],
        refusal: (.missingInput, "x: 2 parts are missing: x01 to x02")
      ),
      Row(
        description: "letters without the first, which a list names",
        files: listed(["f.mkvaa", "f.mkvab", "f.mkvac"], there: ["f.mkvab"]),
        operands: ["f.mkvab"],
        refusal: (.missingInput, "f.mkv: 2 parts are missing: f.mkvaa, f.mkvac")
      ),
      Row(
        description: "a file in a list of others",
        files: listed(["photo-1.jpg", "photo-2.jpg", "photo-3.jpg"], there: ["photo-2.jpg"]),
        operands: ["photo-2.jpg"],
        doubts: [.loneFile],
        refusal: (.missingInput, "photo-2.jpg: is not named like a part of a series")
      ),
      Row(
        description: "a gap",
        files: [series[0], series[1], series[3]],
        operands: ["f.001"],
        refusal: (.missingInput, "f: 1 part is missing: f.003")
      ),
      Row(
        description: "up to a last part that was said",
        operands: ["f.001"],
        request: { $0.reading.bounds.last = .number(2) },
        parts: Array(names[..<2])
      ),
      Row(
        description: "not all parts",
        operands: ["f.001", "f.002", "f.004"],
        doubts: [.operandGap],
        refusal: (.missingInput, "f.003: is a part, too")
      ),
      Row(
        description: "a part cut short",
        files: series.map { $0.0 == "f.002" ? ($0.0, Array($0.1.dropLast(7))) : $0 },
        operands: ["f.003"],
        doubts: [.size],
        refusal: (.badData, "f.002: has 7 bytes less than f.001 and f.003")
      ),
      Row(
        description: "a download of the next part",
        files: series + [("f.005.crdownload", [1])],
        operands: ["f.001"],
        doubts: [.nextIsDownloading],
        refusal: (.missingInput, "f.005.crdownload says that f.005 is still being downloaded")
      ),
      Row(
        description: "one file of no series",
        files: [("photo", bytes)],
        operands: ["photo"],
        kind: .file,
        parts: ["photo"],
        output: nil,
        doubts: [.loneFile],
        refusal: (.missingInput, "photo: is not named like a part of a series")
      ),
      Row(
        description: "a whole zip",
        files: [("w.zip", whole)],
        operands: ["w.zip"],
        kind: .zip,
        parts: ["w.zip"],
        output: nil,
        doubts: [.wholeZip],
        refusal: (.badData, "w.zip: is a whole zip")
      ),
      Row(
        description: "a zip in pieces",
        files: Array(zip(["w.zip.001", "w.zip.002"], whole.cut(into: 2))),
        operands: ["w.zip.002"],
        kind: .zipPieces,
        parts: ["w.zip.001", "w.zip.002"],
        output: "w.zip"
      ),
      Row(
        description: "a split zip",
        files: Array(zip(zipNames, split)),
        operands: [zipNames[1]],
        kind: .splitZip,
        parts: zipNames,
        output: "a.merged.zip"
      ),
      Row(
        description: "a split zip whose parts were put one behind the other",
        files: [("w.zip", Array(split.joined()))],
        operands: ["w.zip"],
        kind: .concatenatedZip,
        parts: ["w.zip"],
        output: nil,
        refusal: (.badData, "w.zip: ")
      ),
      Row(
        description: "two series in a directory",
        files: series + [("g.001", [1]), ("g.002", [2])],
        operands: ["."],
        refusal: (.badData, ".: has the parts of 2 files in it"),
        isThrown: true
      ),
      Row(
        description: "a file that is not there",
        operands: ["nowhere"],
        refusal: (.missingInput, "nowhere: "),
        isThrown: true
      ),
    ]

  @Test("operands mean files in an order, or are refused for a reason", arguments: rows)
  func means(row: Row) throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in row.files { try directory.make(name, bytes) }
    let prefix = "\(directory.path)"
    func told(_ error: CleaveError) -> String {
      error.message.replacing("\(prefix)/", with: "").replacing(prefix, with: ".")
    }
    var request = Selection.Request()
    row.request(&request)
    let operands = row.operands.map { $0 == "." ? directory.path : directory.file($0) }
    let selection: Selection
    do throws(CleaveError) {
      selection = try Selection.look(at: operands, request)
    } catch {
      #expect(row.isThrown, "\(error)")
      #expect(error.kind == row.refusal?.kind)
      #expect(told(error).hasPrefix(row.refusal?.text ?? "none"), "\(told(error))")
      return
    }
    #expect(!row.isThrown)
    #expect(selection.refusal?.kind == row.refusal?.kind)
    if let (_, text) = row.refusal {
      let message = selection.refusal.map(told) ?? ""
      #expect(message.contains(text), "\(message)")
      // Who wants to merge is told the same.
      #expect(throws: selection.refusal ?? .cancelled) { try Selection(of: operands, request) }
    } else {
      #expect(selection.kind == row.kind)
      #expect(selection.names.map(\.lastComponent) == row.parts)
      #expect(selection.defaultOutput?.lastComponent == row.output)
    }
    let severe = selection.evidence.doubts.map(\.code).filter { $0.severity != .told }
    #expect(severe == row.doubts)
  }

  @Test("standard input stands among files where it is given")
  func standardInput() throws {
    let directory = try TemporaryDirectory()
    for (name, bytes) in Self.series { try directory.make(name, bytes) }
    let selection = try Selection.look(at: [directory.file("f.001"), "-", directory.file("f.003")])
    #expect(selection.kind == .files && selection.files == nil)
    #expect(selection.names.map(\.lastComponent) == ["f.001", "-", "f.003"])
  }
}
