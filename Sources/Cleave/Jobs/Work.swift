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
/// latest is kept. Cancelling the task ends it, and `next()` returns when nothing is left behind.
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
  private let enter: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Events that are kept for a slow taker; the oldest go first.
  private static let mostKept = 1000
  private static let interval = DispatchTimeInterval.milliseconds(100)

  init(_ work: some Work) {
    // Of its own, so that ending this run does not end others.
    let own = work.work.cancellation.inner
    // One that waits for parts would keep the others from theirs.
    enter = work is ArrivingMerge ? WorkThreads.start : WorkThreads.shared.enter
    let ownProgress = WorkProgress()
    (cancellation, progress) = (own, ownProgress)
    body = { (tell) throws(CleaveError) in
      var work = work
      let others = work.work.tell
      (work.work.cancellation, work.work.progress) = (own, ownProgress)
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
      if state.told.count == Self.mostKept { state.told.removeFirst() }
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
    enter {
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

/// Threads for work that blocks: so many at a time that Dispatch, which has a few hundred for all, has some
/// left for those whom they wait for.
final class WorkThreads: Sendable {
  static let shared = WorkThreads()
  private struct State {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }
  private let state = Locked(State())
  private static let most = 16

  /// Runs work on a thread of its own, now or as soon as others have ended.
  @Sendable func enter(_ body: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      if state.running == Self.most {
        state.waiting.append(body)
        return false
      }
      state.running += 1
      return true
    }
    if begins { run(body) }
  }

  private func run(_ body: @escaping @Sendable () -> Void) {
    Self.start { [self] in
      body()
      let next = state.withLock { state -> (@Sendable () -> Void)? in
        if state.waiting.isEmpty {
          state.running -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      if let next { run(next) }
    }
  }

  /// Runs work on a thread of its own, however many there are.
  @Sendable static func start(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "cleave.work").async(execute: body)
  }
}

extension WorkEvent {
  fileprivate var isProgress: Bool { if case .progress = self { true } else { false } }
}
