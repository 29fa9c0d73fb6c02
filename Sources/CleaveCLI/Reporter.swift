import Cleave
import CommandLineKit
import Posix

/// Tells the user what came of a command.
///
/// A command hands over values; which words or members of an object they become is decided here alone.
/// Messages on the way, such as warnings, are ``Console``'s.
protocol Reporter {
  func tell(_ merge: Merge, _ outcome: Outcome) throws(CleaveError)
  /// What came of a share, but for a complete output; nil of a run that only completes what others have made.
  func tell(_ share: WorkShare?, of output: FilePath, _ result: WorkShare.Result)
    throws(CleaveError)
  func tell(_ split: Split.Prepared, _ outcome: Outcome) throws(CleaveError)
  func tell(_ repair: Repair.Prepared, _ outcome: Outcome) throws(CleaveError)

  /// What a dry run tells.
  func tell(_ merge: Merge, _ forecast: Forecast) throws(CleaveError)
  func tell(_ split: Split.Prepared, _ forecast: Forecast) throws(CleaveError)
  func tell(_ repair: Repair.Prepared, _ forecast: Forecast) throws(CleaveError)
  func tell(_ plan: Verify.Plan) throws(CleaveError)

  func tell(_ result: Verify.Result) throws(CleaveError)
  func tell(_ info: SeriesInfo) throws(CleaveError)
  /// One of the files that clean removes, when it has.
  func tell(removed: Cleaning.Removal) throws(CleaveError)
  func tell(_ cleaning: Cleaning) throws(CleaveError)

  /// A failure that ends the command, and has been said already.
  func tell(_ failure: Failure, _ code: ExitCode)
}

extension Reporter {
  func tell(_ shared: MergeShare, _ result: WorkShare.Result) throws(CleaveError) {
    if case .complete(let outcome) = result { return try tell(shared.merge, outcome) }
    try tell(shared.share, of: shared.merge.output, result)
  }

  func tell(_ shared: SplitShare, _ result: WorkShare.Result) throws(CleaveError) {
    if case .complete(let outcome) = result { return try tell(shared.prepared, outcome) }
    try tell(shared.share, of: shared.prefix, result)
  }
}

extension Session {
  var reporter: any Reporter {
    general.writesJSON ? JSONReporter(session: self) : TextReporter(session: self)
  }

  /// What `--verbose` tells of a run.
  func noteRun(_ run: JobReport) {
    if let sent = run.sentBytes {
      return noteSpeed(of: "sent \(sent) of \(run.bytes) bytes to the store", bytes: run.bytes)
    }
    guard let engine = run.engine else { return }
    let marks = engine.marks(report.moving.settings)
    let shared = run.sharedBytes
    let work =
      "engine \(engine.rawValue), low water \(marks.low), high water \(marks.high), window "
      + "\(marks.window)" + (shared > 0 ? ", \(shared) bytes shared with the source" : "")
    noteSpeed(of: work, bytes: run.bytes)
  }

  /// What `--verbose` tells of any work.
  func noteSpeed(of work: String, bytes: Int64) {
    guard general.isTalkative else { return }
    let milliseconds = Int64(seconds * 1000)
    let rate = milliseconds > 0 ? Int64(Double(bytes) / seconds) : bytes
    console.note(
      "\(work); \(milliseconds) ms, \(ByteSize.short(rate))/s, peak memory "
        + "\(ByteSize.short(ProcessState.peakResidentBytes))"
    )
  }

  /// What is wrong or was not looked at is said whatever the result's form is.
  ///
  /// - Parameter right: takes the lines of what is right.
  func tell(
    _ result: Verify.Result,
    right: (Sentence) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    noteSpeed(
      of: "checked \(result.sections.reduce(0) { $0 + $1.findings.count }) files",
      bytes: progress.bytes
    )
    for finding in result.findings {
      if finding.failure != nil {
        console.fail(finding.line)
      } else if finding.status == .notChecked {
        console.warn(finding.line)
      } else {
        try right(finding.line)
      }
    }
  }
}
