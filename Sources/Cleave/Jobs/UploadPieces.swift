import Posix

/// The pieces in which an object of a store is made of what a plan has for it: what the store itself can copy, and
/// what is sent.
///
/// All but the last have at least as many bytes as stores want, and there are no more than they allow: parts that
/// are smaller are sent together with their neighbours.
struct UploadPieces: IteratorProtocol {
  struct Piece: Hashable {
    /// From 1 on.
    let number: Int
    /// Bytes of the object.
    let range: Range<Int64>
    /// The extent that the store copies it from; nil for one that is sent.
    var copied: Int?
  }

  /// Bytes of a piece that is sent, but for the last one.
  let size: Int64
  private let plan: TransferPlan
  private let end: Int64
  private let canCopy: (Int) -> Bool
  private var extent: Int
  private var position: Int64 = 0
  private var number = 0

  /// Bytes: pieces of up to twice as many are copied.
  private static let copied: Int64 = 64 << 20

  /// - Parameters:
  ///   - destination: the index of the object.
  ///   - canCopy: whether the store has the source of an index, and can copy from it.
  init(_ plan: TransferPlan, _ destination: Int, canCopy: @escaping (Int) -> Bool) {
    (self.plan, self.canCopy) = (plan, canCopy)
    end = plan.destinations[destination].size
    size = Self.size(ofObject: end)
    extent = plan.extents.partitioningIndex { $0.destination >= destination }
  }

  /// Bytes of a piece of an object of so many, at least 5 MiB.
  static func size(ofObject end: Int64) -> Int64 {
    let (least, most) = (UploadLimits.leastPiece, UploadLimits.mostPieces)
    // The last one takes what is left over.
    let needed = end / (most - 1) + 1
    // A round number of small ones.
    return max(least, (needed + 0xF_FFFF) & ~0xF_FFFF)
  }

  mutating func next() -> Piece? {
    guard position < end else { return nil }
    while plan.extents[extent].end <= position { extent += 1 }
    number += 1
    let start = position
    let copied = copiedLength()
    position = copied.map { start + $0 } ?? min(end, start + size)
    return Piece(number: number, range: start..<position, copied: copied.map { _ in extent })
  }

  /// How many bytes from here on can be copied at once; nil for none.
  private func copiedLength() -> Int64? {
    let extent = plan.extents[extent]
    guard case .file(let source, let offset) = extent.source, canCopy(source) else { return nil }
    let rest = extent.end - position
    let isWhole = offset == 0 && position == extent.offset && extent.end == end
    let all = plan.sources.statuses[source].size
    // Stores copy ranges of what has more than a piece's bytes, and of anything else all.
    let isEnd = extent.end == end && (all > UploadLimits.leastPiece || isWhole && rest == all)
    guard rest >= size || isEnd else { return nil }
    if rest < 2 * max(size, Self.copied) { return rest }
    return max(size, Self.copied)
  }
}
