internal import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that reads from a pipe what this process writes, and has its other standard descriptors, its
/// process group and its terminal from this process.
package final class PipedProcess {
  private let program: FilePath
  /// The process, for those who end it from other threads.
  package let handle: Handle
  private var number: pid_t { handle.number }
  /// The end to write to; nil when it is closed.
  private var pipe: FileDescriptor?

  /// Which of the calls that start a program failed.
  package enum Failure: Error, Sendable {
    case pipe(Errno)
    case fork(Errno)
    case exec(Errno)
  }

  /// A process until it has been waited for.
  package final class Handle: Sendable {
    fileprivate let number: pid_t
    fileprivate let isThere = Locked(true)

    fileprivate init(_ number: pid_t) { self.number = number }

    /// Ends the process and those that it has started, as a shell does for a command: none of them shall take the
    /// end of its input for that of the data. They are known on Linux; see `proc_pid_task(5)`, `kill(2)`. Does
    /// nothing where the process has been waited for.
    package func end() {
      isThere.withLock { isThere in
        guard isThere else { return }
        var all = [number]
        var place = 0
        while place < all.count, all.count < Self.mostEnded {
          all += Self.children(of: all[place])
          place += 1
        }
        for number in all { _ = kill(number, SIGTERM) }
      }
    }

    private static let mostEnded = 1000

    private static func children(of process: pid_t) -> [pid_t] {
      let path = FilePath("/proc/\(process)/task/\(process)/children")
      guard let file = try? FileDescriptor.open(path, .readOnly),
        let bytes = try? file.read(16 << 10, at: 0)
      else { return [] }
      return bytes.split(separator: UInt8(ascii: " ")).compactMap {
        pid_t(String(decoding: $0, as: UTF8.self))
      }
    }
  }

  /// Starts a program; see `pipe(2)`, `fork(2)`, `execve(2)`.
  ///
  /// - Parameters:
  ///   - program: a path; `PATH` is not searched.
  ///   - arguments: the program's own name first.
  ///   - environment: variables as `NAME=VALUE`.
  package init(
    _ program: FilePath,
    _ arguments: [FilePath],
    environment: [FilePath]
  ) throws(Failure) {
    self.program = program
    var ends: [CInt] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { throw .pipe(.current) }
    // Closed at the end of this scope.
    let reading = FileDescriptor(owning: ends[0], path: program)
    let writing = FileDescriptor(owning: ends[1], path: program)
    writing.widenPipe()
    let signals = Signal.changed.withLock { $0.map(\.rawValue) }
    let started = program.withCString { program in
      withCStrings(arguments) { arguments in
        withCStrings(environment) { environment in
          signals.withUnsafeBufferPointer { signals in
            var child = cplatform_child(
              program: program,
              arguments: arguments,
              environment: environment,
              standard: (ends[0], 1, 2),
              signals: signals.baseAddress,
              signal_count: CInt(signals.count),
              stays: 1
            )
            let number = cplatform_start(&child)
            return (number: number, errno: Errno.current)
          }
        }
      }
    }
    _ = reading.rawValue
    guard started.number != -1 else {
      let isFork = [.again, .noMemory, .tooManyOpenFiles].contains(started.errno)
      throw isFork ? .fork(started.errno) : .exec(started.errno)
    }
    handle = Handle(started.number)
    pipe = consume writing
  }

  /// Writes every byte, waiting for the program to read.
  ///
  /// - Throws: `EPIPE` where it has stopped reading. SIGPIPE is to be ignored.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try pipe?.write(all: bytes)
  }

  /// Moves bytes from a file, from its position, which moves; see `splice(2)`.
  ///
  /// - Returns: the number of bytes; 0 at the end of the file.
  package func splice(from file: CInt, _ count: Int) throws(SystemError) -> Int {
    guard let raw = pipe?.rawValue else { return 0 }
    do {
      return try retrying { cplatform_splice(file, raw, count) }
    } catch {
      throw SystemError("splice", program, error)
    }
  }

  /// Lets the program see the end of what it reads.
  package func closePipe() throws(SystemError) {
    guard let open = pipe.take() else { return }
    try open.close()
  }

  /// Waits for the end of the program. To be called once.
  package func wait() throws(SystemError) -> ChildProcess.Ending.End {
    var status: CInt = 0
    do {
      _ = try retrying { cplatform_await_end(number) }
      try handle.isThere.withLock { isThere throws(Errno) in
        // The number is still the process's.
        _ = try retrying { waitpid(number, &status, 0) }
        isThere = false
      }
    } catch {
      throw SystemError("wait", program, error)
    }
    // The layout of wait(2) is the same on Linux and Darwin; its macros are not for Swift.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(Signal(rawValue: signal))
  }
}
