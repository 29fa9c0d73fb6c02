internal import Posix

/// What a split is to make: parts that no manifest beside them contradicts, and manifests of them.
struct SplitJudge: Judge {
  let split: Split
  /// Nil where the parts are those of a stream.
  var plan: TransferPlan?
  var whole: @Sendable (JobReport) -> Checksum = { $0.whole }

  func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
    let (sums, whole) = (report.destinations, whole(report))
    if plan == nil { try split.refuseStale(split.naming.existing(count: sums.count)) }
    try split.refuseManifests(ofOther: whole)
    let verdict = try plan.map { plan throws(CleaveError) in try split.proveEntries(plan, report) }
    let blocks = plan.map { split.blocks(of: $0, report) } ?? report.blocks
    return Judgement(
      verdict ?? Verdict(),
      split.files(sums, whole, header: report.header.count, report.digests, blocks)
        + split.scripts(sums, whole, report.digests)
    )
  }
}

extension Split {
  /// The sums of the blocks of each part; empty where none are wanted.
  fileprivate func blocks(of plan: TransferPlan, _ report: JobReport) -> [BlockSums?] {
    options.block.map { plan.blockSums(report, size: $0) } ?? []
  }

  /// Where it was asked for, tests the zip that the parts make before they get their names.
  fileprivate func proveEntries(
    _ plan: TransferPlan,
    _ report: JobReport
  ) throws(CleaveError) -> Verdict {
    var verdict = Verdict()
    guard work.verification == .entries else { return verdict }
    let names = plan.destinations.map(\.path)
    let run = ProofRun(
      named: PathList(names),
      work.jobOptions(kinds),
      isSplitZip: names.count > 1
    )
    verdict.add(try run.finish(Array(report.temporaries.prefix(names.count))))
    try verdict.requireRight()
    for gap in verdict.gaps { work.tell(.warning("\(prefix): \(gap)")) }
    return verdict
  }
}
