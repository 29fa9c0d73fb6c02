package import Cleave
import CommandLineKit
package import Posix

/// One bench, with its operands and options checked.
package struct Bench {
  private let context: BenchContext
  private let material: BenchMaterial
  private let cutting: BenchCutting
  private let cases: [BenchCase]
  private let baseline: BenchBaseline?
  private var settings: BenchSettings { context.settings }

  package init(_ context: BenchContext, _ operands: [FilePath]) throws(BenchFailure) {
    self.context = context
    let settings = context.settings
    do { cases = try BenchCase.all(settings) } catch { throw .usage(error) }
    material = try BenchMaterial(settings, operands)
    cutting = try BenchCutting(settings, material)
    baseline = try cutting.baseline(settings, material)
  }

  /// Files of the user's that the bench reads.
  package var inputs: SourceFiles { material.inputs }

  private var contenders: [BenchContender] {
    cases.map { .cleave($0) } + (baseline.map { [.baseline($0)] } ?? [])
  }

  package func run() throws(BenchFailure) -> BenchReport {
    let workspace = try job { () throws(CleaveError) in
      let place = settings.directory.appending(".cleave-bench")
      let most = material.mostBytes(splits: settings.splits)
      try OutputCheck.checkSpace(for: [DestinationFile(path: place, size: most)])
      return try BenchWorkspace(in: settings.directory, context.cancellation)
    }
    defer {
      if let error = workspace.remove() { context.warn("\(error)") }
    }
    expectProgress()
    let preparation = BenchPreparation(context: context, workspace: workspace, cuts: cutting.cuts)
    let work = try preparation.job(material, parts: cutting.parts)
    let rounds = BenchRounds(
      context: context,
      workspace: workspace,
      job: work,
      contenders: contenders
    )
    let (results, notDropped) = try rounds.run()
    let host = try job { () throws(CleaveError) in
      try BenchHost(settings, work, baseline, workspace.path, notDropped: notDropped)
    }
    return BenchReport(host: host, results: results)
  }

  private func expectProgress() {
    let runs = Int64(contenders.count * (settings.runs + 1))
    let (bytes, overflow) = material.bytes.multipliedReportingOverflow(by: runs)
    context.progress.expect(material.preparedBytes(splits: settings.splits))
    context.progress.expectMore(overflow ? .max : bytes)
  }
}

extension BenchHost {
  fileprivate init(
    _ bench: BenchSettings,
    _ job: BenchJob,
    _ baseline: BenchBaseline?,
    _ directory: FilePath,
    notDropped: Int64
  ) throws(CleaveError) {
    let fileSystem = try CleaveError.whileReading(Host.fileSystem(at: directory))
    self.init(
      processors: ProcessState.processorCount,
      processor: Host.processorModel,
      memory: Host.memoryBytes,
      kernel: Host.kernel,
      fileSystem: fileSystem,
      isCold: bench.isCold,
      notDropped: notDropped,
      isSynced: bench.isDurable,
      isSplit: bench.splits,
      bytes: job.bytes,
      parts: job.parts,
      runs: bench.runs,
      baselineName: baseline?.name,
      baseline: baseline?.command.description,
      arguments: ProcessState.arguments.dropFirst().map { JSONName($0) },
      date: Host.date
    )
  }
}
