package import Posix

/// What an interrupted run has left to go on with.
package struct Resumption: Sendable {
  let file: JournalFile
  package let plan: TransferPlan
  package let journal: Journal
  /// Whether names may have been given.
  let isPublishing: Bool
  /// Bytes that are done.
  package let done: Int64
  /// The sources as they are now.
  let present: [Journal.Present]

  /// Looks for the journal of a job that makes `output`; nil where there is none, or nothing in it.
  ///
  /// - Parameters:
  ///   - operands: among which the sources are.
  ///   - request: what is said of them; nil for the source of split.
  /// - Throws: `.cannotCreate` where another run has the journal, or it is of another job;
  ///   `.changedInput` where a source was changed; `.missingInput` where one is missing.
  package init?(
    of command: Journal.Command,
    making output: FilePath,
    from operands: [FilePath],
    _ request: Selection.Request? = nil,
    consuming consumes: Bool
  ) throws(CleaveError) {
    guard let file = try JournalFile.existing(at: Journal.path(beside: output)),
      let journal = file.found, journal.hasProgress
    else { return nil }
    guard journal.command == command, let paths = journal.locate(operands) else {
      throw file.refusal("was begun by a run with other operands")
    }
    let isOther =
      request?.isAsGiven == true && operands.map(\.lastComponent) != journal.sources.map(\.name)
    if isOther || request.map({ journal.asked ?? $0.asked != $0.asked }) == true {
      throw file.refusal("was begun with other options for which parts are joined, and how")
    }
    // One journal was put in another's place.
    if command == .merge, journal.destinations.first?.name != output.lastComponent {
      throw file.refusal("is the journal of another output")
    }
    // Nothing is given up that was not asked for, even if the journal says so.
    if consumes != journal.consumes {
      throw file.refusal("was begun \(journal.consumes ? "with" : "without") \(Setting.consuming)")
    }
    self.file = file
    do {
      present = try journal.examine(paths)
    } catch  where error.kind == .changedInput && !journal.consumes {
      let clean = Leftovers.cleaning(file.path.directory)
      throw error.adding("; '\(clean)' gives up what is done, and the next run begins anew")
    }
    // All of the job's own are gone; other files with the same names are meant as they are.
    if present.allSatisfy({ $0.file == nil && $0.other != nil && !$0.isReplaced }) {
      throw file.refusal("was begun with other parts of these names, which are gone by now")
    }
    plan = try journal.plan(sources: paths, beside: output)
    (done, isPublishing) = (journal.doneBytes, journal.isPublishing)
    self.journal = journal
  }
}
