internal import Posix

/// Parts of standard input that end where its records do.
struct StreamedParts: PartSink {
  private let pump: SerialPump
  private let name: (Int) -> FilePath?
  /// Bytes of each block that a CRC-32 is wanted of.
  private let block: Int64?
  private(set) var report: JobReport
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
    _ name: @escaping (Int) -> FilePath?,
    block: Int64?,
    _ report: JobReport
  ) {
    (self.pump, self.name, self.block, self.report) = (pump, name, block, report)
  }

  var hasPart: Bool { part != nil }
  var count: Int { report.destinations.count }
  var hasFailed: Bool { pump.transfer.hasFailed }

  mutating func write(_ bytes: ArraySlice<UInt8>) throws(CleaveError) {
    var part = if let part { part } else { try begin() }
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

  mutating func `repeat`(_ header: [UInt8]) throws(CleaveError) {
    pump.transfer.passing?.repeats(true)
    try write(header[...])
    // All of it has passed by then.
    if let part { _ = pump.finish(part.run) }
    pump.transfer.passing?.repeats(false)
  }

  private func begin() throws(CleaveError) -> Part {
    try pump.open(part: count, name)
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

  mutating func endPart() throws(CleaveError) {
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
