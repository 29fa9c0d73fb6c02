import Posix

/// The objects that a run has made, to read them again, and to remove none but those.
struct MadeObjects {
  private let files: any RemoteFiles
  private let cancellation: Cancellation
  /// What tells each from others under the same name.
  private var inodes: [FilePath: UInt64] = [:]

  init(_ files: any RemoteFiles, _ cancellation: Cancellation) {
    (self.files, self.cancellation) = (files, cancellation)
  }

  mutating func note(_ path: FilePath, _ made: MadeObject) { inodes[path] = made.inode }

  /// The CRC-32 of ranges that make up all of an object, as the store gives it back.
  ///
  /// - Throws: `.changedInput` where it is not the one that was made; `.badData` where it has another size, and is
  ///   removed again.
  func sums(of path: FilePath, _ ranges: [Range<Int64>]) throws(CleaveError) -> [Checksum] {
    let (status, sums) = try reading { () throws(SystemError) -> (FileStatus, [Checksum]) in
      let file = try FileDescriptor.open(path, [.readOnly])
      let status = try file.status()
      guard isMade(path, status), status.size == ranges.last?.upperBound ?? 0 else {
        return (status, [])
      }
      var sums: [Checksum] = []
      for range in ranges {
        file.remoteFile?.willRead(range)
        sums.append(
          try Checksum(
            reading: file,
            from: range.lowerBound,
            upTo: range.count64,
            kinds: .crc32,
            isCancelled: { cancellation.isCancelled }
          )
        )
      }
      return (status, sums)
    }
    guard isMade(path, status) else {
      throw CleaveError(.changedInput, path, "was replaced by another program")
    }
    guard sums.count == ranges.count else { throw wrong(path) }
    return sums
  }

  /// Also one of an earlier run, of which nothing is known.
  private func isMade(_ path: FilePath, _ status: FileStatus) -> Bool {
    inodes[path].map { $0 == status.identity.inode } ?? true
  }

  /// The error of an object that is not what was sent; it is removed, if this run has made it.
  func wrong(_ path: FilePath) -> CleaveError {
    let text: Sentence = "what the store gives back is not what it was given"
    return CleaveError(.badData, path, remove(path) ? "\(text); it is removed again" : text)
  }

  /// - Returns: whether this run has made it, and it is gone.
  @discardableResult
  func remove(_ path: FilePath) -> Bool {
    guard let inode = inodes[path] else { return false }
    return (try? files.remove(path, being: inode)) != nil
  }
}
