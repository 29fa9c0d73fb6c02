import Dispatch
import Posix

/// A read queue and a write queue for each part; parts run side by side and write at offsets.
///
/// On Linux Dispatch does one I/O call at a time per disk, so the queues run checksums and reads
/// beside the writes rather than several writes at once.
package struct MultiqueueEngine: Engine {
  package init() {}

  package let capabilities: EngineCapabilities = .remoteSources

  // 1 GiB in 4 parts, warm, ext4, two processors, CRC-32, median time / cat: 0.71; 1.08 with 252 KiB,
  // 0.96 with 764 KiB in 3 MiB, 2.8 with 1020 KiB in 4 MiB.
  package let defaults = WaterMarks(
    low: WaterMarks.half,
    high: WaterMarks.half,
    window: 4 * WaterMarks.half
  )

  package func run(_ transfer: Transfer) {
    let marks = transfer.settings.resolved(defaults)
    let outputs = ScatteredOutputs(transfer, marks)
    let pool = BufferPool(
      count: marks.pieces,
      bufferSize: marks.high,
      idle: transfer.buffers
    )
    // Half of the table for all lanes together: each has a source and a destination, and may still
    // be closing those of the lane before. More lanes than pieces would only wait for each other,
    // each of them on a thread.
    let most = max(1, min(ProcessState.openFileLimit / 2 / 4, marks.pieces, 8))
    let openFiles = DispatchSemaphore(value: most)
    let lanes = DispatchGroup()
    for lane in Lane.lanes(of: transfer.plan) {
      openFiles.wait()
      guard
        !transfer.hasFailed,
        let run = transfer.failing({ () throws(CleaveError) in
          try LaneRun(lane, transfer, outputs, pool)
        })
      else {
        openFiles.signal()
        break
      }
      lanes.enter()
      run.start {
        openFiles.signal()
        lanes.leave()
      }
    }
    lanes.wait()
    pool.drain()
    outputs.close()
  }
}

/// Extents that follow each other in one source and one destination: what one pair of queues does.
struct Lane: Hashable {
  let extents: Range<Int>
  let source: Int?
  let destination: Int

  /// The lanes of a plan. Inline bytes join the lane ahead of them.
  static func lanes(of plan: TransferPlan) -> [Lane] {
    var lanes: [Lane] = []
    for (index, extent) in plan.extents.enumerated() {
      var source: Int?
      if case .file(let file, _) = extent.source { source = file }
      if let last = lanes.last, last.destination == extent.destination,
        source == nil || last.source == nil || source == last.source
      {
        lanes[lanes.count - 1] = Lane(
          extents: last.extents.lowerBound..<(index + 1),
          source: last.source ?? source,
          destination: last.destination
        )
      } else {
        lanes.append(
          Lane(extents: index..<(index + 1), source: source, destination: extent.destination)
        )
      }
    }
    return lanes
  }
}

/// One lane at work: a loop on the read queue, handlers on the write queue.
private final class LaneRun: Sendable {
  private let lane: Lane
  private let transfer: Transfer
  private let outputs: ScatteredOutputs
  private let pool: BufferPool
  private let file: InputFile?
  private let output: ScatteredOutputs.Open
  private let readQueue: DispatchQueue
  private let writeQueue: DispatchQueue
  private let writes = DispatchGroup()

  /// Opens what the lane needs.
  init(
    _ lane: Lane,
    _ transfer: Transfer,
    _ outputs: ScatteredOutputs,
    _ pool: BufferPool
  ) throws(CleaveError) {
    self.lane = lane
    self.transfer = transfer
    self.outputs = outputs
    self.pool = pool
    output = try outputs.open(lane.destination)
    if let source = lane.source {
      file = try transfer.inputs.acquire(source)
    } else {
      file = nil
    }
    readQueue = transfer.queue("multiqueue.read")
    writeQueue = transfer.queue("multiqueue.write")
  }

  /// Moves the lane's bytes, then calls `completion` on the write queue, whatever happened.
  func start(_ completion: @escaping @Sendable () -> Void) {
    readQueue.async { [self] in
      for index in lane.extents where !transfer.hasFailed {
        transfer.failing { () throws(CleaveError) in try move(index) }
      }
      writes.notify(queue: writeQueue) { [self] in
        releaseSource()
        outputs.laneEnded(lane.destination, then: completion)
      }
    }
  }

  private func releaseSource() {
    guard let source = lane.source else { return }
    transfer.failing { () throws(CleaveError) in try transfer.inputs.release(source) }
  }

  private func move(_ index: Int) throws(CleaveError) {
    let extent = transfer.plan.extents[index]
    let bytes = try extent.source.bytes()
    var sum = Checksum.empty
    while sum.count < extent.length, !transfer.hasFailed {
      let buffer = pool.take()
      let count = Int(min(Int64(buffer.count), extent.length - sum.count))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let place = extent.offset + sum.count
      do {
        if let bytes {
          piece.copyBytes(from: bytes[Int(sum.count)..<(Int(sum.count) + count)])
        } else {
          try fill(piece, from: extent, at: sum.count)
        }
      } catch {
        pool.give(buffer.address)
        throw error
      }
      sum.update(UnsafeRawBufferPointer(piece), transfer.kinds)
      write(piece, at: place)
    }
    if sum.count == extent.length { transfer.record(sum, extent: index) }
  }

  private func fill(
    _ piece: UnsafeMutableRawBufferPointer,
    from extent: Extent,
    at position: Int64
  ) throws(CleaveError) {
    guard let file, case .file(_, let offset) = extent.source else { return }
    file.willRead(to: offset + position)
    try file.read(into: piece, at: offset + position)
  }

  private func write(_ piece: UnsafeMutableRawBufferPointer, at place: Int64) {
    let (address, pool) = (piece.address, pool)
    let chunk = Chunk(borrowing: UnsafeRawBufferPointer(piece), releaseOn: writeQueue) {
      pool.give(address)
    }
    writes.enter()
    output.channel.write(chunk, at: place, on: writeQueue) { [self] written, errno in
      if let errno {
        let end = place + Int64(written)
        transfer.fail(.writing(SystemError("write", output.file.path, at: end, errno)))
      }
      outputs.wrote(written, lane.destination)
      writes.leave()
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as a number, which may cross queues.
  fileprivate var address: UInt { UInt(bitPattern: baseAddress) }
}

/// The destinations that are being written to at offsets, each through one channel.
///
/// A destination is closed and finished as soon as its last byte has been written, so that ten
/// thousand of them need few descriptors.
private final class ScatteredOutputs: Sendable {
  struct Open: Sendable {
    let channel: Channel
    let file: OutputFile
  }

  private let transfer: Transfer
  private let marks: WaterMarks
  private let queue: DispatchQueue
  private let open: Locked<[Int: (output: Open, missing: Int64)]> = Locked([:])

  init(_ transfer: Transfer, _ marks: WaterMarks) {
    self.transfer = transfer
    self.marks = marks
    queue = transfer.queue("multiqueue.finish")
  }

  /// The channel of a destination. Called by one thread only.
  func open(_ index: Int) throws(CleaveError) -> Open {
    if let open = open.withLock({ $0[index]?.output }) { return open }
    let file = try transfer.file(index)
    let channel = try Channel.writing(to: file, type: .random, marks: marks, queue: queue)
    let output = Open(channel: channel, file: file)
    transfer.track(output.channel)
    open.withLock { $0[index] = (output, transfer.plan.range(of: index).count64) }
    return output
  }

  /// Counts bytes that have been written.
  func wrote(_ count: Int, _ index: Int) {
    let file = open.withLock { open in
      open[index]?.missing -= Int64(count)
      return open[index]?.output.file
    }
    if let file { transfer.didWrite(count, to: file) }
  }

  /// Finishes a destination that has all its bytes, then calls `completion`, in any case: a lane
  /// holds its place until its files are closed.
  func laneEnded(_ index: Int, then completion: @escaping @Sendable () -> Void) {
    let complete = open.withLock { open -> Open? in
      guard let entry = open[index], entry.missing == 0 else { return nil }
      open[index] = nil
      return entry.output
    }
    guard let complete else { return completion() }
    transfer.untrack(complete.channel)
    complete.channel.close(on: queue) { [self] in
      if !transfer.hasFailed {
        transfer.failing { () throws(CleaveError) in
          try transfer.finish(index, size: transfer.plan.range(of: index).upperBound)
        }
      }
      completion()
    }
  }

  /// Closes destinations that never got all their bytes.
  func close() {
    let left = open.withLock { open in
      defer { open = [:] }
      return open.values.map(\.output.channel)
    }
    for channel in left {
      transfer.untrack(channel)
      channel.close()
    }
  }
}
