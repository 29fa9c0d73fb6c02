/// The suffixes that GNU `split` gives its outputs, one after the other, of any length.
///
/// ``Numbering`` has the same rule for names that are read.
package struct SuffixSequence: Hashable, Sendable {
  package let alphabet: PartAlphabet
  /// Highest digits that a widening sequence has in front of those that count.
  private var highest = 0
  /// The values of the digits that count, the most significant first.
  private var digits: [UInt8]
  private let widens: Bool
  private var isFirst = true
  private var isExhausted = false

  /// - Parameters:
  ///   - length: the number of digits, at least 1.
  ///   - start: the digits of the first suffix, of the alphabet; padded to `length`, and no more than that.
  ///   - widens: whether suffixes grow longer instead of ending: yz, zaaa, or 89, 9000. See
  ///     ``Numbering/isWidening``.
  package init(_ alphabet: PartAlphabet, length: Int, start: [UInt8] = [], widens: Bool) {
    self.alphabet = alphabet
    self.widens = widens
    let values = start.compactMap { alphabet.value(of: $0).map { UInt8($0) } }
    // bounded: a list
    digits = [UInt8](repeating: 0, count: max(0, length - values.count)) + values
  }

  /// The suffix of the first part, then of the second, and so on; nil when there are no more.
  package mutating func next() -> [UInt8]? {
    if isFirst { isFirst = false } else { increment() }
    if isExhausted { return nil }
    // bounded: a list
    return [UInt8](repeating: alphabet.highestDigit, count: highest) + digits.map(alphabet.digit)
  }

  private mutating func increment() {
    for place in digits.indices.reversed() {
      let value = Int64(digits[place]) + 1  // bounded: a digit
      if widens, place == 0, value == alphabet.base - 1 {
        highest += 1  // bounded: as many as were counted
        digits = [UInt8](repeating: 0, count: digits.count + 1)  // bounded: a list
        return
      }
      if value < alphabet.base {
        digits[place] = UInt8(value)
        return
      }
      digits[place] = 0
    }
    isExhausted = true
  }

  /// How many more there are, or Int64.max where there are more than that.
  package var remaining: Int64 {
    if isExhausted { return 0 }
    if widens { return .max }
    // All that have no greater digits than the highest, less those that were there.
    var rest: Int64 = isFirst ? 1 : 0
    var power: Int64 = 1
    for digit in digits.reversed() {
      let above = (alphabet.base - 1 - Int64(digit)).multipliedReportingOverflow(by: power)
      let sum = rest.addingReportingOverflow(above.partialValue)
      let next = power.multipliedReportingOverflow(by: alphabet.base)
      if above.overflow || sum.overflow || next.overflow { return .max }
      (rest, power) = (sum.partialValue, next.partialValue)
    }
    return rest
  }

  /// The fewest digits that a place has, counted from 0.
  package static func length(for place: Int64, _ alphabet: PartAlphabet) -> Int {
    var (length, rest) = (1, place / alphabet.base)
    while rest > 0 {
      length += 1  // bounded: 64 at most
      rest /= alphabet.base
    }
    return length
  }
}

extension PartAlphabet {
  fileprivate var highestDigit: UInt8 { digit(UInt8(base - 1)) }
}
