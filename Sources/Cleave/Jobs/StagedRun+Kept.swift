import Posix

/// Going on: what an earlier run has left is looked at, byte for byte, before anything is built on it.
extension StagedRun {
  func goOn() throws(CleaveError) {
    _ = try roundsLeft()
    outputs.goOn(with: journal.job)
    // Before anything is taken over: it may be the only copy.
    outputs.keep(true)
    try requireProof()
    try claim(checkpoint.present?.map(\.file) ?? [])
    let places = try verify()
    try requireUnedited()
    try requireKnownList()
    noteHome()
    // What was read may be in memory only, from a run that was killed before it had flushed it; and what
    // could not be flushed is not flushed by trying again.
    journal.compact()
    try file.rewrite(journal, synchronizes: options.synchronizes)
    try replaceChanged()
    try noteUnjudged()
    try replaceBad()
    if isReplanned { return }
    try requireSpace()
    try takeArguments()
    checkpoint.didTakeOver(journal.doneBytes, plan.totalBytes)
    var done = [Int64](repeating: 0, count: plan.destinations.count)
    var ends = done
    for (extent, sum) in zip(plan.extents, sums) where sum.count > 0 {
      done[extent.destination] += sum.count
      ends[extent.destination] = max(ends[extent.destination], extent.offset + sum.count)
    }
    // What the plan has of its own is done again in its round.
    let open = try roundsLeft().0.destinations
    for index in plan.destinations.indices where index != left || places[index] != nil {
      let isComplete = !open.contains(index) && done[index] == plan.destinations[index].size
      try take(index, at: places[index], end: ends[index], isComplete: isComplete)
    }
  }

  /// - Throws: `.changedInput` where what is left of a source is a copy, which a list would prove, and none does.
  private func requireProof() throws(CleaveError) {
    guard journal.told != nil else { return }
    for (source, present) in (checkpoint.present ?? []).enumerated() {
      guard let path = present.file?.path, path != plan.sources[source].path,
        journal.sources[source].isFollowed, !judge.knows(part: source)
      else { continue }
      throw Journal.refusal(ofCopy: path).adding(", or by the list that it was begun by")
    }
  }

  /// The directories of the parts and of the journal may have been moved.
  private func noteHome() {
    guard let home = ProcessState.realPath(of: file.path.directory), home != journal.home
    else { return }
    if let former = journal.home?.appending(file.path.lastComponent),
      FileStatus.isAbsent(former, followingLinks: false)
    {
      Signpost.removeAll(of: plan.sources.paths, to: former)
    }
    for signpost in signposts { signpost.put() }
    journal.home = home
  }

  /// What goes on with the job from now on is what did. What was refused does not, and is named nowhere.
  private func takeArguments() throws(CleaveError) {
    guard (1...Journal.mostArguments).contains(checkpoint.arguments.count),
      journal.arguments != checkpoint.arguments || journal.directory != checkpoint.directory
    else { return }
    (journal.arguments, journal.directory) = (checkpoint.arguments, checkpoint.directory)
    try file.rewrite(journal, synchronizes: options.synchronizes)
  }

  private func requireSpace() throws(CleaveError) {
    let path = plan.destinations[0].path
    // Room that was taken is not needed again.
    let done = journal.doneBytes
    let ahead = journal.ahead(beside: path)
    do throws(CleaveError) {
      if let manner = checkpoint.consumption {
        try manner.requireSpace(for: plan, checkpoint.size, done: done, ahead: ahead)
      } else {
        let needed = max(0, plan.totalBytes - done - ahead)
        try OutputCheck.checkSpace(for: [DestinationFile(path: path, size: needed)])
      }
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
    try reading { () throws(SystemError) -> Int? in
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
    }
  }

  /// Leaves entries out, from the first one that does not count.
  private func keep(_ count: Int) throws(CleaveError) {
    guard count < journal.done.count else { return }
    let first = journal.done[count]
    if journal.consumes {
      let extent = plan.extents[first.extent]
      let path = plan.destinations[extent.destination].path
      try requireThere(extent.destination)
      var error = CleaveError(
        .badData,
        path,
        "what was made of it by \(extent.offset + first.start) is not what was written, and its "
          + "sources are gone; \(Leftovers.givingUp(file.path)) gives the job up"
      )
      error.isLasting = true
      throw error
    }
    try file.append([Journal.back(to: count)], synchronizes: options.synchronizes)
    journal.done.removeLast(journal.done.count - count)
  }

  /// - Throws: `.missingInput` where none of the files is there that a destination may be in, and `.changedInput` where
  ///   one that it cannot be is in the place of what was left of the source.
  private func requireThere(_ index: Int) throws(CleaveError) {
    let final = plan.destinations[index].path
    let source = plan.sources.first?.path ?? final
    let rest = Consumption.rest(of: source)
    let places =
      (journal.isPublishing ? [final] : [])
      + (index == left ? [rest, source] : [outputs.temporary(index)])
    if let found = places.first(where: Journal.isThere) {
      if index == left, found == rest, consumption?.isGone.first ?? true {
        throw Journal.refusal(ofCopy: rest)
      }
      return
    }
    let others = places.dropFirst().map { "\($0.lastComponent)" }.joined(separator: " or ")
    let which = others.isEmpty ? "" : ", or \(others), whichever was there"
    let clean = Leftovers.givingUp(file.path)
    throw CleaveError(
      .missingInput,
      places[0],
      "is missing: put it back\(which), and \(journal.remedy); \(clean) gives the job up"
    )
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
      isLeftToUser = true
      throw CleaveError(
        .changedInput,
        file.path,
        "was changed since the job was begun; \(journal.givingUp(self.file.path))"
      )
    }
  }

  /// The sum of a range of a file, as far as the file goes.
  func sum(
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
        source,
        file.path,
        start..<start + done.checksum.count,
        output,
        at: extent.offset + done.start
      )
    }
  }

  /// Compares a range of a source, but for its holes, with what was made of it.
  private func requireSame(
    _ index: Int,
    _ source: FilePath,
    _ range: Range<Int64>,
    _ output: FilePath,
    at offset: Int64
  ) throws(CleaveError) {
    let name = plan.sources[index].path
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
        // Copies may have zeros where what is left had holes.
        let isLeft = source != name && found.count == kept.count
        isSame =
          !found.isEmpty
          && (found == kept || isLeft && zip(found, kept).allSatisfy { $0 == $1 || $0 == 0 })
        position = try left.data(from: position + Int64(found.count))
      }
    } catch {
      throw .reading(error)
    }
    if isSame { return }
    let remedy: Sentence =
      source != name && judge.knows(part: index)
      ? "; with a good \(name.lastComponent) in its place, remove it" : ""
    throw CleaveError(
      .changedInput,
      source,
      "was changed since the job was begun: it is not freed\(remedy)"
    )
  }

  // MARK: Taking over

  /// Goes on with the file of a destination, or begins it anew.
  ///
  /// - Parameters:
  ///   - end: the place behind the last of its bytes that count.
  ///   - isComplete: whether all of them do, and no round writes to it again.
  private func take(
    _ index: Int,
    at place: FilePath?,
    end: Int64,
    isComplete: Bool
  ) throws(CleaveError) {
    let destination = plan.destinations[index]
    if destination.size == 0, journal.isPublishing, destination.isThere {
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
    if isComplete { try outputs.finish(index, size: destination.size) }
  }

  private func setPublished(_ index: Int) {
    outputs.wasPublished(index)
    published.insert(index)
    // With --force, what it replaced may still have the temporary's name.
    try? FileSystem.unlink(outputs.temporary(index))
  }
}
