import CPlatform
package import Synchronization

/// A value that one thread at a time can get at: a `Mutex` that the thread sanitizer understands.
///
/// On Linux a contended `Mutex` waits inside Synchronization's own library, where the sanitizer sees
/// nothing and reports a race between any two holders. So it is told. Inlinable, since code that does not
/// know the value's type looks up that of the mutex for every call.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sendable: the address is only a name for the lock; nothing is ever stored there.
  @usableFromInline package let name = cplatform_lock_name()
  @usableFromInline package let mutex: Mutex<Value>

  @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  @inlinable deinit { cplatform_lock_name_free(name) }

  /// Calls `body` with the value while no other thread has it.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      cplatform_lock_taken(name)
      defer { cplatform_lock_given(name) }
      return try body(&value)
    }
  }
}
