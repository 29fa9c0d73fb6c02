import Dispatch
package import Posix

/// Standard input, read as its bytes come; see `poll(2)` and `read(2)`.
///
/// Not through DispatchIO, which would set `O_NONBLOCK` on a description that others share.
package final class StreamInput {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Bytes read so far.
  private var position: Int64 = 0
  /// The file that it is, as it was before the first byte was read; nil of any other stream.
  private let file: SourceFile?

  package init(_ descriptor: consuming FileDescriptor) {
    descriptor.widenPipe()
    // Of files that the kernel makes up as they are read, the size is told as 0.
    file = (try? descriptor.status()).flatMap { status in
      status.kind == .regular && status.size > 0
        ? SourceFile(path: descriptor.path, status: status) : nil
    }
    self.descriptor = descriptor
  }

  deinit { buffer.deallocate() }

  /// Whether the stream has ended; waits for a byte to know.
  package func isAtEnd(_ stops: Stops) throws(CleaveError) -> Bool {
    if pending.isEmpty { pending = try read(64 << 10, stops) }
    return pending.isEmpty
  }

  /// The next bytes, at most `count`; nil at the end.
  ///
  /// - Throws: `.changedInput` at the end of a file that was changed since it was opened, `.badData` where it was cut short.
  package func next(_ count: Int, _ stops: Stops) throws(CleaveError) -> Chunk? {
    let bytes = try nextBytes(count, stops)
    return bytes.isEmpty ? nil : Chunk(copying: bytes)
  }

  /// The same to be looked at; none at the end.
  package func nextBytes(_ count: Int, _ stops: Stops) throws(CleaveError) -> [UInt8] {
    if pending.isEmpty { return try read(count, stops) }
    let bytes = Array(pending.prefix(count))
    pending.removeFirst(bytes.count)
    return bytes
  }

  /// What ends the waiting besides bytes.
  package struct Stops {
    /// Whether the job has failed or was cancelled; asked ten times a second.
    package var isCancelled: () -> Bool
    /// An output whose reader may go away.
    package var output: StreamOutput?
  }

  private func read(_ count: Int, _ stops: Stops) throws(CleaveError) -> [UInt8] {
    do {
      if buffer.count < count {
        buffer.deallocate()
        buffer = .allocate(byteCount: count, alignment: Mapping.pageSize)
      }
      let found = try readWhenReady(count, stops)
      position += Int64(found)
      if found > 0 { return Array(buffer[..<found]) }
    } catch {
      if error.errno == .pipe { throw .writing(error) }
      throw .reading(SystemError(error.call, error.path, at: position, error.errno))
    }
    try requireUnchanged()
    return []
  }

  private func requireUnchanged() throws(CleaveError) {
    guard let file else { return }
    let now = try CleaveError.whileReading(descriptor.status())
    guard try file.identity(of: now) == file.identity else { throw .changed(file.path) }
  }

  private func readWhenReady(_ count: Int, _ stops: Stops) throws(SystemError) -> Int {
    while true {
      try wait(stops)
      do throws(SystemError) {
        return try descriptor.read(into: .init(rebasing: buffer[..<count]))
      } catch  where error.errno == .again {
        // Somebody else who has the pipe was faster.
      }
    }
  }

  private func wait(_ stops: Stops) throws(SystemError) {
    while true {
      if stops.isCancelled() { throw SystemError("read", descriptor.path, .canceled) }
      let outcome = try Readiness.wait(
        for: .reading,
        descriptor.rawValue,
        path: descriptor.path,
        watching: stops.output?.rawValue,
        milliseconds: 100
      )
      switch outcome {
      case .ready: return
      case .timedOut: continue
      case .watchedClosed:
        throw SystemError("write", stops.output?.path ?? descriptor.path, .pipe)
      }
    }
  }
}
