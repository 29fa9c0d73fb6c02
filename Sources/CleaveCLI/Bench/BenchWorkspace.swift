import Cleave
import Dispatch
import Posix

/// A directory that holds what is made for a bench, and the child that works in it. Both are gone
/// when the bench is, whatever ends it.
final class BenchWorkspace: Sendable {
  let path: FilePath
  private let cancellation: Cancellation
  private let child = Locked<ChildProcess?>(nil)

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
    cancellation.subscribe { [weak self] in
      self?.endChild()
    } abandoned: { [weak self] in
      self?.send(.kill)
      _ = self?.remove()
    }
  }

  /// Where inputs are made.
  var inputs: FilePath { path.appending("in") }
  /// Where outputs are made.
  var outputs: FilePath { path.appending("out") }

  // MARK: The child

  private func send(_ signal: Signal) { child.withLock { $0 }?.send(signal) }

  /// Gives the child a moment to clean up after itself, and no more: the process has to end as well.
  private func endChild() {
    send(.terminate)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) { [weak self] in
      self?.send(.kill)
    }
  }

  /// Runs a program to its end. `variables` take the place of those that this process has.
  func run(
    _ program: FilePath,
    _ arguments: [FilePath],
    _ variables: [(name: String, value: FilePath)] = []
  ) throws(CleaveError) -> ChildProcess.Ending {
    if cancellation.isCancelled { throw .cancelled }
    let command = ChildProcess.Command(
      program,
      arguments,
      environment: Self.environment(with: variables),
      signals: SignalWatch.changed
    )
    // What is resident here in anonymous pages when the child is forked counts as the child's own: of
    // `true` 2.3 MiB are told, where a shell that starts it says 1.5. Buffers that were used before
    // would come on top.
    ProcessState.trimAllocator()
    let ending: ChildProcess.Ending
    do throws(SystemError) {
      let started = try ChildProcess(command, messages: path.appending("messages"))
      child.withLock { $0 = started }
      // The signal may have come when there was no child yet.
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

  /// Removes what an earlier run made.
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
  /// - Returns: why that could not be done.
  func remove() -> SystemError? {
    var failure: SystemError?
    // Another thread may be making something in it just now.
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

extension ChildProcess.Ending {
  /// - Throws: where the program failed, what it said and its exit code.
  func requireSuccess(of name: String) throws(Failure) {
    let how: String
    let code: Int32
    switch end {
    case .exited(0): return
    case .exited(let number): (how, code) = ("failed with exit code \(number)", number)
    // As shells have it.
    case .killed(let signal):
      (how, code) = ("was killed by signal \(signal.rawValue)", 128 + signal.rawValue)
    }
    let line = FilePath(bytes: message.prefix { $0 != UInt8(ascii: "\n") }).description
    let text = line.hasPrefix("cleave: ") ? String(line.dropFirst(8)) : line
    throw .ended("\(name): \(how)\(text.isEmpty ? "" : ": \(text)")", ExitCode(rawValue: code))
  }
}
