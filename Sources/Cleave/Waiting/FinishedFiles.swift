import Posix

/// Tells files that are finished from those that somebody still writes to.
struct FinishedFiles {
  /// How long a file has to stay as it is where the system does not tell who writes to it. A download
  /// that makes no progress for so long is taken for finished; what comes then is noticed at the end.
  private static let rest: Duration = .seconds(10)
  private var unchanged:
    [FilePath: (identity: SourceFile.Identity, since: ContinuousClock.Instant)] = [:]

  /// The file as it is now; nil where it is not there, or somebody is at it.
  ///
  /// An empty file is the place that a download has taken for what is to come.
  ///
  /// - Throws: where it is no regular file, or cannot be opened.
  mutating func file(at path: FilePath) throws(CleaveError) -> SourceFile? {
    do throws(SystemError) {
      guard let status = try FileStatus.ifPresent(path) else { return nil }
      note(path, status)
      if status.kind == .regular, status.size > 0, try !Self.isDownloading(path) {
        return try finished(path, status)
      }
      if status.kind == .regular { return nil }
    } catch {
      if error.errno == .notFound { return nil }
      throw .reading(error)
    }
    return try SourceFile(examining: path)
  }

  /// Remembers what a file is like, so that it is known later for how long it has been so.
  mutating func note(_ path: FilePath, _ status: FileStatus) {
    let identity = SourceFile.Identity(status)
    if unchanged[path]?.identity != identity { unchanged[path] = (identity, .now) }
  }

  private func finished(
    _ path: FilePath,
    _ status: FileStatus
  ) throws(SystemError) -> SourceFile? {
    let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
    let isFinished =
      if let hasWriter = file.hasWriter() { !hasWriter } else { hasRested(path) }
    // What was written until now is in the status only now.
    let now = SourceFile(path: path, status: try file.status())
    return isFinished && now.identity == SourceFile.Identity(status) ? now : nil
  }

  private func hasRested(_ path: FilePath) -> Bool {
    unchanged[path].map { $0.since.duration(to: .now) >= Self.rest } ?? false
  }

  /// Whether there is what programs keep beside a file while they download it.
  private static func isDownloading(_ path: FilePath) throws(SystemError) -> Bool {
    for ending in DownloadName.endings {
      if try FileStatus.ifPresent(path.adding(ending)) != nil { return true }
    }
    return false
  }
}
