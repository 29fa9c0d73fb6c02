package import Posix

/// Spans of time as people write them, such as `90` and `30m`.
package enum TimeSpan {
  /// Reads a whole number of seconds, or of what the letter behind it stands for: `s`, `m`, `h`, or `d`
  /// for days, as `timeout(1)` does. It is more than 0.
  package static func parse(_ text: FilePath) throws(UsageError) -> Duration {
    let digits = text.bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, let unit = unit(text.bytes[digits.count...]) else {
      throw UsageError("'\(text)' is not a time; use a number with s, m, h or d")
    }
    // A hundred years are enough for everybody, and no sum with a clock overflows.
    guard let number = Int64(String(decoding: digits, as: UTF8.self)),
      // bounded: a constant of 32 bits
      number <= 100 * 366 * 86_400 / unit
    else { throw UsageError("'\(text)' is too long") }
    guard number > 0 else { throw UsageError("'\(text)' is no time at all") }
    // bounded: a hundred years
    return .seconds(number * unit)
  }

  /// Seconds.
  private static func unit(_ letters: ArraySlice<UInt8>) -> Int64? {
    switch Array(letters) {
    case [], [UInt8(ascii: "s")]: 1
    case [UInt8(ascii: "m")]: 60
    case [UInt8(ascii: "h")]: 3600
    case [UInt8(ascii: "d")]: 86_400
    default: nil
    }
  }
}
