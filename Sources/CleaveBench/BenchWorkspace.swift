import Cleave
import Dispatch
import Posix

/// A directory for the files of a bench, and the child process that works in it. However the bench
/// ends, both end with it.
final class BenchWorkspace: Sendable {
  let path: FilePath
  private let cancellation: Cancellation
  private let child = Locked<ChildProcess?>(nil)
  private let subscription = Locked<Cancellation.Subscription?>(nil)

  init(in directory: FilePath, _ cancellation: Cancellation) throws(CleaveError) {
    self.cancellation = cancellation
    do {
      path = try FileSystem.makeDirectory(unique: directory.appending(".cleave-bench-"))
    } catch {
      throw .creating(error)
    }
    do {
      for name in [inputs, outputs] { try FileSystem.makeDirectory(name) }
    } catch {
      try? FileSystem.removeTree(path)
      throw .creating(error)
    }
    let heard = cancellation.subscribe { [weak self] in
      self?.endChild()
    } abandoned: { [weak self] in
      self?.send(.kill)
      _ = self?.remove()
    }
    subscription.withLock { $0 = heard }
  }

  /// Where inputs are made.
  var inputs: FilePath { path.appending("in") }
  /// Where outputs are made.
  var outputs: FilePath { path.appending("out") }

  // MARK: The child

  private func send(_ signal: Signal) { child.withLock { $0 }?.send(signal) }

  /// Gives the child a moment to clean up, and no more: this process has to end, too.
  private func endChild() {
    send(.terminate)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { [weak self] in
      self?.send(.kill)
    }
  }

  /// Runs a program to its end. `variables` replace those of this process.
  func run(
    _ program: FilePath,
    _ arguments: [FilePath],
    _ variables: [(name: String, value: FilePath)] = []
  ) throws(CleaveError) -> ChildProcess.Ending {
    if cancellation.isCancelled { throw .cancelled }
    let command = ChildProcess.Command(
      program,
      arguments,
      environment: Self.environment(with: variables)
    )
    // The anonymous pages that this process has when it forks count as the child's: `true` is told to
    // use 2.3 MiB, and 1.5 MiB when a shell starts it. Buffers that this process used would add to it.
    ProcessState.trimAllocator()
    let ending: ChildProcess.Ending
    do throws(SystemError) {
      let started = try ChildProcess(command, messages: path.appending("messages"))
      child.withLock { $0 = started }
      // The signal may have come before there was a child.
      if cancellation.isCancelled { endChild() }
      ending = try started.wait()
    } catch {
      throw .starting(error)
    }
    child.withLock { $0 = nil }
    if cancellation.isCancelled { throw .cancelled }
    return ending
  }

  private static func environment(with variables: [(name: String, value: FilePath)]) -> [FilePath] {
    let kept = ProcessState.environment.filter { variable in
      !variables.contains { variable.bytes.starts(with: "\($0.name)=".utf8) }
    }
    return kept + variables.map { FilePath(bytes: Array("\($0.name)=".utf8) + $0.value.bytes) }
  }

  // MARK: Removing

  /// Removes the outputs of an earlier run.
  func removeOutputs() throws(CleaveError) {
    do {
      for name in try FileSystem.names(in: outputs) {
        try FileSystem.removeTree(outputs.appending(name))
      }
    } catch {
      throw .writing(error)
    }
  }

  /// Removes the directory and everything in it.
  ///
  /// - Returns: why that failed; nil where it did not.
  func remove() -> SystemError? {
    var failure: SystemError?
    // Another thread may be making a file in it just now.
    for _ in 0..<10 {
      do throws(SystemError) {
        try FileSystem.removeTree(path)
        return nil
      } catch {
        failure = error
      }
    }
    return failure
  }
}

extension CleaveError {
  /// Starting a program failed. `EAGAIN` means that there may be no more processes; see `fork(2)`,
  /// `execve(2)`.
  fileprivate static func starting(_ error: SystemError) -> CleaveError {
    error.errno == .again ? CleaveError(.exhausted, error) : reading(error)
  }
}

extension ChildProcess.Ending {
  /// - Throws: where the program failed, with its message and its exit code.
  func requireSuccess(of name: String) throws(BenchFailure) {
    let how: String
    let code: Int32
    switch end {
    case .exited(0): return
    case .exited(let number): (how, code) = ("failed with exit code \(number)", number)
    // As shells count.
    case .killed(let signal):
      (how, code) = ("was killed by signal \(signal.rawValue)", 128 + signal.rawValue)
    }
    let line = FilePath(bytes: message.prefix { $0 != UInt8(ascii: "\n") }).description
    let text = line.hasPrefix("cleave: ") ? String(line.dropFirst(8)) : line
    throw .ended("\(name): \(how)\(text.isEmpty ? "" : ": \(text)")", exitCode: code)
  }
}
