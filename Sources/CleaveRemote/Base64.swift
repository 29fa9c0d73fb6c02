/// As stores write sums: four bytes, the highest first, in the alphabet of RFC 4648, 4.
extension UInt32 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  var base64: String {
    // Six digits of six bits for 32 of 36, and two that are none.
    let bits = UInt64(self) << 4
    let text = (0..<6).map { Self.digits[Int(bits >> (30 - 6 * UInt64($0)) & 63)] }
    return String(decoding: text, as: UTF8.self) + "=="
  }

  init?(base64 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 8, bytes[6...].allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
    var bits: UInt64 = 0
    for byte in bytes[..<6] {
      guard let digit = Self.digits.firstIndex(of: byte) else { return nil }
      bits = bits << 6 | UInt64(digit)
    }
    guard bits & 15 == 0 else { return nil }
    self = UInt32(bits >> 4)
  }
}
