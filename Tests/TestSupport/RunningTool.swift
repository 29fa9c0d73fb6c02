package import Posix
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that a test has started. It is killed when the last reference to it goes.
///
/// Its pipes move only during the waiting methods. Used from one thread.
package final class RunningTool {
  package let pid: CInt
  private let started = ContinuousClock.now
  /// Seconds after which a program counts as hanging: far more than any takes on a machine that is
  /// slow and busy.
  package static let patience = 120.0
  private let directory: TemporaryDirectory
  private let feeder: PipeFeeder?
  private let drain: PipeDrain?
  private var ended: (status: CInt, seconds: Double)?
  private var timedOut = false

  init(_ launch: Launch) throws {
    let directory = try TemporaryDirectory()
    let environment = launch.variables(inherited: try Spawning.inheritedEnvironment())
    (pid, feeder, drain) = try Spawning.lock.withLock { _ in
      var plumbing = Plumbing(outputs: directory)
      defer { plumbing.closeChildEnds() }
      let standard = try plumbing.connect(launch)
      let pid = try Spawning.start(launch.command, environment: environment, standard: standard)
      return (pid, plumbing.feeder, plumbing.drain)
    }
    self.directory = directory
  }

  deinit {
    if ended == nil {
      kill(pid, SIGKILL)
      while waitpid(pid, nil, 0) == -1 && errno == EINTR {}
    }
  }

  /// Sends a signal, unless the program has ended.
  package func send(_ signal: Signal) { if ended == nil { kill(pid, signal.rawValue) } }

  /// Whether the program has not ended yet.
  package var isRunning: Bool {
    if ended == nil { _ = collect() }
    return ended == nil
  }

  /// Waits for the end. After `timeout` seconds the program is killed.
  package func wait(timeout: Double = RunningTool.patience) throws -> Outcome {
    if try !wait(timeout: timeout, until: { false }) && ended == nil {
      timedOut = true
      kill(pid, SIGKILL)
      _ = try wait(timeout: .infinity, until: { false })
    }
    return try outcome()
  }

  /// Waits until `condition` holds. Returns false where the program ends, or `timeout` seconds
  /// pass, without that.
  package func wait(timeout: Double = RunningTool.patience, until condition: () throws -> Bool)
    throws -> Bool
  {
    var pause = Duration.microseconds(100)
    let start = ContinuousClock.now
    while true {
      if try condition() { return true }
      if ended != nil || !isRunning { return try condition() }
      if Self.seconds(since: start) > timeout { return false }
      let moved = try movePipes()
      pause = moved ? .microseconds(100) : min(pause * 2, .milliseconds(4))
      usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000))
    }
  }

  /// Waits until the program is stopped, as SIGSTOP does. Returns false where it ends first.
  package func waitUntilStopped(timeout: Double = RunningTool.patience) throws -> Bool {
    var stopped = false
    return try wait(timeout: timeout) {
      if ended == nil { stopped = collect(WUNTRACED) }
      return stopped
    }
  }

  /// What it has written so far to standard output that is a pipe.
  package var outputSoFar: [UInt8] { drain?.bytes ?? [] }

  /// What it has written so far to standard error.
  package func errorSoFar() throws -> [UInt8] { try captured(Plumbing.errorName) }

  #if os(Linux)
    /// Whether a signal that was sent has not reached any of its threads yet; see `proc(5)`. False where the program has
    /// ended.
    package func hasPending(_ signal: Signal) throws -> Bool {
      if ended != nil { return false }
      let status = try Files.text(FilePath("/proc/\(pid)/status")).split(separator: "\n")
      return status.filter { $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:") }.contains { line in
        let digits = line.drop { $0 != "\t" }.dropFirst()
        return UInt64(digits, radix: 16).map { $0 >> UInt64(signal.rawValue - 1) & 1 == 1 } ?? false
      }
    }
  #else
    /// There is no telling.
    package func hasPending(_ signal: Signal) throws -> Bool { false }
  #endif

  // MARK: - Inside

  private func movePipes() throws -> Bool {
    let fed = try feeder?.advance() ?? false
    let drained = try drain?.advance() ?? false
    return fed || drained
  }

  /// Notes the end, if there was one. Returns whether the program was seen to be stopped.
  private func collect(_ options: CInt = 0) -> Bool {
    var status: CInt = 0
    guard waitpid(pid, &status, WNOHANG | options) == pid else { return false }
    if status & 0xFF == 0x7F { return true }
    ended = (status, Self.seconds(since: started))
    return false
  }

  private func outcome() throws -> Outcome {
    guard let ended else { throw SystemError("waitpid", "child", Errno(rawValue: ECHILD)) }
    // What the program wrote last may still be in the pipe.
    _ = try drain?.advance()
    return Outcome(
      end: Outcome.end(of: ended.status),
      timedOut: timedOut,
      standardOutput: try drain?.bytes ?? captured(Plumbing.outputName),
      standardError: try captured(Plumbing.errorName),
      seconds: ended.seconds
    )
  }

  private func captured(_ name: FilePath) throws -> [UInt8] {
    let path = directory.file(name)
    return try Files.exists(path) ? Files.read(path) : []
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
