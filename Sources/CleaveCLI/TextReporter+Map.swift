import Cleave
import CommandLineKit
import Posix

/// What `info --map` draws.
extension TextReporter {
  func map(_ info: SeriesInfo) throws(CleaveError) -> [String] {
    guard session.report.drawsMap, let map = try info.map() else { return [] }
    // Behind a gap, nobody knows where a part begins.
    return Self.rows(map, areWhole: info.problem == nil)
      + map.legend.map { "    \($0.content.symbol)  \($0.text)" }
  }

  private static func rows(_ map: PartMap, areWhole: Bool) -> [String] {
    let names = map.rows.map(map.name)
    let starts = map.rows.map { row in
      areWhole ? "at \(map.layout.starts[row.parts.lowerBound])  " : ""
    }
    let nameWidth = names.map(\.count).max() ?? 0
    let startWidth = starts.map(\.count).max() ?? 0
    let head = "  map       each character stands for \(ByteSize.described(map.cellBytes))"
    return [head]
      + zip(map.rows, zip(names, starts)).map { row, label in
        let cells = String(row.cells.map(\.symbol))
        return "    \(padded(label.0, nameWidth))  \(padded(label.1, startWidth))\(cells)"
      }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
