import Cleave
import CommandLineKit
import Posix

/// What a map says in words, as text and as a picture.
extension PartMap {
  func name(_ row: Row) -> String {
    let first = name(row.parts.lowerBound)
    return row.parts.count == 1 ? first : "\(first) to \(name(row.parts.upperBound - 1))"
  }

  private func name(_ part: Int) -> String { "\(layout.paths[part].lastComponent)" }

  /// A line for each entry, also one too small to be seen, and for what else is drawn.
  var legend: [(content: Content, text: String)] {
    let drawn = Set(rows.flatMap(\.cells))
    var lines = entries.enumerated().map { index, entry in
      let parts = layout.part(at: entry.range.lowerBound)
      let last = layout.part(at: max(entry.range.lowerBound, entry.range.upperBound - 1))
      let place =
        parts == last ? "in \(name(parts))" : "from \(name(parts)) to \(name(last))"
      let size = ByteSize.described(entry.range.count64)
      return (content: Content.entry(index), text: "\(entry.name): \(size), \(place)")
    }
    if otherEntries > 0 {
      lines.append((.other, otherEntries.counted("smaller entry", "smaller entries")))
    } else if drawn.contains(.other) {
      lines.append((.other, "bytes of no entry"))
    }
    if drawn.contains(.directory) { lines.append((.directory, "the directory of the zip")) }
    if drawn.contains(.several) { lines.append((.several, "several of these")) }
    if drawn.contains(.wrong) { lines.append((.wrong, "not what it should be, or in part")) }
    if drawn.contains(.hole) { lines.append((.hole, "a hole, which takes no space")) }
    return lines
  }
}

extension PartMap.Content {
  var symbol: Character {
    switch self {
    case .data: "#"
    case .hole: "."
    case .entry(let index): Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
    case .other: "-"
    case .directory: "="
    case .several: "*"
    case .wrong: "!"
    }
  }
}
