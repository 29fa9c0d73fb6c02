public import Posix

/// An open source.
package final class InputFile: Sendable {
  package let descriptor: FileDescriptor
  package let source: SourceFile
  private let readAhead: ReadAhead

  fileprivate init(_ source: SourceFile, end: Int64?, dropsCache: Bool) throws(CleaveError) {
    let opened: FileDescriptor
    do {
      // O_NONBLOCK: a FIFO that took the file's place must not hold the job up.
      opened = try .open(source.path, [.readOnly, .nonBlocking])
    } catch {
      throw .reading(error)
    }
    let size = source.status.size
    readAhead = ReadAhead(opened, size: size, end: end ?? size, dropsCache: dropsCache)
    descriptor = opened
    self.source = source
  }

  package var path: FilePath { source.path }

  /// Has the kernel read ahead of `position`, which is about to be read in order.
  package func willRead(to position: Int64) { readAhead.move(to: position, of: descriptor) }

  /// Has the kernel read a range, which is about to be read.
  package func willRead(_ range: Range<Int64>) { readAhead.fetch(range, of: descriptor) }

  /// Fills the buffer from an offset; see `pread(2)`.
  ///
  /// - Throws: also where the file ends before the buffer is full.
  package func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(CleaveError) {
    let found: Int
    do { found = try descriptor.read(into: buffer, at: offset) } catch { throw .reading(error) }
    if found < buffer.count { throw truncated(at: offset + Int64(found)) }
  }

  /// Nobody reads the file any more.
  fileprivate func didRead() { readAhead.end(of: descriptor) }

  /// - Throws: where the file is not the one that was planned with, or was changed since.
  package func checkUnchanged() throws(CleaveError) {
    let now: FileStatus
    do { now = try descriptor.status() } catch { throw .reading(error) }
    try Inputs.check(now, against: source)
  }

  /// The error for a source that ended before its time: at `offset`, or at a place only it knows.
  package func truncated(at offset: Int64? = nil) -> CleaveError {
    let end = offset ?? (try? descriptor.status())?.size ?? 0
    return Inputs.truncated(source, at: end)
  }
}

extension InputFile {
  /// Why a mapping has no bytes to give: the file has been changed, or cannot be read; nil where
  /// neither is so.
  package func fault(at offset: Int64, count: Int) -> CleaveError? {
    do throws(CleaveError) {
      try checkUnchanged()
      // A read says what a mapping cannot: where, and why.
      try read(from: offset, count: count)
      return nil
    } catch {
      return error
    }
  }

  private func read(from start: Int64, count: Int) throws(CleaveError) {
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Mapping.pageSize,
      alignment: Mapping.pageSize
    )
    defer { page.deallocate() }
    for position in stride(from: start, to: start + Int64(count), by: page.count) {
      do { _ = try descriptor.read(into: page, at: position) } catch { throw .reading(error) }
    }
  }
}

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
    try file.checkUnchanged()
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
    try last?.checkUnchanged()
  }

  private func reuse(_ index: Int) -> InputFile? {
    state.withLock { state in
      state.open[index]?.users += 1
      return state.open[index]?.file
    }
  }

  /// - Throws: where the file under the source's name is not what it was.
  static func requireUnchanged(_ source: SourceFile) throws(CleaveError) {
    let now: FileStatus
    do { now = try FileStatus.of(source.path) } catch { throw .reading(error) }
    try check(now, against: source)
  }

  fileprivate static func truncated(_ source: SourceFile, at end: Int64) -> CleaveError {
    CleaveError(
      .badData,
      source.path,
      "was truncated: it ends at \(end), not at \(source.status.size)"
    )
  }

  fileprivate static func check(_ now: FileStatus, against source: SourceFile) throws(CleaveError) {
    let planned = source.status
    if now.kind != .regular {
      throw CleaveError(.missingInput, source.path, "is \(now.kind), not a regular file")
    }
    if now.size < planned.size {
      throw truncated(source, at: now.size)
    }
    guard
      now.identity == planned.identity, now.size == planned.size, now.modified == planned.modified
    else { throw CleaveError(.changedInput, source.path, "was changed while it was being read") }
  }
}

extension SourceFile {
  /// Looks at a file that is to be read.
  ///
  /// - Throws: where it is missing, not a regular file, or may not be looked at.
  public init(examining path: FilePath) throws(CleaveError) {
    let status: FileStatus
    do { status = try FileStatus.of(path) } catch { throw .reading(error) }
    guard status.kind == .regular else {
      throw CleaveError(.missingInput, path, "is \(status.kind), not a regular file")
    }
    if status.size == 0 { try Self.requireEmpty(path) }
    self.init(path: path, status: status)
  }

  /// Of files that the kernel makes up as they are read, as in /proc, the size is told as 0.
  ///
  /// - Throws: `.missingInput` where there is a byte all the same.
  private static func requireEmpty(_ path: FilePath) throws(CleaveError) {
    let found: [UInt8]
    do throws(SystemError) {
      found = try FileDescriptor.open(path, [.readOnly, .nonBlocking]).read(1, at: 0)
    } catch {
      // Reading it will report the error.
      return
    }
    if found.isEmpty { return }
    throw CleaveError(
      .missingInput,
      path,
      "has bytes although its size is told as 0, as in /proc: copy it to a file first, or give it to "
        + "standard input with -"
    )
  }
}
