import Cleave
import CleaveRemote
import CommandLineKit
import GNUSplit
import Posix

/// The program: from `argv` to an exit code.
public enum Program {
  /// Runs the command line that the process was started with. To be called before any thread is.
  public static func main() -> Never {
    let closed = ProcessState.openStandardDescriptors()
    let arguments = ProcessState.arguments
    if GNUSplit.isMeant(by: arguments.first) {
      ProcessState.exit(GNUSplit.run(arguments, closed: closed))
    }
    SignalWatch.prepare()
    ProcessState.tuneAllocator()
    let code = run(Array(arguments.dropFirst()), closed: closed)
    ProcessState.exit(code.rawValue)
  }

  static let commands = [
    Subcommand("split", SplitCommand.self), Subcommand("merge", MergeCommand.self),
    Subcommand("cat", CatCommand.self), Subcommand("verify", VerifyCommand.self),
    Subcommand("info", InfoCommand.self), Subcommand("repair", RepairCommand.self),
    Subcommand("finish", FinishCommand.self), Subcommand("clean", CleanCommand.self),
    Subcommand("bench", BenchCommand.self), Subcommand("help", HelpCommand.self),
    Subcommand("completions", CompletionsCommand.self),
  ]

  /// Options that may stand before the command's name, and those that stand alone.
  private static let general = Command<GeneralSettings>(
    "cleave",
    summary: "Splits large files, merges the parts, and proves that the result is right.",
    usage: ["cleave COMMAND [OPTION]... [OPERAND]..."],
    operands: .commands,
    options: Option.all
  )

  /// What users see of each command, and of what stands before one.
  static var pages: [CommandPage] { [overview] + commands.map { $0.page() } }

  /// The page of the program; its examples cost those nothing who do not ask.
  private static var overview: CommandPage {
    var page = general.page
    (page.details, page.examples) = (HelpCommand.details, HelpCommand.examples)
    return page
  }

  private static func run(_ typed: [FilePath], closed: Set<CInt>) -> ExitCode {
    let arguments = typed.map(\.unescapingAddress)
    var known = Subcommand.Known()
    var page = general.page
    do throws(UsageError) {
      let rest = try general.parse(arguments, into: &known.general, stopAtFirstOperand: true)
      guard let name = rest.first, !known.general.wantsVersion else {
        return try withoutCommand(known.general, closed: closed)
      }
      guard let found = commands.first(where: { name == FilePath($0.name) }) else {
        throw WrongCommand.error(for: name, Array(rest.dropFirst()))
      }
      page = found.page()
      let line = try found.parse(Array(rest.dropFirst()), &known)
      if let form = known.general.help {
        return show(HelpCommand.text(of: page, form), closed: closed)
      }
      if known.general.wantsVersion { return show(versionText, closed: closed) }
      if let lack = line.lack() {
        Console(known.general, closed: closed).fail("the operating system gives \(lack)")
        return .exhausted
      }
      let session = Session(
        known.general,
        line.report,
        page,
        arguments,
        typed: typed,
        writesData: known.writesData,
        closed: closed
      )
      return session.run { () throws(Failure) in try line.run(session) }
    } catch {
      // A user who asks for help is not told what else was wrong.
      if let form = known.general.help { return show(help: page.name, form, closed: closed) }
      let help = page.name == general.page.name ? "cleave" : "cleave \(page.name)"
      let console = Console(known.general, closed: closed)
      console.fail("\(error.message) (see '\(help) --help')")
      // What was wrong may stand in front of it.
      let words = arguments.prefix { $0 != "--" }
      let wantsObject =
        page.options.contains { $0.longName == "--json" } && words.contains("--json")
      if wantsObject || known.general.writesJSON, !known.writesData {
        let failure = JSONReport.Failure(command: page.name, error: error.message, code: .usage)
        if let text = try? JSONReport.text(failure) { try? console.write(text + "\n") }
      }
      return .usage
    }
  }

  private static func withoutCommand(
    _ settings: GeneralSettings,
    closed: Set<CInt>
  ) throws(UsageError) -> ExitCode {
    if settings.wantsVersion { return show(versionText, closed: closed) }
    if let form = settings.help { return show(help: general.page.name, form, closed: closed) }
    let names = commands.map(\.name)
    let list = names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
    throw UsageError("a command is missing: \(list)")
  }

  private static func show(help name: String, _ form: HelpForm, closed: Set<CInt>) -> ExitCode {
    show(HelpCommand.text(ofCommand: name, form) ?? "", closed: closed)
  }

  private static func show(_ text: String, closed: Set<CInt>) -> ExitCode {
    do {
      try Console(GeneralSettings(), closed: closed).write(
        text.hasSuffix("\n") ? text : text + "\n"
      )
      return .success
    } catch {
      if error.kind == .readerGone { Signal.pipe.raiseAgain() }
      Console(GeneralSettings()).fail(error.sentence)
      return .inputOutput
    }
  }

  private static let versionText =
    "cleave \(cleaveVersion)\nsums and unpacking by \(Checksum.library), "
    + (RunningDigest.mayLoad ? "digests by libcrypto where it is installed" : "no digests")
}
