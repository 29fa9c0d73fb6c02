import CPlatform

/// The keys of the terminal that is standard input, one by one; see `termios(3)`.
package enum Keyboard {
  /// The next key that was pressed, which is not waited for; nil where there is none, or where the process is
  /// in the background. From now on keys are not shown.
  package static func next() -> UInt8? {
    let key = cplatform_key()
    // bounded: a byte, or -1
    return key < 0 ? nil : UInt8(key)
  }

  /// Leaves the terminal as it was.
  package static func leave() { cplatform_leave_keys() }
}
