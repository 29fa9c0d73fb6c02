import Posix

/// Bad sources, and those that were changed: other files take their places.
extension StagedRun {
  /// The run before may have ended behind what it entered, and in front of judging it. Of a source that is gone, or is
  /// another file by now, nothing else tells.
  ///
  /// - Throws: `.changedInput` where what was entered is right, and the file has another size by now.
  func noteUnjudged() throws(CleaveError) {
    for (source, present) in (checkpoint.present ?? []).enumerated() where !isReplanned {
      guard !journal.bad.contains(source), let sum = consumption?.sum(ofDone: source, sums) else {
        continue
      }
      if judge.knows(part: source) {
        do throws(CleaveError) { try judge.judge(part: source, sum) } catch {
          try note(bad: source, error)
          continue
        }
      }
      guard present.file == nil, let other = present.other,
        other.status.identity.inode == journal.sources[source].inode,
        !journal.bad.contains(where: { $0 < source })
      else { continue }
      throw CleaveError(
        .changedInput,
        other.path,
        "was changed since the job was begun\(Journal.inTheWay)"
      )
    }
  }

  /// A list that was found may be that of another set, which has come since: what was read of sources that may be gone
  /// is not given up because of it.
  ///
  /// - Throws: `.badData` where it is not the one that the job was begun by, and objects to what was read.
  func requireKnownList() throws(CleaveError) {
    guard isOfOtherList else { return }
    for (source, present) in (checkpoint.present ?? []).enumerated() {
      guard !present.isReplaced else {
        throw CleaveError(
          .changedInput,
          plan.sources[source].path,
          "is another file than the job was begun with, and the list that tells of it is not what it was begun by: "
            + "put the one back that was there, or name the list with \(Setting.manifest)"
        )
      }
      guard judge.knows(part: source), let sum = consumption?.sum(ofDone: source, sums) else {
        continue
      }
      do throws(CleaveError) { try judge.judge(part: source, sum) } catch {
        throw ofOtherList(error)
      }
    }
  }

  /// Whether the list was only found, and is not the one that the job was begun by.
  private var isOfOtherList: Bool { checkpoint.list == .automatic && isNewList }

  private var isNewList: Bool { checkpoint.told.map { $0 != journal.told } ?? false }

  private func ofOtherList(_ error: CleaveError) -> CleaveError {
    let isMissed = journal.manifest != nil
    let text: Sentence =
      "; the list is not what the job was begun by: \(isMissed ? "put that back" : "move it away"), or name it with "
      + "\(Setting.manifest), or \(.withoutManifest) goes on without it"
    return CleaveError(error.kind, "\(error)\(text)")
  }

  /// All of a source is in the output, and it is not what it should be: it stays there until a better one
  /// has been read.
  ///
  /// - Throws: the error, with what ends it, where it is not known whether the list is of the same set.
  func note(bad source: Int, _ error: CleaveError) throws(CleaveError) {
    if isOfOtherList { throw ofOtherList(error) }
    guard journal.bad.insert(source).inserted else { return }
    try file.append([Journal.bad(source)], synchronizes: options.synchronizes)
  }

  /// Looks again at sources that were not what they should be. What is in the output of one stays until
  /// another file, in its place, has been read and is right.
  func replaceBad() throws(CleaveError) {
    // Of what was made of parts behind it, none may count any more.
    for source in journal.bad.sorted(by: >) where !isReplanned {
      guard let sum = consumption?.sum(ofDone: source, sums) else { continue }
      var objection: CleaveError?
      do throws(CleaveError) { try judge.judge(part: source, sum) } catch { objection = error }
      guard let objection else {
        if journal.hasReplaced, !judge.knows(part: source), !job.options.output.replacesExisting {
          throw CleaveError(
            .changedInput,
            plan.sources[source].path,
            "is not what a list says, by which other parts have been replaced: it may be of another set; put a "
              + "good one in its place, and compare with the list, or \(.replacing) goes on with what is there"
          )
        }
        // It is taken as it is, for good.
        try file.append([Journal.taken(source)], synchronizes: options.synchronizes)
        journal.bad.remove(source)
        continue
      }
      try requireUnnamed(source, objection)
      // The same file may have got other bytes.
      let present = checkpoint.present?[source]
      let whole = present?.file.flatMap { $0.path == plan.sources[source].path ? $0 : nil }
      guard let other = present?.other ?? whole else { throw told(objection, source) }
      try requireKept(source, sum, for: other)
      try replace(source, by: other)
    }
  }

  /// What was read of a bad source, and would go, may be what another should be: names may have been exchanged.
  ///
  /// - Throws: `.badData` where it is nowhere else.
  private func requireKept(
    _ source: Int,
    _ sum: Checksum,
    for other: SourceFile
  ) throws(CleaveError) {
    func isRight(_ part: Int, _ sum: Checksum?) -> Bool {
      guard let sum else { return false }
      do throws(CleaveError) { try judge.judge(part: part, sum) } catch { return false }
      return true
    }
    let owner = plan.sources.indices.first {
      $0 != source && judge.knows(part: $0) && isRight($0, sum)
    }
    guard let owner, !isRight(owner, consumption?.sum(ofDone: owner, sums)) else { return }
    let present = checkpoint.present?[owner]
    for file in [present?.file, present?.other].compactMap(\.self)
    where try isRight(owner, read(owner, file).whole) {
      return
    }
    let (name, its) = (
      plan.sources[source].path.lastComponent, plan.sources[owner].path.lastComponent
    )
    throw CleaveError(
      .badData,
      other.path,
      "cannot take its place alone: what was read as \(name) is what \(its) should be, and nothing else is: put "
        + "a good \(its) in its place, too, or \(.withoutManifest) goes on with what is there"
    )
  }

  /// Takes what is in the place of sources of which some is still to be read, where it is known to be right; where no list
  /// has ever told of them, also as it is.
  func replaceChanged() throws(CleaveError) {
    for (source, present) in (checkpoint.present ?? []).enumerated().reversed()
    where !journal.bad.contains(source) && !isReplanned {
      guard present.isReplaced, let other = present.other else { continue }
      let mayBeTaken =
        journal.told == nil && other.status.size == plan.sources[source].status.size
      guard judge.knows(part: source) || checkpoint.list == .none && mayBeTaken else {
        throw refusal(ofUnknown: other, mayBeTaken: mayBeTaken)
      }
      if !judge.knows(part: source) { try requireNoRest(other, source) }
      try SourceReclaim.check(other)
      try replace(source, by: other)
    }
  }

  /// - Throws: `.changedInput` where a file seems to be what is left of a source, of which some has been freed: it does not
  ///   take the place of what was made of that.
  private func requireNoRest(_ other: SourceFile, _ source: Int) throws(CleaveError) {
    let known = journal.sources[source]
    guard let done = journal.done.first(where: { plan.extents[$0.extent].sourceIndex == source })
    else { return }
    let start: [UInt8]
    do throws(SystemError) {
      let opened = try FileDescriptor.open(other.path, [.readOnly, .noFollow, .nonBlocking])
      let place = plan.extents[done.extent].sourceOffset + done.start
      if try sum(opened, place, done.checksum.count) == done.checksum { return }
      start = try opened.read(Int(Consumption.alignment), at: 0)
    } catch {
      throw .reading(error)
    }
    guard
      other.status.modified == Consumption.restTime(of: known.modified)
        || !known.isSparse && SourceReclaim.hasHoles(other) || !start.contains(where: { $0 != 0 })
    else { return }
    throw CleaveError(
      .changedInput,
      other.path,
      "seems to be what is left of the file that the job was begun with; under the name of "
        + "\(Consumption.rest(of: known.name)), \(journal.remedy)"
    )
  }

  private func refusal(ofUnknown other: SourceFile, mayBeTaken: Bool) -> CleaveError {
    var why: Sentence = "no manifest tells whether it is right"
    if case .file(let list) = checkpoint.list { why = "\(list) has no sum of it" }
    let end: Sentence = mayBeTaken ? ", or \(.withoutManifest) takes it as it is" : ""
    let text: Sentence =
      "was changed since the job was begun, and \(why); put back the one that was there, or name a list of CRC-32s "
      + "with \(Setting.manifest)"
    return CleaveError(.changedInput, other.path, text + end)
  }

  /// Nothing is written any more to what has its name.
  ///
  /// - Throws: `.badData` where that is so of what was made of a source.
  private func requireUnnamed(_ source: Int, _ error: CleaveError? = nil) throws(CleaveError) {
    let made = plan.extents.first { extent in
      extent.sourceIndex == source
        && !Journal.isThere(outputs.temporary(extent.destination))
        && Journal.isThere(plan.destinations[extent.destination].path)
    }
    guard journal.isPublishing, let made else { return }
    let (name, output) = (plan.sources[source].path, plan.destinations[made.destination].path)
    let why: Sentence = error.map { "\($0); " as Sentence } ?? ""
    let text: Sentence =
      "\(output) has its name already, with what was read of \(name.lastComponent): \(Leftovers.givingUp(file.path)) ends "
      + "the job, and leaves it as it is"
    throw CleaveError(.badData, why + text)
  }

  /// What was read of sources that are gone is not given up for a list that may be another set's: one that was named, and
  /// objects to sources of which nothing was read yet.
  ///
  /// - Throws: `.badData`.
  private func requireAgreement(for other: SourceFile) throws(CleaveError) {
    guard isNewList, !isAgreed, let consumption else { return }
    for (index, present) in (checkpoint.present ?? []).enumerated() {
      guard judge.knows(part: index), !journal.bad.contains(index), consumption.isWhole(index),
        consumption.sum(ofDone: index, sums) == nil, let file = present.file
      else { continue }
      let sum = try read(index, file).whole
      do throws(CleaveError) { try judge.judge(part: index, sum) } catch {
        let name = plan.sources[index].path.lastComponent
        let text: Sentence =
          "\(error): put a good \(name) in its place, too; or if the list is of another set, move it and "
          + "\(other.path.lastComponent) away"
        throw CleaveError(error.kind, text)
      }
    }
    isAgreed = true
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
    guard now == other.status else { throw .changed(other.path) }
    do { try judge.judge(part: source, sum) } catch { throw told(error, source) }
    // The plan was made from these, of which another sum may not have been computed then.
    let planned = plan.unread.filter { $0.source == source }
    guard unread.map(\.crc32) == planned.map(\.checksum.crc32) else {
      throw CleaveError(.badData, other.path, "has other headers than the one in whose place it is")
    }
    try requireUnnamed(source)
    try requireAgreement(for: other)
    try replaceGone(behind: source, other)
    if isReplanned { return }
    let first = journal.done.firstIndex { (plan.extents[$0.extent].sourceIndex ?? -1) >= source }
    let count = first ?? journal.done.count
    // It must be on its device before the journal gives up what is in the output, and what is left of the
    // bad one must not come back.
    try synchronize(other)
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

  private func synchronize(_ other: SourceFile) throws(CleaveError) {
    let opened = try Consumption.open(other.path)
    do { try opened.synchronize() } catch { throw .reading(error) }
    try DirectorySync(of: [other.path]).run()
  }

  /// Nothing counts any more that is done of sources behind one that is replaced: those that are other files by now
  /// are replaced before it.
  private func replaceGone(behind source: Int, _ other: SourceFile) throws(CleaveError) {
    let behind = Set(journal.done.compactMap { plan.extents[$0.extent].sourceIndex }).filter {
      $0 > source && consumption?.isWhole($0) == false
    }
    guard behind.allSatisfy({ judge.knows(part: $0) }) else {
      throw CleaveError(
        .badData,
        other.path,
        "cannot take its place any more: parts behind it are gone; "
          + "\(.withoutManifest) goes on with what is there"
      )
    }
    for index in behind.sorted(by: >) where !isReplanned {
      guard let next = checkpoint.present?[index].other else {
        let name = plan.sources[index].path.lastComponent
        throw CleaveError(
          .badData,
          other.path,
          "cannot take its place alone, since \(name) is gone: put a good \(name) in its place, too, or "
            + "\(.withoutManifest) goes on with what is there"
        )
      }
      try SourceReclaim.check(next)
      try replace(index, by: next)
    }
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
    try reading { () throws(SystemError) in
      let opened = try FileDescriptor.open(other.path, [.readOnly, .noFollow, .nonBlocking])
      var unread: [Checksum] = []
      for range in plan.unread where range.source == source {
        unread.append(try sum(opened, range.offset, range.checksum.count))
      }
      return (try sum(opened, 0, other.status.size), unread, try opened.status())
    }
  }
}
