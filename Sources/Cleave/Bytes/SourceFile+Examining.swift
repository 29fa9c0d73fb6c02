public import Posix

extension SourceFile {
  /// Looks at a file that is to be read.
  ///
  /// - Throws: where it is missing, neither a regular file nor a block device, or may not be looked at.
  public init(examining path: FilePath) throws(CleaveError) {
    self.init(path: path, status: try Self.status(path))
    try requireReadable()
    if status.size == 0, status.kind == .regular { try Self.requireEmpty(path) }
  }

  /// The status of what is there, with the size of a block device, which is told only when it is open.
  private static func status(_ path: FilePath) throws(CleaveError) -> FileStatus {
    try reading { () throws(SystemError) in
      let status = try FileStatus.of(path)
      guard status.kind == .blockDevice else { return status }
      return try FileDescriptor.open(path, [.readOnly, .nonBlocking]).status()
    }
  }

  /// Of files that the kernel makes up as they are read, as in /proc, the size is told as 0.
  ///
  /// - Throws: `.missingInput` where there is a byte all the same.
  private static func requireEmpty(_ path: FilePath) throws(CleaveError) {
    let found: [UInt8]
    do throws(SystemError) {
      found = try FileDescriptor.open(path, [.readOnly, .nonBlocking]).read(1, at: 0)
    } catch {
      // Reading it will report the error.
      return
    }
    if found.isEmpty { return }
    throw CleaveError(
      .missingInput,
      path,
      "has bytes although its size is told as 0, as in /proc: copy it to a file first, or give it to "
        + "standard input with -"
    )
  }
}

// MARK: - Whether it is still the same

extension SourceFile {
  /// What tells the bytes of a file from others, as far as it can be told without reading them.
  package struct Identity: Hashable, Sendable {
    private let file: FileStatus.Identity
    private let size: Int64
    private let modified: Int64

    package init(_ status: FileStatus) {
      (file, size, modified) = (status.identity, status.size, status.modified)
    }
  }

  /// As it was when it was looked at.
  package var identity: Identity { Identity(status) }

  /// Whether it is the same file with, as far as can be seen, the same bytes.
  func isSame(as other: SourceFile) -> Bool { path == other.path && identity == other.identity }

  /// The identity of what is there now.
  ///
  /// - Throws: where that cannot have the same bytes: no file, or a shorter one.
  func identity(of now: FileStatus) throws(CleaveError) -> Identity {
    try SourceFile(path: path, status: now).requireReadable()
    if now.size < status.size { throw truncated(at: now.size) }
    return Identity(now)
  }

  /// - Throws: where the file under the name is no longer the same.
  func requireUnchanged() throws(CleaveError) {
    guard try identity(of: Self.status(path)) == identity else { throw .changed(path) }
  }

  /// - Throws: where the bytes have no places to be read at.
  func requireReadable() throws(CleaveError) {
    if status.kind == .regular || status.kind == .blockDevice { return }
    throw CleaveError(.missingInput, path, "is \(status.kind), not a regular file")
  }

  func truncated(at end: Int64) -> CleaveError {
    CleaveError(.badData, path, "was truncated: it ends at \(end), not at \(status.size)")
  }
}
