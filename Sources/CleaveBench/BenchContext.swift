package import Cleave
package import CommandLineKit

/// What a bench needs of the program that it is a command of.
package struct BenchContext: Sendable {
  package var settings: BenchSettings
  package var cancellation: Cancellation
  package var progress: WorkProgress
  /// Tells the user a detail of a run.
  package var note: @Sendable (String) -> Void
  /// Warns the user.
  package var warn: @Sendable (String) -> Void

  package init(
    _ settings: BenchSettings,
    _ cancellation: Cancellation,
    _ progress: WorkProgress,
    note: @escaping @Sendable (String) -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.cancellation = cancellation
    self.progress = progress
    self.note = note
    self.warn = warn
  }
}

/// Why a bench ended early.
package enum BenchFailure: Error {
  case usage(UsageError)
  /// The parts that the options ask for cannot be cut.
  case cutting(CutError)
  case job(CleaveError)
  /// A contender failed or made something wrong: what to tell in one line, and the exit code.
  case ended(String, exitCode: Int32)
}

/// Runs library code in a bench.
func job<R>(_ body: () throws(CleaveError) -> R) throws(BenchFailure) -> R {
  do { return try body() } catch { throw .job(error) }
}

/// A usage error from within a bench.
func usage(_ message: String) -> BenchFailure { .usage(UsageError(message)) }
