internal import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What `stat(2)` says of a file.
public struct FileStatus: Hashable, Sendable {
  /// Device and inode: equal for two names of one file.
  public struct Identity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64

    public init(device: UInt64, inode: UInt64) {
      (self.device, self.inode) = (device, inode)
    }
  }

  /// The kinds of file that matter here.
  public enum Kind: Hashable, Sendable {
    case regular, directory, symbolicLink, fifo, socket, characterDevice, blockDevice, unknown
  }

  public var identity: Identity
  public var kind: Kind
  /// Bytes.
  public var size: Int64
  /// Nanoseconds since 1970.
  public var modified: Int64
  /// Nanoseconds since 1970 when the file, its names or its status were last changed. Nobody can set it.
  public var changed: Int64
  /// The user that the file belongs to.
  public var owner: UInt32
  /// Permission bits.
  public var permissions: UInt32
  /// Bytes that the file has on its file system, with what was reserved for it, and without its holes.
  public var allocated: Int64
  /// The number of names.
  public var links: UInt64

  /// The status of a regular file of which no more is known.
  package init(identity: Identity, size: Int64, modified: Int64) {
    (self.identity, kind, self.size, self.modified) = (identity, .regular, size, modified)
    (changed, owner, permissions, allocated, links) = (0, 0, 0, 0, 0)
  }

  init(_ info: stat) {
    identity = Identity(
      device: UInt64(truncatingIfNeeded: info.st_dev),
      inode: UInt64(truncatingIfNeeded: info.st_ino)
    )
    kind = Self.kind(of: info.st_mode)
    size = Int64(info.st_size)
    permissions = UInt32(info.st_mode) & 0o7777
    links = UInt64(info.st_nlink)
    owner = info.st_uid
    // In units of 512 bytes, whatever the file system's blocks are.
    allocated = Int64(info.st_blocks) &* 512
    #if canImport(Darwin)
      (modified, changed) = (
        Self.nanoseconds(info.st_mtimespec), Self.nanoseconds(info.st_ctimespec)
      )
    #else
      (modified, changed) = (Self.nanoseconds(info.st_mtim), Self.nanoseconds(info.st_ctim))
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, isOver) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (all, isOverToo) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return isOver || isOverToo ? time.tv_sec < 0 ? .min : .max : all
  }

  private static func kind(of mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    case S_IFIFO: .fifo
    case S_IFSOCK: .socket
    case S_IFCHR: .characterDevice
    case S_IFBLK: .blockDevice
    default: .unknown
    }
  }

  /// The status of the file that `path` leads to, or of the link itself; see `stat(2)`, `lstat(2)`.
  public static func of(_ path: FilePath, followingLinks: Bool = true) throws(SystemError)
    -> FileStatus
  {
    if let files = FileSystem.remote(for: path) { return try files.status(of: path) }
    var info = stat()
    do {
      _ = try retrying { path.withCString { followingLinks ? stat($0, &info) : lstat($0, &info) } }
    } catch {
      throw SystemError("stat", path, error)
    }
    return FileStatus(info)
  }

  /// The status of the file at `path`, or nil where there is none.
  public static func ifPresent(
    _ path: FilePath,
    followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus? {
    do {
      return try of(path, followingLinks: followingLinks)
    } catch  where error.errno == .notFound || error.errno == .notADirectory {
      return nil
    }
  }

  /// Whether it is known that there is no file at `path`: not where that cannot be told.
  package static func isAbsent(_ path: FilePath, followingLinks: Bool = true) -> Bool {
    (try? ifPresent(path, followingLinks: followingLinks)) == .some(nil)
  }

  /// Whether `path` is a symbolic link to a name that nothing has.
  package static func isLinkToNothing(_ path: FilePath) -> Bool {
    (try? of(path, followingLinks: false))?.kind == .symbolicLink
      && isAbsent(path)
  }
}

extension FileStatus.Kind: CustomStringConvertible {
  /// With its article, for a message.
  public var description: String {
    switch self {
    case .regular: "a regular file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a named pipe"
    case .socket: "a socket"
    case .characterDevice: "a character device"
    case .blockDevice: "a block device"
    case .unknown: "not a file"
    }
  }
}

extension FileDescriptor {
  /// The status of the open file; see `fstat(2)`.
  package borrowing func status() throws(SystemError) -> FileStatus {
    if let remote { return remote.status }
    var info = stat()
    let raw = rawValue
    do {
      _ = try retrying { fstat(raw, &info) }
    } catch {
      throw SystemError("fstat", path, error)
    }
    var status = FileStatus(info)
    guard status.kind == .blockDevice else { return status }
    do {
      status.size = try retrying { cplatform_device_size(raw) }
    } catch {
      throw SystemError("ioctl", path, error)
    }
    return status
  }
}
