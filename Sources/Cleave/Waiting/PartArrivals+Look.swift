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
      if reason != error { tell(error) }
      reason = error
      return false
    }
  }

  private func select() throws(CleaveError) -> Selection {
    try Selection(of: [request.operand], request.selection)
  }

  /// Learns of parts that have come since, and of those that have grown.
  private func lookAtNames() throws(CleaveError) {
    let path = try Selection.part(for: request.operand, request.selection).path
    let before = state
    if let found = try PartSeries.containing(path, as: request.selection.reading.family) {
      series = KnownSeries(found)
      for part in found.parts { finished.note(part.path, part.status) }
      state = series?.state
    } else if let zip = try SplitZipSeries.containing(path) {
      let names = zip.numbers.map(zip.name) + (zip.last.map { [$0] } ?? [])
      let statuses = names.map { try? FileStatus.of($0) }
      state = statuses.hashValue
    } else {
      throw CleaveError(
        .badData,
        path,
        "is not named like a part of something, so that others could be awaited; \(.family(nil)) tells what it is"
      )
    }
    if state != before { schedule.didHappen() }
  }

  /// - Throws: where somebody is still at a part, or at the manifest.
  private func requireFinished(_ selection: Selection) throws(CleaveError) {
    let files = selection.files ?? []
    for (index, file) in files.enumerated() {
      let isTaken =
        taken.indices.contains(index) && taken[index].isSame(as: file)
      if !isTaken { try requireFinished(file.path) }
    }
    if let manifest = selection.manifest { try requireFinished(manifest.path) }
  }

  private func requireFinished(_ path: FilePath) throws(CleaveError) {
    if try finished.file(at: path) != nil { return }
    throw CleaveError(.missingInput, path, "is still being written")
  }

  /// - Throws: where more may come.
  private func requireEnd(_ selection: Selection) throws(CleaveError) {
    // More may come of one that is shorter than the others, whatever tells which is the last.
    if selection.manifest == nil, let files = selection.files,
      case .odd(let part) = SizePattern(Array(files.sizes)),
      !schedule.isQuiet, !schedule.isTimeUp
    {
      throw CleaveError(.missingInput, files.paths[part.index], "is not as long as the others")
    }
    if selection.evidence.isEndKnown { return }
    let file = selection.files?.last
    let isRested =
      schedule.isQuiet || schedule.isTimeUp && file.map(LookSchedule.hasRested) ?? true
    if selection.evidence.isEndLikely, isRested { return }
    let last = file?.path ?? request.operand
    throw CleaveError(
      .missingInput,
      last,
      "may not be the last part: nothing tells where the series ends, and \(.last(nil)) would"
    )
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
      let manifest = try? request.selection.manifest.manifest(beside: series.base)
    else { return series == nil && state == nil }
    let names = PathList(manifest.parts(of: series.base).lazy.map(\.name))
    let bounds = request.selection.reading.bounds
    guard !names.isEmpty, manifest.listsAllParts, try finished.file(at: manifest.path) != nil,
      let complete = try? series.requireComplete(named: names, bounds: bounds)
    else { return false }
    let files = complete.series.parts.files
    // Of a part that was closed and is not whole, more may come.
    if let size = manifest.partsSize(of: series.base, count: files.count), files.totalSize < size,
      !schedule.isQuiet
    {
      return false
    }
    for part in complete.series.parts where try finished.file(at: part.path) == nil { return false }
    return true
  }
}

extension Selection {
  /// Whether it was made of the same files.
  fileprivate func isSame(as other: Selection) -> Bool {
    guard let files, let others = other.files, manifest == other.manifest else { return false }
    return files.elementsEqual(others) { $0.isSame(as: $1) }
  }
}
