extension CommandPage {
  /// The text for `--help`, which ends in a newline and has no line wider than `width` columns.
  ///
  /// A width below 40 columns counts as 40.
  package func helpText(width: Int) -> String { helpText(width: width, overview: []) }

  fileprivate func helpText(width: Int, overview: [CommandPage]) -> String {
    let width = max(width, TextLayout.narrowest)
    var sections = [usageSection(width), TextLayout.wrap(summary, width: width)]
    sections.append(commandSection(overview, width))
    sections += optionSections(width)
    sections.append(TextLayout.paragraphs(details, width: width))
    sections.append(exampleSection(width))
    return Self.text(sections)
  }

  /// Lines, with an empty one between sections.
  static func text(_ sections: [[String]]) -> String {
    sections.filter { !$0.isEmpty }
      .map { $0.map { $0 + "\n" }.joined() }
      .joined(separator: "\n")
  }

  func usageSection(_ width: Int) -> [String] {
    usage.enumerated().flatMap { index, line in
      let lead = index == 0 ? "Usage: " : "  or:  "
      return TextLayout.hanging(line, lead: lead, indent: lead.count + 4, width: width)
    }
  }

  private func optionSections(_ width: Int) -> [[String]] {
    let column = TextLayout.column(labels: options.map(\.label), width: width)
    return groups.map { heading, options in
      TextLayout.wrap("\(heading):", width: width)
        + options.flatMap {
          TextLayout.entry($0.label, $0.fullHelp, column: column, width: width)
        }
    }
  }

  func commandSection(_ commands: [CommandPage], _ width: Int) -> [String] {
    guard !commands.isEmpty else { return [] }
    let column = TextLayout.column(labels: commands.map { "  \($0.name)" }, width: width)
    return ["Commands:"]
      + commands.flatMap {
        TextLayout.entry("  \($0.name)", $0.summary, column: column, width: width)
      }
  }

  private func exampleSection(_ width: Int) -> [String] {
    guard !examples.isEmpty else { return [] }
    return ["Examples:"]
      + examples.flatMap {
        TextLayout.command($0.command, width: width)
          + TextLayout.hanging($0.explanation, lead: "      ", indent: 6, width: width)
      }
  }
}

/// The help of a program that does its work in commands: its own page, and what each command does.
package struct ProgramHelp: Sendable {
  package var program: CommandPage
  package var commands: [CommandPage]

  package init(program: CommandPage, commands: [CommandPage]) {
    self.program = program
    self.commands = commands
  }

  /// The program's page with an overview of the commands; see ``CommandPage/helpText(width:)``.
  package func text(width: Int) -> String { program.helpText(width: width, overview: commands) }
}
