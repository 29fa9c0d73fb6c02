import CommandLineKit

/// The results for people: aligned for a terminal, or as Markdown.
package struct BenchTable {
  let header: [String]
  let rows: [[String]]
  /// The number of columns that are aligned to the left.
  let names: Int

  package init(_ report: BenchReport) {
    let results = report.results
    // A parameter with one value for all stands below the table.
    let varying = BenchNames(results).varying
    names = varying.count
    let baseline = report.host.baselineName
    header =
      varying.map(\.title) + ["min s", "q1 s", "median s", "max s", "MiB/s"]
      + (baseline.map { ["q1 / \($0)", "median / \($0)"] } ?? []) + ["CPU s", "peak MiB"]
    rows = results.map { result in
      let parameters = result.contender.parameters
      return varying.map { $0.shown(parameters[$0] ?? "") }
        + Self.numbers(
          of: result,
          bytes: report.host.bytes,
          comparing: baseline != nil,
          digits: report.digits
        )
    }
  }

  private static func numbers(
    of result: BenchResult,
    bytes: Int64,
    comparing: Bool,
    digits: Int
  ) -> [String] {
    let times = result.times
    let seconds = [times.minimum, times.lowerQuartile, times.median, times.maximum]
      .map { $0.fixed(digits) }
    let rate = Double(bytes) / Double(1 << 20) / times.median
    let ratios = [result.ratio?.lowerQuartile, result.ratio?.median].map { $0?.fixed(2) ?? "" }
    return seconds + [rate.fixed(0)] + (comparing ? ratios : [])
      + [
        result.processor.median.fixed(digits),
        (Double(result.peakResident) / Double(1 << 20)).fixed(1),
      ]
  }

  /// With spaces between the columns.
  package var text: String {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([header] + rows).map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column < names ? cell + space : space + cell
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  /// As GitHub reads it.
  var markdown: String {
    let rule = header.indices.map { $0 < names ? ":---" : "---:" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

extension Double {
  /// Rounded to so many digits after the point, at most 9. A number that is not finite, or from 2³³
  /// on, is not rounded.
  func fixed(_ digits: Int) -> String {
    let unit = (0..<digits).reduce(Int64(1)) { unit, _ in unit * 10 }
    guard magnitude < 0x1p33 else { return "\(self)" }
    let scaled = Int64((magnitude * Double(unit)).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: unit)
    let decimals = String(rest)
    let zeros = String(repeating: "0", count: digits - decimals.count)
    return "\(sign)\(whole).\(zeros)\(decimals)"
  }
}
