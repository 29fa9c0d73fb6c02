import Cleave
import CommandLineKit
import Posix

/// What an interrupted run has left to go on with.
struct Resumption {
  let file: JournalFile
  let plan: TransferPlan
  let journal: Journal
  /// Whether names may have been given.
  let isPublishing: Bool
  /// Bytes that are done.
  let done: Int64
  /// The sources as they are now.
  let present: [Journal.Present]

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
      throw file.refusal("was begun by a run with other operands")
    }
    // One journal was put in another's place.
    if command == .merge, journal.destinations.first?.name != output.lastComponent {
      throw file.refusal("is the journal of another output")
    }
    // Nothing is given up that was not asked for, whoever wrote the journal.
    if settings.consumes != journal.consumes {
      throw file.refusal("was begun \(journal.consumes ? "with" : "without") --consume")
    }
    self.file = file
    present = try journal.examine(paths)
    // All of the job's own are gone; whoever names others that are called the same means them.
    if present.allSatisfy({ $0.file == nil && $0.other != nil }) {
      throw file.refusal("was begun with other parts of these names, which are gone by now")
    }
    plan = try journal.plan(sources: paths, beside: output)
    (done, isPublishing) = (journal.doneBytes, journal.isPublishing)
    self.journal = journal
  }
}

extension Settings {
  /// - Parameter goesOn: what is kept of a part that is not what it should be may be taken as it is.
  /// - Throws: where an option takes from --consume what makes it safe.
  func checkConsuming(goesOn: Bool = false) throws(Failure) {
    guard consumes else { return }
    if verify == .none, !goesOn {
      throw usage("--consume needs verification, not --verify=none")
    }
    if !synchronizes { throw usage("--consume needs data to be on the device, not --no-sync") }
  }
}

extension Session {
  /// Looks for what other runs for the same files have, or have left, and tells of it.
  ///
  /// - Throws: `.cannotCreate` where one is at work.
  /// - Parameter listing: the names of some directory, which may be the output's.
  func lookForLeftovers(
    of finals: [FilePath],
    _ output: FilePath,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) {
    let known = listing?.ifOf(output.directory)
    // A directory that cannot be listed has nothing to be told of.
    let journal = Journal.path(beside: output)
    guard let found = try? Leftovers(of: finals, journal: journal, in: known) else { return }
    for group in found.groups {
      if let doubt = group.doubt {
        console.warn("\(doubt.message); it may belong to a run that is making \(output)")
        continue
      }
      if group.isInUse {
        if settings.isForced { continue }
        throw CleaveError(.cannotCreate, output, "another run is making it")
      }
      let files = group.paths.count == 1 ? "\(group.paths[0])" : "\(group.paths[0]) and others"
      let isUseful = group.hasProgress || group.isOnlyCopy
      let remedy =
        isUseful ? group.remedy : "'\(Leftovers.cleaning(output.directory))' removes it"
      console.warn("\(files): left by a run that did not end; \(remedy)")
    }
  }

  /// The error, with what to do where parts are missing because an interrupted run has consumed them.
  func hinting(_ error: CleaveError, _ operand: FilePath) -> CleaveError {
    guard error.kind == .missingInput else { return error }
    guard let found = Journal.interrupted(about: operand) else {
      guard let damaged = Journal.damaged(beside: operand) else { return error }
      return CleaveError(damaged.kind, "\(damaged.message); \(error.message)")
    }
    var told = error
    told.message += "; a run that was interrupted has it in part; \(found.journal.remedy)"
    return told
  }

  /// A file to be read, which an interrupted run may have consumed.
  func examine(_ path: FilePath) throws(CleaveError) -> SourceFile {
    do throws(CleaveError) {
      return try SourceFile(examining: path)
    } catch {
      throw hinting(error, path)
    }
  }

  /// How a job that makes `output` can be gone on with.
  func checkpoint(
    of command: Journal.Command,
    making output: FilePath,
    _ found: Resumption?
  ) throws(CleaveError) -> Checkpoint {
    let file = found?.file
    let journal =
      if let file { file } else { try JournalFile(opening: Journal.path(beside: output)) }
    var checkpoint = Checkpoint(journal, command)
    (checkpoint.size, checkpoint.present) = (settings.checkpoint, found?.present)
    (checkpoint.arguments, checkpoint.directory) = (arguments, ProcessState.workingDirectory)
    return checkpoint
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
