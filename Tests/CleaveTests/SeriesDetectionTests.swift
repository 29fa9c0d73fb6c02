import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SeriesDetectionTests {
  /// What is in the directory, the operand, and the series that is found in it.
  struct Row: Sendable, CustomTestStringConvertible {
    let names: [FilePath]
    let operand: FilePath
    let width: Int
    let first: Int64
    let numbers: [Int64]

    init(
      _ operand: FilePath,
      in names: [FilePath],
      width: Int,
      first: Int64 = 1,
      _ numbers: [Int64]
    ) {
      (self.operand, self.names, self.numbers) = (operand, names, numbers)
      (self.width, self.first) = (width, first)
    }

    var testDescription: String { "\(operand) in \(names)" }
  }

  @Test(
    "one part is enough to find its series",
    arguments: [
      Row("a.002", in: ["a.003", "a.001", "a.002"], width: 3, [1, 2, 3]),
      Row("a.001", in: ["a.001", "a.000"], width: 3, first: 0, [0, 1]),
      Row("a.002", in: ["a.001", "a.003"], width: 3, [1, 3]),
      Row("a.000", in: ["a.001"], width: 3, first: 0, [1]),
      // Growth beyond the width, from either side.
      Row("a.999", in: ["a.998", "a.999", "a.1000"], width: 3, [998, 999, 1000]),
      Row("a.1000", in: ["a.999", "a.1000"], width: 3, [999, 1000]),
      Row("a.1000", in: ["a.001", "a.1000"], width: 3, [1, 1000]),
      Row("a.1000", in: ["a.1000"], width: 4, [1000]),
      // Widths: the smallest that the siblings bear out.
      Row("a.10", in: ["a.1", "a.10"], width: 1, [1, 10]),
      Row("a.10", in: ["a.0", "a.10"], width: 1, first: 0, [0, 10]),
      Row("a.10", in: ["a.01", "a.10"], width: 2, [1, 10]),
      Row("a.10", in: ["a.10", "a.11"], width: 2, [10, 11]),
      Row("a.10", in: ["a.1", "a.01", "a.10"], width: 1, [1, 10]),
      Row("a.01", in: ["a.1", "a.01", "a.10"], width: 2, [1, 10]),
      // Two series of one base.
      Row("a.1", in: ["a.1", "a.2", "a.001", "a.002"], width: 1, [1, 2]),
      Row("a.001", in: ["a.1", "a.2", "a.001", "a.002"], width: 3, [1, 2]),
      Row("a.1", in: ["a.1", "a.2", "a.001", "a.100"], width: 1, [1, 2]),
      Row("a.100", in: ["a.1", "a.2", "a.001", "a.100"], width: 3, [1, 100]),
      Row("a.1", in: ["a.1", "a.98", "a.001", "a.100"], width: 1, [1, 98, 100]),
      // What looks like it and is not.
      Row("a.1", in: ["a.1", "a.1.sfv", "a.0x2", "b.2", "a.b.2", "aa.2"], width: 1, [1]),
      Row("a.1", in: ["a.1", "a.2~", "a2", "a.2 ", "a."], width: 1, [1]),
      Row(".a.01", in: [".a.01", "a.02"], width: 2, [1]),
      Row("-a.01", in: ["-a.01", "-a.02"], width: 2, [1, 2]),
      // GNU split.
      Row("a.9000", in: ["a.00", "a.89", "a.9000"], width: 2, first: 0, [0, 89, 9000]),
      Row("a.9001", in: ["a.01", "a.9000"], width: 2, first: 0, [1, 9000]),
    ]
  )
  func found(row: Row) throws {
    let directory = try TemporaryDirectory()
    for name in row.names { try directory.make(name) }
    let series = try #require(try PartSeries.containing(directory(row.operand)))
    #expect(series.width == row.width)
    #expect(series.first == row.first)
    #expect(series.parts.map(\.number) == row.numbers)
    #expect(series.base.directory == directory.path)
    #expect(Set(series.parts.map(\.path)).isSubset(of: row.names.map { directory($0) }))
  }

  @Test("parts come in the order of their numbers, with their sizes, whatever the listing's order")
  func order() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    for number in (1...120).shuffled(using: &random) {
      try directory.make(FilePath("a.\(number)"), Array(repeating: 0, count: number))
    }
    let operand = directory(FilePath("a.\(Int.random(in: 1...120, using: &random))"))
    let series = try #require(try PartSeries.containing(operand), "seed \(seed)")
    #expect(series.parts.map(\.number) == Array(1...120), "seed \(seed)")
    #expect(series.parts.map(\.size) == Array(1...120), "seed \(seed)")
    #expect(series.base == directory("a"))
  }

  @Test("every part of a series finds the same series")
  func anyPart() throws {
    let directory = try TemporaryDirectory()
    let paths = try (1...12).map { try directory.make(FilePath("a.\($0)")) }
    let all = try paths.map { try PartSeries.containing($0) }
    #expect(Set(all).count == 1)
  }

  @Test(
    "a name that is no part's has no series",
    arguments: ["a", "a.sfv", "a.001/", ".001", "..1", "/", "."] as [FilePath]
  )
  func noSeries(name: FilePath) throws {
    let directory = try TemporaryDirectory()
    try directory.make("a.001")
    #expect(try PartSeries.containing(directory(name)) == nil)
  }

  @Test("a part of which nothing exists is missing")
  func nothing() throws {
    let directory = try TemporaryDirectory()
    try directory.make("a.1")
    let path = directory("a.001")
    let error = #expect(throws: CleaveError.self) { try PartSeries.containing(path) }
    #expect(error?.kind == .missingInput)
    #expect(error?.message == "\(path): does not exist")
  }

  @Test("a directory that is not there is named")
  func noDirectory() throws {
    let directory = try TemporaryDirectory()
    let path = directory("none/a.001")
    let error = #expect(throws: CleaveError.self) { try PartSeries.containing(path) }
    #expect(error?.kind == .missingInput)
    #expect(error?.system?.path == directory("none"))
  }

  @Test("a listing that is handed along is not asked for again")
  func handedListing() throws {
    let directory = try TemporaryDirectory()
    for name in ["a.1", "a.2", "a.3", "z.z01", "z.zip"] as [FilePath] { try directory.make(name) }
    let listing = DirectoryListing(directory.path, names: ["a.1", "a.2", "z.zip"])
    let series = try PartSeries.containing(directory("a.1"), in: listing)
    #expect(series?.parts.map(\.number) == [1, 2])
    #expect(try SplitZipSeries.containing(directory("z.zip"), in: listing)?.numbers == [])
    #expect(Set(try DirectoryListing(of: directory.path).names).count == 5)
  }

  @Test("the time that a series takes to be found grows as its parts do")
  func many() throws {
    let seconds = try [2500, 10_000].map { count in
      let directory = try TemporaryDirectory()
      for number in 1...count {
        try directory.make(PartName.format(base: "a", number: Int64(number), width: 3))
      }
      return try ProcessorTime.seconds {
        let found = try #require(try PartSeries.containing(directory("a.001")))
        #expect(try found.requireComplete().series.parts.count == count)
      }
    }
    // 4 times, and 16 where it were quadratic.
    #expect(seconds[1] < 10 * seconds[0])
  }
}
