import Cleave
import CommandLineKit
import Posix

/// What `info --map` draws.
extension TextReporter {
  func map(_ info: SeriesInfo) throws(CleaveError) -> [String] {
    guard session.report.drawsMap, let files = info.selection.files else { return [] }
    let map = try PartMap(files, info.selection.archive)
    // Behind a gap, nobody knows where a part begins.
    return Self.rows(map, areWhole: info.problem == nil) + Self.legend(map)
  }

  private static func rows(_ map: PartMap, areWhole: Bool) -> [String] {
    let layout = map.layout
    let names = map.rows.map { row in
      let first = name(row.parts.lowerBound, layout)
      return row.parts.count == 1 ? first : "\(first) to \(name(row.parts.upperBound - 1, layout))"
    }
    let starts = map.rows.map { row in
      areWhole ? "at \(layout.starts[row.parts.lowerBound])  " : ""
    }
    let nameWidth = names.map(\.count).max() ?? 0
    let startWidth = starts.map(\.count).max() ?? 0
    let head = "  map       each character stands for \(ByteSize.described(map.cellBytes))"
    return [head]
      + zip(map.rows, zip(names, starts)).map { row, label in
        let cells = String(row.cells.map(symbol))
        return "    \(padded(label.0, nameWidth))  \(padded(label.1, startWidth))\(cells)"
      }
  }

  private static func name(_ part: Int, _ layout: PartLayout) -> String {
    "\(layout.paths[part].lastComponent)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func symbol(_ content: PartMap.Content) -> Character {
    switch content {
    case .data: "#"
    case .hole: "."
    case .entry(let index): Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
    case .other: "-"
    case .directory: "="
    case .several: "*"
    }
  }

  /// A line for each entry, also one too small to be seen, and for what else is drawn.
  private static func legend(_ map: PartMap) -> [String] {
    let drawn = Set(map.rows.flatMap(\.cells))
    var lines = map.entries.enumerated().map { index, entry in
      let parts = map.layout.part(at: entry.range.lowerBound)
      let last = map.layout.part(at: max(entry.range.lowerBound, entry.range.upperBound - 1))
      let first = name(parts, map.layout)
      let place = parts == last ? "in \(first)" : "from \(first) to \(name(last, map.layout))"
      return "\(symbol(.entry(index)))  \(entry.name): "
        + "\(ByteSize.described(entry.range.count64)), \(place)"
    }
    if map.otherEntries > 0 {
      lines.append("-  \(map.otherEntries.counted("smaller entry", "smaller entries"))")
    } else if drawn.contains(.other) {
      lines.append("-  bytes of no entry")
    }
    if drawn.contains(.directory) { lines.append("=  the directory of the zip") }
    if drawn.contains(.several) { lines.append("*  several of these") }
    if drawn.contains(.hole) { lines.append(".  a hole, which takes no space") }
    return lines.map { "    " + $0 }
  }
}
