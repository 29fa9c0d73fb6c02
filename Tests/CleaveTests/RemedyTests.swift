import Posix
import TestSupport
import Testing

@testable import Cleave

/// What may be done about an error is a value; its message has none of the options of the command line.
@Suite struct RemedyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [(name: FilePath, bytes: [UInt8])]
    let remedies: [Remedy]
    /// What is refused there.
    let act: @Sendable (TemporaryDirectory) throws -> Void

    var testDescription: String { name }
  }

  private static let bytes = Bytes.pattern(count: 1000)
  /// gzip's first bytes, and then anything.
  private static let packed = ([0x1F, 0x8B, 8, 0] + Bytes.pattern(count: 2996)).cut(into: 3)
  private static let two: [(FilePath, [UInt8])] = ["f.001", "f.002", "g.001", "g.002"].map {
    ($0, bytes)
  }

  /// A look at operands, of which none may be merged.
  private static func looking(
    at operands: [FilePath],
    _ change: @escaping @Sendable (inout Selection.Request) -> Void = { _ in }
  ) -> @Sendable (TemporaryDirectory) throws -> Void {
    { directory in
      var request = Selection.Request()
      change(&request)
      let paths = operands.map { $0 == "." ? directory.path : directory($0) }
      if let refusal = try Selection.look(at: paths, request).refusal { throw refusal }
    }
  }

  static let rows: [Row] = [
    Row(name: "the output exists", files: [("out", bytes)], remedies: [.replacing]) {
      try OutputCheck.check($0("out"), OutputOptions(), inputs: [])
    },
    Row(name: "the output appears", files: [], remedies: [.replacing]) {
      throw CleaveError.creating(SystemError("rename", $0("out"), .exists))
    },
    Row(name: "blocks cannot be shared", files: [], remedies: [.copying]) {
      let error = SystemError("ioctl", $0("out"), .crossesDevices)
      throw CleaveError.sharing(error, of: $0("in"))
    },
    Row(
      name: "several series in a directory",
      files: two,
      remedies: [.each],
      act: looking(at: ["."])
    ),
    Row(
      name: "parts of several files",
      files: two,
      remedies: [.each, .asGiven(namesOutput: true)],
      act: looking(at: ["f.001", "g.001"])
    ),
    Row(
      name: "a part that is given twice",
      files: two,
      remedies: [.asGiven()],
      act: looking(at: ["f.001", "f.002", "f.002"])
    ),
    Row(
      name: "a lone file",
      files: [("photo", bytes)],
      remedies: [.namingOutput, .asGiven(namesOutput: true)],
      act: looking(at: ["photo"])
    ),
    Row(
      name: "names of two families",
      files: ["x.part1.001", "x.part1.002", "x.part2.001", "x.part2.002"].map { ($0, bytes) },
      remedies: [.family(.numbers), .family(.partWord)],
      act: looking(at: ["x.part1.001"])
    ),
    Row(
      name: "parts in the wrong order",
      files: [("a.gz.001", packed[1]), ("a.gz.002", packed[0]), ("a.gz.003", packed[2])],
      remedies: [.asGiven(namesOutput: true), .format(.raw)],
      act: looking(at: ["a.gz.001"])
    ),
    Row(
      name: "volumes by their names",
      files: [("a.part1.rar", bytes), ("a.part2.rar", bytes)],
      remedies: [.format(.raw)],
      act: looking(at: ["a.part1.rar"])
    ),
    Row(
      name: "a volume without a number",
      files: [("a.rar", bytes)],
      remedies: [.asGiven(namesOutput: true)],
      act: looking(at: ["a.rar"])
    ),
    Row(
      name: "a part that was cut short",
      files: [("f.001", bytes), ("f.002", [1]), ("f.003", bytes), ("f.004", bytes)],
      remedies: [.last("2"), .last("4")],
      act: looking(at: ["f.001"])
    ),
    Row(
      name: "bounds the wrong way round",
      files: two,
      remedies: [],
      act: looking(at: ["f.001"]) {
        $0.reading.bounds = PartSeries.Bounds(first: 2, last: 1)
      }
    ),
    Row(
      name: "a part that the manifest alone knows of",
      files: two + [("f.sfv", Array("f.001 00000000\nf.002 00000000\nf.003 00000000\n".utf8))],
      remedies: [.withoutManifest],
      act: looking(at: ["f.001"])
    ),
    Row(
      name: "a manifest that cannot be read",
      files: two + [("f.sfv", Array("f.001\n".utf8))],
      remedies: [.withoutManifest],
      act: looking(at: ["f.001"])
    ),
    Row(
      name: "a manifest that offers it itself",
      files: two + [
        ("SHA256SUMS", Array((digest("1", "v1/f.001") + digest("2", "v2/f.001")).utf8))
      ],
      remedies: [.withoutManifest],
      act: looking(at: ["f.001"])
    ),
    Row(
      name: "an output that promises something else",
      files: two,
      remedies: [.format(.raw)],
      act: { try Selection(of: [$0("f.001")]).checkStart(of: "f.gz") }
    ),
    Row(
      name: "what is no zip, split as one",
      files: [("f", bytes)],
      remedies: [.splittingAsBytes],
      act: { _ = try ZipCut(SourceFile(examining: $0("f")), size: 100, kinds: []) }
    ),
    Row(name: "a file that is not there", files: [], remedies: [], act: looking(at: ["none.001"])),
    Row(
      name: "what a job that frees its sources has left",
      files: [],
      remedies: [],
      act: looking(at: ["f.001.cleave-rest"])
    ),
  ]

  private static func digest(_ digit: String, _ name: String) -> String {
    "\(String(repeating: digit, count: 64))  \(name)\n"
  }

  @Test(arguments: rows) func aRemedyIsAValue(row: Row) throws {
    let directory = try TemporaryDirectory()
    for file in row.files { try directory.make(file.name, file.bytes) }
    let error = try #require(throws: CleaveError.self) { try row.act(directory) }
    #expect(error.remedies == row.remedies, "\(error)")
    #expect(!Self.namesOption(error.message), "\(error)")
    for remedy in row.remedies { #expect(error.message.contains(remedy.description), "\(error)") }
    #expect(error.message == error.description)
  }

  /// Long ones, and short ones with a value.
  private static func namesOption(_ text: String) -> Bool {
    text.contains(/(^|[^A-Za-z0-9])(--[a-z]|-[a-z] )/)
  }

  @Test func everyRemedyIsSaidWithoutOptions() {
    for remedy in Self.all {
      #expect(!Self.namesOption(remedy.description), "\(remedy.description)")
    }
    for setting in Setting.allCases {
      #expect(!Self.namesOption(setting.description), "\(setting.description)")
    }
    #expect(Self.namesOption("exists; --force replaces it") && Self.namesOption("-o says which"))
  }

  private static let all: [Remedy] = [
    .replacing, .format(.raw), .asGiven(), .asGiven(namesOutput: true), .each, .family(nil),
    .family(.ofTotal), .first(nil), .first("1"), .last(nil), .last("ab"), .withoutManifest,
    .withoutContent, .leavingOutHeader, .consuming, .copying, .namingOutput,
    .output(nil),
    .output("a"),
    .splittingAsBytes, .splitting(atMost: 5), .verifying("a"), .repairing("a"), .readingBack,
  ]

  @Test func aDoubtHasItsRemedies() {
    let doubt = Doubt(.end, "f", "ends early; \(.format(.raw)) joins it, \(.last("3")) too")
    #expect(doubt.remedies == [.format(.raw), .last("3")])
    #expect(doubt.error.remedies == doubt.remedies)
  }

  // MARK: Sentences

  @Test func textsBesideEachOtherAreOne() {
    let name: FilePath = "f"
    let parts: Sentence = "\(name): has \(3) bytes"
    #expect(parts.pieces == [.text("f: has 3 bytes")])
    let joined: Sentence = "f: " + "has 3" + " bytes"
    #expect(joined == parts && joined.hashValue == parts.hashValue)
    #expect("" as Sentence == Sentence() && Sentence("").pieces.isEmpty)
  }

  @Test func remediesSurviveWhateverIsPutAround() {
    let inner: Sentence = "exists; \(.replacing) replaces it"
    let more: Sentence = "; or \(.namingOutput, behind: "take ")"
    let error = CleaveError(.cannotCreate, "f", inner).adding(more)
    let outer: Sentence = "'\(error)', not \(mentioning: .last(nil))"
    #expect(outer.remedies == [.replacing, .namingOutput])
    #expect(
      outer.pieces == [
        .text("'f: exists; "), .remedy(.replacing, lead: ""), .text(" replaces it; or "),
        .remedy(.namingOutput, lead: "take "), .text("', not "), .mention(.last(nil)),
      ]
    )
    #expect(
      outer.description
        == "'f: exists; OutputOptions.replacesExisting replaces it; or take a name for the output', "
        + "not PartSeries.Bounds.last"
    )
  }
}
