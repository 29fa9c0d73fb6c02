import Posix

/// The bytes that a plan is to make of its only destination, read from where it takes them.
final class PlannedBytes: RandomAccessBytes {
  let path: FilePath
  let size: Int64
  private let extents: [Extent]
  private let sources: JoinedBytes
  /// The bytes of an extent that are made each time, the last that were.
  private let made = Locked<(extent: Int, bytes: [UInt8])?>(nil)
  private let pace: Pace

  /// - Parameters:
  ///   - pace: how far the bytes may be read.
  /// - Throws: `.badData` where the sizes of the sources together exceed 2⁶³−1.
  init(_ plan: TransferPlan, at pace: Pace) throws(CleaveError) {
    (path, size) = (plan.destinations[0].path, plan.destinations[0].size)
    extents = plan.extents
    sources = try JoinedBytes(plan.sources)
    self.pace = pace
  }

  var identity: Int64 { size }

  func currentIdentity() throws(CleaveError) -> Int64 {
    try sources.requireUnchanged()
    return size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(CleaveError) {
    // bounded: within the destination
    pace.wait(for: offset..<(offset + Int64(buffer.count)))
    var (index, filled) = (extent(at: offset), 0)
    while filled < buffer.count {
      let extent = extents[index]
      // bounded: within the extent, which is sound, and within the buffer
      let start = offset + Int64(filled) - extent.offset
      let count = Int(min(Int64(buffer.count - filled), extent.length - start))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      if case .file(let source, let place) = extent.source {
        try sources.read(into: piece, at: sources.layout.starts[source] + place + start)
      } else {
        piece.copyBytes(from: try bytes(of: index)[Int(start)..<(Int(start) + count)])
      }
      (filled, index) = (filled + count, index + 1)
    }
  }

  func willRead(to offset: Int64) {
    guard offset < size else { return }
    let extent = extents[extent(at: offset)]
    guard case .file(let source, let place) = extent.source else { return }
    // bounded: within the extent, which is sound
    sources.willRead(to: sources.layout.starts[source] + place + offset - extent.offset)
  }

  /// The index of the extent that has the byte at `offset`.
  private func extent(at offset: Int64) -> Int {
    var (low, high) = (0, extents.count - 1)
    while low < high {
      // bounded: indices of an array
      let middle = (low + high + 1) / 2
      if extents[middle].offset <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func bytes(of index: Int) throws(CleaveError) -> [UInt8] {
    if let made = made.withLock({ $0 }), made.extent == index { return made.bytes }
    let bytes = try extents[index].source.bytes() ?? []
    made.withLock { $0 = (index, bytes) }
    return bytes
  }
}
