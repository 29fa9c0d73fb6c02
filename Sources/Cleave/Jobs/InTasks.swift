import Posix

// What blocks, in tasks: on a thread of its own.

extension Verify {
  /// The same as ``run()`` on a thread of its own; cancelling the task ends that.
  public func result() async throws -> Result {
    var verify = self
    verify.cancellation = cancellation.inner
    return try await onThread(cancelling: verify.cancellation) { [verify] () throws(CleaveError) in
      try verify.run()
    }
  }
}

extension Selection {
  /// What operands mean, to be merged; looked at on a thread of its own.
  public init(of operands: [FilePath], _ request: Request = Request()) async throws {
    let made = try await onThread(of: .looking) { () throws(CleaveError) in
      try Selection(of: operands, request)
    }
    self = made
  }
}

extension Job {
  /// Makes every destination of the plan, or none, on a thread of its own; cancelling the task ends that,
  /// and nothing is left behind.
  public func report() async throws -> JobReport {
    var job = self
    job.options.cancellation = options.cancellation.inner
    return try await onThread(
      cancelling: job.options.cancellation,
      inLine: job.stream == nil
    ) { [job] () throws(CleaveError) in try job.run() }
  }
}

/// Runs what blocks, where that keeps no task from running, and waits for its end, whatever happens.
private func onThread<R: Sendable>(
  of threads: WorkThreads = .shared,
  cancelling cancellation: Cancellation = Cancellation(),
  inLine isInLine: Bool = true,
  _ body: @escaping @Sendable () throws(CleaveError) -> R
) async throws -> R {
  try Task.checkCancellation()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      threads.enter(ending: cancellation, inLine: isInLine) {
        continuation.resume(returning: Result { () throws(CleaveError) in try body() })
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
  switch result {
  case .success(let made): return made
  case .failure(let error):
    if error.kind == .cancelled, Task.isCancelled { throw CancellationError() }
    throw error
  }
}
