import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that has been started, in a process group of its own, so that a signal reaches what it
/// starts as well. The one who starts it must ``wait()`` for it.
package final class ChildProcess: Sendable {
  /// What to start.
  package struct Command: Sendable {
    /// A path; `PATH` is not searched.
    package var program: FilePath
    /// The program's own name first.
    package var arguments: [FilePath]
    /// Variables as `NAME=VALUE`.
    package var environment: [FilePath]

    package init(
      _ program: FilePath,
      _ arguments: [FilePath],
      environment: [FilePath]
    ) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
    }
  }

  private let program: FilePath
  private let start: ContinuousClock.Instant
  private let number: pid_t
  /// Whether the number still stands for the child, and may be sent signals.
  private let isThere = Locked(true)
  /// What the child writes to standard error. A file and no pipe: nobody need read it meanwhile, and
  /// what the child leaves running may keep it open.
  private let messages: FileDescriptor

  /// Starts a program with nothing to read, whose output nobody reads; see `fork(2)`, `execve(2)`.
  ///
  /// - Parameter messages: a name for a file to hold what it writes to standard error; free again when
  ///   this returns.
  /// - Throws: what making that file, or either of the two calls, says.
  package init(_ command: Command, messages path: FilePath) throws(SystemError) {
    program = command.program
    let null = try FileDescriptor.open("/dev/null", .readWrite)
    messages = try .open(path, [.readWrite, .create, .exclusive], permissions: 0o600)
    try FileSystem.unlink(path)
    // That a disk is full shall still be told.
    try? messages.preallocate(Int64(Self.longestMessage))
    let standard = (null.rawValue, null.rawValue, messages.rawValue)
    do {
      (number, start) = try command.start(standard, stays: false)
    } catch {
      throw SystemError("exec", program, error)
    }
  }

  /// Sends a signal to the child and what it has started, unless it has been waited for; see
  /// `kill(2)`.
  package func send(_ signal: Signal) {
    isThere.withLock { isThere in
      if isThere { _ = kill(-number, signal.rawValue) }
    }
  }

  /// How a child ended, and what it took.
  package struct Ending: Sendable {
    package enum End: Hashable, Sendable {
      case exited(CInt)
      case killed(Signal)
    }

    package var end: End
    /// From before it was started until after it had ended.
    package var seconds: Double
    /// Processor time of the child and of what it waited for.
    package var userSeconds: Double
    package var systemSeconds: Double
    /// The most memory that the child, or one that it waited for, had resident, in bytes. On Linux at
    /// least as many as this process has in anonymous pages: its copy began with those.
    package var peakResidentBytes: Int64
    /// The start of what it wrote to standard error.
    package var message: [UInt8]
  }

  /// Waits for the end. To be called once; what the child left running is killed.
  package func wait() throws(SystemError) -> Ending {
    var (status, usage): (CInt, rusage) = (0, rusage())
    do {
      _ = try retrying { cplatform_await_end(number) }
      try isThere.withLock { isThere throws(Errno) in
        // The number is still the child's, and the group's. Who is left would disturb what follows.
        _ = kill(-number, SIGKILL)
        _ = try retrying { wait4(number, &status, 0, &usage) }
        isThere = false
      }
    } catch {
      throw SystemError("wait", program, error)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let message = try messages.read(Self.longestMessage, at: 0)
    return Ending(status, usage, seconds: seconds, message)
  }

  /// Bytes.
  private static let longestMessage = 4096
}

extension ChildProcess.Command {
  /// Starts it with descriptors for its standard ones.
  ///
  /// - Parameter stays: whether it stays in this process's group.
  /// - Returns: its number, and when it was started.
  func start(
    _ standard: (CInt, CInt, CInt),
    stays: Bool
  ) throws(Errno) -> (pid_t, ContinuousClock.Instant) {
    let signals = Signal.changed.withLock { $0.map(\.rawValue) }
    let started = program.withCString { program in
      withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in
          signals.withUnsafeBufferPointer { signals in
            var child = cplatform_child(
              program: program,
              arguments: arguments,
              environment: environment,
              standard: standard,
              signals: signals.baseAddress,
              signal_count: CInt(signals.count),
              stays: stays ? 1 : 0
            )
            let start = ContinuousClock.now
            let number = cplatform_start(&child)
            return (number: number, start: start, errno: Errno.current)
          }
        }
      }
    }
    if started.number == -1 { throw started.errno }
    return (started.number, started.start)
  }
}

extension ChildProcess.Ending.End {
  /// What `wait(2)` tells.
  init(_ status: CInt) {
    // The layout is the same on Linux and Darwin; its macros are not for Swift.
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(Signal(rawValue: signal))
  }
}

extension ChildProcess.Ending {
  fileprivate init(_ status: CInt, _ usage: rusage, seconds: Double, _ message: [UInt8]) {
    end = End(status)
    self.seconds = seconds
    userSeconds = Self.seconds(usage.ru_utime)
    systemSeconds = Self.seconds(usage.ru_stime)
    #if canImport(Darwin)
      peakResidentBytes = Int64(usage.ru_maxrss)
    #else
      peakResidentBytes = Int64(usage.ru_maxrss) * 1024
    #endif
    self.message = message
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
