package import Posix

/// What is known of one operand, and what merging it would do.
package struct SeriesInfo: Sendable {
  package let selection: Selection
  /// What merge would do, where it can be done.
  package private(set) var forecast: Forecast?
  /// Why that is the engine, where it would take one.
  package private(set) var choice: EngineChoice?
  /// Why it cannot be merged, or what is wrong with the zip.
  package private(set) var problem: CleaveError?
  /// What came of reading it, where that was asked; what is wrong is marked in its map.
  package var comparison: Verify.Result?

  /// Nil where all of its files have been shown: several parts of one series are one thing to show.
  ///
  /// - Parameter work: is told of doubts.
  /// - Throws: where the operand has no meaning.
  package init?(
    of part: Selection.Part,
    _ request: Selection.Request,
    _ work: WorkOptions,
    unless shown: PathSet
  ) throws(CleaveError) {
    try Consumption.refuseRest(part.path)
    do throws(CleaveError) {
      selection = try Selection.look(at: part, request)
    } catch {
      throw error.hinting(at: part.path, in: part.listing)
    }
    if names.allSatisfy(shown.contains) { return nil }
    do throws(CleaveError) {
      if let fault = selection.fault { throw fault }
      try lookAhead(work)
    } catch {
      problem = error.hinting(at: part.path, in: part.listing)
    }
  }

  /// A drawing of its parts; nil where it has none.
  package func map() throws(CleaveError) -> PartMap? {
    guard let files = selection.files else { return nil }
    var map = try PartMap(files, selection.archive)
    if let comparison { map.mark(comparison) }
    return map
  }

  /// The files that it is about.
  package var names: [FilePath] { Array(selection.names) + selection.stale }

  private mutating func lookAhead(_ work: WorkOptions) throws(CleaveError) {
    guard isPart, let files = selection.files else { return }
    try selection.checkStart(of: output)
    if let manifest = selection.layout, manifest.dealing != nil {
      try manifest.requireDealt(files.count)
      let choice = EngineChoice(.serial, "records that were dealt out are taken in turn")
      (self.choice, forecast) = (
        choice,
        Forecast(
          merging: selection.sources,
          choice.name,
          bytes: files.totalSize
        )
      )
      return try work.tellDoubts(of: selection)
    }
    let plan = try TransferPlan.merge(
      selection,
      files,
      into: output,
      keepsMarker: false,
      kinds: []
    )
    let choice = EngineChoice(Workload(of: plan))
    (self.choice, forecast) = (choice, Forecast(merging: plan, choice.name))
    try work.tellDoubts(of: selection)
  }

  /// Whether it is about parts, and not a file of its own.
  package var isPart: Bool { selection.isPart || selection.names.count > 1 }
  /// What merge would make, or the file itself.
  package var output: FilePath {
    guard isPart else { return selection.name }
    // What lies elsewhere is merged to the working directory.
    return (selection.defaultOutput ?? sharedName ?? selection.name).onThisMachine
  }
  /// The whole of parts in several directories by their names; nil of others.
  private var sharedName: FilePath? {
    selection.isPart ? nil : PartName.common(selection.names.map(\.lastComponent))?.base
  }
  /// Whether there is a name for what merge would make.
  package var hasOutput: Bool {
    !isPart || selection.defaultOutput != nil && !selection.isNamelessPiece
  }
  package var outputExists: Bool {
    hasOutput && (try? FileStatus.of(output, followingLinks: false)) != nil
  }

  package var parts: Forecast.Places { forecast?.parts ?? Forecast.Places(selection.files ?? []) }
  /// Bytes of what merge would make, or of the parts that are there.
  package var bytes: Int64 { forecast?.bytes ?? parts.reduce(0) { $0 &+ ($1.size ?? 0) } }
  package var space: Forecast.Space {
    Forecast.Space(
      in: output.directory,
      needed: isPart ? bytes : 0,
      largestFile: bytes
    )
  }
}
