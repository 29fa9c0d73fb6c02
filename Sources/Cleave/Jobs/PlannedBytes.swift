import Posix

/// The bytes of a plan's only destination: read from there as far as they have been written, and from
/// where the plan takes them in front of that.
final class PlannedBytes: RandomAccessBytes {
  let path: FilePath
  let size: Int64
  private let extents: [Extent]
  private let sources: JoinedBytes
  /// The bytes of an extent that are made each time, the last that were.
  private let made = Locked<(extent: Int, bytes: [UInt8])?>(nil)
  private let pace: Pace
  private let output: Output?
  /// What was read in front of what had been written, and the sums of it.
  private let ahead = Locked<[(range: Range<Int64>, sum: Checksum)]>([])

  /// The destination, under the name that it has until it is complete.
  private final class Output: Sendable {
    let file: FileDescriptor
    init(_ path: FilePath) throws(SystemError) { file = try .open(path, [.readOnly, .noFollow]) }
  }

  /// - Parameters:
  ///   - output: what is written; nil for what cannot be read.
  ///   - pace: what of it has been written.
  /// - Throws: `.badData` where the sizes of the sources together exceed 2⁶³−1.
  init(_ plan: TransferPlan, into output: FilePath?, at pace: Pace) throws(CleaveError) {
    (path, size) = (plan.destinations[0].path, plan.destinations[0].size)
    extents = plan.extents
    sources = try JoinedBytes(plan.sources)
    self.pace = pace
    do throws(SystemError) {
      self.output = try output.map { path throws(SystemError) in try Output(path) }
    } catch {
      throw .reading(error.about(plan.destinations[0].path))
    }
  }

  var identity: Int64 { size }

  func currentIdentity() throws(CleaveError) -> Int64 {
    try sources.requireUnchanged()
    return size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(CleaveError) {
    // bounded: within the destination
    let range = offset..<(offset + Int64(buffer.count))
    // What was read here and there is remembered, but not without end.
    let isFull = output != nil && ahead.withLock { $0.count } >= Self.mostAhead
    if pace.wait(for: range, isNeeded: isFull), let output {
      return try read(output, into: buffer, at: offset)
    }
    try readPlanned(into: buffer, at: offset)
    if output != nil { noteAhead(UnsafeRawBufferPointer(buffer), range) }
  }

  private func noteAhead(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int64>) {
    var sum = Checksum.empty
    sum.update(bytes, .crc32)
    ahead.withLock { ahead in
      if let last = ahead.last, last.range.upperBound == range.lowerBound {
        ahead[ahead.count - 1].range = last.range.lowerBound..<range.upperBound
        ahead[ahead.count - 1].sum.append(sum)
      } else {
        ahead.append((range, sum))
      }
    }
  }

  private func read(
    _ output: Output,
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(CleaveError) {
    let found: Int
    do { found = try output.file.read(into: buffer, at: offset) } catch {
      throw .reading(error.about(path))
    }
    guard found == buffer.count else {
      throw CleaveError(.inputOutput, path, "ends at \(offset + Int64(found)) while it is proved")
    }
  }

  /// Compares what was read in front of what had been written, and decided what was read behind it, with
  /// what was written there.
  ///
  /// - Parameter ranges: that are compared with the sources as they are now as well.
  /// - Throws: `.changedInput` where the sources had other bytes then.
  func requireWritten(_ ranges: [Range<Int64>]) throws(CleaveError) {
    guard let output else { return }
    pace.wait(for: 0..<size, isNeeded: true)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.piece, alignment: 64)
    defer { buffer.deallocate() }
    let (left, right) = (buffer.prefix(Self.piece), buffer.dropFirst(Self.piece))
    for (range, sum) in ahead.withLock({ $0 }) {
      var written = Checksum.empty
      for position in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
        let count = Int(min(Int64(Self.piece), range.upperBound - position))
        let bytes = UnsafeMutableRawBufferPointer(rebasing: right.prefix(count))
        try read(output, into: bytes, at: position)
        written.update(UnsafeRawBufferPointer(bytes), .crc32)
      }
      if written.crc32 != sum.crc32 { throw changed }
    }
    for range in ranges {
      for position in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
        let count = Int(min(Int64(Self.piece), range.upperBound - position))
        let (planned, written) = (left.prefix(count), right.prefix(count))
        try readPlanned(into: .init(rebasing: planned), at: position)
        try read(output, into: .init(rebasing: written), at: position)
        guard planned.elementsEqual(written) else { throw changed }
      }
    }
  }

  private var changed: CleaveError {
    CleaveError(
      .changedInput,
      path,
      "an input, or what was made of it, was changed while it was being read"
    )
  }

  private static let piece = 64 << 10
  /// Ranges.
  private static let mostAhead = 1 << 16

  private func readPlanned(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(CleaveError) {
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
    max(0, extents.partitioningIndex { $0.offset > offset } - 1)
  }

  private func bytes(of index: Int) throws(CleaveError) -> [UInt8] {
    if let made = made.withLock({ $0 }), made.extent == index { return made.bytes }
    let bytes = try extents[index].source.bytes() ?? []
    made.withLock { $0 = (index, bytes) }
    return bytes
  }
}
