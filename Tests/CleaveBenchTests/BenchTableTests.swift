import Cleave
import Testing

@testable import CleaveBench

@Suite struct BenchTableTests {
  private let report = BenchSample.report([
    BenchSample.result(.direct, seconds: [1, 2]), BenchSample.baseline(seconds: [2, 2]),
  ])

  @Test func columnsAreAligned() {
    #expect(
      BenchTable(report).text == """
        engine  min s   q1 s  median s  max s  MiB/s  q1 / cat  median / cat  CPU s  peak MiB
        direct  1.000  1.250     1.500  2.000     67      0.63          0.75  1.125       2.0
        cat     2.000  2.000     2.000  2.000     50                          1.500       2.0

        """
    )
  }

  @Test func markdownHasTheSameColumns() {
    #expect(
      BenchTable(report).markdown == """
        | engine | min s | q1 s | median s | max s | MiB/s | q1 / cat | median / cat | CPU s | peak MiB |
        | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        | direct | 1.000 | 1.250 | 1.500 | 2.000 | 67 | 0.63 | 0.75 | 1.125 | 2.0 |
        | cat | 2.000 | 2.000 | 2.000 | 2.000 | 50 |  |  | 1.500 | 2.0 |

        """
    )
  }

  @Test func onlyWhatDiffersHasAColumn() {
    let report = BenchSample.report(
      [
        BenchSample.result(.direct, highWater: 4096, seconds: [0.5]),
        BenchSample.result(.direct, highWater: 1 << 20, seconds: [0.01]),
      ],
      hasBaseline: false
    )
    #expect(
      BenchTable(report).text == """
        engine  high water    min s     q1 s  median s    max s  MiB/s    CPU s  peak MiB
        direct  4.0 KiB     0.50000  0.50000   0.50000  0.50000    200  0.37500       1.0
        direct  1.0 MiB     0.01000  0.01000   0.01000  0.01000  10000  0.00750       1.0

        """
    )
  }

  @Test func theLineBelowTellsWhatAllHaveInCommon() {
    #expect(
      report.host.line(report.results)
        == "2 × Abacus; 1.0 GiB of memory; Linux 6.1 x86_64; ext4; warm cache; synced; "
        + "104857600 bytes (100.0 MiB) merged from 4 parts; 2 runs; verify stream; "
        + "baseline: cat ...; cleave 1.2.3; sums by zlib"
    )
    var host = report.host
    (host.isCold, host.notDropped, host.isSynced, host.isSplit) = (true, 4096, false, true)
    (host.parts, host.runs, host.baseline, host.memory) = (1, 1, nil, nil)
    let line = host.line([
      BenchSample.result(.direct, highWater: 1, seconds: [1]),
      BenchSample.result(.direct, highWater: 2, seconds: [1]),
    ])
    #expect(
      line
        == "2 × Abacus; Linux 6.1 x86_64; ext4; cold cache but for 4096 bytes (4.0 KiB); "
        + "not synced; 104857600 bytes (100.0 MiB) split into 1 part; 1 run; verify stream; "
        + "cleave 1.2.3; sums by zlib"
    )
  }
}
