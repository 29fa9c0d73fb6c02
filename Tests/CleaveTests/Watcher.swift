import Dispatch
import Posix

@testable import Cleave

/// Cancels a job as soon as it has written something.
final class Watcher: Sendable {
  private let progress: WorkProgress
  private let cancellation: Cancellation
  private let done = DispatchGroup()

  init(_ job: Job) {
    progress = job.options.progress
    cancellation = job.options.cancellation
  }

  func start() {
    DispatchQueue(label: "test.watcher").async(group: done) { [self] in
      while progress.bytes == 0 { try? Readiness.pause(milliseconds: 1) }
      cancellation.cancel()
    }
  }

  func wait() { done.wait() }
}
