import Dispatch
import Posix

/// Page-aligned buffers that are used over and over, which bounds the bytes in flight and spares the
/// page faults of fresh memory.
final class BufferPool: @unchecked Sendable {
  // Sendable: the pointers are handed out under the lock, each to one holder at a time.
  let bufferSize: Int
  private let count: Int
  private let free: DispatchSemaphore
  private let idle = Locked<[UInt]>([])

  /// A pool of up to `count` buffers of `bufferSize` bytes, made when they are first wanted.
  init(count: Int, bufferSize: Int) {
    self.count = count
    self.bufferSize = bufferSize
    free = DispatchSemaphore(value: count)
  }

  deinit {
    for address in idle.withLock({ $0 }) {
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// Waits for a buffer.
  func take() -> UnsafeMutableRawBufferPointer {
    free.wait()
    let address = idle.withLock { $0.popLast() }
    if let address {
      return UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(bitPattern: address),
        count: bufferSize
      )
    }
    return .allocate(byteCount: bufferSize, alignment: Mapping.pageSize)
  }

  /// Gives a buffer back. Nobody may use it after that.
  func give(_ address: UInt) {
    idle.withLock { $0.append(address) }
    free.signal()
  }

  /// Waits until all buffers are back.
  func drain() { free.drain(count) }
}
