import Dispatch
import Posix

/// Page-aligned buffers that nobody uses at the moment. They outlive a run of an engine, so that a job
/// in thousands of stages does not tear the heap to pieces.
package final class IdleBuffers: Sendable {
  // Each is handed out under the lock, to one holder at a time.
  private let addresses = Locked<[UInt]>([])

  package init() {}

  deinit {
    for address in addresses.withLock({ $0 }) {
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// A buffer of `count` bytes, as many as every other: one that was given back, or a new one.
  func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let address = addresses.withLock { $0.popLast() }
    if let address {
      let start = UnsafeMutableRawPointer(bitPattern: address)
      return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
    return .allocate(byteCount: count, alignment: Mapping.pageSize)
  }

  /// Gives a buffer back. Nobody may use it after that.
  func give(_ address: UInt) { addresses.withLock { $0.append(address) } }
}

/// Buffers that are used over and over, which bounds the bytes in flight and spares the page faults of
/// fresh memory.
final class BufferPool: Sendable {
  let bufferSize: Int
  private let count: Int
  private let free: DispatchSemaphore
  private let idle: IdleBuffers

  /// A pool of up to `count` buffers of `bufferSize` bytes, made when they are first wanted.
  init(count: Int, bufferSize: Int, idle: IdleBuffers) {
    (self.count, self.bufferSize, self.idle) = (count, bufferSize, idle)
    free = DispatchSemaphore(value: count)
  }

  /// Waits for a buffer.
  func take() -> UnsafeMutableRawBufferPointer {
    free.wait()
    return idle.take(bufferSize)
  }

  /// Gives a buffer back. Nobody may use it after that.
  func give(_ address: UInt) {
    idle.give(address)
    free.signal()
  }

  /// Waits until all buffers are back.
  func drain() { free.drain(count) }
}
