import Cleave
import CommandLineKit
import Posix

/// What an interrupted run has left to go on with.
struct Resumption {
  let file: JournalFile
  let plan: TransferPlan
  let content: Journal.Content?
  /// Whether names may have been given.
  let isPublishing: Bool
  /// Bytes that are done.
  let done: Int64
  /// The sources as they are now; nil for those that are gone.
  let present: [SourceFile?]

  /// Looks for the journal of a job that makes `output`; nil where there is none, or nothing in it.
  ///
  /// - Parameter operands: among which the sources are.
  /// - Throws: `.cannotCreate` where another run has the journal, or it is of another job;
  ///   `.changedInput` where a source was changed; `.missingInput` where one is missing.
  init?(
    of command: Journal.Command,
    making output: FilePath,
    from operands: [FilePath],
    _ settings: Settings
  ) throws(CleaveError) {
    guard let file = try JournalFile.existing(at: Journal.path(beside: output)),
      let journal = file.found, journal.hasProgress
    else { return nil }
    guard journal.command == command, let paths = journal.locate(operands) else {
      throw Self.other(file, "was begun by a run with other operands")
    }
    // Nothing is given up that was not asked for, whoever wrote the journal.
    if settings.consumes != journal.consumes {
      throw Self.other(file, "was begun \(journal.consumes ? "with" : "without") --consume")
    }
    self.file = file
    present = try journal.examine(paths)
    plan = try journal.plan(sources: paths, beside: output)
    (content, done, isPublishing) = (journal.content, journal.doneBytes, journal.isPublishing)
  }

  /// The journal that was found, or a new one.
  static func journal(
    of output: FilePath,
    _ found: Resumption?
  ) throws(CleaveError) -> JournalFile {
    if let found { return found.file }
    return try JournalFile(opening: Journal.path(beside: output))
  }

  static func other(_ file: JournalFile, _ text: String) -> CleaveError {
    CleaveError(.cannotCreate, file.path, "\(text); give the same again, or run 'cleave clean'")
  }
}

extension Settings {
  /// - Throws: where an option takes from --consume what makes it safe.
  func checkConsuming() throws(Failure) {
    guard consumes else { return }
    if verify == .none { throw usage("--consume needs verification, not --verify=none") }
    if !synchronizes { throw usage("--consume needs data to be on the device, not --no-sync") }
  }
}

extension Session {
  /// Looks for what other runs for the same files have, or have left, and tells of it.
  ///
  /// - Throws: `.cannotCreate` where one is at work.
  func lookForLeftovers(of finals: [FilePath], _ output: FilePath) throws(CleaveError) {
    // A directory that cannot be listed has nothing to be told of.
    let journal = Journal.path(beside: output)
    guard let found = try? Leftovers(of: finals, journal: journal) else { return }
    for group in found.groups {
      if group.isInUse {
        if settings.isForced { continue }
        throw CleaveError(.cannotCreate, output, "another run is making it")
      }
      let files = group.paths.count == 1 ? "\(group.paths[0])" : "\(group.paths[0]) and others"
      let remedy = group.hasProgress ? "--resume goes on with it" : "'cleave clean' removes it"
      console.warn("\(files): left by a run that did not end; \(remedy)")
    }
  }

  /// Says that an interrupted job is gone on with.
  func tellResumption(_ found: Resumption, of output: FilePath) {
    guard !settings.isQuiet else { return }
    console.note("\(output): going on, \(found.done) of \(found.plan.totalBytes) bytes are there")
  }

  /// Says that sources are going away, and what that saves.
  func tellConsumption(_ plan: TransferPlan, _ manner: Consumption.Manner) {
    let space = manner.space(for: plan, settings.checkpoint)
    let what = manner == .parts ? "the parts are" : "the file is"
    console.warn(
      "\(what) removed on the way; at most \(ByteSize.described(space)) more space is needed"
    )
  }
}
