import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that has been started, in a process group of its own, so that a signal reaches what it
/// starts as well. Whoever starts one must ``wait()`` for it.
package final class ChildProcess: Sendable {
  /// What to start.
  package struct Command: Sendable {
    /// A path; `PATH` is not searched.
    package var program: FilePath
    /// The program's own name first.
    package var arguments: [FilePath]
    /// Variables as `NAME=VALUE`.
    package var environment: [FilePath]
    /// Signals that this process ignores, and the program shall find at their defaults.
    package var signals: [Signal]

    package init(
      _ program: FilePath,
      _ arguments: [FilePath],
      environment: [FilePath],
      signals: [Signal]
    ) {
      self.program = program
      self.arguments = arguments
      self.environment = environment
      self.signals = signals
    }
  }

  private let program: FilePath
  private let start: ContinuousClock.Instant
  private let number: pid_t
  /// Whether the number still stands for the child, and may be sent signals.
  private let isThere = Locked(true)
  /// What the child writes to standard error.
  private let messages: FileDescriptor

  /// Starts a program with nothing to read, whose output nobody reads; see `fork(2)`, `execve(2)`.
  ///
  /// - Throws: what either of the two says, with the program's path.
  package init(_ command: Command) throws(SystemError) {
    program = command.program
    let null = try FileDescriptor.open("/dev/null", .readWrite)
    let pipe = try Pipe("standard error")
    let standard = (null.rawValue, null.rawValue, pipe.writeEnd.rawValue)
    (number, start) = try Self.start(command, standard)
    // The other end goes here: once the child has ended there is then an end to read.
    messages = pipe.readEnd
  }

  private static func start(
    _ command: Command,
    _ standard: (CInt, CInt, CInt)
  ) throws(SystemError) -> (pid_t, ContinuousClock.Instant) {
    let signals = command.signals.map(\.rawValue)
    let started = command.program.withCString { program in
      withCStrings(command.arguments) { arguments in
        withCStrings(command.environment) { environment in
          signals.withUnsafeBufferPointer { signals in
            var child = cplatform_child(
              program: program,
              arguments: arguments,
              environment: environment,
              standard: standard,
              signals: signals.baseAddress,
              signal_count: CInt(signals.count)
            )
            let start = ContinuousClock.now
            let number = cplatform_start(&child)
            return (number: number, start: start, errno: Errno.current)
          }
        }
      }
    }
    guard started.number != -1 else {
      throw SystemError("exec", command.program, started.errno)
    }
    return (started.number, started.start)
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
    let message = drainMessages()
    do {
      _ = try retrying { cplatform_await_end(number) }
      return try isThere.withLock { isThere throws(Errno) in
        // The number is still the child's, and the group's. Who is left would disturb what follows.
        _ = kill(-number, SIGKILL)
        var status: CInt = 0
        var usage = rusage()
        _ = try retrying { wait4(number, &status, 0, &usage) }
        isThere = false
        return Ending(status, usage, seconds: start.duration(to: .now) / .seconds(1), message)
      }
    } catch {
      throw SystemError("wait", program, error)
    }
  }

  private static let longestMessage = 4096

  /// Reads up to the end, which comes when the child has closed its end or died, so that it never
  /// has to wait; and keeps the start.
  private func drainMessages() -> [UInt8] {
    var message: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: Self.longestMessage, alignment: 1) { buffer in
      while let count = try? messages.read(into: buffer), count > 0 {
        let room = Self.longestMessage - message.count
        message += UnsafeRawBufferPointer(rebasing: buffer[..<min(count, room)])
      }
    }
    return message
  }
}

extension ChildProcess.Ending {
  fileprivate init(_ status: CInt, _ usage: rusage, seconds: Double, _ message: [UInt8]) {
    // The layout of wait(2) is the same on Linux and Darwin; its macros are not for Swift.
    let signal = status & 0x7F
    end = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(Signal(rawValue: signal))
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

/// Both ends of a pipe that no other program inherits; see `pipe(2)`.
private struct Pipe: ~Copyable {
  let readEnd: FileDescriptor
  let writeEnd: FileDescriptor

  init(_ name: FilePath) throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { throw SystemError("pipe", name, .current) }
    readEnd = FileDescriptor(owning: ends[0], path: name)
    writeEnd = FileDescriptor(owning: ends[1], path: name)
  }
}
