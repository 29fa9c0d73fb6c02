package import Posix

/// A journal on disk, locked for as long as the job is at work: two runs cannot have it.
package final class JournalFile: Sendable {
  package let path: FilePath
  /// What was in it when it was opened; nil where the job had not begun.
  package let found: Journal?
  /// Whether there was nothing in it then.
  package let wasEmpty: Bool
  private let state: Locked<State>

  private final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  private struct State {
    var file: OpenFile
    /// Bytes that count; what is behind them was left half-written.
    var length: Int64
    /// Of the last line that counts.
    var check: String
    /// Bytes of it when it was last written as a whole.
    var base: Int64
  }

  /// Opens the journal, and makes it if it is not there.
  ///
  /// - Throws: `.cannotCreate` where another run has it, or others may write it; `.badData` where it is not a journal.
  package convenience init(opening path: FilePath) throws(CleaveError) {
    try self.init(path, [.readWrite, .create, .noFollow, .nonBlocking])
  }

  /// The journal at `path`; nil where there is none.
  package static func existing(at path: FilePath) throws(CleaveError) -> JournalFile? {
    let status = try CleaveError.whileReading(FileStatus.ifPresent(path, followingLinks: false))
    return status == nil ? nil : try JournalFile(path, [.readWrite, .noFollow, .nonBlocking])
  }

  private init(_ path: FilePath, _ options: FileDescriptor.OpenOptions) throws(CleaveError) {
    let opened = try Self.open(path, options)
    // A run that has just ended its job has removed the file that was opened here.
    guard opened.lock(), try Self.isStill(opened, path) else {
      throw CleaveError(.cannotCreate, path, "is in use: another run is making the same output")
    }
    let bytes = try Self.read(opened)
    let content = try Self.parse(bytes, path)
    (self.path, wasEmpty) = (path, bytes.isEmpty)
    found = content?.journal
    let length = Int64(content?.length ?? 0)
    state = Locked(
      State(file: OpenFile(opened), length: length, check: content?.check ?? "", base: length)
    )
  }

  private init(_ other: JournalFile, _ journal: Journal) {
    (path, found, wasEmpty) = (other.path, journal, false)
    state = Locked(other.state.withLock { $0 })
  }

  /// The same file, which the caller has just rewritten: what is in it now is what was found. From then on, this one
  /// is not to be written to.
  func holding(_ journal: Journal) -> JournalFile { JournalFile(self, journal) }

  private static func open(
    _ path: FilePath,
    _ options: FileDescriptor.OpenOptions
  ) throws(CleaveError) -> FileDescriptor {
    let status: FileStatus
    do throws(SystemError) {
      let opened = try FileDescriptor.open(path, options, permissions: 0o600)
      status = try opened.status()
      if status.kind != .regular { throw SystemError("open", path, .invalidArgument) }
      if status.isOurs { return opened }
    } catch {
      throw .creating(error)
    }
    throw CleaveError(
      .cannotCreate,
      path,
      "is not this user's alone, so that what it says is not believed: \(status.sharing)"
    )
  }

  private static func read(_ file: borrowing FileDescriptor) throws(CleaveError) -> [UInt8] {
    do throws(SystemError) {
      let size = try file.status().size
      if size <= Journal.largestFile { return try file.read(Int(size), at: 0) }
    } catch {
      throw .reading(error)
    }
    throw CleaveError(.badData, file.path, "is too large to be a journal")
  }

  /// What is in a journal, and whether a run has it.
  ///
  /// - Parameter place: where it was found, which may be a link beside its sources.
  static func peek(
    at path: FilePath,
    from place: FilePath? = nil
  ) throws(CleaveError) -> (journal: Journal?, isInUse: Bool) {
    let opened = try open(path, [.readOnly, .noFollow, .nonBlocking])
    // A run that goes on puts another file in its place.
    let isLocked = !opened.lock()
    let isStill = try isStill(opened, path)
    let isInUse = isLocked || !isStill
    var journal = try parse(try read(opened), path)?.journal
    if let place, place != path { journal?.follow(sourcesTo: place) }
    return (journal, isInUse)
  }

  private static func parse(
    _ bytes: [UInt8],
    _ path: FilePath
  ) throws(CleaveError) -> Journal.Parsed? {
    var parsed = try Journal.parse(bytes, path)
    parsed?.journal.follow(to: path)
    return parsed
  }

  private static func isStill(
    _ file: borrowing FileDescriptor,
    _ path: FilePath
  ) throws(CleaveError) -> Bool {
    try CleaveError.whileReading(
      FileStatus.ifPresent(path, followingLinks: false)?.identity == file.status().identity
    )
  }

  /// Begins anew: from here on the journal is the given one's.
  ///
  /// - Parameter most: bytes that it may ever have.
  /// - Throws: `.cannotCreate` where it would have more.
  func begin(
    _ journal: Journal,
    most: Int = Journal.largestFile,
    synchronizes: Bool
  ) throws(CleaveError) {
    let lines = journal.lines()
    let size = journal.largestSize(lines)
    guard size <= most else {
      throw CleaveError(
        .cannotCreate,
        path,
        "would need \(size) bytes, and may have \(most): fewer parts at a time need less"
      )
    }
    state.withLock { ($0.length, $0.check) = (0, "") }
    try append(lines, synchronizes: synchronizes)
    state.withLock { $0.base = $0.length }
  }

  /// Adds lines behind those that count. They do when this returns.
  func append(_ added: [String], synchronizes: Bool) throws(CleaveError) {
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in
        var lines = JournalLines(behind: state.check)
        lines.add(added)
        try state.file.descriptor.truncate(to: state.length)
        try state.file.descriptor.seek(to: state.length)
        try state.file.descriptor.write(all: lines.bytes)
        if synchronizes { try state.file.descriptor.synchronize() }
        state.length += Int64(lines.bytes.count)
        state.check = lines.check
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Takes back what was added since it was begun or written anew.
  func forgetAdded(synchronizes: Bool) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      try state.file.descriptor.truncate(to: state.base)
      if synchronizes { try state.file.descriptor.synchronize() }
    }
  }

  /// Whether it has grown so much that it is worth writing it anew.
  var hasGrown: Bool {
    state.withLock { $0.length - $0.base > Journal.mostGrowth(over: $0.base) }
  }

  /// Writes all of it anew, into another file that then takes its place.
  func rewrite(_ journal: Journal, synchronizes: Bool) throws(CleaveError) {
    let new = Self.successor(of: path, job: journal.job)
    do throws(SystemError) {
      if try FileStatus.ifPresent(new, followingLinks: false) != nil {
        // Only a run that was killed here has left one.
        try FileSystem.unlink(new)
      }
      let file = OpenFile(
        try .open(new, [.readWrite, .create, .exclusive, .noFollow], permissions: 0o600)
      )
      // Nobody finds a journal without its lock.
      _ = file.descriptor.lock()
      var lines = JournalLines()
      lines.add(journal.lines())
      try file.descriptor.write(all: lines.bytes)
      if synchronizes { try file.descriptor.synchronize() }
      try FileSystem.rename(new, replacing: path)
      let (length, check) = (Int64(lines.bytes.count), lines.check)
      state.withLock { $0 = State(file: file, length: length, check: check, base: length) }
    } catch {
      try? FileSystem.unlink(new)
      throw .writing(error)
    }
    if synchronizes { try DirectorySync(of: [path]).run() }
  }

  /// The error about a job that is in the way.
  ///
  /// - Parameter text: the end of a sentence that begins with the journal's name.
  package func refusal(_ text: Sentence) -> CleaveError {
    let remedy = found?.remedy ?? "the same call or command line goes on"
    // What may hold the only copy of something is not to be removed.
    let isOnlyCopy = found?.consumes ?? false
    let other = isOnlyCopy ? "" : ", or '\(Leftovers.cleaning(path.directory))' removes it"
    return CleaveError(.cannotCreate, path, "\(text); \(remedy)\(other)")
  }

  /// What is to take a journal's place.
  static func successor(of path: FilePath, job: UInt32) -> FilePath {
    TemporaryName(of: path, job: job, index: 0).path
  }

  /// - Throws: `.changedInput` where another file, or none, has the journal's name by now.
  func requireThere() throws(CleaveError) {
    let isThere = try state.withLock { state throws(CleaveError) in
      try Self.isStill(state.file.descriptor, path)
    }
    if isThere { return }
    var error = CleaveError(.changedInput, path, "was removed by another program")
    error.isLasting = true
    throw error
  }

  /// Removes the journal: the job is over. After a power loss it may be there again; then the run that goes
  /// on finds that all is done. What has taken its place meanwhile stays.
  ///
  /// - Parameter synchronizes: whether it must be gone on the device, too.
  /// - Returns: whether it is gone.
  @discardableResult
  package func remove(synchronizes: Bool = false) -> Bool {
    do {
      guard try state.withLock({ try Self.isStill($0.file.descriptor, path) }) else { return true }
      try FileSystem.unlink(path)
      if synchronizes { try DirectorySync(of: [path]).run() }
      return true
    } catch {
      return false
    }
  }
}

extension FileStatus {
  /// Whether nobody but this user may have written the file, under any name.
  var isOurs: Bool {
    owner == ProcessState.effectiveUser && links <= 1 && permissions & 0o022 == 0
  }

  /// How somebody else may have written it, and what ends that, as the end of a sentence.
  var sharing: Sentence {
    if owner != ProcessState.effectiveUser {
      "it is another user's, who can go on with the job"
    } else if links > 1 {
      "it has \(links) names, as in a copy by hard links; once the others are removed, the job goes on"
    } else {
      "others may write to it; once only its owner may (chmod go-w), the job goes on"
    }
  }
}
