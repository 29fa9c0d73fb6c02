package import Posix

/// Files that jobs have in a directory before they end: those at work, and those that were killed.
package struct Leftovers {
  /// Everything that one job has there.
  package struct Group {
    /// Temporaries, with their sizes in bytes.
    package var temporaries: [(path: FilePath, size: Int64)] = []
    package var journal: FilePath?
    /// Whether the job is still at work.
    package var isInUse = false
    /// Whether another run can go on with it.
    package var hasProgress = false
    /// The end of a sentence: what goes on with it.
    package var remedy = ""
    /// Whether the temporaries may hold what is nowhere else any more.
    package var isOnlyCopy = false

    /// The temporaries, and the journal behind them.
    package var paths: [FilePath] { temporaries.map(\.path) + [journal].compactMap { $0 } }
    /// Bytes of the temporaries.
    package var size: Int64 { temporaries.reduce(0) { $0 + $1.size } }
  }

  package private(set) var groups: [Group] = []

  /// All of a directory's.
  ///
  /// - Throws: `.badData` where a journal is none, and what looking reports.
  package init(in directory: FilePath) throws(CleaveError) {
    let names = try Self.hidden(DirectoryListing(of: directory))
    try self.init(names, journals: names.filter(Journal.isName), of: nil)
  }

  /// Those of jobs that make some files, which are in one directory.
  ///
  /// - Parameters:
  ///   - journal: the one that such a job has.
  ///   - listing: the names of its directory, which is listed where none is given.
  package init(
    of finals: [FilePath],
    journal: FilePath,
    in listing: DirectoryListing? = nil
  ) throws(CleaveError) {
    let names = try Self.hidden(DirectoryListing(beside: journal, unless: listing))
    let journals = names.filter { $0.lastComponent == journal.lastComponent }
    try self.init(names, journals: journals, of: Set(finals.map(TemporaryName.head)))
  }

  private init(
    _ names: [FilePath],
    journals: [FilePath],
    of heads: Set<FilePath>?
  ) throws(CleaveError) {
    var byJob: [UInt32: Group] = [:]
    for path in names {
      guard let name = TemporaryName(path), heads?.contains(name.head) ?? true,
        let status = try? FileStatus.ifPresent(path, followingLinks: false),
        status.kind == .regular
      else { continue }
      byJob[name.job, default: Group()].temporaries.append((path, status.size))
    }
    for path in journals {
      let (found, isInUse) = try JournalFile.peek(at: path)
      guard let found else {
        groups.append(Group(journal: path, isInUse: isInUse))
        continue
      }
      byJob[found.job, default: Group()].journal = path
      byJob[found.job]?.isInUse = isInUse
      byJob[found.job]?.hasProgress = found.hasProgress
      byJob[found.job]?.isOnlyCopy = found.hasConsumed
      byJob[found.job]?.remedy = found.remedy
    }
    groups += byJob.values
    for index in groups.indices where !groups[index].isInUse {
      groups[index].isInUse = groups[index].temporaries.contains { Self.isLocked($0.path) }
    }
    groups.sort { ($0.paths.first ?? "") < ($1.paths.first ?? "") }
  }

  /// Temporaries and journals have such names.
  private static func hidden(_ listing: DirectoryListing) -> [FilePath] {
    listing.names.filter { $0.bytes.first == UInt8(ascii: ".") }.map { listing.path.appending($0) }
      .sorted()
  }

  /// Whether the job that makes a temporary is at work; the first that it has made tells.
  private static func isLocked(_ path: FilePath) -> Bool {
    guard let file = try? FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking]) else {
      return false
    }
    return !file.lock()
  }

  /// Keeps jobs from giving their files names in a directory for as long as `body` runs: a temporary
  /// that is not in use then belongs to nobody.
  package static func whileNobodyPublishes(
    in directory: FilePath,
    _ body: () throws(CleaveError) -> Void
  ) throws(CleaveError) {
    let opened: FileDescriptor
    do { opened = try .open(directory, [.readOnly, .directory]) } catch { throw .reading(error) }
    guard opened.lock() else {
      throw CleaveError(.changedInput, directory, "is in use: a run is giving files their names")
    }
    try body()
  }
}
