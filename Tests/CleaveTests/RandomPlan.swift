import TestSupport

@testable import Cleave

/// Several sources and inline bytes, cut up and dealt out to several destinations.
struct RandomPlan {
  let plan: TransferPlan
  let expected: [[UInt8]]

  init(in directory: TemporaryDirectory, using random: inout SeededGenerator) throws {
    let contents = (0..<Int.random(in: 1...4, using: &random)).map { index in
      Bytes.pattern(count: Int.random(in: 0...200_000, using: &random), seed: UInt64(index + 10))
    }
    let sources = try contents.enumerated().map { index, bytes in
      let path = directory.file(FilePath("source\(index)"))
      try Files.write(bytes, to: path)
      return try SourceFile(examining: path)
    }
    var extents: [Extent] = []
    var expected: [[UInt8]] = []
    for destination in 0..<Int.random(in: 1...4, using: &random) {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let (source, run) = Self.piece(of: contents, using: &random)
        extents.append(
          Extent(
            source: source,
            length: Int64(run.count),
            destination: destination,
            offset: Int64(bytes.count)
          )
        )
        bytes += run
      }
      expected.append(bytes)
    }
    let destinations = expected.enumerated().map { index, bytes in
      DestinationFile(path: directory.file(FilePath("made\(index)")), size: Int64(bytes.count))
    }
    extents.shuffle(using: &random)
    plan = try TransferPlan(sources: sources, destinations: destinations, extents: extents)
    self.expected = expected
  }

  private static func piece(
    of contents: [[UInt8]],
    using random: inout SeededGenerator
  ) -> (Extent.Source, [UInt8]) {
    if Int.random(in: 0..<4, using: &random) == 0 {
      let bytes = Bytes.pattern(count: Int.random(in: 0...9000, using: &random), seed: 77)
      return (.inline(bytes), bytes)
    }
    let source = contents.indices.randomElement(using: &random) ?? 0
    let start = Int.random(in: 0...contents[source].count, using: &random)
    let end = Int.random(in: start...contents[source].count, using: &random)
    return (.file(source, offset: Int64(start)), Array(contents[source][start..<end]))
  }
}
