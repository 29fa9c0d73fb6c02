#if CLEAVE_ISAL
  import CISAL
#else
  import CZlib
#endif

/// Raw deflate data on its way back, through ISA-L or zlib; see RFC 1951.
final class Inflater {
  private let buffer: UnsafeMutableRawBufferPointer

  /// Large enough that the library's own window is seldom copied, small enough to stay in the cache.
  private static let bufferSize = 128 << 10

  /// What came of some data.
  enum Outcome {
    /// All of it was taken; more is needed.
    case needsMore
    /// The end was found, behind so many bytes of the data.
    case ended(Int)
    /// It is not deflate data.
    case damaged
  }

  #if CLEAVE_ISAL
    private let state: OpaquePointer

    /// - Throws: `.exhausted` where there is no memory.
    init() throws(CleaveError) {
      guard let state = cisal_inflater_new() else { throw Self.noMemory }
      self.state = state
      buffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
    }

    deinit {
      cisal_inflater_free(state)
      buffer.deallocate()
    }

    /// Begins with other data.
    func reset() { cisal_inflater_reset(state) }

    /// Takes data in, and hands out what it becomes a piece at a time.
    func inflate(
      _ data: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Outcome {
      cisal_inflater_give(state, data.bindMemory(to: UInt8.self).baseAddress, data.count)
      let output = buffer.bindMemory(to: UInt8.self)
      while true {
        var made = output.count
        let result = cisal_inflate(state, output.baseAddress, &made)
        body(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
        switch result {
        case CISAL_HAS_OUTPUT: continue
        case CISAL_NEEDS_INPUT: return .needsMore
        case CISAL_ENDED: return .ended(data.count - cisal_inflater_left(state))
        default: return .damaged
        }
      }
    }
  #else
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Throws: `.exhausted` where there is no memory.
    init() throws(CleaveError) {
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      buffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
      // Negative: deflate data without a header of its own.
      let size = CInt(MemoryLayout<z_stream>.size)
      guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else {
        throw Self.noMemory
      }
    }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
      buffer.deallocate()
    }

    /// Begins with other data.
    func reset() { inflateReset(stream) }

    /// Takes data in, and hands out what it becomes a piece at a time.
    func inflate(
      _ data: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Outcome {
      let start = data.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
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
        default: return .damaged
        }
      }
    }
  #endif

  private static var noMemory: CleaveError {
    CleaveError(.exhausted, "there is no memory to unpack entries with")
  }
}
