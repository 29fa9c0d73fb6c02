package import Posix
import Synchronization

/// A file that is being made under a temporary name beside its final one.
package final class OutputFile: Sendable {
  /// The name that it is to get.
  package let path: FilePath
  package let temporary: FilePath
  private let descriptor: Locked<FileDescriptor?>
  /// The number of the descriptor, while it is open.
  private let rawValue: CInt
  private let written = Atomic<Int64>(0)

  /// Whose name the temporary's is, so that no other file is published or removed.
  private let identity: FileStatus.Identity
  /// As it was when it was last marked.
  private let last = Locked<FileStatus?>(nil)

  /// The lock that tells others that the job is at work, where this file has it.
  private let lock: Locked<FileDescriptor?>

  /// Makes the temporary: new, not through a link, readable by its owner only.
  ///
  /// - Parameter locks: whether it is locked until this object goes, also after ``close()``.
  package convenience init(
    _ path: FilePath,
    as temporary: FilePath,
    locks: Bool
  ) throws(SystemError) {
    let opened = try FileDescriptor.open(
      temporary,
      [.readWrite, .create, .exclusive, .noFollow],
      permissions: 0o600
    )
    do {
      try self.init(path, as: temporary, owning: opened, locks: locks)
    } catch {
      try? FileSystem.unlink(temporary)
      throw error
    }
  }

  /// Goes on with a temporary that was made before.
  ///
  /// - Parameters:
  ///   - isGiven: whether it is what was given to the job. Any other must be this user's alone.
  ///   - locks: whether it is locked until this object goes, also after ``close()``.
  package convenience init(
    _ path: FilePath,
    goingOn temporary: FilePath,
    isGiven: Bool,
    locks: Bool
  ) throws(SystemError) {
    // A whole one has its permissions already: they may not let its owner write, or may let others. What
    // it holds is compared with the journal in any case.
    if !isGiven, let found = try FileStatus.ifPresent(temporary, followingLinks: false),
      found.kind == .regular, found.owner == ProcessState.effectiveUser,
      found.permissions & 0o777 != 0o600
    {
      try FileSystem.setPermissions(0o600, of: temporary)
    }
    let opened = try FileDescriptor.open(temporary, [.readWrite, .noFollow, .nonBlocking])
    let status = try opened.status()
    guard status.kind == .regular, isGiven || status.isOurs else {
      throw SystemError("open", temporary, .notPermitted)
    }
    try self.init(path, as: temporary, owning: opened, locks: locks)
  }

  private init(
    _ path: FilePath,
    as temporary: FilePath,
    owning opened: consuming FileDescriptor,
    locks: Bool
  ) throws(SystemError) {
    (self.path, self.temporary) = (path, temporary)
    rawValue = opened.rawValue
    identity = try opened.status().identity
    if locks {
      // A search for leftovers may hold it for a moment, and may have removed the file meanwhile.
      guard opened.lock(patience: FileDescriptor.lockPatience) else {
        throw SystemError("flock", temporary, .again)
      }
      if try opened.status().links == 0 { throw SystemError("open", temporary, .exists) }
      lock = Locked(try .duplicate(of: rawValue, path: temporary))
    } else {
      lock = Locked(nil)
    }
    descriptor = Locked(consume opened)
  }

  /// Lends the descriptor; nil once the file has been closed.
  package func withDescriptor<R: Sendable>(
    _ body: (borrowing FileDescriptor) throws(SystemError) -> R
  ) throws(SystemError) -> R? {
    try descriptor.withLock { slot throws(SystemError) -> R? in
      guard let lent = slot.take() else { return nil }
      do throws(SystemError) {
        let result = try body(lent)
        slot = consume lent
        return result
      } catch {
        slot = consume lent
        throw error
      }
    }
  }

  /// Writes every byte at an offset; see `pwrite(2)`. Several threads may at a time, as long as
  /// nobody closes the file.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    try FileDescriptor.write(all: bytes, to: rawValue, at: offset, path: path)
  }

  /// Makes a range share the blocks of a source; see ``FileDescriptor/share(_:of:at:)``.
  package func share(
    _ range: Range<Int64>,
    of source: borrowing FileDescriptor,
    at offset: Int64
  ) throws(SystemError) {
    try FileDescriptor.share(range, of: source, with: rawValue, at: offset, path: path)
  }

  /// Counts bytes that have been written, and has the device start on them every few MiB, so that
  /// little is left for fsync to wait for. Takes a fifth to a half off a merge that is flushed.
  ///
  /// - Parameter dropsCache: also lets go of what the device has, which means waiting for it.
  package func didWrite(_ count: Int, dropsCache: Bool) {
    let now = written.add(Int64(count), ordering: .relaxed)
    func hasPassed(_ step: Int64) -> Bool { now.oldValue / step != now.newValue / step }
    guard hasPassed(Self.writebackStep) else { return }
    _ = try? withDescriptor { file in
      if dropsCache, hasPassed(Self.dropStep) {
        file.waitForWriteback()
        file.dropCache()
      }
      file.startWriteback()
    }
  }

  private static let writebackStep: Int64 = 8 << 20
  /// Bytes that may be dirty at a time; enough for the device to have work while somebody waits.
  private static let dropStep: Int64 = 64 << 20

  /// Closes the file, and reports what `close(2)` says; does nothing the second time.
  package func close() throws(SystemError) {
    try mark()
    let taken = descriptor.withLock { $0.take() }
    try taken?.close()
  }

  /// What the file is from now on, until it is written to again; nothing once it has been closed.
  func mark() throws(SystemError) {
    if let status = try withDescriptor({ file throws(SystemError) in try file.status() }) {
      last.withLock { $0 = status }
    }
  }

  /// Whether the file that has a name is the one that was made here, with what was last written to it.
  func isAt(_ path: FilePath) throws(SystemError) -> Bool {
    guard let now = try FileStatus.ifPresent(path, followingLinks: false),
      now.identity == identity
    else { return false }
    guard let last = last.withLock({ $0 }) else { return true }
    return now.size == last.size && now.modified == last.modified
  }

  /// Removes the temporary, unless its name is another file's by now.
  func remove() {
    guard let now = try? FileStatus.of(temporary, followingLinks: false),
      now.identity == identity
    else { return }
    try? FileSystem.unlink(temporary)
  }
}
