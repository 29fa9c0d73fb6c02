package import Posix

/// A journal on disk, locked for as long as the job is at work: two runs cannot have it.
package final class JournalFile: Sendable {
  package let path: FilePath
  /// What was in it when it was opened; nil where the job had not begun.
  package let found: Journal?
  private let descriptor: FileDescriptor
  /// Bytes that count; what is behind them was left half-written.
  private let length: Locked<Int64>

  /// Opens the journal, and makes it if it is not there.
  ///
  /// - Throws: `.cannotCreate` where another run has it; `.badData` where it is none.
  package convenience init(opening path: FilePath) throws(CleaveError) {
    try self.init(path, [.readWrite, .create, .noFollow, .nonBlocking])
  }

  /// The journal at `path`; nil where there is none.
  package static func existing(at path: FilePath) throws(CleaveError) -> JournalFile? {
    do throws(SystemError) {
      guard try FileStatus.ifPresent(path, followingLinks: false) != nil else { return nil }
    } catch {
      throw .reading(error)
    }
    return try JournalFile(path, [.readWrite, .noFollow, .nonBlocking])
  }

  private init(_ path: FilePath, _ options: FileDescriptor.OpenOptions) throws(CleaveError) {
    let opened = try Self.open(path, options)
    // Whoever has just ended its job has removed the file that was opened here.
    guard opened.lock(), try Self.isStill(opened, path) else {
      throw CleaveError(.cannotCreate, path, "is in use: another run is making the same output")
    }
    let content = try Journal.parse(try Self.read(opened), path)
    self.path = path
    found = content?.journal
    length = Locked(Int64(content?.length ?? 0))
    descriptor = opened
  }

  private static func open(
    _ path: FilePath,
    _ options: FileDescriptor.OpenOptions
  ) throws(CleaveError) -> FileDescriptor {
    do throws(SystemError) {
      let opened = try FileDescriptor.open(path, options, permissions: 0o600)
      if try opened.status().kind == .regular { return opened }
      throw SystemError("open", path, .invalidArgument)
    } catch {
      throw .creating(error)
    }
  }

  private static func read(_ file: borrowing FileDescriptor) throws(CleaveError) -> [UInt8] {
    do throws(SystemError) {
      let size = try file.status().size
      if size <= Journal.largestFile { return try file.read(Int(size), at: 0) }
    } catch {
      throw .reading(error)
    }
    throw CleaveError(.badData, file.path, "is too large to be a journal")
  }

  /// What is in a journal, and whether a run has it.
  static func peek(at path: FilePath) throws(CleaveError) -> (journal: Journal?, isInUse: Bool) {
    let opened = try open(path, [.readOnly, .noFollow, .nonBlocking])
    let isInUse = !opened.lock()
    return (try Journal.parse(try read(opened), path)?.journal, isInUse)
  }

  private static func isStill(
    _ file: borrowing FileDescriptor,
    _ path: FilePath
  ) throws(CleaveError) -> Bool {
    do throws(SystemError) {
      return try FileStatus.ifPresent(path, followingLinks: false)?.identity
        == file.status().identity
    } catch {
      throw .reading(error)
    }
  }

  /// Begins anew: from here on the journal is the given one's.
  func begin(_ journal: Journal, synchronizes: Bool) throws(CleaveError) {
    length.withLock { $0 = 0 }
    try append(journal.header(), synchronizes: synchronizes)
  }

  /// Adds lines behind those that count. They do when this returns.
  func append(_ bytes: [UInt8], synchronizes: Bool) throws(CleaveError) {
    do throws(SystemError) {
      try length.withLock { length throws(SystemError) in
        try descriptor.truncate(to: length)
        try descriptor.seek(to: length)
        try descriptor.write(all: bytes)
        if synchronizes { try descriptor.synchronize() }
        length += Int64(bytes.count)
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Removes the journal: the job is over. After a power loss it may be there again; then whoever goes
  /// on finds that all is done.
  package func remove() { try? FileSystem.unlink(path) }
}
