internal import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A command that reads from a pipe what this process writes, and has its other standard descriptors, its
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

  /// The user's shell, or `sh`.
  package static var shell: FilePath { ProcessState.variable("SHELL") ?? "/bin/sh" }

  /// Starts a command in the shell, with the name of a file in `$FILE`; see `pipe(2)`, `fork(2)`, `execve(2)`.
  package init(_ command: FilePath, file: FilePath) throws(Failure) {
    program = Self.shell
    Signal.surviveWriting()
    var ends: [CInt] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { throw .pipe(.current) }
    // Closed at the end of this scope.
    let reading = FileDescriptor(owning: ends[0], path: program)
    let writing = FileDescriptor(owning: ends[1], path: program)
    writing.widenPipe()
    let shell = ChildProcess.Command(
      program,
      [program.lastComponent, "-c", command],
      environment: Self.environment(file)
    )
    let number: pid_t
    do {
      (number, _) = try shell.start((ends[0], 1, 2), stays: true)
    } catch {
      let isFork = [.again, .noMemory, .tooManyOpenFiles].contains(error)
      throw isFork ? .fork(error) : .exec(error)
    }
    _ = reading.rawValue
    handle = Handle(number)
    pipe = consume writing
  }

  private static func environment(_ file: FilePath) -> [FilePath] {
    let variable = FilePath(bytes: Array("FILE=".utf8) + file.bytes)
    var variables = ProcessState.environment
    let place = variables.firstIndex { $0.bytes.starts(with: "FILE=".utf8) }
    if let place { variables[place] = variable } else { variables.append(variable) }
    return variables
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
    return ChildProcess.Ending.End(status)
  }
}
