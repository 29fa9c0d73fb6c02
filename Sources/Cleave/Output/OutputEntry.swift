internal import Posix

/// One of a job's outputs: what is known of it, and the change of names that publishes it or takes it
/// back. Confined to the lock of ``Outputs``.
struct OutputEntry {
  let path: FilePath
  /// Bytes to take room for; nil where they are not known, or no room is to be taken.
  let size: Int64?
  /// Whether it tells of the others.
  let tells: Bool
  var output: Outputs.Output?
  var isReserved = false
  var isFinished = false
  /// Whether the temporary is what was given to the job, and not the job's to remove.
  var isGiven = false
  var publication = Publication.none

  init(path: FilePath, size: Int64? = nil, tells: Bool = false, output: Outputs.Output? = nil) {
    (self.path, self.size, self.tells, self.output) = (path, size, tells, output)
  }

  enum Publication {
    case none
    /// Where nothing was, and so safe to take back.
    case new
    /// The temporary's name now has what was there before.
    case exchanged
    /// For good: the file system cannot exchange names.
    case replaced
    /// By an earlier run.
    case earlier
  }

  /// Where the file is before it is published: under its own name if an earlier run has done so; nil of a stream, and of
  /// what is not made yet.
  var made: FilePath? {
    if publication == .earlier { return path }
    return if case .file(let file) = output { file.temporary } else { nil }
  }

  /// Gives the file its final name; nothing for a stream, or where an earlier run did.
  ///
  /// - Parameter exchanges: whether what is replaced is to be kept under the temporary's name, where
  ///   the file system can.
  /// - Throws: also `.changedInput` where another program has changed the file.
  mutating func publish(replacesExisting: Bool, exchanges: Bool) throws(CleaveError) {
    if case .stream = output { return }
    if publication == .earlier { return }
    guard case .file(let file) = output, isFinished else {
      throw CleaveError(.inputOutput, path, "was not finished by the engine")
    }
    try file.requireUnchanged(at: file.temporary)
    do throws(SystemError) {
      publication = try name(file, replacesExisting: replacesExisting, exchanges: exchanges)
    } catch {
      throw .creating(error)
    }
    // Nobody changed it at the last moment.
    try file.requireUnchanged(at: path)
  }

  private func name(
    _ file: OutputFile,
    replacesExisting: Bool,
    exchanges: Bool
  ) throws(SystemError) -> Publication {
    do throws(SystemError) {
      let isThere = try FileStatus.ifPresent(path, followingLinks: false) != nil
      if !isThere || !replacesExisting {
        try FileSystem.rename(file.temporary, toNew: path)
        return .new
      }
    } catch {
      // Another run may have been quicker; what it made is replaced like anything else.
      guard error.errno == .exists, replacesExisting else { throw error }
    }
    if exchanges, try FileSystem.exchange(file.temporary, with: path) { return .exchanged }
    try FileSystem.rename(file.temporary, replacing: path)
    return .replaced
  }

  /// Removes what was replaced. The new file is there by now, whether this succeeds or not.
  func removeReplaced() {
    guard case .file(let file) = output, publication == .exchanged else { return }
    try? FileSystem.unlink(file.temporary)
  }

  /// Removes what was made, and puts back what it replaced, where that is still there. What cannot be taken back is
  /// replaced for good.
  mutating func takeBack() {
    guard case .file(let file) = output, !isGiven else { return }
    switch publication {
    case .none: file.remove()
    case .new:
      do throws(SystemError) {
        if try file.isAt(path) { try FileSystem.unlink(path) }
      } catch {
        publication = .replaced
      }
    case .exchanged:
      // What somebody else has put there stays, and what was there before has the temporary's name.
      guard (try? file.isAt(path)) == true,
        (try? FileSystem.exchange(file.temporary, with: path)) == true
      else {
        publication = .replaced
        break
      }
      try? FileSystem.unlink(file.temporary)
    case .replaced, .earlier: break
    }
  }
}

extension Outputs {
  /// Where an engine writes to.
  package enum Output: Sendable {
    case file(OutputFile)
    case stream(StreamOutput)

    var isFile: Bool {
      if case .file = self { true } else { false }
    }

    var stream: StreamOutput? {
      if case .stream(let stream) = self { stream } else { nil }
    }
  }
}
