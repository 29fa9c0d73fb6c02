import Dispatch
import Posix

/// Reads files and sums them, as many at a time as there are processors.
public struct VerifyJob: Sendable {
  public var kinds: Checksum.Kinds = [.crc32, .adler32]
  /// Of each file, or of what files make together.
  public var digests: Set<Checksum.Digest.Kind> = []
  public var cancellation = Cancellation()
  public var progress = WorkProgress()

  public init() {}

  /// What was found of a file.
  public struct Reading: Hashable, Sendable {
    public var checksum: Checksum
    /// Which sums the checksum has.
    public var kinds: Checksum.Kinds
    /// Of the kinds that were asked for.
    public var digests: [Checksum.Digest] = []
    /// Runs of bytes, not next to each other, that are not what the blocks' sums say, or are missing.
    public var wrong: [Range<Int64>] = []
  }

  /// What each file holds, or why it could not be read, in the order of the files.
  ///
  /// Blocks until all have been read; memory does not depend on their sizes. Progress has to be told
  /// before how many bytes there are.
  ///
  /// - Parameter files: as they were when they were looked at.
  /// - Parameter blocks: of each file, to compare with; nil where they are not known.
  public func run(
    _ files: [SourceFile],
    blocks: [BlockSums?]
  ) -> [Result<Reading, CleaveError>] {
    let box = ResultBox(files.count)
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      box.set(index, Result { () throws(CleaveError) in try read(files[index], blocks[index]) })
    }
    return box.values
  }

  /// What files make, one behind the other.
  ///
  /// - Parameters:
  ///   - files: in the order of their bytes.
  ///   - header: bytes at the start of each but the first that are left out.
  /// - Throws: what reading reports.
  public func runJoined(
    _ files: SourceFiles,
    header: Int64 = 0
  ) throws(CleaveError) -> Reading {
    progress.expectMore(files.totalSize)
    let passing = try PassingDigests(DigestRequest(whole: digests))
    let inputs = Inputs(files)
    var reader = DigestReader(inputs, passing, kinds: kinds, progress: progress) { [cancellation] in
      cancellation.isCancelled
    }
    var sum = Checksum.empty
    for (index, size) in files.sizes.enumerated() {
      let start = index == 0 ? 0 : min(header, size)
      sum.append(try reader.read(.file(index, offset: start), size - start))
    }
    try reader.close()
    let digests = try passing.finish().whole
    return Reading(checksum: sum, kinds: kinds, digests: digests)
  }

  private func read(_ file: SourceFile, _ blocks: BlockSums?) throws(CleaveError) -> Reading {
    let inputs = Inputs([file])
    let input = try inputs.acquire(0)
    let request = DigestRequest(whole: digests)
    let passing = request.isEmpty ? nil : try PassingDigests(request)
    var sum = Checksum.empty
    var comparison = blocks.map { BlockComparison($0, kinds.union(.crc32)) }
    do {
      try Checksum.read(input.descriptor, isCancelled: { cancellation.isCancelled }) { bytes in
        if comparison == nil { sum.update(bytes, kinds) } else { comparison?.update(bytes) }
        passing?.update(bytes)
        progress.add(bytes.count)
      }
    } catch {
      throw .reading(error)
    }
    try inputs.release(0)
    var reading = Reading(checksum: sum, kinds: kinds)
    if let passing { reading.digests = try passing.finish().whole }
    guard var comparison else { return reading }
    reading.checksum = comparison.finish()
    reading.wrong = comparison.ranges
    return reading
  }
}

/// A place for results that several threads fill.
private final class ResultBox: Sendable {
  typealias Found = Result<VerifyJob.Reading, CleaveError>

  private let results: Locked<[Found]>

  init(_ count: Int) {
    results = Locked([Found](repeating: .failure(.cancelled), count: count))
  }

  func set(_ index: Int, _ result: Found) {
    results.withLock { $0[index] = result }
  }

  var values: [Found] { results.withLock { $0 } }
}
