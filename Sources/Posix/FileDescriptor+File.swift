import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file behind the descriptor.
extension FileDescriptor {
  /// Flushes data and metadata to the device, as `fsync(2)`, or `F_FULLFSYNC` on Darwin.
  ///
  /// Must not be called again after a failure: the kernel has dropped the pages by then.
  package borrowing func synchronize() throws(SystemError) {
    _ = try call("fsync") { cplatform_synchronize(rawValue) }
  }

  /// Whether any process has the file open for writing, or nil where the system does not tell: of files
  /// of somebody else's, on network file systems, on Darwin. For a descriptor that is open for reading
  /// only. See `fcntl(2)`, `F_SETLEASE`.
  ///
  /// - Parameter patience: milliseconds to wait for them to be done: a program that somebody starts has the file open
  ///   for a moment, until it has begun.
  package borrowing func hasWriter(patience: Int = 0) -> Bool? {
    let end = ContinuousClock.now + .milliseconds(patience)
    while true {
      let answer = cplatform_has_writer(rawValue)
      if answer != 1 || ContinuousClock.now >= end { return answer == -1 ? nil : answer == 1 }
      try? Readiness.pause(milliseconds: Self.lockMilliseconds)
    }
  }

  /// How a lock is taken.
  package enum Lock {
    /// By one at a time.
    case exclusive
    /// Together with others that take it so.
    case shared
  }

  /// Takes the file's lock until this descriptor, and every duplicate of it, is closed. See `flock(2)`.
  ///
  /// Anybody who can open a file can lock it for ever, so nobody waits without an end.
  ///
  /// - Parameter patience: milliseconds to wait for others to give it up.
  /// - Returns: false where somebody else has it. A file system without locks gives it to everybody.
  package borrowing func lock(_ lock: Lock = .exclusive, patience: Int = 0) -> Bool {
    let end = ContinuousClock.now + .milliseconds(patience)
    while true {
      do throws(SystemError) {
        _ = try call("flock") { cplatform_lock_file(rawValue, lock == .shared ? 1 : 0) }
        return true
      } catch {
        guard error.errno == .again else { return true }
        if ContinuousClock.now >= end { return false }
        try? Readiness.pause(milliseconds: Self.lockMilliseconds)
      }
    }
  }

  /// Whether the file system keeps locks at all.
  package borrowing func hasLocks() -> Bool {
    do throws(SystemError) {
      _ = try call("flock") { cplatform_lock_file(rawValue, 1) }
      return true
    } catch {
      return error.errno == .again
    }
  }

  /// Long for those who have a file for a moment, and short for those who wait: milliseconds.
  package static let lockPatience = 3000
  /// Between one try and the next.
  private static let lockMilliseconds: CInt = 5

  /// Sets the size; see `ftruncate(2)`.
  package borrowing func truncate(to size: Int64) throws(SystemError) {
    _ = try call("ftruncate") { ftruncate(rawValue, off_t(size)) }
  }

  /// Gives the blocks of a range back to the file system; what is read there then is zeros. See
  /// `fallocate(2)`, `FALLOC_FL_PUNCH_HOLE`; `fcntl(2)`, `F_PUNCHHOLE`.
  ///
  /// - Throws: an error that ``Errno/meansUnsupported`` where the file system cannot.
  package borrowing func punchHole(_ range: Range<Int64>) throws(SystemError) {
    _ = try call("fallocate") {
      cplatform_punch_hole(rawValue, off_t(range.lowerBound), off_t(range.count64))
    }
  }

  /// Where the first hole at or behind an offset begins, in bytes; the size where there is none. See
  /// `lseek(2)`, `SEEK_HOLE`. A file system that does not know of holes has none.
  package borrowing func hole(from offset: Int64) throws(SystemError) -> Int64 {
    do throws(SystemError) {
      return try call("lseek") { Int64(cplatform_next_hole(rawValue, off_t(offset))) }
    } catch  where error.errno.meansUnsupported || error.errno == .noDeviceOrReader {
      // ENXIO: at or behind the end.
      return try status().size
    }
  }

  /// Where the first bytes at or behind an offset are that are no hole; the size where there are none. See
  /// `lseek(2)`, `SEEK_DATA`.
  package borrowing func data(from offset: Int64) throws(SystemError) -> Int64 {
    do throws(SystemError) {
      return try call("lseek") { Int64(cplatform_next_data(rawValue, off_t(offset))) }
    } catch  where error.errno == .noDeviceOrReader {
      return try status().size
    } catch  where error.errno.meansUnsupported {
      return offset
    }
  }

  /// Sets the permission bits; see `fchmod(2)`.
  package borrowing func setPermissions(_ mode: UInt32) throws(SystemError) {
    _ = try call("fchmod") { fchmod(rawValue, mode_t(truncatingIfNeeded: mode)) }
  }

  /// Sets when the file was last changed, in nanoseconds since 1970; see `futimens(2)`.
  package borrowing func setModified(_ nanoseconds: Int64) throws(SystemError) {
    _ = try call("futimens") { cplatform_set_modified(rawValue, nanoseconds) }
  }

  /// Sets the position; see `lseek(2)`.
  package borrowing func seek(to offset: Int64) throws(SystemError) {
    _ = try call("lseek") { Int64(lseek(rawValue, off_t(offset), SEEK_SET)) }
  }

  /// Moves the position by a number of bytes from where it is, or from the end; see `lseek(2)`, `SEEK_CUR`,
  /// `SEEK_END`.
  ///
  /// - Returns: the position.
  package borrowing func move(
    by count: Int64,
    fromEnd: Bool = false
  ) throws(SystemError) -> Int64 {
    try call("lseek") { Int64(lseek(rawValue, off_t(count), fromEnd ? SEEK_END : SEEK_CUR)) }
  }

  /// Makes a file with a new name that begins as told, of which nothing is left when it is closed; see
  /// `mkstemp(3)`.
  package static func temporary(_ prefix: FilePath) throws(SystemError) -> FileDescriptor {
    let template = prefix.adding("XXXXXX")
    var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
    let raw = mkstemp(&name)
    guard raw >= 0 else { throw SystemError("mkstemp", template, .current) }
    let file = FileDescriptor(owning: raw, path: template)
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    try FileSystem.unlink(FilePath(bytes: name.dropLast().map { UInt8(bitPattern: $0) }))
    return file
  }

  /// Reserves space where the file system can, without changing the size; see `fallocate(2)`.
  ///
  /// Saves 5–12 % of a copy's time on ext4, and finds a full disk at the start. File systems in
  /// memory are left out: there it costs more than it saves.
  package borrowing func preallocate(_ size: Int64) throws(SystemError) {
    guard size > 0, cplatform_is_memory_file_system(rawValue) == 0 else { return }
    do {
      _ = try call("fallocate") { cplatform_preallocate(rawValue, off_t(size)) }
    } catch  where error.errno.meansUnsupported {
      // Only an advantage lost.
    }
  }

  /// Enlarges the pipe that this may be.
  package borrowing func widenPipe() { cplatform_widen_pipe(rawValue) }

  /// Takes `O_NONBLOCK` off; only for a descriptor whose open file description is our own.
  package borrowing func clearNonBlocking() throws(SystemError) {
    let flags = try call("fcntl") { fcntl(rawValue, F_GETFL) }
    _ = try call("fcntl") { fcntl(rawValue, F_SETFL, flags & ~O_NONBLOCK) }
  }
}
