import Posix

/// What has to be right before a source may be given up.
extension SourceReclaim {
  /// File systems that do not promise that flushed data is on a device: most are somebody else's.
  private static let unpromising: Set<String> = ["nfs", "cifs", "smb2", "9p", "fuse"]
  private static let inMemory: Set<String> = ["tmpfs", "ramfs"]

  /// Bytes; file systems allow 255.
  private static let longestName = 255 - Consumption.restSuffix.utf8.count

  /// - Throws: `.cannotCreate` where the file systems cannot promise what consuming needs;
  ///   `.missingInput` where a source must not go, `.inputOutput` where space is short, and what
  ///   looking reports.
  ///
  /// - Parameter old: of a run that has entered nothing, and what is left of which goes before this one writes.
  package func check(
    _ plan: TransferPlan,
    _ checkpoint: Int64,
    replacing old: Journal?
  ) throws(CleaveError) {
    let output = plan.destinations[0].path
    try check(plan.sources, into: output)
    let empty = old.flatMap { $0.hasProgress ? nil : $0 }
    try requireSpace(for: plan, checkpoint, ahead: empty?.ahead(beside: output) ?? 0)
  }

  /// - Parameters:
  ///   - done: as ``space(for:_:done:ahead:)`` has it.
  /// - Throws: `.inputOutput` where space is short.
  func requireSpace(
    for plan: TransferPlan,
    _ checkpoint: Int64,
    done: Int64 = 0,
    ahead: Int64
  ) throws(CleaveError) {
    func require(_ checkpoint: Int64) throws(CleaveError) -> Int64 {
      let space = space(for: plan, checkpoint, done: done, ahead: ahead)
      try OutputCheck.checkSpace(
        for: [DestinationFile(path: plan.destinations[0].path, size: space)]
      )
      return space
    }
    do throws(CleaveError) { _ = try require(checkpoint) } catch {
      guard checkpoint > Self.leastCheckpoint, let least = try? require(Self.leastCheckpoint) else {
        throw error
      }
      throw error.adding("; freed more often, they need \(least): \(Setting.checkpoint)")
    }
  }

  /// Bytes after which sources are freed at least, where somebody is told to free them more often.
  private static var leastCheckpoint: Int64 { 1 << 20 }

  private func check(
    _ sources: SourceFiles,
    into output: FilePath
  ) throws(CleaveError) {
    if self == .tail, try !Self.isOnOneSystem(sources[0], output) {
      throw CleaveError(
        .cannotCreate,
        output,
        "what is left of \(sources[0].path) becomes the first part, so it must be on its file system"
      )
    }
    let kind = try Self.fileSystem(output.directory, output)
    if Self.unpromising.contains(kind) {
      throw CleaveError(.cannotCreate, output, "\(kind) does not promise that data is on a device")
    }
    try requireFlushable(output.directory, output)
    try OutputCheck.requireLocks(output, for: .consuming)
    var seen: Set<FileStatus.Identity> = []
    var directories: Set<FilePath> = []
    for source in sources {
      try Self.check(source)
      if !seen.insert(source.status.identity).inserted {
        throw CleaveError(.missingInput, source.path, "is given twice, and can be consumed once")
      }
      guard directories.insert(source.path.directory).inserted else { continue }
      let found = try Self.fileSystem(source.path.directory, source.path)
      if Self.unpromising.contains(found)
        || Self.inMemory.contains(kind) && !Self.inMemory.contains(found)
      {
        throw CleaveError(
          .cannotCreate,
          output,
          "consuming would move data from \(found) to \(kind), which does not promise to keep it"
        )
      }
      guard FileSystem.mayChange(source.path.directory) else {
        throw CleaveError(.notPermitted, source.path, "its directory may not be changed")
      }
    }
  }

  static func check(_ source: SourceFile) throws(CleaveError) {
    let status = try CleaveError.whileReading(FileStatus.of(source.path, followingLinks: false))
    guard status.kind != .symbolicLink else {
      throw CleaveError(
        .missingInput,
        source.path,
        "is a symbolic link, and links are not consumed: name the file that it leads to"
      )
    }
    _ = try Consumption.open(source.path, [.readWrite, .noFollow, .nonBlocking])
    try Consumption.requireUnwritten(try Consumption.open(source.path))
    guard source.path.lastComponent.bytes.count <= longestName else {
      throw CleaveError(.missingInput, source.path, "has a name too long to add .cleave-rest to")
    }
    guard [0, status.owner].contains(ProcessState.effectiveUser) else {
      throw CleaveError(
        .notPermitted,
        source.path,
        "is another user's, so that nobody can tell whether it is being written to"
      )
    }
    guard status.links == 1 else {
      throw CleaveError(.missingInput, source.path, "has other names, whose data would go as well")
    }
  }

  /// A name that cannot be put on the device could take with it what is freed because of it.
  private func requireFlushable(
    _ directory: FilePath,
    _ output: FilePath
  ) throws(CleaveError) {
    do throws(SystemError) {
      try FileDescriptor.open(directory, [.readOnly, .directory]).synchronize()
    } catch  where error.errno == .permissionDenied || error.errno.meansUnsupported {
      throw CleaveError(
        .cannotCreate,
        output,
        "its directory cannot be flushed to the device: \(error.errno) (\(error.errno.symbol))"
      )
    } catch {
      throw .writing(error.about(output))
    }
  }

  private static func isOnOneSystem(
    _ source: SourceFile,
    _ output: FilePath
  ) throws(CleaveError) -> Bool {
    do throws(SystemError) {
      let directory = try FileStatus.of(output.directory)
      return directory.identity.device == source.status.identity.device
    } catch {
      throw .creating(error.about(output))
    }
  }

  private static func fileSystem(
    _ directory: FilePath,
    _ path: FilePath
  ) throws(CleaveError) -> String {
    do { return try Host.fileSystem(at: directory) } catch { throw .creating(error.about(path)) }
  }
}

extension SourceReclaim {
  /// Bytes that the file system of the outputs needs at most, beyond what the sources on it give back.
  ///
  /// - Parameters:
  ///   - checkpoint: bytes after which sources are freed.
  ///   - done: bytes that are in the outputs already.
  ///   - ahead: bytes of them, or in what goes before, that are not entered, so that they are written again in the
  ///     same place.
  package func space(
    for plan: TransferPlan,
    _ checkpoint: Int64,
    done: Int64 = 0,
    ahead: Int64 = 0
  ) -> Int64 {
    // What is left of a file that is split is its first part.
    let kept = self == .tail ? plan.destinations.first?.size ?? 0 : 0
    let left = max(0, plan.totalBytes - kept - done)
    // By their directories: the sources of a job that is gone on with may be gone themselves.
    guard let output = plan.destinations.first, let source = plan.sources.first,
      let device = try? FileStatus.of(output.path.directory).identity.device,
      device == (try? FileStatus.of(source.path.directory).identity.device)
    else { return left }
    var step = min(checkpoint, .max - OutputCheck.leastRoom) + OutputCheck.leastRoom
    // What cannot be punched is freed as a whole.
    let canPunch = FileSystem.canPunchHoles(in: output.path.directory)
    let whole = plan.sources.filter { !canPunch || Self.hasHoles($0) }
    if !whole.isEmpty {
      switch self {
      case .parts: step = max(step, whole.map(\.status.size).max() ?? 0)
      case .tail: step = max(step, plan.destinations.dropFirst().map(\.size).max() ?? 0)
      }
    }
    return max(0, min(left, step) - ahead)
  }

  /// Whether there are holes in a source. One that is gone has none.
  static func hasHoles(_ source: SourceFile) -> Bool {
    let options: FileDescriptor.OpenOptions = [.readOnly, .noFollow, .nonBlocking]
    guard let file = try? FileDescriptor.open(source.path, options),
      let hole = try? file.hole(from: 0)
    else { return false }
    return hole < source.status.size
  }
}
