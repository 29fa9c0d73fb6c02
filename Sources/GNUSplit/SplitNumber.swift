/// A number on the command line, as the GNU programs read it: blanks, a sign, digits, and a unit.
package struct SplitNumber: Hashable, Sendable {
  /// The nearest one that fits where it is out of range.
  package var value: Int64
  package var overflows = false
  /// Whether the digits alone were too many: their reader says `ERANGE`.
  package var digitsOverflow = false
  /// What is behind it.
  package var rest: ArraySlice<UInt8>

  /// The letters of powers, by their exponent.
  private static let powers = Array("_KMGTPEZYRQ".utf8)

  /// - Parameter units: whether `K`, `MB`, `GiB`, `b` and the like may follow, or stand alone for 1.
  /// - Returns: nil where there is no number.
  package init?(_ text: ArraySlice<UInt8>, units: Bool) {
    var digits = text.drop { $0 == 32 || (9...13).contains($0) }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    let number = digits.prefix { (48...57).contains($0) }
    if number.isEmpty {
      guard units, let unit = text.first, Self.isUnit(unit) else { return nil }
      (value, rest) = (1, text)
    } else {
      (value, rest) = (0, digits.dropFirst(number.count))
      for digit in number { append(Int64(digit) - 48, isNegative: isNegative) }
      digitsOverflow = overflows
    }
    if units { scale() }
  }

  private mutating func append(_ digit: Int64, isNegative: Bool) {
    let tenfold = value.multipliedReportingOverflow(by: 10)
    let sum =
      isNegative
      ? tenfold.partialValue.subtractingReportingOverflow(digit)
      : tenfold.partialValue.addingReportingOverflow(digit)
    overflows = overflows || tenfold.overflow || sum.overflow
    value = overflows ? (isNegative ? .min : .max) : sum.partialValue
  }

  private static func isUnit(_ byte: UInt8) -> Bool { "bEGKkMmPQRTYZ".utf8.contains(byte) }

  /// Takes the unit off the rest.
  private mutating func scale() {
    guard let letter = rest.first, Self.isUnit(letter) else { return }
    rest.removeFirst()
    if letter == UInt8(ascii: "b") { return multiply(by: 512, times: 1) }
    let power = Self.powers.firstIndex(of: letter & 0xDF) ?? 1
    if let next = rest.first, next == UInt8(ascii: "B") || next == UInt8(ascii: "D") {
      rest.removeFirst()
      return multiply(by: 1000, times: power)
    }
    if rest.starts(with: "iB".utf8) { rest.removeFirst(2) }
    multiply(by: 1024, times: power)
  }

  private mutating func multiply(by factor: Int64, times: Int) {
    for _ in 0..<times {
      let product = value.multipliedReportingOverflow(by: factor)
      if product.overflow { (overflows, value) = (true, value < 0 ? .min : .max) }
      if !product.overflow { value = product.partialValue }
    }
  }
}
