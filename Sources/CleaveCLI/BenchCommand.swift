import Cleave
import CleaveBench
import CommandLineKit
import Posix

/// `cleave bench`: compares engines with each other, and with a program that does the same.
enum BenchCommand: ProgramCommand {
  static let command = Command<Settings>(
    "bench",
    summary: "Measure the engines' speed and memory, and compare them with another program's.",
    usage: [
      "cleave bench [OPTION]... [FILE | PART...]", "cleave bench --split [OPTION]... [FILE]",
    ],
    operands: .files,
    options: Settings.lists.flatMap(\.options),
    details: """
      Merges parts, or splits a file, again and again: with every combination of what the lists name, \
      and with a baseline. Parts are merged as they are; any other FILE is cut first. Without an \
      operand a sample is made. The operands are only read; everything else is in a directory \
      .cleave-bench-XXXXXX, which is removed in the end.

      A run is a process of its own, so that time, processor time and peak memory are a whole \
      process's, as the kernel counts them. A round runs each once, in random order. The first \
      round is not counted: it reads the inputs into memory, and what is made is compared with the \
      inputs, byte for byte. A difference ends the bench with exit code 1.

      The first sentence names the winner where the quartiles of no other reach its own, and bars show \
      the medians. -v adds a table: q1 is the lower quartile (type 7: linear interpolation). Ratios are \
      times divided by the baseline's of the same round, so that less is better. CPU is the median of \
      user and system time together, peak the most memory of any run. Outputs are not flushed to the device unless \
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
        "cleave bench --runs 15 --report bench.html",
        "Write a page with every run of every engine as a picture."
      ),
      .init(
        "cleave bench --split --baseline 'split -n 4 \"$1\" \"$OUT\"' disk.img",
        "Compare with a command of your own."
      ),
    ]
  )

  struct Settings: CommandSettings {
    var general = GeneralSettings()
    var output = OutputSettings()
    var bench = BenchSettings()

    /// The stacks of more threads that were tried would count as its children's memory.
    var engineInside: EngineOption? { nil }

    static var lists: [OptionList<Self>] {
      [
        .of(\.bench, BenchRows.all), .of(\.output, [.force]),
        .of(\.general, [.progressWithoutJSON] + Option.withoutJSON),
      ]
    }
  }

  static func run(
    _ session: Session,
    _ settings: Settings,
    _ operands: [FilePath]
  ) throws(Failure) -> ExitCode {
    do throws(BenchFailure) {
      let context = context(session, settings.bench)
      let bench = try Bench(context, operands)
      let exports = try BenchExports(context, settings.output.options(.auto), inputs: bench.inputs)
      defer { exports.discard() }
      let report = try bench.run()
      do { try tell(report, session, exports) } catch { throw .job(error) }
      return .success
    } catch {
      throw Failure(error)
    }
  }

  private static func context(_ session: Session, _ settings: BenchSettings) -> BenchContext {
    let (console, isTalkative) = (session.console, session.general.isTalkative)
    return BenchContext(
      settings,
      session.cancellation,
      session.progress,
      note: { if isTalkative { console.note(Sentence($0)) } },
      warn: { console.warn(Sentence($0)) }
    )
  }

  private static func tell(
    _ report: BenchReport,
    _ session: Session,
    _ exports: BenchExports
  ) throws(CleaveError) {
    let console = session.console
    if report.host.notDropped > 0 {
      console.warn(
        "\(ByteSize.described(report.host.notDropped)) of the inputs stayed in memory; "
          + "the runs were not as cold as asked for"
      )
    }
    try exports.write(report) { text throws(CleaveError) in try console.write(text) }
    guard !exports.takeStandardOutput else { return }
    try console.report(BenchBars(report).text(columns: ProcessState.terminalWidth(1) ?? 80))
    if session.general.isTalkative { try console.report(BenchTable(report).text) }
    try console.report(report.host.line(report.results))
  }
}

extension Failure {
  fileprivate init(_ failure: BenchFailure) {
    switch failure {
    case .usage(let error): self = .usage(error)
    case .cutting(let error): self = .usage(UsageError(error.explanation.spelled(for: nil)))
    case .job(let error): self = .job(error)
    case .ended(let message, let code): self = .ended(message, ExitCode(rawValue: code))
    }
  }
}
