import Dispatch
import Posix

/// Threads for work that blocks: so many at a time that Dispatch, which has a few hundred for all, has some
/// left for those whom they wait for.
final class WorkThreads: Sendable {
  static let shared = WorkThreads()
  /// For what only looks at files, and waits for no work.
  static let looking = WorkThreads()

  private struct State {
    var running = 0
    var waiting: [Turn] = []
  }
  private let state = Locked(State())
  private static let most = 16

  /// Runs work on a thread of its own, now or as soon as others have ended.
  ///
  /// - Parameters:
  ///   - cancellation: of the work, which then has nothing to wait for: it ends as soon as it runs.
  ///   - isInLine: false for what may wait for other work, which nobody shall wait for.
  func enter(
    ending cancellation: Cancellation,
    inLine isInLine: Bool = true,
    _ body: @escaping @Sendable () -> Void
  ) {
    if !isInLine { return Self.start(body) }
    let turn = Turn(body)
    let begins = state.withLock { state in
      if state.running == Self.most {
        state.waiting.append(turn)
        return false
      }
      state.running += 1
      return true
    }
    if begins { return run(turn) }
    turn.keep(
      cancellation.subscribe { [self] in
        hurry(turn)
      } abandoned: {
      }
    )
  }

  /// Runs what still waits, beside all others.
  private func hurry(_ turn: Turn) {
    let isWaiting = state.withLock { state in
      let index = state.waiting.firstIndex { $0 === turn }
      if let index { state.waiting.remove(at: index) }
      return index != nil
    }
    if isWaiting { Self.start { turn.come() } }
  }

  private func run(_ turn: Turn) {
    Self.start { [self] in
      turn.come()
      let next = state.withLock { state -> Turn? in
        if state.waiting.isEmpty {
          state.running -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      if let next { run(next) }
    }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "cleave.work").async(execute: body)
  }
}

/// Work whose turn comes once.
private final class Turn: Sendable {
  private let body: @Sendable () -> Void
  private let state = Locked((hasCome: false, subscription: Cancellation.Subscription?.none))

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func keep(_ subscription: Cancellation.Subscription) {
    state.withLock { if !$0.hasCome { $0.subscription = subscription } }
  }

  func come() {
    // It ends outside of the lock.
    let subscription = state.withLock { state in
      defer { state = (true, nil) }
      return state.subscription
    }
    withExtendedLifetime(subscription) {}
    body()
  }
}
