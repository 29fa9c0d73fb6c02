public import Posix

extension TransferPlan {
  /// Puts sources together in the order given; the same one may come more than once.
  ///
  /// - Throws: ``PlanError/outOfRange(_:)`` where the sizes together exceed 2⁶³−1.
  public static func merge(
    _ sources: [SourceFile],
    into output: FilePath
  ) throws(PlanError) -> TransferPlan {
    var extents: [Extent] = []
    var end: Int64 = 0
    for (index, source) in sources.enumerated() {
      let extent = Extent(
        source: .file(index, offset: 0),
        length: source.status.size,
        destination: 0,
        offset: end
      )
      extents.append(extent)
      let sum = end.addingReportingOverflow(extent.length)
      guard !sum.overflow else { throw PlanError.outOfRange(extent) }
      end = sum.partialValue
    }
    let destination = DestinationFile(path: output, size: end)
    return try TransferPlan(sources: sources, destinations: [destination], extents: extents)
  }
}

extension TransferPlan {
  /// The plan of a merge.
  ///
  /// - Parameter files: the selection's.
  /// - Parameter keepsMarker: see ``ZipJoin``.
  /// - Throws: `.badData` where the parts cannot be put together.
  package static func merge(
    _ selection: Selection,
    _ files: [SourceFile],
    into output: FilePath,
    keepsMarker: Bool,
    kinds: Checksum.Kinds
  ) throws(CleaveError) -> TransferPlan {
    if selection.kind.isRewritten, let archive = selection.archive {
      return try ZipJoin(
        archive,
        from: files,
        into: output,
        keepsMarker: keepsMarker,
        repairs: selection.repairs,
        kinds: kinds
      ).plan
    }
    do {
      return try merge(files, into: output)
    } catch {
      // Sources that are read from their starts to their ends have no other fault.
      throw .tooLarge(output)
    }
  }
}
