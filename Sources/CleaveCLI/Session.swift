import Cleave
import CommandLineKit
import Posix
import Synchronization

/// Why a command ended early.
enum Failure: Error {
  case usage(UsageError)
  case job(CleaveError)
  /// What the command itself has to say, in one line, and what to end with.
  case ended(String, ExitCode)
}

/// One command at work: what the user said, and the channels to them.
final class Session: Sendable {
  let settings: Settings
  let engineSettings: EngineSettings
  let console: Console
  let cancellation = Cancellation()
  let progress = WorkProgress()
  let waiting = Waiting()
  /// The command's.
  let page: CommandPage
  /// What was typed behind the program's name.
  let arguments: [FilePath]
  let closed: Set<CInt>
  private let start = ContinuousClock.now

  init(
    _ settings: Settings,
    _ page: CommandPage,
    _ arguments: [FilePath],
    closed: Set<CInt> = [],
    sink: @escaping Console.Sink = Console.write
  ) throws(UsageError) {
    var settings = settings
    // What leads to standard output is standard output, and the report does not go there.
    if let output = settings.output, output != "-", Self.isStandardOutput(output) {
      settings.output = "-"
    }
    self.settings = settings
    (self.page, self.arguments) = (page, arguments)
    self.closed = closed
    engineSettings = try settings.engineSettings()
    let writesData = settings.output == "-"
    if writesData, settings.writesJSON {
      throw UsageError("--json and data cannot both go to standard output")
    }
    console = Console(
      settings,
      page,
      dataOnStandardOutput: writesData,
      closed: closed,
      sink: sink
    )
  }

  private static func isStandardOutput(_ path: FilePath) -> Bool {
    guard let found = (try? FileStatus.ifPresent(path)) ?? nil, found.kind != .directory,
      let own = try? FileDescriptor.duplicate(of: 1, path: "standard output").status()
    else { return false }
    return found.identity == own.identity
  }

  /// Runs the command under signals and progress, and says what stopped it.
  func run(_ body: () throws(Failure) -> ExitCode) -> ExitCode {
    let line = ProgressLine(progress, waiting, console, settings)
    let watch = SignalWatch(cancellation, console, line)
    defer { line.end() }
    do throws(Failure) {
      let code = try body()
      // Too late to stop anything; but the sender of the signal waits for the process to end by it.
      if let signal = watch.signal {
        line.end()
        signal.raiseAgain()
      }
      return code
    } catch {
      line.end()
      switch error {
      case .usage(let error): return end(error)
      case .job(let error): return end(error, watch)
      case .ended(let message, let code):
        console.fail(Sentence(message))
        return code
      }
    }
  }

  private func end(_ error: UsageError) -> ExitCode {
    console.fail("\(error.message) (see 'cleave \(page.name) --help')")
    reporter.tell(.usage(error), .usage)
    return .usage
  }

  private func end(_ error: CleaveError, _ watch: SignalWatch) -> ExitCode {
    if error.kind == .contradiction { return end(UsageError(error.sentence.spelled(for: page))) }
    if error.kind == .readerGone { Signal.pipe.raiseAgain() }
    let signal = error.kind == .cancelled ? watch.signal ?? .interrupt : nil
    if signal == nil { console.fail(error.sentence) } else { watch.tellOnce(error.sentence) }
    // As shells show it.
    let ending = signal.map { ExitCode(rawValue: 128 + $0.rawValue) }
    let code = ending ?? ExitCode(error.kind) ?? .inputOutput
    reporter.tell(.job(error), code)
    signal?.raiseAgain()
    return code
  }

  // MARK: For the commands

  func requireStandardInput() throws(CleaveError) {
    if closed.contains(0) { throw CleaveError(.missingInput, "standard input: is closed") }
  }

  var seconds: Double { start.duration(to: .now) / .seconds(1) }
}

/// Runs library code in a command.
func job<R>(_ body: () throws(CleaveError) -> R) throws(Failure) -> R {
  do { return try body() } catch { throw .job(error) }
}

/// A usage error from within a command.
func usage(_ message: String) -> Failure { .usage(UsageError(message)) }
