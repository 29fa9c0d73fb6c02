internal import Posix

/// What happens to a file when its bytes are there. Errors name the final file.
extension OutputFile {
  /// Flushes what it has so far.
  func flush() throws(CleaveError) {
    try writing { file throws(SystemError) in try file.synchronize() }
  }

  /// Writes a small file, all of it.
  func write(all bytes: [UInt8]) throws(CleaveError) {
    try writing { file throws(SystemError) in try file.write(all: bytes) }
  }

  /// It has all its bytes: checks the size, sets the permissions, flushes and closes it.
  ///
  /// - Parameters:
  ///   - size: bytes that were written.
  ///   - permissions: the most that it gets; nil where it keeps those that it has.
  ///   - modified: when it is to have been changed; nil for now.
  func finish(
    size: Int64,
    permissions: UInt32?,
    modified: Int64?,
    _ options: OutputOptions
  ) throws(CleaveError) {
    let found = try writing { file throws(SystemError) in
      let status = try file.status()
      if let permissions {
        try set(permissions, of: file, replacesExisting: options.replacesExisting)
      }
      if let modified { try file.setModified(modified) }
      if options.synchronizes || options.readsBack { try file.synchronize() }
      if options.dropsCache { file.dropCache() }
      return status.size
    }
    do { try close() } catch { throw .writing(error.about(path)) }
    guard found == size else {
      throw CleaveError(.inputOutput, path, "has \(found ?? 0) bytes after writing \(size)")
    }
  }

  /// Gives the file its permissions: the sources' without those that the mask takes; of those, where it
  /// replaces a file, the ones that this file has.
  private func set(
    _ permissions: UInt32,
    of file: borrowing FileDescriptor,
    replacesExisting: Bool
  ) throws(SystemError) {
    var mode = permissions & ~FileSystem.fileCreationMask
    if replacesExisting,
      let old = try FileStatus.ifPresent(path, followingLinks: false), old.kind == .regular
    {
      mode = old.permissions & permissions
    }
    do throws(SystemError) {
      try file.setPermissions(mode)
    } catch  where error.errno == .notPermitted || error.errno.meansUnsupported {
      // File systems without permissions, as on most sticks, refuse to have any set.
    }
  }

  @discardableResult
  private func writing<R: Sendable>(
    _ body: (borrowing FileDescriptor) throws(SystemError) -> R
  ) throws(CleaveError) -> R? {
    do { return try withDescriptor(body) } catch { throw .writing(error.about(path)) }
  }

  /// - Parameter failure: what it means that the name cannot be looked at.
  /// - Throws: also `.changedInput` where what has the name is not what was last marked.
  func requireUnchanged(
    at name: FilePath,
    or failure: (SystemError) -> CleaveError = CleaveError.creating
  ) throws(CleaveError) {
    let isUnchanged: Bool
    do { isUnchanged = try isAt(name) } catch { throw failure(error) }
    if !isUnchanged {
      throw CleaveError(.changedInput, name, "was changed by another program")
    }
  }
}

extension Outputs.Output {
  /// Reads a finished file, or a block device, from the device again.
  ///
  /// - Parameter start: where the bytes begin that were written.
  func readBack(
    from start: Int64,
    expecting checksum: Checksum,
    kinds: Checksum.Kinds,
    dropsCache: Bool,
    isCancelled: () -> Bool
  ) throws(CleaveError) {
    let (path, place, options): (FilePath, FilePath, FileDescriptor.OpenOptions)
    switch self {
    case .file(let file):
      (path, place, options) = (file.path, file.temporary, [.readOnly, .noFollow, .nonBlocking])
    case .stream(let stream) where stream.isBlockDevice:
      (path, place, options) = (stream.path, stream.path, .readOnly)
    case .stream: return
    }
    let found: Checksum
    do throws(SystemError) {
      let reopened = try FileDescriptor.open(place, options)
      reopened.dropCache()
      defer { if dropsCache { reopened.dropCache() } }
      found = try Checksum(
        reading: reopened,
        from: start,
        upTo: checksum.count,
        kinds: kinds,
        isCancelled: isCancelled
      )
    } catch {
      throw .writing(error.about(path))
    }
    guard found == checksum else {
      throw CleaveError(
        .inputOutput,
        path,
        "the device gave back other data than was written: "
          + "CRC-32 \(found.crc32Text), not \(checksum.crc32Text)"
      )
    }
  }
}

extension SystemError {
  /// The same error under the name that the user gave: nobody knows the temporary's.
  func about(_ path: FilePath) -> SystemError {
    SystemError(call, path, at: offset, errno)
  }
}
