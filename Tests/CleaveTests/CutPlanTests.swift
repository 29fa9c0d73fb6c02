import Posix
import TestSupport
import Testing

@testable import Cleave

/// Pieces of plans make the same bytes as the plans.
@Suite struct CutPlanTests {
  @Test func anyPieceOfAnyPlanIsThatOfItsBytes() throws {
    let seed = SeededGenerator.seed
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let (plan, contents) = try Self.plan(&random)
      let whole = try Self.bytes(of: plan, contents)
      let start = Int.random(in: 0..<whole.count, using: &random)
      let end = Int.random(in: (start + 1)...whole.count, using: &random)
      let cut = plan.cut(to: Int64(start)..<Int64(end))
      #expect(try Self.bytes(of: cut, contents) == Array(whole[start..<end]), "seed \(seed)")
      // What is checked of every plan holds of a cut one, too.
      let checked = try TransferPlan(
        sources: cut.sources,
        destinations: cut.destinations,
        extents: cut.extents
      )
      #expect(checked.extents == cut.extents, "seed \(seed)")
      #expect(cut.totalBytes == Int64(end - start), "seed \(seed)")
    }
  }

  @Test func readingEndsWhereTheCutDoes() throws {
    let sources = (0..<3).map { Self.source($0, size: 100) }
    let plan = try TransferPlan.merge(sources, into: "out")
    #expect(plan.cut(to: 0..<300).ends == [:])
    #expect(plan.cut(to: 50..<100).ends == [:])
    #expect(plan.cut(to: 50..<99).ends == [0: 99])
    #expect(plan.cut(to: 99..<201).ends == [2: 1])
    #expect(plan.ends == [:])
  }

  /// Up to six extents of all kinds, from three sources.
  private static func plan(
    _ random: inout SeededGenerator
  ) throws -> (plan: TransferPlan, contents: [[UInt8]]) {
    let contents = (0..<3).map { Bytes.pattern(count: 50 + $0 * 30, seed: UInt64($0)) }
    var extents: [Extent] = []
    var end = 0
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let length = Int.random(in: 1...40, using: &random)
      let bytes = Bytes.pattern(count: length, seed: random.next())
      let index = Int.random(in: 0..<3, using: &random)
      let offset = Int.random(in: 0...(contents[index].count - length), using: &random)
      let kinds: [Extent.Source] = [
        .file(index, offset: Int64(offset)), .inline(bytes),
        .deferred(DeferredBytes(count: Int64(length)) { bytes }),
      ]
      let source = kinds[Int.random(in: 0..<3, using: &random)]
      let extent = Extent(
        source: source,
        length: Int64(length),
        destination: 0,
        offset: Int64(end)
      )
      extents.append(extent)
      end += length
    }
    let plan = try TransferPlan(
      sources: contents.indices.map { source($0, size: contents[$0].count) },
      destinations: [DestinationFile(path: "out", size: Int64(end))],
      extents: extents
    )
    return (plan, contents)
  }

  private static func source(_ index: Int, size: Int) -> SourceFile {
    let identity = FileStatus.Identity(device: 1, inode: UInt64(index))
    let status = FileStatus(identity: identity, size: Int64(size), modified: 0)
    return SourceFile(path: FilePath("source.\(index)"), status: status)
  }

  private static func bytes(of plan: TransferPlan, _ contents: [[UInt8]]) throws -> [UInt8] {
    try plan.extents.flatMap { extent in
      if case .file(let index, let offset) = extent.source {
        return Array(contents[index][Int(offset)..<Int(offset + extent.length)])
      }
      return try extent.source.bytes() ?? []
    }
  }
}
