import Dispatch
package import Posix

/// Proves what a job makes by what it holds, on a thread of its own: beside the copying, where it is known
/// what will be made, or while the output is flushed.
package final class ProofRun: Sendable {
  /// What the files are called in messages.
  private let names: PathList
  /// Whether the files are the parts of a split zip, under names that nobody could tell it by.
  private let isSplitZip: Bool
  /// Whether a zip is made, whatever is in front of it.
  private let isZip: Bool
  /// The parts that the bytes come from, where they are just those.
  private let origins: PartLayout?
  /// What nothing proves of the parts of a split zip, of which another zip is made.
  private let unproved: [String]
  private let cancellation: Cancellation
  private let progress: WorkProgress
  /// Keeps the proof behind the copying.
  private let pace = Pace()
  private let hasBegun = Locked(false)
  private let group = DispatchGroup()
  private let outcome = Locked<Result<ProofResult?, CleaveError>?>(nil)

  /// - Parameters:
  ///   - names: what files are called in messages.
  ///   - selection: what the files are made of.
  ///   - isZip: whether that is a zip, where there is no selection.
  package init(
    named names: PathList,
    _ job: JobOptions,
    of selection: Selection? = nil,
    isZip: Bool = false,
    isSplitZip: Bool = false
  ) {
    (self.names, self.isSplitZip) = (names, isSplitZip)
    self.isZip = selection?.kind.isZip ?? isZip
    let files = selection.flatMap { $0.kind.isRewritten ? nil : $0.files }
    origins = files.flatMap { PartLayout($0.paths, sizes: $0.sizes) }
    let isRewritten = selection?.kind.isRewritten ?? false
    unproved = isRewritten ? selection?.unproved ?? [] : []
    (cancellation, progress) = (job.cancellation.inner, job.progress)
  }

  /// Begins with what a plan makes, while it is made.
  ///
  /// - Parameter output: what is written; nil for a stream, whose bytes are proved where they come from.
  func begin(_ plan: TransferPlan, into output: FilePath?) {
    guard plan.destinations.count == 1, plan.totalBytes > 0 else { return }
    begin { [self] () throws(CleaveError) in
      try prove(PlannedBytes(plan, into: output, at: pace), isStream: output == nil)
    }
  }

  private func prove(
    _ planned: PlannedBytes,
    isStream: Bool
  ) throws(CleaveError) -> ProofResult? {
    let bytes = try JoinedBytes([planned])
    guard !isStream else { return try proof(of: bytes)?.run(cancellation, progress) }
    guard let proof = try proof(of: bytes), proof.bytesInOrder > 0 else {
      // It is a matter of a few bytes, which may be anywhere.
      pace.wait(for: 0..<planned.size, isNeeded: true)
      return try self.proof(of: bytes)?.run(cancellation, progress)
    }
    pace.follow(to: proof.bytesInOrder)
    let result = try proof.run(cancellation, progress)
    let head = min(Int64(FileFormat.headSize), planned.size)
    try planned.requireWritten([0..<head, proof.bytesInOrder..<planned.size])
    return result
  }

  /// Bytes have been written.
  func didWrite(_ range: Range<Int64>) { pace.advance(range) }

  /// Begins with files that are complete, under whatever names; goes on where it was begun before.
  func begin(_ files: [FilePath]) {
    pace.end()
    begin { [self] () throws(CleaveError) in try prove(files) }
  }

  /// Begins with the sources of what is made.
  func begin(_ selection: Selection) {
    guard let files = selection.files else { return }
    begin { [self] () throws(CleaveError) in
      try prove(try joined(files), archive: selection.archive)
    }
  }

  /// Ends the proof where nobody has waited for what comes of it.
  func stop() {
    cancellation.cancel()
    pace.end()
    group.wait()
  }

  /// What came of it, which is waited for.
  ///
  /// - Parameter files: proved now, where nothing has been begun.
  /// - Returns: nil where nothing inside tells.
  package func finish(_ files: [FilePath]) throws(CleaveError) -> ProofResult? {
    pace.end()
    group.wait()
    if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
    return try prove(files)
  }

  private func begin(
    _ body: @escaping @Sendable () throws(CleaveError) -> ProofResult?
  ) {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard isFirst else { return }
    // A serial queue has a thread of its own, also while others are busy flushing.
    DispatchQueue(label: "cleave.proof").async(group: group) { [self] in
      let result = Result { () throws(CleaveError) in try body() }
      outcome.withLock { $0 = result }
    }
  }

  private func prove(_ files: [FilePath]) throws(CleaveError) -> ProofResult? {
    do throws(CleaveError) {
      let sources = try files.map { path throws(CleaveError) in try SourceFile(examining: path) }
      return try prove(try joined(SourceFiles(sources)))
    } catch {
      throw renamed(error, files)
    }
  }

  /// The error about a file by the name that people know it by, which it may not have yet.
  private func renamed(_ error: CleaveError, _ files: [FilePath]) -> CleaveError {
    guard files.count == names.count, let path = error.path,
      let name = files.firstIndex(of: path).map({ names[$0] })
    else { return error }
    guard var system = error.system else { return CleaveError(error.kind, name, error.text) }
    system.path = name
    return .reading(system)
  }

  private func joined(_ sources: SourceFiles) throws(CleaveError) -> JoinedBytes {
    try JoinedBytes(sources, named: sources.count == names.count ? names : nil)
  }

  private func prove(
    _ parts: JoinedBytes,
    archive: ZipArchive? = nil
  ) throws(CleaveError) -> ProofResult? {
    try proof(of: parts, archive: archive)?.run(cancellation, progress)
  }

  private func proof(
    of bytes: JoinedBytes,
    archive: ZipArchive? = nil
  ) throws(CleaveError) -> ContentProof? {
    var (parts, archive) = (bytes, archive)
    if let origins, origins.count == bytes.count, origins.parts > 0 {
      parts = bytes.divided(like: origins)
    }
    // Nothing is there any more where a job that was done is gone on with.
    if archive == nil, parts.layout.parts > 0, isSplitZip || isZip {
      do { archive = try ZipArchive(endingIn: parts, as: isSplitZip ? .split : .whole) } catch {
        throw ZipArchive.describe(error, names[names.count - 1])
      }
      archive?.notes.unproved = unproved
    }
    return try ContentProof(of: parts, archive: archive)
  }
}
