package import Posix

/// What is known of a job that was begun: its plan, and which of it is done and on the device.
///
/// Names are those of single files. Where they are is said by the run that goes on with the job, so that a
/// journal that somebody else wrote leads nowhere.
package struct Journal: Hashable, Sendable {
  /// What the job does.
  package enum Command: String, Hashable, Sendable { case merge, split }

  /// A file to be read, as it was when the job was begun.
  package struct Source: Hashable, Sendable {
    package var name: FilePath
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// When anything of it, its names included, was changed last: nanoseconds since 1970.
    package var changed: Int64
    package var inode: UInt64
    /// Whether it had holes. Those of another one are what has been freed.
    package var isSparse = false
    /// Whether it is known by its size and time alone, since it came along with the journal; never written.
    var isFollowed = false
    /// The directory where it was, from the root; nil where that is not known. It is only looked at, and nothing is
    /// read or written there.
    var place: FilePath?
  }

  /// A file to be made.
  package struct Destination: Hashable, Sendable {
    package var name: FilePath
    /// Bytes.
    package var size: Int64
  }

  /// What had the name of an output when the job was begun.
  struct Former: Hashable, Sendable {
    var name: FilePath
    /// Bytes.
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
    var inode: UInt64

    init(name: FilePath, size: Int64, modified: Int64, inode: UInt64) {
      (self.name, self.size, self.modified, self.inode) = (name, size, modified, inode)
    }

    init(_ path: FilePath, _ status: FileStatus) {
      (name, size) = (path.lastComponent, status.size)
      (modified, inode) = (status.modified, status.identity.inode)
    }
  }

  /// An extent; one without a source had bytes of the plan's own.
  struct Extent: Hashable, Sendable {
    var source: Int?
    /// Bytes from the start of the source.
    var sourceOffset: Int64
    /// Bytes.
    var length: Int64
    var destination: Int
    /// Bytes from the start of the destination.
    var offset: Int64
  }

  /// What is done: a piece of an extent, and the checksum of its bytes.
  struct Done: Hashable, Sendable {
    var extent: Int
    /// Bytes from the start of the extent.
    var start: Int64
    var checksum: Checksum

    var piece: ExtentPiece {
      ExtentPiece(extent: extent, start: start, length: checksum.count)
    }
  }

  package var command: Command
  /// Whether sources are freed as soon as their bytes are in the output.
  package var consumes: Bool
  package var kinds: Checksum.Kinds
  /// What the parts are, where they are not just bytes, and how many entries they hold.
  package var content: Content?
  /// What was typed behind the program's name; empty where that was too much to keep.
  package var arguments: [FilePath] = []
  /// Where it was typed.
  package var directory: FilePath?
  /// The directory where the journal is itself, from the root; nil where that is not known.
  var home: FilePath?
  /// The name that the sources share, and that of the manifest that they are compared with.
  package var base: FilePath?
  package var manifest: FilePath?
  /// The CRC-32 of what lists, found or named, told of the sources when the job was begun; nil where there was none.
  var told: UInt32?
  /// What was said of the sources beside their names, which decides what is made of them; nil where it is not known.
  package var asked: String?
  /// Whether only the names told which parts there are.
  package var isOpen = false
  /// Whether what is in the sources was proved, all of it, before any was freed.
  var isProved = false
  /// The permissions that every source has; nil where it is not known.
  var permissions: UInt32?
  /// In the names of the temporaries.
  package var job: UInt32 = 0
  package var sources: [Source]
  package var destinations: [Destination]
  /// What the outputs replace.
  var former: [Former] = []
  var extents: [Extent]
  var unread: [TransferPlan.Unread]
  /// In the order in which it was done.
  var done: [Done] = []
  /// Sources that are not what they should be, all of which is done, and which others may take the place
  /// of.
  var bad: Set<Int> = []
  /// Whether other files have taken the places of sources, since a list says that they are right.
  var hasReplaced = false
  /// Whether names may have been given.
  package var isPublishing = false

  /// What parts were recognized as.
  package struct Content: Hashable, Sendable {
    package var kind: Selection.Kind
    package var entries: Int64
    /// What nothing proves of the parts, as nouns.
    package var unproved: [String] = []
  }

  /// The journal of a job that begins.
  init(
    _ plan: TransferPlan,
    _ command: Command,
    consumes: Bool,
    kinds: Checksum.Kinds,
    content: Content?
  ) {
    (self.command, self.consumes, self.kinds, self.content) = (command, consumes, kinds, content)
    permissions = plan.sources.permissions
    let here = ProcessState.workingDirectory
    sources = plan.sources.map { source in
      var found = Source(
        name: source.path.lastComponent,
        size: source.status.size,
        modified: source.status.modified,
        changed: source.status.changed,
        inode: source.status.identity.inode
      )
      let directory = source.path.directory
      if !source.path.isRemote {
        found.place = directory.isAbsolute ? directory : here?.appending(directory)
      }
      return found
    }
    destinations = plan.destinations.map {
      Destination(name: $0.path.lastComponent, size: $0.size)
    }
    extents = plan.extents.map(Extent.init)
    unread = plan.unread
  }

  /// Whether bytes may be gone from the sources, so that only this job can bring them together.
  package var hasConsumed: Bool { consumes && !done.isEmpty }

  /// Whether there is anything to go on with.
  package var hasProgress: Bool { !done.isEmpty || isPublishing }

  /// Bytes that are done.
  ///
  /// What the plan has of its own is written first, and once more in its round.
  package var doneBytes: Int64 {
    var own: Set<Int> = []
    return done.reduce(0) { sum, done in
      let isOwn = extents.indices.contains(done.extent) && extents[done.extent].source == nil
      if isOwn, !own.insert(done.extent).inserted { return sum }
      // bounded: of files that are there
      return sum + done.checksum.count
    }
  }

  /// Bytes that the outputs have beside `output` behind what was entered, and that are written again in the same place.
  package func ahead(beside output: FilePath) -> Int64 {
    max(0, allocated(beside: output) - doneBytes)
  }

  /// Another file takes the place of a bad source.
  mutating func replace(_ source: Int, _ modified: Int64, _ inode: UInt64, isSparse: Bool) {
    // In the place of one that was bad, what is right comes as it should.
    if bad.remove(source) == nil { hasReplaced = true }
    (sources[source].modified, sources[source].inode) = (modified, inode)
    sources[source].isSparse = isSparse
  }

  /// Whether the only destination is all of the sources, one after the other, so that one may have another size.
  var isPlain: Bool {
    destinations.count == 1 && unread.isEmpty
      && Self.joining(sources).map { $0 == (extents, destinations[0].size) } ?? false
  }

  /// The checksum of what is done of each source, where the plan is plain.
  var sumsOfSources: [Checksum]? {
    guard isPlain else { return nil }
    var sums = [Checksum](repeating: .empty, count: sources.count)
    for done in done {
      if let source = extents[done.extent].source { sums[source].append(done.checksum) }
    }
    return sums
  }

  /// What makes one file of all sources, and its size; nil where it would be larger than any file.
  private static func joining(_ sources: [Source]) -> (extents: [Extent], size: Int64)? {
    var (extents, size): ([Extent], Int64) = ([], 0)
    for (index, source) in sources.enumerated() where source.size > 0 {
      extents.append(
        Extent(source: index, sourceOffset: 0, length: source.size, destination: 0, offset: size)
      )
      let (sum, overflows) = size.addingReportingOverflow(source.size)
      if overflows { return nil }
      size = sum
    }
    return (extents, size)
  }

  /// The same job, of a plain plan, where another file takes the place of a source, whose size may be another one.
  ///
  /// - Parameter count: of the entries in front of it; no other counts any more.
  /// - Throws: `.badData` where what is made would be larger than any file.
  func resizing(
    _ source: Int,
    to status: FileStatus,
    isSparse: Bool,
    keeping count: Int
  ) throws(CleaveError) -> Journal {
    var journal = self
    journal.replace(source, status.modified, status.identity.inode, isSparse: isSparse)
    journal.sources[source].size = status.size
    guard let (extents, size) = Self.joining(journal.sources) else {
      throw CleaveError(
        .badData,
        sources[source].name,
        "makes the output larger than any file can be"
      )
    }
    (journal.extents, journal.destinations[0].size) = (extents, size)
    journal.done.removeLast(done.count - count)
    return journal
  }

  /// Pieces that are neighbours become one.
  mutating func compact() {
    var compacted: [Done] = []
    for piece in done {
      if let last = compacted.last, last.extent == piece.extent,
        last.start + last.checksum.count == piece.start
      {
        compacted[compacted.count - 1].checksum.append(piece.checksum)
      } else {
        compacted.append(piece)
      }
    }
    done = compacted
  }

  /// The name of the journal of a job that makes `output`, beside it.
  package static func path(beside output: FilePath) -> FilePath {
    var head = TemporaryName.head(of: output)
    let name = output.lastComponent.bytes
    if head.bytes.count <= name.count {
      // Names that begin the same are told apart.
      head = head.adding("~\(Checksum(of: name[...], .crc32).crc32Text)")
    }
    return output.sibling(head.adding(suffix))
  }

  /// Whether a file has the name of a journal.
  package static func isName(_ path: FilePath) -> Bool {
    UnfinishedName.isJournal(path)
  }

  static let suffix = UnfinishedName.journal
}

extension Journal.Extent {
  init(_ extent: Extent) {
    (source, sourceOffset) = (extent.sourceIndex, extent.sourceOffset)
    (length, destination, offset) = (extent.length, extent.destination, extent.offset)
  }
}
