import Posix

/// A file that is locked until this goes.
final class HeldFile {
  private let descriptor: FileDescriptor
  /// When it got the lock, in bytes.
  let size: Int64
  let identity: FileStatus.Identity

  private init(_ descriptor: consuming FileDescriptor, _ status: FileStatus) {
    self.descriptor = descriptor
    (size, identity) = (status.size, status.identity)
  }

  /// Opens a hidden file of this user's with its lock, for which it waits.
  ///
  /// - Parameters:
  ///   - creating: whether it is made, empty, where it is not there.
  ///   - waiting: is called once, where it has to wait.
  ///   - isCancelled: is asked before each look.
  /// - Returns: nil where it is gone.
  /// - Throws: also where it is cancelled meanwhile.
  static func open(
    _ path: FilePath,
    _ lock: FileDescriptor.Lock,
    creating: Bool,
    waiting: () -> Void,
    isCancelled: () -> Bool
  ) throws(CleaveError) -> HeldFile? {
    var looks = 0
    while !isCancelled() {
      // bounded: some five a second
      looks += 1
      if looks == 2 { waiting() }
      do throws(SystemError) {
        let opened = try FileDescriptor.open(
          path,
          [.readWrite, .noFollow, .nonBlocking, creating ? .create : []],
          permissions: 0o600
        )
        let found = try opened.status()
        guard found.kind == .regular, found.owner == ProcessState.effectiveUser, found.links <= 1
        else { throw SystemError("open", path, .notPermitted) }
        guard opened.lock(lock, patience: 200) else { continue }
        let there = try FileStatus.ifPresent(path, followingLinks: false)
        // Whoever had it before may have given it another name, or have removed it.
        guard let there, there.identity == found.identity else { continue }
        if there.permissions != 0o600 { try opened.setPermissions(0o600) }
        return HeldFile(opened, there)
      } catch {
        if error.errno == .notFound, !creating { return nil }
        if error.errno == .permissionDenied, Self.makeWritable(path) { continue }
        guard [.notPermitted, .tooManyLinks, .isADirectory].contains(error.errno) else {
          throw .creating(error)
        }
        let text: Sentence = "is in the way: it is not a file of this user's alone; remove it"
        throw CleaveError(.cannotCreate, path, text)
      }
    }
    throw .cancelled
  }

  /// Who was about to give it its name, and did not, may have given it permissions with which it is not opened.
  ///
  /// - Returns: whether it may be tried again.
  private static func makeWritable(_ path: FilePath) -> Bool {
    guard let opened = try? FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking]),
      let found = try? opened.status(), found.kind == .regular,
      found.owner == ProcessState.effectiveUser, found.links <= 1,
      found.permissions & 0o600 != 0o600
    else { return false }
    // Not beneath one who is about to give it its name.
    guard opened.lock(.shared, patience: 200) else { return true }
    return (try? opened.setPermissions(0o600)) != nil
  }

  /// Whether nobody else has a lock of it, and nobody gets one from now on.
  var isAlone: Bool { descriptor.lock(.exclusive) }

  func truncate(to size: Int64) throws(SystemError) { try descriptor.truncate(to: size) }
}
