public import Posix

extension TransferPlan {
  /// Puts sources together in the order given; the same one may come more than once.
  ///
  /// - Parameters:
  ///   - sources: in the order of their bytes.
  ///   - output: what they make.
  ///   - header: bytes that are left out of the start of every source but the first; none has fewer.
  /// - Throws: ``PlanError/outOfRange(_:)`` where the sizes together exceed 2⁶³−1.
  public static func merge(
    _ sources: some Sequence<SourceFile>,
    into output: FilePath,
    header: Int64 = 0
  ) throws(PlanError) -> TransferPlan {
    let sources = SourceFiles(sources)
    var extents: [Extent] = []
    extents.reserveCapacity(sources.count)
    var end: Int64 = 0
    for (index, size) in sources.sizes.enumerated() {
      let start = index > 0 ? header : 0
      if size == start { continue }
      let extent = Extent(
        source: .file(index, offset: start),
        // bounded: no source has fewer
        length: size - start,
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
  /// - Parameter header: what all parts begin with; nil for what the manifest tells of it.
  /// - Parameter keepsMarker: see ``ZipJoin``.
  /// - Throws: `.badData` where the parts cannot be put together.
  package static func merge(
    _ selection: Selection,
    _ files: SourceFiles,
    into output: FilePath,
    header: Merge.Header? = nil,
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
    if selection.layout?.dealing != nil { throw .dealt(doesNotGoWith: "a plan of extents") }
    let header = try Self.header(header, of: selection, files)
    try Self.requireHeader(header, in: files)
    do {
      var plan = try merge(files, into: output, header: Int64(header.count))
      if header.isEmpty { return plan }
      // They are bytes of the parts, whose sums may be known.
      let sum = Checksum(of: header[...], kinds)
      plan.unread = files.indices.dropFirst().map {
        Unread(source: $0, offset: 0, checksum: sum)
      }
      return plan
    } catch {
      // Sources that are read from their starts to their ends have no other fault.
      throw .tooLarge(output)
    }
  }
}
