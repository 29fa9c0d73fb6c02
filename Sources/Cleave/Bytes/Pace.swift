import Dispatch
import Posix

/// Keeps one who reads behind another, who goes through the same bytes in their order: what is in memory
/// then is not fetched twice.
final class Pace: Sendable {
  private struct State {
    /// Bytes that the one in front has gone through.
    var reached: Int64 = 0
    /// Where the bytes end that are waited for.
    var end: Int64 = 0
    var waiting: [(position: Int64, wake: DispatchSemaphore)] = []
  }
  private let state = Locked(State())

  /// From now on, bytes in front of `end` are waited for.
  func follow(to end: Int64) { change { $0.end = $0.end < 0 ? $0.end : end } }

  /// The one in front has come so many bytes further.
  // bounded: of bytes that are there
  func advance(_ count: Int) { change { $0.reached += Int64(count) } }

  /// Nobody is in front any more, or will be.
  func end() { change { $0.end = -1 } }

  private func change(_ body: (inout State) -> Void) {
    let passed = state.withLock { state in
      body(&state)
      if state.waiting.isEmpty { return [DispatchSemaphore]() }
      let reached = max(state.reached, state.end < 0 ? .max : 0)
      defer { state.waiting.removeAll { $0.position <= reached } }
      return state.waiting.filter { $0.position <= reached }.map(\.wake)
    }
    for wake in passed { wake.signal() }
  }

  /// Returns when the one in front has gone through a range.
  func wait(for range: Range<Int64>) {
    let wake = state.withLock { state -> DispatchSemaphore? in
      guard range.lowerBound < state.end, state.reached < range.upperBound else { return nil }
      let wake = DispatchSemaphore(value: 0)
      state.waiting.append((range.upperBound, wake))
      return wake
    }
    wake?.wait()
  }
}
