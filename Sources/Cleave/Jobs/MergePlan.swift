public import Posix

extension TransferPlan {
  /// Puts sources together in the order given; the same one may come more than once.
  ///
  /// - Throws: ``PlanError/outOfRange(_:)`` where the sizes together exceed 2⁶³−1.
  public static func merge(
    _ sources: some Sequence<SourceFile>,
    into output: FilePath
  ) throws(PlanError) -> TransferPlan {
    let sources = SourceFiles(sources)
    var extents: [Extent] = []
    extents.reserveCapacity(sources.count)
    var end: Int64 = 0
    for (index, size) in sources.sizes.enumerated() where size > 0 {
      let extent = Extent(
        source: .file(index, offset: 0),
        length: size,
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
    _ files: SourceFiles,
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
