extension CommandPage {
  /// The text for `-h`, which ends in a newline: examples first, and of the options only the names. At 80
  /// columns it is one screen, which tests check of every table.
  package func shortHelpText(width: Int) -> String {
    let width = max(width, TextLayout.narrowest)
    let advice = "'cleave help \(name)' explains each."
    let sections = [
      TextLayout.wrap(summary, width: width), shortExamples(width), usageSection(width),
      shortOptions(width) + TextLayout.wrap(advice, width: width),
    ]
    return Self.text(sections)
  }

  /// Examples with their explanations beside them, where both have room.
  func shortExamples(_ width: Int) -> [String] {
    let labels = examples.map { "  \($0.command)" }
    let fitting = labels.filter { $0.count + 2 <= width / 2 }
    let column = TextLayout.column(labels: fitting, width: width, limit: width / 2)
    return zip(labels, examples).flatMap { label, example in
      fitting.contains(label)
        ? TextLayout.entry(label, example.explanation, column: column, width: width)
        : TextLayout.hanging(example.command, lead: "  ", indent: 10, width: width)
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
