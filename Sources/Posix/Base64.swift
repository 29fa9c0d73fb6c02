/// Bytes in the alphabet of RFC 4648, section 4, as `cksum --base64` and object stores write sums.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )
  private static let padding = UInt8(ascii: "=")
  private static let values = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) }
  )

  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      let bits = (0..<3).reduce(0) { $0 << 8 | (group.count > $1 ? Int(bytes[start + $1]) : 0) }
      for place in 0...3 {
        text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: nil where it is not the one text of some bytes.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    var (bits, count): (UInt32, Int) = (0, 0)
    var bytes: [UInt8] = []
    let digits = text.prefix { $0 != padding }
    guard text.count - digits.count < 3, text.dropFirst(digits.count).allSatisfy({ $0 == padding })
    else { return nil }
    for digit in digits {
      guard let value = values[digit] else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // What is left over of the last digit is no part of a byte.
    return bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
  }
}
