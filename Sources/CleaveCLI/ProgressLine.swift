import Cleave
import CommandLineKit
import Dispatch
import Posix

/// Tells how far a job is: on a line that is redrawn ten times a second, as an event of JSON twice a
/// second, or once when asked.
final class ProgressLine: @unchecked Sendable {
  // Sendable: a Dispatch source may be used on any thread; the Linux overlay does not say so.
  private let progress: WorkProgress
  private let console: Console
  private let start = ContinuousClock.now
  private let timer: any DispatchSourceTimer
  private let recent = Locked(Recent())

  /// Where the job was a moment ago: the rate is that of the last seconds, so that it is right
  /// again soon after the process has been stopped and continued.
  private struct Recent {
    var samples: [(time: ContinuousClock.Instant, bytes: Int64)] = []
  }

  init(_ progress: WorkProgress, _ console: Console, _ settings: Settings) {
    self.progress = progress
    self.console = console
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "cleave.progress"))
    let writesEvents = settings.writesProgressEvents
    timer.setEventHandler { @Sendable [weak self] in
      if writesEvents { self?.writeEvent() } else { self?.draw() }
    }
    let interval = DispatchTimeInterval.milliseconds(writesEvents ? 500 : 100)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    if Self.isShown(settings) { timer.resume() } else { timer.activateAndCancel() }
  }

  /// Takes the line away for good.
  func end() {
    timer.cancel()
    console.wipeProgress()
  }

  /// One line, asked for by a signal.
  func tell() { console.note(Sentence(text())) }

  private static func isShown(_ settings: Settings) -> Bool {
    if settings.isQuiet { return false }
    switch settings.progress {
    case .always: return true
    case .never: return false
    case .auto:
      return ProcessState.isTerminal(2) && ProcessState.environment("TERM") != "dumb"
    }
  }

  private func draw() {
    // Read anew each time: the window may have been resized.
    console.showProgress(text(), width: ProcessState.terminalWidth(2) ?? 80)
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

  private func text() -> String {
    let bytes = progress.bytes
    let rate = rate(at: bytes)
    var text = ByteSize.short(bytes)
    if let total = progress.total {
      text += " of \(ByteSize.short(total))"
      if total > 0 { text += " (\(min(100, Int64(Double(bytes) / Double(total) * 100))) %)" }
      // All is written; what takes time now is the device, or reading back from it.
      if bytes >= total { return text + ", finishing" }
    }
    text += ", \(ByteSize.short(rate))/s"
    if let total = progress.total, rate > 0 {
      text += ", \(Self.clock(seconds: (total - bytes + rate - 1) / rate)) left"
    }
    return text
  }

  /// Bytes per second over the last three seconds, or since the start.
  private func rate(at bytes: Int64) -> Int64 {
    let now = ContinuousClock.now
    let oldest = recent.withLock { recent in
      recent.samples.removeAll { $0.time.duration(to: now) > .seconds(3) }
      let oldest = recent.samples.first
      recent.samples.append((now, bytes))
      return oldest
    }
    let (time, base) = oldest ?? (start, 0)
    let elapsed = time.duration(to: now) / .milliseconds(1)
    return elapsed > 0 ? Int64(Double(bytes - base) * 1000 / elapsed) : 0
  }

  private static func clock(seconds: Int64) -> String {
    func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    if minutes < 60 { return "\(minutes):\(twoDigits(rest))" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(rest))"
  }
}

extension DispatchSourceTimer {
  /// A source must have been activated before it goes away.
  fileprivate func activateAndCancel() {
    cancel()
    resume()
  }
}
