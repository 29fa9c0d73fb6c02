package import Posix

extension Checksum {
  /// Bytes that are read at a time: small enough to stay in the processor's cache until summed.
  private static let pieceSize = 256 << 10

  /// Reads a file from `start` and sums what it finds, up to `limit` bytes.
  ///
  /// - Throws: `ECANCELED` as soon as `isCancelled` says so; otherwise what `pread(2)` reports.
  package init(
    reading file: borrowing FileDescriptor,
    from start: Int64 = 0,
    upTo limit: Int64 = .max,
    kinds: Kinds,
    isCancelled: () -> Bool,
    progress: WorkProgress? = nil
  ) throws(SystemError) {
    self.init()
    try Self.read(file, from: start, upTo: limit, isCancelled: isCancelled) { bytes in
      update(bytes, kinds)
      progress?.add(bytes.count)
    }
  }

  /// Reads a file from `start`, and hands over what it finds piece by piece, up to `limit` bytes.
  ///
  /// - Throws: as the initializer does.
  static func read(
    _ file: borrowing FileDescriptor,
    from start: Int64 = 0,
    upTo limit: Int64 = .max,
    isCancelled: () -> Bool,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(SystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.pieceSize,
      alignment: Mapping.pageSize
    )
    defer { buffer.deallocate() }
    var count: Int64 = 0
    while count < limit {
      if isCancelled() { throw SystemError("read", file.path, at: start + count, .canceled) }
      let wanted = Int(min(Int64(Self.pieceSize), limit - count))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let found = try file.read(into: piece, at: start + count)
      body(UnsafeRawBufferPointer(rebasing: piece[..<found]))
      count += Int64(found)
      if found < wanted { break }
    }
  }
}
