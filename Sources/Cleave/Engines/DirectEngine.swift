import Dispatch
import Posix

/// A few workers that each read a piece, sum it while it is in the processor's cache, and write it to
/// its place: no channel, no queue between the two, and buffers that never change hands.
///
/// DispatchIO does one system call at a time per disk; workers of one's own do as many as there are
/// of them, and for that GCD's threads are enough.
package struct DirectEngine: Engine {
  package init() {}

  package let capabilities: EngineCapabilities = [.sharedBlocks, .remoteSources]

  // 1 GiB in 4 parts, warm, ext4, two processors, CRC-32, median time / cat: 0.60; 0.67 with 64 KiB,
  // 1.06 with 508 KiB. A buffer stays in the second-level cache while it is summed and written.
  package let defaults = WaterMarks(
    low: WaterMarks.quarter,
    high: WaterMarks.quarter,
    window: 4 * WaterMarks.quarter
  )

  /// More of them wait for the same disk.
  private static let mostWorkers = 4
  /// Workers that wait for the network, each for its own connection.
  private static let connections = 16

  package func run(_ transfer: Transfer) {
    let marks = transfer.settings.resolved(defaults)
    let isRemote = transfer.plan.sources.paths.contains(where: \.isRemote)
    let workers =
      isRemote
      ? Self.connections : max(1, min(ProcessState.processorCount, marks.pieces, Self.mostWorkers))
    let runs = Runs(transfer, isRemote: isRemote)
    let outputs = DirectOutputs(transfer)
    let queue = DispatchQueue(
      label: "cleave.direct",
      qos: transfer.settings.qualityOfService,
      attributes: .concurrent
    )
    let group = DispatchGroup()
    for _ in 0..<workers {
      // A queue that is concurrent gets no more threads than there are processors at once.
      let queue = isRemote ? DispatchQueue(label: queue.label) : queue
      queue.async(group: group) {
        let worker = DirectWorker(transfer, runs, outputs, bufferSize: marks.high)
        while !transfer.hasFailed, let run = runs.next() {
          transfer.failing { () throws(CleaveError) in try worker.move(run) }
        }
        transfer.failing { () throws(CleaveError) in try worker.closeSource() }
      }
    }
    group.wait()
  }
}

/// Bytes that follow each other in one destination: what a worker does at a time.
private struct Run {
  let destination: Int
  /// Bytes from the start of the destination.
  let offset: Int64
  var segments: [Segment] = []

  /// Bytes of one extent.
  struct Segment {
    let extent: Int
    /// Bytes from the start of the extent.
    let start: Int64
    let length: Int64
  }
}

/// The plan in runs, given out in order, and the checksums of their segments.
private final class Runs: Sendable {
  private struct State {
    var extent = 0
    var start: Int64 = 0
    /// Of extents that are begun: the checksum from the start on, and those of segments behind it.
    var sums: [Int: (front: Checksum, behind: [Int64: Checksum])] = [:]
  }
  private let transfer: Transfer
  private let state = Locked(State())

  /// Bytes. Large enough to open files for, small enough to share one large extent fairly; buffers of
  /// the default size fill it, and it is a number of blocks, so that they can be shared.
  private let size: Int64
  private static let mostSegments = 256

  init(_ transfer: Transfer, isRemote: Bool) {
    self.transfer = transfer
    // Each is a question to a server, which keeps bytes in pieces of 4 to 64 MiB.
    size = isRemote ? 32 << 20 : 32 * Int64(WaterMarks.quarter)
  }

  func next() -> Run? {
    let extents = transfer.plan.extents
    return state.withLock { state in
      guard state.extent < extents.count else { return nil }
      let first = extents[state.extent]
      let offset = first.offset + state.start
      var run = Run(destination: first.destination, offset: offset)
      let end = (offset / size + 1) * size
      while state.extent < extents.count, run.segments.count < Self.mostSegments {
        let extent = extents[state.extent]
        let place = extent.offset + state.start
        guard extent.destination == run.destination, place < end else { break }
        // What the plan makes itself is made at once.
        let isFile = if case .file = extent.source { true } else { false }
        let length = isFile ? min(extent.end, end) - place : extent.length
        run.segments.append(.init(extent: state.extent, start: state.start, length: length))
        state.start += length
        if state.start == extent.length { (state.extent, state.start) = (state.extent + 1, 0) }
      }
      return run
    }
  }

  /// Enters a checksum, and reports that of the extent when it is complete.
  func complete(_ segment: Run.Segment, _ sum: Checksum) {
    let length = transfer.plan.extents[segment.extent].length
    let whole = state.withLock { state -> Checksum? in
      var sums = state.sums.removeValue(forKey: segment.extent) ?? (.empty, [:])
      sums.behind[segment.start] = sum
      while let next = sums.behind.removeValue(forKey: sums.front.count) {
        sums.front.append(next)
        if sums.front.count == length { return sums.front }
      }
      state.sums[segment.extent] = sums
      return nil
    }
    if let whole { transfer.record(whole, extent: segment.extent) }
  }
}

/// One worker with its buffer, which it fills from one extent after the other, and writes when it is
/// full: small parts cost no write each.
private final class DirectWorker {
  private let transfer: Transfer
  private let runs: Runs
  private let outputs: DirectOutputs
  private let buffer: UnsafeMutableRawBufferPointer
  /// The source that was read last: most runs begin in the one that the run before ended in, and a
  /// source that nobody has open forgets what was read ahead of it.
  private var source: (index: Int, file: InputFile)?
  /// Bytes in the buffer.
  private var filled = 0
  /// Where in the destination they are to be.
  private var place: Int64 = 0

  init(
    _ transfer: Transfer,
    _ runs: Runs,
    _ outputs: DirectOutputs,
    bufferSize: Int
  ) {
    self.transfer = transfer
    self.runs = runs
    self.outputs = outputs
    buffer = transfer.buffers.take(bufferSize)
  }

  deinit { transfer.buffers.give(UInt(bitPattern: buffer.baseAddress)) }

  /// Brings the bytes of a run to their place.
  func move(_ run: Run) throws(CleaveError) {
    let output = try outputs.open(run.destination)
    (filled, place) = (0, run.offset)
    for segment in run.segments where !transfer.hasFailed {
      let extent = transfer.plan.extents[segment.extent]
      let sum =
        if case .file(let index, let offset) = extent.source {
          try copy(index, from: offset + segment.start, segment.length, to: run.destination, output)
        } else {
          try put(try extent.source.bytes() ?? [], to: output)
        }
      runs.complete(segment, sum)
    }
    if transfer.hasFailed { return }
    try flush(to: output)
    try outputs.didWrite(place - run.offset, run.destination)
  }

  private func copy(
    _ index: Int,
    from start: Int64,
    _ length: Int64,
    to destination: Int,
    _ output: OutputFile
  ) throws(CleaveError) -> Checksum {
    let file = try open(index)
    let size = transfer.plan.destinations[destination].size
    let range = start..<(start + length)
    var sum = Checksum.empty
    let shared = try transfer.sharing.share(
      range,
      of: file,
      with: output,
      at: place + Int64(filled),
      of: size
    )
    try outputs.reserve(destination, unless: !shared.isEmpty)
    try read(range.lowerBound..<shared.lowerBound, of: file, to: output, adding: &sum)
    if !shared.isEmpty {
      try flush(to: output)
      if transfer.kinds.isEmpty {
        sum.append(Checksum(unsummed: shared.count64))
      } else {
        try read(shared, of: file, to: nil, adding: &sum)
      }
      transfer.didShare(shared.count64, with: output, at: place)
      place += shared.count64
    }
    try read(shared.upperBound..<range.upperBound, of: file, to: output, adding: &sum)
    return sum
  }

  private func open(_ index: Int) throws(CleaveError) -> InputFile {
    if let source, source.index == index { return source.file }
    try closeSource()
    let file = try transfer.inputs.acquire(index)
    source = (index, file)
    return file
  }

  /// Gives back the source that was read last.
  func closeSource() throws(CleaveError) {
    guard let index = source?.index else { return }
    source = nil
    try transfer.inputs.release(index)
  }

  /// Reads and sums a range. Without an output that is all: the bytes are there already.
  private func read(
    _ range: Range<Int64>,
    of file: InputFile,
    to output: OutputFile?,
    adding sum: inout Checksum
  ) throws(CleaveError) {
    if range.isEmpty { return }
    file.willRead(range)
    // The thread that takes the next run finds it on its way.
    file.willRead(to: range.upperBound)
    var position = range.lowerBound
    while position < range.upperBound, !transfer.hasFailed {
      let room = room(for: range.upperBound - position)
      try file.read(into: room, at: position)
      position += Int64(room.count)
      sum.update(UnsafeRawBufferPointer(room), transfer.kinds)
      if let output { try keep(room, to: output) }
    }
  }

  private func put(_ bytes: [UInt8], to output: OutputFile) throws(CleaveError) -> Checksum {
    var sum = Checksum.empty
    var rest = bytes[...]
    while !rest.isEmpty {
      let room = room(for: Int64(rest.count))
      room.copyBytes(from: rest.prefix(room.count))
      rest = rest.dropFirst(room.count)
      sum.update(UnsafeRawBufferPointer(room), transfer.kinds)
      try keep(room, to: output)
    }
    return sum
  }

  // MARK: The buffer

  /// Where the next bytes go, of which there are `count`.
  private func room(for count: Int64) -> UnsafeMutableRawBufferPointer {
    let end = filled + Int(min(count, Int64(buffer.count - filled)))
    return UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end])
  }

  /// The room has been filled with bytes that are to be written.
  private func keep(
    _ room: UnsafeMutableRawBufferPointer,
    to output: OutputFile
  ) throws(CleaveError) {
    filled += room.count
    if filled == buffer.count { try flush(to: output) }
  }

  private func flush(to output: OutputFile) throws(CleaveError) {
    if filled == 0 { return }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    do { try output.write(bytes, at: place) } catch { throw .writing(error) }
    transfer.didWrite(filled, to: output, at: place)
    place += Int64(filled)
    filled = 0
  }
}

/// The destinations that are being written, each finished as soon as its last byte is there.
private final class DirectOutputs: Sendable {
  private let transfer: Transfer
  private let missing: Locked<[Int: Int64]> = Locked([:])
  /// Destinations of which it is known whether they were to be reserved.
  private let decided: Locked<Set<Int>> = Locked([])

  init(_ transfer: Transfer) { self.transfer = transfer }

  func open(_ index: Int) throws(CleaveError) -> OutputFile {
    try transfer.file(index, reserving: false)
  }

  /// Reserves the room of a destination, unless its first bytes share their blocks: Btrfs would keep
  /// all that was reserved for as long as a byte of it is used. Nor where there may not be enough.
  func reserve(_ index: Int, unless isShared: Bool) throws(CleaveError) {
    let isFirst = decided.withLock { $0.insert(index).inserted }
    guard isFirst, !isShared, !transfer.sharing.savesRoom else { return }
    _ = try transfer.outputs.open(index)
  }

  func didWrite(_ count: Int64, _ index: Int) throws(CleaveError) {
    let range = transfer.plan.range(of: index)
    let isComplete = missing.withLock { missing in
      let left = (missing[index] ?? range.count64) - count
      missing[index] = left == 0 ? nil : left
      return left == 0
    }
    if isComplete { try transfer.finish(index, size: range.upperBound) }
  }
}
