public import Posix

/// Puts a zip right that was made by concatenating the parts of a split zip.
///
/// Its offsets count from the start of each part. Where the parts began is found out from the entries, and
/// the offsets are written anew; the parts are not needed.
public struct Repair: Work {
  public let file: FilePath
  public let output: FilePath
  public var work: WorkOptions
  /// Leaves the four bytes at the front of a split zip that mark it.
  public var keepsMarker = false

  /// - Parameters:
  ///   - file: the concatenated parts.
  ///   - output: nil for `NAME.repaired.zip` beside the file.
  ///   - work: how it is carried out.
  public init(_ file: FilePath, into output: FilePath? = nil, _ work: WorkOptions = WorkOptions()) {
    self.file = file
    let local = file.onThisMachine
    self.output = output ?? SplitZipSeries(naming: local, like: local, ".repaired").lastName
    self.work = work
  }

  /// What a repair is to do.
  package struct Prepared: Sendable {
    package let repair: Repair
    package let plan: TransferPlan
    package let engine: EngineName
    /// How many parts there were.
    package let disks: Int64
    package let entries: Int64
  }

  /// Makes the zip.
  ///
  /// Blocks until it is done.
  ///
  /// - Throws: a ``CleaveError``; `.badData` where the file is no such zip.
  public func run() throws(CleaveError) -> Outcome { try prepare().run() }

  /// Finds out where the parts began.
  package func prepare() throws(CleaveError) -> Prepared {
    try work.requireSound()
    try Journal.requireNonePublished([output])
    let sources: SourceFiles = [try SourceFile(examining: file)]
    let repair: ZipRepair
    do throws(CleaveError) {
      repair = try ZipRepair(JoinedBytes(sources))
    } catch {
      guard error.kind == .badData, error.system == nil,
        let parts = try SplitZipSeries.containing(file), !parts.numbered.isEmpty
      else { throw error }
      let way: Sentence = "\(.merging(parts.lastName)) puts its parts together"
      throw CleaveError(.badData, file, "is a part of a split zip: \(way)")
    }
    let join = try ZipJoin(
      repair.archive,
      from: sources,
      into: output,
      keepsMarker: keepsMarker,
      repairs: repair.repairs,
      kinds: []
    )
    for note in repair.archive.notes.lines { work.tell(.remark("\(output): \(note)")) }
    return Prepared(
      repair: self,
      plan: join.plan,
      engine: try work.engine(for: join.plan, kinds: kinds),
      disks: Int64(repair.disks),
      entries: repair.archive.summary.entries
    )
  }

  package var kinds: Checksum.Kinds { work.verification == .none ? [] : [.crc32] }
}

extension Repair.Prepared {
  /// Makes what was prepared.
  package func run() throws(CleaveError) -> Outcome {
    let work = repair.work
    var job = Job(plan, engine: engine)
    job.options = work.jobOptions(repair.kinds)
    if work.verification.looksInside {
      job.proving = ProofRun(named: [repair.output], job.options, isZip: true)
    }
    let verdict = work.verification == .none ? Verdict.waived : Verdict()
    return try job.run(judgedBy: RightContent(proving: job.proving, verdict: verdict))
  }
}

/// What is made is right by what it holds.
private struct RightContent: Judge {
  let proving: ProofRun?
  var verdict: Verdict

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    var verdict = verdict
    verdict.add(try proving?.finish(report.temporaries))
    try verdict.requireRight()
    return Judgement(verdict)
  }
}
