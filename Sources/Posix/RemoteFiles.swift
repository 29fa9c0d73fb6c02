/// Files of other machines: what is read by an address instead of a path.
///
/// Whatever asks for the status, the names or the bytes of a path that ``FilePath/isRemote`` is answered by
/// the program that was given to ``FileSystem/serveRemote(by:)``. Objects of a store are made through it, too.
package protocol RemoteFiles: Sendable {
  /// - Throws: `ENOENT` where there is none.
  func status(of path: FilePath) throws(SystemError) -> FileStatus
  /// The names in what stands for a directory.
  func names(in directory: FilePath) throws(SystemError) -> PathList
  /// Opens a file for reading.
  func open(_ path: FilePath) throws(SystemError) -> any RemoteFile

  /// Begins an object, which has its name when it is complete.
  func create(_ path: FilePath) throws(SystemError) -> any RemoteUpload
  /// Makes a small object.
  ///
  /// - Throws: `EEXIST` where there is one that is not to be replaced.
  func write(
    _ bytes: [UInt8],
    to path: FilePath,
    replacing: Bool
  ) throws(SystemError) -> MadeObject
  /// Removes an object, if it is the one of that inode still.
  ///
  /// - Throws: `ESTALE` where it is another.
  func remove(_ path: FilePath, being inode: UInt64) throws(SystemError)
  /// Asks the store anew about an object.
  ///
  /// - Returns: nil where there is no object of this name.
  func look(at path: FilePath) throws(SystemError) -> SeenObject?
  /// The objects in what stands for a directory that were begun, and neither completed nor given up.
  func unfinished(in directory: FilePath) throws(SystemError) -> [UnfinishedObject]
  /// Gives up what was begun, by whomever.
  func discard(_ object: UnfinishedObject) throws(SystemError)
  /// Whether one store has both, so that bytes of the one become some of the other where they are.
  func areTogether(_ path: FilePath, _ other: FilePath) -> Bool
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

/// An object of a store that is being made, in pieces with numbers from 1 to 10,000, in any order and by any number
/// of threads at a time. All but the last have at least ``UploadLimits/leastPiece`` bytes.
package protocol RemoteUpload: Sendable {
  /// Sends a piece.
  ///
  /// - Parameter crc32: which a store that sums compares with what it has received.
  func send(_ bytes: UnsafeRawBufferPointer, crc32: UInt32, as number: Int) throws(SystemError)
  /// Has the store copy a piece from another of its objects.
  ///
  /// - Parameter range: all of it, or some of one with more than ``UploadLimits/leastPiece`` bytes.
  /// - Returns: the CRC-32 of the piece; nil where the store tells none.
  /// - Throws: `ESTALE` where the other object is not what it was when it was opened.
  func copy(
    _ range: Range<Int64>,
    of other: any RemoteFile,
    as number: Int
  ) throws(SystemError) -> UInt32?
  /// Gives the object its name.
  ///
  /// - Parameters:
  ///   - crc32: what a store that sums compares with what it has; nil where it is not known.
  ///   - replacing: whether the object that has the name goes.
  /// - Throws: `EEXIST` where there is one that is not to be replaced.
  func complete(size: Int64, crc32: UInt32?, replacing: Bool) throws(SystemError) -> MadeObject
  /// Gives it up, whatever was cancelled.
  ///
  /// - Returns: whether the store has nothing of it any more; else it is left for others to find.
  @discardableResult func abort() -> Bool
}

/// An object that was made, as the store tells of it.
package struct MadeObject: Sendable {
  /// Tells it from others under the same name, as the inode of its status does.
  package let inode: UInt64
  /// Whether the store has compared the sum.
  package let isProved: Bool

  package init(inode: UInt64, isProved: Bool) { (self.inode, self.isProved) = (inode, isProved) }
}

/// An object as a store has it at the moment.
package struct SeenObject: Sendable {
  package let status: FileStatus
  /// The CRC-32 of all bytes that the store itself has; nil where it tells none.
  package let crc32: UInt32?

  package init(status: FileStatus, crc32: UInt32?) { (self.status, self.crc32) = (status, crc32) }

  /// Whether it is the object that was seen before, as far as the store tells.
  package func isSame(as other: SeenObject) -> Bool {
    status.identity == other.status.identity && status.size == other.status.size
      && status.modified == other.status.modified && crc32 == other.crc32
  }
}

/// What stores can do; see "Amazon S3 multipart upload limits".
package enum UploadLimits {
  /// Bytes.
  package static let leastPiece: Int64 = 5 << 20
  package static let mostPieces: Int64 = 10_000
  /// Bytes of an object.
  package static let largestObject: Int64 = 5 << 40
}

/// An object that was begun.
package struct UnfinishedObject: Sendable {
  package let path: FilePath
  /// What the store calls the attempt.
  package let attempt: String

  package init(path: FilePath, attempt: String) { (self.path, self.attempt) = (path, attempt) }
}

extension FileStatus {
  /// In place of the inode of a file of another machine that has nothing to tell its bytes from others by.
  package static let unpinned: UInt64 = 0

  /// Whether other bytes under the same name would be noticed.
  package var isPinned: Bool { identity.inode != Self.unpinned }
}

extension FilePath {
  /// Whether it is the address of an object of a store, `s3://BUCKET/KEY`.
  package var isObject: Bool {
    bytes.first == UInt8(ascii: "s") && bytes.starts(with: Self.schemes[2])
  }

  /// Whether some stores take the key of an object for another: `a//b`, `a/./b` and `a/../b`. What ends in a slash
  /// does not.
  package var hasAmbiguousKey: Bool {
    guard isObject else { return false }
    let names = bytes.dropFirst(Self.schemes[2].count)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    return names.dropLast().contains(where: \.isEmpty)
      || names.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }

  /// Whether it is the address of a file of another machine: `https://…`, `http://…` or `s3://…`. A local
  /// file of such a name is `./https:…`.
  public var isRemote: Bool {
    guard let first = bytes.first, first == UInt8(ascii: "h") || first == UInt8(ascii: "s") else {
      return false
    }
    return Self.schemes.contains { bytes.starts(with: $0) }
  }

  /// The `gs:` or `S3:` of what looks like an address, but is none; a directory may have this name, too.
  package var unknownScheme: FilePath? {
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
    let isScheme = scheme.allSatisfy { (97...122).contains($0 | 32) || (48...57).contains($0) }
    let isAddress =
      scheme.count > 1 && isScheme && bytes[scheme.endIndex...].starts(with: "://".utf8)
    return isAddress && !isRemote ? FilePath(bytes: scheme).adding(":") : nil
  }

  /// Where what is made of it goes: of a file of another machine into the working directory.
  ///
  /// A query is no part of the name, and may be secret.
  package var onThisMachine: FilePath { isRemote ? withoutQuery.lastComponent : self }

  /// Whether it is an address of the web with a query, such as a signature.
  package var hasQuery: Bool { isRemote && !isObject && bytes.contains(UInt8(ascii: "?")) }

  package var withoutQuery: FilePath {
    hasQuery ? FilePath(bytes: bytes.prefix { $0 != UInt8(ascii: "?") }) : self
  }

  /// As it is told: `?…` in place of a query, and `…@` in place of a user and a password.
  package var hidingSecrets: FilePath {
    let plain = hasQuery ? withoutQuery.adding("?…") : self
    guard isRemote, plain.bytes.contains(UInt8(ascii: "@")) else { return plain }
    let start = plain.bytes.firstIndex(of: UInt8(ascii: "/")).map { $0 + 2 } ?? 0
    let host = plain.bytes[start...].prefix { $0 != UInt8(ascii: "/") }
    guard !isObject, let end = host.lastIndex(of: UInt8(ascii: "@")) else { return plain }
    return FilePath(bytes: plain.bytes[..<start] + Array("…".utf8) + plain.bytes[end...])
  }

  private static let schemes = ["https://", "http://", "s3://"].map { Array($0.utf8) }
}

extension FileSystem {
  private static let remote = Locked<(any RemoteFiles)?>(nil)

  /// Has addresses read by somebody.
  package static func serveRemote(by files: any RemoteFiles) {
    remote.withLock { $0 = files }
  }

  /// Who answers for a path; nil for one of this machine, as all are where nobody reads addresses.
  package static func remote(for path: FilePath) -> (any RemoteFiles)? {
    path.isRemote ? remote.withLock { $0 } : nil
  }
}
