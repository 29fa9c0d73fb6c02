import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct PlanTests {
  private func source(_ size: Int64) throws -> SourceFile {
    var status = try FileStatus.of(".")
    status.size = size
    return SourceFile(path: "source", status: status)
  }

  private func extent(_ from: Int64, _ length: Int64, to: Int64, of destination: Int = 0) -> Extent
  {
    Extent(source: .file(0, offset: from), length: length, destination: destination, offset: to)
  }

  private func plan(size: Int64, _ extents: [Extent]) throws(PlanError) -> TransferPlan {
    guard let source = try? source(100) else { throw PlanError.wrongSize(.init(path: "", size: 0)) }
    return try TransferPlan(
      sources: [source],
      destinations: [DestinationFile(path: "destination", size: size)],
      extents: extents
    )
  }

  @Test func extentsThatTileTheDestinationMakeAPlanInItsOrder() throws {
    let plan = try plan(size: 30, [extent(50, 20, to: 10), extent(0, 10, to: 0)])
    #expect(plan.extents.map(\.offset) == [0, 10])
    #expect(plan.totalBytes == 30)
  }

  @Test func emptyExtentsAreDropped() throws {
    #expect(try plan(size: 10, [extent(0, 10, to: 0), extent(5, 0, to: 10)]).extents.count == 1)
  }

  @Test func aPlanNamesItsFirstFault() {
    let gap = extent(0, 5, to: 5)
    let overlap = extent(0, 5, to: 8)
    let beyond = extent(90, 20, to: 0)
    let nowhere = extent(0, 10, to: 0, of: 1)
    let negative = extent(-1, 10, to: 0)
    let huge = extent(.max, .max, to: 0)
    let short = Extent(source: .inline([1]), length: 2, destination: 0, offset: 0)
    let unknown = Extent(source: .file(7, offset: 0), length: 1, destination: 0, offset: 0)
    #expect(throws: PlanError.gap(gap)) { try plan(size: 10, [gap]) }
    #expect(throws: PlanError.overlap(overlap)) {
      try plan(size: 13, [extent(0, 10, to: 0), overlap])
    }
    #expect(throws: PlanError.outOfRange(beyond)) { try plan(size: 20, [beyond]) }
    #expect(throws: PlanError.noSuchDestination(nowhere)) { try plan(size: 10, [nowhere]) }
    #expect(throws: PlanError.outOfRange(negative)) { try plan(size: 10, [negative]) }
    #expect(throws: PlanError.outOfRange(huge)) { try plan(size: 10, [huge]) }
    #expect(throws: PlanError.outOfRange(short)) { try plan(size: 2, [short]) }
    #expect(throws: PlanError.noSuchSource(unknown)) { try plan(size: 1, [unknown]) }
    #expect(throws: PlanError.wrongSize(.init(path: "destination", size: 11))) {
      try plan(size: 11, [extent(0, 10, to: 0)])
    }
  }

  @Test func sizesThatOverflowTogetherAreRefused() throws {
    let huge = try source(.max)
    #expect(throws: PlanError.self) { try TransferPlan.merge([huge, huge], into: "out") }
  }
}

@Suite struct CutListTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let cuts: CutList
    let total: Int64
    let sizes: [Int64]
    var testDescription: String { "\(cuts) of \(total)" }
  }

  @Test(arguments: [
    Row(cuts: .every(4), total: 0, sizes: [0]),
    Row(cuts: .every(4), total: 1, sizes: [1]),
    Row(cuts: .every(4), total: 4, sizes: [4]),
    Row(cuts: .every(4), total: 9, sizes: [4, 4, 1]),
    Row(cuts: .every(.max), total: 9, sizes: [9]),
    Row(cuts: .count(1), total: 9, sizes: [9]),
    Row(cuts: .count(3), total: 10, sizes: [4, 3, 3]),
    Row(cuts: .count(3), total: 2, sizes: [1, 1, 0]),
    Row(cuts: .count(2), total: 0, sizes: [0, 0]),
    Row(cuts: .list([3, 4], rest: true), total: 10, sizes: [3, 4, 3]),
    Row(cuts: .list([3, 4], rest: true), total: 7, sizes: [3, 4]),
    Row(cuts: .list([3, 4], rest: false), total: 5, sizes: [3, 2]),
    Row(cuts: .list([3, 4], rest: false), total: 7, sizes: [3, 4]),
    Row(cuts: .list([3], rest: true), total: 0, sizes: [0]),
  ])
  func cutsMakeTheseSizes(_ row: Row) throws {
    #expect(try row.cuts.sizes(of: row.total) == row.sizes)
  }

  @Test func cutsThatDoNotFitAreRefused() {
    #expect(throws: CutError.listTooShort(missing: 3)) {
      try CutList.list([3, 4], rest: false).sizes(of: 10)
    }
    #expect(throws: CutError.tooManyParts(4 << 30)) { try CutList.every(1).sizes(of: 4 << 30) }
    #expect(throws: CutError.tooManyParts(1_000_001)) { try CutList.count(1_000_001).sizes(of: 1) }
  }
}

@Suite struct WaterMarkTests {
  private static let defaults = WaterMarks(low: 100, high: 100, window: 400)

  @Test(arguments: [
    (EngineSettings(), [100, 100, 400]),
    (EngineSettings(highWater: 50), [50, 50, 400]),
    (EngineSettings(highWater: 1000), [1000, 1000, 2000]),
    (EngineSettings(lowWater: 10), [10, 100, 400]),
    (EngineSettings(lowWater: 150), [150, 150, 400]),
    (EngineSettings(window: 60), [60, 60, 60]),
  ])
  func whatIsNotGivenFollowsWhatIs(settings: EngineSettings, marks: [Int]) {
    let resolved = settings.resolved(Self.defaults)
    #expect([resolved.low, resolved.high, resolved.window] == marks)
    #expect(settings.contradiction == nil)
  }

  @Test(arguments: [
    EngineSettings(lowWater: 2, highWater: 1), EngineSettings(lowWater: 0),
    EngineSettings(highWater: 0), EngineSettings(window: 0),
    EngineSettings(highWater: 2, window: 1), EngineSettings(lowWater: 2, window: 1),
    EngineSettings(highWater: .max),
  ])
  func contradictionsAreTold(settings: EngineSettings) {
    #expect(settings.contradiction != nil)
  }

  @Test func smallPiecesAreFew() {
    #expect(EngineSettings(highWater: 1).resolved(Self.defaults).pieces == 64)
    #expect(EngineSettings(highWater: 100).resolved(Self.defaults).pieces == 4)
  }
}
