package import Posix

/// Files that jobs have in a directory before they end: those at work, and those that were killed.
package struct Leftovers {
  /// Everything that one job has there.
  package struct Group {
    /// Temporaries, with their sizes in bytes.
    package var temporaries: [(path: FilePath, size: Int64)] = []
    package var journal: FilePath?
    /// Of runs that make one output together; see ``MergeShare``.
    package var receipts: [FilePath] = []
    /// Where a run was giving its files their names; see ``NamingMark``.
    package var mark: FilePath?
    /// Whether the job is still at work.
    package var isInUse = false
    /// Why it is not known whether the job is at work, or what it has; nil where that is known. Such a
    /// group is left alone.
    package var doubt: CleaveError?
    /// Whether another run can go on with it.
    package var hasProgress = false
    /// The end of a sentence: what goes on with it.
    package var remedy = ""
    /// Whether the temporaries may hold what is nowhere else any more.
    package var isOnlyCopy = false
    /// Whether everything is made, and some of it may have its name.
    package var isPublishing = false

    /// The temporaries, and what tells of them behind those.
    package var paths: [FilePath] { temporaries.map(\.path) + records }

    /// What tells of the temporaries.
    package var records: [FilePath] { receipts + [mark, journal].compactMap { $0 } }
    /// Whether it is only a link to a job that is in another directory, and has taken parts from here.
    package var leadsElsewhere = false
    /// Whether nothing that removes leftovers takes it, as what is left of a file of which no journal tells.
    package var isKept = false
    /// The sources of a job that frees them, of which its journal tells no longer what it has done.
    var unknownSources: [FilePath] = []

    /// Whether the job freed its sources, has made something, and its journal is gone.
    package var isOrphan: Bool { journal == nil && freesSources }

    /// Whether the job frees its sources, and has made something.
    package var freesSources: Bool {
      size > 0 && temporaries.contains { TemporaryName($0.path)?.freesSources == true }
    }

    /// Bytes of the temporaries.
    package var size: Int64 { temporaries.reduce(0) { $0 + $1.size } }
  }

  package internal(set) var groups: [Group] = []

  /// What to type to have one job's files removed, whatever they are, in quotation marks.
  ///
  /// - Parameter path: its journal, or a temporary of it.
  package static func givingUp(_ path: FilePath) -> String {
    "'cleave clean -f" + " \(path.quotedOperand)'"
  }

  /// What to type to have what no job of a directory needs removed.
  package static func cleaning(_ directory: FilePath) -> String {
    directory == "." ? "cleave clean" : "cleave clean \(directory.quotedOperand)"
  }

  /// What to do about temporaries of a job that freed its sources and has lost its journal.
  static func remedyOfOrphans(_ temporary: FilePath) -> String {
    "where all of its sources are there and right, \(givingUp(temporary)) removes it"
  }

  /// All of a directory's, or what belongs to one of the files alone.
  ///
  /// - Throws: what listing the directory reports, and `.missingInput` where a file is none that a job has left. What is
  ///   wrong with a journal is in its group.
  package init(at path: FilePath) throws(CleaveError) {
    let file = Self.isFile(path) ? path.lastComponent : nil
    try self.init(in: file == nil ? path : path.directory, named: file)
    guard file != nil else { return }
    groups.removeAll { !$0.paths.contains { $0.lastComponent == path.lastComponent } }
    if groups.isEmpty {
      throw CleaveError(.missingInput, path, "is nothing that a run has left")
    }
  }

  /// Whether it is no directory, and not only a name for one.
  private static func isFile(_ path: FilePath) -> Bool {
    let kind = (try? FileStatus.of(path, followingLinks: false))?.kind
    return kind == .regular || kind == .symbolicLink && Signpost.isName(path)
  }

  /// All of a directory's.
  ///
  /// - Parameter file: the one of them that is named itself.
  /// - Throws: what listing the directory reports. What is wrong with a journal is in its group.
  init(in directory: FilePath, named file: FilePath? = nil) throws(CleaveError) {
    let listing = try DirectoryListing(of: directory)
    let names = listing.hidden
    try self.init(names, journals: names.filter(Journal.isName), of: nil)
    noteRests(in: listing)
    noteParts(in: listing)
    groups += names.compactMap(Self.group(ofLink:)) + Self.rests(in: listing, named: file)
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
    let names = try DirectoryListing(beside: journal, unless: listing).hidden
    let journals = names.filter { $0.lastComponent == journal.lastComponent }
    try self.init(names, journals: journals, of: Set(finals.map(TemporaryName.head)))
    if let listing { noteRests(in: listing) }
  }

  /// Parts have their names that would seem to be all there are, or those of one set, without what is left.
  private mutating func noteParts(in listing: DirectoryListing) {
    for (index, group) in groups.enumerated()
    where group.journal == nil && !group.isOnlyCopy && !group.isPublishing {
      if let mark = group.mark.flatMap(NamingMark.init), mark.hasNamed(in: listing) {
        groups[index].isPublishing = true
        groups[index].remedy = "it was giving parts their names, which not all may have"
        continue
      }
      let found = group.receipts.map { path in
        (path: path, receipt: ShareReceipt.seen(at: path))
      }
      let receipts = found.compactMap(\.receipt)
      let damaged = found.first { path, receipt in
        receipt == nil
          && listing.names.contains { ShareReceipt.mayBe(path, about: $0, in: listing) }
      }
      if let part = receipts.lazy.compactMap({ $0.undonePart(in: listing) }).first {
        groups[index].isPublishing = true
        groups[index].remedy =
          "\(listing.path.appending(part)) has its name already, and would seem to be all there is"
      } else if let damaged {
        groups[index].isPublishing = true
        groups[index].remedy = "\(damaged.path) cannot be read, so that shares may not be done"
      } else if group.size > 0, let path = group.receipts.first,
        receipts.contains(where: { $0.sources.contains { $0.isGone(besides: path) } })
      {
        groups[index].isOnlyCopy = true
        groups[index].remedy = "not all sources are there as they were"
      }
    }
  }

  private init(
    _ names: [FilePath],
    journals: [FilePath],
    of heads: Set<FilePath>?
  ) throws(CleaveError) {
    var byJob: [UInt32: Group] = [:]
    for path in names {
      guard let name = TemporaryName(path), heads?.contains(name.head) ?? true,
        let status = try? FileStatus.of(path, followingLinks: false),
        status.kind == .regular
      else { continue }
      byJob[name.job, default: Group()].temporaries.append((path, status.size))
    }
    for path in names {
      guard let job = ShareReceipt.job(ofName: path), heads == nil || byJob[job] != nil,
        (try? FileStatus.of(path, followingLinks: false))?.kind == .regular
      else { continue }
      byJob[job, default: Group()].receipts.append(path)
      byJob[job]?.hasProgress = true
      let clean = Self.cleaning(path.directory)
      byJob[job]?.remedy = "its other shares go on, and '\(clean)' gives it up"
    }
    for path in names {
      guard let job = NamingMark(path)?.job, heads == nil || byJob[job] != nil,
        (try? FileStatus.of(path, followingLinks: false))?.kind == .regular
      else { continue }
      byJob[job, default: Group()].mark = path
    }
    var unreadable: [(path: FilePath, error: CleaveError)] = []
    for path in journals {
      let found: Journal?
      let isInUse: Bool
      do throws(CleaveError) {
        (found, isInUse) = try JournalFile.peek(at: path)
      } catch {
        unreadable.append((path, error))
        continue
      }
      guard let found else {
        // A temporary is made when the beginning of the journal is on the device.
        let stem = Self.stem(of: path)
        let isAlone = !byJob.values.contains {
          $0.temporaries.contains { $0.path.lastComponent.bytes.starts(with: stem) }
        }
        if isInUse || isAlone {
          groups.append(Group(journal: path, isInUse: isInUse))
        } else {
          let text: Sentence =
            "has lost its beginning; temporaries beside it may be the only copy of data"
          unreadable.append((path, CleaveError(.badData, path, text)))
        }
        continue
      }
      byJob[found.job, default: Group()].journal = path
      byJob[found.job]?.isInUse = isInUse
      byJob[found.job]?.hasProgress = found.hasProgress
      byJob[found.job]?.isPublishing = found.isPublishing
      let hasBytes = byJob[found.job]?.temporaries.contains { $0.size > 0 } ?? false
      let isLost = hasBytes && found.hasLostEntries(path)
      let lacksSource =
        !found.consumes && found.hasProgress && hasBytes && found.lacksSource(path)
      if isLost { byJob[found.job]?.unknownSources = found.sources.map(\.name) }
      byJob[found.job]?.isOnlyCopy =
        found.hasConsumed || isLost || lacksSource && !found.isPublishing
      byJob[found.job]?.remedy =
        !isLost
        ? (lacksSource ? "not all sources are there as they were: put them back, and " : "")
          + found.remedy
        : "not all sources are what they were; " + Journal.remedyWithoutEntries(path)
    }
    // Behind the others: those tell which temporaries are theirs.
    for (path, error) in unreadable { groups.append(Self.group(of: path, error, &byJob)) }
    for (job, group) in byJob where group.isOrphan {
      byJob[job]?.isOnlyCopy = true
      byJob[job]?.remedy =
        "the run that made it freed its sources, and its journal is gone; "
        + Self.remedyOfOrphans(group.temporaries[0].path)
    }
    groups += byJob.values
    for index in groups.indices where !groups[index].isInUse && groups[index].doubt == nil {
      groups[index].look()
    }
    groups.sort { ($0.paths.first ?? "") < ($1.paths.first ?? "") }
  }

  /// What temporaries have in common with the journal of their job: a dot and the name of its output.
  static func stem(of journal: FilePath) -> ArraySlice<UInt8> {
    let name = journal.lastComponent.bytes.dropLast(Journal.suffix.utf8.count)
    // A long name was cut, and has a sum behind it.
    let cut = name.lastIndex(of: UInt8(ascii: "~")) ?? name.endIndex
    return name.endIndex - cut == 9 ? name[..<cut] : name
  }

  /// The temporaries that may belong to a journal which cannot be read.
  static func temporaries(beside journal: FilePath) -> [TemporaryName] {
    let stem = stem(of: journal)
    let names = (try? FileSystem.names(in: journal.directory)) ?? []
    return names.filter { $0.bytes.starts(with: stem) }.map(journal.sibling)
      .compactMap(TemporaryName.init)
  }

  /// What may belong to a journal that cannot be read: temporaries that are named after what it is named
  /// after. They may hold the only copy of something.
  private static func group(
    of journal: FilePath,
    _ error: CleaveError,
    _ byJob: inout [UInt32: Group]
  ) -> Group {
    var group = Group(journal: journal, doubt: error)
    let stem = stem(of: journal)
    for (job, other) in byJob where other.journal == nil {
      guard other.temporaries.contains(where: { $0.path.lastComponent.bytes.starts(with: stem) })
      else { continue }
      group.temporaries += other.temporaries
      byJob[job] = nil
    }
    return group
  }

  /// Keeps jobs from giving their files names in a directory for as long as `body` runs: a temporary
  /// that is not in use then belongs to nobody.
  package static func whileNobodyPublishes(
    at path: FilePath,
    _ body: () throws(CleaveError) -> Void
  ) throws(CleaveError) {
    let directory = isFile(path) ? path.directory : path
    let opened = try CleaveError.whileReading(
      FileDescriptor.open(directory, [.readOnly, .directory])
    )
    guard opened.lock(patience: FileDescriptor.lockPatience) else {
      throw .locked(opened, directory)
    }
    try body()
  }
}

extension Leftovers.Group {
  /// Whether the journal is one, though it may be damaged, and nobody is at work on the job, as far as
  /// locks tell.
  package var isIdle: Bool {
    let start = journal.flatMap {
      try? FileDescriptor.open($0, [.readOnly, .noFollow, .nonBlocking]).read(14, at: 0)
    }
    return start.map(Journal.isBegun) == true && locked() != nil
  }

  /// A job locks the first of its files alone, and one for each share.
  private static let mostLocks = 100

  /// Locks files of the group as runs do, until what is returned goes; nil where a run has one.
  package func locked() -> [FileLock]? {
    var locks: [FileLock] = []
    for path in temporaries.map(\.path) + (journal.map { [$0] } ?? []) {
      do throws(SystemError) {
        guard let lock = try FileLock(path) else { return nil }
        if locks.count < Self.mostLocks { locks.append(lock) }
      } catch {
        // One that is gone by now is nobody's, and nobody locks a link.
        if ![.notFound, .tooManyLinks].contains(error.errno) { return nil }
      }
    }
    return locks
  }

  /// Finds out whether the job that makes the temporaries is at work: the first that it has made is
  /// locked then. Of one that cannot be opened, as somebody else's, nobody knows.
  fileprivate mutating func look() {
    for (path, _) in temporaries {
      do throws(SystemError) {
        let file = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
        if !file.lock() { isInUse = true }
      } catch {
        // One that is gone by now is nobody's.
        if error.errno != .notFound { doubt = doubt ?? .reading(error) }
      }
    }
  }
}

/// A file that is locked until this goes.
package final class FileLock {
  private let descriptor: FileDescriptor

  /// Nil where somebody else has locked it, or another file has its name.
  fileprivate init?(_ path: FilePath) throws(SystemError) {
    descriptor = try FileDescriptor.open(path, [.readOnly, .noFollow, .nonBlocking])
    guard descriptor.lock(),
      try FileStatus.of(path, followingLinks: false).identity == descriptor.status().identity
    else { return nil }
  }
}
