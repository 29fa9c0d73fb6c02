package import Posix

/// How a split zip becomes one file: its data is copied, its directory rewritten.
///
/// Local headers and data stay what they are, byte for byte; see APPNOTE 8 for the rest.
package struct ZipJoin: Sendable {
  package let plan: TransferPlan

  /// - Parameters:
  ///   - archive: addressed by disks.
  ///   - sources: the files that hold its parts, each whole; the parts need not be the files.
  ///   - keepsMarker: whether the marker of a split zip stays at the front, so that extents stay
  ///     aligned to blocks.
  ///   - repairs: what to put right in local headers, by position.
  /// - Throws: `.badData` where the directory cannot be rewritten.
  package init(
    _ archive: ZipArchive,
    from sources: SourceFiles,
    into output: FilePath,
    keepsMarker: Bool = false,
    repairs: [HeaderRepair] = [],
    kinds: Checksum.Kinds
  ) throws(CleaveError) {
    let hasMarker = try archive.startsWithMarker()
    let start: Int64 = hasMarker && !keepsMarker ? 4 : 0
    guard archive.directoryStart >= start else {
      throw archive.describe(.contradiction("its directory begins in the marker"))
    }
    let directory = try Self.directory(of: archive, dataFrom: start)
    guard let layout = PartLayout(sources.paths, sizes: sources.sizes) else {
      throw .tooLarge(output)
    }
    var copy = Copy(archive.bytes, layout, dataFrom: start, kinds)
    try copy.leave(0..<start)
    var position = start
    for repair in repairs where repair.position >= position {
      copy.copy(position..<repair.position)
      try copy.replace(repair)
      position = repair.position + Int64(repair.bytes.count)
    }
    copy.copy(position..<archive.directoryStart)
    try copy.leave(archive.directoryStart..<archive.end.upperBound)
    let length = archive.directoryStart - start
    let data = copy.extents
    let behind = archive.end.upperBound..<archive.bytes.count
    copy.copy(behind, to: length + directory.length)
    let destination = DestinationFile(
      path: output,
      size: length + directory.length + Int64(behind.count)
    )
    var plan: TransferPlan
    do {
      plan = try TransferPlan(
        sources: sources,
        destinations: [destination],
        extents: data + directory.extents(0, at: length) + copy.extents.dropFirst(data.count)
      )
    } catch {
      throw CleaveError(.badData, output, "the parts cannot be put together: \(error)")
    }
    plan.unread = copy.unread
    self.plan = plan
  }

  /// The extents of the data, while they are put together.
  private struct Copy {
    private(set) var extents: [Extent] = []
    private(set) var unread: [TransferPlan.Unread] = []
    private let bytes: JoinedBytes
    private let kinds: Checksum.Kinds
    private let start: Int64
    private let layout: PartLayout

    init(
      _ bytes: JoinedBytes,
      _ layout: PartLayout,
      dataFrom start: Int64,
      _ kinds: Checksum.Kinds
    ) {
      (self.bytes, self.layout, self.kinds, self.start) = (bytes, layout, kinds, start)
    }

    mutating func copy(_ range: Range<Int64>) { copy(range, to: range.lowerBound - start) }

    mutating func copy(_ all: Range<Int64>, to offset: Int64) {
      for (source, range) in layout.split(all) {
        extents.append(
          Extent(
            source: .file(source, offset: range.lowerBound - layout.starts[source]),
            length: Int64(range.count),
            destination: 0,
            offset: offset + (range.lowerBound - all.lowerBound)
          )
        )
      }
    }

    mutating func leave(_ range: Range<Int64>) throws(CleaveError) {
      for (source, range) in layout.split(range) {
        unread.append(
          TransferPlan.Unread(
            source: source,
            offset: range.lowerBound - layout.starts[source],
            checksum: try ZipJoin.sum(range, bytes, kinds)
          )
        )
      }
    }

    mutating func replace(_ repair: HeaderRepair) throws(CleaveError) {
      let length = Int64(repair.bytes.count)
      try leave(repair.position..<(repair.position + length))
      extents.append(
        Extent(
          source: .inline(repair.bytes),
          length: length,
          destination: 0,
          offset: repair.position - start
        )
      )
    }
  }

  private static func directory(
    of archive: ZipArchive,
    dataFrom start: Int64
  ) throws(CleaveError) -> RewrittenDirectory {
    let rewrite: RewrittenDirectory.Rewrite = { record throws(CleaveError) in
      guard let position = archive.position(of: record), position >= start else {
        throw archive.describe(.contradiction("'\(record.name)' is not where its data is"))
      }
      do throws(ZipFault) {
        return try record.relocated(disk: 0, offset: UInt64(position - start))
      } catch {
        throw archive.describe(error)
      }
    }
    var result = RewrittenDirectory(of: archive, rewrite)
    var directory = archive.directory
    var place = directory.position
    while let record = try directory.record(in: archive) {
      result.append(recordAt: place, length: try rewrite(record).count)
      place = directory.position
    }
    result.append(try archive.directoryTrailer())
    result.append(
      archive.singleEnd(
        archive.end,
        directoryAt: archive.directoryStart - start,
        size: result.length
      )
    )
    return result
  }

  /// Bytes summed at a time.
  private static let pieceSize: Int64 = 64 << 10

  static func sum(
    _ range: Range<Int64>,
    _ bytes: JoinedBytes,
    _ kinds: Checksum.Kinds
  ) throws(CleaveError) -> Checksum {
    guard !kinds.isEmpty else { return Checksum(unsummed: Int64(range.count)) }
    var sum = Checksum.empty
    while sum.count < Int64(range.count) {
      let count = Int(min(pieceSize, Int64(range.count) - sum.count))
      let piece = try bytes.bytes(count, at: range.lowerBound + sum.count) ?? []
      piece.withUnsafeBytes { sum.update($0, kinds) }
    }
    return sum
  }
}
