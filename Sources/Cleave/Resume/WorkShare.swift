/// Which of several equal shares of some work a run does.
public struct WorkShare: Hashable, Sendable {
  /// From 1.
  public let number: Int
  public let count: Int

  /// More runs than this do not share one output.
  public static let most = 10_000

  /// - Returns: nil for a number that is none of the shares', or too many of them.
  public init?(_ number: Int, of count: Int) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Its part of things that are there in a row, each of which is one share's.
  // bounded: 10,000 shares of what is there
  func range(of things: Int) -> Range<Int> {
    (number - 1) * things / count..<number * things / count
  }

  /// Those of the same work, but for some.
  func others(besides numbers: Set<Int>) -> [Int] { (1...count).filter { !numbers.contains($0) } }
}

extension WorkShare: CustomStringConvertible {
  public var description: String { "\(number)/\(count)" }
}

extension TransferPlan {
  /// Cuts within a source are at a multiple of it, in bytes of the output.
  private static let shareAlignment: Int64 = 1 << 20

  /// The pieces of one share, in the order of the plan. Those of all shares make all of it.
  func pieces(of share: WorkShare) -> [ExtentPiece] {
    let size = totalBytes / Int64(share.count)
    let alignment = size < Self.shareAlignment ? 1 : Self.shareAlignment
    func boundary(_ number: Int) -> Int64 {
      if number == share.count { return totalBytes }
      // bounded: less than all bytes
      let start = size * Int64(number)
      return start - start % alignment
    }
    let range = boundary(share.number - 1)..<boundary(share.number)
    var pieces: [ExtentPiece] = []
    var position: Int64 = 0
    for (index, extent) in extents.enumerated() {
      // bounded: the sum was checked with the plan
      let whole = position..<position + extent.length
      position = whole.upperBound
      var wanted = whole.clamped(to: range)
      // What the plan has of its own is not cut.
      if extent.sourceIndex == nil { wanted = range.contains(whole.lowerBound) ? whole : 0..<0 }
      if wanted.isEmpty { continue }
      pieces.append(
        ExtentPiece(
          extent: index,
          start: wanted.lowerBound - whole.lowerBound,
          length: wanted.count64
        )
      )
    }
    return pieces
  }
}
