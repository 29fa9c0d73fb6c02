import Cleave
import CommandLineKit
import Posix

/// Runs every contender once a round, in random order, so that slow spells of the machine hit every
/// contender alike.
struct BenchRounds {
  let context: BenchContext
  let workspace: BenchWorkspace
  let job: BenchJob
  let contenders: [BenchContender]
  private var bench: BenchSettings { context.settings }

  /// - Returns: the results in the order of the contenders, and the most bytes of the inputs that could
  ///   not be dropped from the page cache.
  func run() throws(BenchFailure) -> (results: [BenchResult], notDropped: Int64) {
    let comparison = BenchComparison(job, context.cancellation)
    var runs = [[BenchMeasurement]](repeating: [], count: contenders.count)
    var notDropped: Int64 = 0
    // The first round does not count: it reads the inputs into memory, and its outputs are compared.
    for round in 0...bench.runs {
      for index in contenders.indices.shuffled() {
        let contender = contenders[index]
        try CleaveBench.job { () throws(CleaveError) in
          try workspace.removeOutputs()
          if bench.isCold { notDropped = max(notDropped, try BenchCache.drop(job.inputs)) }
        }
        let measurement = try measure(contender)
        note(measurement, of: contender, round)
        if round == 0 {
          try comparison.check(try outputs(of: contender), of: contender)
        } else {
          runs[index].append(measurement)
        }
        context.progress.add(Int(clamping: job.bytes))
      }
    }
    let results = zip(contenders, runs).map { contender, runs in
      BenchResult(contender: contender, command: command(of: contender), runs: runs)
    }
    return (results.comparedWithBaseline(), notDropped)
  }

  // MARK: One run

  private func measure(_ contender: BenchContender) throws(BenchFailure) -> BenchMeasurement {
    let ending = try CleaveBench.job { () throws(CleaveError) in
      switch contender {
      case .cleave(let one):
        let options = job.options(one, isDurable: bench.isDurable)
        return try workspace.runCleave(options, job.cuts == nil ? toMerge : toSplit)
      case .baseline(let baseline):
        let script = baseline.script(splits: job.cuts != nil, isDurable: bench.isDurable)
        let output = job.cuts == nil ? merged : prefix.adding(".")
        return try workspace.run(
          "/bin/sh",
          ["sh", "-c", script, "sh"] + job.inputs.map(\.path),
          [("OUT", output)]
        )
      }
    }
    try ending.requireSuccess(of: contender.description)
    return BenchMeasurement(
      seconds: ending.seconds,
      userSeconds: ending.userSeconds,
      systemSeconds: ending.systemSeconds,
      peakResident: ending.peakResidentBytes
    )
  }

  private var toMerge: [FilePath] { ["-o", merged, "--"] + job.operands }
  private var toSplit: [FilePath] { ["--"] + job.operands + [prefix] }
  private var merged: FilePath { workspace.outputs.appending("whole") }
  private var prefix: FilePath { workspace.outputs.appending("part") }

  private func command(of contender: BenchContender) -> String {
    switch contender {
    case .cleave(let one):
      (["cleave"] + job.options(one, isDurable: bench.isDurable)).joined(separator: " ")
    case .baseline(let baseline): baseline.command.description
    }
  }

  /// The files that a run made, in order: a longer number comes later, and so does a greater one.
  private func outputs(of contender: BenchContender) throws(BenchFailure) -> [FilePath] {
    var names = try CleaveBench.job { () throws(CleaveError) in
      Array(try CleaveError.whileReading(FileSystem.names(in: workspace.outputs)))
    }
    if case .cleave = contender {
      let manifest = Manifest.path(beside: prefix).lastComponent
      names.removeAll { $0 == manifest }
    }
    return names.sorted { left, right in
      let lengths = (left.bytes.count, right.bytes.count)
      return lengths.0 == lengths.1 ? left < right : lengths.0 < lengths.1
    }.map { workspace.outputs.appending($0) }
  }

  private func note(
    _ measurement: BenchMeasurement,
    of contender: BenchContender,
    _ round: Int
  ) {
    let place = round == 0 ? "not counted" : "round \(round) of \(bench.runs)"
    context.note(
      "\(place): \(contender.description): \(measurement.seconds.fixed(3)) s, peak memory "
        + "\(ByteSize.short(measurement.peakResident))"
    )
  }
}

extension BenchWorkspace {
  /// Runs the program of this process.
  func runCleave(
    _ options: [String],
    _ rest: [FilePath]
  ) throws(CleaveError) -> ChildProcess.Ending {
    let program = try CleaveError.whileReading(ProcessState.executable)
    return try run(program, ["cleave"] + options.map { FilePath($0) } + rest)
  }
}
