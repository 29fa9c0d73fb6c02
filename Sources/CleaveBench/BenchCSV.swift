import Posix

/// The results as hyperfine writes them, with more columns at the end. RFC 4180, but lines end in LF.
struct BenchCSV {
  let report: BenchReport

  var text: String {
    ([header] + report.results.map(row)).map { $0.map(Self.quoted).joined(separator: ",") + "\n" }
      .joined()
  }

  /// As hyperfine sorts them.
  private var parameters: [BenchParameter] {
    let given = Set(report.results.flatMap { $0.contender.parameters.keys })
    return given.sorted { $0.rawValue < $1.rawValue }
  }

  private var header: [String] {
    ["command", "mean", "stddev", "median", "user", "system", "min", "max"]
      + parameters.map { "parameter_\($0.rawValue)" }
      + [
        "lower_quartile", "mib_per_second", "ratio_lower_quartile", "ratio_median",
        "peak_memory_byte",
      ]
  }

  private func row(_ result: BenchResult) -> [String] {
    let times = result.times
    let user = BenchStatistics(result.runs.map(\.userSeconds)).mean
    let system = BenchStatistics(result.runs.map(\.systemSeconds)).mean
    // hyperfine, too, has 0 for the deviation of a single run.
    let usual = [
      times.mean, times.deviation ?? 0, times.median, user, system, times.minimum, times.maximum,
    ]
    let rate = Double(report.host.bytes) / Double(1 << 20) / times.median
    return [result.command] + usual.map { "\($0)" }
      + parameters.map { result.contender.parameters[$0] ?? "" }
      + ["\(times.lowerQuartile)", "\(rate)"]
      + [result.ratio?.lowerQuartile, result.ratio?.median].map { $0.map { "\($0)" } ?? "" }
      + ["\(result.peakResident)"]
  }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\"\(field.substituting("\"", with: "\"\""))\""
  }
}
