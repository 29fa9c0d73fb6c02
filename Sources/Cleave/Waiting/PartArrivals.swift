package import Posix

/// The parts of a series of which some are still to come, in their order, each as soon as it is there
/// and finished.
///
/// What is there is looked at anew whenever something happens in the directory, which is watched from
/// before it is first looked at; so nothing is missed, whatever the events are. Which parts are
/// complete is for ``Selection`` to say, as in any merge. For one thread.
package final class PartArrivals {
  /// What is waited for.
  package struct Request: Sendable {
    /// A part, there or not; a manifest or a directory.
    package var operand: FilePath
    package var selection: Selection.Request
    /// How long nothing may happen to the parts; nil for ever.
    package var idleTimeout: Duration?

    package init(_ operand: FilePath, _ selection: Selection.Request, idleTimeout: Duration?) {
      (self.operand, self.selection, self.idleTimeout) = (operand, selection, idleTimeout)
    }
  }

  let request: Request
  var finished = FinishedFiles()
  /// What is known of the parts by now.
  var series: KnownSeries?
  /// Something else whenever parts have come, gone or grown.
  var state: Int?
  /// What has been handed out, in its order.
  package private(set) var taken: [SourceFile] = []
  /// The number of the last one.
  private var number: Int64?
  /// All parts, once they are there.
  package internal(set) var selection: Selection?
  /// Why they are not all there, as far as is known.
  var reason: CleaveError
  var schedule: LookSchedule

  private let watch: DirectoryWatch
  private let cancellation: Cancellation
  /// Told of each reason to wait.
  let tell: (CleaveError) -> Void
  /// A stream that takes the parts, whose reader may go away.
  package var output: StreamOutput?

  /// Begins to watch the directory.
  ///
  /// - Throws: `.missingInput` where there is none.
  package init(
    _ request: Request,
    _ cancellation: Cancellation,
    tell: @escaping (CleaveError) -> Void
  ) throws(CleaveError) {
    if request.operand.isRemote {
      let text: Sentence = "is another machine's; what can be waited for are files of this one"
      throw CleaveError(.contradiction, request.operand, text)
    }
    self.request = request
    self.cancellation = cancellation
    self.tell = tell
    let operand = request.operand
    reason = CleaveError(.missingInput, operand, "is not there yet")
    schedule = LookSchedule(idleTimeout: request.idleTimeout)
    do {
      let status = try FileStatus.ifPresent(operand)
      watch = try DirectoryWatch(status?.kind == .directory ? operand : operand.directory)
    } catch {
      throw .reading(error)
    }
  }

  /// The name that the parts' names, or their manifest, give to the whole, once one of them is there.
  package var defaultOutput: FilePath? {
    series.flatMap { Selection.output(of: $0.parts, manifest) }
  }

  /// The next part, which is waited for; nil where all parts are there, and what they are is in
  /// ``selection``.
  ///
  /// All that is there in the beginning, or until its end is known, need not have been handed out then.
  ///
  /// - Throws: `.missingInput` where nothing has happened for too long, or the directory is gone;
  ///   `.badData` where parts cannot be what was asked for; `.cancelled`.
  package func next() throws(CleaveError) -> SourceFile? {
    while true {
      if let selection { return takeRest(of: selection) }
      if let file = try takeNext() { return file }
      let isLast = schedule.isTimeUp
      if isLast || schedule.isDue {
        if try look() { continue }
        // Only now is it known what the next one is called.
        if let file = try takeNext() { return file }
      }
      if isLast, schedule.isTimeUp { throw timeUp }
      try pause()
    }
  }

  /// Whether the parts that were handed out, one after the other, are the whole.
  package func handedOut(_ selection: Selection) -> Bool {
    guard let files = selection.files, files.count == taken.count else { return false }
    if selection.kind.isRewritten { return false }
    return zip(files, taken).allSatisfy { $0.isSame(as: $1) }
  }

  /// Whether the manifest that is there by now wants sums that need all the bytes in their order.
  package var wantsDigests: Bool {
    guard let base = series?.parts.base else { return false }
    return manifest.map { !$0.digests(of: base).isEmpty } ?? false
  }

  /// Whether the parts one after the other are the whole, as far as that tells.
  var arePlain: Bool {
    guard let base = series?.parts.base else { return true }
    return manifest?.isPlain ?? true
      && Manifest.layout(beside: base, of: PathList(), in: nil) == nil
  }

  private var manifest: Manifest? {
    guard let base = series?.parts.base else { return nil }
    return (try? request.selection.manifest.manifest(beside: base)) ?? nil
  }

  /// Whether a first part could be one of a split zip, whose parts are not just put together.
  package static func mayBeRewritten(_ first: SourceFile) throws(CleaveError) -> Bool {
    try JoinedBytes([first]).beginsLikeZipOrProgram()
  }

  // MARK: Inside

  /// What has come while it was found out that nothing else would. Where nothing was handed out, all
  /// is as in any merge.
  private func takeRest(of selection: Selection) -> SourceFile? {
    guard !taken.isEmpty, let files = selection.files, files.count > taken.count else { return nil }
    taken.append(files[taken.count])
    return taken.last
  }

  private func takeNext() throws(CleaveError) -> SourceFile? {
    guard let series else { return nil }
    let bounds = request.selection.reading.bounds
    let next = try series.number(after: number, from: bounds.first)
    let path = series.path(next)
    guard let file = try finished.file(at: path) else {
      schedule.isNear = (try? FileStatus.of(path)) != nil
      return nil
    }
    taken.append(file)
    number = next
    schedule.didHappen()
    (schedule.isChanged, schedule.isNear) = (true, false)
    return file
  }

  private var timeUp: CleaveError {
    let seconds = request.idleTimeout?.components.seconds ?? 0
    var error = reason.adding("; nothing has happened for \(seconds) s")
    error.kind = .missingInput
    return error
  }

  /// Waits until it may be worth looking again.
  private func pause() throws(CleaveError) {
    let end = schedule.wake
    repeat {
      if cancellation.isCancelled { throw .cancelled }
      let outcome = try CleaveError.whileReading(
        watch.wait(
          watching: output?.rawValue,
          milliseconds: LookSchedule.milliseconds(until: end)
        )
      )
      switch outcome {
      case .changed where !watch.isGone: return schedule.isChanged = true
      case .timedOut where !watch.isGone: break
      case .gone, .changed, .timedOut:
        throw CleaveError(
          .missingInput,
          watch.path,
          "was renamed or removed while parts were awaited"
        )
      case .watchedClosed:
        throw .writing(SystemError("write", output?.path ?? watch.path, .pipe))
      }
    } while .now < end
  }
}
