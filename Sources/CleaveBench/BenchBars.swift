import CommandLineKit

/// The results as bars of plain characters: the median of each contender's times.
package struct BenchBars {
  private let rows: [(name: String, value: Double, numbers: String)]
  private let sentence: String

  package init(_ report: BenchReport) {
    let contest = BenchContest(report)
    sentence = contest.sentence
    let baseline = report.host.baselineName
    rows = contest.entries.map { entry in
      var numbers = entry.result.times.median.fixed(report.digits) + " s"
      if let baseline { numbers += "  \(entry.measure.median.fixed(2)) of \(baseline)" }
      return (entry.name, entry.measure.median, numbers)
    }
  }

  /// The sentence that tells the winner, and the bars; no line of bars is wider than `columns`, as
  /// long as there is room for the names and the numbers.
  package func text(columns: Int) -> String {
    let names = rows.map(\.name.count).max() ?? 0
    let numbers = rows.map(\.numbers.count).max() ?? 0
    let room = min(max(columns - names - numbers - 4, Self.shortest), Self.longest)
    let most = rows.map(\.value).max() ?? 0
    let lines = rows.map { row in
      let share = most > 0 ? row.value / most : 0
      let bar = String(repeating: "#", count: max(1, Int((share * Double(room)).rounded())))
      return "\(Self.padded(row.name, names))  \(Self.padded(bar, room))  "
        + Self.padded(row.numbers, numbers, atEnd: false)
    }
    return ([sentence] + lines).map { $0 + "\n" }.joined()
  }

  private static let shortest = 8
  private static let longest = 60

  private static func padded(_ text: String, _ width: Int, atEnd: Bool = true) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return atEnd ? text + space : space + text
  }
}
