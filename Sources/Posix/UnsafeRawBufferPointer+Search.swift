internal import CPlatform

extension UnsafeRawBufferPointer {
  /// The place behind the byte that has a value for the `times`th time.
  ///
  /// - Parameter times: at least 1. Where there are fewer such bytes, it then is how many are missing.
  /// - Returns: nil where there are fewer.
  package func end(of byte: UInt8, times: inout UInt64) -> Int? {
    guard let baseAddress else { return nil }
    let place = cplatform_skip_byte(baseAddress, count, byte, &times)
    return place > 0 ? place : nil
  }

  /// Where the first byte of a value is; see `memchr(3)`.
  package func firstPlace(of byte: UInt8) -> Int? {
    guard let baseAddress else { return nil }
    let place = cplatform_first_byte(baseAddress, count, byte)
    return place < count ? place : nil
  }

  /// Where the last byte of a value is; see `memrchr(3)`.
  package func lastPlace(of byte: UInt8) -> Int? {
    guard let baseAddress else { return nil }
    let place = cplatform_last_byte(baseAddress, count, byte)
    return place < count ? place : nil
  }
}

extension [UInt8] {
  /// Where the last byte of a value is among the first `end`; see `memrchr(3)`.
  package func lastPlace(of byte: UInt8, before end: Int) -> Int? {
    withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[..<end]).lastPlace(of: byte) }
  }
}
