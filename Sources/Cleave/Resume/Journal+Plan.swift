package import Posix

/// From a journal back to a plan.
extension Journal {
  /// Where the sources are, given operands among which some may be gone by now.
  ///
  /// Any one source stands for all of them, beside it; operands may also be all of them, in order, in
  /// any directories.
  ///
  /// - Returns: nil where the operands name something else.
  package func locate(_ operands: [FilePath]) -> [FilePath]? {
    let names = sources.map(\.name)
    if operands.map(\.lastComponent) == names { return operands }
    guard let first = operands.first, Set(operands.map(\.directory)).count == 1 else { return nil }
    let known = Set(names + names.map { Consumption.rest(of: $0) })
    let parts = operands.filter { operand in
      !Manifest.isName(operand)
        && !destinations.contains { Joiner.isName(operand, beside: operand.sibling($0.name)) }
    }
    guard !parts.isEmpty, parts.allSatisfy({ known.contains($0.lastComponent) }) else { return nil }
    return names.map { first.sibling($0) }
  }

  /// The sources as they are now, nil for those that are gone because all their bytes are in an output.
  ///
  /// - Throws: `.changedInput` where one was changed, `.missingInput` where one is missing.
  package func examine(_ paths: [FilePath]) throws(CleaveError) -> [SourceFile?] {
    var hasBegun = [Bool](repeating: false, count: sources.count)
    var needed = [Int64](repeating: 0, count: sources.count)
    for extent in extents { if let source = extent.source { needed[source] += extent.length } }
    for done in done {
      guard let source = extents[done.extent].source else { continue }
      (hasBegun[source], needed[source]) = (true, needed[source] - done.checksum.count)
    }
    var result: [SourceFile?] = []
    for (index, path) in paths.enumerated() {
      result.append(
        try examine(index, path, hasBegun: hasBegun[index], needed: max(0, needed[index]))
      )
    }
    return result
  }

  private func examine(
    _ index: Int,
    _ path: FilePath,
    hasBegun: Bool,
    needed: Int64
  ) throws(CleaveError) -> SourceFile? {
    let source = sources[index]
    let status: (whole: FileStatus?, rest: FileStatus?)
    let rest = Consumption.rest(of: path)
    do throws(SystemError) {
      status.whole = try FileStatus.ifPresent(path, followingLinks: !consumes)
      status.rest = consumes ? try FileStatus.ifPresent(rest, followingLinks: false) : nil
    } catch {
      throw .reading(error)
    }
    if bad.contains(index), !hasBegun {
      return try replacement(for: source, at: path, status.whole)
    }
    if let left = status.rest, left.identity.inode == source.inode, left.kind == .regular {
      return SourceFile(path: rest, status: left)
    }
    guard let found = status.whole, found.kind == .regular else {
      if consumes, needed == 0 { return nil }
      throw CleaveError(
        .missingInput,
        path,
        "is missing, and \(needed) bytes of it are still needed"
      )
    }
    // A kill may have come between freeing and renaming.
    let isSame = found.identity.inode == source.inode && found.size == source.size
    guard isSame, found.modified == source.modified || consumes && hasBegun else {
      if consumes, needed == 0 { return nil }
      throw CleaveError(.changedInput, path, "was changed since the job was begun")
    }
    return SourceFile(path: path, status: found)
  }

  /// The file that has taken the place of one that was bad.
  private func replacement(
    for source: Source,
    at path: FilePath,
    _ found: FileStatus?
  ) throws(CleaveError) -> SourceFile {
    guard let found, found.kind == .regular, found.size == source.size else {
      throw CleaveError(
        .missingInput,
        path,
        "was bad: a good one of \(source.size) bytes is needed in its place"
      )
    }
    // What is left of the bad one would be in the way of what will be left of this one.
    try? FileSystem.unlink(Consumption.rest(of: path))
    return SourceFile(path: path, status: found)
  }

  /// The plan, whose sources are as they were when the job was begun.
  ///
  /// - Parameters:
  ///   - paths: of the sources.
  ///   - output: a file in the directory of the destinations.
  /// - Throws: `.badData` where the journal makes no sound plan.
  package func plan(
    sources paths: [FilePath],
    beside output: FilePath
  ) throws(CleaveError) -> TransferPlan {
    let files = zip(paths, sources).map { path, source in
      // The device's number may be another one after each start of the system.
      let device = (try? FileStatus.ifPresent(path))?.identity.device ?? 0
      let status = FileStatus(
        identity: .init(device: device, inode: source.inode),
        size: source.size,
        modified: source.modified
      )
      return SourceFile(path: path, status: status)
    }
    let places = destinations.map {
      DestinationFile(path: output.sibling($0.name), size: $0.size)
    }
    do throws(PlanError) {
      var plan = try TransferPlan(
        sources: files,
        destinations: places,
        extents: extents.map { extent(of: $0, places) }
      )
      plan.unread = unread
      // A plan sorts its extents, and leaves out empty ones.
      if plan.extents.map(Journal.Extent.init) == extents { return plan }
    } catch {
      throw CleaveError(.badData, output, "its journal is not sound: \(error)")
    }
    throw CleaveError(.badData, output, "its journal is not sound")
  }

  private func extent(of extent: Extent, _ places: [DestinationFile]) -> Cleave.Extent {
    let source: Cleave.Extent.Source
    if let index = extent.source {
      source = .file(index, offset: extent.sourceOffset)
    } else {
      source = .deferred(deferred(extent, places))
    }
    return Cleave.Extent(
      source: source,
      length: extent.length,
      destination: extent.destination,
      offset: extent.offset
    )
  }

  /// Bytes that the plan had of its own: they were written first of all.
  private func deferred(_ extent: Extent, _ places: [DestinationFile]) -> DeferredBytes {
    let job = job
    return DeferredBytes(count: extent.length) { () throws(CleaveError) in
      guard places.indices.contains(extent.destination), extent.length <= Self.mostDeferred else {
        throw CleaveError(.badData, "the journal is not sound")
      }
      let final = places[extent.destination].path
      let temporary = TemporaryName(of: final, job: job, index: extent.destination).path
      do throws(SystemError) {
        let file = try FileDescriptor.open(temporary, [.readOnly, .noFollow, .nonBlocking])
        return try file.read(Int(extent.length), at: extent.offset)
      } catch {
        throw .reading(error.about(final))
      }
    }
  }

  /// Bytes that one extent may have of its own; those of directories of zips are far smaller.
  private static let mostDeferred: Int64 = 64 << 20
}
