public import Posix

/// Checks what an operand stands for: files against their manifest, and content by what it says of itself.
public struct Verify: Sendable {
  private let subject: VerifySubject
  public var cancellation = Cancellation()
  public var progress = WorkProgress()

  /// What came of it.
  public struct Result: Sendable {
    /// Files that a manifest tells of, and those that are missing; none where there is no manifest.
    public let files: [ManifestCheck.Outcome]
    /// What the content says of itself; nil where it says nothing, or a manifest speaks for it.
    public let content: ProofResult?
    /// What was compared, of the content.
    public let verdict: Verdict

    /// Whether something was compared, and nothing is wrong or missing.
    public var isRight: Bool {
      (!files.isEmpty || !verdict.proofs.isEmpty) && verdict.isRight
        && files.allSatisfy { $0.result == .same }
    }
  }

  /// - Parameter operand: a part, for all of them; a manifest; or any other file.
  /// - Parameter request: what is known of it beside its name.
  /// - Throws: where files that are needed cannot be read, or contradict each other.
  public init(
    _ operand: FilePath,
    _ request: Selection.Request = Selection.Request()
  ) throws(CleaveError) {
    subject = try VerifySubject(operand, request)
    if let fault = subject.fault { throw fault }
  }

  /// Reads the files.
  ///
  /// Blocks until it is done.
  public func run() throws(CleaveError) -> Result {
    var job = VerifyJob()
    (job.cancellation, job.progress) = (cancellation, progress)
    let files = subject.check.map { Array($0.run(job)) } ?? []
    let content = try proof?.run(cancellation, progress)
    if cancellation.isCancelled { throw .cancelled }
    var verdict = Verdict()
    verdict.add(content)
    return Result(files: files, content: content, verdict: verdict)
  }

  private var proof: ContentProof? {
    get throws(CleaveError) {
      guard let archive = subject.archive else { return subject.proof }
      return try ContentProof(of: archive.bytes, archive: archive)
    }
  }
}

// MARK: - In tasks

extension Verify {
  /// The same on a thread of its own.
  public init(
    _ operand: FilePath,
    _ request: Selection.Request = Selection.Request()
  ) async throws {
    let made = try await onThread { () throws(CleaveError) in
      try Verify(operand, request)
    }
    self = made
  }

  /// Reads the files on a thread of its own; cancelling the task ends that.
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
    let made = try await onThread { () throws(CleaveError) in
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
    return try await onThread(cancelling: job.options.cancellation) {
      [job] () throws(CleaveError) in
      try job.run()
    }
  }
}

/// Runs what blocks, where that keeps no task from running, and waits for its end, whatever happens.
private func onThread<R: Sendable>(
  cancelling cancellation: Cancellation = Cancellation(),
  _ body: @escaping @Sendable () throws(CleaveError) -> R
) async throws -> R {
  try Task.checkCancellation()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      WorkThreads.shared.enter {
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
