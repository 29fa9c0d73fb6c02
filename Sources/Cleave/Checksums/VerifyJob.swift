import Dispatch
import Posix

/// Reads files and sums them, as many at a time as there are processors.
public struct VerifyJob: Sendable {
  public var kinds: Checksum.Kinds = [.crc32, .adler32]
  public var cancellation = Cancellation()
  public var progress = Progress()

  public init() {}

  /// What was found of a file.
  public struct Reading: Hashable, Sendable {
    public var checksum: Checksum
    /// Runs of bytes, not next to each other, that are not what the blocks' sums say, or are missing.
    public var wrong: [Range<Int64>] = []
  }

  /// What each file holds, or why it could not be read, in the order of the files.
  ///
  /// Blocks until all have been read; memory does not depend on their sizes.
  ///
  /// - Parameter blocks: of each file, to compare with; nil where they are not known.
  public func run(
    _ files: [SourceFile],
    blocks: [BlockSums?]
  ) -> [Result<Reading, CleaveError>] {
    progress.expectMore(files.totalSize)
    let box = ResultBox(files.count)
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      box.set(index, Result { () throws(CleaveError) in try read(files[index], blocks[index]) })
    }
    return box.values
  }

  private func read(_ file: SourceFile, _ blocks: BlockSums?) throws(CleaveError) -> Reading {
    let inputs = Inputs([file])
    let input = try inputs.acquire(0)
    var sum = Checksum.empty
    var comparison = blocks.map { BlockComparison($0, kinds.union(.crc32)) }
    do {
      try Checksum.read(input.descriptor, isCancelled: { cancellation.isCancelled }) { bytes in
        if comparison == nil { sum.update(bytes, kinds) } else { comparison?.update(bytes) }
        progress.add(bytes.count)
      }
    } catch {
      throw .reading(error)
    }
    try inputs.release(0)
    guard var comparison else { return Reading(checksum: sum) }
    sum = comparison.finish()
    return Reading(checksum: sum, wrong: comparison.ranges)
  }
}

/// A place for results that several threads fill.
private final class ResultBox: Sendable {
  private let results: Locked<[Result<VerifyJob.Reading, CleaveError>]>

  init(_ count: Int) {
    results = Locked(
      [Result<VerifyJob.Reading, CleaveError>](repeating: .failure(.cancelled), count: count)
    )
  }

  func set(_ index: Int, _ result: Result<VerifyJob.Reading, CleaveError>) {
    results.withLock { $0[index] = result }
  }

  var values: [Result<VerifyJob.Reading, CleaveError>] { results.withLock { $0 } }
}
