import Dispatch
import Posix

/// Keeps one who reads a file behind those who write it, and tells what has been written.
final class Pace: Sendable {
  private struct State {
    /// What has been written: ranges by their place, as few as there are.
    var written: [Range<Int64>] = []
    /// Where the bytes end that are waited for.
    var end: Int64 = 0
    var isOver = false
    var waiting: [(range: Range<Int64>, wake: DispatchSemaphore)] = []

    func has(_ range: Range<Int64>) -> Bool {
      isOver || range.isEmpty
        || written.contains {
          $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
        }
    }

    mutating func add(_ range: Range<Int64>) {
      guard let index = written.firstIndex(where: { $0.upperBound >= range.lowerBound }) else {
        return written.append(range)
      }
      // One writer goes on where it was, and meets the next in the end.
      var (joined, next) = (range, index)
      while next < written.count, written[next].lowerBound <= joined.upperBound {
        let low = min(joined.lowerBound, written[next].lowerBound)
        joined = low..<max(joined.upperBound, written[next].upperBound)
        next += 1
      }
      written.replaceSubrange(index..<next, with: CollectionOfOne(joined))
    }
  }
  private let state = Locked(State())

  /// From now on, bytes in front of `end` are waited for.
  func follow(to end: Int64) { state.withLock { $0.end = end } }

  /// Bytes of a range have been written.
  func advance(_ range: Range<Int64>) { change { $0.add(range) } }

  /// Everything has been written, or nothing more will be.
  func end() { change { $0.isOver = true } }

  private func change(_ body: (inout State) -> Void) {
    let passed = state.withLock { state in
      body(&state)
      if state.waiting.isEmpty { return [DispatchSemaphore]() }
      let now = state
      state.waiting.removeAll { now.has($0.range) }
      return now.waiting.filter { now.has($0.range) }.map(\.wake)
    }
    for wake in passed { wake.signal() }
  }

  /// Waits until a range has been written, if it is one that is waited for.
  ///
  /// - Parameter isNeeded: whether it is waited for wherever it is.
  /// - Returns: whether it has been written.
  @discardableResult
  func wait(for range: Range<Int64>, isNeeded: Bool = false) -> Bool {
    let (wake, isThere) = state.withLock { state -> (DispatchSemaphore?, Bool) in
      if state.has(range) { return (nil, true) }
      guard isNeeded || range.lowerBound < state.end else { return (nil, false) }
      let wake = DispatchSemaphore(value: 0)
      state.waiting.append((range, wake))
      return (wake, true)
    }
    wake?.wait()
    return isThere
  }
}
