import CommandLineKit
import Posix
import Testing

@Suite struct TimeSpanTests {
  @Test(
    arguments: [
      ("1", 1), ("90", 90), ("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86_400), ("007s", 7),
      ("36600d", 3_162_240_000),
    ] as [(FilePath, Int64)]
  )
  func aTimeIsRead(text: FilePath, seconds: Int64) throws {
    #expect(try TimeSpan.parse(text) == .seconds(seconds))
  }

  @Test(
    arguments: [
      ("", "'' is not a time; use a number with s, m, h or d"),
      ("s", "'s' is not a time; use a number with s, m, h or d"),
      ("-1", "'-1' is not a time; use a number with s, m, h or d"),
      ("1.5h", "'1.5h' is not a time; use a number with s, m, h or d"),
      ("1h30m", "'1h30m' is not a time; use a number with s, m, h or d"),
      ("1M", "'1M' is not a time; use a number with s, m, h or d"),
      ("0", "'0' is no time at all"),
      ("0h", "'0h' is no time at all"),
      ("36601d", "'36601d' is too long"),
      ("99999999999999999999", "'99999999999999999999' is too long"),
    ] as [(FilePath, String)]
  )
  func rubbishIsRefused(text: FilePath, message: String) {
    #expect(throws: UsageError(message)) { _ = try TimeSpan.parse(text) }
  }
}
