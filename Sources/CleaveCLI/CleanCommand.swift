import Cleave
import CommandLineKit
import Posix

/// `cleave clean`: what killed runs have left.
enum CleanCommand {
  static let command = Command<Settings>(
    "clean",
    summary: "Remove what runs that were killed have left behind.",
    usage: ["cleave clean [OPTION]... [DIRECTORY]..."],
    options: [
      .flag(
        "force",
        short: "f",
        group: "Output",
        help: "Remove also what holds the only copy of data, after a run with --consume.",
        sets: \.isForced
      ),
      OptionRows.dryRun(short: "n"),
    ] + OptionRows.general,
    details: """
      Looks for .NAME.cleave-tmp-… and .NAME.cleave-journal in each DIRECTORY, or where it is run. \
      Those of runs that are still at work stay. So do those of a run with --consume that had begun to \
      free its parts: they may hold the only copy, and are listed with the command line that finishes \
      the job.
      """,
    examples: [.init("cleave clean -n /backup", "Show what would be removed.")]
  )

  static func run(_ session: Session, _ operands: [FilePath]) throws(Failure) -> ExitCode {
    try job { () throws(CleaveError) in
      var cleaning = Cleaning(session)
      for directory in operands.isEmpty ? ["."] : operands {
        try Leftovers.whileNobodyPublishes(in: directory) { () throws(CleaveError) in
          for group in try Leftovers(in: directory).groups { try cleaning.look(at: group) }
        }
      }
      return try cleaning.end()
    }
  }
}

private struct Cleaning {
  private let session: Session
  private var removed: [(path: FilePath, size: Int64)] = []
  private var keptCopies = 0

  init(_ session: Session) { self.session = session }

  mutating func look(at group: Leftovers.Group) throws(CleaveError) {
    guard let first = group.paths.first else { return }
    if group.isInUse { return session.console.warn("\(first): in use by another run; it stays") }
    if group.isOnlyCopy, !session.settings.isForced {
      keptCopies += 1
      return session.console.warn(
        "\(first): \(ByteSize.described(group.size)) that may be the only copy of data; "
          + "\(group.remedy)"
      )
    }
    for (path, size) in group.temporaries { try remove(path, size) }
    if let journal = group.journal { try remove(journal, 0) }
  }

  private mutating func remove(_ path: FilePath, _ size: Int64) throws(CleaveError) {
    if !session.settings.isDryRun {
      do { try FileSystem.unlink(path) } catch { throw .creating(error) }
    }
    removed.append((path, size))
    if session.settings.writesJSON { return }
    let what = session.settings.isDryRun ? "would be removed" : "removed"
    try session.console.report("\(path): \(ByteSize.described(size)) \(what)")
  }

  func end() throws(CleaveError) -> ExitCode {
    if session.settings.writesJSON {
      try session.write(
        JSONReport.Cleaning(
          removed: removed.map { JSONReport.File($0.path, bytes: $0.size) },
          dryRun: session.settings.isDryRun ? true : nil
        ),
        isIncidental: true
      )
    }
    return keptCopies == 0 ? .success : .tryAgain
  }
}
