internal import CPlatform

/// Characters by the locale of the environment; see `locale(7)`. The locale of the process stays that of C.
package enum Characters {
  /// Whether they are UTF-8.
  package static var areUTF8: Bool { cplatform_is_utf8() == 1 }

  /// The first character of some bytes, which are not none: its length in bytes, and whether it can be
  /// printed. A byte that begins no character is one that cannot.
  package static func first(of bytes: ArraySlice<UInt8>) -> (length: Int, isPrintable: Bool) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return (1, false) }
      var isPrintable: CInt = 0
      let text = base.assumingMemoryBound(to: CChar.self)
      let length = cplatform_character(text, buffer.count, &isPrintable)
      return (length, isPrintable != 0)
    }
  }
}
