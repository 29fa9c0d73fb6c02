import Cleave
import CommandLineKit
import Posix

/// How the library is told what the options say, and what it has to say is told the user.
extension Session {
  var work: WorkOptions {
    var work = WorkOptions()
    (work.engine, work.settings, work.sharing) = (
      settings.engine.name, engineSettings, settings.clone
    )
    (work.output, work.verification) = (settings.outputOptions, settings.verify)
    (work.isResumable, work.consumes) = (settings.resumes, settings.consumes)
    (work.checkpoint, work.isStrict) = (settings.checkpoint, settings.isStrict)
    (work.cancellation, work.progress) = (cancellation, progress)
    (work.tell, work.arguments) = ({ self.tell($0) }, arguments)
    return work
  }

  var splitOptions: Split.Options {
    var options = Split.Options()
    (options.work, options.isZip) = (work, settings.format == .zip)
    (options.manifest, options.block) = (settings.manifest, settings.block)
    options.digests = settings.sums.compactMap(\.digest)
    if settings.sums.contains(where: { $0.digest == nil }) { options.sums = [.crc32, .adler32] }
    options.makesJoiners = settings.makesJoiners
    options.separator = settings.separator ?? options.separator
    options.omitsEmptyParts = settings.omitsEmptyParts
    options.header = settings.header ?? 0
    options.filter = settings.filter.map { Split.Filter($0, jobs: settings.jobs ?? 1) }
    return options
  }

  private var isTalkative: Bool { settings.isVerbose && !settings.isQuiet }

  private func tell(_ event: WorkEvent) {
    switch event {
    case .engine(let choice):
      if isTalkative {
        console.note("auto takes the \(choice.name.rawValue) engine: \(choice.reason)")
      }
    case .doubt(let doubt): tell(doubt)
    case .warning(let text): console.warn(text)
    case .remark(let text): console.remark(text)
    case .consumingParts(let space): tellConsumption(of: "the parts are", space)
    case .consumingSource(let space): tellConsumption(of: "the file is", space)
    case .resuming(let output, let done, let total):
      if !settings.isQuiet {
        console.note("\(output): going on, \(done) of \(total) bytes are there")
      }
    case .waiting(let reason):
      if let part = reason.path { waiting.begin(for: part, at: progress.bytes) }
      if isTalkative { console.note("waiting: \(reason)") }
    case .finishedPart(let path, let sum, let kinds): tell(finished: path, sum, kinds)
    case .progress, .finished: break
    }
  }

  private func tell(finished part: FilePath, _ sum: Checksum, _ kinds: Checksum.Kinds) {
    if settings.writesJSON {
      guard isTalkative || settings.writesProgressEvents else { return }
      let event = JSONReport.Part(part: JSONReport.File(part, sum, kinds))
      if let text = try? JSONReport.text(event) {
        try? console.write(text + "\n", isIncidental: true)
      }
    } else if isTalkative {
      let how = settings.filter == nil ? "finished" : "fed, the filter has ended"
      console.note("\(part): \(ByteSize.described(sum.count)) \(how)")
    }
  }

  private func tellConsumption(of what: String, _ space: Int64) {
    console.warn(
      "\(what) removed on the way; at most \(ByteSize.described(space)) more space is needed"
    )
  }

  private func tell(_ doubt: Doubt) {
    console.note(doubt)
    let text = doubt.error.sentence
    switch doubt.code.severity {
    case .noted: if !settings.isQuiet { console.note(text) }
    // A user who gives the parts up should know what is not known of them.
    case .told where settings.consumes && !settings.isStrict: console.warn(text)
    case .told where !settings.isStrict: if isTalkative { console.note(text) }
    case .warned where !settings.isStrict: console.warn(text)
    // It is why the work ends.
    case .told, .warned, .refused: break
    }
  }

  /// - Throws: where data is to go to standard output, which is closed.
  func requireStandardOutput() throws(CleaveError) {
    if settings.output == "-", closed.contains(1) {
      throw CleaveError(.cannotCreate, "standard output: is closed")
    }
  }
}
