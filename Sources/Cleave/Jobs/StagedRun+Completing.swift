import Posix

/// What is done when all rounds are.
extension StagedRun {
  func complete() throws(CleaveError) -> JobReport {
    for (index, destination) in plan.destinations.enumerated()
    where destination.size == 0 && index != left && !published.contains(index) {
      _ = try outputs.open(index)
      try outputs.finish(index, size: 0)
    }
    if let left, !published.contains(left) { try adoptSource(as: left) }
    if let consumption {
      try consumption.requireUnreadUnchanged()
    } else {
      try plan.requireUnreadUnchanged()
    }
    return JobReport(engine: job.reportedEngine, plan, sums)
  }

  /// What is left of the source is the first part: it is summed, and gets its name with the others.
  private func adoptSource(as index: Int) throws(CleaveError) {
    guard let consumption, let source = consumption.sources.first else { return }
    let opened = try consumption.open(0)
    let size = plan.destinations[index].size
    let done: [Journal.Done]
    let found: Int64
    do throws(SystemError) {
      done = try sum(index, in: opened)
      found = try opened.status().size
    } catch {
      throw .reading(error)
    }
    guard found == size, done.reduce(0, { $0 + $1.checksum.count }) == size else {
      throw CleaveError(.changedInput, source.path, "was changed while it was being split")
    }
    try outputs.adopt(index, at: source.path, isGiven: true)
    try outputs.finish(index, size: size, isMade: false)
    // What was summed is what gets the name.
    _ = try consumption.open(0)
    let isEntered = journal.done.contains { plan.extents[$0.extent].destination == index }
    if !done.isEmpty, !isEntered { try enter(done) }
  }

  /// Reads the extents of a destination from a file that has all of its bytes.
  private func sum(
    _ index: Int,
    in file: borrowing FileDescriptor
  ) throws(SystemError) -> [Journal.Done] {
    var done: [Journal.Done] = []
    for (number, extent) in plan.extents.enumerated() where extent.destination == index {
      let sum = try Checksum(
        reading: file,
        from: extent.offset,
        upTo: extent.length,
        kinds: job.options.kinds,
        isCancelled: { job.options.cancellation.isCancelled },
        progress: job.options.progress
      )
      done.append(Journal.Done(extent: number, start: 0, checksum: sum))
    }
    return done
  }

  /// Removes the temporary of a sidecar that an earlier run has left, which was interrupted behind it.
  func makeWay(for sidecar: Sidecar, _ index: Int) throws(CleaveError) {
    do throws(SystemError) {
      try FileSystem.unlink(outputs.temporary(index))
    } catch  where error.errno == .notFound {
    } catch {
      throw .writing(error.about(sidecar.path))
    }
  }

  /// Whether an earlier run has made a sidecar and given it its name.
  func hasPublished(_ file: Sidecar) -> Bool {
    guard journal.isPublishing,
      let opened = try? FileDescriptor.open(file.path, [.readOnly, .noFollow, .nonBlocking]),
      let bytes = try? opened.read(file.bytes.count + 1, at: 0)
    else { return false }
    return bytes == file.bytes
  }
}
