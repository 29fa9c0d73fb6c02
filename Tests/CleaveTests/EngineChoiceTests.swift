import Posix
import TestSupport
import Testing

@testable import Cleave

/// The engine for a job whose user chose none.
@Suite struct EngineChoiceTests {
  struct Row: Sendable {
    var workload: Workload
    var engine: EngineName
    var reason: String

    init(_ engine: EngineName, _ reason: String, _ change: (inout Workload) -> Void) {
      workload = Workload(meanExtent: 1 << 28)
      change(&workload)
      self.engine = engine
      self.reason = reason
    }
  }

  static let rows = [
    Row(.direct, "summed in the cache") { _ in },
    Row(.direct, "copied through the cache") { $0.isSummed = false },
    Row(.direct, "several places ahead") { $0.isCold = true },
    Row(.direct, "gathered into whole writes") { $0.meanExtent = 65536 },
    Row(.direct, "gathered into whole writes") {
      $0.meanExtent = 65536
      $0.isCold = true
    },
    Row(.direct, "share blocks") { $0.sharesBlocks = true },
    Row(.direct, "share blocks") {
      $0.sharesBlocks = true
      $0.isSummed = false
      $0.isCold = true
    },
    Row(.serial, "in order") { $0.isStream = true },
    Row(.serial, "in order") {
      $0.isStream = true
      $0.sharesBlocks = true
    },
  ]

  @Test(arguments: rows)
  func everyCircumstanceHasItsReason(row: Row) {
    let choice = EngineChoice(row.workload)
    #expect(choice.name == row.engine)
    #expect(choice.reason.contains(row.reason))
  }

  @Test func aWorkloadIsThatOfItsPlan() throws {
    let directory = try TemporaryDirectory()
    let paths = ["a", "b"].map { directory.file(FilePath($0)) }
    for path in paths { try Files.write(Bytes.pattern(count: 10_000), to: path) }
    let sources = try paths.map { try SourceFile(examining: $0) }
    let plan = try TransferPlan.merge(sources, into: directory.file("out"))

    let file = Workload(of: plan)
    #expect(file.meanExtent == 10_000)
    #expect(file.isSummed && !file.isStream && !file.isCold)
    let stream = Workload(of: plan, isStream: true, kinds: [])
    #expect(stream.isStream && !stream.isSummed)
  }

  @Test func aFileThatIsNotInMemoryIsCold() throws {
    // `$TMPDIR` may be in memory.
    let directory = try TemporaryDirectory(in: "/var/tmp")
    let path = directory.file("part")
    try Files.write(Bytes.pattern(count: 1 << 20), to: path)
    let file = try FileDescriptor.open(path, .readWrite)
    try file.synchronize()
    file.dropCache()
    guard let cached = file.cachedBytes(in: 0..<(1 << 20)), cached == 0 else {
      print("skipped: the kernel does not tell what is in memory, or keeps it")
      return
    }
    let plan = try TransferPlan.merge([SourceFile(examining: path)], into: directory.file("out"))
    #expect(Workload(of: plan).isCold)
  }

  @Test func aPlanWithoutABytePutsUpWithAnyEngine() throws {
    let plan = try TransferPlan(sources: [], destinations: [], extents: [])
    #expect(EngineChoice(Workload(of: plan)).name == .direct)
  }
}
