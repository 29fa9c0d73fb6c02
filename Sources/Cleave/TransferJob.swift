public import Posix
import Synchronization

/// What came of a job.
public struct TransferReport: Hashable, Sendable {
  /// The engine that ran it.
  public var engine: EngineName
  /// Bytes written.
  public var bytes: Int64
  /// Bytes of those that share their blocks with a source, and took no space.
  public var sharedBytes: Int64 = 0
  /// The checksum of each extent, in the order of the plan; all empty if none were asked for.
  public var extents: [Checksum] = []
  /// The checksum of each destination.
  public var destinations: [Checksum] = []
  /// What was asked for.
  public var digests = Digests()
  /// The complete files, under the names that they have by now; empty for a stream.
  package internal(set) var temporaries: [FilePath] = []

  /// Of a job that has not summed anything.
  package init(engine: EngineName, bytes: Int64) {
    self.engine = engine
    self.bytes = bytes
  }

  /// The checksum of all destinations one after the other: of the whole that was split, or merged.
  public var whole: Checksum {
    destinations.reduce(into: .empty) { $0.append($1) }
  }
}

/// A plan, and everything needed to carry it out.
public struct TransferJob: Sendable {
  public var plan: TransferPlan
  public var engine: EngineName
  public var options = JobOptions()
  /// A stream that takes the place of the only destination; wants the serial engine.
  package var stream: StreamOutput?
  /// Digests to compute meanwhile.
  package var digesting: DigestRun.Task?
  /// Is told of the only output as soon as it has all its bytes, before they are flushed.
  package var proving: ProofRun?

  public init(_ plan: TransferPlan, engine: EngineName? = nil) {
    self.plan = plan
    self.engine = engine ?? AutomaticEngine(Circumstances(of: plan)).name
  }

  /// Makes every destination of the plan, or none.
  ///
  /// Blocks until it is done. The final names appear after everything has been written, checked and
  /// flushed, and after `approve` has not objected to the report.
  ///
  /// - Parameter others: the names of files that `approve` may return.
  /// - Parameter approve: compares the report with what is expected, and throws where it differs.
  ///   What it returns, such as a manifest, is published as files behind the destinations.
  /// - Throws: a ``CleaveError``; nothing is left then, but for an error that says "complete".
  public func run(
    publishing others: [FilePath] = [],
    approve: (TransferReport) throws(CleaveError) -> [NewFile] = { _ in [] }
  ) throws(CleaveError) -> TransferReport {
    let publication = Publication(options)
    let transfer = Transfer(plan, options, outputs: publication.outputs)
    publication.watch(transfer)
    if stream == nil { publication.outputs.tell(proving) }
    try publication.prepare(transfer, engine.engine, stream: stream, others: others)
    options.progress.expect(plan.totalBytes)
    var report = TransferReport(engine: engine, bytes: plan.totalBytes)
    let digests = try DigestRun.begin(digesting, plan, options) { transfer.fail($0) }
    defer { digests?.stop() }
    try publication.run(transfer) {
      engine.engine.run(transfer)
      return plan.destinationChecksums(transfer.checksums)
    } approve: { sums throws(CleaveError) in
      report.sharedBytes = transfer.sharedBytes
      report.extents = transfer.checksums
      report.destinations = sums
      try plan.requireUnreadUnchanged()
      report.digests = try digests?.finish(report) ?? Digests()
      report.temporaries = publication.outputs.temporaries
      return try approve(report)
    }
    return report
  }

  /// A small file that is published with the others.
  public struct NewFile: Hashable, Sendable {
    public var path: FilePath
    public var bytes: [UInt8]
    /// Whether it may be run by those who may read it.
    public var isExecutable: Bool

    public init(path: FilePath, bytes: [UInt8], isExecutable: Bool = false) {
      self.path = path
      self.bytes = bytes
      self.isExecutable = isExecutable
    }
  }
}

extension TransferPlan {
  /// Looks at the sources that no extent reads: what was planned by them must still be so.
  func requireUnreadUnchanged() throws(CleaveError) {
    var isRead = [Bool](repeating: false, count: sources.count)
    for extent in extents {
      if case .file(let index, _) = extent.source { isRead[index] = true }
    }
    for index in sources.indices where !isRead[index] {
      try Inputs.requireUnchanged(sources[index])
    }
  }

  /// The checksum of each source, for plans that read every source once and whole, as merges do.
  public func sourceChecksums(_ report: TransferReport) -> [Checksum] {
    if isOneToOne { return report.extents }
    var sums = [Checksum](repeating: .empty, count: sources.count)
    // Few plans have any that do not come in their order.
    var later: [Unread] = []
    func add(_ range: Unread) {
      guard range.offset == sums[range.source].count else { return later.append(range) }
      sums[range.source].append(range.checksum)
    }
    for (extent, sum) in zip(extents, report.extents) {
      guard case .file(let index, let offset) = extent.source else { continue }
      add(Unread(source: index, offset: offset, checksum: sum))
    }
    for range in unread { add(range) }
    for range in later.sorted(by: { $0.offset < $1.offset }) {
      sums[range.source].append(range.checksum)
    }
    return sums
  }

  /// Whether each source is one extent, in their order, so that the sums of both are the same list.
  private var isOneToOne: Bool {
    guard unread.isEmpty, extents.count == sources.count else { return false }
    return extents.indices.allSatisfy { extents[$0].source == .file($0, offset: 0) }
  }

  /// The checksums of the destinations, from those of the extents.
  func destinationChecksums(_ sums: [Checksum]) -> [Checksum] {
    var result = [Checksum](repeating: .empty, count: destinations.count)
    for (extent, sum) in zip(extents, sums) { result[extent.destination].append(sum) }
    return result
  }
}
