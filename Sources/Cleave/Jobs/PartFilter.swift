internal import Posix

/// A command that one part is fed to.
///
/// Confined to the thread that made it.
final class PartFilter {
  let path: FilePath
  private let process: PipedProcess
  private let sum: RunningChecksum
  private var isReading = true
  private var hasEnded = false

  /// Starts the command in the user's shell, or in `sh`, with the part's name in `$FILE`.
  init(
    _ command: FilePath,
    _ path: FilePath,
    kinds: Checksum.Kinds
  ) throws(CleaveError) {
    (self.path, sum) = (path, RunningChecksum(kinds))
    do throws(PipedProcess.Failure) {
      process = try PipedProcess(command, file: path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  var handle: PipedProcess.Handle { process.handle }

  private static func failure(_ failure: PipedProcess.Failure, _ path: FilePath) -> CleaveError {
    switch failure {
    case .pipe(let errno), .fork(let errno):
      CleaveError(.exhausted, path, "the filter cannot be started: \(errno) (\(errno.symbol))")
    case .exec(let errno):
      CleaveError(
        .inputOutput,
        path,
        "the filter needs \(PipedProcess.shell), which cannot be run: \(errno) (\(errno.symbol))"
      )
    }
  }

  /// Feeds bytes to the command. One that has stopped reading may have seen enough: what it ends with
  /// tells.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CleaveError) {
    _ = sum.update { sum, kinds in sum.update(bytes, kinds) }
    guard isReading else { return }
    do throws(SystemError) {
      try process.write(bytes)
    } catch {
      guard error.errno == .pipe else { throw .writing(error.about(path)) }
      isReading = false
    }
  }

  /// Lets the command see the end.
  func close() throws(CleaveError) {
    do { try process.closePipe() } catch { throw .writing(error.about(path)) }
  }

  /// Waits for the end of the command, and returns the sum of what it was fed.
  ///
  /// - Throws: where it has not ended with 0.
  func finish() throws(CleaveError) -> Checksum {
    try close()
    switch try wait() {
    case .exited(0): return sum.current
    case .exited(let code):
      throw CleaveError(.inputOutput, path, "the filter ended with exit code \(code)")
    case .killed(let signal):
      throw CleaveError(.inputOutput, path, "the filter was ended by SIG\(signal.name)")
    }
  }

  /// Ends the command before it can take what it has for all.
  func abort() {
    if hasEnded { return }
    handle.end()
    try? process.closePipe()
    _ = try? wait()
  }

  private func wait() throws(CleaveError) -> ChildProcess.Ending.End {
    hasEnded = true
    do { return try process.wait() } catch { throw .reading(error.about(path)) }
  }
}
