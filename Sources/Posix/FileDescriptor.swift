import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file descriptor with exactly one owner, and the name to use for it in messages.
///
/// Dropping the value closes it; ``close()`` closes it and reports the error. Every method retries
/// `EINTR`, and throws a ``SystemError`` that names the call, the path and the offset.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for Dispatch; valid while this value lives.
  package private(set) var rawValue: CInt
  package let path: FilePath
  /// What is read instead of a descriptor, whose number then is −1: calls that need one fail with `EBADF`.
  let remote: (any RemoteFile)?

  /// Takes over a descriptor that somebody else opened.
  package init(owning rawValue: CInt, path: FilePath) {
    self.rawValue = rawValue
    self.path = path
    remote = nil
  }

  private init(_ remote: any RemoteFile, path: FilePath) {
    (rawValue, self.path, self.remote) = (-1, path, remote)
  }

  /// What is read instead of a descriptor.
  package var remoteFile: (any RemoteFile)? { remote }

  /// Takes over a descriptor that a call has just made, unless it is one of those that are left to
  /// Dispatch: the lowest free number is given, so that those below are all in use.
  ///
  /// - Throws: `EMFILE`, as the call itself would have.
  init(new rawValue: CInt, path: FilePath) throws(Errno) {
    guard rawValue < ProcessState.openFileLimit else {
      _ = systemClose(rawValue)
      throw .tooManyOpenFiles
    }
    self.init(owning: rawValue, path: path)
  }

  deinit { if rawValue >= 0 { _ = systemClose(rawValue) } }

  /// Opens a file with `O_CLOEXEC` and without making it a controlling terminal; see `open(2)`.
  package static func open(
    _ path: FilePath,
    _ options: OpenOptions,
    permissions: UInt32 = 0
  ) throws(SystemError) -> FileDescriptor {
    if let files = FileSystem.remote(for: path) {
      guard options.isDisjoint(with: [.writeOnly, .readWrite, .create]) else {
        throw SystemError("open", path, .readOnlyFileSystem)
      }
      return FileDescriptor(try files.open(path), path: path)
    }
    let flags = options.rawValue | O_CLOEXEC | O_NOCTTY
    // What is made by an open that is refused then would stay, and might be somebody else's.
    if options.contains(.create), !options.contains(.exclusive) { _ = try open("/", .readOnly) }
    var waits = 0
    while true {
      do throws(Errno) {
        let raw = try retrying { path.withCString { systemOpen($0, flags, permissions) } }
        do throws(Errno) {
          return try FileDescriptor(new: raw, path: path)
        } catch {
          if options.contains([.create, .exclusive]) { try? FileSystem.unlink(path) }
          throw error
        }
      } catch  where error == .again && waits < mostWaits {
        // With O_NONBLOCK, somebody's lease on the file: they have been asked to give it up.
        waits += 1
        try Readiness.pause(milliseconds: waitMilliseconds)
      } catch {
        throw SystemError("open", path, error)
      }
    }
  }

  /// A lease is waited for as long as people wait: five seconds. See `fcntl(2)`, `F_SETLEASE`.
  private static let waitMilliseconds: CInt = 20
  private static let mostWaits = 250

  /// A second number for an open file that somebody else owns; see `fcntl(2)`, `F_DUPFD_CLOEXEC`.
  package static func duplicate(
    of rawValue: CInt,
    path: FilePath
  ) throws(SystemError) -> FileDescriptor {
    do {
      // Above the standard descriptors, whichever of them are free.
      let raw = try retrying { fcntl(rawValue, F_DUPFD_CLOEXEC, 3) }
      return try FileDescriptor(new: raw, path: path)
    } catch {
      throw SystemError("dup", path, error)
    }
  }

  /// The value of a call on a descriptor that somebody else owns.
  package static func lending<R>(
    _ rawValue: CInt,
    path: FilePath,
    _ body: (borrowing FileDescriptor) throws(SystemError) -> R
  ) throws(SystemError) -> R {
    var borrowed = FileDescriptor(owning: rawValue, path: path)
    defer { borrowed.rawValue = -1 }
    return try body(borrowed)
  }

  /// Closes the descriptor; see `close(2)`. Never retried: after `EINTR` the number is gone.
  package consuming func close() throws(SystemError) {
    let raw = rawValue
    rawValue = -1  // for deinit
    if systemClose(raw) == -1 {
      let errno = Errno.current
      // Both say that the descriptor is closed, and nothing about the data.
      if errno == .interrupted || errno == .inProgress { return }
      throw SystemError("close", path, errno)
    }
  }

  /// How to open a file.
  package struct OpenOptions: OptionSet, Sendable {
    package let rawValue: CInt
    package init(rawValue: CInt) { self.rawValue = rawValue }

    package static let readOnly = OpenOptions(rawValue: O_RDONLY)
    package static let writeOnly = OpenOptions(rawValue: O_WRONLY)
    package static let readWrite = OpenOptions(rawValue: O_RDWR)
    package static let create = OpenOptions(rawValue: O_CREAT)
    package static let exclusive = OpenOptions(rawValue: O_EXCL)
    package static let noFollow = OpenOptions(rawValue: O_NOFOLLOW)
    package static let nonBlocking = OpenOptions(rawValue: O_NONBLOCK)
    package static let directory = OpenOptions(rawValue: O_DIRECTORY)
    package static let append = OpenOptions(rawValue: O_APPEND)
  }
}

// MARK: - Reading and writing

extension FileDescriptor {
  /// Reads some bytes at the descriptor's position; 0 at the end. See `read(2)`.
  package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  {
    try call("read") { systemRead(rawValue, buffer) }
  }

  /// Fills the buffer from `offset`, but for what lies beyond the end of the file; see `pread(2)`.
  ///
  /// - Returns: the number of bytes read, less than the buffer's only at the end of the file.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) -> Int {
    if let remote { return try remote.read(into: buffer, at: offset) }
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let place = offset + Int64(filled)
      do throws(Errno) {
        let count = try retrying { systemRead(rawValue, rest, at: place) }
        if count == 0 { break }
        filled += count
      } catch {
        // A regular file has no reason to say EAGAIN; where one does, asking again is the answer.
        if error != .again { throw SystemError("read", path, at: place, error) }
      }
    }
    return filled
  }

  /// Reads `count` bytes from `offset`; fewer only at the end of the file.
  package borrowing func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    try [UInt8](capacity: count) { buffer throws(SystemError) in
      try read(into: buffer, at: offset)
    }
  }

  /// Writes every byte at `offset` of a descriptor that somebody else owns and keeps open; see
  /// `pwrite(2)`.
  package static func write(
    all bytes: UnsafeRawBufferPointer,
    to rawValue: CInt,
    at offset: Int64,
    path: FilePath
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let place = offset + Int64(written)
      do throws(Errno) {
        written += try retrying { systemWrite(rawValue, rest, at: place) }
      } catch {
        // As in reading: no file has a reason for it.
        if error != .again { throw SystemError("write", path, at: place, error) }
      }
    }
  }

  /// Writes some of the bytes at the descriptor's position; see `write(2)`.
  package borrowing func write(some buffer: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    try call("write") { systemWrite(rawValue, buffer) }
  }

  /// Writes every byte at the descriptor's position, waiting where it would block.
  package borrowing func write(all bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      do {
        written += try write(some: UnsafeRawBufferPointer(rebasing: bytes[written...]))
      } catch  where error.errno == .again {
        _ = try Readiness.wait(for: .writing, rawValue, path: path, milliseconds: 1000)
      }
    }
  }
}

extension FileDescriptor {
  /// Writes every byte at the descriptor's position, waiting where it would block.
  package borrowing func write(all bytes: [UInt8]) throws(SystemError) {
    try bytes.withBytes { bytes throws(SystemError) in try write(all: bytes) }
  }
}

// MARK: - Calls

extension FileDescriptor {
  borrowing func call<I: FixedWidthInteger & SignedInteger>(
    _ name: String,
    _ body: () -> I
  ) throws(SystemError) -> I {
    do { return try retrying(body) } catch { throw SystemError(name, path, error) }
  }
}
