import Cleave
import CommandLineKit
import Posix

@testable import CleaveBench

/// Results that nobody measured.
enum BenchSample {
  static func result(
    _ engine: EngineName?,
    highWater: Int? = nil,
    seconds: [Double]
  ) -> BenchResult {
    let one = BenchCase(engine: engine, highWater: highWater, proof: .stream)
    return BenchResult(
      contender: .cleave(one),
      command: "cleave merge --engine=\(one.parameters[.engine] ?? "")",
      runs: runs(seconds)
    )
  }

  static func baseline(
    _ baseline: BenchBaseline = .cat,
    seconds: [Double]
  ) -> BenchResult {
    BenchResult(
      contender: .baseline(baseline),
      command: baseline.command.description,
      runs: runs(seconds)
    )
  }

  /// With half of the time in user mode, a quarter in the kernel, and 1 MiB for each run so far.
  private static func runs(_ seconds: [Double]) -> [BenchMeasurement] {
    seconds.enumerated().map { index, seconds in
      BenchMeasurement(
        seconds: seconds,
        userSeconds: seconds / 2,
        systemSeconds: seconds / 4,
        peakResident: Int64(index + 1) << 20
      )
    }
  }

  static func report(
    _ results: [BenchResult],
    hasBaseline: Bool = true,
    runs: Int = 2
  ) -> BenchReport {
    let host = BenchHost(
      processors: 2,
      processor: "Abacus",
      memory: 1 << 30,
      kernel: "Linux 6.1 x86_64",
      fileSystem: "ext4",
      isCold: false,
      notDropped: 0,
      isSynced: true,
      isSplit: false,
      bytes: 100 << 20,
      parts: 4,
      runs: runs,
      baselineName: hasBaseline ? "cat" : nil,
      baseline: hasBaseline ? "cat ..." : nil,
      library: "zlib",
      version: "1.2.3",
      arguments: [JSONName("bench"), JSONName("--size=100M")],
      date: "2026-01-02T03:04:05Z"
    )
    return BenchReport(host: host, results: results.comparedWithBaseline())
  }
}
