extension Completions {
  /// For bash 4 and newer; in 3.2, which macOS has, a space has to be removed now and then.
  var bash: String {
    """
    # Completions of \(program.name) for bash, as '\(program.name) completions bash' writes them.

    # Each function looks at $current, what is typed of the word, and adds to COMPREPLY.

    _\(program.name)_words() {
      local word
      for word in $1; do
        [[ $word != "$current"* ]] || COMPREPLY+=("$word")
      done
      # What ends so has an argument behind it.
      [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    }

    _\(program.name)_list() {
      local word head= words=
      [[ $current != *,* ]] || head=${current%,*},
      for word in $1; do
        [[ ,$head == *,"$word",* ]] || words+=" $head$word"
      done
      _\(program.name)_words "$words"
      compopt -o nospace 2>/dev/null
    }

    # _\(program.name)_paths KIND: f for all files, d for directories, p for parts, or all files if there are none.
    _\(program.name)_paths() {
      local name typed=${current//\\\\/} all=() parts=()
      typed=${typed#[\\"\\']}
      compopt -o filenames 2>/dev/null
      while IFS= read -r name; do
        if [[ -d ${name/#~\\//$HOME/} ]]; then
          all+=("$name") parts+=("$name")
          continue
        fi
        [[ $1 != d ]] || continue
        all+=("$name")
        case ${name##*/} in
    \(bashParts)
        esac
      done < <(compgen -f -- "$typed")
      if [[ $1 == p && ${#parts[@]} -gt 0 ]]; then
        COMPREPLY+=("${parts[@]}")
      elif [[ ${#all[@]} -gt 0 ]]; then
        COMPREPLY+=("${all[@]}")
      fi
    }

    _\(program.name)() {
      local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
      local command= attached= head= ended= index
      COMPREPLY=()
      # --option=value is three words where = separates words, and it usually does.
      if [[ $current == = ]]; then
        attached=1 current=
      elif [[ $option == = ]]; then
        attached=1 option=${COMP_WORDS[COMP_CWORD - 2]}
      elif [[ $current == --*=* ]]; then
        attached=1 option=${current%%=*} head=${current%%=*}= current=${current#*=}
      fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          =) ((index++)) ;;
          --) [[ -z $command ]] || ended=1 option= ;;
          -*) ;;
          *) [[ -n $command ]] || command=${COMP_WORDS[index]} ;;
        esac
      done
      _\(program.name)_complete
      [[ -z $head || ${#COMPREPLY[@]} -eq 0 ]] || COMPREPLY=("${COMPREPLY[@]/#/$head}")
    }

    _\(program.name)_complete() {
      case $command in
    \(([program] + commands).map(bashCase).joined(separator: "\n"))
      esac
    }

    complete -F _\(program.name) \(program.name)

    """
  }

  private var bashParts: String {
    "      \(parts.joined(separator: " | ")) ) parts+=(\"$name\") ;;"
  }

  private func bashCase(_ page: CommandPage) -> String {
    let isProgram = page.name == program.name
    let required = page.options.filter { !$0.isAttachedOnly }.compactMap(bashArgument)
    let optional = page.options.filter(\.isAttachedOnly).compactMap(bashArgument)
    let names = page.options.flatMap { row in
      row.names.map { $0.hasPrefix("--") && row.placeholder != nil ? bashName($0, row) : $0 }
    }
    var lines = ["    \(isProgram ? "''" : page.name))"]
    if !required.isEmpty { lines += ["      case $option in"] + required + ["      esac"] }
    lines.append("      if [[ -n $attached ]]; then")
    if optional.isEmpty {
      lines.append("        return")
    } else {
      lines +=
        ["        case $option in"] + optional.map { "  " + $0 } + [
          "        esac", "        return",
        ]
    }
    lines += [
      "      fi",
      "      if [[ -z $ended && $current == -* ]]; then",
      "        _\(program.name)_words '\(names.joined(separator: " "))'",
      "        return",
      "      fi",
      "      \(bashOperands(page.operands))",
      "      ;;",
    ]
    return lines.joined(separator: "\n")
  }

  /// An argument that may be left out is offered without one.
  private func bashName(_ name: String, _ row: OptionRow) -> String {
    row.isAttachedOnly ? "\(name) \(name)=" : "\(name)="
  }

  private func bashArgument(_ row: OptionRow) -> String? {
    let names = row.names.joined(separator: " | ")
    let action: String
    switch row.completion {
    case .none: return nil
    case .free: return "        \(names)) return ;;"
    case .words(let words): action = "_\(program.name)_words '\(words.joined(separator: " "))'"
    case .list(let words): action = "_\(program.name)_list '\(words.joined(separator: " "))'"
    case .file(or: let words):
      let others = words.isEmpty ? "" : "; _\(program.name)_words '\(words.joined(separator: " "))'"
      action = "_\(program.name)_paths f\(others)"
    case .directory: action = "_\(program.name)_paths d"
    }
    return "        \(names)) \(action); return ;;"
  }

  private func bashOperands(_ operands: CommandPage.Operands) -> String {
    switch operands {
    case .none: return ":"
    case .files: return "_\(program.name)_paths f"
    case .directories: return "_\(program.name)_paths d"
    case .parts: return "_\(program.name)_paths p"
    case .commands: return "_\(program.name)_words '\(commands.map(\.name).joined(separator: " "))'"
    case .words(let words): return "_\(program.name)_words '\(words.joined(separator: " "))'"
    }
  }
}
