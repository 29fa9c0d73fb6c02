package import Posix

/// A source that is an open file.
package final class InputFile: RandomAccessBytes {
  package let descriptor: FileDescriptor
  package let source: SourceFile
  private let readAhead: ReadAhead

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - end: where reading ends, in bytes, if not at its own end.
  ///   - dropsCache: what has to be fetched from the device does not stay in memory.
  /// - Throws: where it cannot be opened, or is not as it was planned with.
  package init(
    _ source: SourceFile,
    end: Int64? = nil,
    dropsCache: Bool = false
  ) throws(CleaveError) {
    let opened = try Self.open(source.path)
    let size = source.status.size
    readAhead = ReadAhead(opened, size: size, end: end ?? size, dropsCache: dropsCache)
    descriptor = opened
    self.source = source
    try requireUnchanged()
  }

  /// Opens a file that nobody has looked at.
  ///
  /// - Throws: where it cannot be opened, or has no places to be read at.
  init(opening path: FilePath) throws(CleaveError) {
    let opened = try Self.open(path)
    source = SourceFile(path: path, status: try CleaveError.whileReading(opened.status()))
    let size = source.status.size
    readAhead = ReadAhead(opened, size: size, end: size, dropsCache: false)
    descriptor = opened
    try source.requireReadable()
  }

  private static func open(_ path: FilePath) throws(CleaveError) -> FileDescriptor {
    // O_NONBLOCK: a FIFO that took the file's place must not hold the job up.
    try CleaveError.whileReading(.open(path, reading))
  }

  /// Made once, which takes longer than a call of the kernel.
  private static let reading: FileDescriptor.OpenOptions = [.readOnly, .nonBlocking]

  package var path: FilePath { source.path }
  package var size: Int64 { source.status.size }
  package var identity: SourceFile.Identity { source.identity }

  package func currentIdentity() throws(CleaveError) -> SourceFile.Identity {
    try source.identity(of: CleaveError.whileReading(descriptor.status()))
  }

  /// Has the kernel read ahead of `position`, which is about to be read in order.
  package func willRead(to position: Int64) { readAhead.move(to: position, of: descriptor) }

  /// Has the kernel read a range, which is about to be read.
  package func willRead(_ range: Range<Int64>) { readAhead.fetch(range, of: descriptor) }

  /// See `pread(2)`.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(CleaveError) {
    let found = try CleaveError.whileReading(descriptor.read(into: buffer, at: offset))
    if found < buffer.count { throw truncated(at: offset + Int64(found)) }
  }

  /// Some of its bytes.
  ///
  /// - Parameters:
  ///   - count: no more than it has.
  ///   - place: where they begin.
  func bytes(_ count: Int64, at place: Int64 = 0) throws(CleaveError) -> [UInt8] {
    try [UInt8](capacity: Int(count)) { buffer throws(CleaveError) in
      try read(into: buffer, at: place)
      return Int(count)
    }
  }

  /// Nobody reads the file any more.
  func didRead() { readAhead.end(of: descriptor) }

  /// The error for a source that ended before its time: at `offset`, or at a place only it knows.
  package func truncated(at offset: Int64? = nil) -> CleaveError {
    let end = offset ?? (try? descriptor.status())?.size ?? 0
    return source.truncated(at: end)
  }
}

extension InputFile {
  /// Why a mapping has no bytes to give: the file has been changed, or cannot be read; nil where
  /// neither is so.
  package func fault(at offset: Int64, count: Int) -> CleaveError? {
    do throws(CleaveError) {
      try requireUnchanged()
      // A read says what a mapping cannot: where, and why.
      try read(from: offset, count: count)
      return nil
    } catch {
      return error
    }
  }

  private func read(from start: Int64, count: Int) throws(CleaveError) {
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Mapping.pageSize,
      alignment: Mapping.pageSize
    )
    defer { page.deallocate() }
    for position in stride(from: start, to: start + Int64(count), by: page.count) {
      do { _ = try descriptor.read(into: page, at: position) } catch { throw .reading(error) }
    }
  }
}
