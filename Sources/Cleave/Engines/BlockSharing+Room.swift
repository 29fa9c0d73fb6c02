import Posix

/// Room for destinations, of which what is shared takes none.
extension BlockSharing {
  /// Checks that there is room for the destinations of a job, before anything is read.
  ///
  /// Where they fit only if they share, or where they must, one block for each pair of a device and a
  /// directory is shared with the temporaries, to know whether it works.
  ///
  /// - Throws: where they do not fit, or cannot share what they must.
  func requireRoom(for transfer: Transfer, _ engine: any Engine) throws(CleaveError) {
    let (files, sources) = (transfer.plan.destinations, transfer.plan.sources)
    if let shared = try requireSharing(for: transfer, engine) {
      return try OutputCheck.checkSpace(for: files, butFor: shared, from: sources)
    }
    do throws(CleaveError) {
      try OutputCheck.checkSpace(for: files, from: sources)
    } catch {
      guard policy == .auto, engine.capabilities.contains(.sharedBlocks) else { throw error }
      let shared = try shared(by: transfer)
      if shared.isEmpty { throw error }
      try OutputCheck.checkSpace(for: files, butFor: shared, from: sources)
    }
  }

  /// Checks that what has to be shared can be.
  ///
  /// - Returns: the bytes in each directory that will be; nil where nothing has to be.
  /// - Throws: where it cannot.
  @discardableResult
  func requireSharing(
    for transfer: Transfer,
    _ engine: any Engine
  ) throws(CleaveError) -> [FilePath: Int64]? {
    guard policy == .always, transfer.plan.totalBytes > 0 else { return nil }
    if let remote = transfer.plan.sources.paths.first(where: \.isRemote) {
      throw .withoutBlocks("\(remote)")
    }
    try engine.require(.sharedBlocks)
    return try shared(by: transfer)
  }

  /// The bytes in each directory that can be shared.
  private func shared(by transfer: Transfer) throws(CleaveError) -> [FilePath: Int64] {
    saveRoom()
    var bytes: [FilePath: Int64] = [:]
    for (pair, candidate) in try candidates(of: transfer) {
      guard try candidate.trial.succeeds(policy, transfer) else { continue }
      bytes[pair.directory, default: 0] += candidate.bytes
    }
    return bytes
  }

  private struct Pair: Hashable {
    var device: UInt64
    var directory: FilePath
  }

  /// What can be shared if the file system says so.
  private func candidates(
    of transfer: Transfer
  ) throws(CleaveError) -> [Pair: (bytes: Int64, trial: Trial)] {
    let plan = transfer.plan
    var found: [Pair: (bytes: Int64, trial: Trial)] = [:]
    var blockSizes: [FilePath: Int64] = [:]
    for extent in plan.extents {
      guard case .file(let index, let offset) = extent.source else { continue }
      let destination = plan.destinations[extent.destination]
      let directory = destination.path.directory
      let block: Int64
      if let known = blockSizes[directory] {
        block = known
      } else {
        block = try Self.blockSize(transfer, extent.destination)
        blockSizes[directory] = block
      }
      let status = plan.sources[index].status
      let range = offset..<(offset + extent.length)
      let placement = BlockPlacement(
        range,
        of: status.size,
        at: extent.offset,
        of: destination.size
      )
      guard block > 0, let blocks = placement.blocks(of: block) else { continue }
      let pair = Pair(device: status.identity.device, directory: directory)
      let one = blocks.lowerBound..<min(blocks.upperBound, blocks.lowerBound + block)
      let trial = Trial(
        source: index,
        destination: extent.destination,
        blocks: one,
        place: placement.place(of: one)
      )
      found[pair, default: (0, trial)].bytes += blocks.count64
    }
    if policy == .always, found.isEmpty {
      throw CleaveError(
        .cannotCreate,
        plan.destinations[0].path,
        "nothing can be shared: every source is smaller than a block, or not aligned to one; "
          + "\(.copying) copies them"
      )
    }
    return found
  }

  /// Bytes; 0 where it is not known.
  private static func blockSize(_ transfer: Transfer, _ index: Int) throws(CleaveError) -> Int64 {
    let file = try transfer.file(index, reserving: false)
    let size = try? file.withDescriptor { file throws(SystemError) in file.blockSize() }
    return (size ?? nil) ?? 0
  }
}

/// One block, to find out with whether two files can share any.
private struct Trial {
  let source: Int
  let destination: Int
  /// In the source.
  let blocks: Range<Int64>
  /// In the destination, where an engine will put the same bytes.
  let place: Int64

  /// - Throws: where they cannot, and have to; or where one of the two cannot be opened.
  func succeeds(_ policy: SharingPolicy, _ transfer: Transfer) throws(CleaveError) -> Bool {
    let output = try transfer.file(destination, reserving: false)
    let file = try transfer.inputs.acquire(source)
    var failure: SystemError?
    do { try output.share(blocks, of: file.descriptor, at: place) } catch { failure = error }
    if let failure, policy == .always { throw BlockSharing.failure(failure, file) }
    try transfer.inputs.release(source)
    return failure == nil
  }
}

extension CleaveError {
  /// The error about what is to share blocks and is no file.
  static func withoutBlocks(_ stream: String) -> CleaveError {
    CleaveError(
      .contradiction,
      "\(Setting.sharing) needs files: \(stream) has no blocks to share"
    )
  }
}
