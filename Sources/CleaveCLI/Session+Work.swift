import Cleave
import CommandLineKit
import Posix

/// How the library is told what the options say, and what it has to say is told the user.
extension Session {
  /// - Parameter isFiltered: whether what is finished was fed to a filter.
  func work(
    _ output: OutputSettings = OutputSettings(),
    _ stages: StageSettings = StageSettings(),
    moving: MovingSettings = MovingSettings(),
    verify: VerifyMode = .auto,
    isStrict: Bool = false,
    isFiltered: Bool = false
  ) -> WorkOptions {
    var work = WorkOptions()
    (work.engine, work.settings, work.sharing) = (moving.engine.name, moving.settings, output.clone)
    (work.output, work.verification) = (output.options(verify), verify)
    (work.isResumable, work.consumes) = (stages.resumes, stages.consumes)
    (work.checkpoint, work.isStrict) = (stages.checkpoint, isStrict)
    (work.cancellation, work.progress) = (cancellation, progress)
    let consumes = stages.consumes
    work.tell = { event in
      switch event {
      case .doubt(let doubt): self.tell(doubt, isStrict: isStrict, consumes: consumes)
      case .finishedPart(let path, let sum, let kinds):
        self.tell(finished: path, sum, kinds, isFiltered ? "fed, the filter has ended" : "finished")
      default: self.tell(event)
      }
    }
    work.arguments = arguments
    return work
  }

  private func tell(_ event: WorkEvent) {
    switch event {
    case .engine(let choice):
      if general.isTalkative {
        console.note("auto takes the \(choice.name.rawValue) engine: \(choice.reason)")
      }
    case .warning(let text): console.warn(text)
    case .remark(let text): console.remark(text)
    case .consumingParts(let space): tellConsumption(of: "parts", space)
    case .consumingSource(let space): tellConsumption(of: "file", space)
    case .resuming(let output, let done, let total):
      if !general.isQuiet {
        console.note("\(output): going on, \(done) of \(total) bytes are there")
      }
    case .waiting(let reason):
      if let part = reason.path { waiting.begin(for: part, at: progress.bytes) }
      if general.isTalkative { console.note("waiting: \(reason)") }
    case .doubt, .finishedPart, .progress, .finished: break
    }
  }

  private func tell(
    finished part: FilePath,
    _ sum: Checksum,
    _ kinds: Checksum.Kinds,
    _ how: String
  ) {
    if general.writesJSON {
      guard general.isTalkative || general.writesProgressEvents else { return }
      let event = JSONReport.Part(part: JSONReport.File(part, sum, kinds))
      if let text = try? JSONReport.text(event) {
        try? console.write(text + "\n", isIncidental: true)
      }
    } else if general.isTalkative {
      console.note("\(part): \(ByteSize.described(sum.count)) \(how)")
    }
  }

  private func tellConsumption(of what: String, _ space: Int64) {
    let way = report.isDryRun ? "would be" : what == "file" ? "is" : "are"
    console.warn(
      "the \(what) \(way) removed on the way; at most \(ByteSize.described(space)) more space is needed"
    )
  }

  private func tell(_ doubt: Doubt, isStrict: Bool, consumes: Bool) {
    console.note(doubt)
    let text = doubt.error.sentence
    switch doubt.code.severity {
    case .noted: if !general.isQuiet { console.note(text) }
    // A user who gives the parts up should know what is not known of them.
    case .told where consumes && !isStrict: console.warn(text)
    case .told where !isStrict: if general.isTalkative { console.note(text) }
    case .warned where !isStrict: console.warn(text)
    // It is why the work ends.
    case .told, .warned, .refused: break
    }
  }
}
