import Dispatch
import Synchronization
import Testing

/// Runs each test on a thread that is no worker's, since it waits more than it works: a worker that waits
/// is one fewer for all other tests, of two or so.
struct AsideTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(AsideThread.next()) { try await function() }
  }
}

extension Trait where Self == AsideTrait {
  /// For tests that wait more than they work.
  static var aside: Self { AsideTrait() }
}

/// One of a few threads that tests take turns on.
private final class AsideThread: TaskExecutor {
  private static let all = (0..<8).map { _ in AsideThread() }
  private static let started = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "aside")

  static func next() -> AsideThread {
    all[started.wrappingAdd(1, ordering: .relaxed).oldValue % all.count]
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
