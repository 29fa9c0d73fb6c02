internal import Cleave
internal import Dispatch
internal import Posix
internal import Synchronization

/// Copies parts of a file into new files, two at a time. What is left is what one after the other leaves,
/// also where a part cannot be written: those behind it go.
final class SideBySide: @unchecked Sendable {
  // Sendable: all that changes is behind the lock, or looked at when no worker is there.

  /// One part, with its place among all.
  // Sendable: one worker has it.
  private struct Part: @unchecked Sendable {
    var index: Int
    var output: SplitOutput
    var range: Range<Int64>
  }

  private let input: SplitInput
  private let outputs: OutputMaker
  private let elides: Bool
  private let lock = Locked(())
  private var cuts: RecordCuts
  private var position: Int64
  private var count = 0
  /// One that has to be copied while no other is.
  private var alone: (name: FilePath, range: Range<Int64>)?
  /// Of the first part that failed.
  private var failed: (index: Int, failure: SplitFailure)?
  /// The same for those who copy, and do not wait for one who looks for a cut.
  private let firstFailed = Atomic(Int.max)
  /// The last files that were made, which go where one before them failed.
  private var made: [(index: Int, output: SplitOutput)] = []

  private static let workers = 2
  /// As in ``SplitInput``.
  private static let block = 252 << 10

  init(
    _ cuts: consuming RecordCuts,
    from position: Int64,
    input: SplitInput,
    _ outputs: OutputMaker,
    elides: Bool
  ) {
    self.cuts = cuts
    (self.position, self.input, self.outputs, self.elides) = (position, input, outputs, elides)
  }

  func run() throws(SplitFailure) {
    repeat {
      DispatchQueue.concurrentPerform(iterations: Self.workers) { _ in self.work() }
      if let alone, failed == nil { copyAlone(alone.name, alone.range) }
    } while failed == nil && alone.take() != nil
    guard let failed else { return }
    for (index, output) in made where index > failed.index && output.isNew {
      try? FileSystem.unlink(output.name)
    }
    throw failed.failure
  }

  private func work() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block, alignment: 4096)
    defer { buffer.deallocate() }
    while let part = lock.withLock({ _ in self.take() }) {
      guard case .failure(let failure) = copy(part, buffer) else { continue }
      lock.withLock { _ in self.fail(part.index, failure) }
    }
  }

  // MARK: - With the lock

  /// The next part, whose output is made.
  private func take() -> Part? {
    while failed == nil, alone == nil {
      do throws(SplitFailure) {
        guard let range = try nextRange() else { return nil }
        if range.isEmpty, elides { continue }
        let name = try outputs.name()
        if outputs.isShared(name) {
          alone = (name, range)
          return nil
        }
        return try part(name, range)
      } catch {
        fail(count, error)
      }
    }
    return nil
  }

  private func part(_ name: FilePath, _ range: Range<Int64>) throws(SplitFailure) -> Part {
    let output = try outputs.next(name)
    defer { count = count &+ 1 }
    made.removeAll { $0.index < count &- 2 * Self.workers }
    made.append((count, output))
    return Part(index: count, output: output, range: range)
  }

  private func copyAlone(_ name: FilePath, _ range: Range<Int64>) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block, alignment: 4096)
    defer { buffer.deallocate() }
    do throws(SplitFailure) {
      try copy(part(name, range), buffer).get()
    } catch {
      fail(count, error)
    }
  }

  private func nextRange() throws(SplitFailure) -> Range<Int64>? {
    let start = position
    do throws(SystemError) {
      guard let end = try cuts.next() else { return nil }
      position = end
      return start..<end
    } catch {
      throw .init(input.name, error.errno)
    }
  }

  private func fail(_ index: Int, _ failure: SplitFailure) {
    if failed.map({ index < $0.index }) ?? true {
      failed = (index, failure)
      firstFailed.store(index, ordering: .relaxed)
    }
  }

  // MARK: - Without it

  private func copy(
    _ part: Part,
    _ buffer: UnsafeMutableRawBufferPointer
  ) -> Result<Void, SplitFailure> {
    let size = part.range.count64
    if size >= Int64(Self.block) { part.output.reserve(size) }
    defer { part.output.trim() }
    do throws(SplitFailure) {
      var offset = part.range.lowerBound
      while offset < part.range.upperBound {
        // What comes later is not wanted any more where a part before has failed.
        if firstFailed.load(ordering: .relaxed) < part.index { break }
        let wanted = Int(min(Int64(buffer.count), part.range.upperBound - offset))
        let bytes = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), offset)
        if bytes.isEmpty { break }
        try part.output.write(bytes)
        offset += Int64(bytes.count)
      }
      try part.output.close()
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    _ offset: Int64
  ) throws(SplitFailure) -> UnsafeRawBufferPointer {
    do throws(SystemError) {
      let count = try FileDescriptor.lending(input.file.rawValue, path: input.name) {
        file throws(SystemError) in
        try file.read(into: buffer, at: offset)
      }
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    } catch {
      throw .init(input.name, error.errno)
    }
  }
}
