/// Fits text for a terminal into lines. A column is a character: help is written in ASCII.
enum TextLayout {
  /// The fewest columns that help is laid out for.
  static let narrowest = 40

  /// Breaks a paragraph into lines between words, and inside words that no line can hold.
  static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace).flatMap({ pieces($0, width) }) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func pieces(_ word: Substring, _ width: Int) -> [Substring] {
    guard word.count > width else { return [word] }
    return [word.prefix(width)] + pieces(word.dropFirst(width), width)
  }

  /// Wraps a paragraph behind a lead that stands on its first line, and indents the others.
  static func hanging(_ text: String, lead: String, indent: Int, width: Int) -> [String] {
    let lines = wrap(text, width: width - max(lead.count, indent))
    return lines.enumerated().map { index, line in
      (index == 0 ? lead : String(repeating: " ", count: indent)) + line
    }
  }

  /// A command line, which goes on behind a backslash where it is too long.
  static func command(_ text: String, width: Int) -> [String] {
    let lines = hanging(text, lead: "  ", indent: 10, width: width - 2)
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  /// Wraps paragraphs that have blank lines between them, and keeps these lines.
  static func paragraphs(_ text: String, width: Int) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let paragraphs = lines.split { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: " ") }
    return Array(paragraphs.map { wrap($0, width: width) }.joined(separator: [""]))
  }
}

// MARK: - Two columns

extension TextLayout {
  /// Where the right column begins: behind the widest label, but in the left half of the screen
  /// and never further right than the widest screens need.
  static func column(labels: [String], width: Int, limit: Int = 32) -> Int {
    let widest = labels.map(\.count).max() ?? 0
    return min(widest + 2, width / 2, limit)
  }

  /// A label and its text beside it, or below it where the label is too wide.
  static func entry(_ label: String, _ text: String, column: Int, width: Int) -> [String] {
    guard label.count + 2 > column else {
      let lead = label + String(repeating: " ", count: column - label.count)
      return hanging(text, lead: lead, indent: column, width: width)
    }
    let indent = String(repeating: " ", count: column)
    return [label] + wrap(text, width: width - column).map { indent + $0 }
  }
}
