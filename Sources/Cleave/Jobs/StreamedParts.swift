internal import Posix

/// Cuts standard input where its records end.
///
/// Besides what is being written, no more is in memory than one record, of which it is not known yet
/// whether it fits into the part that is open.
struct StreamedParts {
  private let pump: SerialPump
  private var cutter: StreamCutter
  private let name: (Int) -> FilePath?
  /// Bytes of each block that a CRC-32 is wanted of.
  private let block: Int64?
  private var held: [UInt8] = []
  private var part: Part?
  private var blocks = 0

  /// The part that is open.
  private struct Part {
    /// Of the block that is open, or of all.
    var run: OutputRun
    /// Bytes that are missing in that block.
    var room: Int64
    /// Of the blocks before it.
    var sums: [Checksum] = []
  }

  init(
    _ pump: SerialPump,
    _ cutter: StreamCutter,
    _ name: @escaping (Int) -> FilePath?,
    block: Int64?
  ) {
    (self.pump, self.cutter, self.name, self.block) = (pump, cutter, name, block)
  }

  /// Makes all parts; an empty one of nothing.
  mutating func make(
    from input: StreamInput,
    _ stops: StreamInput.Stops,
    _ report: inout JobReport
  ) throws(CleaveError) {
    while !pump.transfer.hasFailed {
      let bytes = try input.nextBytes(pump.marks.high, stops)
      if bytes.isEmpty { break }
      var rest = bytes[...]
      while !rest.isEmpty, !pump.transfer.hasFailed { try step(&rest, &report) }
    }
    if pump.transfer.hasFailed { return }
    if !held.isEmpty || part == nil && report.destinations.isEmpty { try release(report) }
    try end(&report)
  }

  private mutating func step(
    _ rest: inout ArraySlice<UInt8>,
    _ report: inout JobReport
  ) throws(CleaveError) {
    let step = rest.withUnsafeBytes { cutter.step($0) }
    if step.releases { try release(report) }
    if step.written > 0 { try write(rest.prefix(step.written), report) }
    rest = rest.dropFirst(step.written)
    held += rest.prefix(step.held)
    rest = rest.dropFirst(step.held)
    guard step.ends else { return }
    try end(&report)
    // What did not fit begins the next one.
    if !held.isEmpty { try release(report) }
  }

  private mutating func release(_ report: JobReport) throws(CleaveError) {
    try write(held[...], report)
    held.removeAll(keepingCapacity: true)
  }

  private mutating func write(
    _ bytes: ArraySlice<UInt8>,
    _ report: JobReport
  ) throws(CleaveError) {
    var part = if let part { part } else { try begin(report.destinations.count) }
    var rest = bytes
    while !rest.isEmpty {
      if part.room == 0, let block { try endBlock(&part, block) }
      let piece = rest.prefix(Int(min(part.room, Int64(rest.count))))
      pump.write(piece, to: part.run)
      part.room -= Int64(piece.count)
      rest = rest.dropFirst(piece.count)
    }
    self.part = part
  }

  private func begin(_ number: Int) throws(CleaveError) -> Part {
    try pump.open(part: number, name)
    guard let run = pump.nextRun() else { throw .cancelled }
    return Part(run: run, room: block ?? .max)
  }

  private mutating func endBlock(_ part: inout Part, _ size: Int64) throws(CleaveError) {
    part.sums.append(pump.finish(part.run))
    blocks += 1
    guard blocks < BlockSums.most else { throw .tooManyBlocks }
    guard let run = pump.nextRun() else { throw .cancelled }
    (part.run, part.room) = (run, size)
  }

  private mutating func end(_ report: inout JobReport) throws(CleaveError) {
    guard let part else { return }
    let last = pump.finish(part.run)
    let whole = (part.sums + [last]).reduce(into: Checksum.empty) { $0.append($1) }
    report.destinations.append(whole)
    if let block {
      // An empty part has no block.
      let sums = last.count > 0 ? part.sums + [last] : part.sums
      blocks += 1
      report.blocks.append(
        BlockSums(size: block, length: whole.count, crc32s: sums.map(\.crc32))
      )
    }
    try pump.transfer.passing?.endPart()
    self.part = nil
  }
}
