import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What belongs to the whole process: limits, standard descriptors, memory.
package enum ProcessState {
  /// What the process was started with, `argv[0]` first, byte for byte.
  package static var arguments: [FilePath] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { FilePath(cString: $0) }
    }
  }

  /// The path of the program that runs, for starting it once more; see `proc(5)`, `/proc/self/exe`.
  package static var executable: FilePath {
    get throws(SystemError) {
      #if os(Linux)
        return "/proc/self/exe"
      #else
        var path = [CChar](repeating: 0, count: 4096)
        guard cplatform_executable(&path, UInt32(path.count)) == 0 else {
          throw SystemError("_NSGetExecutablePath", "the running program", .current)
        }
        return FilePath(cString: path)
      #endif
    }
  }

  /// Ends the process; see `exit(3)`.
  package static func exit(_ code: Int32) -> Never {
    Keyboard.leave()
    systemExit(code)
  }

  /// Where relative names begin; nil where that has no name any more. See `getcwd(3)`.
  package static var workingDirectory: FilePath? {
    path(getcwd(nil, 0))
  }

  /// An absolute path without links, `.` and `..`; see `realpath(3)`. Nil where nothing is there.
  package static func realPath(of path: FilePath) -> FilePath? {
    Self.path(path.withCString { realpath($0, nil) })
  }

  /// Frees the text.
  private static func path(_ text: UnsafeMutablePointer<CChar>?) -> FilePath? {
    guard let text else { return nil }
    defer { free(text) }
    return FilePath(cString: text)
  }

  /// The user whose rights the process has; see `geteuid(2)`.
  package static var effectiveUser: UInt32 { geteuid() }

  /// How many files the process may have open at a time, but for those that are left to Dispatch; see
  /// `getdtablesize(3)`.
  package static let openFileLimit = max(0, Int(getdtablesize()) - descriptorsOfDispatch)

  /// Dispatch opens descriptors at any time, and ends the process where it gets none: of its own for
  /// events, timers and each signal (7), and once a second `/proc/…/stat` of a thread. The rest is for
  /// threads that open a file, and give it back, at the same moment.
  static let descriptorsOfDispatch = 16

  /// Whether enough descriptors are free for Dispatch, and for a job to begin. Some may be open that the
  /// process was started with.
  package static var canOpenFiles: Bool {
    let (border, end) = (CInt(clamping: openFileLimit), getdtablesize())
    return cplatform_free_descriptors(border, end) >= descriptorsOfDispatch / 2
      && cplatform_free_descriptors(3, border) >= fewestFiles
  }

  /// Nobody has measured how many the greediest command needs; what is missing later is an error like any other.
  private static let fewestFiles: CInt = 16

  /// Processors that are online, at least 1; see `sysconf(3)`.
  package static var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// The most memory the process has had resident so far, in bytes; see `proc(5)` and `getrusage(2)`.
  package static var peakResidentBytes: Int64 {
    // What getrusage tells is kept over exec: that of a large program that has started this one.
    if let peak = highWaterMark { return peak }
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return Int64(usage.ru_maxrss)
    #else
      // glibc declares RUSAGE_SELF as an enumeration, but the parameter as a number: 0 in all.
      getrusage(0, &usage)
      return Int64(usage.ru_maxrss) * 1024
    #endif
  }

  /// Nil where there is no such file.
  private static var highWaterMark: Int64? {
    guard let file = try? FileDescriptor.open("/proc/self/status", .readOnly) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = (try? file.read(into: buffer)) ?? 0
      let lines = buffer[..<count].split(separator: UInt8(ascii: "\n"))
      guard let line = lines.first(where: { $0.starts(with: "VmHWM:".utf8) }) else { return nil }
      let digits = String(decoding: line.filter { (48...57).contains($0) }, as: UTF8.self)
      guard let kibibytes = Int64(digits), kibibytes < 1 << 50 else { return nil }
      return kibibytes * 1024
    }
  }

  /// The memory that is resident now, in bytes, where the system tells it cheaply; see `proc(5)`.
  package static var residentBytes: Int64? {
    #if os(Linux)
      guard let file = try? FileDescriptor.open("/proc/self/statm", .readOnly) else { return nil }
      return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
        let count = (try? file.read(into: buffer)) ?? 0
        let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1 else { return nil }
        return Int64(String(decoding: fields[1], as: UTF8.self)).map {
          $0 * Int64(Mapping.pageSize)
        }
      }
    #else
      return nil
    #endif
  }

  /// Opens `/dev/null` on each of descriptors 0, 1 and 2 that is closed, so that no file that is
  /// opened later becomes standard output.
  ///
  /// - Returns: those that were closed.
  package static func openStandardDescriptors() -> Set<CInt> {
    let closed = Set((0...2).filter { fcntl($0, F_GETFD) == -1 })
    for descriptor in closed.sorted() {
      // The lowest free number is the one asked for: those below were just seen or made open.
      // Whoever uses it all the same, as a filter may, fails as where it is closed.
      _ = "/dev/null".withCString { systemOpen($0, descriptor == 0 ? O_WRONLY : O_RDONLY, 0) }
    }
    return closed
  }

  /// Sets the C library's allocator up for large buffers that come and go. For programs, not
  /// libraries: it holds for the whole process.
  package static func tuneAllocator() { cplatform_tune_malloc() }

  /// Gives memory that is free but resident back to the kernel, where the allocator can.
  package static func trimAllocator() { cplatform_trim_malloc() }

  /// Whether as many threads can be had at a time; Dispatch itself would wait for one for ever.
  package static func canStartThreads(_ count: CInt) -> Bool { cplatform_can_start(count) == 1 }

  /// Whether the stack may have so many bytes; see `getrlimit(2)`, `RLIMIT_STACK`.
  package static func mayHaveStack(of size: Int) -> Bool { cplatform_has_stack(size) == 1 }

  /// What the clock on the wall says, in seconds since 1970 in UTC.
  package static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// The width of the terminal on a descriptor in columns, or nil where it is not a terminal.
  package static func terminalWidth(_ descriptor: CInt) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Stops the process, until it is continued; see `kill(2)`.
  package static func stop() {
    Keyboard.leave()
    _ = kill(getpid(), SIGSTOP)
  }

  package static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

  /// Every environment variable, as `NAME=VALUE`.
  package static var environment: [FilePath] {
    var variables: [FilePath] = []
    guard var next = cplatform_environment() else { return [] }
    while let variable = next.pointee {
      variables.append(FilePath(cString: variable))
      next += 1
    }
    return variables
  }

  /// Whether files may become as large as the file system lets them; see `getrlimit(2)`, `RLIMIT_FSIZE`.
  package static var hasUnlimitedFiles: Bool { cplatform_has_unlimited_files() == 1 }

  /// The value of an environment variable as bytes.
  package static func variable(_ name: String) -> FilePath? {
    getenv(name).map { FilePath(cString: $0) }
  }

  /// The value of an environment variable as text.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
