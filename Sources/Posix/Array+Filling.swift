extension [UInt8] {
  /// The bytes that `fill` writes to the front of a buffer, whose number it returns.
  package init<E: Error>(
    capacity: Int,
    filledBy fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    // All empty arrays are one, whose size is not to be written by several threads.
    if capacity == 0 {
      self = []
      return
    }
    var failure: E?
    self.init(unsafeUninitializedCapacity: capacity) { buffer, filled in
      do throws(E) {
        filled = try fill(UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// The value of a call that is given the bytes. `withUnsafeBytes` forgets which errors its body throws.
  package func withBytes<R, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
  ) throws(Failure) -> R {
    try withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }.get()
  }
}
