import Posix

/// Ends jobs from another thread, such as a signal handler's.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var onCancel: [@Sendable () -> Void] = []
    var onAbandon: [@Sendable () -> Void] = []
  }
  private let state = Locked(State())

  public init() {}

  /// Ends the jobs that have this cancellation; those that begin later end at once.
  ///
  /// A job then throws an error of the kind ``CleaveError/Kind/cancelled``, with nothing left behind.
  public func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      defer { state.onCancel = [] }
      return state.onCancel
    }
    for handler in handlers { handler() }
  }

  /// Removes what jobs have made so far without waiting for them, because the process is about to
  /// end.
  public func abandon() {
    cancel()
    for handler in state.withLock({ $0.onAbandon }) { handler() }
  }

  /// Whether ``cancel()`` has been called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Another that ends with this one; ending it does not end this one.
  var inner: Cancellation {
    let inner = Cancellation()
    subscribe {
      inner.cancel()
    } abandoned: {
      inner.abandon()
    }
    return inner
  }

  /// Calls `cancelled` when ``cancel()`` is called, or now if it has been; `abandoned` when
  /// ``abandon()`` is.
  package func subscribe(
    cancelled: @escaping @Sendable () -> Void,
    abandoned: @escaping @Sendable () -> Void
  ) {
    let isLate = state.withLock { state in
      state.onCancel.append(cancelled)
      state.onAbandon.append(abandoned)
      return state.isCancelled
    }
    if isLate { cancelled() }
  }
}
