import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SeriesCompletenessTests {
  /// Reads the series of the operand in a directory with these names.
  private func complete(
    _ operand: FilePath,
    in names: [FilePath],
    named: [FilePath]? = nil
  ) throws -> (series: PartSeries, stale: PartSeries.Parts) {
    let directory = try TemporaryDirectory()
    for name in names { try directory.make(name) }
    let series = try #require(try PartSeries.containing(directory(operand)))
    return try series.requireComplete(named: named.map { PathList($0) })
  }

  /// The message of the error that says what is missing, without its directory.
  private func complaint(
    _ operand: FilePath,
    in names: [FilePath],
    named: [FilePath]? = nil
  ) throws -> String {
    let error = #expect(throws: CleaveError.self) {
      try complete(operand, in: names, named: named)
    }
    #expect(error?.kind == .missingInput)
    #expect(error?.message.contains("\n") == false)
    let message = try #require(error?.message)
    return message.split(separator: "/").last.map(String.init) ?? message
  }

  struct Gap: Sendable {
    let operand: FilePath
    let names: [FilePath]
    let message: String

    init(_ operand: FilePath, _ names: [FilePath], _ message: String) {
      (self.operand, self.names, self.message) = (operand, names, message)
    }
  }

  @Test(
    "all that is missing is named in one line",
    arguments: [
      Gap("a.001", ["a.001", "a.003"], "a: 1 part is missing: a.002"),
      Gap(
        "a.003",
        ["a.003"],
        "a: 2 parts are missing: a.001 to a.002; PartSeries.Bounds.first 3 begins with a.003"
      ),
      Gap(
        "a.001",
        ["a.001", "a.003", "a.004", "a.007"],
        "a: 3 parts are missing: a.002, a.005 to a.006"
      ),
      Gap("a.005", ["a.001", "a.002"], "a: 3 parts are missing: a.003 to a.005"),
      Gap("a.000", ["a.001"], "a: 1 part is missing: a.000"),
      Gap("a.1000", ["a.998"], "a: 999 parts are missing: a.001 to a.997, a.999 to a.1000"),
      Gap("a.8", ["a.8", "a.10"], "a: 8 parts are missing: a.1 to a.7, a.9"),
      Gap("a.9001", ["a.00", "a.01", "a.9000"], "a: 89 parts are missing: a.02 to a.89, a.9001"),
      Gap(
        "log.20250101",
        ["log.20250101"],
        "log: 20250100 parts are missing: log.00000001 to log.20250100; PartSeries.Bounds.first 20250101 begins with "
          + "log.20250101"
      ),
      Gap(
        "a.1",
        ["a.1", "a.999999999999999999"],
        "a: 999999999999999997 parts are missing: a.2 to a.999999999999999998"
      ),
    ]
  )
  func gaps(row: Gap) throws {
    #expect(try complaint(row.operand, in: row.names) == row.message)
  }

  @Test("of very many gaps, the first hundred are named and the others counted")
  func manyGaps() throws {
    let names = (0..<205).map { FilePath("a.\(1 + 2 * $0)") }
    let message = try complaint("a.1", in: names)
    #expect(message.hasPrefix("a: 204 parts are missing: a.2, a.4, "))
    #expect(message.hasSuffix(", a.200 and 104 more ranges"))
  }

  @Test("a series of GNU split that widens has no gap")
  func widening() throws {
    let numbers = (Int64(0)..<1000).map { Numbering.widening(.decimal).number(at: $0) }
    let names = numbers.map { PartName.format(base: "a", number: $0, width: 2) }
    let (series, stale) = try complete("a.9005", in: names)
    #expect(series.numbering == .widening(.decimal))
    #expect(series.parts.map(\.number) == numbers)
    #expect(stale.isEmpty)
  }

  @Test("a name with a line feed is shown on one line")
  func escaped() throws {
    let path = FilePath(bytes: Array("x\n\u{1B}.3".utf8))
    #expect(try complaint(path, in: [path]).contains("x\\n\\x1b.1 to x\\n\\x1b.2; "))
  }

  // MARK: Manifests

  @Test("a manifest tells of last parts that are missing")
  func promisedLast() throws {
    let named: [FilePath] = ["a.004", "a.001", "a.002", "a.003", "other.txt"]
    let message = try complaint("a.001", in: ["a.001", "a.003"], named: named)
    #expect(message == "a: 2 parts are missing: a.002, a.004")
  }

  @Test("parts that a manifest does not promise are stale")
  func stale() throws {
    let names: [FilePath] = ["a.000", "a.001", "a.002", "a.003", "a.007"]
    let (series, stale) = try complete("a.007", in: names, named: ["a.001", "a.002"])
    #expect(series.parts.map(\.number) == [1, 2])
    #expect(series.first == 1)
    #expect(stale.map(\.number) == [0, 3, 7])
  }

  @Test("a manifest of a plain series leaves the names of a widening one out")
  func staleWidening() throws {
    let names = (0..<90).map { PartName.format(base: "a", number: $0, width: 2) }
    let (series, stale) = try complete("a.00", in: names + ["a.9000"], named: names)
    #expect(series.parts.count == 90)
    #expect(stale.map(\.number) == [9000])
  }

  @Test("a manifest can promise a widening series of which only short names exist")
  func promisedWidening() throws {
    let names = (0..<90).map { PartName.format(base: "a", number: $0, width: 2) }
    let message = try complaint("a.00", in: names, named: names + ["a.9000"])
    #expect(message == "a: 1 part is missing: a.9000")
  }

  @Test("a manifest that says nothing of the series is none")
  func foreignManifest() throws {
    let (series, stale) = try complete("a.1", in: ["a.1", "a.2"], named: ["b.1", "a.001", "a"])
    #expect(series.parts.count == 2)
    #expect(stale.isEmpty)
  }

  // MARK: What is no regular file

  @Test("a part has to be a regular file")
  func irregular() throws {
    let directory = try TemporaryDirectory()
    try directory.make("a.1")
    let path = try directory.directory("a.2")
    let fifo = try directory.fifo("b.1")
    for (part, kind) in [(path, "a directory"), (fifo, "a named pipe")] {
      let series = try #require(try PartSeries.containing(part))
      let error = #expect(throws: CleaveError.self) { try series.requireComplete() }
      #expect(error?.kind == .missingInput)
      #expect(error?.message == "\(part): is \(kind), not a regular file")
    }
  }

  @Test("a stale part may be anything")
  func irregularStale() throws {
    let directory = try TemporaryDirectory()
    try directory.make("a.1")
    try directory.directory("a.2")
    let series = try #require(try PartSeries.containing(directory("a.1")))
    let stale = try series.requireComplete(named: ["a.1"]).stale
    #expect(stale.map(\.status.kind) == [.directory])
  }

  @Test("a link counts as what it leads to, and as missing where it leads nowhere")
  func links() throws {
    let directory = try TemporaryDirectory()
    try directory.link("a.1", to: try directory.make("whole", [1, 2, 3]))
    let series = try #require(try PartSeries.containing(directory("a.1")))
    #expect(try series.requireComplete().series.parts.map(\.size) == [3])
    try directory.link("a.2", to: "nowhere")
    let longer = try #require(try PartSeries.containing(directory("a.1")))
    let error = #expect(throws: CleaveError.self) { try longer.requireComplete() }
    #expect(error?.message == "\(directory("a")): 1 part is missing: a.2")
  }

  // MARK: Before a series is written

  @Test("names in the way of a new series are told from those behind and before it")
  func existing() throws {
    let directory = try TemporaryDirectory()
    let names: [FilePath] = ["a.000", "a.002", "a.004", "a.1000", "a.1", "a.0005", "a.sfv", "a.3x"]
    for name in names { try directory.make(name) }
    let found = try PartNaming(directory("a"), isTyped: false).existing(count: 3)
    #expect(found.taken == [directory("a.002")])
    #expect(found.stale == ["a.000", "a.004", "a.1000"].map { directory($0) })
  }

  @Test("no series can be written to a directory that is not there")
  func nowhere() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: CleaveError.self) {
      try PartNaming(directory("none/a"), isTyped: false).existing(count: 3)
    }
    #expect(error?.kind == .cannotCreate)
  }
}
