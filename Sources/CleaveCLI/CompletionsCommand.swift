import Cleave
import CommandLineKit
import Posix

/// `cleave completions`: scripts for shells, made from the tables of all commands.
enum CompletionsCommand: ProgramCommand {
  static let command = Command<Settings>(
    "completions",
    summary: "Write what a shell needs to complete command lines with Tab.",
    usage: ["cleave completions {bash | zsh | fish}"],
    operands: .words(Completions.Shell.allCases.map(\.rawValue)),
    options: OptionList.of(\.general, [.help, .version]).options,
    details: """
      Options, their values, commands and files are completed; for merge, cat, verify and info, files that \
      look like parts or manifests first. Packages and 'make install' install the scripts.
      """,
    examples: [
      .init(
        "cleave completions bash >~/.local/share/bash-completion/completions/cleave",
        "For bash with bash-completion."
      ),
      .init(
        "cleave completions zsh >~/.zfunc/_cleave",
        "For zsh, where ~/.zfunc is in $fpath."
      ),
      .init(
        "cleave completions fish >~/.config/fish/completions/cleave.fish",
        "For fish."
      ),
    ]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()

    var engineInside: EngineOption? { nil }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    guard let operand = operands.first else { throw usage("a shell is missing: bash, zsh or fish") }
    guard operands.count == 1 else { throw usage("one shell is written for at a time") }
    guard let shell = operand.string.flatMap(Completions.Shell.init) else {
      let names = Completions.Shell.allCases.map(\.rawValue)
      let question = Suggestion.question(for: operand.string, in: names)
      throw usage("'\(operand)' is not one of \(names.joined(separator: ", "))\(question)")
    }
    try job { () throws(CleaveError) in try session.console.write(script(for: shell)) }
    return .success
  }

  static func script(for shell: Completions.Shell) -> String {
    let pages = Program.pages
    let commands = Array(pages.dropFirst())
    return Completions(program: pages[0], commands: commands, parts: parts).script(for: shell)
  }

  /// Names that Tab offers before others. Parts of any name are found, as soon as enough of it is typed.
  private static let parts =
    [
      "*.[0-9][0-9]", "*.[0-9][0-9][0-9]", "*.[0-9][0-9][0-9][0-9]", "*.z[0-9][0-9]",
      "*.zx[0-9][0-9]", "*.zip", "*.zipx", "*part*[0-9]*", "*.part[a-z]*", "*chunk*[0-9]*",
      "*split*[0-9]*", "*.seg*[0-9]*", "*.vol*[0-9]*", "x[a-z][a-z]", "x[0-9][0-9]",
      "*[-_][0-9][0-9]",
      "*.sfv", "*.crc",
    ] + SumKind.endings.map { "*\($0)" } + ["*SUMS"]
}
