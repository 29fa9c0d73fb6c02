public import Posix

extension SFV {
  /// The largest manifest that is read, in bytes: some 800,000 lines of 20 bytes.
  ///
  /// Keeps a file that was only taken for a manifest from filling the memory.
  public static let largestFile = 16 << 20

  /// Reads a manifest from a regular file.
  ///
  /// - Throws: `.missingInput` where there is none; `.badData` for one that is larger than
  ///   ``largestFile``, and as ``parse(_:path:)`` does; the error of the failed read.
  public static func read(_ path: FilePath) throws(CleaveError) -> SFV {
    try parse(try contents(of: path).get(), path: path)
  }

  private static func contents(of path: FilePath) -> Result<[UInt8], CleaveError> {
    do throws(SystemError) {
      // Without O_NONBLOCK, a FIFO would hold up the open until somebody writes to it.
      let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
      let status = try file.status()
      if let refusal = refusal(of: status, path) { return .failure(refusal) }
      return .success(try bytes(of: file, count: Int(status.size)))
    } catch {
      return .failure(.reading(error))
    }
  }

  private static func refusal(of status: FileStatus, _ path: FilePath) -> CleaveError? {
    if status.kind != .regular {
      return CleaveError(.missingInput, path, "is \(status.kind), not a regular file")
    }
    if status.size > Int64(largestFile) {
      let text = "has \(status.size) bytes, more than the \(largestFile) of the largest manifest"
      return CleaveError(.badData, path, text)
    }
    return nil
  }

  private static func bytes(
    of file: borrowing FileDescriptor,
    count: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    var failure: SystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemError) {
        filled = try file.read(into: buffer, at: 0)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return Array(bytes[..<filled])
  }
}
