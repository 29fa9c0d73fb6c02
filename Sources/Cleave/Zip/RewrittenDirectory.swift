import Posix

/// A central directory and the records behind it, rewritten for another form of the same zip.
struct RewrittenDirectory {
  /// The bytes, in blocks that an engine can hold.
  private(set) var blocks: [[UInt8]] = []
  /// Bytes of all blocks.
  private(set) var length: Int64 = 0

  /// Small enough to count little beside an engine's window.
  private static let blockSize = 256 << 10

  mutating func append(_ bytes: some Collection<UInt8>) {
    if (blocks.last.map { $0.count + bytes.count > Self.blockSize }) ?? true {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(max(Self.blockSize, bytes.count))
    }
    blocks[blocks.count - 1].append(contentsOf: bytes)
    length += Int64(bytes.count)
  }

  /// The extents that put it at `offset` in a destination.
  func extents(_ destination: Int, at offset: Int64) -> [Extent] {
    var end = offset
    return blocks.map { block in
      defer { end += Int64(block.count) }
      return Extent(
        source: .inline(block),
        length: Int64(block.count),
        destination: destination,
        offset: end
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
    // Where the number of entries has run over, it still does.
    let hasRunOver = !end.isZIP64 && summary.entries > 0xFFFF
    let entries = hasRunOver ? end.values.entries : UInt64(summary.entries)
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
