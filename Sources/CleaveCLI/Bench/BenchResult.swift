import Cleave
import Posix

/// What one run took.
struct BenchMeasurement: Equatable, Sendable {
  /// Of the whole process, by the clock.
  var seconds: Double
  /// Of processors.
  var userSeconds: Double
  var systemSeconds: Double
  /// Bytes.
  var peakResident: Int64
}

/// All runs of one contender, in the order of the rounds; at least one.
struct BenchResult: Sendable {
  var contender: BenchContender
  /// What was run, for the eye.
  var command: String
  var runs: [BenchMeasurement]
  /// The time of each run, divided by the baseline's in the same round; empty for the baseline, and
  /// without one.
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
  /// With ratios, pair by pair: whatever else the machine did in a round hit both.
  func comparedWithBaseline() -> [BenchResult] {
    let baseline = first { result in
      if case .baseline = result.contender { true } else { false }
    }
    guard let baseline else { return self }
    return map { result in
      guard result.contender != baseline.contender else { return result }
      var compared = result
      compared.ratios = zip(result.runs, baseline.runs).map { $0.seconds / $1.seconds }
      return compared
    }
  }
}

/// Everything that is told in the end.
struct BenchReport: Sendable {
  var host: BenchHost
  var results: [BenchResult]
}
