/// The numbers of a manifest, in checked arithmetic.
enum ManifestNumber {
  /// 1 to 8 hexadecimal digits of either case, and blanks around them; some tools do not pad.
  static func checksum(_ text: ArraySlice<UInt8>) -> UInt32? {
    let digits = text.withoutBlanks
    guard (1...8).contains(digits.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// A number of bytes in decimal digits, and blanks around them.
  static func size(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) -> Int64 {
    let digits = text.withoutBlanks
    var value: Int64 = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw notDecimal }
      let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      if tooLarge || overflow { throw ManifestComplaint("the size is larger than a file can be") }
      value = sum
    }
    if digits.isEmpty { throw notDecimal }
    return value
  }

  private static let notDecimal = ManifestComplaint("the size is not a decimal number of bytes")
}
