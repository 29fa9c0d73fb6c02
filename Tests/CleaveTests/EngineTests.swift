import Posix
import TestSupport
import Testing

@testable import Cleave

/// Every engine carries out any plan, gives the same bytes and the same report.
@Suite struct EngineTests {
  /// Marks that make many small pieces, few large ones, and the engine's own.
  static let settings: [EngineSettings] = [
    EngineSettings(),
    EngineSettings(lowWater: 1, highWater: 1000, window: 1000),
    EngineSettings(highWater: 4096, window: 8192),
    EngineSettings(lowWater: 100, highWater: 65536),
    EngineSettings(highWater: 1 << 20, window: 3 << 20),
  ]

  @Test(arguments: EngineName.allCases, settings.indices)
  func mergesPartsOfAllSizes(_ engine: EngineName, _ marks: Int) throws {
    let directory = try TemporaryDirectory()
    let sizes = [0, 1, 4095, 4096, 4097, 70_000, 0, 131_072, 200_001]
    let parts = try Self.write(sizes, in: directory)
    let out = directory.file("out")
    var job = Job(
      try .merge(parts.map { try SourceFile(examining: $0) }, into: out),
      engine: engine
    )
    job.options.settings = Self.settings[marks]
    job.options.output.synchronizes = false
    let report = try job.run()

    let expected = try parts.flatMap { try Files.read($0) }
    #expect(Bytes.difference(try Files.read(out), expected) == nil)
    #expect(report.whole == Self.checksum(expected))
    #expect(try report.sources == parts.map { Self.checksum(try Files.read($0)) })
    #expect(job.options.progress.bytes == Int64(expected.count))
  }

  @Test(arguments: EngineName.allCases, settings.indices)
  func splitsIntoUnevenParts(_ engine: EngineName, _ marks: Int) throws {
    let directory = try TemporaryDirectory()
    let bytes = Bytes.pattern(count: 300_000)
    let file = directory.file("file")
    try Files.write(bytes, to: file)
    let sizes: [Int64] = [1, 0, 99_999, 4096, 195_904, 0]
    let parts = sizes.enumerated().map { index, size in
      DestinationFile(path: directory.file(FilePath("part.\(index)")), size: size)
    }
    var job = Job(try .split(SourceFile(examining: file), into: parts), engine: engine)
    job.options.settings = Self.settings[marks]
    job.options.output.synchronizes = false
    let report = try job.run()

    let made = try parts.flatMap { try Files.read($0.path) }
    #expect(Bytes.difference(made, bytes) == nil)
    #expect(report.whole == Self.checksum(bytes))
    #expect(report.destinations.map(\.count) == sizes)
  }

  @Test(arguments: EngineName.allCases, [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func carriesOutRandomPlans(_ engine: EngineName, _ seed: UInt64) throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator(seed: seed)
    let example = try RandomPlan(in: directory, using: &random)
    var job = Job(example.plan, engine: engine)
    job.options.settings = Self.settings.randomElement(using: &random) ?? EngineSettings()
    job.options.output.synchronizes = false
    let report = try job.run()
    for (index, destination) in example.plan.destinations.enumerated() {
      let found = try Files.read(destination.path)
      #expect(Bytes.difference(found, example.expected[index]) == nil, "seed \(seed)")
      #expect(report.destinations[index] == Self.checksum(example.expected[index]), "seed \(seed)")
    }
  }

  /// Segments beyond what one run of the direct engine takes (256, or 8 MiB), and extents that are
  /// cut into several; pieces of the plan's own lie across its ends and those of buffers.
  @Test(arguments: EngineName.allCases, [0, 1])
  func carriesOutManyTinyExtentsAmongLargeOnes(_ engine: EngineName, _ marks: Int) throws {
    let directory = try TemporaryDirectory()
    let content = Bytes.repeatedPattern(count: 18_000_000)
    try Files.write(content, to: directory.file("source"))
    let inline = Bytes.pattern(count: 70_000, seed: 9)
    var extents: [Extent] = []
    var expected: [UInt8] = []
    func add(_ source: Extent.Source, _ bytes: ArraySlice<UInt8>) {
      let (length, place) = (Int64(bytes.count), Int64(expected.count))
      extents.append(Extent(source: source, length: length, destination: 0, offset: place))
      expected += bytes
    }
    func addFile(_ range: Range<Int>) {
      add(.file(0, offset: Int64(range.lowerBound)), content[range])
    }
    for index in 0..<700 {
      let size = index % 97
      addFile((index * 1009)..<(index * 1009 + size))
      add(.inline(Array(inline[..<(size % 7)])), inline[..<(size % 7)])
    }
    // Up to just below the end of the first run, and across it.
    addFile(0..<(32 * WaterMarks.quarter - 30_000 - expected.count))
    add(.inline(inline), inline[...])
    addFile(1..<content.count)
    for index in 0..<300 { addFile(index..<(index + 3)) }
    let out = DestinationFile(path: directory.file("out"), size: Int64(expected.count))
    let plan = try TransferPlan(
      sources: [SourceFile(examining: directory.file("source"))],
      destinations: [out],
      extents: extents
    )
    var job = Job(plan, engine: engine)
    job.options.settings = [EngineSettings(), EngineSettings(highWater: 4099, window: 9000)][marks]
    job.options.output.synchronizes = false
    let report = try job.run()
    #expect(Bytes.difference(try Files.read(out.path), expected) == nil)
    #expect(report.whole == Self.checksum(expected))
  }

  @Test(arguments: EngineName.allCases)
  func withoutSumsTheBytesAreTheSame(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let parts = try Self.write([70_000, 5], in: directory)
    let sources = try parts.map { try SourceFile(examining: $0) }
    var job = Job(try .merge(sources, into: directory.file("out")), engine: engine)
    job.options.kinds = []
    let report = try job.run()
    #expect(try Files.read(directory.file("out")) == parts.flatMap { try Files.read($0) })
    #expect(report.whole.count == 70_005)
    #expect(report.whole.crc32 == 0)
  }

  @Test(arguments: EngineName.allCases)
  func readsBackWhatIsOnTheDevice(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let parts = try Self.write([300_000, 1], in: directory)
    let sources = try parts.map { try SourceFile(examining: $0) }
    var job = Job(try .merge(sources, into: directory.file("out")), engine: engine)
    job.options.output.readsBack = true
    _ = try job.run()
    #expect(try Files.read(directory.file("out")).count == 300_001)
  }

  @Test(arguments: EngineName.allCases)
  func anObjectionToTheReportLeavesNothing(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let parts = try Self.write([70_000, 5], in: directory)
    let sources = try parts.map { try SourceFile(examining: $0) }
    let job = Job(try .merge(sources, into: directory.file("out")), engine: engine)
    let objection = Objection(error: CleaveError(.badData, "no"))
    #expect(throws: objection.error) { try job.run(judgedBy: objection) }
    #expect(try directory.names() == ["part0", "part1"])
  }

  @Test(arguments: EngineName.allCases)
  func aCancelledJobSaysSoAndLeavesNothing(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let part = directory.file("part")
    try Files.makeSparse(part, size: 1 << 30)
    let job = Job(
      try .merge([SourceFile(examining: part)], into: directory.file("out")),
      engine: engine
    )
    // Cancelled from the progress that it makes, so that it is in the middle.
    let watcher = Watcher(job)
    watcher.start()
    #expect(throws: CleaveError.cancelled) { try job.run() }
    watcher.wait()
    #expect(try directory.names() == ["part"])
  }

  @Test(arguments: EngineName.allCases)
  func aCancelledJobDoesNotBegin(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let parts = try Self.write([70_000], in: directory)
    let sources = try parts.map { try SourceFile(examining: $0) }
    let job = Job(try .merge(sources, into: directory.file("out")), engine: engine)
    job.options.cancellation.cancel()
    #expect(throws: CleaveError.cancelled) { try job.run() }
    #expect(try directory.names() == ["part0"])
  }

  @Test(arguments: EngineName.allCases)
  func aSourceThatChangedSinceThePlanIsRefused(_ engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let parts = try Self.write([70_000, 10], in: directory)
    let sources = try parts.map { try SourceFile(examining: $0) }
    let job = Job(try .merge(sources, into: directory.file("out")), engine: engine)
    try Files.append([1], to: parts[1])
    #expect { try job.run() } throws: { ($0 as? CleaveError)?.kind == .changedInput }
    try Files.setSize(5, of: parts[1])
    #expect { try job.run() } throws: { ($0 as? CleaveError)?.kind == .badData }
    #expect(try directory.names() == ["part0", "part1"])
  }

  // MARK: Help

  private struct Objection: Judge {
    let error: CleaveError
    func judge(_ report: JobReport) throws(CleaveError) -> Judgement { throw error }
  }

  private static func write(_ sizes: [Int], in directory: TemporaryDirectory) throws -> [FilePath] {
    try sizes.enumerated().map { index, size in
      let path = directory.file(FilePath("part\(index)"))
      try Files.write(Bytes.pattern(count: size, seed: UInt64(index + 1)), to: path)
      return path
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> Checksum {
    var sum = Checksum.empty
    bytes.withUnsafeBytes { sum.update($0, [.crc32, .adler32]) }
    return sum
  }
}
