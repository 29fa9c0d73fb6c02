import Posix

/// Beginning: what is in the way is looked at, and the journal is there before a temporary is.
extension StagedRun {
  func begin() throws(CleaveError) {
    try plan.sources.requirePinned(for: .resuming)
    try requireNothingLost()
    try OutputCheck.checkSizes(of: plan.destinations)
    if let manner = checkpoint.consumption {
      try manner.check(plan, checkpoint.size, replacing: file.found)
      for (index, source) in plan.sources.enumerated() {
        journal.sources[index].isSparse = SourceReclaim.hasHoles(source)
      }
      try claim(plan.sources.lazy.map { $0 })
    }
    if options.replacesExisting {
      try journal.noteFormer(at: plan.destinations.map(\.path) + job.sidecars)
    }
    hasBegun = true
    removeOld()
    // Before there is a temporary: a journal that knows of it.
    let frees = checkpoint.consumption != nil
    journal.job = TemporaryName.job(like: outputs.job, freesSources: frees)
    outputs.goOn(with: journal.job)
    journal.home = ProcessState.realPath(of: file.path.directory)
    try file.begin(journal, synchronizes: options.synchronizes)
    for signpost in signposts { signpost.put() }
    try requireRoom()
    try makeOwnBytes()
  }

  /// Sources that are freed make room themselves, and one that becomes an output shares nothing.
  private func requireRoom() throws(CleaveError) {
    let whole = Transfer(plan, job.options, outputs: outputs, sharing: sharing)
    if consumption == nil {
      try sharing.requireRoom(for: whole, job.mover)
    } else if left == nil {
      try sharing.requireSharing(for: whole, job.mover)
    }
  }

  /// - Throws: `.cannotCreate` where an interrupted job could still be gone on with, or has the only copy
  ///   of something.
  private func requireNothingLost() throws(CleaveError) {
    guard let old = file.found else { return try requireNoOrphans() }
    if old.hasProgress { throw file.refusal("was begun by a run with other operands") }
    if old.isOnlyCopy(beside: plan.destinations[0].path, plan.sources) {
      throw CleaveError(
        .cannotCreate,
        file.path,
        "does not say what was done, and not all sources are what they were; "
          + "\(Journal.remedyWithoutEntries(file.path))"
      )
    }
  }

  /// - Throws: `.cannotCreate` where a run that freed its sources has left temporaries, and its journal is
  ///   gone or has lost its beginning.
  private func requireNoOrphans() throws(CleaveError) {
    let home = file.path.directory
    guard let groups = try? Leftovers(in: home).groups else { return }
    let stem = Leftovers.stem(of: file.path)
    for group in groups where group.isOrphan {
      guard let path = group.paths.first, path.lastComponent.bytes.starts(with: stem) else {
        continue
      }
      throw CleaveError(
        .cannotCreate,
        path,
        "may be the only copy of data, and its journal is gone or damaged; "
          + "\(Leftovers.remedyOfOrphans(path))"
      )
    }
  }

  /// Removes what a job has left that came to nothing.
  private func removeOld() {
    guard let old = file.found else { return }
    let unfinished = JournalFile.successor(of: file.path, job: old.job)
    for path in old.temporaries(beside: plan.destinations[0].path) + [unfinished] {
      try? FileSystem.unlink(path)
    }
  }

  /// Writes what the plan has of its own, before anything else: it may have been made from sources
  /// that will be gone.
  private func makeOwnBytes() throws(CleaveError) {
    var done: [Journal.Done] = []
    for (index, extent) in plan.extents.enumerated() {
      guard let bytes = try extent.source.bytes(),
        case .file(let output) = try outputs.open(
          extent.destination,
          reserving: !sharing.savesRoom
        )
      else { continue }
      var sum = Checksum.empty
      var failure: SystemError?
      bytes.withUnsafeBytes { bytes in
        sum.update(bytes, job.options.kinds)
        do throws(SystemError) { try output.write(bytes, at: extent.offset) } catch {
          failure = error
        }
      }
      if let failure { throw .writing(failure.about(output.path)) }
      done.append(Journal.Done(extent: index, start: 0, checksum: sum))
    }
    if done.isEmpty { return }
    for index in Set(done.map { plan.extents[$0.extent].destination }) { try outputs.flush(index) }
    try enter(done)
    // From now on they are read from where they are: what they were made of may go.
    job.plan = try journal.plan(
      sources: plan.sources.paths,
      beside: plan.destinations[0].path
    )
  }
}
