import Posix
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Starting a child process; see `posix_spawn(3)`.
enum Spawning {
  /// What one of the child's standard descriptors is.
  enum Standard {
    case open(FilePath, CInt)
    case inherit(CInt)
    case closed
  }

  /// Held where a descriptor exists that a child of another thread must not inherit.
  ///
  /// Pipes cannot be made close-on-exec in one step on every system.
  static let lock = Mutex(())

  /// Starts a command with descriptors 0, 1 and 2 as given, no other one, and every signal at its
  /// default: tests may run on threads of Dispatch, which block some.
  static func start(
    _ command: [FilePath],
    environment: [FilePath],
    standard: [Standard]
  ) throws -> pid_t {
    guard Tool.mayStart else {
      throw SystemError("posix_spawn", command[0], Errno(rawValue: EPERM))
    }
    var actions = FileActions()
    defer { actions.destroy() }
    for (descriptor, kind) in standard.enumerated() { actions.set(CInt(descriptor), to: kind) }
    var attributes = Attributes()
    defer { attributes.destroy() }
    let arguments = terminated(command)
    defer { arguments.forEach { free($0) } }
    let variables = terminated(environment)
    defer { variables.forEach { free($0) } }
    var pid: pid_t = 0
    let error = command[0].withCString {
      posix_spawn(&pid, $0, &actions.value, &attributes.value, arguments, variables)
    }
    if error != 0 { throw SystemError("posix_spawn", command[0], Errno(rawValue: error)) }
    return pid
  }

  /// The environment of this process. The `environ` of C is a global variable that any thread may
  /// change, which Swift 6 refuses; nothing in the tests changes it.
  static func inheritedEnvironment() throws -> [FilePath] {
    #if canImport(Darwin)
      var variables: [FilePath] = []
      var next = _NSGetEnviron().pointee
      while let variable = next.pointee {
        variables.append(FilePath(cString: variable))
        next += 1
      }
      return variables
    #else
      return try Files.read("/proc/self/environ").split(separator: 0).map { FilePath(bytes: $0) }
    #endif
  }

  /// C strings with a null pointer behind them; the caller frees them.
  private static func terminated(_ words: [FilePath]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { $0.withCString { strdup($0) } } + [nil]
  }
}

/// `posix_spawn_file_actions_t`, a pointer on Darwin and a structure elsewhere.
private struct FileActions {
  #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
  #else
    var value = posix_spawn_file_actions_t()
  #endif

  init() { posix_spawn_file_actions_init(&value) }

  mutating func destroy() { posix_spawn_file_actions_destroy(&value) }

  mutating func set(_ descriptor: CInt, to kind: Spawning.Standard) {
    switch kind {
    case .open(let path, let flags):
      _ = path.withCString {
        posix_spawn_file_actions_addopen(&value, descriptor, $0, flags, 0o666)
      }
    case .inherit(let source):
      posix_spawn_file_actions_adddup2(&value, source, descriptor)
    case .closed:
      // Closing what is closed already may be an error, so it is opened first.
      posix_spawn_file_actions_addopen(&value, descriptor, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addclose(&value, descriptor)
    }
  }
}

/// `posix_spawnattr_t`, with signals at their defaults and, on Darwin, no descriptor inherited.
private struct Attributes {
  #if canImport(Darwin)
    var value: posix_spawnattr_t?
  #else
    var value = posix_spawnattr_t()
  #endif

  init() {
    posix_spawnattr_init(&value)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&value, &signals)
    sigfillset(&signals)
    // These two cannot be set at all.
    sigdelset(&signals, SIGKILL)
    sigdelset(&signals, SIGSTOP)
    posix_spawnattr_setsigdefault(&value, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(&value, Int16(flags))
  }

  mutating func destroy() { posix_spawnattr_destroy(&value) }
}
