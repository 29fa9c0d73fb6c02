import Cleave
import Posix

/// Compares what the contenders make, so that none is fast because it does something else.
final class BenchComparison {
  private let job: BenchJob
  private let cancellation: Cancellation
  /// The checksum of the first output, where outputs are not the inputs one after the other.
  private var first: (contender: BenchContender, sum: Checksum)?

  init(_ job: BenchJob, _ cancellation: Cancellation) {
    self.job = job
    self.cancellation = cancellation
  }

  /// - Parameter outputs: in the order of their bytes in the whole.
  /// - Throws: ``BenchFailure/ended(_:exitCode:)`` with exit code 1 where they are wrong.
  func check(_ outputs: [FilePath], of contender: BenchContender) throws(BenchFailure) {
    let difference = try CleaveBench.job { () throws(CleaveError) in
      do throws(SystemError) {
        guard job.rewrites else { return try differenceFromInputs(outputs) }
        // From a split zip, another program makes a different zip, if it can make one.
        guard case .cleave = contender else { return nil }
        return try differenceFromFirst(outputs, contender)
      } catch {
        throw .reading(error)
      }
    }
    if let difference { throw .ended("\(contender.description): \(difference)", exitCode: 1) }
  }

  // MARK: Byte for byte

  private func differenceFromInputs(_ outputs: [FilePath]) throws(SystemError) -> String? {
    var made: Int64 = 0
    for output in outputs { made += try FileStatus.of(output).size }
    guard made == job.bytes else { return "made \(made) of \(job.bytes) bytes" }
    var found = Concatenation(outputs)
    var expected = Concatenation(job.inputs.map(\.path))
    let buffers = (0..<2).map { _ in
      UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: Mapping.pageSize)
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    var position: Int64 = 0
    while position < made {
      if cancellation.isCancelled { throw SystemError("read", job.inputs[0].path, .canceled) }
      let counts = (try found.read(into: buffers[0]), try expected.read(into: buffers[1]))
      let pieces = (
        UnsafeRawBufferPointer(rebasing: buffers[0][..<counts.0]),
        UnsafeRawBufferPointer(rebasing: buffers[1][..<counts.1])
      )
      if let offset = pieces.0.firstDifference(from: pieces.1) {
        return "its output differs from the inputs at byte \(position + Int64(offset))"
      }
      // Both end here only if another process has cut the files short meanwhile.
      if counts.0 == 0 { break }
      position += Int64(counts.0)
    }
    return nil
  }

  // MARK: By a checksum

  private func differenceFromFirst(
    _ outputs: [FilePath],
    _ contender: BenchContender
  ) throws(SystemError) -> String? {
    var sum = Checksum.empty
    for output in outputs {
      let file = try FileDescriptor.open(output, .readOnly)
      sum.append(
        try Checksum(reading: file, kinds: [.crc32]) { cancellation.isCancelled }
      )
    }
    guard let first else {
      self.first = (contender, sum)
      return nil
    }
    if sum == first.sum { return nil }
    return "its output has \(sum.count) bytes and CRC-32 \(sum.crc32Text); that of "
      + "\(first.contender.description) has \(first.sum.count) and \(first.sum.crc32Text)"
  }
}

/// Several files, read as if they were one.
private struct Concatenation {
  private final class OpenFile {
    let descriptor: FileDescriptor
    var position: Int64 = 0
    init(_ path: FilePath) throws(SystemError) { descriptor = try .open(path, .readOnly) }
  }

  private var rest: ArraySlice<FilePath>
  private var current: OpenFile?

  init(_ files: [FilePath]) { rest = files[...] }

  /// Fills the buffer; less only at the end of the last file.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      if current == nil {
        guard let next = rest.popFirst() else { break }
        current = try OpenFile(next)
      }
      guard let file = current else { break }
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try file.descriptor.read(into: room, at: file.position)
      filled += count
      file.position += Int64(count)
      if count < room.count { current = nil }
    }
    return filled
  }
}
