/// What users see of an option: its names, its argument and its help.
///
/// Parsing, help, manual page and completions all read these rows; what an option does is in
/// ``Option``.
package struct OptionRow: Hashable, Sendable {
  /// Whether an option takes an argument, and what the help calls it, in upper case.
  package enum Argument: Hashable, Sendable {
    case none
    case required(String)
    /// One that can only be attached to the long name, as in `--color=WHEN`.
    case optional(String)
  }

  /// The name without its dashes.
  package var long: String
  package var short: Character?
  package var argument: Argument
  /// The heading in the help that the option stands under.
  package var group: String
  /// One sentence.
  package var help: String
  /// All that the argument may be; empty where it is free.
  package var values: [String]
  /// Words that have a meaning where the argument is otherwise free: those that a list is made of, or what
  /// may stand in place of a name or a size. They are for completions; ``help`` explains them.
  package var words: [String] = []
  /// Whether the argument is a list with commas.
  package var isList = false
}

extension OptionRow {
  /// What the help calls the argument, if there is one.
  package var placeholder: String? {
    switch argument {
    case .none: nil
    case .required(let name), .optional(let name): name
    }
  }

  /// `-b, --bytes=SIZE`, indented so that long names without a short one stand below each other.
  var label: String {
    let names = (short.map { "  -\($0), " } ?? "      ") + "--\(long)"
    return switch argument {
    case .none: names
    case .required(let name): "\(names)=\(name)"
    case .optional(let name): "\(names)[=\(name)]"
    }
  }

  /// The help with the allowed values behind it, which the table's author need not repeat.
  var fullHelp: String {
    values.isEmpty ? help : "\(help) One of \(values.joined(separator: ", "))."
  }
}
