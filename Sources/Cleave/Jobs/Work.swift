import Dispatch
import Posix

/// Something to be carried out: ``Merge``, ``ArrivingMerge``, ``Split``, ``Repair``.
///
/// ``run()`` blocks until it is done, for plain tools. In a task, iterate over it, or await ``outcome()``:
///
///     for try await event in Merge(parts, into: "film") {
///       switch event {
///       case .progress(let bytes, let total): show(bytes, of: total)
///       case .finished(let outcome): print(outcome.verdict)
///       default: break
///       }
///     }
///
/// Each iteration carries it out once. It goes on however slowly events are taken: of progress, only the
/// latest is kept. Cancelling the task ends it, and `next()` returns when nothing is left behind, but for what can be
/// gone on with. Leaving the loop ends it, too, and waits for nothing: a process that ends at once then leaves
/// temporaries.
///
/// Work blocks a thread. So many run at a time as there is room for, and others wait for their turn; what waits for
/// pipes or for parts to come keeps nobody from it.
public protocol Work: Sendable, AsyncSequence
where Element == WorkEvent, AsyncIterator == WorkEvents {
  /// How it is carried out, and what is told of its events.
  var work: WorkOptions { get set }

  /// Carries it out.
  ///
  /// - Throws: a ``CleaveError``; nothing is left then, but for what can be gone on with.
  func run() throws(CleaveError) -> Outcome
}

extension Work {
  public func makeAsyncIterator() -> WorkEvents { WorkEvents(self) }

  /// Carries it out on a thread of its own.
  ///
  /// - Throws: a ``CleaveError``, or `CancellationError` where the task was cancelled.
  public func outcome() async throws -> Outcome {
    for try await event in self {
      if case .finished(let outcome) = event { return outcome }
    }
    throw CancellationError()
  }
}

/// The events of one run; see ``Work``.
public struct WorkEvents: AsyncIteratorProtocol {
  private let run: Run

  fileprivate init(_ work: some Work) { run = Run(work) }

  /// The next event, which is waited for; nil behind ``WorkEvent/finished(_:)``.
  ///
  /// - Throws: a ``CleaveError``, or `CancellationError` where the task was cancelled.
  public mutating func next() async throws -> WorkEvent? {
    // What is cancelled has an end, too, which is waited for.
    let event = await withTaskCancellationHandler {
      await withCheckedContinuation { run.hand(to: $0) }
    } onCancel: { [run] in
      run.cancel()
    }
    do {
      return try event.get()
    } catch let error as CleaveError where error.kind == .cancelled && Task.isCancelled {
      throw CancellationError()
    }
  }
}

/// One run on a thread of its own, and what it has told that nobody has taken yet.
private final class Run: Sendable {
  typealias Result = Swift.Result<WorkEvent?, any Error>
  typealias Taker = CheckedContinuation<Result, Never>

  private struct State {
    var isBegun = false
    var told: [WorkEvent] = []
    /// How it ended.
    var end: CleaveError?
    var hasEnded = false
    /// Who waits for the next event.
    var taker: Taker?
  }
  private let state = Locked(State())
  private let body:
    @Sendable (@escaping @Sendable (WorkEvent) -> Void) throws(CleaveError) ->
      Outcome
  private let cancellation: Cancellation
  private let progress: WorkProgress
  private let waitsForOthers: Bool

  private static let interval = DispatchTimeInterval.milliseconds(100)

  init(_ work: some Work) {
    // Of its own, so that ending this run does not end others.
    let own = work.work.cancellation.inner
    (cancellation, progress) = (own, work.work.progress)
    waitsForOthers =
      switch work {
      case let merge as Merge: merge.waitsForOthers
      case let split as Split: split.waitsForOthers
      default: work is ArrivingMerge
      }
    progress.restart()
    body = { (tell) throws(CleaveError) in
      var work = work
      let others = work.work.tell
      work.work.cancellation = own
      work.work.tell = {
        others($0)
        tell($0)
      }
      return try work.run()
    }
  }

  /// Nobody takes events any more.
  deinit { cancellation.cancel() }

  func cancel() { cancellation.cancel() }

  func hand(to taker: Taker) {
    let begins = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    if begins { begin() }
    let result: Result? = state.withLock { state in
      if !state.told.isEmpty { return .success(state.told.removeFirst()) }
      if state.hasEnded { return state.end.map { .failure($0) } ?? .success(nil) }
      state.taker = taker
      return nil
    }
    if let result { taker.resume(returning: result) }
  }

  private func tell(_ event: WorkEvent) {
    let taker = state.withLock { state -> Taker? in
      if let taker = state.taker {
        state.taker = nil
        return taker
      }
      if event.isProgress, state.told.last?.isProgress ?? false { state.told.removeLast() }
      // bounded: the others are as many as parts and doubts
      state.told.append(event)
      return nil
    }
    taker?.resume(returning: .success(event))
  }

  private func end(_ error: CleaveError?) {
    let taker = state.withLock { state -> Taker? in
      (state.hasEnded, state.end) = (true, error)
      defer { state.taker = nil }
      return state.taker
    }
    taker?.resume(returning: error.map { .failure($0) } ?? .success(nil))
  }

  private func begin() {
    // The work does not keep the sequence of its events alive.
    let body = body
    let tell: @Sendable (WorkEvent) -> Void = { [weak self] event in self?.tell(event) }
    let end: @Sendable (CleaveError?) -> Void = { [weak self] error in self?.end(error) }
    WorkThreads.shared.enter(ending: cancellation, inLine: !waitsForOthers) {
      do throws(CleaveError) {
        tell(.finished(try body(tell)))
        end(nil)
      } catch {
        end(error)
      }
    }
    tellProgress(on: DispatchQueue(label: "cleave.work.progress"))
  }

  private func tellProgress(on queue: DispatchQueue) {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self, !state.withLock({ $0.hasEnded }) else { return }
      tell(.progress(bytes: progress.bytes, total: progress.total))
      tellProgress(on: queue)
    }
  }
}

extension WorkEvent {
  fileprivate var isProgress: Bool { if case .progress = self { true } else { false } }
}
