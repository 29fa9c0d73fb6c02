import Dispatch
import Posix

/// Reads files and sums them, as many at a time as there are processors.
public struct VerifyJob: Sendable {
  public var kinds: Checksum.Kinds = [.crc32, .adler32]
  public var cancellation = Cancellation()
  public var progress = Progress()

  public init() {}

  /// The checksum of each file, or why it could not be read, in the order of the files.
  ///
  /// Blocks until all have been read; memory does not depend on their sizes.
  public func run(_ files: [SourceFile]) -> [Result<Checksum, CleaveError>] {
    progress.expectMore(files.totalSize)
    let box = ResultBox(files.count)
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      box.set(index, Result { () throws(CleaveError) in try sum(files[index]) })
    }
    return box.values
  }

  private func sum(_ file: SourceFile) throws(CleaveError) -> Checksum {
    let inputs = Inputs([file])
    let input = try inputs.acquire(0)
    let sum: Checksum
    do {
      sum = try Checksum(
        reading: input.descriptor,
        kinds: kinds,
        isCancelled: { cancellation.isCancelled },
        progress: progress
      )
    } catch {
      throw .reading(error)
    }
    try inputs.release(0)
    return sum
  }
}

/// A place for results that several threads fill.
private final class ResultBox: Sendable {
  private let results: Locked<[Result<Checksum, CleaveError>]>

  init(_ count: Int) {
    results = Locked([Result<Checksum, CleaveError>](repeating: .failure(.cancelled), count: count))
  }

  func set(_ index: Int, _ result: Result<Checksum, CleaveError>) {
    results.withLock { $0[index] = result }
  }

  var values: [Result<Checksum, CleaveError>] { results.withLock { $0 } }
}
