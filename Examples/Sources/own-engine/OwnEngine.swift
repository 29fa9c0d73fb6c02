import Cleave

/// `own-engine PART OUT`: merges with an engine that copies one extent after the other through one buffer.
@main struct OwnEngine {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { throw Usage("own-engine PART OUT") }
    var options = Merge.Options()
    options.work.customEngine = OneBuffer()
    let parts = try await Selection(of: [FilePath(arguments[1])])
    let outcome = try await Merge(parts, into: FilePath(arguments[2]), options).outcome()
    let report = outcome.report
    print("\(report.bytes) bytes, CRC-32 \(report.whole.crc32Text), \(outcome.verdict)")
  }
}

/// Whoever moves every extent, sums it and ends each destination, or fails, is an engine.
struct OneBuffer: Engine {
  let defaults = WaterMarks(low: 64 << 10, high: 64 << 10, window: 64 << 10)

  func run(_ transfer: Transfer) {
    let marks = transfer.settings.resolved(defaults)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: marks.high, alignment: 16)
    defer { buffer.deallocate() }
    for extent in transfer.plan.extents.indices where !transfer.hasFailed {
      _ = transfer.failing { () throws(CleaveError) in
        try transfer.holding(extent) { () throws(CleaveError) in
          try move(extent, of: transfer, through: buffer)
        }
      }
    }
    for index in transfer.plan.destinations.indices where !transfer.hasFailed {
      _ = transfer.failing { () throws(CleaveError) in try transfer.finish(index) }
    }
  }

  private func move(
    _ extent: Int,
    of transfer: Transfer,
    through buffer: UnsafeMutableRawBufferPointer
  ) throws(CleaveError) {
    let length = transfer.plan.extents[extent].length
    var (offset, sum) = (Int64(0), Checksum.empty)
    while offset < length, !transfer.hasFailed {
      let count = Int(min(Int64(buffer.count), length - offset))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      try transfer.read(into: piece, of: extent, at: offset)
      transfer.sum(UnsafeRawBufferPointer(piece), into: &sum)
      try transfer.write(UnsafeRawBufferPointer(piece), of: extent, at: offset)
      offset += Int64(count)
    }
    transfer.record(sum, extent: extent)
  }
}

struct Usage: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
