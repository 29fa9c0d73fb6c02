import Posix

/// A job that is gone on with.
extension Selection {
  /// The parts of a job that a journal tells of, some of which may be gone.
  ///
  /// - Parameters:
  ///   - plan: the journal's.
  ///   - journal: that of the job.
  ///   - request: what the command line says by now.
  /// - Throws: what reading the manifest reports.
  package init(
    goingOn plan: TransferPlan,
    _ journal: Journal,
    _ request: Request
  ) throws(CleaveError) {
    self.init()
    let paths = plan.sources.paths
    (kind, entries) = (journal.content?.kind ?? .series, journal.content?.entries)
    sources = Sources(plan.sources)
    base = journal.base.flatMap { name in paths.first?.sibling(name) }
    // One that is found by itself, and was not there when the job was begun, may be the job's own.
    let isNew = journal.manifest == nil && request.manifest == .automatic
    manifest = isNew ? nil : try request.manifest.manifest(beside: base)
    if let told = journal.manifest, request.manifest == .automatic,
      manifest?.path.lastComponent != told, let first = paths.first
    {
      throw CleaveError(
        .missingInput,
        first.sibling(told),
        "is what the job was begun by, and is not there or says nothing of the parts any more: put it back, "
          + "or \(.withoutManifest) goes on without it"
      )
    }
    defaultOutput = plan.destinations.first?.path
    if request.reading.bounds != PartSeries.Bounds(),
      let listed = base.flatMap({ manifest?.parts(of: $0) })
    {
      let names = PathSet(paths.lazy.map(\.lastComponent))
      leftOut = PathList(listed.lazy.map(\.name).filter { !names.contains($0) })
    }
    let isRaw = request.format == .raw
    makesWhole = !isPiece && !(isRaw && paths.contains { SplitZipName($0.lastComponent) != nil })
  }

  /// For the journal of a job that begins.
  package var recorded: Journal.Content? {
    guard kind.isZip, let entries else { return nil }
    return Journal.Content(kind: kind, entries: entries)
  }
}
