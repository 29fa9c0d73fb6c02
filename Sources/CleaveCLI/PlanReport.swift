import Cleave
import CommandLineKit
import Posix

/// What a dry run tells: which bytes would go where, how, and whether there is room for them.
struct PlanReport: Encodable {
  let event = "plan"
  let command: String
  let engine: String
  /// Bytes that would be written, where that is known.
  let bytes: Int64?
  /// What would be merged, or made, in order; each with its place in the whole.
  let parts: [JSONReport.File]
  /// What would be split.
  var source: JSONReport.File?
  /// What would be made of the parts.
  var output: JSONReport.File?
  /// What would be compared with, or made.
  var manifest: JSONReport.Name?
  /// All that split would write.
  var manifests: [JSONReport.Name]?
  /// Scripts that would be made, too.
  var joiners: [JSONReport.Name]?
  /// What the operands are: `file`, `files`, `series`, `zip`, `zip in pieces` or `split zip`.
  var kind: String?
  /// Of the zip.
  var entries: Int64?
  var space: SpaceReport?
  /// What would be freed on the way: `parts`, or the `source`.
  var consumes: String?
  var resumption: Resumption?

  /// What can be gone on with.
  struct Resumption: Encodable {
    let journal: JSONReport.Name
    /// Bytes that a run which was interrupted has done.
    let done: Int64
    /// Bytes that are made durable at a time.
    let checkpoint: Int64
  }

  /// Of sources, some of which may be streams, to one output.
  init(_ command: String, merging sources: [JSONReport.File], _ engine: EngineName) {
    (self.command, self.engine, parts) = (command, engine.rawValue, sources)
    bytes = nil
  }

  /// Of the sources of a plan to its only destination.
  init(_ command: String, merging plan: TransferPlan, _ engine: EngineName) {
    (self.command, self.engine, bytes) = (command, engine.rawValue, plan.totalBytes)
    var starts = [Int64?](repeating: nil, count: plan.sources.count)
    for extent in plan.extents {
      guard case .file(let index, _) = extent.source else { continue }
      starts[index] = min(starts[index] ?? .max, extent.offset)
    }
    parts = zip(plan.sources, Self.places(starts, end: plan.totalBytes)).map { source, place in
      JSONReport.File(source.path, bytes: source.status.size, offset: place)
    }
    output = plan.destinations.first.map { JSONReport.File($0.path, bytes: $0.size) }
  }

  /// Of the only source of a plan to its destinations.
  init(_ command: String, splitting plan: TransferPlan, _ engine: EngineName) {
    (self.command, self.engine, bytes) = (command, engine.rawValue, plan.totalBytes)
    var starts = [Int64?](repeating: nil, count: plan.destinations.count)
    for extent in plan.extents {
      guard case .file(_, let offset) = extent.source else { continue }
      starts[extent.destination] = min(starts[extent.destination] ?? .max, offset)
    }
    let source = plan.sources.first
    let end = source?.status.size ?? 0
    parts = zip(plan.destinations, Self.places(starts, end: end)).map { part, place in
      JSONReport.File(part.path, bytes: part.size, offset: place)
    }
    self.source = source.map { JSONReport.File($0.path, bytes: $0.status.size) }
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

  /// For people, below the line that says what is made of what.
  fileprivate var lines: [String] {
    var lines = parts.map { part in
      let size = part.bytes.map { ByteSize.described($0) } ?? "unknown size"
      return "  \(part.path)  \(size)\(part.offset.map { " at \($0)" } ?? "")"
    }
    lines += space?.lines ?? []
    if let resumption {
      let done = resumption.done > 0 ? ", \(resumption.done) bytes are there" : ""
      let checkpoint = ByteSize.described(resumption.checkpoint)
      lines.append("  journal   \(resumption.journal), a checkpoint every \(checkpoint)\(done)")
    }
    return lines
  }
}

extension Session {
  /// Looks beforehand at what would stop a job that makes files, and adds to the report what it needs,
  /// and what would become of its sources.
  ///
  /// - Parameters:
  ///   - output: what the job's journal is named after.
  ///   - manner: how sources are consumed; nil where they stay.
  ///   - found: what an interrupted run has left, which was looked at when it began.
  func complete(
    _ report: inout PlanReport,
    _ plan: TransferPlan,
    _ engine: EngineName,
    making output: FilePath,
    consuming manner: SourceReclaim? = nil,
    _ found: Resumption? = nil
  ) throws(CleaveError) {
    if found == nil { try check(plan, engine, making: output, consuming: manner) }
    if let manner {
      work.tellConsumption(plan, manner)
      report.consumes = manner == .parts ? "parts" : "source"
    }
    let done = found?.done ?? 0
    let there = max(done, found?.journal.allocated(beside: output) ?? 0)
    let freed = manner?.space(for: plan, settings.checkpoint, done: there)
    report.space = SpaceReport(
      in: output.directory,
      needed: freed ?? max(0, plan.totalBytes - there),
      largestFile: plan.destinations.map(\.size).max() ?? 0
    )
    guard settings.isStaged else { return }
    report.resumption = PlanReport.Resumption(
      journal: JSONReport.Name(Journal.path(beside: output)),
      done: done,
      checkpoint: settings.checkpoint
    )
  }

  private func check(
    _ plan: TransferPlan,
    _ engine: EngineName,
    making output: FilePath,
    consuming manner: SourceReclaim?
  ) throws(CleaveError) {
    let paths = plan.destinations.map(\.path)
    let inputs = plan.sources.identities
    for path in paths { try OutputCheck.check(path, settings.outputOptions, inputs: inputs) }
    try OutputCheck.checkDirectory(of: output)
    try OutputCheck.checkSizes(of: plan.destinations)
    if !settings.isStaged { try work.lookForLeftovers(of: paths, output) }
    if let manner { return try manner.check(plan, settings.checkpoint) }
    try requireRoom(for: plan, engine)
  }

  /// - Parameter headline: what is made of what, for people.
  func show(_ report: PlanReport, _ headline: String) throws(CleaveError) {
    if settings.writesJSON { return try write(report) }
    for line in [headline] + report.lines { try console.report(line) }
  }
}
