import Cleave
import CommandLineKit
import Posix

/// A command: its option table, and what it does.
protocol ProgramCommand: SendableMetatype {
  associatedtype Settings: CommandSettings

  /// Made when it is asked for: no command pays for the tables of the others.
  static var command: Command<Settings> { get }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode
}

/// Any of the commands, by its name.
struct Subcommand: Sendable {
  let name: String
  let page: @Sendable () -> CommandPage
  /// Reads a command line.
  let parse: @Sendable ([FilePath], inout Known) throws(UsageError) -> CommandLine

  /// What is known of a command line also where the rest of it is wrong.
  struct Known {
    var general = GeneralSettings()
    var writesData = false
  }

  /// A command line that was read.
  struct CommandLine {
    let report: ReportSettings
    /// What there is too little of to begin; nil where all is there.
    let lack: () -> String?
    let run: (Session) throws(Failure) -> ExitCode
  }

  init<Kind: ProgramCommand>(_ name: String, _ kind: Kind.Type) {
    self.name = name
    page = { kind.command.page }
    parse = { arguments, known throws(UsageError) in
      var settings = Kind.Settings()
      // What a command has in its own way stays so, unless an option says otherwise.
      let progress = settings.general.progress
      settings.general = known.general
      settings.general.progress = progress
      defer { known = Known(general: settings.general, writesData: settings.writesData) }
      let operands = try kind.command.parse(arguments, into: &settings)
      if settings.general.help == nil, !settings.general.wantsVersion { try settings.validate() }
      let settled = settings
      return CommandLine(
        report: settled.report,
        lack: { Self.lack(settled.engineInside) },
        run: { session throws(Failure) in try kind.run(session, settled, operands) }
      )
    }
  }

  private static func lack(_ engine: EngineOption?) -> String? {
    if !ProcessState.canOpenFiles { return "too few file descriptors (EMFILE; ulimit -n)" }
    if !ProcessState.mayHaveStack(of: leastStack) {
      return "too little stack: \(leastStack >> 10) KiB are needed (ulimit -s)"
    }
    return ProcessState.canStartThreads(mostThreads(engine)) ? nil : "too few threads (EAGAIN)"
  }

  /// What a thread of macOS has; with a quarter, it was seen to overflow.
  private static let leastStack = 512 << 10

  /// With too few Dispatch waits for ever, so it is better not to begin. direct was seen to use 5
  /// threads, serial 11, the others up to 25, zerocopy now and then more. Each tried costs 60 µs.
  ///
  /// Without an engine: Dispatch's own, which waits for signals, one each for what is done at a signal and
  /// for the progress line, and one to spare.
  private static func mostThreads(_ engine: EngineOption?) -> CInt {
    switch engine {
    case nil: 4
    case .auto, .direct, .serial: 12
    case .multiqueue, .zerocopy: 32
    }
  }
}

extension Command where Settings: CommandSettings {
  /// What a run that has left a receipt was asked for.
  ///
  /// - Parameter arguments: what was typed behind the command.
  func again(
    _ arguments: [FilePath],
    _ general: GeneralSettings
  ) throws(Failure) -> (settings: Settings, operands: [FilePath]) {
    var settings = Settings()
    let operands: [FilePath]
    do throws(UsageError) {
      operands = try parse(arguments, into: &settings)
      try settings.validate()
    } catch {
      throw .usage(error)
    }
    guard !operands.isEmpty else { throw usage("its receipt names no file") }
    settings.general = general
    return (settings, operands)
  }
}
