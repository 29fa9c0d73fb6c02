import Cleave
import CommandLineKit
import Dispatch
import Posix

/// Tells how far a job is: on a line of a terminal that is redrawn ten times a second, in a line for
/// each tenth where there is no terminal, as an event of JSON twice a second, or once when asked.
final class ProgressLine: @unchecked Sendable {
  // Sendable: a Dispatch source may be used on any thread; the Linux overlay does not say so.
  private let progress: WorkProgress
  private let waiting: Waiting
  private let console: Console
  private let start = ContinuousClock.now
  private let queue = DispatchQueue(label: "cleave.progress")
  private let timer: any DispatchSourceTimer
  private let form: Form?
  /// Whether keys are read: not where standard input is what is read.
  private let heedsKeys: Bool
  private let state: Locked<State>

  private enum Form { case drawn, lines, events }

  private struct State {
    var rate: ProgressRate
    /// The last line that was written, by its share of a hundred or by its time.
    var told: (share: Int64, time: ContinuousClock.Instant)
  }

  /// Seconds between two lines of a job of which it is not known how long it is.
  private static let seconds = 10

  init(
    _ progress: WorkProgress,
    _ waiting: Waiting,
    _ console: Console,
    _ settings: GeneralSettings,
    readsInput: Bool = false
  ) {
    (self.progress, self.waiting, self.console) = (progress, waiting, console)
    state = Locked(State(rate: ProgressRate(from: start), told: (0, start)))
    form = Self.form(settings)
    heedsKeys = form == .drawn && !readsInput && ProcessState.isTerminal(0)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { @Sendable [weak self] in self?.tick() }
    let interval = DispatchTimeInterval.milliseconds(form == .events ? 500 : 100)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    if form != nil { timer.resume() } else { timer.activateAndCancel() }
  }

  /// Takes the line away for good.
  func end() {
    timer.cancel()
    goOn()
    // No key is waited for meanwhile.
    queue.sync {}
    Keyboard.leave()
    console.wipeProgress()
  }

  /// Ends a pause, so that the job can end.
  func goOn() { progress.pause(false) }

  /// Takes the line away while `body` stops the process.
  func interrupt(_ body: () -> Void) {
    // No line is drawn meanwhile.
    queue.sync {
      console.wipeProgress()
      body()
    }
  }

  /// One line, asked for by a signal.
  func tell() {
    // Where nothing is drawn, nobody has asked before, and the rate is that since the start.
    let rate = form == nil ? ProgressRate(from: start) : state.withLock { $0.rate }
    console.note(Sentence(text(rate).line()))
  }

  private static func form(_ settings: GeneralSettings) -> Form? {
    if settings.isQuiet || settings.progress == .never { return nil }
    if settings.writesProgressEvents { return .events }
    let isDrawn = ProcessState.isTerminal(2) && ProcessState.environment("TERM") != "dumb"
    return isDrawn ? .drawn : settings.progress == .always ? .lines : nil
  }

  private func tick() {
    if form == .events { return writeEvent() }
    heedKeys()
    let text = state.withLock { state in
      if !progress.isPaused { _ = state.rate.take(progress.bytes, at: .now) }
      return self.text(state.rate)
    }
    guard form == .lines else {
      // Read anew each time: the window may have been resized.
      return console.showProgress(width: ProcessState.terminalWidth(2) ?? 80) { columns in
        text.line(columns: columns)
      }
    }
    if isTimeToTell(text.share) { console.note(Sentence(text.line())) }
  }

  private func heedKeys() {
    guard heedsKeys, !timer.isCancelled else { return }
    while let key = Keyboard.next() {
      if key | 0x20 == UInt8(ascii: "p") { progress.pause(!progress.isPaused) }
    }
  }

  /// Whether another tenth is done, or so many seconds have passed.
  private func isTimeToTell(_ share: Int64?) -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      let isTime =
        if let share {
          share / 10 > state.told.share / 10
        } else {
          state.told.time.duration(to: now) >= .seconds(Self.seconds)
        }
      if isTime { state.told = (share ?? 0, now) }
      return isTime
    }
  }

  private func writeEvent() {
    let elapsed = start.duration(to: .now) / .seconds(1)
    let event = JSONReport.Progress(
      bytes: progress.bytes,
      total: progress.total,
      seconds: elapsed
    )
    if let text = try? JSONReport.text(event) { console.writeEvent(text + "\n") }
  }

  private func text(_ rate: ProgressRate) -> ProgressText {
    var rate = rate
    let bytes = progress.bytes
    return ProgressText(
      bytes: bytes,
      total: progress.total,
      rate: rate.take(bytes, at: .now),
      part: progress.part,
      isPaused: progress.isPaused,
      waiting: waiting.state(at: bytes)
    )
  }
}

/// What a job waits for, until more bytes come.
final class Waiting: Sendable {
  private let state = Locked<(part: FilePath, since: ContinuousClock.Instant, bytes: Int64)?>(nil)

  /// It waits for a part, having moved so many bytes.
  func begin(for part: FilePath, at bytes: Int64) {
    state.withLock { state in
      if state?.part != part { state = (part, .now, bytes) }
    }
  }

  /// The part that it still waits for, and for how many seconds.
  func state(at bytes: Int64) -> (part: FilePath, seconds: Int64)? {
    state.withLock { state in
      guard let found = state, found.bytes == bytes else { return nil }
      return (found.part, Int64(found.since.duration(to: .now) / .seconds(1)))
    }
  }
}

extension DispatchSourceTimer {
  /// A source must have been activated before it goes away.
  fileprivate func activateAndCancel() {
    cancel()
    resume()
  }
}
