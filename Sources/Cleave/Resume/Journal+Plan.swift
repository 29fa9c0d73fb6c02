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
    let parts = operands.filter { operand in
      names.contains(operand.lastComponent)
        || !Manifest.isName(operand)
          && !destinations.contains { Joiner.isName(operand, beside: operand.sibling($0.name)) }
    }
    // In any order, where the names tell them apart.
    let byName = Dictionary(parts.map { ($0.lastComponent, $0) }) { first, _ in first }
    if byName.count == parts.count, parts.count == names.count {
      let found = names.compactMap { byName[$0] }
      if found.count == names.count { return found }
    }
    guard let first = parts.first, Set(parts.map(\.directory)).count == 1 else { return nil }
    let known = Set(names + names.map { Consumption.rest(of: $0) })
    guard !parts.isEmpty, parts.allSatisfy({ known.contains($0.lastComponent) }) else { return nil }
    return names.map { first.sibling($0) }
  }

  /// Where the sources are that the lines of a list lead to, or that are where some of them or their whole are.
  ///
  /// - Returns: nil where it leads to none of them, or to several of one name, or where they were moved beside it.
  func sources(in list: Manifest) -> [FilePath]? {
    let names = PathSet(sources.lazy.map(\.name))
    let listed = list.files.filter { names.contains($0.lastComponent) || $0.lastComponent == base }
    let places = Dictionary(grouping: listed, by: \.lastComponent)
    guard let first = listed.first, places.values.allSatisfy({ $0.count == 1 }) else { return nil }
    let isInOne = listed.allSatisfy { $0.directory == first.directory }
    let found = sources.compactMap { source in
      places[source.name]?.first ?? (isInOne ? first.sibling(source.name) : nil)
    }
    let isThere = { (path: FilePath) in
      [path, Consumption.rest(of: path)].contains { (try? FileStatus.of($0)) != nil }
    }
    // Lists stay as they were when files are moved.
    let isMoved =
      !found.contains(where: isThere)
      && sources.contains { isThere(list.path.sibling($0.name)) }
    return found.count == sources.count && !isMoved ? found : nil
  }

  /// - Throws: `.missingInput` where a merge of some files was begun, and has done nothing, that had another one besides
  ///   which is gone: it would begin anew without it.
  static func requireAll(of files: PathList, making output: FilePath) throws(CleaveError) {
    guard let first = files.first, let found = try? peek(beside: output),
      found.command == .merge, !found.hasProgress
    else { return }
    let names = found.sources.map(\.name)
    let known = PathSet(files.lazy.map(\.lastComponent))
    let places = files.firstOfEachDirectory
    let gone = names.first { name in
      !known.contains(name)
        && places.allSatisfy { FileStatus.isAbsent($0.sibling(name)) }
    }
    guard let gone, names.contains(where: known.contains) else { return }
    let clean = Leftovers.cleaning(output.directory)
    throw CleaveError(
      .missingInput,
      first.sibling(gone),
      "is missing, and an interrupted run was begun with it: put it back, or '\(clean)' removes what is left of that "
        + "run"
    )
  }

  /// That of a job which makes `output`, unless a run has it; nil where there is none.
  static func peek(beside output: FilePath) throws(CleaveError) -> Journal? {
    let path = path(beside: output)
    guard isThere(path) else { return nil }
    let found = try JournalFile.peek(at: path)
    return found.isInUse ? nil : found.journal
  }

  /// Whether a source is still what it was when the job was begun.
  func isWhole(_ source: Source, _ status: FileStatus?) -> Bool {
    status?.kind == .regular && status?.identity.inode == source.inode
      && status?.size == source.size && status?.modified == source.modified
  }

  /// Whether entries may be lost that tell what the job has freed: there are none, and some source is not what it was
  /// when the job was begun.
  ///
  /// - Parameters:
  ///   - path: the journal; its directory may have been moved with all that is in it.
  ///   - directory: of some of the sources.
  func hasLostEntries(_ path: FilePath, orIn directory: FilePath? = nil) -> Bool {
    guard consumes, !hasConsumed else { return false }
    return !sources.allSatisfy { source in
      [path.directory, source.place, directory].contains { place in
        guard let place else { return false }
        let status = try? FileStatus.of(place.appending(source.name), followingLinks: false)
        return isWhole(source, status)
      }
    }
  }

  /// Whether to give the job up may lose something: it has freed sources, or its entries are lost, some
  /// source is no longer what it was, and there are temporaries.
  ///
  /// - Parameters:
  ///   - output: a file in the directory of the destinations.
  ///   - others: the sources of another job, among which those of this one may be.
  func isOnlyCopy(beside output: FilePath, _ others: SourceFiles) -> Bool {
    guard consumes else { return false }
    if hasConsumed { return true }
    let hasTemporaries = temporaries(beside: output).contains { path in
      ((try? FileStatus.of(path, followingLinks: false))?.size ?? 0) > 0
    }
    guard hasTemporaries else { return false }
    let statuses = Dictionary(
      others.map { ($0.status.identity.inode, $0.status) },
      uniquingKeysWith: { first, _ in first }
    )
    return !sources.allSatisfy { isWhole($0, statuses[$0.inode]) }
  }

  /// A source as it is by now.
  package struct Present: Sendable {
    /// Nil where it is gone.
    package var file: SourceFile?
    /// What has been put in the place of one that was not what it should be, or that is gone.
    package var other: SourceFile?
    /// Whether it is gone and some of it is still to be read, so that the other one is to stand for it.
    package var isReplaced = false

    package init(file: SourceFile?, other: SourceFile? = nil, isReplaced: Bool = false) {
      (self.file, self.other, self.isReplaced) = (file, other, isReplaced)
    }
  }

  /// The sources as they are now. Nothing is changed.
  ///
  /// - Throws: `.changedInput` where one was changed, `.missingInput` where one is missing, `.badData`
  ///   where bytes are gone that the journal does not know in the output.
  package func examine(_ paths: [FilePath]) throws(CleaveError) -> [Present] {
    var copied = [Int64](repeating: 0, count: extents.count)
    for done in done { copied[done.extent] += done.checksum.count }
    var needed = [[Range<Int64>]](repeating: [], count: sources.count)
    for (extent, copied) in zip(extents, copied) {
      guard let source = extent.source, copied < extent.length else { continue }
      needed[source].append(extent.sourceOffset + copied..<extent.sourceOffset + extent.length)
    }
    var result: [Present] = []
    for (index, path) in paths.enumerated() {
      let present = try examine(index, path, needed[index])
      if consumes, let file = present.file { try requireThere(index, file, needed[index]) }
      result.append(present)
    }
    return result
  }

  private func examine(
    _ index: Int,
    _ path: FilePath,
    _ needed: [Range<Int64>]
  ) throws(CleaveError) -> Present {
    let source = sources[index]
    let rest = Consumption.rest(of: path)
    let whole = try CleaveError.whileReading(
      FileStatus.ifPresent(path, followingLinks: !consumes)
    )
    let left = try CleaveError.whileReading(
      consumes ? FileStatus.ifPresent(rest, followingLinks: false) : nil
    )
    let found = whole.flatMap { $0.kind == .regular ? SourceFile(path: path, status: $0) : nil }
    if let left, left.identity.inode == source.inode, left.kind == .regular {
      let sizes = sizesLeft(of: source)
      guard sizes.contains(left.size) else {
        let had = sizes.filter { $0 < left.size }.max() ?? source.size
        throw CleaveError(
          .changedInput,
          rest,
          "was changed since the job was begun: it has \(left.size) bytes, and had \(had)"
        )
      }
      return Present(file: SourceFile(path: rest, status: left), other: found)
    }
    if let found, isWhole(source, found.status) { return Present(file: found) }
    if consumes, let found, found.status.identity.inode == source.inode,
      command == .split
        || isPunched(found, source) && done.contains(where: { extents[$0.extent].source == index })
    {
      throw refusal(ofChanged: found, source)
    }
    let isDone = consumes && needed.isEmpty
    // It takes its place where it proves to be right.
    let isNeeded = consumes && command == .merge && !needed.isEmpty
    if isNeeded, left == nil, let found, found.status.size == source.size || isPlain {
      return Present(file: nil, other: found, isReplaced: true)
    }
    // What has the name of a source that is gone is another file, and stays, or takes its place behind a bad one.
    let isOther =
      bad.contains(index) || found?.status.identity.inode != source.inode
      || found?.status.size != source.size && command == .merge && isPlain
    if isDone, isOther {
      return Present(file: nil, other: found)
    }
    // Before it goes, it is compared with what is in the output.
    if isDone, command == .merge, let found, found.status.size == source.size {
      return Present(file: found)
    }
    if found == nil, left != nil {
      throw Self.refusal(ofCopy: rest)
    }
    guard found != nil else {
      let count = needed.reduce(0) { $0 + $1.count64 }
      let text: Sentence =
        if count > 0 {
          "is missing, and \(count) bytes of it are still needed: put it back, or name it where it is now"
        } else if consumes {
          "is missing, and what was read of it is in the unfinished output alone: put it back"
        } else {
          "is missing, and is needed to go on: put it back"
        }
      throw CleaveError(.missingInput, path, text)
    }
    let size = found?.status.size ?? 0
    let why: Sentence =
      if isDone {
        Self.inTheWay
      } else if size != source.size {
        ": it has \(size) bytes, and had \(source.size)"
      } else {
        ""
      }
    throw CleaveError(.changedInput, path, "was changed since the job was begun\(why)")
  }

  /// The sizes in bytes that what is left of a source may have: what is split is cut off where parts begin.
  func sizesLeft(of source: Source) -> [Int64] {
    let parts = extents.filter { command == .split && $0.source != nil && $0.destination != 0 }
    return [source.size] + parts.map(\.sourceOffset)
  }

  /// The end of a sentence about a file that has the name of a source which is done, and is not what that was.
  static let inTheWay: Sentence = "; what it was is in the output, so move it away to go on"

  /// A journal may have lost its end. What it then takes for still to be copied is a hole by now.
  private func requireThere(
    _ index: Int,
    _ source: SourceFile,
    _ needed: [Range<Int64>]
  ) throws(CleaveError) {
    let path = source.path
    if source.status.links > 1 {
      throw CleaveError(.missingInput, path, "has other names, whose data would go as well")
    }
    let isCopy = sources[index].isFollowed && path.ends(in: Consumption.restSuffix)
    // What a list told of the source is to prove it.
    if isCopy, told != nil { return }
    let isPunched = !sources[index].isSparse && path.ends(in: Consumption.restSuffix)
    // A split works from the end.
    let next =
      command == .merge ? needed.first : needed.last { $0.lowerBound < source.status.size }
    if isCopy, let next { try requireBytes(path, from: next.lowerBound) }
    guard isPunched || source.status.size < sources[index].size else { return }
    var freed: Int64?
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      for range in needed where freed == nil {
        let end = isPunched ? try file.hole(from: range.lowerBound) : source.status.size
        if end < range.upperBound { freed = max(end, range.lowerBound) }
      }
    } catch {
      throw .reading(error)
    }
    guard let freed else { return }
    if isCopy { throw Self.refusal(ofCopy: path, without: freed) }
    throw CleaveError(
      .badData,
      path,
      "is gone from \(freed) on, and the journal, which has lost its end, does not say where those bytes are; "
        + "nothing was touched"
    )
  }

  /// Copies may have zeros in the place of holes, and the journal may have been copied before more was freed.
  ///
  /// - Throws: `.badData` where there are zeros at a place that is to be read next.
  private func requireBytes(_ path: FilePath, from place: Int64) throws(CleaveError) {
    let next: [UInt8]
    do throws(SystemError) {
      // Up to where a hole could end.
      let count = Consumption.alignment - place % Consumption.alignment
      next = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
        .read(Int(count), at: place)
    } catch {
      throw .reading(error)
    }
    if next.contains(where: { $0 != 0 }) { return }
    throw Self.refusal(ofCopy: path, without: place)
  }

  private static func refusal(ofCopy path: FilePath, without place: Int64) -> CleaveError {
    CleaveError(
      .badData,
      path,
      "is a copy, and has zeros from \(place) on, as if that had been freed: the journal may be older than it; nothing "
        + "was touched"
    )
  }

  /// The plan, whose sources are as they were when the job was begun.
  ///
  /// - Parameters:
  ///   - paths: of the sources.
  ///   - output: a file in the directory of the destinations.
  /// - Throws: `.badData` where the journal makes no sound plan.
  package func plan(
    sources paths: some Sequence<FilePath>,
    beside output: FilePath
  ) throws(CleaveError) -> TransferPlan {
    let files = zip(paths, sources).map { path, source in
      // The device's number may be another one after each start of the system.
      let device = (try? FileStatus.of(path))?.identity.device ?? 0
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
        extents: extents.indices.map { extent($0, places) }
      )
      plan.unread = unread
      // A plan sorts its extents, and leaves out empty ones.
      if plan.extents.map(Journal.Extent.init) == extents { return plan }
    } catch {
      throw CleaveError(.badData, output, "its journal is not sound: \(error)")
    }
    throw CleaveError(.badData, output, "its journal is not sound")
  }

  private func extent(_ index: Int, _ places: [DestinationFile]) -> Cleave.Extent {
    let extent = extents[index]
    let source: Cleave.Extent.Source
    if let index = extent.source {
      source = .file(index, offset: extent.sourceOffset)
    } else {
      source = .deferred(deferred(index, places))
    }
    return Cleave.Extent(
      source: source,
      length: extent.length,
      destination: extent.destination,
      offset: extent.offset
    )
  }

  /// Bytes that the plan had of its own: they were written first of all.
  private func deferred(_ index: Int, _ places: [DestinationFile]) -> DeferredBytes {
    let (job, kinds, extent) = (job, kinds, extents[index])
    let known = done.first { $0.extent == index && $0.start == 0 }?.checksum
    return DeferredBytes(count: extent.length) { () throws(CleaveError) in
      guard places.indices.contains(extent.destination), extent.length <= Self.mostDeferred else {
        throw CleaveError(.badData, "the journal is not sound")
      }
      let final = places[extent.destination].path
      let temporary = TemporaryName(of: final, job: job, index: extent.destination).path
      // The temporary may have got its name since, or be what had that name before.
      for path in [temporary, final] {
        do throws(SystemError) {
          let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
          let bytes = try file.read(Int(extent.length), at: extent.offset)
          if known == nil || known == Checksum(of: bytes[...], kinds) { return bytes }
        } catch  where [.notFound, .tooManyLinks].contains(error.errno) {
        } catch {
          throw .reading(error.about(final))
        }
      }
      throw CleaveError(.changedInput, temporary, "was changed or removed by another program")
    }
  }

  /// Bytes that one extent may have of its own; those of directories of zips are far smaller.
  private static let mostDeferred: Int64 = 64 << 20
}

extension Journal.Source {
  /// Whether no file of its name and size is where it was, nor beside another file.
  func isGone(besides path: FilePath) -> Bool {
    guard let place else { return false }
    return ![place.appending(name), path.sibling(name)].contains { path in
      let status = try? FileStatus.of(path)
      return status?.kind == .regular && status?.size == size
    }
  }
}
