import GNUSplit
import Posix
import Testing

struct SplitNumberTests {
  private static let plain: [(String, Int64)] = [
    ("10", Int64(10)), (" \t+7", 7), ("-3", -3), ("0", 0), ("007", 7), ("1b", 512), ("1K", 1024),
    ("1k", 1024), ("K", 1024), ("2KB", 2000), ("2KD", 2000), ("2KiB", 2048), ("1M", 1 << 20),
    ("1m", 1 << 20), ("1MB", 1_000_000), ("1G", 1 << 30), ("1T", 1 << 40), ("1P", 1 << 50),
    ("1E", 1 << 60), ("7E", 7 << 60), ("1EB", 1_000_000_000_000_000_000), ("0Q", 0),
  ]

  @Test(arguments: plain) func numbersAreRead(text: String, value: Int64) {
    let number = SplitNumber(Array(text.utf8)[...], units: true)
    #expect(number?.value == value)
    #expect(number?.overflows == false)
    #expect(number?.rest.isEmpty == true)
  }

  private static let large: [(String, Int64)] = [
    ("8E", Int64.max), ("1Z", .max), ("1Y", .max), ("1R", .max), ("1Q", .max), ("1QB", .max),
    ("99999999999999999999", .max), ("-99999999999999999999", .min), ("-9E", .min),
    ("9223372036854775808", .max), ("99999999999999999999Q", .max),
  ]

  @Test(arguments: large) func whatIsTooLargeIsTheLargest(text: String, value: Int64) {
    let number = SplitNumber(Array(text.utf8)[...], units: true)
    #expect(number?.value == value)
    #expect(number?.overflows == true)
    #expect(number?.rest.isEmpty == true)
  }

  @Test func onlyTooManyDigitsAreARangeError() {
    #expect(SplitNumber(Array("9E".utf8)[...], units: true)?.digitsOverflow == false)
    #expect(
      SplitNumber(Array("9999999999999999999E".utf8)[...], units: true)?.digitsOverflow == true
    )
    #expect(SplitNumber(Array("9223372036854775807".utf8)[...], units: true)?.overflows == false)
    #expect(SplitNumber(Array("-9223372036854775808".utf8)[...], units: true)?.overflows == false)
  }

  @Test(arguments: ["", " ", "x", "-", "+K", " K", "B", "iB", "t", "g"])
  func whatIsNoNumberIsNone(text: String) {
    #expect(SplitNumber(Array(text.utf8)[...], units: true) == nil)
  }

  private static let rests: [(String, String)] = [
    ("1B", "B"), ("1Ki", "i"), ("1KiBx", "x"), ("1g", "g"), ("1.5", ".5"), ("3/4", "/4"),
    ("1 ", " "),
    ("1bB", "B"), ("1KBB", "B"),
  ]

  @Test(arguments: rests) func whatIsBehindStays(text: String, rest: String) {
    let number = SplitNumber(Array(text.utf8)[...], units: true)
    #expect(number.map { Array($0.rest) } == Array(rest.utf8))
  }

  @Test func unitsAreOnlyWhereTheyAreAllowed() {
    #expect(SplitNumber(Array("K".utf8)[...], units: false) == nil)
    #expect(SplitNumber(Array("1K".utf8)[...], units: false).map { Array($0.rest) } == [75])
  }
}
