/// Files of other machines: what is read by an address instead of a path.
///
/// Whatever asks for the status, the names or the bytes of a path that ``FilePath/isRemote`` is answered by
/// the program that was given to ``FileSystem/serveRemote(by:)``. Nothing is written through this.
package protocol RemoteFiles: Sendable {
  /// - Throws: `ENOENT` where there is none.
  func status(of path: FilePath) throws(SystemError) -> FileStatus
  /// The names in what stands for a directory.
  func names(in directory: FilePath) throws(SystemError) -> PathList
  /// Opens a file for reading.
  func open(_ path: FilePath) throws(SystemError) -> any RemoteFile
}

/// A file of another machine that is open for reading. Several threads may use it at a time.
package protocol RemoteFile: Sendable {
  /// As it was when it was opened: a read fails with `ESTALE` where the bytes are others by then.
  var status: FileStatus { get }
  /// Fills the buffer from an offset, but for what lies beyond the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) -> Int
  /// A range is about to be read in order.
  func willRead(_ range: Range<Int64>)
}

extension FilePath {
  /// Whether it is the address of a file of another machine: `https://…`, `http://…` or `s3://…`. A local
  /// file of such a name is `./https:…`.
  public var isRemote: Bool {
    guard let first = bytes.first, first == UInt8(ascii: "h") || first == UInt8(ascii: "s") else {
      return false
    }
    return Self.schemes.contains { bytes.starts(with: $0) }
  }

  /// Where what is made of it goes: of a file of another machine into the working directory.
  package var onThisMachine: FilePath { isRemote ? lastComponent : self }

  private static let schemes = ["https://", "http://", "s3://"].map { Array($0.utf8) }
}

extension FileSystem {
  private static let remote = Locked<(any RemoteFiles)?>(nil)

  /// Has addresses read by somebody.
  package static func serveRemote(by files: any RemoteFiles) {
    remote.withLock { $0 = files }
  }

  /// Who answers for a path; nil for one of this machine, as all are where nobody reads addresses.
  static func remote(for path: FilePath) -> (any RemoteFiles)? {
    path.isRemote ? remote.withLock { $0 } : nil
  }
}
