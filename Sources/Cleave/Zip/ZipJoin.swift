package import Posix

/// How a split zip becomes one file: its data is copied, its directory rewritten.
///
/// Local headers and data stay what they are, byte for byte; see APPNOTE 8 for the rest.
package struct ZipJoin: Sendable {
  package let plan: TransferPlan
  /// What is not copied of each source: its bytes before the first extent, and behind the last.
  private let left: [(before: Checksum, after: Checksum)]

  /// - Parameters:
  ///   - archive: addressed by disks.
  ///   - sources: the files that hold its parts, each whole; the parts need not be the files.
  ///   - keepsMarker: whether the marker of a split zip stays at the front, so that extents stay
  ///     aligned to blocks.
  /// - Throws: `.badData` where the directory cannot be rewritten.
  package init(
    _ archive: ZipArchive,
    from sources: [SourceFile],
    into output: FilePath,
    keepsMarker: Bool = false,
    kinds: Checksum.Kinds
  ) throws(CleaveError) {
    let hasMarker = try archive.startsWithMarker()
    let start: Int64 = hasMarker && !keepsMarker ? 4 : 0
    let data = start..<archive.directoryStart
    let directory = try Self.directory(of: archive, dataFrom: start)
    let length = data.upperBound - start
    var extents: [Extent] = []
    var left: [(before: Checksum, after: Checksum)] = []
    var position: Int64 = 0
    for (index, source) in sources.enumerated() {
      let end = position + source.status.size
      let copied = data.clamped(to: position..<end)
      extents.append(
        Extent(
          source: .file(index, offset: copied.lowerBound - position),
          length: Int64(copied.count),
          destination: 0,
          // What is clamped to nothing may lie outside.
          offset: max(0, copied.lowerBound - start)
        )
      )
      let isCopied = !copied.isEmpty
      left.append(
        (
          try Self.sum(position..<(isCopied ? copied.lowerBound : end), archive.bytes, kinds),
          try Self.sum((isCopied ? copied.upperBound : end)..<end, archive.bytes, kinds)
        )
      )
      position = end
    }
    self.left = left
    extents += directory.extents(0, at: length)
    let destination = DestinationFile(path: output, size: length + directory.length)
    do {
      plan = try TransferPlan(sources: sources, destinations: [destination], extents: extents)
    } catch {
      throw CleaveError(.badData, output, "the parts cannot be put together: \(error)")
    }
  }

  /// The checksum of each source, with what was not copied.
  package func sourceChecksums(_ report: TransferReport) -> [Checksum] {
    zip(left, plan.sourceChecksums(report)).map { left, copied in
      var sum = left.before
      sum.append(copied)
      sum.append(left.after)
      return sum
    }
  }

  private static func directory(
    of archive: ZipArchive,
    dataFrom start: Int64
  ) throws(CleaveError) -> RewrittenDirectory {
    var result = RewrittenDirectory()
    var directory = archive.directory
    while let record = try directory.record(in: archive) {
      guard let position = archive.position(of: record), position >= start else {
        throw archive.describe(.contradiction("'\(record.name)' is not where its data is"))
      }
      do throws(ZipFault) {
        result.append(try record.relocated(disk: 0, offset: UInt64(position - start)))
      } catch {
        throw archive.describe(error)
      }
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
    _ bytes: any ZipBytes,
    _ kinds: Checksum.Kinds
  ) throws(CleaveError) -> Checksum {
    var sum = Checksum.empty
    while !kinds.isEmpty, sum.count < Int64(range.count) {
      let count = Int(min(pieceSize, Int64(range.count) - sum.count))
      let piece = try bytes.bytes(count, at: range.lowerBound + sum.count) ?? []
      piece.withUnsafeBytes { sum.update($0, kinds) }
    }
    return sum
  }
}
