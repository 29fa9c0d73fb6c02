package import Posix

/// The files that a job makes: under temporary names until all are whole, then under their own.
///
/// A final name is absent, or holds what it held before, or holds the complete new file. System calls
/// that make or remove names run under the lock: a signal may ask for everything to be removed at any
/// moment, and must neither miss a file nor remove a published one.
package final class Outputs: Sendable {
  private enum Phase { case making, publishing, committed, discarded }

  private struct State {
    var phase = Phase.making
    var entries: [OutputEntry] = []
    /// In the names of all temporaries of the job.
    var job = Outputs.newJob()
    /// Whether a temporary exists, so that the number is settled.
    var hasMade = false
    /// The entry whose temporary was made first, and is locked.
    var locked: Int?
    /// Whether a journal is locked for as long as the job is at work, and no temporary need be.
    var hasJournal = false
    /// Whether the first temporary that was taken over is locked, as one that is made would be.
    var hasLocked = false
    /// Whether what has been made stays, for another run to go on with.
    var isKept = false
    /// The permissions that every source has: no output has more.
    var permissions: UInt32 = 0o777
    /// When the newest source was last changed; nil where that does not count.
    var modified: Int64?
    /// What tells that some of the files may have their names.
    var mark: NamingMark?
  }

  package let options: OutputOptions
  private let state = Locked(State())
  private let told = Locked<ProofRun?>(nil)
  /// Of the temporary that gets its name last, where it is needed.
  private let lastLock = Locked<FileDescriptor?>(nil)

  package init(_ options: OutputOptions) { self.options = options }

  /// No output gets more permissions than these, those of a source.
  func limit(permissions: UInt32) { state.withLock { $0.permissions &= permissions } }

  /// Outputs were changed no earlier than this source, where times are kept.
  func note(modified: Int64) {
    guard options.keepsTimes else { return }
    state.withLock { $0.modified = max($0.modified ?? modified, modified) }
  }

  /// Tells of what is written to the first output, and that it has all its bytes, so that it is proved
  /// meanwhile.
  func tell(_ proving: ProofRun?) { told.withLock { $0 = proving } }
  var proving: ProofRun? { told.withLock { $0 } }

  // MARK: Making

  /// Enters a file to be made, and returns its index. Where `size` is given, in bytes, room may be
  /// taken for it.
  ///
  /// - Parameter tells: whether it tells of the others, as manifests do.
  package func add(_ path: FilePath, size: Int64? = nil, tells: Bool = false) -> Int {
    state.withLock { state in
      state.entries.append(OutputEntry(path: path, size: size, tells: tells))
      return state.entries.count - 1
    }
  }

  /// Enters a stream, which is open already.
  package func add(_ stream: StreamOutput) -> Int {
    state.withLock { state in
      state.entries.append(OutputEntry(path: stream.path, output: .stream(stream)))
      return state.entries.count - 1
    }
  }

  /// The file or stream of that index; made if it is not there yet. Room is taken for a file whose
  /// size is known, once and where the file system can, unless `reserving` is false.
  package func open(_ index: Int, reserving: Bool = true) throws(CleaveError) -> Output {
    let (output, size) = try state.withLock { state throws(CleaveError) -> (Output, Int64?) in
      let output = try Self.output(index, in: &state)
      if !reserving || state.entries[index].isReserved { return (output, nil) }
      state.entries[index].isReserved = true
      return (output, state.entries[index].size)
    }
    if let size, case .file(let file) = output { try reserve(size, for: file) }
    return output
  }

  private static func output(_ index: Int, in state: inout State) throws(CleaveError) -> Output {
    if let output = state.entries[index].output { return output }
    if state.phase == .discarded { throw .cancelled }
    do throws(SystemError) {
      let file = try make(index, in: &state)
      state.entries[index].output = .file(file)
      return .file(file)
    } catch {
      throw .creating(error.about(state.entries[index].path))
    }
  }

  private static func make(
    _ index: Int,
    in state: inout State
  ) throws(SystemError) -> OutputFile {
    var attempts = 0
    while true {
      let name = TemporaryName(of: state.entries[index].path, job: state.job, index: index)
      do throws(SystemError) {
        // The first temporary is locked as long as the job runs, which tells others that it is in use.
        let file = try OutputFile(state.entries[index].path, as: name.path, locks: !state.hasMade)
        if !state.hasMade { state.locked = index }
        state.hasMade = true
        return file
      } catch  where error.errno == .exists && !state.hasMade && attempts < 16 {
        state.job = Outputs.newJob()
        attempts += 1
      }
    }
  }

  /// Not under the lock: reserving may take long, and a signal must not wait for it.
  private func reserve(_ size: Int64, for file: OutputFile) throws(CleaveError) {
    do throws(SystemError) {
      _ = try file.withDescriptor { file throws(SystemError) in try file.preallocate(size) }
    } catch {
      throw .creating(error.about(file.path))
    }
  }

  // MARK: Going on

  /// The number of a job that frees nothing.
  static func newJob() -> UInt32 {
    TemporaryName.job(like: .random(in: 0 ... .max), freesSources: false)
  }

  /// In the names of all temporaries.
  package var job: UInt32 { state.withLock { $0.job } }

  /// Goes on with the temporaries of an earlier run.
  package func goOn(with job: UInt32) {
    state.withLock { ($0.job, $0.hasMade, $0.hasJournal) = (job, true, true) }
  }

  /// The name that the temporary of an index has.
  package func temporary(_ index: Int) -> FilePath {
    state.withLock { TemporaryName(of: $0.entries[index].path, job: $0.job, index: index).path }
  }

  /// Takes a file for the temporary of that index.
  ///
  /// - Parameters:
  ///   - size: bytes; what is behind them is cut off.
  ///   - expecting: which file it has to be; nil for any.
  ///   - isGiven: whether it is to stay, whatever becomes of the job.
  /// - Throws: also `.changedInput` where it is another one.
  package func adopt(
    _ index: Int,
    at path: FilePath,
    upTo size: Int64 = .max,
    expecting identity: FileStatus.Identity? = nil,
    isGiven: Bool = false
  ) throws(CleaveError) {
    try state.withLock { state throws(CleaveError) in
      do throws(SystemError) {
        let file = try OutputFile(
          state.entries[index].path,
          goingOn: path,
          isGiven: isGiven,
          locks: !isGiven && !state.hasLocked
        )
        if !isGiven { state.hasLocked = true }
        let isOther = try file.withDescriptor { descriptor throws(SystemError) in
          let status = try descriptor.status()
          if let identity, status.identity != identity { return true }
          if status.size > size { try descriptor.truncate(to: size) }
          return false
        }
        if isOther ?? false { throw SystemError("open", path, .stale) }
        state.entries[index].output = .file(file)
        // XFS would want room for all of it again.
        (state.entries[index].isReserved, state.entries[index].isGiven) = (true, isGiven)
      } catch {
        if identity != nil, error.errno == .stale {
          throw CleaveError(.changedInput, path, "was replaced by another program")
        }
        if error.errno == .notPermitted,
          let status = try? FileStatus.of(path, followingLinks: false), !status.isOurs
        {
          throw CleaveError(.notPermitted, path, "is not this user's alone: \(status.sharing)")
        }
        throw .creating(error)
      }
    }
  }

  /// Some of the files are what they are from now on, until they are written to again.
  func mark(_ indices: Set<Int>) throws(CleaveError) {
    for index in indices {
      guard case .file(let file) = state.withLock({ $0.entries[index].output }) else { continue }
      do { try file.mark() } catch { throw .writing(error.about(file.path)) }
    }
  }

  /// - Throws: `.changedInput` where what has a temporary's name is not what was last marked.
  func requireIntact(_ indices: Set<Int>) throws(CleaveError) {
    for index in indices {
      guard case .file(let file) = state.withLock({ $0.entries[index].output }) else { continue }
      try file.requireUnchanged(at: file.temporary, or: CleaveError.writing)
    }
  }

  /// The final name was given by an earlier run.
  package func wasPublished(_ index: Int) {
    state.withLock { $0.entries[index].publication = .earlier }
  }

  /// Whether any of them has its name, by this run or one before.
  var hasNamed: Bool { state.withLock { $0.entries.contains { $0.publication != .none } } }

  /// The names that outputs are to get.
  var paths: [FilePath] { state.withLock { $0.entries.map(\.path) } }

  /// From now on, what has been made stays whatever happens, or no longer does.
  package func keep(_ isKept: Bool) { state.withLock { $0.isKept = isKept } }

  /// The file has some of its bytes: flushes them.
  package func flush(_ index: Int) throws(CleaveError) {
    guard options.synchronizes, case .file(let file) = state.withLock({ $0.entries[index].output })
    else { return }
    try file.flush()
  }

  /// The file has all its bytes: checks the size, sets the permissions, flushes and closes it.
  ///
  /// - Parameter isMade: whether the file was made here, and so gets the sources' permissions.
  package func finish(
    _ index: Int,
    size: Int64,
    isMade: Bool = true
  ) throws(CleaveError) {
    guard isMade else { return try finish(index, size: size, permissions: nil) }
    let (permissions, modified) = state.withLock { ($0.permissions, $0.modified) }
    try finish(index, size: size, permissions: permissions, modified: modified)
  }

  private func finish(
    _ index: Int,
    size: Int64,
    permissions: UInt32?,
    modified: Int64? = nil
  ) throws(CleaveError) {
    let output = state.withLock { $0.entries[index].output }
    guard case .file(let file) = output else { return }
    if index == 0 { proving?.begin([file.temporary]) }
    try file.finish(size: size, permissions: permissions, modified: modified, options)
    state.withLock { $0.entries[index].isFinished = true }
  }

  /// Writes a small file, all of it, and finishes it.
  package func finish(
    _ index: Int,
    with bytes: [UInt8],
    isExecutable: Bool = false
  ) throws(CleaveError) {
    guard case .file(let file) = try open(index) else { return }
    try file.write(all: bytes)
    let reading = state.withLock { $0.permissions } & 0o666
    // Those who may read it may execute it.
    let execution = isExecutable ? reading >> 2 & 0o111 : 0
    try finish(index, size: Int64(bytes.count), permissions: reading | execution)
  }

  /// Flushes the block devices that were written to.
  package func flushDevices() throws(CleaveError) {
    guard options.synchronizes || options.readsBack else { return }
    for entry in state.withLock({ $0.entries }) {
      guard case .stream(let stream) = entry.output, stream.isBlockDevice else { continue }
      do { try stream.synchronize() } catch { throw .writing(error) }
    }
  }

  /// Reads a finished file, or a block device, from the device again.
  package func readBack(
    _ index: Int,
    from start: Int64 = 0,
    expecting checksum: Checksum,
    kinds: Checksum.Kinds,
    isCancelled: () -> Bool
  ) throws(CleaveError) {
    let output = state.withLock { $0.entries[index].output }
    try output?.readBack(
      from: start,
      expecting: checksum,
      kinds: kinds,
      dropsCache: options.dropsCache,
      isCancelled: isCancelled
    )
  }

  /// The names that the files have until they are published; the final ones of those that an earlier run
  /// has published.
  package var temporaries: [FilePath] {
    state.withLock { $0.entries.compactMap(\.made) }
  }

  // MARK: Ending

  /// Gives every file its final name, and flushes the directories.
  ///
  /// If one cannot be named, those named before it are taken back, and what they replaced returns.
  ///
  /// - Parameter requireReplaceable: looks at what has the names of files that are to be replaced, as late as can be, and
  ///   throws where one may not be.
  package func publish(
    _ requireReplaceable: ([FilePath]) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    let paths = state.withLock { state in
      state.entries.filter { $0.output?.isFile ?? ($0.publication == .earlier) }.map(\.path)
    }
    let directories: DirectorySync
    do throws(CleaveError) {
      directories = try DirectorySync(of: paths)
      // A search for leftovers must not see the job half named. Of two that replace the same files,
      // one comes behind the other.
      let isAlone = options.replacesExisting && paths.count > 1
      if let refusal = directories.lock(isAlone ? .exclusive : .shared) {
        if isAlone { throw refusal }
        try lockLast(or: refusal)
      }
      let order = order
      // All of them, before the first gets its name.
      try requireIntact(Set(order))
      if options.replacesExisting { try requireReplaceable(unnamed) }
      try mark()
      for index in order { try publish(index) }
    } catch {
      discard()
      throw withReplaced(error)
    }
    state.withLock { state in
      state.phase = .committed
      if let mark = state.mark { try? FileSystem.unlink(mark.path) }
    }
    for entry in state.withLock({ $0.entries }) { entry.removeReplaced() }
    if options.synchronizes { try directories.run("complete, durability unconfirmed: ") }
  }

  /// The names that files have not got yet.
  private var unnamed: [FilePath] {
    state.withLock { state in
      state.entries.filter { $0.publication == .none && $0.output?.isFile ?? false }.map(\.path)
    }
  }

  /// Tells others that not all may have their names yet; a journal may be lost, or not be believed.
  private func mark() throws(CleaveError) {
    try state.withLock { state throws(CleaveError) in
      let parts = state.entries.filter { !$0.tells && $0.made != nil }
      guard parts.count > 1, let first = parts.first else { return }
      if state.phase == .discarded { throw .cancelled }
      let mark = NamingMark(of: first.path, job: state.job)
      do throws(SystemError) {
        try mark.write(
          parts.compactMap(\.made),
          last: state.isKept ? nil : parts.last?.path.lastComponent,
          mayBeThere: state.isKept
        )
      } catch {
        // Where nothing is replaced, those that have no names are missed.
        let isNew = parts.allSatisfy { FileStatus.isAbsent($0.path, followingLinks: false) }
        if isNew, error.errno == .noSpace { return }
        throw .creating(error)
      }
      state.mark = mark
    }
  }

  /// The order in which they get their names: without its first part, nobody takes what a killed run has named for all
  /// that it was to make. What is there already is replaced before others come to it; what tells of all is last. Where
  /// another run goes on, a journal tells, of which the beginning counts.
  private var order: [Int] {
    let (entries, isKept) = state.withLock { ($0.entries, $0.isKept) }
    if isKept { return Array(entries.indices) }
    let parts = entries.indices.filter { !entries[$0].tells }
    var others = Array(parts.dropFirst().reversed())
    if options.replacesExisting {
      let isThere = { (index: Int) in
        !FileStatus.isAbsent(entries[index].path, followingLinks: false)
      }
      others = others.filter(isThere) + others.filter { !isThere($0) }
    }
    return others + parts.prefix(1) + entries.indices.filter { entries[$0].tells }
  }

  /// Where a directory is not to be locked: locks the temporary that gets its name last, so that nobody
  /// takes those before it for leftovers. The only one of a job is locked anyway, and a journal is.
  ///
  /// - Throws: `refusal` where somebody has that, too.
  private func lockLast(or refusal: CleaveError) throws(CleaveError) {
    let (locked, hasJournal) = state.withLock { ($0.locked, $0.hasJournal) }
    guard temporaries.count > 1, let index = order.last, index != locked, !hasJournal else {
      return
    }
    let last = temporary(index)
    try lastLock.withLock { lock throws(CleaveError) in
      guard let file = try? FileDescriptor.open(last, [.readOnly, .noFollow, .nonBlocking]),
        file.lock()
      else { throw refusal }
      lock = consume file
    }
  }

  private func publish(_ index: Int) throws(CleaveError) {
    try state.withLock { state throws(CleaveError) in
      if state.phase == .discarded { throw .cancelled }
      state.phase = .publishing
      try state.entries[index].publish(
        replacesExisting: options.replacesExisting,
        // What one of many replaces is kept until all are there, unless another run goes on from here.
        exchanges: state.entries.count > 1 && !state.isKept
      )
    }
  }

  /// The error, with the outputs that had replaced others by then and cannot be taken back.
  private func withReplaced(_ error: CleaveError) -> CleaveError {
    let replaced = state.withLock { $0.entries.filter { $0.publication == .replaced }.map(\.path) }
    guard let first = replaced.first else { return error }
    let others = replaced.count > 1 ? " and \(replaced.count - 1) more" : ""
    return error.adding("; \(first)\(others) had been replaced by then")
  }

  /// Removes everything that has been made, unless all of it has been published. Safe at any time,
  /// from any thread, more than once.
  package func discard() {
    state.withLock { state in
      guard state.phase == .making || state.phase == .publishing else { return }
      state.phase = .discarded
      if state.isKept { return }
      for index in state.entries.indices { state.entries[index].takeBack() }
      guard let mark = state.mark else { return }
      let isMixed = state.entries.contains { $0.publication == .replaced }
      if isMixed { mark.noteMixed() } else { try? FileSystem.unlink(mark.path) }
    }
  }
}
