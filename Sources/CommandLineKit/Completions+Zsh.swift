extension Completions {
  /// To be loaded from `$fpath` under the name of `_PROGRAM`, or to be read behind `compinit`.
  var zsh: String {
    """
    #compdef \(program.name)
    # Completions of \(program.name) for zsh, as '\(program.name) completions zsh' writes them.

    _\(program.name)_commands() {
      local -a commands=(
    \(commands.map { "    \(quoted("\($0.name):\(escaped($0.brief))"))" }.joined(separator: "\n"))
      )
      _describe -t commands command commands
    }

    # Where no name is like that of a part, all files are offered.
    _\(program.name)_parts() {
      _files -g '(\(parts.joined(separator: "|")))'
    }

    _\(program.name)_file_or() {
      _alternative "words:word:($*)" 'files:file:_files'
    }

    _\(program.name)() {
      local curcontext=$curcontext state line
      local -A opt_args
    \(zshArguments(program, "  ", "-C", behind: ["'1:command:_\(program.name)_commands'", "'*::operand:->operands'"]))
      [[ $state == operands ]] || return 0
      case $words[1] in
    \(commands.map(zshCase).joined(separator: "\n"))
      esac
    }

    if [[ $funcstack[1] == _\(program.name) ]]; then
      _\(program.name) "$@"
    elif (( $+functions[compdef] )); then
      compdef _\(program.name) \(program.name)
    fi

    """
  }

  private func zshCase(_ page: CommandPage) -> String {
    "    \(page.name))\n\(zshArguments(page, "      ", behind: zshOperands(page.operands)))\n      ;;"
  }

  private func zshArguments(
    _ page: CommandPage,
    _ indent: String,
    _ flags: String...,
    behind operands: [String]
  ) -> String {
    let start = (["\(indent)_arguments -s -S"] + flags).joined(separator: " ")
    let rest = (page.options.flatMap(zshSpecifications) + operands).map { "\(indent)  \($0)" }
    return ([start] + rest).joined(separator: " \\\n")
  }

  /// As `_arguments` wants it: `'(-o --output)'{-o+,--output=}'[Write to FILE]:FILE:_files'`.
  private func zshSpecifications(_ row: OptionRow) -> [String] {
    let argument = zshArgument(row)
    let names = row.names.map { name in
      switch row.argument {
      case .none: name
      case .optional: "\(name)=-"
      case .required: name.hasPrefix("--") ? "\(name)=" : "\(name)+"
      }
    }
    let brief = "[\(escaped(row.brief))]"
    let text = brief + argument
    guard names.count > 1 else { return [quoted(names[0] + text)] }
    let excluded = "(\(row.names.joined(separator: " ")))"
    if case .optional = row.argument {
      // Behind the short name there is none.
      return [quoted(excluded + row.names[0] + brief), quoted(excluded + names[1] + text)]
    }
    return ["'\(excluded)'{\(names.joined(separator: ","))}\(quoted(text))"]
  }

  private func zshArgument(_ row: OptionRow) -> String {
    guard let placeholder = row.placeholder else { return "" }
    let lead = row.isAttachedOnly ? "::\(placeholder):" : ":\(placeholder):"
    switch row.completion {
    case .none, .free: return lead + " "
    case .words(let words): return lead + "(\(words.joined(separator: " ")))"
    case .list(let words):
      return lead + "_values -s , \(placeholder) \(words.joined(separator: " "))"
    case .file(or: []): return lead + "_files"
    // The space keeps zsh from adding arguments of its own.
    case .file(or: let words):
      return lead + " _\(program.name)_file_or \(words.joined(separator: " "))"
    case .directory: return lead + "_files -/"
    }
  }

  private func zshOperands(_ operands: CommandPage.Operands) -> [String] {
    switch operands {
    case .none: []
    case .files: ["'*:file:_files'"]
    case .directories: ["'*:directory:_files -/'"]
    case .parts: ["'*:part:_\(program.name)_parts'"]
    case .commands: ["'1:command:_\(program.name)_commands'"]
    case .words(let words): ["'1:word:(\(words.joined(separator: " ")))'"]
    }
  }

  /// What stands between brackets or behind a colon.
  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      if "[]:\\".contains(character) { text += "\\" }
      text.append(character)
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
