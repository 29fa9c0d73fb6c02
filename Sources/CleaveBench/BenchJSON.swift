/// The results in the layout of hyperfine 1.20, so that its plotting scripts read them, with the host
/// and the ratios added.
struct BenchJSON: Encodable {
  private let host: BenchHost
  private let results: [Result]

  init(_ report: BenchReport) {
    host = report.host
    results = report.results.map(Result.init)
  }

  /// Times are in seconds.
  private struct Result: Encodable {
    var command: String
    var mean: Double
    var stddev: Double?
    var median: Double
    var user: Double
    var system: Double
    var min: Double
    var max: Double
    var times: [Double]
    var memory: [Int64]
    /// All 0: any other ends the bench.
    var exitCodes: [Int]
    var parameters: [String: String]
    var ratios: [Double]

    private enum CodingKeys: String, CodingKey {
      case command, mean, stddev, median, user, system, min, max, times, parameters, ratios
      case memory = "memory_usage_byte"
      case exitCodes = "exit_codes"
    }

    init(_ result: BenchResult) {
      let statistics = result.times
      command = result.command
      mean = statistics.mean
      stddev = statistics.deviation
      median = statistics.median
      user = BenchStatistics(result.runs.map(\.userSeconds)).mean
      system = BenchStatistics(result.runs.map(\.systemSeconds)).mean
      min = statistics.minimum
      max = statistics.maximum
      times = result.runs.map(\.seconds)
      memory = result.runs.map(\.peakResident)
      exitCodes = result.runs.map { _ in 0 }
      parameters = Dictionary(
        uniqueKeysWithValues: result.contender.parameters.map { ($0.key.rawValue, $0.value) }
      )
      ratios = result.ratios
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(command, forKey: .command)
      try members.encode(mean, forKey: .mean)
      // Present even where it is null: scripts read it.
      try members.encode(stddev, forKey: .stddev)
      try members.encode(median, forKey: .median)
      try members.encode(user, forKey: .user)
      try members.encode(system, forKey: .system)
      try members.encode(min, forKey: .min)
      try members.encode(max, forKey: .max)
      try members.encode(times, forKey: .times)
      try members.encode(memory, forKey: .memory)
      try members.encode(exitCodes, forKey: .exitCodes)
      try members.encode(parameters, forKey: .parameters)
      try members.encode(ratios, forKey: .ratios)
    }
  }
}
