import Cleave
import CommandLineKit
import Posix

/// What is removed, and what stays.
struct Cleaning {
  /// A file with its size in bytes.
  struct Removal {
    let path: FilePath
    let size: Int64
  }

  private let session: Session
  private let settings: CleanCommand.Settings
  private(set) var removed: [Removal] = []
  private var keptCopies = 0
  /// What keeps something from being looked at or removed, and none of the rest.
  private(set) var problems: [CleaveError] = []

  init(_ session: Session, _ settings: CleanCommand.Settings) {
    (self.session, self.settings) = (session, settings)
  }

  mutating func look(at operand: FilePath) throws(CleaveError) {
    if operand.isObject { return try look(inStore: operand) }
    // It went with another file of its run.
    if removed.contains(where: { $0.path == operand }) { return }
    var failure: CleaveError?
    do throws(CleaveError) {
      try OutputCheck.requireLocal(operand)
      try Leftovers.whileNobodyPublishes(at: operand) { () throws(CleaveError) in
        var known: Set<FilePath> = []
        let count = removed.count
        failure = try look(atGroupsIn: operand, besides: &known)
        if failure != nil || removed.count == count || settings.isDryRun { return }
        // Of what was given up, a part may be left that no job tells of any more.
        let kept = keptCopies
        if (try? FileStatus.of(operand))?.kind == .directory {
          failure = try look(atGroupsIn: operand, besides: &known)
        }
        keptCopies = kept
      }
    } catch {
      fail(error)
    }
    if let failure { throw failure }
  }

  /// - Returns: what ends the job, which is that something cannot be reported.
  private mutating func look(
    atGroupsIn operand: FilePath,
    besides known: inout Set<FilePath>
  ) throws(CleaveError) -> CleaveError? {
    for group in try Leftovers(at: operand).groups {
      guard let first = group.paths.first, known.insert(first).inserted else { continue }
      do throws(CleaveError) { try look(at: group) } catch { return error }
    }
    return nil
  }

  /// Objects that were begun, of which nobody can tell whether somebody is still at work on them.
  private mutating func look(inStore directory: FilePath) throws(CleaveError) {
    guard let files = FileSystem.remote(for: directory) else { return }
    let found: [UnfinishedObject]
    do throws(SystemError) { found = try files.unfinished(in: directory) } catch {
      return fail(.reading(error))
    }
    for object in found {
      guard settings.isForced else {
        keptCopies += 1
        session.console.warn(
          "\(object.path): was begun, and is not complete; if nobody is at work on it, "
            + "'cleave clean -f \(directory.quoted)' gives it up",
          isReason: true
        )
        continue
      }
      try remove(object.path, 0) { _ throws(SystemError) in try files.discard(object) }
    }
  }

  private mutating func fail(_ error: CleaveError) {
    problems.append(error)
    session.console.fail(error.sentence)
  }

  private mutating func look(at group: Leftovers.Group) throws(CleaveError) {
    guard let first = group.paths.first else { return }
    if let doubt = group.doubt {
      if group.journal == nil {
        let text = "whether a run is at work on it is not known; it stays"
        return session.console.warn("\(doubt); \(text)")
      }
      guard settings.isForced, doubt.kind == .badData, group.isIdle else {
        fail(doubt)
        for (path, _) in group.temporaries {
          session.console.warn("\(path): may belong to \(group.journal ?? path); it stays")
        }
        return
      }
    }
    if group.isInUse { return session.console.warn("\(first): in use by another run; it stays") }
    // A link to a job is of no use only when the job is over, or given up where it is.
    if group.isOnlyCopy || group.isPublishing,
      !settings.isForced || group.leadsElsewhere || group.isKept
    {
      keptCopies += 1
      let what =
        if group.leadsElsewhere {
          "leads to a run that did not end, and has taken parts from here"
        } else if group.isOnlyCopy {
          "\(ByteSize.described(group.size)) that may be the only copy of data"
        } else if group.journal == nil {
          "\(group.temporaries.count > 1 ? "are" : "is") of a split that did not end"
        } else {
          "all of it is made, and some may have its name already"
        }
      let others: Sentence =
        group.isPublishing && !group.isOnlyCopy
        ? ", \(Leftovers.givingUp(group.journal ?? first)) gives it up" : ""
      return session.console.warn(
        "\(first)\(group.temporaries.count > 1 ? " and others" : ""): \(what); \(group.remedy)\(others)",
        isReason: true
      )
    }
    // Nobody begins to write to what is about to go.
    guard let locks = group.locked() else {
      return session.console.warn("\(first): in use by another run; it stays")
    }
    defer { withExtendedLifetime(locks) {} }
    for (path, size) in group.temporaries { try remove(path, size) }
    for path in group.records {
      try remove(path, (try? FileStatus.of(path, followingLinks: false))?.size ?? 0)
    }
  }

  private mutating func remove(
    _ path: FilePath,
    _ size: Int64,
    by unlink: (FilePath) throws(SystemError) -> Void = FileSystem.unlink
  ) throws(CleaveError) {
    if !settings.isDryRun {
      do throws(SystemError) { try unlink(path) } catch {
        return fail(.creating(error))
      }
    }
    let removal = Removal(path: path, size: size)
    removed.append(removal)
    try session.reporter.tell(removed: removal)
  }

  /// The first problem is told by the exit code.
  var code: ExitCode {
    if let first = problems.first { return ExitCode(first.kind) ?? .inputOutput }
    return keptCopies == 0 ? .success : .tryAgain
  }
}
