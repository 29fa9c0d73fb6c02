package import Posix

/// Sizes in bytes as people write and read them, such as `350M` and `611.4 MiB`.
package enum ByteSize {
  private static let prefixes: [UInt8] = Array("KMGTPE".utf8)
}

// MARK: - Reading

extension ByteSize {
  /// Reads a size in the notation of GNU `split`, with sums and differences: `4GiB-1`, `1M+512`.
  ///
  /// `K`, `M`, `G`, `T`, `P` and `E`, alone or with `iB`, are powers of 1024, and with `B` powers
  /// of 1000, in either case of letters. `b` is a block of 512 bytes. Zero is a size.
  package static func parse(_ text: FilePath) throws(UsageError) -> Int64 {
    var rest = text.bytes[...]
    var total = try term(&rest, of: text)
    while let sign = rest.popFirst() {
      guard "+-".utf8.contains(sign) else { throw notASize(text) }
      let next = try term(&rest, of: text)
      let isSum = sign == UInt8(ascii: "+")
      total = try checked(
        isSum ? total.addingReportingOverflow(next) : total.subtractingReportingOverflow(next),
        of: text
      )
    }
    guard total >= 0 else { throw UsageError("'\(text)' is less than nothing") }
    return total
  }

  private static func term(
    _ rest: inout ArraySlice<UInt8>,
    of text: FilePath
  ) throws(UsageError) -> Int64 {
    guard let first = rest.first, isDigit(first) else { throw notASize(text) }
    var number: Int64 = 0
    while let digit = rest.first, isDigit(digit) {
      rest.removeFirst()
      number = try checked(number.multipliedReportingOverflow(by: 10), of: text)
      number = try checked(number.addingReportingOverflow(Int64(digit - zero)), of: text)
    }
    let letters = rest.prefix { !"+-".utf8.contains($0) }
    guard let unit = unit(letters) else { throw notASize(text) }
    rest.removeFirst(letters.count)
    return try checked(number.multipliedReportingOverflow(by: unit), of: text)
  }

  /// Bytes in a unit; 1 for none, nil for an unknown one.
  private static func unit(_ letters: ArraySlice<UInt8>) -> Int64? {
    guard let letter = letters.first else { return 1 }
    if Array(letters) == [UInt8(ascii: "b")] { return 512 }
    guard let power = prefixes.firstIndex(of: upperCase(letter)) else { return nil }
    switch letters.dropFirst().map(upperCase) {
    // bounded: six letters stand for powers
    case [], Array("IB".utf8): return 1 << (10 * (Int64(power) + 1))
    // bounded: six letters stand for powers
    case Array("B".utf8): return (0...power).reduce(1) { unit, _ in unit * 1000 }
    default: return nil
    }
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool {
    (zero...UInt8(ascii: "9")).contains(byte)
  }

  private static func upperCase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
  }

  private static func checked(
    _ result: (partialValue: Int64, overflow: Bool),
    of text: FilePath
  ) throws(UsageError) -> Int64 {
    guard result.overflow else { return result.partialValue }
    throw UsageError("'\(text)' is too large; sizes end at \(Int64.max) bytes")
  }

  private static func notASize(_ text: FilePath) -> UsageError {
    let number = text.bytes.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
    if isDigit(number.first ?? 0), number.contains(UInt8(ascii: ".")) {
      return UsageError("'\(text)' is not a size, which is a whole number, such as 1536M for 1.5G")
    }
    return UsageError("'\(text)' is not a size; use a number with K, M, G, KB, KiB and the like")
  }
}

// MARK: - Showing

extension ByteSize {
  /// A size for a report: `641144843 bytes (611.4 MiB)`, and below 1 KiB only the bytes.
  package static func described(_ bytes: Int64) -> String {
    let exact = bytes.counted("byte")
    return bytes < 1024 ? exact : "\(exact) (\(short(bytes)))"
  }

  /// A size for a progress line, rounded to a tenth of its unit: `611.4 MiB`.
  package static func short(_ bytes: Int64) -> String {
    guard bytes >= 1024 else { return described(bytes) }
    for (power, prefix) in prefixes.enumerated() {
      // bounded: six letters stand for powers
      let tenths = tenths(of: UInt64(1) << (10 * UInt64(power + 1)), in: bytes)
      // Rounding may reach 1024.0, which is 1.0 of the next unit.
      guard tenths < 10240 else { continue }
      return "\(tenths / 10).\(tenths % 10) \(Character(Unicode.Scalar(prefix)))iB"
    }
    return described(bytes)
  }

  /// Tenths of a unit, rounded half up. The remainder is below 2⁶⁰, so ten times it fits.
  private static func tenths(of unit: UInt64, in bytes: Int64) -> UInt64 {
    let (whole, remainder) = bytes.magnitude.quotientAndRemainder(dividingBy: unit)
    // bounded: the unit is at least 1024
    return whole * 10 + (remainder * 10 + unit / 2) / unit
  }
}
