import Posix

/// Makes destinations share the blocks of their sources, where the file system can (XFS, Btrfs), so
/// that nothing has to be written.
final class BlockSharing: Sendable {
  /// What has been learned of each pair of devices: the block size, or 0 where they share none.
  private let blockSizes = Locked<[Pair: Int64]>([:])

  private struct Pair: Hashable {
    var source: UInt64
    /// The destination's file, since its device is not known without asking.
    var destination: ObjectIdentifier
  }

  /// Shares those blocks of a range that lie within it, wholly, on both sides.
  ///
  /// - Parameters:
  ///   - place: where the range is to be in the destination.
  ///   - size: of the whole destination, in bytes.
  /// - Returns: the part of the range that is in the destination now; empty, at the start of the
  ///   range, where that is nothing.
  func share(
    _ range: Range<Int64>,
    of file: InputFile,
    with output: OutputFile,
    at place: Int64,
    of size: Int64
  ) -> Range<Int64> {
    let nothing = range.lowerBound..<range.lowerBound
    let pair = Pair(
      source: file.source.status.identity.device,
      destination: ObjectIdentifier(output)
    )
    let known = blockSizes.withLock { $0[pair] }
    guard let block = known ?? file.descriptor.blockSize(), block > 0 else { return nothing }
    let endsBoth =
      range.upperBound == file.source.status.size && place + range.count64 == size
    guard let blocks = range.blocks(of: block, isEnd: endsBoth),
      (place - range.lowerBound) % block == 0
    else { return nothing }
    let start = place + blocks.lowerBound - range.lowerBound
    let isShared = output.share(blocks, of: file.descriptor, at: start)
    if known == nil || !isShared { blockSizes.withLock { $0[pair] = isShared ? block : 0 } }
    return isShared ? blocks : nothing
  }
}

extension Range<Int64> {
  /// The whole blocks within, nil for none; what is left before the end of both files counts as one.
  fileprivate func blocks(of size: Int64, isEnd: Bool) -> Range<Int64>? {
    let first = (lowerBound + size - 1) / size * size
    let last = isEnd ? upperBound : upperBound / size * size
    return first < last ? first..<last : nil
  }
}
