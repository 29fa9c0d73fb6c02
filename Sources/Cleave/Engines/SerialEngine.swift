import Dispatch
import Posix

/// One serial queue, DispatchIO streams on both sides, strict order.
///
/// The only engine that needs neither a size nor a place, and so the one for pipes.
package struct SerialEngine: Engine {
  package init() {}

  package let capabilities: EngineCapabilities = [.streamInput, .streamOutput]

  // 1 GiB in 4 parts, warm, ext4, two processors, CRC-32, lower quartile of time / cat: 1.51; 2.9 with
  // 256 KiB, 2.4 with 768 KiB, 4.2 with 1 MiB, 1.56 in a window of 1.5 MiB.
  package let defaults = WaterMarks(low: 512 << 10, high: 512 << 10, window: 2 << 20)

  package func run(_ transfer: Transfer) {
    let pump = SerialPump(transfer, transfer.settings.resolved(defaults))
    for index in transfer.plan.extents.indices where !transfer.hasFailed {
      transfer.failing { () throws(CleaveError) in try pump.move(extent: index) }
    }
    pump.finish()
  }
}

/// Moves runs of bytes one after the other, with a bounded number of pieces in flight.
///
/// The thread that calls the methods only asks for reads; handlers on the serial queue pass what
/// arrives on to the writer. A piece keeps its slot until its read has ended and all its bytes have
/// been written, so reading cannot run away from writing.
final class SerialPump {
  let transfer: Transfer
  let marks: WaterMarks
  private let queue: DispatchQueue
  private let slots: DispatchSemaphore
  private let output: SequentialOutput
  /// What is summed and not yet written to a stream. In a prototype, 1 GiB into a pipe took 0.30 of cat's time
  /// with three of 252 KiB, 0.36 with two, 0.32 with four, 0.35 with three of 124 KiB.
  private let streamed: BufferPool
  private var source: OpenSource?
  /// Bytes that one read asks for: malloc's header less than the high water mark. Dispatch allocates
  /// a page-aligned buffer for each, and with glibc only blocks that come to a round size with their
  /// header are found again. Measured over 641 MB: 14 to 22 MiB resident instead of 71.
  private let readSize: Int
  private var heap: HeapBound
  /// Bytes that the open destination has been given.
  private var position: Int64 = 0

  /// The source being read, and how far it has been asked for.
  private struct OpenSource {
    let index: Int
    let file: InputFile
    let channel: Channel
    var position: Int64
  }

  init(_ transfer: Transfer, _ marks: WaterMarks) {
    self.transfer = transfer
    self.marks = marks
    readSize = marks.high > Mapping.pageSize ? marks.high - 16 : marks.high
    queue = transfer.queue("serial")
    heap = HeapBound(window: marks.window)
    slots = DispatchSemaphore(value: marks.pieces)
    output = SequentialOutput(transfer, marks, queue: queue)
    let size = min(marks.high, WaterMarks.quarter)
    streamed = BufferPool(count: min(3, marks.pieces), bufferSize: size, idle: transfer.buffers)
  }

  /// Moves an extent of the plan; handlers may still be at it when this returns.
  func move(extent index: Int) throws(CleaveError) {
    let extent = transfer.plan.extents[index]
    if output.index != extent.destination {
      try open(destination: extent.destination, at: extent.offset)
    }
    guard let run = output.run(at: extent.offset, extent: (index, extent.length)) else { return }
    position = extent.end
    if let bytes = try extent.source.bytes() {
      // These need no read, and would overtake what is still being read.
      slots.drain(marks.pieces)
      pass(Chunk(copying: bytes), to: run)
    } else if case .file(let source, let offset) = extent.source {
      if output.isStream { return try copy(source, from: offset, extent.length, to: run) }
      try open(source: source, at: offset)
      read(extent.length, into: run)
    }
  }

  /// Waits for everything in flight and closes what is open.
  func finish() {
    finishDestination()
    closeSource()
  }

  // MARK: Destinations

  /// Finishes the destination that is open and opens another, to be written from `start` on.
  func open(destination index: Int, at start: Int64 = 0) throws(CleaveError) {
    finishDestination()
    try output.open(index)
    position = start
  }

  private func finishDestination() {
    guard output.index != nil else { return }
    slots.drain(marks.pieces)
    streamed.drain()
    output.finish(size: position)
  }

  // MARK: Sources

  private func open(source index: Int, at offset: Int64) throws(CleaveError) {
    if let source, source.index == index, source.position == offset { return }
    closeSource()
    let file = try transfer.inputs.acquire(index)
    do { try file.descriptor.seek(to: offset) } catch { throw .reading(error) }
    let channel = Channel(
      file.descriptor,
      ownedBy: file,
      type: .stream,
      marks: marks,
      queue: queue
    )
    transfer.track(channel)
    source = OpenSource(index: index, file: file, channel: channel, position: offset)
  }

  private func closeSource() {
    guard let source else { return }
    slots.drain(marks.pieces)
    source.channel.close()
    transfer.untrack(source.channel)
    self.source = nil
    transfer.failing { () throws(CleaveError) in try transfer.inputs.release(source.index) }
  }

  // MARK: Moving

  /// Moves bytes of a source to a stream: sums a piece while the ones before it are written.
  private func copy(
    _ index: Int,
    from start: Int64,
    _ length: Int64,
    to run: OutputRun
  ) throws(CleaveError) {
    // Their bytes come before these.
    slots.drain(marks.pieces)
    let file = try transfer.inputs.acquire(index)
    let end = start + length
    for position in stride(from: start, to: end, by: streamed.bufferSize)
    where !transfer.hasFailed {
      let buffer = streamed.take()
      let count = Int(min(Int64(buffer.count), end - position))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let address = UInt(bitPattern: piece.baseAddress)
      file.willRead(to: position)
      do throws(CleaveError) {
        try file.read(into: piece, at: position)
      } catch {
        streamed.give(address)
        throw error
      }
      let place = run.add(UnsafeRawBufferPointer(piece))
      queue.async { [streamed] in
        let start = UnsafeRawPointer(bitPattern: address)
        run.write(UnsafeRawBufferPointer(start: start, count: count), toStreamAt: place)
        streamed.give(address)
      }
    }
    try transfer.inputs.release(index)
  }

  private func read(_ length: Int64, into run: OutputRun) {
    var left = length
    while left > 0, !transfer.hasFailed, let source {
      slots.wait()
      let count = Int(min(Int64(readSize), left))
      heap.didAllocate(count)
      source.file.willRead(to: source.position)
      read(count, from: source, into: run)
      self.source?.position += Int64(count)
      left -= Int64(count)
    }
  }

  private func read(_ count: Int, from source: OpenSource, into run: OutputRun) {
    let piece = InFlightSlot(slots)
    let (start, file, transfer) = (source.position, source.file, transfer)
    source.channel.read(count: count, on: queue) { event in
      switch event {
      case .data(let chunk):
        piece.receive(chunk.count)
        run.write(chunk, for: piece)
      case .finished(let errno):
        let end = start + Int64(piece.receivedCount)
        if let errno {
          transfer.fail(.reading(SystemError("read", file.path, at: end, errno)))
        } else if piece.receivedCount < count {
          transfer.fail(file.truncated(at: end))
        }
        piece.release()
      }
    }
  }

  private func pass(_ chunk: Chunk, to run: OutputRun) {
    slots.wait()
    let piece = InFlightSlot(slots)
    queue.async {
      run.write(chunk, for: piece)
      piece.release()
    }
  }

  // MARK: Streams

  /// Moves bytes from a stream behind those that the open destination has, until the stream ends or
  /// `limit` bytes have been moved.
  ///
  /// - Returns: the checksum of the bytes moved; all of them have been written.
  func move(
    from input: StreamInput,
    limit: Int64,
    _ stops: StreamInput.Stops
  ) throws(CleaveError) -> Checksum {
    guard let run = output.run(at: position) else { return .empty }
    let end = limit > .max - position ? .max : position + limit
    while position < end, !transfer.hasFailed {
      let count = Int(min(Int64(marks.high), end - position))
      guard let chunk = try input.next(count, stops) else { break }
      position += Int64(chunk.count)
      pass(chunk, to: run)
    }
    slots.drain(marks.pieces)
    return run.checksum
  }

  /// A run of bytes behind those that the open destination has.
  func nextRun() -> OutputRun? { output.run(at: position) }

  /// Writes bytes behind those that a run has.
  func write(_ bytes: ArraySlice<UInt8>, to run: OutputRun) {
    if bytes.isEmpty || transfer.hasFailed { return }
    position += Int64(bytes.count)
    pass(Chunk(copying: bytes), to: run)
  }

  /// The checksum of a run, all of which has been written.
  func finish(_ run: OutputRun) -> Checksum {
    slots.drain(marks.pieces)
    return run.checksum
  }

  /// Moves a whole file, which the plan need not have, behind the bytes that the open destination has.
  ///
  /// - Returns: the checksum of the bytes moved; all of them have been written.
  func move(whole file: SourceFile) throws(CleaveError) -> Checksum {
    guard let run = output.run(at: position) else { return .empty }
    let index = transfer.inputs.add(file)
    if output.isStream {
      try copy(index, from: 0, file.status.size, to: run)
    } else {
      try open(source: index, at: 0)
      read(file.status.size, into: run)
    }
    position += file.status.size
    slots.drain(marks.pieces)
    return run.checksum
  }
}
