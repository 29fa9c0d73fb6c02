import Posix

/// The sources of a job, opened when they are needed and closed when they are not, so that ten
/// thousand of them need few descriptors.
package final class Inputs: Sendable {
  private struct Entry {
    var file: InputFile
    var users: Int
  }

  private struct State {
    var sources: SourceFiles
    var open: [Int: Entry] = [:]
  }

  private let ends: [Int: Int64]
  private let dropsCache: Bool
  private let state: Locked<State>

  /// - Parameters:
  ///   - ends: where reading ends, of sources that are not read to their own; in bytes, by index.
  ///   - dropsCache: what has to be fetched from the device does not stay in memory.
  package init(
    _ sources: some Sequence<SourceFile>,
    endingAt ends: [Int: Int64] = [:],
    dropsCache: Bool = false
  ) {
    state = Locked(State(sources: SourceFiles(sources)))
    self.ends = ends
    self.dropsCache = dropsCache
  }

  /// Adds a source that was not known of before, and returns its index.
  package func add(_ source: SourceFile) -> Int {
    state.withLock { state in
      state.sources.append(source)
      return state.sources.count - 1
    }
  }

  /// Opens a source, or shares it with those who have it open. Each call wants a ``release(_:)``.
  package func acquire(_ index: Int) throws(CleaveError) -> InputFile {
    if let shared = reuse(index) { return shared }
    let source = state.withLock { $0.sources[index] }
    let file = try InputFile(source, end: ends[index], dropsCache: dropsCache)
    return state.withLock { state in
      // Somebody else may have been faster; then theirs serves both.
      state.open[index, default: Entry(file: file, users: 0)].users += 1
      return state.open[index]?.file ?? file
    }
  }

  /// Gives a source back. The last user closes it, and learns whether it was changed meanwhile.
  package func release(_ index: Int) throws(CleaveError) {
    let last = state.withLock { state -> InputFile? in
      state.open[index]?.users -= 1
      guard let entry = state.open[index], entry.users <= 0 else { return nil }
      state.open[index] = nil
      return entry.file
    }
    last?.didRead()
    try last?.requireUnchanged()
  }

  private func reuse(_ index: Int) -> InputFile? {
    state.withLock { state in
      state.open[index]?.users += 1
      return state.open[index]?.file
    }
  }
}
