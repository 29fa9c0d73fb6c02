import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Signal numbers and the dispositions that a command line tool needs; see `signal(7)`.
package struct Signal: RawRepresentable, Hashable, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let kill = Signal(rawValue: SIGKILL)
  package static let interrupt = Signal(rawValue: SIGINT)
  package static let terminate = Signal(rawValue: SIGTERM)
  package static let pipe = Signal(rawValue: SIGPIPE)
  package static let user1 = Signal(rawValue: SIGUSR1)
  package static let terminalStop = Signal(rawValue: SIGTSTP)
  package static let fileSizeExceeded = Signal(rawValue: SIGXFSZ)

  /// Those that this process ignores or has left to Dispatch, and was not started so: the programs that it
  /// starts find them as it did, at their defaults and not blocked.
  static let changed = Locked<Set<Signal>>([])

  /// Ignores the signal, so that the call that would raise it reports an error instead.
  package func ignore() {
    if !isIgnored { change() }
    _ = signal(rawValue, SIG_IGN)
  }

  /// Has a pipe that nobody reads any more, and a limit of files' sizes, reported by the calls that meet them, and not
  /// end the process: unless it has said itself what they are to do.
  package static func surviveWriting() {
    for signal in [pipe, fileSizeExceeded] where cplatform_disposition(signal.rawValue) == 0 {
      signal.ignore()
    }
  }

  private func change() { Self.changed.withLock { _ = $0.insert(self) } }

  /// Whether the process was started with the signal ignored, as `nohup` does.
  package var isIgnored: Bool { cplatform_disposition(rawValue) == 1 }

  /// Its name as `kill(1)` has it, such as `TERM`; its number where it has none.
  package var name: String {
    var text = [CChar](repeating: 0, count: 32)
    cplatform_signal_name(rawValue, &text)
    return text[0] == 0
      ? "\(rawValue)"
      : String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Leaves the signal to a Dispatch source. Call it before the first thread is started.
  ///
  /// On Linux Dispatch reads signals from a signalfd, which sees only what every thread blocks. On
  /// Darwin kqueue sees a signal whatever its disposition, but the default one would act first.
  package func leaveToDispatch() {
    #if canImport(Darwin)
      ignore()
    #else
      change()
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, rawValue)
      pthread_sigmask(SIG_BLOCK, &set, nil)
    #endif
  }

  /// Ends the process as the signal would have by itself, so that the parent sees its number.
  package func raiseAgain() -> Never {
    Keyboard.leave()
    _ = signal(rawValue, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, rawValue)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(rawValue)
    // Only a process that cannot be killed, such as PID 1 of a container, comes this far.
    _exit(128 + rawValue)
  }
}
