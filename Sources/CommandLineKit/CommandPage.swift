/// What users see of a command: the material of its help, manual page and completions.
package struct CommandPage: Hashable, Sendable {
  /// A command line and a sentence on what it does.
  package struct Example: Hashable, Sendable {
    package var command: String
    package var explanation: String

    package init(_ command: String, _ explanation: String) {
      self.command = command
      self.explanation = explanation
    }
  }

  /// What a command is about, as far as completions can offer it.
  package enum Operands: Hashable, Sendable {
    /// Nothing.
    case none
    case files
    case directories
    /// Files that look like parts, or manifests, before others; and directories.
    case parts
    /// Names of commands.
    case commands
    case words([String])
  }

  package var name: String
  /// One sentence.
  package var summary: String
  /// Whole command lines, such as `cleave split [OPTION]... FILE [PREFIX]`.
  package var usage: [String]
  package var operands = Operands.none
  package var options: [OptionRow]
  /// Paragraphs with blank lines between them; other line ends are as good as spaces.
  package var details: String
  package var examples: [Example]
}

extension CommandPage {
  /// The options by heading, both in the order of the table.
  package var groups: [(heading: String, options: [OptionRow])] {
    var headings: [String] = []
    for option in options where !headings.contains(option.group) { headings.append(option.group) }
    return headings.map { heading in (heading, options.filter { $0.group == heading }) }
  }
}
