extension Completions {
  /// For fish 3 and newer.
  var fish: String {
    let lines = ([program] + commands).flatMap(fishLines)
    return """
      # Completions of \(program.name) for fish, as '\(program.name) completions fish' writes them.

      # Whether the command is this one; of '', whether there is none yet.
      function __\(program.name)_is
          set -l words (commandline -opc)
          for word in $words[2..-1]
              string match -q -- '-*' $word; and continue
              test "$word" = "$argv[1]"
              return
          end
          test -z "$argv[1]"
      end

      # The same, but for a word that is an option with its argument.
      function __\(program.name)_operand
          __\(program.name)_is $argv; and not string match -q -- '-*=*' (commandline -ct)
      end

      # Files that look like parts, or all if there are none; and directories.
      function __\(program.name)_parts
          set -l names
          for name in (commandline -ct)*
              test -d $name; and set -a names $name/; or set -a names $name
          end
          set -l parts (string match -r -- '^(?:.*/)?(?:\(parts.map(Self.expression).joined(separator: "|")))$' $names)
          if set -q parts[1]
              printf '%s\\n' $parts (string match -- '*/' $names)
          else
              printf '%s\\n' $names
          end
      end

      # Words for a list with commas, but for those that it has.
      function __\(program.name)_list
          set -l typed (string replace -r '^-[^=]*=' '' -- (commandline -ct))
          set -l head (string replace -r '[^,]*$' '' -- $typed)
          for word in $argv
              contains -- $word (string split , -- $head); or echo $head$word
          end
      end

      complete -c \(program.name) -f
      \(lines.joined(separator: "\n"))

      """
  }

  private func fishLines(_ page: CommandPage) -> [String] {
    let name = page.name == program.name ? "''" : page.name
    let lead = "complete -c \(program.name) -n \"__\(program.name)_is \(name)\""
    let operand = "complete -c \(program.name) -n \"__\(program.name)_operand \(name)\""
    let lines = page.options.map { row in "\(lead) \(fishOption(row)) -d \(quoted(row.brief))" }
    return lines + fishOperands(page.operands).map { "\(operand) \($0)" }
  }

  private func fishOption(_ row: OptionRow) -> String {
    let names = (row.short.map { "-s \($0) " } ?? "") + "-l \(row.long)"
    // An argument that may be left out is offered behind an equals sign alone.
    let needs = row.isAttachedOnly ? "" : " -x"
    switch row.completion {
    case .none: return names
    case .free: return names + needs
    case .words(let words): return "\(names)\(needs) -a '\(words.joined(separator: " "))'"
    case .list(let words):
      return "\(names)\(needs) -a '(__\(program.name)_list \(words.joined(separator: " ")))'"
    case .file(or: let words):
      return "\(names) -r -F" + (words.isEmpty ? "" : " -a '\(words.joined(separator: " "))'")
    case .directory: return "\(names) -x -a '(__fish_complete_directories)'"
    }
  }

  private func fishOperands(_ operands: CommandPage.Operands) -> [String] {
    switch operands {
    case .none: []
    case .files: ["-F"]
    case .directories: ["-a '(__fish_complete_directories)'"]
    case .parts: ["-a '(__\(program.name)_parts)'"]
    case .commands: commands.map { "-a \($0.name) -d \(quoted($0.brief))" }
    case .words(let words): ["-a '\(words.joined(separator: " "))'"]
    }
  }

  /// The regular expression of a pattern.
  private static func expression(_ pattern: String) -> String {
    pattern.reduce(into: "") { text, character in
      switch character {
      case "*": text += "[^/]*"
      case "?": text += "[^/]"
      case ".": text += "\\."
      default: text.append(character)
      }
    }
  }

  private func quoted(_ text: String) -> String {
    let text = text.reduce(into: "") { text, character in
      if "'\\".contains(character) { text += "\\" }
      text.append(character)
    }
    return "'\(text)'"
  }
}
