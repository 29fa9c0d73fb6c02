import CommandLineKit
import Posix
import Testing

@Suite struct ByteSizeTests {
  @Test(
    "a size is read",
    arguments: [
      ("0", 0),
      ("1", 1),
      ("007", 7),
      ("641144843", 641_144_843),
      ("9223372036854775807", .max),
      ("3b", 1536),
      ("1k", 1024),
      ("1K", 1024),
      ("1KB", 1000),
      ("1kB", 1000),
      ("1kb", 1000),
      ("1KiB", 1024),
      ("1kib", 1024),
      ("350m", 350 * 1024 * 1024),
      ("350M", 350 * 1024 * 1024),
      ("350MB", 350_000_000),
      ("350MiB", 350 * 1024 * 1024),
      ("2G", 2 << 30),
      ("2GB", 2_000_000_000),
      ("1T", 1 << 40),
      ("1TB", 1_000_000_000_000),
      ("1PiB", 1 << 50),
      ("1PB", 1_000_000_000_000_000),
      ("7E", 7 << 60),
      ("9EB", 9_000_000_000_000_000_000),
      ("0E", 0),
      ("4GiB-1", 4_294_967_295),
      ("1M+512", 1_049_088),
      ("1M-1K+1", 1_047_553),
      ("1K-1K", 0),
      ("1-2+3", 2),
      ("7EiB+1023PiB", (7 << 60) + (1023 << 50)),
    ] as [(FilePath, Int64)]
  )
  func aSizeIsRead(text: FilePath, expected: Int64) throws {
    #expect(try ByteSize.parse(text) == expected)
  }

  @Test(
    "what is no size is refused",
    arguments: [
      "", "12X", "K", "M1", "-1", "+1", "1-", "1+", "1+-1", "1--1", "1 K", " 1", "1\n",
      "1KK", "1KBB", "1Ki", "1KiBs", "1B", "1bb", "1bB", "0x10", "1e3", "1_000", "1,000", "\u{661}",
      "1Kb+", "1M512", "1Z",
    ] as [FilePath]
  )
  func rubbishIsRefused(text: FilePath) {
    let advice = "is not a size; use a number with K, M, G, KB, KiB and the like"
    #expect(throws: UsageError("'\(text)' \(advice)")) { _ = try ByteSize.parse(text) }
  }

  @Test(arguments: ["1.5M", "4.7GB", "1.", "0.5"] as [FilePath])
  func aFractionIsToldInASmallerUnit(text: FilePath) {
    let advice = "is not a size, which is a whole number, such as 1536M for 1.5G"
    #expect(throws: UsageError("'\(text)' \(advice)")) { _ = try ByteSize.parse(text) }
  }

  @Test(
    "what does not fit is refused",
    arguments: [
      "9223372036854775808", "99999999999999999999999", "8E", "10EB", "8388608T",
      "9223372036854775807+1", "7E+1E", "18446744073709551616",
    ] as [FilePath]
  )
  func overflowIsRefused(text: FilePath) {
    #expect(
      throws: UsageError("'\(text)' is too large; sizes end at 9223372036854775807 bytes")
    ) { _ = try ByteSize.parse(text) }
  }

  @Test func aSizeBelowZeroIsRefused() {
    #expect(throws: UsageError("'1K-1M' is less than nothing")) { _ = try ByteSize.parse("1K-1M") }
  }

  @Test func bytesThatAreNotTextAreShownEscaped() {
    let advice = "is not a size; use a number with K, M, G, KB, KiB and the like"
    #expect(throws: UsageError("'1\\xff' \(advice)")) { _ = try ByteSize.parse(.broken("1")) }
  }

  @Test(
    "a size is shown with its bytes and rounded to tenths",
    arguments: [
      (0, "0 bytes", "0 bytes"),
      (1, "1 byte", "1 byte"),
      (1023, "1023 bytes", "1023 bytes"),
      (1024, "1024 bytes (1.0 KiB)", "1.0 KiB"),
      (1536, "1536 bytes (1.5 KiB)", "1.5 KiB"),
      (1075, "1075 bytes (1.0 KiB)", "1.0 KiB"),
      (1076, "1076 bytes (1.1 KiB)", "1.1 KiB"),
      (1_048_524, "1048524 bytes (1023.9 KiB)", "1023.9 KiB"),
      (1_048_525, "1048525 bytes (1.0 MiB)", "1.0 MiB"),
      (641_144_843, "641144843 bytes (611.4 MiB)", "611.4 MiB"),
      (4 << 30, "4294967296 bytes (4.0 GiB)", "4.0 GiB"),
      (3 << 39, "1649267441664 bytes (1.5 TiB)", "1.5 TiB"),
      (.max, "9223372036854775807 bytes (8.0 EiB)", "8.0 EiB"),
    ] as [(Int64, String, String)]
  )
  func aSizeIsShown(bytes: Int64, long: String, short: String) {
    #expect(ByteSize.described(bytes) == long)
    #expect(ByteSize.short(bytes) == short)
  }
}
