import Cleave
import Posix

/// What one run cost.
struct BenchMeasurement: Equatable, Sendable {
  /// From the start of the process to its end.
  var seconds: Double
  /// Processor time.
  var userSeconds: Double
  var systemSeconds: Double
  /// Bytes.
  var peakResident: Int64
}

/// All runs of one contender, in the order of the rounds; at least one.
package struct BenchResult: Sendable {
  var contender: BenchContender
  /// The command, for people to read.
  var command: String
  var runs: [BenchMeasurement]
  /// The time of each run, divided by the baseline's in the same round. Empty for the baseline, and
  /// where there is no baseline.
  var ratios: [Double] = []

  var times: BenchStatistics { BenchStatistics(runs.map(\.seconds)) }

  var processor: BenchStatistics {
    BenchStatistics(runs.map { $0.userSeconds + $0.systemSeconds })
  }

  /// Bytes.
  var peakResident: Int64 { runs.map(\.peakResident).max() ?? 0 }

  var ratio: BenchStatistics? { ratios.isEmpty ? nil : BenchStatistics(ratios) }
}

extension [BenchResult] {
  /// Adds the ratios, round by round: other work on the machine slowed both runs of a round.
  func comparedWithBaseline() -> [BenchResult] {
    guard let baseline = first(where: \.contender.isBaseline) else { return self }
    return map { result in
      guard result.contender != baseline.contender else { return result }
      var compared = result
      compared.ratios = zip(result.runs, baseline.runs).map { $0.seconds / $1.seconds }
      return compared
    }
  }
}

/// What a bench found out.
package struct BenchReport: Sendable {
  package var host: BenchHost
  package var results: [BenchResult]

  /// Digits that seconds are told with: milliseconds are too coarse for runs that take a few of them.
  var digits: Int { results.contains { $0.times.minimum < 0.1 } ? 5 : 3 }
}
