import Posix
import TestSupport
import Testing

@testable import Cleave

/// What is made was last changed when its source was.
@Suite struct TimesTests {
  private let directory: TemporaryDirectory
  private var file: FilePath { directory.file("f") }
  /// Nanoseconds since 1970: 2001-09-09, and before 1970.
  private static let times: [Int64] = [1_000_000_000_123_456_789, -86_400_000_000_001]

  init() throws {
    directory = try TemporaryDirectory()
    try Files.write(Array("one\ntwo\nthree\n".utf8), to: file)
  }

  private func set(_ time: Int64, of name: FilePath) throws {
    try FileDescriptor.open(directory.file(name), .writeOnly).setModified(time)
  }

  private func time(_ name: FilePath) throws -> Int64 {
    try FileStatus.of(directory.file(name)).modified
  }

  private func options(
    _ engine: EngineName? = nil,
    _ change: (inout WorkOptions) -> Void = { _ in }
  ) -> WorkOptions {
    var work = WorkOptions()
    (work.engine, work.output.keepsTimes) = (engine, true)
    change(&work)
    return work
  }

  @Test(arguments: EngineName.allCases, times)
  func partsAndTheWholeHaveTheTimeOfTheSource(engine: EngineName, time: Int64) throws {
    try set(time, of: "f")
    var split = Split(file, .records(1))
    split.work = options(engine)
    _ = try split.run()
    #expect(try ["f.001", "f.002", "f.003"].map { try self.time($0) } == [time, time, time])
    #expect(try self.time("f.sfv") != time)
    var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("g"))
    merge.work = options(engine)
    #expect(try merge.run().verdict.isVerified)
    #expect(try self.time("g") == time)
    try FileSystem.unlink(directory.file("g"))
    merge.work.output.keepsTimes = false
    _ = try merge.run()
    #expect(try self.time("g") != time)
  }

  @Test(arguments: [false, true]) func alsoInRounds(consumes: Bool) throws {
    let time = Self.times[0]
    try set(time, of: "f")
    var split = Split(file, .every(5))
    split.work = options { ($0.isResumable, $0.consumes, $0.checkpoint) = (true, true, 3) }
    let error = #expect(throws: CleaveError.self) { try split.run() }
    #expect(error?.kind == .contradiction)
    split.work.consumes = false
    _ = try split.run()
    #expect(try ["f.001", "f.002", "f.003"].map { try self.time($0) } == [time, time, time])
    var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("g"))
    merge.work = split.work
    merge.work.consumes = consumes
    _ = try merge.run()
    #expect(try self.time("g") == time)
  }

  @Test func theNewestPartCounts() throws {
    _ = try Split(file, .records(1)).run()
    let time = Self.times[0]
    for (index, part) in ["f.001", "f.002", "f.003"].enumerated() {
      try set(time - Int64(abs(index - 1)), of: FilePath(part))
    }
    var merge = Merge(try Selection(of: [directory.file("f.001")]), into: directory.file("g"))
    merge.work = options()
    _ = try merge.run()
    #expect(try self.time("g") == time)
  }

  @Test func aStreamHasNoTime() throws {
    var split = Split("-", .records(1), naming: PartNaming(file, isTyped: true))
    split.work = options()
    #expect(throws: CleaveError.self) { try split.run() }
    split = Split(file, .records(1))
    (split.work, split.options.filter) = (options(), Split.Filter("cat"))
    #expect(throws: CleaveError.self) { try split.run() }
    var merge = Merge(try Selection(of: [file, "-"]), into: directory.file("g"))
    merge.work = options()
    let error = #expect(throws: CleaveError.self) { try merge.run() }
    #expect(error?.kind == .contradiction)
  }
}
