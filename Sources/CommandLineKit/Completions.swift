/// Shell scripts that complete command lines of a program, made from the tables of its commands.
package struct Completions: Sendable {
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  let program: CommandPage
  let commands: [CommandPage]
  /// What the names of parts and manifests look like, in the notation of `case` in `sh(1)`: `*.[0-9][0-9]`.
  let parts: [String]

  package init(program: CommandPage, commands: [CommandPage], parts: [String]) {
    (self.program, self.commands, self.parts) = (program, commands, parts)
  }

  package func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }
}

extension OptionRow {
  /// What stands where the argument does.
  enum Completion: Hashable {
    /// There is no argument.
    case none
    /// One that nobody can guess.
    case free
    case words([String])
    /// Several words with commas between them.
    case list([String])
    /// A file, or one of these words.
    case file(or: [String])
    case directory
  }

  var completion: Completion {
    guard let placeholder else { return .none }
    if isList { return words.isEmpty ? .free : .list(words) }
    switch placeholder {
    case "FILE", "PART": return .file(or: words)
    case "DIR": return .directory
    default:
      let known = values + words
      return known.isEmpty ? .free : .words(known)
    }
  }

  /// `--bytes` and `-b`.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + [longName] }

  /// Whether the argument has to be attached, as in `--color=WHEN`.
  var isAttachedOnly: Bool { if case .optional = argument { true } else { false } }

  /// The first clause of the help, without a full stop.
  var brief: String {
    let ends = [". ", "; ", ": ", " ("].compactMap { help.firstRange(of: $0)?.lowerBound }
    var clause = help[..<(ends.min() ?? help.endIndex)]
    if clause.last == "." { clause.removeLast() }
    // Some clauses are long sentences of several.
    while clause.count > 72, let comma = clause.ranges(of: ", ").last {
      clause = clause[..<comma.lowerBound]
    }
    return String(clause)
  }
}

extension CommandPage {
  /// The summary without its full stop.
  var brief: String { String(summary.last == "." ? summary.dropLast() : summary[...]) }
}
