extension CommandPage {
  /// The lines of a terminal of the usual size, but for the one with the prompt.
  private static let screen = 23

  /// The text for `-h`, which ends in a newline: as many examples as fit on a screen with the rest, and of
  /// the options only the names.
  package func shortHelpText(width: Int) -> String {
    let width = max(width, TextLayout.narrowest)
    let advice = "'cleave help \(name)' explains each."
    let opening = TextLayout.wrap(summary, width: width)
    let rest = [
      usageSection(width), shortOptions(width) + TextLayout.wrap(advice, width: width),
    ]
    // An empty line is behind each section but the last.
    let taken = ([opening] + rest).reduce(0) { $0 + $1.count + 1 }
    let count =
      examples.indices.last { shortExamples(width, $0 + 1).count + taken <= Self.screen } ?? 0
    return Self.text([opening, shortExamples(width, count + 1)] + rest)
  }

  /// The first examples, with their explanations beside them where both have room.
  func shortExamples(_ width: Int, _ count: Int = .max) -> [String] {
    let examples = examples.prefix(count)
    let labels = examples.map { "  \($0.command)" }
    let fitting = labels.filter { $0.count + 2 <= width / 2 }
    let column = TextLayout.column(labels: fitting, width: width, limit: width / 2)
    return zip(labels, examples).flatMap { label, example in
      fitting.contains(label)
        ? TextLayout.entry(label, example.explanation, column: column, width: width)
        : TextLayout.command(example.command, width: width)
          + TextLayout.hanging(example.explanation, lead: "      ", indent: 6, width: width)
    }
  }

  private func shortOptions(_ width: Int) -> [String] {
    let column = TextLayout.column(labels: groups.map(\.heading), width: width)
    return groups.flatMap { heading, options in
      let names = options.map(\.compactLabel).joined(separator: ", ")
      return TextLayout.entry("\(heading):", names, column: column + 1, width: width)
    }
  }
}

extension ProgramHelp {
  /// The text for `-h` without a command; see ``CommandPage/shortHelpText(width:)``.
  package func shortText(width: Int) -> String {
    let width = max(width, TextLayout.narrowest)
    let sections = [
      TextLayout.wrap(program.summary, width: width), program.shortExamples(width),
      program.usageSection(width), program.commandSection(commands, width),
      TextLayout.paragraphs(program.details, width: width),
    ]
    return CommandPage.text(sections)
  }
}

extension OptionRow {
  /// `-b/--bytes=SIZE`, which is one word.
  fileprivate var compactLabel: String {
    let names = (short.map { "-\($0)/" } ?? "") + longName
    return switch argument {
    case .none: names
    case .required(let name): "\(names)=\(name)"
    case .optional(let name): "\(names)[=\(name)]"
    }
  }
}
