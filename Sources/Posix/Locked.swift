import CPlatform
import Synchronization

/// A value that one thread at a time can get at: a `Mutex` that the thread sanitizer understands.
///
/// On Linux a contended `Mutex` waits inside Synchronization's own library, where the sanitizer sees
/// nothing and reports a race between any two holders. So it is told.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sendable: the value is there alone, and is used only by whoever has the lock. A `Mutex` of the value itself would
  // have its type looked up for every call, which takes longer than the lock.
  private let value: UnsafeMutablePointer<Value>
  /// The same address. The sanitizer takes the property above for changed where what it points to is.
  private let name: UnsafeMutableRawPointer
  private let mutex = Mutex(())

  package init(_ value: consuming sending Value) {
    self.value = .allocate(capacity: 1)
    name = UnsafeMutableRawPointer(self.value)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { _ throws(Failure) in
      cplatform_lock_taken(name)
      defer { cplatform_lock_given(name) }
      return try body(&value.pointee)
    }
  }
}
