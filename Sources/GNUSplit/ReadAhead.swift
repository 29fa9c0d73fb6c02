internal import Dispatch
internal import Posix
internal import Synchronization

/// Reads a file on a thread of its own, a few pieces ahead of the one that takes them.
final class ReadAhead: @unchecked Sendable {
  // Sendable: a buffer is the reader's or the taker's; the semaphores count those of each, and order what they do.
  private let buffers: [UnsafeMutableRawBufferPointer]
  private let free: DispatchSemaphore
  private let filled = DispatchSemaphore(value: 0)
  private let results = Locked<[Result<Int, SystemError>]>([])
  /// The taker's: of the next piece.
  private var index = 0
  private var hasPiece = false

  /// - Parameter descriptor: somebody else's, who keeps it open as long as this lives, and does not read.
  init(_ descriptor: CInt, _ name: FilePath, block: Int, pieces: Int = 4) {
    buffers = (0..<pieces).map { _ in .allocate(byteCount: block, alignment: 4096) }
    free = DispatchSemaphore(value: 0)
    for _ in 0..<pieces { free.signal() }
    DispatchQueue(label: "split reads").async { self.readAll(descriptor, name) }
  }

  private func readAll(_ descriptor: CInt, _ name: FilePath) {
    var index = 0
    while true {
      free.wait()
      let buffer = buffers[index]
      index = (index + 1) % buffers.count
      let result: Result<Int, SystemError>
      do throws(SystemError) {
        let count = try FileDescriptor.lending(descriptor, path: name) { file throws(SystemError) in
          try file.read(into: buffer)
        }
        result = .success(count)
      } catch {
        result = .failure(error)
      }
      results.withLock { $0.append(result) }
      filled.signal()
      guard case .success(1...) = result else { return }
    }
  }

  /// The next bytes, which are there until the next call; none at the end. Not to be called again then.
  func next() throws(SystemError) -> UnsafeRawBufferPointer {
    if hasPiece { free.signal() }
    hasPiece = true
    filled.wait()
    let result = results.withLock { $0.removeFirst() }
    let buffer = buffers[index]
    index = (index + 1) % buffers.count
    return UnsafeRawBufferPointer(rebasing: buffer[..<(try result.get())])
  }
}
