import Cleave
import CommandLineKit
import Posix

/// Standard output and standard error, as far as people read them.
///
/// Data never passes through here; a report that cannot be written is an error like any other.
final class Console: Sendable {
  /// Takes bytes for standard output, 1, or standard error, 2.
  typealias Sink = @Sendable (_ bytes: [UInt8], _ descriptor: CInt) throws(SystemError) -> Void

  private let sink: Sink
  private let isQuiet: Bool
  private let isColored: Bool
  private let reportsTo: CInt
  private let isMute: Bool
  /// The command whose options remedies are spelled with; nil before it is known.
  private let page: CommandPage?
  /// Whether a progress line stands on the terminal and must be wiped before anything else is said.
  private let hasLine = Locked(false)
  /// What JSON repeats of what people are told.
  private let remembered = Locked(Told())

  struct Told {
    var warnings: [String] = []
    var doubts: [JSONReport.Doubt] = []
  }

  /// Whether the result has been written, behind which no event may come.
  private let hasResult = Locked(false)

  /// - Parameter dataOnStandardOutput: reports then go to standard error.
  /// - Parameter closed: standard descriptors that nobody listens to.
  init(
    _ settings: GeneralSettings,
    _ page: CommandPage? = nil,
    dataOnStandardOutput: Bool = false,
    closed: Set<CInt> = [],
    sink: @escaping Sink = Console.write
  ) {
    (self.page, self.sink) = (page, sink)
    isQuiet = settings.isQuiet
    reportsTo = dataOnStandardOutput ? 2 : 1
    isMute = closed.contains(reportsTo)
    isColored = Self.colors(settings.color)
  }

  private static func colors(_ when: AutoAlwaysNever) -> Bool {
    switch when {
    case .always: return true
    case .never: return false
    case .auto:
      let isRefused = ProcessState.environment("NO_COLOR").map { !$0.isEmpty } ?? false
      let isDumb = ProcessState.environment("TERM") == "dumb"
      return !isRefused && !isDumb && ProcessState.isTerminal(2)
    }
  }

  /// A line of the result, unless `--quiet`.
  func report(_ line: String) throws(CleaveError) {
    if !isQuiet { try write(line + "\n", isIncidental: true) }
  }

  /// Many such lines, each of which is made where it is written.
  func report(each lines: some Sequence<String>) throws(CleaveError) {
    if isQuiet { return }
    var output = ConsoleBuffer(self, isIncidental: true)
    for line in lines { try output.write(Array((line + "\n").utf8)) }
    try output.flush()
  }

  /// The result itself, also with `--quiet`.
  ///
  /// - Parameter isIncidental: the job was to do something else, and was done; then nobody need
  ///   listen, where the descriptor was closed from the start.
  func write(_ text: String, isIncidental: Bool = false) throws(CleaveError) {
    try write(bytes: Array(text.utf8), isIncidental: isIncidental)
  }

  /// The same for what may be in any encoding, such as names of files.
  func write(bytes: [UInt8], isIncidental: Bool = false) throws(CleaveError) {
    wipeProgress()
    if isMute {
      if isIncidental { return }
      throw CleaveError(.inputOutput, "standard output is closed")
    }
    do { try sink(bytes, reportsTo) } catch { throw .writing(error) }
  }

  /// Something that the user should know and that does not stop the job.
  ///
  /// - Parameter isReason: whether it is why the job ends as it does, and told with `--quiet`, too.
  func warn(_ message: Sentence, isReason: Bool = false) {
    remember(message)
    if !isQuiet || isReason { say("warning: " + message, color: "33") }
  }

  /// In JSON.
  private static let mostWarnings = 1000

  /// A doubt that JSON has, whether it is told or not.
  func note(_ doubt: Doubt) {
    let told = JSONReport.Doubt(doubt, text: doubt.text.spelled(for: page))
    remembered.withLock { $0.doubts.append(told) }
  }

  var told: Told { remembered.withLock { $0 } }

  /// What stopped the job.
  func fail(_ message: Sentence) { say(message, color: "31") }

  /// Details for `--verbose`.
  func note(_ message: Sentence) { say(message, color: nil) }

  /// What is unusual and does no harm: a line, unless `--quiet`, and among the warnings in JSON.
  func remark(_ message: Sentence) {
    remember(message)
    if !isQuiet { note(message) }
  }

  private func remember(_ warning: Sentence) {
    let warning = warning.spelled(for: page)
    remembered.withLock { if $0.warnings.count < Self.mostWarnings { $0.warnings.append(warning) } }
  }

  private func say(_ message: Sentence, color: String?) {
    wipeProgress()
    let name = color.map { isColored ? "\u{1B}[\($0)mcleave:\u{1B}[0m" : "cleave:" } ?? "cleave:"
    try? sink(Array("\(name) \(message.spelled(for: page))\n".utf8), 2)
  }

  /// Whether standard error takes text without delay.
  static var canSay: Bool { takes(2) }

  private static func takes(_ descriptor: CInt) -> Bool {
    let outcome = try? Readiness.wait(for: .writing, descriptor, path: "", milliseconds: 0)
    return outcome == .ready
  }

  /// Writes a line of JSON on the way to the result; nothing where nobody takes it without delay.
  func writeEvent(_ line: String) {
    // Under the lock, so that none is on its way when the result is written. It does not block.
    hasResult.withLock { hasResult in
      guard !hasResult, !isMute, Self.takes(reportsTo) else { return }
      try? sink(Array(line.utf8), reportsTo)
    }
  }

  /// No event is written from now on.
  func endEvents() { hasResult.withLock { $0 = true } }

  /// Replaces the progress line by one that fits; `width` columns are there.
  func showProgress(width: Int, _ line: (_ columns: Int) -> String) {
    guard Self.canSay else { return }
    hasLine.withLock { $0 = true }
    // In the last column, some terminals begin another line.
    let columns = max(width - 1, 1)
    try? sink(Array("\r\(line(columns).prefix(columns))\u{1B}[K".utf8), 2)
  }

  /// Removes the progress line.
  func wipeProgress() {
    let wipe = hasLine.withLock { line in
      defer { line = false }
      return line
    }
    if wipe { try? sink(Array("\r\u{1B}[K".utf8), 2) }
  }

  static func write(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
    let path: FilePath = descriptor == 1 ? "standard output" : "standard error"
    try FileDescriptor.lending(descriptor, path: path) { file throws(SystemError) in
      try file.write(all: bytes)
    }
  }
}

/// Much of a result, which is written in large pieces.
struct ConsoleBuffer {
  private let console: Console
  private let isIncidental: Bool
  private var bytes: [UInt8] = []
  private static let pieceSize = 64 << 10

  init(_ console: Console, isIncidental: Bool = false) {
    (self.console, self.isIncidental) = (console, isIncidental)
  }

  mutating func write(_ more: [UInt8]) throws(CleaveError) {
    bytes += more
    if bytes.count >= Self.pieceSize { try flush() }
  }

  /// Writes what is left.
  mutating func flush() throws(CleaveError) {
    try console.write(bytes: bytes, isIncidental: isIncidental)
    bytes.removeAll(keepingCapacity: true)
  }
}
