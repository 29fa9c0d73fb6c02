import Dispatch
import Synchronization

/// A share of the window: taken before bytes are read, given back when the last of those who still
/// need them has released it.
final class InFlightSlot: Sendable {
  private let slots: DispatchSemaphore
  private let completion: (@Sendable () -> Void)?
  private let holders = Atomic(1)
  private let received = Atomic(0)

  /// A piece with one holder, for whom a slot has been waited for. The last holder's release calls
  /// `completion`, on that holder's thread.
  init(_ slots: DispatchSemaphore, completion: (@Sendable () -> Void)? = nil) {
    self.slots = slots
    self.completion = completion
  }

  /// Adds a holder.
  func retain() { holders.add(1, ordering: .relaxed) }

  /// Takes a holder away; the last one's slot goes to a waiting thread.
  func release() {
    let left = holders.subtract(1, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    completion?()
    slots.signal()
  }

  /// Counts bytes that a read has delivered.
  func receive(_ count: Int) { received.add(count, ordering: .relaxed) }

  /// Bytes delivered so far.
  var receivedCount: Int { received.load(ordering: .relaxed) }
}

extension DispatchSemaphore {
  /// Waits until all of `count` slots are free, and leaves them free.
  func drain(_ count: Int) {
    for _ in 0..<count { wait() }
    for _ in 0..<count { signal() }
  }
}
