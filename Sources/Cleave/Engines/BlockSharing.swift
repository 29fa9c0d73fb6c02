import Posix
import Synchronization

/// Whether outputs share the blocks of their sources, on file systems that can (XFS, Btrfs), so that
/// nothing has to be written.
public enum SharingPolicy: String, CaseIterable, Sendable {
  /// Where that works; the rest is copied.
  case auto
  /// Wherever the blocks of both sides lie alike, or the job fails; the rest is copied.
  case always
  /// Nowhere: every block of an output is its own.
  case never
}

/// Makes destinations share the blocks of their sources, as far as a policy wants it.
package final class BlockSharing: Sendable {
  let policy: SharingPolicy
  /// What has been learned of each pair of devices: the block size, or 0 where they share none.
  private let blockSizes = Locked<[Pair: Int64]>([:])
  /// Whether there is room for the destinations only if they share; set before an engine runs.
  private let isNeeded = Atomic<Bool>(false)

  private struct Pair: Hashable {
    var source: UInt64
    /// The destination's file, since its device is not known without asking.
    var destination: ObjectIdentifier
  }

  package init(_ policy: SharingPolicy) { self.policy = policy }

  /// Whether no room is to be taken beforehand: there is not enough for what will be shared.
  var savesRoom: Bool { isNeeded.load(ordering: .relaxed) }

  /// Whether the destinations of a plan may share blocks, by the looks of it.
  package func mayShare(_ plan: TransferPlan, _ engine: EngineName) -> Bool {
    policy != .never && engine.engine.capabilities.contains(.sharedBlocks)
      && Workload(of: plan).sharesBlocks
  }

  func saveRoom() { isNeeded.store(true, ordering: .relaxed) }

  /// Shares those blocks of a range that lie within it, wholly, on both sides.
  ///
  /// - Parameters:
  ///   - place: where the range is to be in the destination.
  ///   - size: of the whole destination, in bytes.
  /// - Returns: the part of the range that is in the destination now; empty, at the start of the
  ///   range, where that is nothing.
  /// - Throws: where the policy leaves no other way, and this one failed.
  func share(
    _ range: Range<Int64>,
    of file: InputFile,
    with output: OutputFile,
    at place: Int64,
    of size: Int64
  ) throws(CleaveError) -> Range<Int64> {
    let nothing = range.lowerBound..<range.lowerBound
    if policy == .never { return nothing }
    let pair = Pair(
      source: file.source.status.identity.device,
      destination: ObjectIdentifier(output)
    )
    let known = blockSizes.withLock { $0[pair] }
    guard let block = known ?? file.descriptor.blockSize(), block > 0 else { return nothing }
    let placement = BlockPlacement(range, of: file.source.status.size, at: place, of: size)
    guard let blocks = placement.blocks(of: block) else { return nothing }
    do {
      try output.share(blocks, of: file.descriptor, at: placement.place(of: blocks))
    } catch {
      if policy == .always { throw Self.failure(error, file) }
      blockSizes.withLock { $0[pair] = 0 }
      return nothing
    }
    if known == nil { blockSizes.withLock { $0[pair] = block } }
    return blocks
  }

  /// Why blocks that were to be shared are not: it may be the source that is not what it was.
  static func failure(_ error: SystemError, _ file: InputFile) -> CleaveError {
    do throws(CleaveError) {
      try file.requireUnchanged()
      return .sharing(error, of: file.path)
    } catch {
      return error
    }
  }
}

/// How a range of a source lies in its destination.
struct BlockPlacement {
  private let range: Range<Int64>
  /// Bytes from the start of the destination.
  private let place: Int64
  /// Whether both files end with the range.
  private let isEnd: Bool

  /// - Parameters:
  ///   - sourceSize: of the whole source, in bytes.
  ///   - place: where the range is to be in the destination.
  ///   - size: of the whole destination, in bytes.
  init(_ range: Range<Int64>, of sourceSize: Int64, at place: Int64, of size: Int64) {
    self.range = range
    self.place = place
    isEnd = range.upperBound == sourceSize && place + range.count64 == size
  }

  /// The whole blocks within on both sides, as a range of the source; nil for none. What is left
  /// before the end of both files counts as one.
  func blocks(of size: Int64) -> Range<Int64>? {
    guard (place - range.lowerBound) % size == 0 else { return nil }
    let first = (range.lowerBound + size - 1) / size * size
    let last = isEnd ? range.upperBound : range.upperBound / size * size
    return first < last ? first..<last : nil
  }

  /// Where a part of the range is to be in the destination.
  func place(of part: Range<Int64>) -> Int64 { place + part.lowerBound - range.lowerBound }
}
