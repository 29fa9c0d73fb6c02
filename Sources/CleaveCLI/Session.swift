import Cleave
import CleaveRemote
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
  let general: GeneralSettings
  let report: ReportSettings
  /// Whether data goes to standard output.
  let writesData: Bool
  let console: Console
  let cancellation = Cancellation()
  let progress = WorkProgress()
  let waiting = Waiting()
  /// The command's.
  let page: CommandPage
  /// What was typed behind the program's name.
  let arguments: [FilePath]
  /// The same, with the escapes of addresses.
  private let typed: [FilePath]
  let closed: Set<CInt>
  private let start = ContinuousClock.now

  init(
    _ general: GeneralSettings,
    _ report: ReportSettings,
    _ page: CommandPage,
    _ arguments: [FilePath],
    typed: [FilePath]? = nil,
    writesData: Bool = false,
    closed: Set<CInt> = [],
    sink: @escaping Console.Sink = Console.write
  ) {
    (self.general, self.report, self.writesData) = (general, report, writesData)
    (self.page, self.arguments, self.typed) = (page, arguments, typed ?? arguments)
    self.closed = closed
    console = Console(
      general,
      page,
      dataOnStandardOutput: writesData,
      closed: closed,
      sink: sink
    )
  }

  /// Whether a failure is told as an object: not where data goes to standard output.
  var endsInObject: Bool { general.writesJSON && !writesData }

  /// Runs the command under signals and progress, and says what stopped it.
  func run(_ body: () throws(Failure) -> ExitCode) -> ExitCode {
    let line = ProgressLine(
      progress,
      waiting,
      console,
      general,
      readsInput: arguments.contains("-")
    )
    let watch = SignalWatch(cancellation, console, line)
    defer { line.end() }
    do throws(Failure) {
      try serveAddresses()
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

  /// Has addresses among the operands read.
  private func serveAddresses() throws(Failure) {
    // Also as the value of an option: `--manifest=https://…`, `-os3://…`.
    let mayBe = arguments.contains {
      $0.bytes.contains(UInt8(ascii: ":")) && $0.bytes.contains("://".utf8)
    }
    if !mayBe { return }
    for word in arguments {
      guard let scheme = word.unknownScheme, (try? FileStatus.of(scheme)) == nil else { continue }
      // What is in front of an @ may be a password.
      let shown = word.bytes.contains(UInt8(ascii: "@")) ? scheme.adding("//…") : word
      throw usage("\(shown): addresses begin with https://, http:// or s3://, not \(scheme)//")
    }
    let addresses = typed.map(\.valueOfOption).filter(\.isRemote)
    let files = try job { [cancellation] () throws(CleaveError) in
      try AddressedFiles(operands: addresses) { cancellation.isCancelled }
    }
    FileSystem.serveRemote(by: files)
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

  /// - Throws: where data is to go to standard output, which is closed.
  func requireStandardOutput() throws(CleaveError) {
    if writesData, closed.contains(1) {
      throw CleaveError(.cannotCreate, "standard output: is closed")
    }
  }

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
