import Posix

/// A central directory, or a run of its records, rewritten for another form of the same zip.
///
/// Records are rewritten again when an engine gets to them, so that a plan need not hold those of a
/// million entries.
struct RewrittenDirectory: Sendable {
  /// The new form of a record.
  typealias Rewrite = @Sendable (CentralRecord) throws(CleaveError) -> [UInt8]

  private let archive: ZipArchive
  private let rewrite: Rewrite
  private var blocks: [Block] = []
  /// Bytes of all blocks.
  private(set) var length: Int64 = 0

  /// Small enough to count little beside an engine's window.
  private static let blockSize: Int64 = 64 << 10

  private enum Block {
    case bytes([UInt8])
    /// So many records from a position on, which become so many bytes.
    case records(from: Int64, count: Int, length: Int64)
  }

  init(of archive: ZipArchive, _ rewrite: @escaping Rewrite) {
    self.archive = archive
    self.rewrite = rewrite
  }

  /// Adds a record that begins at `position`, and becomes so many bytes. Records follow each other.
  mutating func append(recordAt position: Int64, length count: Int) {
    length += Int64(count)
    if case .records(let start, let records, let size) = blocks.last,
      size + Int64(count) <= Self.blockSize
    {
      blocks[blocks.count - 1] = .records(
        from: start,
        count: records + 1,
        length: size + Int64(count)
      )
    } else {
      blocks.append(.records(from: position, count: 1, length: Int64(count)))
    }
  }

  /// Adds bytes that do not come from a record.
  mutating func append(_ bytes: [UInt8]) {
    blocks.append(.bytes(bytes))
    length += Int64(bytes.count)
  }

  /// The extents that put it at `offset` in a destination.
  func extents(_ destination: Int, at offset: Int64) -> [Extent] {
    var end = offset
    return blocks.map { block in
      let extent = extent(block, destination, at: end)
      end = extent.end
      return extent
    }
  }

  private func extent(_ block: Block, _ destination: Int, at offset: Int64) -> Extent {
    switch block {
    case .bytes(let bytes):
      return Extent(
        source: .inline(bytes),
        length: Int64(bytes.count),
        destination: destination,
        offset: offset
      )
    case .records(let start, let count, let length):
      let bytes = DeferredBytes(count: length) { [archive, rewrite] () throws(CleaveError) in
        var directory = CentralDirectory(archive.bytes, from: start, to: archive.directoryEnd)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(length))
        for _ in 0..<count {
          guard let record = try directory.record(in: archive) else { break }
          bytes += try rewrite(record)
        }
        try archive.bytes.requireUnchanged()
        return bytes
      }
      return Extent(
        source: .deferred(bytes),
        length: length,
        destination: destination,
        offset: offset
      )
    }
  }
}

extension ZipArchive {
  /// The bytes behind the last record that count as part of the directory, such as its signature.
  ///
  /// What does not count is dropped: it is what some writers leave where the end records no longer
  /// fit, and readers would take the directory to be elsewhere.
  func directoryTrailer() throws(CleaveError) -> [UInt8] {
    let gap = end.position - directoryEnd
    let told = Int64(clamping: end.values.size)
    let length = directoryEnd - directoryStart
    guard told > length, told - length <= gap, told - length <= Self.longestTrailer else {
      return []
    }
    return try bytes.bytes(Int(told - length), at: directoryEnd) ?? []
  }

  /// APPNOTE 4.3.13 gives a signature's length two bytes.
  private static let longestTrailer: Int64 = 6 + 0xFFFF

  /// The end records of this zip when all of it is in one file.
  ///
  /// - Parameters:
  ///   - offset: where its directory begins in that file.
  ///   - size: bytes of the directory.
  func singleEnd(_ end: EndRecords, directoryAt offset: Int64, size: Int64) -> [UInt8] {
    // Where the number of entries has run over, it still does, unless a ZIP64 record can tell it.
    let hasRunOver = !end.isZIP64 && summary.entries > 0xFFFF
    let needsZIP64 = max(offset, size) >= 0xFFFF_FFFF
    let entries = hasRunOver && !needsZIP64 ? end.values.entries : UInt64(summary.entries)
    return end.rewritten(
      EndRecords.Placement(
        values: EndRecords.Values(
          disk: 0,
          directoryDisk: 0,
          entriesHere: entries,
          entries: entries,
          size: UInt64(size),
          offset: UInt64(offset)
        ),
        zip64Disk: 0,
        zip64Offset: UInt64(offset + size)
      )
    )
  }
}
