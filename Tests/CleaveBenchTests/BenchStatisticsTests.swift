import Cleave
import Testing

@testable import CleaveBench

@Suite struct BenchStatisticsTests {
  @Test(
    "quantiles are those of R's quantile, type 7",
    arguments: [
      ([3], [3, 3, 3, 3]),
      ([2, 1], [1, 1.25, 1.5, 2]),
      ([3, 1, 2], [1, 1.5, 2, 3]),
      ([4, 2, 1, 3], [1, 1.75, 2.5, 4]),
      ([1, 2, 3, 4, 5], [1, 2, 3, 5]),
      ([7, 15, 36, 39, 40, 41], [7, 20.25, 37.5, 41]),
    ] as [([Double], [Double])]
  )
  func quantilesAreInterpolated(values: [Double], expected: [Double]) {
    let statistics = BenchStatistics(values)
    #expect(
      [statistics.minimum, statistics.lowerQuartile, statistics.median, statistics.maximum]
        == expected
    )
  }

  @Test func theDeviationIsThatOfASample() {
    #expect(BenchStatistics([2, 4, 4, 4, 5, 5, 7, 9]).mean == 5)
    #expect(BenchStatistics([1, 3]).deviation == 2.0.squareRoot())
    #expect(BenchStatistics([1]).deviation == nil)
  }

  @Test func ratiosAreThoseOfTheSameRound() {
    let results = [
      BenchSample.result(.direct, seconds: [1, 8, 3]),
      BenchSample.baseline(seconds: [2, 4, 1]),
      BenchSample.result(.serial, seconds: [4, 4, 4]),
    ].comparedWithBaseline()
    #expect(results.map(\.ratios) == [[0.5, 2, 3], [], [2, 1, 4]])
    let alone = [BenchSample.result(.direct, seconds: [1])].comparedWithBaseline()
    #expect(alone.map(\.ratios) == [[]])
  }

  @Test(
    arguments: [
      (0, 2, "0.00"), (1.005, 1, "1.0"), (0.25, 1, "0.3"), (1234.5678, 3, "1234.568"),
      (0.04, 2, "0.04"), (9.996, 2, "10.00"), (2.5, 0, "3"), (-1.26, 1, "-1.3"),
      (-0.001, 1, "0.0"), (.infinity, 2, "inf"),
    ] as [(Double, Int, String)]
  )
  func numbersAreRounded(number: Double, digits: Int, expected: String) {
    #expect(number.fixed(digits) == expected)
  }
}
