import Posix

extension PartArrivals {
  /// Looks at everything that is there. Returns whether it is all.
  func look() throws(CleaveError) -> Bool {
    let start = schedule.willLook()
    defer { schedule.didLook(since: start) }
    do throws(CleaveError) {
      try lookAtNames()
      let selection = try select()
      try requireFinished(selection)
      try requireEnd(selection)
      // Until a moment ago somebody may have been at what was read first.
      guard try select().isSame(as: selection) else {
        schedule.isChanged = true
        return false
      }
      self.selection = selection
      return true
    } catch {
      if try isFinal(error) { throw error }
      if reason != error { tell(error.message) }
      reason = error
      return false
    }
  }

  private func select() throws(CleaveError) -> MergeSelection {
    try MergeSelection(
      [request.operand],
      manifest: request.manifest,
      format: request.format,
      reading: request.reading
    )
  }

  /// Learns of parts that have come since, and of those that have grown.
  private func lookAtNames() throws(CleaveError) {
    let given = try OperandMeaning([request.operand], request.manifest, request.reading.family)
    let path = given.operands[0]
    let before = state
    if let found = try PartSeries.containing(path, as: request.reading.family) {
      series = KnownSeries(found)
      for part in found.parts { finished.note(part.path, part.status) }
      state = series?.state
    } else if let zip = try SplitZipSeries.containing(path) {
      let names = zip.numbers.map(zip.name) + (zip.last.map { [$0] } ?? [])
      let statuses = names.map { try? FileStatus.ifPresent($0) }
      state = statuses.hashValue
    } else {
      throw CleaveError(
        .badData,
        path,
        "is not named like a part of something, so that others could be awaited; --as tells what it is"
      )
    }
    if state != before { schedule.didHappen() }
  }

  /// - Throws: where somebody is still at a part, or at the manifest.
  private func requireFinished(_ selection: MergeSelection) throws(CleaveError) {
    let files = selection.files ?? []
    for (index, file) in files.enumerated() {
      let isTaken =
        taken.indices.contains(index) && taken[index].path == file.path
        && taken[index].status.isSameState(as: file.status)
      if !isTaken { try requireFinished(file.path) }
    }
    if let manifest = selection.manifest { try requireFinished(manifest.path) }
  }

  private func requireFinished(_ path: FilePath) throws(CleaveError) {
    if try finished.file(at: path) != nil { return }
    throw CleaveError(.missingInput, path, "is still being written")
  }

  /// - Throws: where more may come, unless nothing has for too long.
  private func requireEnd(_ selection: MergeSelection) throws(CleaveError) {
    if selection.evidence.isEndKnown || schedule.isTimeUp { return }
    if selection.evidence.isEndLikely, schedule.isQuiet { return }
    if let doubt = selection.evidence.suspicions.first { throw doubt }
    let last = selection.files?.last?.path ?? request.operand
    throw CleaveError(.missingInput, last, "may not be the last part")
  }

  /// Whether what is wrong now will be wrong whatever comes.
  private func isFinal(_ error: CleaveError) throws(CleaveError) -> Bool {
    switch error.kind {
    case .missingInput, .changedInput: return false
    case .badData: break
    default: return true
    }
    guard try isListedAndThere() else { return false }
    do throws(CleaveError) {
      // The manifest may not have been all there when it was read first.
      try lookAtNames()
      _ = try select()
      return false
    } catch let again {
      return again == error
    }
  }

  /// Whether every part is there that a manifest names: what is wrong then, waiting does not mend.
  private func isListedAndThere() throws(CleaveError) -> Bool {
    guard let series = series?.parts,
      let manifest = try? request.manifest.manifest(beside: series.base)
    else { return series == nil && state == nil }
    let names = manifest.parts(of: series.base).map(\.name)
    guard !names.isEmpty, try finished.file(at: manifest.path) != nil,
      let complete = try? series.requireComplete(named: names, bounds: request.reading.bounds)
    else { return false }
    for part in complete.series.parts where try finished.file(at: part.path) == nil { return false }
    return true
  }
}

extension MergeSelection {
  /// Whether it was made of the same files.
  fileprivate func isSame(as other: MergeSelection) -> Bool {
    guard let files, let others = other.files, manifest == other.manifest else { return false }
    return files.elementsEqual(others) {
      $0.path == $1.path && $0.status.isSameState(as: $1.status)
    }
  }
}
