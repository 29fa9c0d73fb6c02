internal import Posix

extension Split.Prepared {
  /// Makes what was prepared.
  package func run() throws(CleaveError) -> Outcome {
    // The copy of standard input goes with it.
    defer { withExtendedLifetime(input) {} }
    if let filter = split.options.filter {
      return Outcome(report: try FilterRun(split, filter).run(plan, header), verdict: Verdict())
    }
    let outcome = try makeFiles()
    // None has its name for good before all have theirs.
    for (number, sum) in outcome.report.destinations.enumerated() {
      split.work.tell(.finishedPart(split.naming.name(number), sum, split.kinds))
    }
    let parts = outcome.report.destinations.indices.lazy.map(split.naming.name)
    if let first = parts.first, !first.isRemote,
      let listing = try? DirectoryListing(of: first.directory)
    {
      ShareReceipt.removeAll(of: parts, in: listing)
      NamingMark.removeAll(of: parts, in: listing)
      Journal.removeAll(of: parts, in: listing)
    }
    return outcome
  }

  private func makeFiles() throws(CleaveError) -> Outcome {
    let (work, options) = (split.work, split.work.jobOptions(split.kinds))
    guard var plan else {
      if split.prefix.isObject { return try StreamedUpload(split).run() }
      var job = Job()
      job.options = options
      job.digesting = DigestRun.Task(split.digestRequest, parts: .destinations)
      if let dealing = split.dealing {
        job.sidecars = split.sidecars
        let names = (0..<dealing.parts).map(split.naming.name)
        try work.lookForLeftovers(of: names, split.prefix)
      }
      return try job.run(split.feed(dealing: dealt), judgedBy: SplitJudge(split: split))
    }
    let judge = SplitJudge(split: split, plan: plan, whole: whole)
    var checkpoint: Checkpoint?
    if work.isStaged, !split.prefix.isObject {
      let header = plan.header
      if let resumption { plan = try resumption.continuing(plan) }
      plan.header = header
      if work.consumes { work.tellConsumption(plan, .tail) }
      checkpoint = try work.checkpoint(of: .split, making: split.prefix, resumption)
      checkpoint?.consumption = work.consumes ? .tail : nil
    } else if !split.prefix.isObject {
      try work.lookForLeftovers(
        of: plan.destinations.map(\.path),
        split.prefix,
        from: plan.sources
      )
    }
    var job = Job(plan, engine: engine)
    job.options = options
    job.digesting = DigestRun.Task(
      split.digestRequest,
      parts: .destinations,
      sourceChecksum: whole
    )
    job.sidecars = split.sidecars
    job.checkpoint = checkpoint
    job.goesOnInStore = split.goesOnInStore
    return try job.run(judgedBy: judge)
  }
}

extension Resumption {
  /// The plan to go on with.
  ///
  /// - Parameter plan: what the same command would begin.
  /// - Throws: where that makes other parts.
  fileprivate func continuing(_ plan: TransferPlan) throws(CleaveError) -> TransferPlan {
    guard self.plan.destinations == plan.destinations else {
      throw file.refusal("was begun by a run that makes other parts")
    }
    guard self.plan.extents.map(\.length) == plan.extents.map(\.length) else {
      throw file.refusal("was begun by a run with another \(Setting.blocks)")
    }
    return self.plan
  }
}
