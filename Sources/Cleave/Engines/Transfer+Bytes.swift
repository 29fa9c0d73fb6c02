import Posix

/// What an engine of one's own needs: bytes of extents, wherever they are, and their places.
///
/// The engines here have ways of their own to the same files.
extension Transfer {
  /// Fills a buffer with bytes of an extent.
  ///
  /// The source is opened for it; keep it open over many calls by ``holding(_:_:)``.
  ///
  /// - Parameters:
  ///   - buffer: filled to its end.
  ///   - extent: by its index in the plan.
  ///   - offset: bytes from the start of the extent.
  /// - Throws: where the source cannot be read, ends too early, or is not as it was planned with.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer,
    of extent: Int,
    at offset: Int64
  ) throws(CleaveError) {
    if let bytes = try plan.extents[extent].source.bytes() {
      buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + buffer.count])
      return
    }
    guard case .file(let source, let start) = plan.extents[extent].source else { return }
    try holding(extent) { () throws(CleaveError) in
      let file = try inputs.acquire(source)
      do throws(CleaveError) {
        // bounded: within the source, as every plan is
        try file.read(into: buffer, at: start + offset)
      } catch {
        try? inputs.release(source)
        throw error
      }
      try inputs.release(source)
    }
  }

  /// Keeps the source of an extent open meanwhile.
  public func holding<R>(
    _ extent: Int,
    _ body: () throws(CleaveError) -> R
  ) throws(CleaveError) -> R {
    guard case .file(let source, _) = plan.extents[extent].source else { return try body() }
    _ = try inputs.acquire(source)
    let result: R
    do throws(CleaveError) {
      result = try body()
    } catch {
      try? inputs.release(source)
      throw error
    }
    // Learns whether it was changed meanwhile.
    try inputs.release(source)
    return result
  }

  /// Writes bytes of an extent to their place, and counts them.
  ///
  /// To a stream, bytes go in the order of the calls, which has to be that of the plan; see
  /// ``EngineCapabilities/streamOutput``.
  ///
  /// - Parameters:
  ///   - bytes: all of them are written.
  ///   - extent: by its index in the plan.
  ///   - offset: bytes from the start of the extent.
  public func write(
    _ bytes: UnsafeRawBufferPointer,
    of extent: Int,
    at offset: Int64
  ) throws(CleaveError) {
    // bounded: within the destination, as every plan is
    let place = plan.extents[extent].offset + offset
    let output = try outputs.open(plan.extents[extent].destination)
    do throws(SystemError) {
      switch output {
      case .file(let file):
        try file.write(bytes, at: place)
        didWrite(bytes.count, to: file, at: place)
      case .stream(let stream):
        try stream.write(bytes, at: place) { hasFailed }
        didWrite(bytes.count)
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Takes the bytes of an extent, in their order, into its checksum; of the kinds that are wanted.
  public func sum(_ bytes: UnsafeRawBufferPointer, into checksum: inout Checksum) {
    if !kinds.isEmpty { checksum.update(bytes, kinds) }
  }

  /// All that the plan has for a destination has been written.
  public func finish(_ destination: Int) throws(CleaveError) {
    try finish(destination, size: plan.destinations[destination].size)
  }
}
