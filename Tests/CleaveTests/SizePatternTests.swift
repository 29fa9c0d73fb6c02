import Posix
import TestSupport
import Testing

@testable import Cleave

@Suite struct SizePatternTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let sizes: [Int64]
    let pattern: String

    init(_ sizes: [Int64], _ pattern: String) { (self.sizes, self.pattern) = (sizes, pattern) }

    var testDescription: String { "\(sizes)" }
  }

  /// `odd` is followed by the index and by what is said of it.
  private static let rows = [
    Row([7], "single"),
    Row([5, 5, 5], "equal"),
    Row([0, 0], "equal"),
    // GNU split -n, old and new.
    Row([3, 3, 4], "nearlyEqual"), Row([4, 3, 3], "nearlyEqual"), Row([2, 2, 2, 5], "nearlyEqual"),
    Row([1, 1, 1, 0, 0], "nearlyEqual"), Row([0, 0, 0, 0, 3], "nearlyEqual"),
    Row([10, 9, 10], "nearlyEqual"),
    Row([10, 10, 3], "shorterLast"), Row([10, 3], "shorterLast"),
    Row([3, 10], "shortFirst"), Row([3, 10, 10], "shortFirst"), Row([3, 10, 10, 4], "shortFirst"),
    Row([10, 10, 0], "odd 2: is empty, not of 10 bytes like f.1 and f.2"),
    Row([10, 0], "odd 1: is empty"),
    Row([0, 10], "odd 0: is empty"),
    Row([10, 7, 0, 3], "odd 2: is empty"),
    Row([5000, 4000, 5000], "odd 1: has 1000 bytes less than f.1 and f.3 (4000, not 5000)"),
    Row([5000, 4000, 5000, 12], "odd 1: has 1000 bytes less than f.1 and f.3 (4000, not 5000)"),
    Row([50, 50, 51, 50, 9], "odd 2: has 1 byte more than f.1 and f.2 (51, not 50)"),
    Row([50, 50, 90], "odd 2: has 40 bytes more than f.1 and f.2 (90, not 50)"),
    Row([50, 50, 20, 50, 20], "odd 2: has 30 bytes less than f.1 and f.2 (20, not 50)"),
    // split -n 3, of which one was cut, or another is among them.
    Row([34, 17, 33], "odd 1: has 17 bytes less than f.1 (17, not 34)"),
    Row([33, 17, 34], "odd 1: has 17 bytes less than f.3 (17, not 34)"),
    Row([17, 33, 34], "odd 0: has 17 bytes less than f.3 (17, not 34)"),
    Row([34, 0, 33], "odd 1: is empty, not of 34 bytes like f.1"),
    Row([34, 34, 33, 20, 33], "odd 3: has 14 bytes less than f.1 and f.2 (20, not 34)"),
    Row([34, 33, 33, 20, 33], "odd 3: has 14 bytes less than f.1 (20, not 34)"),
    Row([34, 50, 33], "shortFirst"),
    Row([34, 33, 50], "odd 2: has 16 bytes more than f.1 (50, not 34)"),
    Row([17, 34, 33], "shortFirst"), Row([34, 33, 17], "unequal"), Row([34, 33, 32], "unequal"),
    Row([34, 32, 33], "unequal"), Row([34, 33, 35], "unequal"),
    Row([34, 32, 34, 9], "odd 1: has 2 bytes less than f.1 and f.3 (32, not 34)"),
    Row([50, 40, 20], "unequal"), Row([1, 4096, 77, 8000, 171], "unequal"),
    Row([50, 50, 9, 20, 20], "odd 2: has 41 bytes less than f.1 and f.2 (9, not 50)"),
    // A copy that was broken off, and sizes that somebody chose.
    Row([5 << 20, 73 << 16, 9], "odd 1: has 458752 bytes less than f.1 (4784128, not 5242880)"),
    Row([5_000_000, 73 << 16, 9], "odd 1: has 215872 bytes less than f.1 (4784128, not 5000000)"),
    Row([5 << 20, (5 << 20) + 1, 9], "shortFirst"), Row([1000, 2014, 500], "shortFirst"),
    Row([1 << 20, 1 << 19, 9], "unequal"), Row([3_000_000, 1_500_000, 9], "unequal"),
    Row([4096, 5001, 9], "shortFirst"), Row([5 << 20, 102_400, 2048], "unequal"),
    Row([5 << 20, 4 << 20, 9], "unequal"), Row([5_000_000, 4_000_000, 9], "unequal"),
    Row([5 << 10, 4 << 10, 9], "unequal"),
    Row([10, 10, 7, 7, 3], "unequal"), Row([20, 10, 30], "unequal"),
    Row(
      [.max, 1, .max],
      "odd 1: has 9223372036854775806 bytes less than f.1 and f.3 "
        + "(1, not 9223372036854775807)"
    ),
  ]

  @Test("sizes are told apart", arguments: rows)
  func patterns(row: Row) {
    let names = PathList(row.sizes.indices.map { FilePath("d/f.\($0 + 1)") })
    let found =
      switch SizePattern(row.sizes) {
      case .odd(let odd): "odd \(odd.index): \(odd.said(of: names))"
      case let other: "\(other)"
      }
    #expect(found == row.pattern)
  }

  @Test(
    "the part that lacks the bytes that are missing is found where no size is that of most",
    arguments: [
      ([5000, 4000, 12], 1000, 1), ([5000, 4000, 12], 900, nil), ([5000, 0, 12], 5000, 1),
      ([5000, 5000, 12], 1000, nil), ([5000, 5000, 4000, 12], 5, 2),
    ] as [([Int64], Int64, Int?)]
  )
  func lacking(sizes: [Int64], missing: Int64, index: Int?) {
    #expect(OddPart(lacking: missing, in: sizes)?.index == index)
  }
}
