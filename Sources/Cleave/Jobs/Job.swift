package import Posix

/// A plan, and everything needed to carry it out: the only way from sources to files that have their
/// final names.
public struct Job: Sendable {
  public var plan: TransferPlan
  public var engine: EngineName
  public var options = JobOptions()
  /// A stream that takes the place of the only destination; for engines that take streams.
  public var stream: StreamOutput?
  /// Digests to compute meanwhile.
  package var digesting: DigestRun.Task?
  /// Begins with the plan, or where an earlier run has made some of it, as soon as the only output has all
  /// its bytes, before they are flushed.
  package var proving: ProofRun?
  /// How the job can be gone on with after it was interrupted; nil where it cannot.
  package var checkpoint: Checkpoint?
  /// Whether objects of a store that are there and right are left, and what others have begun of them is given
  /// up.
  package var goesOnInStore = false
  /// Whether a store that has the sources, too, copies from them.
  package var copiesInStore = false
  /// Whether what a store has copied, and tells no sums of, is read to have them.
  package var readsUnsummed = false
  /// The names of all sidecars that the judge may want.
  package var sidecars: [FilePath] = []

  public init(_ plan: TransferPlan, engine: EngineName? = nil) {
    self.plan = plan
    self.engine = engine ?? EngineChoice(Workload(of: plan)).name
  }

  /// A job whose sources a ``Feed`` has.
  package init(engine: EngineName = .serial) { (plan, self.engine) = (TransferPlan(), engine) }

  /// What moves the bytes.
  var mover: any Engine { options.customEngine ?? engine.engine }
  var reportedEngine: EngineName? { options.customEngine == nil ? engine : nil }

  /// Makes every destination of the plan, or none.
  ///
  /// Blocks until it is done. The final names appear after everything has been written, checked and
  /// flushed.
  ///
  /// - Throws: a ``CleaveError``; nothing is left then, but for an error that says "complete".
  public func run() throws(CleaveError) -> JobReport {
    try run(judgedBy: UndemandingJudge()).report
  }

  /// The same with what was made compared with what is expected, before it gets its names.
  ///
  /// - Parameter feed: sources that the plan does not have; digests are then those that `digesting` asks
  ///   for, taken as the bytes pass.
  /// - Throws: a ``CleaveError``. Where anything is kept to go on with, it says so.
  package func run(
    _ feed: Feed? = nil,
    judgedBy judge: any Judge
  ) throws(CleaveError) -> Outcome {
    try options.settings.requireSound()
    if plan.destinations.first?.path.isRemote ?? false { return try UploadJob(self).run(judge) }
    return try JobRun.run(self, feed, judge)
  }
}

/// What came of a job.
public struct Outcome: Hashable, Sendable {
  public var report: JobReport
  /// What was compared with what.
  public var verdict: Verdict
  /// What has its final name now: the outputs in their order, and behind them manifests and scripts. Empty where it
  /// went to a stream, or to filters.
  public internal(set) var paths: [FilePath] = []
}

/// What is to be true of what a job makes.
package protocol Judge {
  /// Compares what was made with it, before it gets its names.
  ///
  /// - Throws: where it differs; nothing gets its name then.
  func judge(_ report: JobReport) throws(CleaveError) -> Judgement

  /// Compares a source that is to be freed, all of whose bytes are in the output, with what it should be.
  ///
  /// - Throws: where it differs; it is not freed then.
  func judge(part: Int, _ checksum: Checksum) throws(CleaveError)

  /// Whether it knows what a source should be.
  func knows(part: Int) -> Bool

  /// The CRC-32 that the only destination should have; nil where nothing tells it.
  var wholeCRC32: UInt32? { get }
}

extension Judge {
  package func knows(part: Int) -> Bool { false }
  package func judge(part: Int, _ checksum: Checksum) throws(CleaveError) {}
  package var wholeCRC32: UInt32? { nil }
}

/// What came of comparing, and what is published with what was compared.
package struct Judgement {
  package var verdict = Verdict()
  package var sidecars: [Sidecar] = []

  package init(_ verdict: Verdict = Verdict(), _ sidecars: [Sidecar] = []) {
    (self.verdict, self.sidecars) = (verdict, sidecars)
  }
}

/// Nothing but that all bytes are there.
package struct UndemandingJudge: Judge {
  package init() {}
  package func judge(_ report: JobReport) throws(CleaveError) -> Judgement { Judgement() }
}

/// A small file that is published behind the outputs, such as a manifest.
package struct Sidecar: Hashable, Sendable {
  package var path: FilePath
  package var bytes: [UInt8]
  /// Whether it may be run by those who may read it.
  package var isExecutable: Bool

  package init(path: FilePath, bytes: [UInt8], isExecutable: Bool = false) {
    (self.path, self.bytes, self.isExecutable) = (path, bytes, isExecutable)
  }
}
