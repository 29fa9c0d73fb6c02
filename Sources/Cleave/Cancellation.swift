import Posix

/// Ends jobs from another thread, such as a signal handler's.
public final class Cancellation: Sendable {
  private struct Handlers: Sendable {
    var cancelled: (@Sendable () -> Void)?
    var abandoned: @Sendable () -> Void
  }
  private struct State {
    var isCancelled = false
    var handlers: [Int: Handlers] = [:]
    var next = 0
    /// To the one that this ends with.
    var link: Subscription?
  }
  private let state = Locked(State())

  public init() {}

  /// Ends the jobs that have this cancellation; those that begin later end at once.
  ///
  /// A job then throws an error of the kind ``CleaveError/Kind/cancelled``, with nothing left behind.
  public func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      let handlers = state.handlers.sorted { $0.key < $1.key }.compactMap(\.value.cancelled)
      for key in state.handlers.keys { state.handlers[key]?.cancelled = nil }
      return handlers
    }
    for handler in handlers { handler() }
  }

  /// Removes what jobs have made so far without waiting for them, because the process is about to
  /// end.
  public func abandon() {
    cancel()
    let handlers = state.withLock { $0.handlers.sorted { $0.key < $1.key }.map(\.value.abandoned) }
    for handler in handlers { handler() }
  }

  /// Whether ``cancel()`` has been called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Another that ends with this one; ending it does not end this one.
  var inner: Cancellation {
    let inner = Cancellation()
    let link = subscribe { [weak inner] in
      inner?.cancel()
    } abandoned: { [weak inner] in
      inner?.abandon()
    }
    inner.state.withLock { $0.link = link }
    return inner
  }

  /// Calls `cancelled` when ``cancel()`` is called, or now if it has been; `abandoned` when
  /// ``abandon()`` is.
  ///
  /// - Returns: what ends that when it goes.
  package func subscribe(
    cancelled: @escaping @Sendable () -> Void,
    abandoned: @escaping @Sendable () -> Void
  ) -> Subscription {
    let (key, isLate) = state.withLock { state in
      let key = state.next
      state.next &+= 1
      state.handlers[key] = Handlers(
        cancelled: state.isCancelled ? nil : cancelled,
        abandoned: abandoned
      )
      return (key, state.isCancelled)
    }
    if isLate { cancelled() }
    return Subscription { [weak self] in
      _ = self?.state.withLock { $0.handlers.removeValue(forKey: key) }
    }
  }

  /// Who is to hear of it, for as long as this is kept.
  package final class Subscription: Sendable {
    private let end: @Sendable () -> Void
    fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }
}
