import Dispatch
import Posix

/// The destinations of a job one after the other, for engines that write in order.
///
/// Used by the thread that drives the engine; what handlers need of it is in ``OutputRun``.
final class SequentialOutput {
  private let transfer: Transfer
  private let marks: WaterMarks
  private let queue: DispatchQueue
  private var current: (index: Int, sink: Sink)?

  /// Where the bytes of the current destination go.
  enum Sink: Sendable {
    case channel(Channel, OutputFile)
    case stream(StreamOutput)
  }

  init(_ transfer: Transfer, _ marks: WaterMarks, queue: DispatchQueue) {
    self.transfer = transfer
    self.marks = marks
    self.queue = queue
  }

  /// The index of the destination that is open.
  var index: Int? { current?.index }

  /// Whether what is open is a stream.
  var isStream: Bool { if case .stream = current?.sink { true } else { false } }

  /// Opens a destination.
  func open(_ index: Int) throws(CleaveError) {
    switch try transfer.outputs.open(index) {
    case .stream(let stream): current = (index, .stream(stream))
    case .file(let file):
      // When a write fails, a stream has the next one begin at the same place. That does no harm where
      // everything is thrown away then; of a slice, bytes behind that place may have been done before.
      let type: DispatchIO.StreamType = transfer.plan.isSlice ? .random : .stream
      let channel = try Channel.writing(to: file, type: type, marks: marks, queue: queue)
      transfer.track(channel)
      current = (index, .channel(channel, file))
    }
  }

  /// A run of bytes in the open destination, from `offset`.
  func run(at offset: Int64, extent: (index: Int, length: Int64)? = nil) -> OutputRun? {
    current.map { OutputRun(transfer, $0.sink, at: offset, extent: extent, queue: queue) }
  }

  /// Closes the destination, of which `size` bytes have been written. Nothing may be in flight.
  func finish(size: Int64) {
    guard let current else { return }
    self.current = nil
    if case .channel(let channel, _) = current.sink {
      channel.close()
      transfer.untrack(channel)
    }
    if transfer.hasFailed { return }
    transfer.failing { () throws(CleaveError) in
      try transfer.finish(current.index, size: size)
    }
  }
}

/// Bytes that follow each other in one destination: writes them, and sums them on the way.
///
/// Its methods are called in the order of the bytes; those that write, on one serial queue.
final class OutputRun: Sendable {
  private let transfer: Transfer
  private let sink: SequentialOutput.Sink
  private let start: Int64
  private let extent: (index: Int, length: Int64)?
  private let queue: DispatchQueue
  private let sum: RunningChecksum

  fileprivate init(
    _ transfer: Transfer,
    _ sink: SequentialOutput.Sink,
    at start: Int64,
    extent: (index: Int, length: Int64)?,
    queue: DispatchQueue
  ) {
    self.transfer = transfer
    self.sink = sink
    self.start = start
    self.extent = extent
    self.queue = queue
    sum = RunningChecksum(transfer.kinds)
  }

  /// The checksum of what has been written so far.
  var checksum: Checksum { sum.current }

  /// Sums a chunk and writes it behind the one before. Holds `piece` until that is done.
  func write(_ chunk: Chunk, for piece: InFlightSlot) {
    dispatchPrecondition(condition: .onQueue(queue))
    let place = start + sum.current.count
    chunk.forEachRegion { _ = add($0) }
    write(chunk, at: place, for: piece)
  }

  /// Takes the next bytes into the sums. One thread at a time calls this.
  ///
  /// - Returns: where in the destination they begin.
  func add(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    let checksum = sum.update { sum, kinds in
      sum.update(bytes, kinds)
      transfer.passing?.update(bytes)
    }
    if let extent, checksum.count == extent.length {
      transfer.record(checksum, extent: extent.index)
    }
    return start + checksum.count - Int64(bytes.count)
  }

  /// Writes bytes that are summed, as slowly as the reader of the stream reads.
  func write(_ bytes: UnsafeRawBufferPointer, toStreamAt offset: Int64) {
    dispatchPrecondition(condition: .onQueue(queue))
    if case .stream(let stream) = sink { write(bytes, to: stream, at: offset) }
  }

  /// Writes a chunk whose bytes are summed elsewhere, at an offset of the destination.
  ///
  /// - Parameter explain: knows errors that are not the output's fault.
  func write(
    _ chunk: Chunk,
    at offset: Int64,
    for piece: InFlightSlot,
    explain: @escaping @Sendable (Errno) -> CleaveError? = { _ in nil }
  ) {
    switch sink {
    case .channel(let channel, let file):
      piece.retain()
      channel.write(chunk, at: offset, on: queue) { [transfer] written, errno in
        transfer.didWrite(written, to: file)
        if let errno {
          let end = offset + Int64(written)
          let error = SystemError("write", file.path, at: end, errno)
          transfer.fail(explain(errno) ?? .writing(error))
        }
        piece.release()
      }
    case .stream(let stream):
      var position = offset
      chunk.forEachRegion { region in
        write(region, to: stream, at: position)
        position += Int64(region.count)
      }
    }
  }

  private func write(
    _ region: UnsafeRawBufferPointer,
    to stream: StreamOutput,
    at offset: Int64
  ) {
    if transfer.hasFailed { return }
    do {
      try stream.write(region, at: offset) { transfer.hasFailed }
      transfer.didWrite(region.count)
    } catch {
      transfer.fail(.writing(error))
    }
  }
}
