import CommandLineKit

/// Runs as dots in SVG, a row for each contender. Places are shares of the width, so that the letters
/// keep their size on a narrow page.
struct BenchPlot {
  enum Measure {
    case time, memory

    var id: String { self == .time ? "time" : "memory" }
    var title: String { self == .time ? "Time" : "Peak memory" }
    var unit: String { self == .time ? "s" : "MiB" }

    /// Seconds, or MiB.
    func values(_ result: BenchResult) -> [Double] {
      result.runs.map { self == .time ? $0.seconds : Double($0.peakResident) / Double(1 << 20) }
    }

    func median(_ result: BenchResult) -> Double { BenchStatistics(values(result)).median }
  }

  /// What its parts are referred to by in the page.
  var id: String
  var title: String
  var measure: Measure
  /// The value at the right end.
  var most: Double
  /// Of seconds.
  var digits: Int
  var baseline: BenchContest.Entry?
  var rows: [BenchContest.Entry]

  private static let rowHeight = 60
  private static let axisHeight = 24

  var svg: String {
    let height = rows.count * Self.rowHeight + Self.axisHeight
    let lines = rows.enumerated().map { index, entry in row(entry, top: index * Self.rowHeight) }
    return """
      <svg role="img" aria-labelledby="\(id)-title \(id)-desc" height="\(height)">
      <title id="\(id)-title">\(title.asMarkup)</title>
      <desc id="\(id)-desc">\(description.asMarkup)</desc>
      \((axis(height) + dashed(height) + lines).joined(separator: "\n"))
      </svg>
      """
  }

  private var description: String {
    rows.map { "\($0.name): \(numbers($0))" }.joined(separator: "; ") + "."
  }

  private func numbers(_ entry: BenchContest.Entry) -> String {
    let median = measure.median(entry.result)
    let text = "\(shown(median)) \(measure.unit)"
    guard let baseline, !entry.isBaseline else { return text }
    let ratio: Double
    if measure == .time {
      ratio = entry.measure.median
    } else {
      let other = measure.median(baseline.result)
      guard other > 0 else { return text }
      ratio = median / other
    }
    return "\(text), \(ratio.fixed(2)) of \(baseline.name)"
  }

  private func shown(_ value: Double) -> String { value.fixed(measure == .time ? digits : 1) }

  private func row(_ entry: BenchContest.Entry, top: Int) -> String {
    let values = measure.values(entry.result)
    let statistics = BenchStatistics(values)
    let (low, high) = (place(statistics.lowerQuartile), place(statistics.upperQuartile))
    let (first, last) = (top + 36, top + 54)
    var lines = [
      "<g\(entry.isBaseline ? " class=\"other\"" : "")>",
      "<text x=\"0\" y=\"\(top + 15)\">\(entry.name.asMarkup)</text>",
      "<text class=\"axis\" x=\"0\" y=\"\(top + 30)\">\(numbers(entry).asMarkup)</text>",
      "<rect x=\"\(percent(low))\" y=\"\(first)\" width=\"\(percent(high - low))\" height=\"18\"/>",
    ]
    let middle = percent(place(statistics.median))
    lines += values.map { value in
      "<circle cx=\"\(percent(place(value)))\" cy=\"\(top + 45)\" r=\"4\">"
        + "<title>\(shown(value)) \(measure.unit)</title></circle>"
    }
    lines.append(
      "<line class=\"median\" x1=\"\(middle)\" y1=\"\(first)\" x2=\"\(middle)\" y2=\"\(last)\"/>"
    )
    return (lines + ["</g>"]).joined(separator: "\n")
  }

  private func axis(_ height: Int) -> [String] {
    (0...4).map { tick in
      let value = most * Double(tick) / 4
      let x = percent(place(value))
      let bottom = height - Self.axisHeight
      let anchor = tick == 0 ? "start" : tick == 4 ? "end" : "middle"
      return "<line x1=\"\(x)\" y1=\"0\" x2=\"\(x)\" y2=\"\(bottom)\"/>"
        + "<text class=\"axis\" x=\"\(x)\" y=\"\(height - 6)\" text-anchor=\"\(anchor)\">"
        + "\(value.fixed(most < 1 ? 3 : most < 10 ? 2 : 0))\(tick == 4 ? " \(measure.unit)" : "")</text>"
    }
  }

  private func dashed(_ height: Int) -> [String] {
    guard let baseline else { return [] }
    let x = percent(place(measure.median(baseline.result)))
    return [
      "<line class=\"dashed\" x1=\"\(x)\" y1=\"0\" x2=\"\(x)\" y2=\"\(height - Self.axisHeight)\"/>"
    ]
  }

  /// Percent of the width; dots at the ends are whole.
  private func place(_ value: Double) -> Double { 2 + 96 * (most > 0 ? value / most : 0) }

  private func percent(_ share: Double) -> String { share.fixed(2) + "%" }
}
