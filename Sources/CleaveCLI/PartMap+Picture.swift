import Cleave
import CommandLineKit

/// The map as SVG: a bar for each row, with the same letters as in the text.
extension PartMap {
  private static let cell = 12
  private static let rowHeight = 44
  private static let lineHeight = 22
  private static let margin = 12
  private static let most = 64

  /// - Parameter areWhole: whether all parts are there; behind a gap, nobody knows where one begins.
  func picture(title: String, areWhole: Bool) -> String {
    let head = 2 * Self.lineHeight + Self.margin
    let middle = head + rows.count * Self.rowHeight
    let height = middle + (legend.count + 1) * Self.lineHeight
    let width = Self.most * Self.cell + 2 * Self.margin
    let bars = rows.enumerated().flatMap { index, row in
      bar(row, top: head + index * Self.rowHeight, areWhole: areWhole)
    }
    let lines = legend.enumerated().flatMap { index, line in
      let y = middle + (index + 1) * Self.lineHeight
      return Self.block(line.content, x: Self.margin, y: y - 14, width: 20, height: 18)
        + [Self.text(line.text, x: Self.margin + 28, y: y)]
    }
    // bounded: cells have at most 2⁵⁷ bytes
    let full = Int64(clamping: UInt64(cellBytes) * UInt64(Self.most))
    let scale = "A bar of the full width stands for \(ByteSize.described(full))."
    return """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" \
      viewBox="0 0 \(width) \(height)">
      <title id="title">\(title.asMarkup)</title>
      <desc id="desc">\(legend.map { "\($0.content.symbol): \($0.text)" }.joined(separator: "; ").asMarkup)</desc>
      <style>
      \(Self.style)
      </style>
      <rect class="ground" width="\(width)" height="\(height)"/>
      \(Self.text(title, x: Self.margin, y: Self.lineHeight))
      \(Self.text(scale, x: Self.margin, y: 2 * Self.lineHeight))
      \((bars + lines).joined(separator: "\n"))
      </svg>

      """
  }

  private func bar(_ row: Row, top: Int, areWhole: Bool) -> [String] {
    let start = areWhole ? ", at \(layout.starts[row.parts.lowerBound])" : ""
    var lines = [Self.text(name(row) + start, x: Self.margin, y: top + 14)]
    var first = 0
    while first < row.cells.count {
      let content = row.cells[first]
      let count = row.cells[first...].prefix { $0 == content }.count
      lines += Self.block(
        content,
        x: Self.margin + first * Self.cell,
        y: top + 19,
        width: count * Self.cell,
        height: 18
      )
      first += count
    }
    return lines
  }

  /// A rectangle with its letter.
  private static func block(_ content: Content, x: Int, y: Int, width: Int, height: Int) -> [String]
  {
    [
      "<rect class=\"\(content.style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" "
        + "height=\"\(height)\"/>",
      "<text class=\"letter\" x=\"\(x + width / 2)\" y=\"\(y + 13)\">\(content.symbol)</text>",
    ]
  }

  private static func text(_ text: String, x: Int, y: Int) -> String {
    "<text x=\"\(x)\" y=\"\(y)\">\(text.asMarkup)</text>"
  }

  private static let style = """
    text { font: 14px ui-monospace, monospace; fill: #1b1f24; } .letter { text-anchor: middle; }
    .ground { fill: #fff; } rect { stroke: #fff; } .c0 { fill: #a9cdf7; } .c1 { fill: #f7cba0; }
    .c2 { fill: #b4e0b0; } .c3 { fill: #e6bdf0; } .c4 { fill: #f3e08a; } .c5 { fill: #a6e0e0; }
    .data { fill: #a9cdf7; } .hole { fill: #fff; stroke: #8c959f; stroke-dasharray: 3 2; }
    .other { fill: #d8dee4; } .directory { fill: #f2b8b5; } .several { fill: #c8c8f4; }
    .wrong { fill: #cf222e; } .wrong + .letter { fill: #fff; }
    @media (prefers-color-scheme: dark) { text { fill: #e6e9ed; } .letter { fill: #14181d; }
      .ground, .hole { fill: #14181d; } rect { stroke: #14181d; } .hole { stroke: #a5b0bb; }
      .hole + .letter { fill: #e6e9ed; } }
    """
}

extension PartMap.Content {
  /// The class of its rectangles.
  fileprivate var style: String {
    switch self {
    case .data: "data"
    case .hole: "hole"
    case .entry(let index): "c\(index % 6)"
    case .other: "other"
    case .directory: "directory"
    case .several: "several"
    case .wrong: "wrong"
    }
  }
}
