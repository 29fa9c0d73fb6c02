import Cleave
import CommandLineKit
import Posix

/// How much of the help is wanted.
enum HelpForm: Sendable {
  /// One screen, with examples first.
  case short
  case whole
}

/// `cleave help`: what there is to read about a command, or about all of them.
enum HelpCommand: ProgramCommand {
  static let command = Command<Settings>(
    "help",
    summary: "Show the help of a command, or of the program.",
    usage: ["cleave help [COMMAND]"],
    operands: .commands,
    options: Settings.lists.flatMap(\.options),
    details: """
      Shows what 'cleave COMMAND --help' shows. 'cleave COMMAND -h' shows one screen of it.
      """,
    examples: [
      .init("cleave help merge", "Show everything about merge."),
      .init("cleave help --manual merge | man -l -", "Show its manual page, installed or not."),
    ]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    /// Instead of help.
    var wantsManual = false

    var engineInside: EngineOption? { nil }

    static var lists: [OptionList<Self>] {
      [
        .own([
          .flag(
            "manual",
            group: "Output",
            help: "Write the source of the manual page instead, for 'man -l -' and 'mandoc'.",
            sets: \.wantsManual
          )
        ]),
        .of(\.general, [.help, .version]),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    guard operands.count <= 1 else { throw usage("help is about one command at a time") }
    let name = operands.first ?? "cleave"
    let isManual = settings.wantsManual
    guard let text = name.string.flatMap({ isManual ? manual($0) : text(ofCommand: $0, .whole) })
    else { throw .usage(WrongCommand.unknown(name)) }
    try job { () throws(CleaveError) in try session.console.write(text) }
    return .success
  }

  // MARK: Texts

  /// - Returns: nil where there is no such command.
  static func text(ofCommand name: String, _ form: HelpForm) -> String? {
    let pages = Program.pages
    guard let index = pages.firstIndex(where: { $0.name == name }) else { return nil }
    guard index == 0 else { return text(of: pages[index], form) }
    let help = ProgramHelp(program: pages[0], commands: Array(pages.dropFirst()))
    switch form {
    case .short: return help.shortText(width: width)
    case .whole: return help.text(width: width)
    }
  }

  static func text(of page: CommandPage, _ form: HelpForm) -> String {
    switch form {
    case .short: page.shortHelpText(width: width)
    case .whole: page.helpText(width: width)
    }
  }

  /// - Returns: nil where there is no such command.
  private static func manual(_ name: String) -> String? {
    let pages = Program.pages
    guard let page = pages.first(where: { $0.name == name }) else { return nil }
    // What is built twice from the same source is the same.
    let given = ProcessState.environment("SOURCE_DATE_EPOCH").flatMap { Int64($0) }
    return ManualText.page(page, of: pages, seconds: given ?? ProcessState.secondsSince1970).text
  }

  private static var width: Int { min(ProcessState.terminalWidth(1) ?? 80, 100) }

  // MARK: What the program's own page has

  static let details = """
    'cleave COMMAND -h' shows one screen about it, and 'cleave help COMMAND' all.
    """

  static let examples: [CommandPage.Example] = [
    .init("cleave merge film.mkv.001", "Make film.mkv from its parts."),
    .init("cleave split -b 100M film.mkv", "Cut it into parts of 100 MiB."),
    .init("cleave verify film.mkv.sfv", "Check the parts."),
    .init("cleave info downloads/", "Show every series in a directory."),
  ]
}
