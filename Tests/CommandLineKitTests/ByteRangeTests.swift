import CommandLineKit
import Posix
import Testing

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      ("0-499", .from(0, through: 499)),
      ("0-0", .from(0, through: 0)),
      ("500-", .from(500, through: nil)),
      ("-500", .last(500)),
      ("-1K", .last(1024)),
      ("1M-2M", .from(1 << 20, through: 2 << 20)),
      ("1M-2M-1", .from(1 << 20, through: (2 << 20) - 1)),
      ("1M+1-2MB", .from((1 << 20) + 1, through: 2_000_000)),
      ("4GiB-", .from(4 << 30, through: nil)),
      ("0-9223372036854775807", .from(0, through: .max)),
    ] as [(FilePath, ByteRange)]
  )
  func aRangeIsRead(text: FilePath, expected: ByteRange) throws {
    #expect(try ByteRange.parse(text) == expected)
  }

  @Test(
    arguments: [
      ("", "'' is not a range; use FROM-TO, FROM- or -COUNT"),
      ("-", "'-' is not a range; use FROM-TO, FROM- or -COUNT"),
      ("500", "'500' is not a range; use FROM-TO, FROM- or -COUNT"),
      ("-0", "'-0' asks for no bytes"),
      ("2-1", "'2-1' ends before it begins"),
      ("2M-1M", "'2M-1M' ends before it begins"),
      ("1--2", "'-2' is not a size; use a number with K, M, G, KB, KiB and the like"),
      ("x-1", "'x' is not a size; use a number with K, M, G, KB, KiB and the like"),
      ("0-1,5-6", "'1,5-6' is not a size; use a number with K, M, G, KB, KiB and the like"),
      ("0-8E", "'8E' is too large; sizes end at 9223372036854775807 bytes"),
    ] as [(FilePath, String)]
  )
  func rubbishIsRefused(text: FilePath, message: String) {
    #expect(throws: UsageError(message)) { _ = try ByteRange.parse(text) }
  }

  @Test(
    arguments: [
      ("0-499", 500, 0..<500), ("0-499", 501, 0..<500), ("0-499", 499, 0..<499),
      ("0-499", 1, 0..<1), ("0-0", 0, nil), ("500-", 500, nil), ("499-", 500, 499..<500),
      ("-500", 300, 0..<300), ("-500", 501, 1..<501), ("-1", 0, nil),
      ("3-9223372036854775807", 5, 3..<5), ("0-9223372036854775807", .max, 0 ..< .max),
      ("9223372036854775806-", .max, 9_223_372_036_854_775_806 ..< .max),
    ] as [(FilePath, Int64, Range<Int64>?)]
  )
  func aRangeEndsWithTheWhole(text: FilePath, size: Int64, expected: Range<Int64>?) throws {
    #expect(try ByteRange.parse(text).resolved(in: size) == expected)
  }
}
