import Dispatch
import Posix
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
    try await withTaskExecutorPreference(AsideThreads.all) { try await function() }
  }
}

extension Trait where Self == AsideTrait {
  /// For tests that wait more than they work.
  static var aside: Self { AsideTrait() }
}

/// A few threads, each of which takes the next job of any test as soon as it is free.
private final class AsideThreads: TaskExecutor {
  static let all = AsideThreads()

  private struct State {
    /// Each has a thread of its own while it works.
    var idle = (0..<8).map { DispatchQueue(label: "aside \($0)") }
    /// Those before `first` have been taken.
    var jobs: [UnownedJob] = []
    var first = 0

    mutating func next(for queue: DispatchQueue) -> UnownedJob? {
      if first < jobs.count {
        first += 1
        return jobs[first - 1]
      }
      (jobs, first) = ([], 0)
      idle.append(queue)
      return nil
    }
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let queue = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    if let queue { queue.async { self.work(queue) } }
  }

  private func work(_ queue: DispatchQueue) {
    while let job = state.withLock({ $0.next(for: queue) }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
