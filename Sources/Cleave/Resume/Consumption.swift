package import Posix

/// How sources are freed.
package enum SourceReclaim: Hashable, Sendable {
  /// Each from its start, and wholly in the end.
  case parts
  /// The only one from its end; what is left becomes the first part.
  case tail
}

/// Frees sources as soon as their bytes are in an output, on the device and in the journal.
///
/// A source of which something is missing no longer has its name: nobody shall take it for a whole
/// one. What is left of `a.001` is called `a.001.cleave-rest`.
package struct Consumption {
  private let manner: SourceReclaim
  private let plan: TransferPlan
  /// The extents of each source, rising by offset.
  private let extents: [[Int]]
  /// The sources as they are by now.
  private(set) var sources: SourceFiles
  private(set) var isGone: [Bool]
  /// When the sources were modified that are meant now: nanoseconds since 1970.
  private var modified: [Int64]
  private let canPunch: Bool
  /// Sources that had holes, in which none that are punched could be told from them.
  private var isSparse: [Bool]
  private let claims: SourceClaims
  private let outputs: Outputs
  private let journal: JournalFile
  /// The destinations that have what is about to be freed.
  private var holders: Set<Int> = []
  /// Sources whose other names are on the device.
  private var isSettled: Set<Int> = []

  /// Bytes. Holes are punched at multiples of it: file systems free whole blocks, and Darwin takes
  /// nothing else.
  static let alignment: Int64 = 64 << 10

  /// - Parameters:
  ///   - sources: as they are; nil for those that are gone.
  ///   - isSparse: which of them had holes when the job was begun.
  /// - Throws: `.changedInput` where another run has one of them.
  init(
    _ manner: SourceReclaim,
    of plan: TransferPlan,
    sources: some Collection<SourceFile?>,
    isSparse: [Bool],
    into outputs: Outputs,
    knownBy journal: JournalFile
  ) throws(CleaveError) {
    (self.manner, self.plan, self.isSparse) = (manner, plan, isSparse)
    (self.outputs, self.journal) = (outputs, journal)
    claims = try SourceClaims(of: sources)
    var extents = [[(index: Int, offset: Int64)]](repeating: [], count: plan.sources.count)
    for (index, extent) in plan.extents.enumerated() {
      if case .file(let source, let offset) = extent.source {
        extents[source].append((index, offset))
      }
    }
    self.extents = extents.map { $0.sorted { $0.offset < $1.offset }.map(\.index) }
    self.sources = SourceFiles(zip(sources, plan.sources).lazy.map { $0 ?? $1 })
    isGone = sources.map { $0 == nil }
    modified = plan.sources.map(\.status.modified)
    // Where it cannot, a part goes when all of it is done.
    canPunch = Set(plan.sources.map(\.path.directory)).allSatisfy {
      FileSystem.canPunchHoles(in: $0)
    }
  }

  /// The name of what is left of a source.
  package static func rest(of path: FilePath) -> FilePath { path.adding(restSuffix) }
  package static let restSuffix = UnfinishedName.rest

  /// When what is left of a source was modified, as it says: two seconds behind the source, since some file systems keep no
  /// less, so that it is not taken for the whole one under that name. In nanoseconds since 1970.
  static func restTime(of modified: Int64) -> Int64 { modified &+ 2_000_000_000 }

  /// - Throws: `.missingInput` for what an interrupted job has left of a file, which is not all of it.
  package static func refuseRest(_ path: FilePath) throws(CleaveError) {
    guard path.ends(in: restSuffix), Journal.isThere(path) else { return }
    let remedy = Journal.interrupted(about: path).map { "\($0.journal.remedy)" }
    throw CleaveError(
      .missingInput,
      path,
      "is what \(Setting.consuming) has left of a file; \(remedy ?? "no journal tells of the rest of it")"
    )
  }

  /// Frees what is done.
  ///
  /// - Parameters:
  ///   - pieces: that were done just now.
  ///   - sums: of each extent, as far as it is done.
  ///   - approve: looks at the checksum of a source before it goes, and throws where it is wrong.
  mutating func free(
    _ pieces: [ExtentPiece],
    _ sums: [Checksum],
    approve: (Int, Checksum) throws(CleaveError) -> Void
  ) throws(CleaveError) {
    holders = Set(pieces.map { plan.extents[$0.extent].destination })
    if manner == .tail {
      // It may have become the first part already.
      if !isGone[0] { try shorten(sums) }
      return
    }
    for source in Set(pieces.compactMap { plan.extents[$0.extent].sourceIndex }).sorted()
    where !isGone[source] {
      if let sum = sum(ofDone: source, sums) {
        try approve(source, sum)
        try remove(source)
      } else {
        try punch(source, sums)
      }
    }
  }

  /// The checksum of all of a source; nil where some of it is still to be copied.
  func sum(ofDone source: Int, _ sums: [Checksum]) -> Checksum? {
    isDone(source, sums) ? checksum(of: source, sums) : nil
  }

  /// Another file takes the place of a source, of which nothing has been copied.
  mutating func replace(
    _ source: Int,
    by file: SourceFile,
    isSparse: Bool
  ) throws(CleaveError) {
    let rest = Self.rest(of: plan.sources[source].path)
    if !isGone[source], sources[source].path == rest {
      try removeAside(source)
      // It would be in the way if it came back.
      try DirectorySync(of: [rest]).run()
    }
    (sources[source], isGone[source], modified[source]) = (file, false, file.status.modified)
    self.isSparse[source] = isSparse
    claims.release(source)
    try claims.claim(source, file)
  }

  /// Looks at the sources that no extent reads, which go when all is done.
  func requireUnreadUnchanged() throws(CleaveError) {
    for source in sources.indices where !isGone[source] && extents[source].isEmpty {
      _ = try open(source)
    }
  }

  /// Whether nothing of a source has been freed.
  func isWhole(_ source: Int) -> Bool {
    !isGone[source] && sources[source].path == plan.sources[source].path
  }

  /// Removes the sources that no extent reads.
  mutating func finish() throws(CleaveError) {
    guard manner == .parts else { return }
    // They have their final names.
    holders = []
    for source in sources.indices where !isGone[source] { try remove(source) }
  }

  private func isDone(_ source: Int, _ sums: [Checksum]) -> Bool {
    extents[source].allSatisfy { sums[$0].count == plan.extents[$0].length }
  }

  /// Of a source that is done, with the bytes that no extent reads.
  private func checksum(of source: Int, _ sums: [Checksum]) -> Checksum {
    let copied = extents[source].map { (plan.extents[$0].sourceOffset, sums[$0]) }
    let unread = plan.unread.filter { $0.source == source }.map { ($0.offset, $0.checksum) }
    return (copied + unread).sorted { $0.0 < $1.0 }.reduce(into: .empty) { $0.append($1.1) }
  }

  // MARK: Parts

  /// Under its other name, since what has the first one may be another file at any moment.
  private mutating func remove(_ source: Int) throws(CleaveError) {
    guard try setAside(source) else { return }
    try removeAside(source)
  }

  private mutating func removeAside(_ source: Int) throws(CleaveError) {
    let file = try open(source)
    // The last look: nothing is called between it and the name's going.
    try require(file, source)
    do { try FileSystem.unlink(sources[source].path) } catch { throw .writing(error) }
    try? file.close()
    // Its blocks are freed when the last who has it open lets go of it.
    claims.release(source)
    isGone[source] = true
  }

  /// Gives a source its other name, unless it has it, and looks whether it was the source that got it.
  ///
  /// - Returns: false where it is gone: it was removed or moved by others.
  private mutating func setAside(_ source: Int) throws(CleaveError) -> Bool {
    let whole = plan.sources[source].path
    // One that could not be held at the beginning.
    if !claims.holds(source) { try claims.claim(source, sources[source]) }
    guard sources[source].path == whole else { return true }
    guard
      try CleaveError.whileReading(FileStatus.ifPresent(whole, followingLinks: false)) != nil
    else {
      claims.release(source)
      isGone[source] = true
      return false
    }
    _ = try open(source)
    let rest = Self.rest(of: whole)
    do throws(SystemError) {
      try FileSystem.rename(whole, toNew: rest)
    } catch  where error.errno == .exists {
      throw CleaveError(.cannotCreate, rest, "is in the way: what is left of a file gets that name")
    } catch {
      throw .writing(error)
    }
    var aside = sources[source]
    aside.path = rest
    let now = try CleaveError.whileReading(FileStatus.of(rest, followingLinks: false))
    do throws(CleaveError) {
      // The new name is a change of its own.
      aside.status.changed = now.changed
      try Self.require(now, aside)
      sources[source] = aside
      return true
    } catch {
      try? FileSystem.rename(rest, toNew: whole)
      throw error
    }
  }

  /// Opens a source, which must be what it was when it was last looked at, and which nobody is writing.
  func open(_ source: Int) throws(CleaveError) -> FileDescriptor {
    let file = try Self.open(sources[source].path)
    try Self.requireUnwritten(file)
    // What somebody wrote until then is in the status only now.
    try require(file, source)
    try requireHeld()
    return file
  }

  /// What is about to be freed must be in outputs that nobody has touched, and in the journal.
  private func requireHeld() throws(CleaveError) {
    try outputs.requireIntact(holders)
    if !holders.isEmpty { try journal.requireThere() }
  }

  private func require(
    _ file: borrowing FileDescriptor,
    _ source: Int
  ) throws(CleaveError) {
    try Self.require(CleaveError.whileReading(file.status()), sources[source])
  }

  static func open(
    _ path: FilePath,
    _ options: FileDescriptor.OpenOptions = [.readOnly, .noFollow, .nonBlocking]
  ) throws(CleaveError) -> FileDescriptor {
    try CleaveError.whileReading(.open(path, options))
  }

  static func requireUnwritten(_ file: borrowing FileDescriptor) throws(CleaveError) {
    guard file.hasWriter(patience: FileDescriptor.lockPatience) == true else { return }
    throw CleaveError(
      .changedInput,
      file.path,
      "is open for writing in another program, so it is not freed"
    )
  }

  private static func require(_ now: FileStatus, _ known: SourceFile) throws(CleaveError) {
    let was = known.status
    if now.links > 1 {
      throw CleaveError(.changedInput, known.path, "has got another name, so it is not freed")
    }
    guard now.kind == .regular, now.identity == was.identity, now.size == was.size,
      now.modified == was.modified, now.changed == was.changed
    else {
      throw CleaveError(.changedInput, known.path, "was changed meanwhile, so it is not freed")
    }
  }

  private mutating func punch(_ source: Int, _ sums: [Checksum]) throws(CleaveError) {
    var end: Int64 = 0
    for index in extents[source] {
      let extent = plan.extents[index]
      if sums[index].count > 0 { end = extent.sourceOffset + sums[index].count }
      if sums[index].count < extent.length { break }
    }
    try change(source, hole: 0..<end)
  }

  /// Cuts a source off at `size` and punches a hole into it, under its other name.
  private mutating func change(
    _ source: Int,
    size: Int64 = .max,
    hole: Range<Int64>
  ) throws(CleaveError) {
    let start = (hole.lowerBound + Self.alignment - 1) / Self.alignment * Self.alignment
    let end = hole.upperBound / Self.alignment * Self.alignment
    let isShorter = size < sources[source].status.size
    let punches = canPunch && !isSparse[source] && start < end
    guard punches || isShorter else { return }
    guard try setAside(source) else { return }
    if isSettled.insert(source).inserted {
      // What has a hole must not come back under the name of a whole one.
      try DirectorySync(of: [sources[source].path]).run()
    }
    _ = try open(source)
    let file = try Self.open(sources[source].path, [.readWrite, .noFollow, .nonBlocking])
    try requireHeld()
    // The last look: nothing is called between it and the file's change.
    try require(file, source)
    do throws(SystemError) {
      if isShorter { try file.truncate(to: size) }
      if punches { try file.punchHole(start..<end) }
      // By which it is known where the job is moved to another file system.
      try? file.setModified(Self.restTime(of: modified[source]))
      sources[source].status = try file.status()
    } catch {
      throw .writing(error)
    }
  }

  // MARK: The tail

  /// Cuts off the parts that are done, and punches what is done of the one ahead of them.
  ///
  /// What becomes the first part stays, though it is done as soon as it has been summed.
  private mutating func shorten(_ sums: [Checksum]) throws(CleaveError) {
    var size = plan.sources[0].status.size
    var hole: Range<Int64> = 0..<0
    var part: Int?
    for index in extents[0].reversed() where plan.extents[index].destination != 0 {
      let extent = plan.extents[index]
      let start = extent.sourceOffset
      if part == nil, sums[index].count == extent.length {
        size = start
        continue
      }
      // Each part is done from its start on.
      guard part == nil || part == extent.destination else { break }
      part = extent.destination
      let end = hole.isEmpty ? start + sums[index].count : hole.upperBound
      hole = start..<end
    }
    try change(0, size: size, hole: hole)
  }
}

extension Extent {
  /// The index of the source, of bytes that come from one.
  var sourceIndex: Int? { if case .file(let index, _) = source { index } else { nil } }
  /// Bytes from the start of the source; 0 for bytes that come from none.
  var sourceOffset: Int64 { if case .file(_, let offset) = source { offset } else { 0 } }
}
