import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SharingTests {
  struct Row: Sendable {
    let range: Range<Int64>
    let sourceSize: Int64
    let place: Int64
    let size: Int64
    let blocks: Range<Int64>?

    init(
      _ range: Range<Int64>,
      _ sourceSize: Int64,
      _ place: Int64,
      _ size: Int64,
      _ blocks: Range<Int64>?
    ) {
      (self.range, self.sourceSize, self.place) = (range, sourceSize, place)
      (self.size, self.blocks) = (size, blocks)
    }
  }

  /// With blocks of ten bytes.
  static let rows = [
    Row(0..<30, 30, 0, 30, 0..<30),
    Row(0..<35, 35, 0, 35, 0..<35),
    // The rest of a block counts only where both files end.
    Row(0..<35, 36, 0, 35, 0..<30),
    Row(0..<35, 35, 0, 36, 0..<30),
    Row(5..<35, 35, 105, 135, 10..<35),
    Row(5..<35, 40, 25, 100, 10..<30),
    Row(5..<35, 35, 0, 30, nil),
    Row(5..<15, 100, 5, 100, nil),
    Row(0..<9, 100, 0, 100, nil),
    Row(0..<9, 9, 90, 99, 0..<9),
  ]

  @Test(arguments: rows.indices)
  func wholeBlocksAreFound(index: Int) {
    let row = Self.rows[index]
    let placement = BlockPlacement(row.range, of: row.sourceSize, at: row.place, of: row.size)
    #expect(placement.blocks(of: 10) == row.blocks)
    if let blocks = row.blocks {
      #expect(placement.place(of: blocks) - blocks.lowerBound == row.place - row.range.lowerBound)
    }
  }

  @Test(arguments: EngineName.allCases.filter { $0 != .direct })
  func enginesThatCannotShareSaySo(engine: EngineName) throws {
    let directory = try TemporaryDirectory()
    let part = try directory.make("a.001", Array(repeating: 1, count: 10_000))
    let output = directory.file("a")
    let plan = try TransferPlan.merge([SourceFile(examining: part)], into: output)
    var job = Job(plan, engine: engine)
    job.options.sharing = .always
    let error = #expect(throws: CleaveError.self) { try job.run() }
    #expect(error == CleaveError(.contradiction, "only the direct engine shares blocks"))
    #expect(try directory.names() == ["a.001"])
  }

  @Test func streamsHaveNoBlocksToShare() throws {
    let directory = try TemporaryDirectory()
    let part = try SourceFile(examining: try directory.make("a.001", [1]))
    var job = Job()
    job.options.sharing = .always
    let error = #expect(throws: CleaveError.self) {
      try job.run(.joining([.file(part)], into: directory.file("a")), judgedBy: UndemandingJudge())
    }
    #expect(error == CleaveError(.cannotCreate, "a stream has no blocks to share"))
    #expect(try directory.names() == ["a.001"])
  }
}
