import Cleave
import Dispatch
import Posix

/// Ends the job on the signals that ask for it, and says how it goes on those that ask for that. On a
/// terminal, TSTP takes the progress line away before it stops the process.
///
/// The first INT, TERM or HUP cancels the job, which then cleans up by itself; should that take
/// longer than a second, or at a second signal, what there is is removed from here. Either way the
/// process ends by the signal, so that its parent sees why.
final class SignalWatch: @unchecked Sendable {
  // Sendable: a Dispatch source may be used on any thread; the Linux overlay does not say so.
  private let queue = DispatchQueue(label: "cleave.signals", qos: .userInitiated)
  private let sources: [any DispatchSourceSignal]
  private let received = Locked<First?>(nil)
  /// Whether it has been said why the process ends.
  private let isTold = Locked(false)
  private let cancellation: Cancellation
  private let console: Console

  private struct First {
    let signal: Signal
    let time = ContinuousClock.now
  }

  private static let ending: [Signal] = [.interrupt, .terminate, .hangUp]
  /// Less than the second that people and service managers wait, with room for the clean-up.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  /// `timeout` sends its signal to the program, and at once to the program's group: that is no second one. An estimate.
  private static let echo = Duration.milliseconds(50)

  /// Leaves the signals to Dispatch. To be called before the first thread is started.
  static func prepare() {
    for signal in survived { signal.ignore() }
    for signal in heeded { signal.leaveToDispatch() }
  }

  /// Those that the process was not started with ignored, as by `nohup`.
  private static let heeded = (ending + [.user1] + stopping).filter { !$0.isIgnored }
  private static let stopping: [Signal] = ProcessState.isTerminal(2) ? [.terminalStop] : []
  /// The call that raises one of these reports an error as well.
  private static let survived = [Signal.pipe, .fileSizeExceeded].filter { !$0.isIgnored }

  init(_ cancellation: Cancellation, _ console: Console, _ line: ProgressLine) {
    self.cancellation = cancellation
    self.console = console
    sources = Self.heeded.map { [queue] in
      DispatchSource.makeSignalSource(signal: $0.rawValue, queue: queue)
    }
    for (signal, source) in zip(Self.heeded, sources) {
      source.setEventHandler { @Sendable [weak self] in
        switch signal {
        case .user1: line.tell()
        case .terminalStop: line.interrupt { ProcessState.stop() }
        default:
          line.goOn()
          self?.end(by: signal)
        }
      }
      source.resume()
    }
  }

  /// The signal that cancelled the job.
  var signal: Signal? { received.withLock { $0?.signal } }

  private func end(by signal: Signal) {
    let first = received.withLock { received in
      defer { received = received ?? First(signal: signal) }
      return received
    }
    if let first {
      if first.signal == signal, first.time.duration(to: .now) < Self.echo { return }
      leave(by: signal)
    }
    queue.asyncAfter(deadline: .now() + Self.patience) { self.leave(by: signal) }
    cancellation.cancel()
  }

  private func leave(by signal: Signal) -> Never {
    cancellation.abandon()
    // A terminal that is stopped, or a pipe that nobody reads, must not keep the process alive.
    if Console.canSay { tellOnce("interrupted") }
    signal.raiseAgain()
  }

  /// Says why the process ends by a signal, unless that has been said from the other side.
  ///
  /// That has been said when this returns: the process ends next.
  func tellOnce(_ message: Sentence) {
    isTold.withLock { isTold in
      if !isTold { console.fail(message) }
      isTold = true
    }
  }
}
