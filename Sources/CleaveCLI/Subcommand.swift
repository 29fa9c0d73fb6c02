import Cleave
import CommandLineKit
import Posix

/// A command: its option table, and what it does.
struct Subcommand: Sendable {
  let name: String
  /// Made when it is asked for: no command pays for the tables of the others.
  let command: @Sendable () -> Command<Settings>
  let run: @Sendable (Session, [FilePath]) throws(Failure) -> ExitCode
  /// Whether an engine may run in this process.
  var hasEngines = true
  /// Sets what is not as in other commands, before the options do.
  var prepare: @Sendable (inout Settings) -> Void = { _ in }
}

extension Subcommand {
  /// What there is too little of to begin; nil where all is there.
  func lack(_ settings: Settings) -> String? {
    if !ProcessState.canOpenFiles { return "file descriptors (EMFILE)" }
    let threads = hasEngines ? Self.mostThreads(settings.engine) : Self.fewestThreads
    return ProcessState.canStartThreads(threads) ? nil : "threads (EAGAIN)"
  }

  /// Those of every command: Dispatch's own, which waits for signals, and one each for what is done at a
  /// signal and for the progress line; and one to spare.
  private static let fewestThreads: CInt = 4

  /// With too few Dispatch waits for ever, so it is better not to begin. direct was seen to use 5
  /// threads, serial 11, the others up to 25, zerocopy now and then more. Each tried costs 60 µs.
  private static func mostThreads(_ engine: EngineOption) -> CInt {
    switch engine {
    case .auto, .direct, .serial: 12
    case .multiqueue, .zerocopy: 32
    }
  }
}
