import Posix

/// Going on: what an earlier run has left is looked at, byte for byte, before anything is built on it.
extension StagedRun {
  func goOn() throws(CleaveError) {
    _ = try roundsLeft()
    outputs.goOn(with: journal.job)
    // Before anything is taken over: it may be the only copy.
    outputs.keep(true)
    try claim(checkpoint.present?.map(\.file) ?? [])
    let places = try verify()
    try requireUnedited()
    // What was read may be in memory only, from a run that was killed before it had flushed it; and what
    // could not be flushed is not flushed by trying again.
    journal.compact()
    try file.rewrite(journal, synchronizes: options.synchronizes)
    try replaceChanged()
    try replaceBad()
    if isReplanned { return }
    try requireSpace()
    var done = [Int64](repeating: 0, count: plan.destinations.count)
    var ends = done
    for (extent, sum) in zip(plan.extents, sums) where sum.count > 0 {
      done[extent.destination] += sum.count
      ends[extent.destination] = max(ends[extent.destination], extent.offset + sum.count)
    }
    for index in plan.destinations.indices where index != left || places[index] != nil {
      try take(index, at: places[index], done: done[index], end: ends[index])
    }
  }

  private func requireSpace() throws(CleaveError) {
    let path = plan.destinations[0].path
    // Room that was taken is not needed again.
    let done = max(journal.doneBytes, journal.allocated(beside: path))
    let needed =
      checkpoint.consumption.map { $0.space(for: plan, checkpoint.size, done: done) }
      ?? (plan.totalBytes - done)
    do throws(CleaveError) {
      try OutputCheck.checkSpace(for: [DestinationFile(path: path, size: max(0, needed))])
    } catch {
      // What fitted when it was begun may have been going to share.
      guard sharing.mayShare(plan, job.engine) else { throw error }
      sharing.saveRoom()
    }
  }

  // MARK: Looking

  /// Compares what was entered with what is there. Of what differs, nothing counts.
  ///
  /// - Returns: the file that each destination is in, of those that have something.
  private func verify() throws(CleaveError) -> [Int: FilePath] {
    var places: [Int: FilePath] = [:]
    var valid = journal.done.count
    let entries = Dictionary(grouping: journal.done.indices) {
      plan.extents[journal.done[$0].extent].destination
    }
    for (index, entries) in entries.sorted(by: { $0.key < $1.key }) {
      var bad: Int?
      for path in candidates(index) {
        bad = try firstBad(of: entries, in: path)
        if bad == nil {
          places[index] = path
          break
        }
        // Its beginning still counts.
        if path == outputs.temporary(index) { places[index] = path }
      }
      if let bad = places[index] == nil ? entries.first : bad { valid = min(valid, bad) }
    }
    try keep(valid)
    for done in journal.done { add(done) }
    let used = Set(journal.done.map { plan.extents[$0.extent].destination })
    return places.filter { used.contains($0.key) }
  }

  /// The files that a destination may be in, the likeliest first.
  private func candidates(_ index: Int) -> [FilePath] {
    let final = journal.isPublishing ? [plan.destinations[index].path] : []
    guard index == left else { return final + [outputs.temporary(index)] }
    return final + (consumption?.sources.map(\.path) ?? [])
  }

  /// The first of some entries whose bytes are not there; nil where all are.
  private func firstBad(of entries: [Int], in path: FilePath) throws(CleaveError) -> Int? {
    do throws(SystemError) {
      guard let status = try FileStatus.ifPresent(path, followingLinks: false) else {
        return entries[0]
      }
      // What has a final name has all of its bytes, and no others.
      let destination = plan.destinations[plan.extents[journal.done[entries[0]].extent].destination]
      if path == destination.path, status.size != destination.size { return entries[0] }
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      for entry in entries {
        let done = journal.done[entry]
        let start = plan.extents[done.extent].offset + done.start
        let found = try sum(file, start, done.checksum.count)
        if found != done.checksum { return entry }
        job.options.progress.didCopy(Int(clamping: found.count))
      }
      return nil
    } catch {
      throw .reading(error)
    }
  }

  /// Leaves entries out, from the first one that does not count.
  private func keep(_ count: Int) throws(CleaveError) {
    guard count < journal.done.count else { return }
    let first = journal.done[count]
    if journal.consumes {
      let extent = plan.extents[first.extent]
      let path = plan.destinations[extent.destination].path
      throw CleaveError(
        .badData,
        path,
        "what was made of it by \(extent.offset + first.start) is not what was written, and its "
          + "sources are gone"
      )
    }
    try file.append([Journal.back(to: count)], synchronizes: options.synchronizes)
    journal.done.removeLast(journal.done.count - count)
  }

  // MARK: What is still there of sources

  /// Something was done to sources since the job was begun, and their times of modification are what they
  /// were: what was copied of them must still be in them.
  private func requireUnedited() throws(CleaveError) {
    guard consumption == nil, let present = checkpoint.present else { return }
    let entries = Dictionary(grouping: journal.done) { plan.extents[$0.extent].sourceIndex }
    for (source, present) in present.enumerated() {
      guard let file = present.file, let entries = entries[source],
        file.status.changed != journal.sources[source].changed
      else { continue }
      var isSame = true
      do throws(SystemError) {
        let opened = try FileDescriptor.open(file.path, [.readOnly, .nonBlocking])
        for done in entries where isSame {
          let start = plan.extents[done.extent].sourceOffset + done.start
          isSame = try sum(opened, start, done.checksum.count) == done.checksum
        }
      } catch {
        throw .reading(error)
      }
      if job.options.cancellation.isCancelled { throw .cancelled }
      if isSame { continue }
      throw CleaveError(.changedInput, file.path, "was changed since the job was begun")
    }
  }

  /// The sum of a range of a file, as far as the file goes.
  private func sum(
    _ file: borrowing FileDescriptor,
    _ start: Int64,
    _ count: Int64
  ) throws(SystemError) -> Checksum {
    try Checksum(
      reading: file,
      from: start,
      upTo: count,
      kinds: job.options.kinds,
      isCancelled: { job.options.cancellation.isCancelled }
    )
  }

  /// Before what is done of a source is freed: it must still be what is in the output. A run that was
  /// killed may have left some, and somebody may have written to it since.
  func requireCopied() throws(CleaveError) {
    guard let consumption else { return }
    for done in journal.done {
      let extent = plan.extents[done.extent]
      guard let source = extent.sourceIndex, extent.destination != left else { continue }
      let file = consumption.sources[source]
      if consumption.isGone[source] { continue }
      let start = extent.sourceOffset + done.start
      let isPublished = published.contains(extent.destination)
      let output =
        isPublished
        ? plan.destinations[extent.destination].path : outputs.temporary(extent.destination)
      try requireSame(
        file.path,
        start..<start + done.checksum.count,
        output,
        at: extent.offset + done.start
      )
    }
  }

  /// Compares a range of a source, but for its holes, with what was made of it.
  private func requireSame(
    _ source: FilePath,
    _ range: Range<Int64>,
    _ output: FilePath,
    at offset: Int64
  ) throws(CleaveError) {
    var isSame = true
    do throws(SystemError) {
      let left = try FileDescriptor.open(source, [.readOnly, .noFollow, .nonBlocking])
      let end = min(range.upperBound, try left.status().size)
      var position = try left.data(from: range.lowerBound)
      if position >= end { return }
      let made = try FileDescriptor.open(output, [.readOnly, .noFollow, .nonBlocking])
      while isSame, position < end {
        if job.options.cancellation.isCancelled { return }
        let hole = try left.hole(from: position)
        let found = try left.read(Int(min(1 << 20, min(end, hole) - position)), at: position)
        let place = offset + position - range.lowerBound
        let kept = try made.read(found.count, at: place)
        isSame = !found.isEmpty && found == kept
        position = try left.data(from: position + Int64(found.count))
      }
    } catch {
      throw .reading(error)
    }
    if isSame { return }
    throw CleaveError(.changedInput, source, "was changed since the job was begun: it is not freed")
  }

  // MARK: Bad sources

  /// Looks again at sources that were not what they should be. What is in the output of one stays until
  /// another file, in its place, has been read and is right.
  private func replaceBad() throws(CleaveError) {
    // Of what was made of parts behind it, none may count any more.
    for source in journal.bad.sorted(by: >) where !isReplanned {
      guard let sum = consumption?.sum(ofDone: source, sums) else { continue }
      var objection: CleaveError?
      do throws(CleaveError) { try judge.judge(part: source, sum) } catch { objection = error }
      guard let objection else {
        // It is taken as it is, for good.
        try file.append([Journal.taken(source)], synchronizes: options.synchronizes)
        journal.bad.remove(source)
        continue
      }
      // The same file may have got other bytes.
      let present = checkpoint.present?[source]
      let whole = present?.file.flatMap { $0.path == plan.sources[source].path ? $0 : nil }
      guard let other = present?.other ?? whole else { throw told(objection, source) }
      try replace(source, by: other)
    }
  }

  /// Takes what is in the place of sources of which some is still to be read, where it is known to be right.
  private func replaceChanged() throws(CleaveError) {
    for (source, present) in (checkpoint.present ?? []).enumerated().reversed()
    where !journal.bad.contains(source) && !isReplanned {
      guard present.isReplaced, let other = present.other else { continue }
      guard judge.knows(part: source) else {
        throw CleaveError(
          .changedInput,
          other.path,
          "was changed since the job was begun, and no manifest tells whether it is right; put back the one "
            + "that was there, or name a list of sums with \(Setting.manifest)"
        )
      }
      try SourceReclaim.check(other)
      try replace(source, by: other)
    }
  }

  private func replace(_ source: Int, by other: SourceFile) throws(CleaveError) {
    let size = plan.sources[source].status.size
    let isResized = other.status.size != size
    guard !isResized || journal.isPlain else {
      throw CleaveError(
        .badData,
        other.path,
        "has \(other.status.size) bytes, and the job was begun with one of \(size), in whose place it cannot be"
      )
    }
    let (sum, unread, now) = try read(source, other)
    guard now == other.status else {
      throw CleaveError(.changedInput, other.path, "was changed while it was being read")
    }
    do { try judge.judge(part: source, sum) } catch { throw told(error, source) }
    // The plan was made from these.
    guard unread == plan.unread.filter({ $0.source == source }).map(\.checksum) else {
      throw CleaveError(.badData, other.path, "has other headers than the one in whose place it is")
    }
    let first = journal.done.firstIndex {
      plan.extents[$0.extent].sourceIndex.map { $0 >= source } ?? false
    }
    let count = first ?? journal.done.count
    for done in journal.done[count...] {
      guard let behind = plan.extents[done.extent].sourceIndex, behind != source,
        consumption?.isWhole(behind) == false
      else { continue }
      throw CleaveError(
        .badData,
        other.path,
        "cannot take its place any more: parts behind it are gone; \(.withoutManifest) goes on with what is there"
      )
    }
    // It must be on its device before the journal gives up what is in the output, and what is left of the
    // bad one must not come back.
    let replacement = try Consumption.open(other.path)
    do { try replacement.synchronize() } catch { throw .reading(error) }
    try DirectorySync(of: [other.path]).run()
    let isSparse = SourceReclaim.hasHoles(other)
    try consumption?.replace(source, by: other, isSparse: isSparse)
    if isResized {
      journal = try journal.resizing(source, to: other.status, isSparse: isSparse, keeping: count)
      isReplanned = true
      return try file.rewrite(journal, synchronizes: options.synchronizes)
    }
    let line = Journal.replace(source, by: other.status, isSparse: isSparse, keeping: count)
    try file.append([line], synchronizes: options.synchronizes)
    journal.replace(source, other.status.modified, other.status.identity.inode, isSparse: isSparse)
    journal.done.removeLast(journal.done.count - count)
    sums = [Checksum](repeating: .empty, count: plan.extents.count)
    for done in journal.done { add(done) }
  }

  /// The job of a plan in which a source has another size; nil where the plan is as it was. This run is over then.
  func replanned() throws(CleaveError) -> Job? {
    guard isReplanned else { return nil }
    // Another run of the same job has them next.
    consumption = nil
    let paths = plan.sources.paths
    var (next, checkpoint) = (job, checkpoint)
    checkpoint.file = file.holding(journal)
    checkpoint.present = try journal.examine(Array(paths))
    next.checkpoint = checkpoint
    next.plan = try journal.plan(sources: paths, beside: plan.destinations[0].path)
    return next
  }

  /// The sums of a file that is to be a source: of all of it, and of what no extent reads.
  private func read(
    _ source: Int,
    _ other: SourceFile
  ) throws(CleaveError) -> (whole: Checksum, unread: [Checksum], status: FileStatus) {
    do throws(SystemError) {
      let opened = try FileDescriptor.open(other.path, [.readOnly, .noFollow, .nonBlocking])
      var unread: [Checksum] = []
      for range in plan.unread where range.source == source {
        unread.append(try sum(opened, range.offset, range.checksum.count))
      }
      return (try sum(opened, 0, other.status.size), unread, try opened.status())
    } catch {
      throw .reading(error)
    }
  }

  // MARK: Taking over

  /// Goes on with the file of a destination, or begins it anew.
  ///
  /// - Parameters:
  ///   - done: bytes of it that count.
  ///   - end: the place behind the last of them.
  private func take(
    _ index: Int,
    at place: FilePath?,
    done: Int64,
    end: Int64
  ) throws(CleaveError) {
    let destination = plan.destinations[index]
    if destination.size == 0, journal.isPublishing, isThere(destination) {
      return setPublished(index)
    }
    guard let place else {
      // Nothing of it counts.
      try? FileSystem.unlink(outputs.temporary(index))
      return
    }
    if place == destination.path { return setPublished(index) }
    if index == left { return }
    try outputs.adopt(index, at: place, upTo: end)
    try outputs.mark([index])
    if done == destination.size { try outputs.finish(index, size: done) }
  }

  private func isThere(_ destination: DestinationFile) -> Bool {
    let found = try? FileStatus.ifPresent(destination.path, followingLinks: false)
    return found?.size == destination.size && found?.kind == .regular
  }

  private func setPublished(_ index: Int) {
    outputs.wasPublished(index)
    published.insert(index)
    // With --force, what it replaced may still have the temporary's name.
    try? FileSystem.unlink(outputs.temporary(index))
  }
}
