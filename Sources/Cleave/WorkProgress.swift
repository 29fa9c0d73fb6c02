import Synchronization

/// How far a job is, for those who show it.
public final class WorkProgress: Sendable {
  private let counter = Atomic<Int64>(0)
  private let expected = Atomic<Int64>(-1)

  public init() {}

  /// The bytes that have been written, or read where nothing is written.
  public var bytes: Int64 { counter.load(ordering: .relaxed) }

  /// The bytes of the whole job, where that is known.
  public var total: Int64? {
    let value = expected.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  package func expect(_ total: Int64) { expected.store(total, ordering: .relaxed) }

  /// Adds to what is expected; for one thread.
  package func expectMore(_ count: Int64) {
    let (sum, overflow) = max(0, expected.load(ordering: .relaxed)).addingReportingOverflow(count)
    expect(overflow ? .max : sum)
  }

  package func add(_ count: Int) { counter.add(Int64(count), ordering: .relaxed) }
}
