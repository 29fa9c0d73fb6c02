/// Some neighbouring bytes of an extent.
struct ExtentPiece: Hashable {
  /// The index of the extent in its plan.
  var extent: Int
  /// Bytes from the start of the extent.
  var start: Int64
  /// Bytes, more than 0.
  var length: Int64
}

/// A plan a little at a time: what is carried out, made durable and entered in the journal before the
/// next is begun.
package struct Rounds {
  private let extents: [Extent]
  private var order: ArraySlice<Int>
  /// Bytes of the first extent in `order` that earlier rounds had.
  private var start: Int64 = 0
  private let size: Int64

  /// Bytes of a round, unless something else is asked for: what an interrupted job does again at most,
  /// and what an output that consumes its sources needs in excess.
  package static let usualSize: Int64 = 32 << 20
  /// Bytes. A cut within a source is at a multiple of it, so that blocks can be shared and freed.
  private static let alignment: Int64 = 1 << 20

  /// - Parameters:
  ///   - order: the extents to carry out; those of one destination rising by offset.
  ///   - size: of a round, in bytes.
  init(_ plan: TransferPlan, order: [Int], size: Int64) {
    self.size = size
    extents = plan.extents
    self.order = order[...]
  }

  /// The pieces of the next round, at most the size given, but for bytes of the plan's own.
  mutating func next() -> [ExtentPiece]? {
    var pieces: [ExtentPiece] = []
    var room = size
    while let index = order.first, room > 0 {
      let length = length(of: extents[index], room)
      pieces.append(ExtentPiece(extent: index, start: start, length: length))
      room -= length
      advance(length)
    }
    return pieces.isEmpty ? nil : pieces
  }

  /// The destinations that are still to be written to.
  var destinations: Set<Int> { Set(order.lazy.map { [extents] in extents[$0].destination }) }

  /// Leaves out pieces that earlier runs have done: those that the rounds would begin with.
  ///
  /// - Returns: how many of them were.
  mutating func skip(_ pieces: some Sequence<ExtentPiece>) -> Int {
    var count = 0
    for piece in pieces {
      guard piece.extent == order.first, piece.start == start, piece.length > 0,
        piece.length <= extents[piece.extent].length - start
      else { break }
      advance(piece.length)
      count += 1
    }
    return count
  }

  private func length(of extent: Extent, _ room: Int64) -> Int64 {
    guard case .file(_, let offset) = extent.source, extent.length - start > room else {
      return extent.length - start
    }
    let surplus = (offset + start + room) % Self.alignment
    return surplus < room ? room - surplus : room
  }

  private mutating func advance(_ length: Int64) {
    start += length
    guard let index = order.first, start == extents[index].length else { return }
    (start, order) = (0, order.dropFirst())
  }
}

extension TransferPlan {
  /// The part of the plan that consists of some pieces of it.
  ///
  /// - Parameter sources: as they are by now.
  func slice(_ pieces: [ExtentPiece], from sources: SourceFiles) -> TransferPlan {
    let sliced = pieces.map { piece in
      let whole = extents[piece.extent]
      var extent = whole
      if case .file(let source, let offset) = whole.source {
        extent.source = .file(source, offset: offset + piece.start)
      }
      extent.length = piece.length
      extent.offset = whole.offset + piece.start
      return extent
    }
    return TransferPlan(slicing: sliced, of: destinations, from: sources)
  }
}
