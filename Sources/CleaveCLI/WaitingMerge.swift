import Cleave
import CommandLineKit
import Posix

/// `cleave merge --wait`: one merge whose parts may still be on their way.
///
/// What has come is written while the rest is awaited. Should the whole turn out to be something else
/// than these parts one after the other, it is merged like any other when all are there.
struct WaitingMerge {
  private let session: Session
  private let operand: FilePath
  private var settings: Settings { session.settings }

  init(_ session: Session, _ operands: [FilePath]) throws(Failure) {
    guard operands.count == 1, let operand = operands.first, operand != "-" else {
      throw usage("--wait takes one part, and finds the others by its name")
    }
    let settings = session.settings
    guard !settings.isStaged, !settings.isDryRun else {
      throw usage("--wait does not go with --resume, --consume or --dry-run")
    }
    (self.session, self.operand) = (session, operand)
  }

  func run() throws(Failure) -> ExitCode {
    if let output = settings.output { try check(output, inputs: []) }
    let arrivals = try job { () throws(CleaveError) in
      try PartArrivals(request, session.cancellation, tell: tell)
    }
    guard let first = try next(arrivals) else { return try merge(arrivals) }
    guard let output = settings.output ?? arrivals.defaultOutput else {
      throw usage("-o is needed: the parts have no name to give to the output")
    }
    try check(output, inputs: [first.status.identity])
    let isPossible = try job { () throws(CleaveError) in try canBegin(with: first, output) }
    let isDigested = settings.verify != .none && arrivals.wantsDigests || !settings.sums.isEmpty
    guard isPossible, !isDigested else {
      while try next(arrivals) != nil {}
      return try merge(arrivals)
    }
    return try write(first, arrivals, to: output)
  }

  private var request: PartArrivals.Request {
    PartArrivals.Request(operand, settings.selection, patience: settings.patience)
  }

  /// Nobody shall wait for parts, and then hear that they cannot go there.
  private func check(_ output: FilePath, inputs: Set<FileStatus.Identity>) throws(Failure) {
    if output.bytes.isEmpty { throw usage("the name of the output is empty") }
    if output == "-" { return }
    try job { () throws(CleaveError) in
      if try OutputCheck.isStream(output, settings.outputOptions) { return }
      try OutputCheck.check(output, settings.outputOptions, inputs: inputs)
    }
  }

  private func tell(_ reason: String) {
    if settings.isVerbose, !settings.isQuiet { session.console.note("waiting: \(reason)") }
  }

  private func next(_ arrivals: PartArrivals) throws(Failure) -> SourceFile? {
    try job { () throws(CleaveError) in try arrivals.next() }
  }

  /// The merge of parts that are all there.
  private func merge(_ arrivals: PartArrivals) throws(Failure) -> ExitCode {
    guard let selection = arrivals.selection else { throw .job(.cancelled) }
    try job { () throws(CleaveError) in try session.tellDoubts(of: selection) }
    let output = try MergeCommand.output(session, selection)
    return try Merge(session: session, selection: selection, output: output).run()
  }

  // MARK: Before all are there

  /// Whether bytes may be written that could turn out to be others: not to a stream, and not where
  /// something else than the serial engine is asked for.
  private func canBegin(
    with first: SourceFile,
    _ output: FilePath
  ) throws(CleaveError) -> Bool {
    guard [.auto, .serial].contains(settings.engine), settings.clone != .always,
      settings.verify != .entries
    else { return false }
    var isStream = output == "-"
    if !isStream { isStream = try OutputCheck.isStream(output, settings.outputOptions) }
    return isStream ? try !PartArrivals.mayBeRewritten(first) : true
  }

  private func write(
    _ first: SourceFile,
    _ arrivals: PartArrivals,
    to output: FilePath
  ) throws(Failure) -> ExitCode {
    let stream = try job { () throws(CleaveError) in
      let stream = try session.stream(output)
      if stream == nil { try session.lookForLeftovers(of: [output], output) }
      return stream
    }
    arrivals.output = stream
    var job = Job()
    job.options = session.jobOptions(settings.verify == .none ? [] : [.crc32, .adler32])
    job.stream = stream
    var part = Optional(first)
    let feed = Feed.joining(into: output, knowing: []) { () throws(CleaveError) in
      let next = if let part { Optional(part) } else { try arrivals.next() }
      part = nil
      return next.map { .file($0) }
    }
    let whole = ArrivedWhole(merge: self, arrivals: arrivals, output: output)
    do throws(CleaveError) {
      let outcome = try job.run(feed, judgedBy: whole)
      try finished(arrivals, output)?.tell(outcome)
      return .success
    } catch {
      guard whole.isOther, stream == nil else { throw .job(error) }
      return try merge(arrivals)
    }
  }

  /// What is to have been made when all parts are there.
  private final class ArrivedWhole: Judge {
    private let merge: WaitingMerge
    private let arrivals: PartArrivals
    private let output: FilePath
    /// Whether the parts that were written are not the whole.
    private(set) var isOther = false

    init(merge: WaitingMerge, arrivals: PartArrivals, output: FilePath) {
      (self.merge, self.arrivals, self.output) = (merge, arrivals, output)
    }

    func judge(_ report: JobReport) throws(CleaveError) -> Judgement {
      guard let merge = merge.finished(arrivals, output) else {
        isOther = true
        throw CleaveError(
          .changedInput,
          output == "-" ? "standard output" : output,
          "what was written before all parts were there cannot be proved to be the whole"
        )
      }
      try merge.session.tellDoubts(of: merge.selection)
      let proving = merge.proving
      if report.temporaries.isEmpty { proving?.begin(merge.selection) }
      return Judgement(try merge.judge(report, proving.map { .running($0) }))
    }
  }

  /// The merge that was carried out; nil where the parts that were written are not the whole, or there
  /// is something to compare that was not computed.
  fileprivate func finished(_ arrivals: PartArrivals, _ output: FilePath) -> Merge? {
    guard let selection = arrivals.selection, arrivals.handedOut(selection) else { return nil }
    let merge = Merge(session: session, selection: selection, output: output)
    return merge.digestRequest.isEmpty && merge.neededDigests == nil ? merge : nil
  }
}
