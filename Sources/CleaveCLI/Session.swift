import Cleave
import CommandLineKit
import Posix
import Synchronization

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
    closed: Set<CInt>
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
    guard settings.clone != .always || [.auto, .direct].contains(settings.engine) else {
      throw UsageError("--clone=always needs the direct engine: no other one shares blocks")
    }
    let writesData = settings.output == "-"
    if writesData, settings.writesJSON {
      throw UsageError("--json and data cannot both go to standard output")
    }
    console = Console(settings, page, dataOnStandardOutput: writesData, closed: closed)
  }

  private static func isStandardOutput(_ path: FilePath) -> Bool {
    guard let found = (try? FileStatus.ifPresent(path)) ?? nil, found.kind != .directory,
      let own = try? FileDescriptor.duplicate(of: 1, path: "standard output").status()
    else { return false }
    return found.identity == own.identity
  }

  /// Runs the command under signals and progress, and says what stopped it.
  func run(_ body: () throws(Failure) -> ExitCode) -> ExitCode {
    let line = ProgressLine(progress, console, settings)
    let watch = SignalWatch(cancellation, console) { line.tell() }
    defer { line.end() }
    do throws(Failure) {
      let code = try body()
      // Too late to stop anything; but whoever sent the signal waits for the process to end by it.
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
    tell(JSONReport.Failure(command: page.name, error: error.message, code: .usage))
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
    if error.system?.path != "standard output" {
      tell(JSONReport.Failure(page, error: error, code: code))
    }
    signal?.raiseAgain()
    return code
  }

  private func tell(_ failure: JSONReport.Failure) {
    if settings.endsInObject { try? write(failure, isIncidental: true) }
  }

  // MARK: For the commands

  func requireStandardInput() throws(CleaveError) {
    if closed.contains(0) { throw CleaveError(.missingInput, "standard input: is closed") }
  }

  /// Checks the room for what a dry run says would be made. Where it may be shared, only the job
  /// itself finds out.
  func requireRoom(for plan: TransferPlan, _ engine: EngineName) throws(CleaveError) {
    if BlockSharing(settings.clone).mayShare(plan, engine) { return }
    try OutputCheck.checkSpace(for: plan.destinations)
  }

  var seconds: Double { start.duration(to: .now) / .seconds(1) }

  /// What `--verbose` tells of an engine's run.
  func noteRun(_ report: JobReport) {
    guard let engine = report.engine else { return }
    let marks = engine.marks(engineSettings)
    let shared = report.sharedBytes
    let work =
      "engine \(engine.rawValue), low water \(marks.low), high water \(marks.high), window "
      + "\(marks.window)" + (shared > 0 ? ", \(shared) bytes shared with the source" : "")
    noteSpeed(of: work, bytes: report.bytes)
  }

  /// What `--verbose` tells of any work.
  func noteSpeed(of work: String, bytes: Int64) {
    guard settings.isVerbose, !settings.isQuiet else { return }
    let milliseconds = Int64(seconds * 1000)
    let rate = milliseconds > 0 ? Int64(Double(bytes) / seconds) : bytes
    console.note(
      "\(work); \(milliseconds) ms, \(ByteSize.short(rate))/s, peak memory "
        + "\(ByteSize.short(ProcessState.peakResidentBytes))"
    )
  }

  /// Writes the result as JSON, the last line of standard output.
  func write(_ report: some Encodable, isIncidental: Bool = false) throws(CleaveError) {
    console.endEvents()
    let told = JSONReport.Told(report, console.told)
    try console.write(try JSONReport.text(told) + "\n", isIncidental: isIncidental)
  }
}

extension Session {
  /// Adds a value to an array of a report.
  typealias Adding = (any Encodable) throws(CleaveError) -> Void

  /// Writes the result as JSON, the last line of standard output, with the values of some arrays encoded
  /// and written one by one.
  ///
  /// - Parameter fillings: by the names of arrays that are empty in the report, and in no other object of
  ///   it.
  func write(
    _ report: some Encodable,
    filling fillings: [String: (Adding) throws(CleaveError) -> Void]
  ) throws(CleaveError) {
    console.endEvents()
    var rest = try JSONReport.text(JSONReport.Told(report, console.told))[...]
    var output = ConsoleBuffer(console)
    // As the keys are sorted. In a string the quotation marks would be escaped.
    for (name, fill) in fillings.sorted(by: { $0.key < $1.key }) {
      guard let place = rest.firstRange(of: "\"\(name)\":[]") else { continue }
      let end = rest.index(before: place.upperBound)
      try output.write(Array(rest[..<end].utf8))
      rest = rest[end...]
      var isFirst = true
      try fill { value throws(CleaveError) in
        if !isFirst { try output.write([UInt8(ascii: ",")]) }
        isFirst = false
        try output.write(Array(try JSONReport.text(value).utf8))
      }
    }
    try output.write(Array(rest.utf8) + [UInt8(ascii: "\n")])
    try output.flush()
  }
}

/// Runs library code in a command.
func job<R>(_ body: () throws(CleaveError) -> R) throws(Failure) -> R {
  do { return try body() } catch { throw .job(error) }
}

/// A usage error from within a command.
func usage(_ message: String) -> Failure { .usage(UsageError(message)) }
