#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An error number from a system call or a Dispatch callback; see `errno(3)`.
public struct Errno: RawRepresentable, Error, Hashable, Sendable {
  public let rawValue: CInt
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// What the last failed call on this thread left behind.
  static var current: Errno { Errno(rawValue: errno) }

  /// The name that the manual pages use, such as `ENOSPC`; `E?` and the number for an unknown one.
  public var symbol: String { ErrnoTable.symbols[rawValue] ?? "E?\(rawValue)" }
}

extension Errno: CustomStringConvertible {
  /// The text of `strerror(3)`.
  public var description: String { String(cString: strerror(rawValue)) }
}

extension Errno {
  public static let again = Errno(rawValue: EAGAIN)
  public static let badAddress = Errno(rawValue: EFAULT)
  public static let badDescriptor = Errno(rawValue: EBADF)
  public static let canceled = Errno(rawValue: ECANCELED)
  public static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  public static let crossesDevices = Errno(rawValue: EXDEV)
  public static let exists = Errno(rawValue: EEXIST)
  public static let hostUnreachable = Errno(rawValue: EHOSTUNREACH)
  public static let inProgress = Errno(rawValue: EINPROGRESS)
  public static let interrupted = Errno(rawValue: EINTR)
  public static let invalidArgument = Errno(rawValue: EINVAL)
  public static let ioError = Errno(rawValue: EIO)
  public static let isADirectory = Errno(rawValue: EISDIR)
  public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  public static let noDeviceOrReader = Errno(rawValue: ENXIO)
  public static let noMemory = Errno(rawValue: ENOMEM)
  public static let noSpace = Errno(rawValue: ENOSPC)
  public static let noSuchCall = Errno(rawValue: ENOSYS)
  public static let noSuchControl = Errno(rawValue: ENOTTY)
  public static let notADirectory = Errno(rawValue: ENOTDIR)
  public static let notFound = Errno(rawValue: ENOENT)
  public static let notPermitted = Errno(rawValue: EPERM)
  public static let notSupported = Errno(rawValue: ENOTSUP)
  public static let outOfRange = Errno(rawValue: ERANGE)
  public static let permissionDenied = Errno(rawValue: EACCES)
  public static let pipe = Errno(rawValue: EPIPE)
  public static let readOnlyFileSystem = Errno(rawValue: EROFS)
  /// The file is another than the one that was opened.
  public static let stale = Errno(rawValue: ESTALE)
  public static let timedOut = Errno(rawValue: ETIMEDOUT)
  public static let tooLarge = Errno(rawValue: EOVERFLOW)
  public static let tooManyLinks = Errno(rawValue: ELOOP)
  public static let tooManyOpenFiles = Errno(rawValue: EMFILE)
  public static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
  public static let unsupportedOperation = Errno(rawValue: EOPNOTSUPP)

  /// Whether a file system says that it has no such operation, as against failing at it.
  public var meansUnsupported: Bool {
    [.notSupported, .unsupportedOperation, .invalidArgument, .noSuchCall].contains(self)
  }
}

/// A failed system call: which, on what file, where, and why.
public struct SystemError: Error, Hashable, Sendable {
  /// The operation in the terms of the manual, such as `read` or `fsync`.
  public var call: String
  public var path: FilePath
  /// Bytes from the start of the file, where the call had a position.
  public var offset: Int64?
  public var errno: Errno
  /// What a server said, as the end of a sentence that begins with the path; nil where the kernel failed.
  public var detail: String?

  public init(
    _ call: String,
    _ path: FilePath,
    at offset: Int64? = nil,
    _ errno: Errno,
    detail: String? = nil
  ) {
    self.call = call
    self.path = path
    self.offset = offset
    self.errno = errno
    self.detail = detail
  }
}

extension SystemError: CustomStringConvertible {
  /// `NAME: read failed at 4096: Input/output error (EIO)`.
  public var description: String {
    if let detail { return "\(path): \(detail)" }
    let place = offset.map { " at \($0)" } ?? ""
    if call == "stat", errno == .notFound {
      return FileStatus.isLinkToNothing(path)
        ? "\(path): is a link that leads nowhere" : "\(path): does not exist"
    }
    return "\(path): \(call) failed\(place): \(errno) (\(errno.symbol))"
  }
}

/// Calls `body` until it gives something other than −1 and `EINTR`.
func retrying<I: FixedWidthInteger & SignedInteger>(_ body: () -> I) throws(Errno) -> I {
  while true {
    let result = body()
    if result != -1 { return result }
    let errno = Errno.current
    if errno != .interrupted { throw errno }
  }
}
