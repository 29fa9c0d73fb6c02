import Posix

/// Going on: what an earlier run has left is looked at, byte for byte, before anything is built on it.
extension StagedRun {
  func goOn() throws(CleaveError) {
    outputs.goOn(with: journal.job)
    // Before anything is taken over: it may be the only copy.
    outputs.keep(true)
    let places = try verify()
    try requireSpace()
    var done = [Int64](repeating: 0, count: plan.destinations.count)
    for (extent, sum) in zip(plan.extents, sums) { done[extent.destination] += sum.count }
    for index in plan.destinations.indices where index != left || places[index] != nil {
      try take(index, at: places[index], done: done[index])
    }
  }

  private func requireSpace() throws(CleaveError) {
    let path = plan.destinations[0].path
    let done = journal.doneBytes
    let needed =
      staged.consumption.map { $0.space(for: plan, staged.checkpoint, done: done) }
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
      guard try FileStatus.ifPresent(path, followingLinks: false) != nil else { return entries[0] }
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
      for entry in entries {
        let done = journal.done[entry]
        let found = try Checksum(
          reading: file,
          from: plan.extents[done.extent].offset + done.start,
          upTo: done.checksum.count,
          kinds: job.options.kinds,
          isCancelled: { job.options.cancellation.isCancelled }
        )
        if found != done.checksum { return entry }
        job.options.progress.add(Int(clamping: found.count))
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
    try file.append(Journal.back(to: count), synchronizes: options.synchronizes)
    journal.done.removeLast(journal.done.count - count)
  }

  // MARK: Taking over

  /// Goes on with the file of a destination, or begins it anew.
  private func take(_ index: Int, at place: FilePath?, done: Int64) throws(CleaveError) {
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
    try outputs.adopt(index, at: place)
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
