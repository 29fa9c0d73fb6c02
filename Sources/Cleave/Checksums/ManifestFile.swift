public import Posix

extension Manifest {
  /// The largest manifest that is read, in bytes: some 800,000 lines of 20 bytes.
  ///
  /// Keeps a file that was only taken for a manifest from filling the memory.
  public static let largestFile: Int64 = 16 << 20

  /// Reads a manifest from a regular file, in the format that its name or its first line tells.
  ///
  /// - Throws: `.missingInput` where there is none; `.badData` for one that is larger than `limit`
  ///   bytes, and with the line that is wrong; the error of the failed read.
  public init(
    reading path: FilePath,
    upTo limit: Int64 = Manifest.largestFile
  ) throws(CleaveError) {
    try self.init(parsing: try Self.contents(of: path, limit).get(), path: path)
  }

  /// Whether the bytes of a manifest that cannot be read hold the name of a file.
  static func mentions(_ file: FilePath, in path: FilePath) -> Bool {
    guard let bytes = try? contents(of: path, largestFile).get() else { return false }
    return ByteSearch(file.lastComponent.bytes).isFound(in: bytes)
  }

  private static func contents(
    of path: FilePath,
    _ limit: Int64
  ) -> Result<[UInt8], CleaveError> {
    do throws(SystemError) {
      // Without O_NONBLOCK, a FIFO would hold up the open until somebody writes to it.
      let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
      let status = try file.status()
      if let refusal = refusal(of: status, path, limit) { return .failure(refusal) }
      return .success(try file.read(Int(status.size), at: 0))
    } catch {
      return .failure(.reading(error))
    }
  }

  private static func refusal(
    of status: FileStatus,
    _ path: FilePath,
    _ limit: Int64
  ) -> CleaveError? {
    if status.kind != .regular {
      return CleaveError(.missingInput, path, "is \(status.kind), not a regular file")
    }
    if status.size > limit {
      return CleaveError(
        .badData,
        path,
        "has \(status.size) bytes, more than the \(limit) of the largest manifest"
      )
    }
    return nil
  }
}
