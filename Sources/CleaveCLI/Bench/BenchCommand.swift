import Cleave
import CommandLineKit
import Posix

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `cleave bench`: engines compared with each other, and with a program that does the same.
enum BenchCommand {
  static let command = Command<Settings>(
    "bench",
    summary: "Measure the engines' speed and memory, and compare them with another program's.",
    usage: [
      "cleave bench [OPTION]... [FILE | PART...]", "cleave bench --split [OPTION]... [FILE]",
    ],
    options: BenchRows.all,
    details: """
      Merges parts, or splits a file, again and again: with every combination of what the lists name, \
      and with a baseline. Parts are merged as they are; any other FILE is cut first. Without an \
      operand a sample is made. The operands are only read; everything else is in a directory \
      .cleave-bench-XXXXXX, which is removed in the end.

      A run is a process of its own, so that time, processor time and peak memory are a whole \
      process's, as the kernel counts them. A round runs each once, in an order of chance. The first \
      round is not counted: it reads the inputs into memory, and what is made is compared with the \
      inputs, byte for byte. A difference ends the bench with exit code 1.

      q1 is the lower quartile (type 7: linear interpolation). Ratios are times divided by the \
      baseline's of the same round, so that less is better. CPU is the median of user and system time \
      together, peak the most memory of any run. Outputs are not flushed to the device unless \
      --durable asks for it.
      """,
    examples: [
      .init("cleave bench", "Merge 1 GiB in four parts with every engine, and with cat."),
      .init(
        "cleave bench --size 641144843 -b 350M --durable",
        "As a user would wait for it, until all is on the device."
      ),
      .init(
        "cleave bench --engine direct --high-water 64K,256K,1M --export-json runs.json",
        "Find the best size of a read."
      ),
      .init(
        "cleave bench --split --baseline 'split -n 4 \"$1\" \"$OUT\"' disk.img",
        "Compare with a command of your own."
      ),
    ]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    let settings = session.settings
    let cases: [BenchCase]
    do { cases = try BenchCase.all(settings.bench) } catch { throw .usage(error) }
    let material = try BenchMaterial(settings, operands)
    let cutting = try Cutting(settings, material)
    let baseline = try cutting.baseline(settings.bench, material)
    let exports = try BenchExports(session, inputs: material.inputs)
    defer { exports.discard() }
    let bench = Bench(
      session: session,
      material: material,
      cutting: cutting,
      cases: cases,
      baseline: baseline
    )
    let report = try bench.run()
    return try job { () throws(CleaveError) in
      try tell(report, session, exports)
      return .success
    }
  }

  private static func tell(
    _ report: BenchReport,
    _ session: Session,
    _ exports: BenchExports
  ) throws(CleaveError) {
    if report.host.notDropped > 0 {
      session.console.warn(
        "\(ByteSize.described(report.host.notDropped)) of the inputs stayed in memory; "
          + "the runs were not as cold as asked for"
      )
    }
    try exports.write(report)
    guard !exports.takeStandardOutput else { return }
    let table = BenchTable(report).text
    try session.console.report("\(table)\n\(report.host.line(report.results))")
  }
}

/// One bench, its operands understood.
private struct Bench {
  let session: Session
  let material: BenchMaterial
  let cutting: Cutting
  let cases: [BenchCase]
  let baseline: BenchBaseline?
  private var settings: BenchSettings { session.settings.bench }

  private var contenders: [BenchContender] {
    cases.map { .cleave($0) } + (baseline.map { [.baseline($0)] } ?? [])
  }

  func run() throws(Failure) -> BenchReport {
    let workspace = try CleaveCLI.job { () throws(CleaveError) in
      let place = settings.directory.appending(".cleave-bench")
      let most = material.mostBytes(splits: settings.splits)
      try OutputCheck.checkSpace(for: [DestinationFile(path: place, size: most)])
      return try BenchWorkspace(in: settings.directory, session.cancellation)
    }
    defer {
      if let error = workspace.remove() { session.console.warn("\(error)") }
    }
    expectProgress()
    let preparation = BenchPreparation(session: session, workspace: workspace, cuts: cutting.cuts)
    let job = try preparation.job(material, parts: cutting.parts)
    let rounds = BenchRounds(
      session: session,
      workspace: workspace,
      job: job,
      contenders: contenders
    )
    let (results, notDropped) = try rounds.run()
    let host = try CleaveCLI.job { () throws(CleaveError) in
      try BenchHost(settings, job, baseline, workspace.path, notDropped: notDropped)
    }
    return BenchReport(host: host, results: results)
  }

  private func expectProgress() {
    let runs = Int64(contenders.count * (settings.runs + 1))
    let (bytes, overflow) = material.bytes.multipliedReportingOverflow(by: runs)
    session.progress.expect(material.preparedBytes(splits: settings.splits))
    session.progress.expectMore(overflow ? .max : bytes)
  }
}

/// Where a file is cut, whether parts are measured or made for being merged.
private struct Cutting {
  let cuts: CutList
  let parts: Int

  init(_ settings: Settings, _ material: BenchMaterial) throws(Failure) {
    cuts = settings.sizes ?? settings.count ?? .count(4)
    if case .parts(_, let selection) = material {
      parts = selection.sources.count
      return
    }
    do throws(CutError) {
      parts = try cuts.sizes(of: material.bytes).count
    } catch {
      throw usage(error.explanation)
    }
  }

  /// The baseline that was chosen, or goes without saying; nil for none.
  func baseline(
    _ bench: BenchSettings,
    _ material: BenchMaterial
  ) throws(Failure) -> BenchBaseline? {
    let choice = bench.baseline ?? (bench.splits ? "split" : "cat")
    switch choice.string {
    case "none": return nil
    case "cat":
      guard !bench.splits else { throw usage("--baseline=cat does not split") }
      return .cat
    case "split":
      guard bench.splits else { throw usage("--baseline=split needs --split") }
      return .split(size: try size(of: material.bytes), digits: max(3, "\(parts - 1)".count))
    default: return .command(choice)
    }
  }

  /// Bytes of each part but the last.
  private func size(of total: Int64) throws(Failure) -> Int64 {
    switch cuts {
    case .every(let size): return size
    case .count(let count): return max(1, (total - 1) / Int64(count) + 1)
    case .list: throw usage("--baseline=split makes parts of one size; choose another, or none")
    }
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
    let fileSystem: String
    do { fileSystem = try Host.fileSystem(at: directory) } catch { throw .reading(error) }
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
      arguments: ProcessState.arguments.dropFirst().map { JSONReport.Name($0) },
      date: Date.now.formatted(.iso8601)
    )
  }
}
