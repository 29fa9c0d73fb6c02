import Dispatch
public import Posix
import Synchronization

/// How far a job is, for those who show it.
public final class WorkProgress: Sendable {
  private let counter = Atomic<Int64>(0)
  private let expected = Atomic<Int64>(-1)
  private let copied = Atomic<Int64>(0)
  private let paused = Atomic(false)
  private let gate = DispatchGroup()
  private let settling = Locked(())
  private let place = Locked<(@Sendable (Int64) -> Part?)?>(nil)

  public init() {}

  /// The bytes that have been written, or read where nothing is written.
  public var bytes: Int64 { counter.load(ordering: .relaxed) }

  /// The bytes of the whole job, where that is known.
  public var total: Int64? {
    let value = expected.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  /// One of the files that are read or made one behind the other.
  public struct Part: Hashable, Sendable {
    public let path: FilePath
    /// From 1 on.
    public let number: Int
    /// How many there are.
    public let count: Int

    package init(path: FilePath, number: Int, count: Int) {
      (self.path, self.number, self.count) = (path, number, count)
    }
  }

  /// The part whose bytes are being copied; nil where there are no parts, or none is known to be.
  public var part: Part? { place.withLock { $0 }?(copied.load(ordering: .relaxed)) }

  /// - Parameter place: the part that has the byte behind so many bytes.
  func follow(_ place: @escaping @Sendable (Int64) -> Part?) { self.place.withLock { $0 = place } }

  /// Counts from the start, for another run.
  func restart() {
    counter.store(0, ordering: .relaxed)
    copied.store(0, ordering: .relaxed)
    expected.store(-1, ordering: .relaxed)
  }

  package func expect(_ total: Int64) { expected.store(total, ordering: .relaxed) }

  /// Adds to what is expected; for one thread.
  package func expectMore(_ count: Int64) {
    let (sum, overflow) = max(0, expected.load(ordering: .relaxed)).addingReportingOverflow(count)
    expect(overflow ? .max : sum)
  }

  /// Counts bytes that were copied.
  func didCopy(_ count: Int) {
    add(count)
    copied.add(Int64(count), ordering: .relaxed)
  }

  /// Counts bytes; blocks for as long as the work is paused.
  package func add(_ count: Int) {
    counter.add(Int64(count), ordering: .relaxed)
    if isPaused { gate.wait() }
  }

  // MARK: Pausing

  /// Whether nothing more is moved: whoever has moved bytes waits.
  package var isPaused: Bool { paused.load(ordering: .relaxed) }

  /// Pauses the work, or has it go on.
  package func pause(_ isPaused: Bool) {
    settling.withLock { _ in
      guard paused.exchange(isPaused, ordering: .relaxed) != isPaused else { return }
      if isPaused { gate.enter() } else { gate.leave() }
    }
  }

  deinit { pause(false) }
}
