package import Posix

/// What a job would do: which bytes would go where, by which engine, and whether there is room for them.
package struct Forecast: Sendable {
  /// A file, and where its bytes lie in the whole.
  package struct Place: Sendable {
    package let path: FilePath
    /// Bytes; nil for a stream.
    package var size: Int64?
    /// Bytes from the start of the whole; nil where that is not known.
    package var offset: Int64?

    fileprivate init(_ path: FilePath, _ size: Int64? = nil, at offset: Int64? = nil) {
      (self.path, self.size, self.offset) = (path, size, offset)
    }

    fileprivate init(_ file: SourceFile) { self.init(file.path, file.status.size) }
  }

  /// Files in an order, each of which is made where it is asked for: there may be a million.
  package struct Places: RandomAccessCollection, Sendable {
    package let endIndex: Int
    private let place: @Sendable (Int) -> Place

    fileprivate init(_ count: Int, _ place: @escaping @Sendable (Int) -> Place) {
      (endIndex, self.place) = (count, place)
    }

    init(_ files: SourceFiles) { self.init(files.count) { Place(files[$0]) } }

    package var startIndex: Int { 0 }
    package subscript(index: Int) -> Place { place(index) }
  }

  /// The room for what would be made.
  package struct Space: Sendable {
    /// The type of the file system that it would be on, such as `ext4`, where that is known.
    package let fileSystem: String?
    /// Bytes at most; of a job that consumes its sources, those that it has not given back before.
    package let needed: Int64
    /// Bytes, where the file system counts them.
    package let free: Int64?
    /// Bytes of the largest file.
    package let largestFile: Int64

    /// Whether a file on FAT32 may be as large as that.
    package var fitsFAT32: Bool { largestFile <= OutputCheck.mostOnFAT32 }

    /// - Parameter directory: where the files would be.
    init(in directory: FilePath, needed: Int64, largestFile: Int64) {
      (self.needed, self.largestFile) = (needed, largestFile)
      fileSystem = (try? Host.fileSystem(at: directory)) ?? nil
      free = (try? FileSystem.available(at: directory)) ?? nil
    }
  }

  /// What can be gone on with.
  package struct Journaled: Sendable {
    package let journal: FilePath
    /// Bytes that a run which was interrupted has done.
    package let done: Int64
    /// Bytes that are made durable at a time.
    package let checkpoint: Int64
  }

  package let engine: EngineName
  /// Whether objects of a store would be made, which no engine does.
  package fileprivate(set) var isInStore = false
  /// Bytes that would be written, where that is known.
  package let bytes: Int64?
  /// What would be merged, or made, in order.
  package let parts: Places
  package fileprivate(set) var space: Space?
  /// How sources would be freed on the way; nil where they stay.
  package fileprivate(set) var reclaim: SourceReclaim?
  package fileprivate(set) var resumption: Journaled?
}

// MARK: - Places

extension Forecast {
  /// Of sources to one output, where some are streams, or records of all are taken in turn.
  init(merging sources: Selection.Sources, _ engine: EngineName, bytes: Int64?) {
    (self.engine, self.bytes) = (engine, bytes)
    parts = Places(sources.count) { index in
      let source = sources[index]
      return source.file.map { Place($0) } ?? Place(source.named?.path ?? "-")
    }
  }

  /// Of the sources of a plan to its only destination.
  init(merging plan: TransferPlan, _ engine: EngineName) {
    (self.engine, bytes) = (engine, plan.totalBytes)
    var starts = [Int64?](repeating: nil, count: plan.sources.count)
    for extent in plan.extents {
      guard case .file(let index, _) = extent.source else { continue }
      starts[index] = min(starts[index] ?? .max, extent.offset)
    }
    let places = Self.places(starts, end: plan.totalBytes)
    let sources = plan.sources
    parts = Places(sources.count) { index in
      Place(sources.paths[index], sources.statuses[index].size, at: places[index])
    }
  }

  /// Of the only source of a plan to its destinations.
  init(splitting plan: TransferPlan, _ engine: EngineName) {
    (self.engine, bytes) = (engine, plan.totalBytes)
    var starts = [Int64?](repeating: nil, count: plan.destinations.count)
    for extent in plan.extents {
      guard case .file(_, let offset) = extent.source,
        extent.destination == 0 || offset >= plan.header
      else { continue }
      starts[extent.destination] = min(starts[extent.destination] ?? .max, offset)
    }
    let places = Self.places(starts, end: plan.sources.first?.status.size ?? 0)
    let files = plan.destinations
    parts = Places(files.count) { Place(files[$0].path, files[$0].size, at: places[$0]) }
  }

  /// What has no bytes of the whole is where the next one begins.
  private static func places(_ starts: [Int64?], end: Int64) -> [Int64] {
    var next = end
    let places = starts.reversed().map { start in
      next = start ?? next
      return next
    }
    return places.reversed()
  }
}

// MARK: - Looking ahead

extension WorkOptions {
  /// Looks beforehand at what would stop a job that makes files, and adds what it needs, and what would
  /// become of its sources.
  ///
  /// - Parameters:
  ///   - output: what the job's journal is named after.
  ///   - reclaim: how sources are consumed, if they are.
  ///   - found: what an interrupted run has left, which was looked at when it began.
  ///   - listing: the names of some directory, which may be the output's.
  fileprivate func complete(
    _ forecast: inout Forecast,
    _ plan: TransferPlan,
    making output: FilePath,
    consuming reclaim: SourceReclaim? = nil,
    _ found: Resumption? = nil,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) {
    if output.isObject {
      forecast.isInStore = true
      var options = self.output
      if isResumable { options.replacesExisting = true }
      return try checkNames(plan, options)
    }
    let reclaim = consumes ? reclaim : nil
    if let found {
      if !found.isPublishing { try checkNames(plan, self.output) }
    } else {
      try check(plan, forecast.engine, making: output, consuming: reclaim, in: listing)
    }
    if let reclaim { tellConsumption(plan, reclaim) }
    forecast.reclaim = reclaim
    let done = found?.done ?? 0
    let ahead = found?.journal.ahead(beside: output) ?? 0
    let freed = reclaim?.space(for: plan, checkpoint, done: done, ahead: ahead)
    forecast.space = Forecast.Space(
      in: output.directory,
      needed: freed ?? max(0, plan.totalBytes - done - ahead),
      largestFile: plan.destinations.map(\.size).max() ?? 0
    )
    guard isStaged else { return }
    let journal = Journal.path(beside: output)
    forecast.resumption = Forecast.Journaled(journal: journal, done: done, checkpoint: checkpoint)
  }

  private func check(
    _ plan: TransferPlan,
    _ engine: EngineName,
    making output: FilePath,
    consuming reclaim: SourceReclaim?,
    in listing: DirectoryListing?
  ) throws(CleaveError) {
    try checkNames(plan, self.output)
    try OutputCheck.checkDirectory(of: output)
    try OutputCheck.checkSizes(of: plan.destinations)
    if !isStaged {
      let names = plan.destinations.map(\.path)
      try lookForLeftovers(of: names, output, from: plan.sources, in: listing)
    }
    if let reclaim {
      let old = (try? Journal.peek(beside: output)) ?? nil
      return try reclaim.check(plan, checkpoint, replacing: old)
    }
    // Where blocks may be shared, only the job itself finds out how much room it needs.
    if BlockSharing(sharing).mayShare(plan, engine) { return }
    try OutputCheck.checkSpace(for: plan.destinations, from: plan.sources)
  }

  private func checkNames(_ plan: TransferPlan, _ options: OutputOptions) throws(CleaveError) {
    let inputs = plan.sources.identities
    for file in plan.destinations { try OutputCheck.check(file.path, options, inputs: inputs) }
  }
}

extension Merge {
  /// What ``run()`` would do; nothing is written.
  ///
  /// - Throws: what would stop it, as far as that can be known.
  package func forecast() throws(CleaveError) -> Forecast {
    let prepared = try prepare()
    guard let plan = prepared.plan else {
      var forecast = Forecast(merging: selection.sources, prepared.engine, bytes: feed.size)
      if prepared.isStream { return forecast }
      let inputs = (selection.files ?? []).identities
      try OutputCheck.check(output, work.output, inputs: inputs)
      guard let size = feed.size else { return forecast }
      try OutputCheck.checkSpace(for: [DestinationFile(path: output, size: size)])
      forecast.space = Forecast.Space(in: output.directory, needed: size, largestFile: size)
      return forecast
    }
    var forecast = Forecast(merging: plan, prepared.engine)
    if prepared.isStream { return forecast }
    try work.complete(
      &forecast,
      plan,
      making: output,
      consuming: .parts,
      resumption,
      in: selection.listing
    )
    return forecast
  }
}

extension Split.Prepared {
  /// What ``run()`` would do; nil for a stream, which has no known length.
  ///
  /// - Throws: what would stop it, as far as that can be known.
  package func forecast() throws(CleaveError) -> Forecast? {
    guard let plan else { return nil }
    var forecast = Forecast(splitting: plan, engine)
    try split.work.complete(&forecast, plan, making: split.prefix, consuming: .tail, resumption)
    return forecast
  }
}

extension Repair.Prepared {
  /// What ``run()`` would do.
  ///
  /// - Throws: what would stop it, as far as that can be known.
  package func forecast() throws(CleaveError) -> Forecast {
    var forecast = Forecast(merging: plan, engine)
    try repair.work.complete(&forecast, plan, making: repair.output)
    return forecast
  }
}
