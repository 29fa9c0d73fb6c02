import Cleave
import Testing

@testable import CleaveBench

@Suite struct BenchBarsTests {
  private typealias Sample = BenchSample

  @Test func theWinnerIsToldAndDrawn() {
    let report = Sample.report(
      [
        Sample.result(.direct, seconds: [0.5, 0.5, 0.5]),
        Sample.result(.serial, seconds: [1, 1, 1]), Sample.baseline(seconds: [2, 2, 2]),
      ],
      runs: 3
    )
    #expect(
      BenchBars(report).text(columns: 46) == """
        The winner is direct: 2.00 times as fast as serial and 4.00 times as fast as cat.
        direct  ####              0.500 s  0.25 of cat
        serial  ########          1.000 s  0.50 of cat
        cat     ################  2.000 s  1.00 of cat

        """
    )
  }

  @Test func barsLeaveRoomForNamesAndNumbers() {
    let report = Sample.report(
      [Sample.result(.direct, seconds: [1, 1, 1]), Sample.result(.serial, seconds: [2, 2, 2])],
      hasBaseline: false,
      runs: 3
    )
    for columns in [30, 40, 80, 1000] {
      let lines = BenchBars(report).text(columns: columns).split(separator: "\n").dropFirst()
      let width = min(columns, 77)
      #expect(lines.map(\.count) == [width, width], "\(columns)")
    }
    #expect(BenchBars(report).text(columns: 1).contains("\nserial  ########  2.000 s\n"))
  }

  @Test(
    arguments: [
      (
        [[1, 2, 3], [2, 2, 2], [9, 9, 9]],
        "No clear winner: the quartiles of direct and serial overlap. "
          + "The first of these is 4.50 times as fast as zerocopy."
      ),
      (
        [[1, 2, 3], [2, 2, 2], [2, 2, 3]],
        "No clear winner: the quartiles of direct, serial and zerocopy overlap."
      ),
      (
        [[3, 3, 3], [2, 2, 2], [9, 9, 9]], "The winner is serial: 1.50 times as fast as direct."
      ),
    ] as [([[Double]], String)]
  )
  func quartilesThatOverlapHaveNoWinner(seconds: [[Double]], sentence: String) {
    let engines: [EngineName] = [.direct, .serial, .zerocopy]
    let results = zip(engines, seconds).map { Sample.result($0, seconds: $1) }
    let report = Sample.report(results, hasBaseline: false, runs: 3)
    #expect(BenchContest(report).sentence == sentence)
  }

  @Test func theBaselineMayWin() {
    let report = Sample.report(
      [Sample.result(.direct, seconds: [3, 3, 3]), Sample.baseline(seconds: [2, 2, 2])],
      runs: 3
    )
    #expect(BenchContest(report).sentence == "The winner is cat: 1.50 times as fast as direct.")
  }

  @Test func theEngineThatIsChosenIsNoRivalOfItself() {
    let all = EngineName.allCases.map {
      Sample.result($0, seconds: $0 == .direct ? [1, 1, 1] : [2, 2, 2])
    }
    let auto = Sample.result(nil, seconds: [1, 1, 1])
    let every = Sample.report(all + [auto], hasBaseline: false, runs: 3)
    #expect(BenchContest(every).sentence.hasPrefix("The winner is direct: 2.00 times as fast as "))
    let two = Sample.report(Array(all.suffix(1)) + [auto], hasBaseline: false, runs: 3)
    #expect(BenchContest(two).sentence.contains("auto"))
  }

  @Test func fewRoundsTellNothing() {
    let results = [Sample.result(.direct, seconds: [1, 1]), Sample.baseline(seconds: [9, 9])]
    #expect(
      BenchContest(Sample.report(results)).sentence
        == "No clear winner: 2 rounds cannot tell. The least median is direct's."
    )
    #expect(
      BenchContest(Sample.report(Array(results.prefix(1)), hasBaseline: false)).sentence
        == "direct took 1.000 s, and had no rival."
    )
  }

  @Test func namesHaveWhatDiffers() {
    let report = Sample.report(
      [
        Sample.result(.direct, highWater: 4096, seconds: [1, 1, 1]),
        Sample.result(.direct, highWater: 1 << 20, seconds: [2, 2, 2]),
      ],
      hasBaseline: false,
      runs: 3
    )
    #expect(
      BenchContest(report).sentence
        == "The winner is direct (high water 4.0 KiB): 2.00 times as fast as direct (high water 1.0 MiB)."
    )
  }
}
