import CZlib

/// Raw deflate data on its way back, through zlib; see `zlib.h`.
final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer

  /// Large enough that zlib's own window is seldom copied, small enough to stay in the cache.
  private static let bufferSize = 128 << 10

  /// - Throws: `.exhausted` where there is no memory.
  init() throws(CleaveError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
    // Negative: deflate data without a header of its own.
    let result = inflateInit2_(
      stream,
      -MAX_WBITS,
      ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size)
    )
    guard result == Z_OK else {
      throw CleaveError(.exhausted, "zlib has no memory to inflate with")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Begins with other data.
  func reset() { inflateReset(stream) }

  /// What came of some data.
  enum Outcome {
    /// All of it was taken; more is needed.
    case needsMore
    /// The end was found, behind so many bytes of the data.
    case ended(Int)
    /// It is not deflate data; zlib's word for it.
    case damaged(String)
  }

  /// Takes data in, and hands out what it becomes a piece at a time.
  func inflate(
    _ data: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Outcome {
    let start = UnsafeMutablePointer(
      mutating: data.bindMemory(to: UInt8.self).baseAddress
    )
    stream.pointee.next_in = start
    stream.pointee.avail_in = uInt(data.count)
    let output = buffer.bindMemory(to: UInt8.self)
    while true {
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = uInt(output.count)
      let result = CZlib.inflate(stream, Z_NO_FLUSH)
      let made = output.count - Int(stream.pointee.avail_out)
      body(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
      switch result {
      case Z_STREAM_END: return .ended(data.count - Int(stream.pointee.avail_in))
      case Z_OK where stream.pointee.avail_out == 0: continue
      // Nothing to do is no error here: the data ended with the buffer.
      case Z_OK, Z_BUF_ERROR: return .needsMore
      default: return .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "not deflate data")
      }
    }
  }
}
