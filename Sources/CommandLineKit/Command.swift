package import Posix

/// A command with its option table, from which parsing and every description of it come.
package struct Command<Settings>: Sendable {
  package let page: CommandPage
  private let options: [Option<Settings>]
  let conflicts: [Conflict<Settings>]

  package init(
    _ name: String,
    summary: String,
    usage: [String],
    operands: CommandPage.Operands = .none,
    options: [Option<Settings>],
    conflicts: [Conflict<Settings>] = [],
    details: String = "",
    examples: [CommandPage.Example] = []
  ) {
    (self.options, self.conflicts) = (options, conflicts)
    page = CommandPage(
      name: name,
      summary: summary,
      usage: usage,
      operands: operands,
      options: options.map { option in
        var row = option.row
        for conflict in conflicts where conflict.use.name == row.longName {
          row.help += " " + conflict.help
        }
        return row
      },
      details: details,
      examples: examples
    )
  }

  /// Applies the options among the arguments to the settings, in their order; see
  /// `getopt_long(3)`.
  ///
  /// Where this throws, the settings hold what the options before the wrong one said: a `--help`
  /// among them can still be obeyed.
  ///
  /// - Parameter stopAtFirstOperand: leave everything from the first operand on alone, for options
  ///   before the name of a command. What is returned is then the end of the arguments, and
  ///   `arguments.count` less its count have been consumed.
  /// - Returns: the operands, byte for byte.
  /// - Throws: also where the settings then have options that do not go together.
  package func parse(
    _ arguments: [FilePath],
    into settings: inout Settings,
    stopAtFirstOperand: Bool = false
  ) throws(UsageError) -> [FilePath] {
    let scan = OptionScanner(options: page.options, stopAtFirstOperand: stopAtFirstOperand)
      .scan(arguments)
    for occurrence in scan.occurrences {
      try options[occurrence.row].apply(occurrence.argument, to: &settings)
    }
    if let failure = scan.failure { throw failure }
    for conflict in conflicts { try conflict.check(settings) }
    return scan.operands
  }
}
