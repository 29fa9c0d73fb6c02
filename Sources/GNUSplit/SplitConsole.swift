internal import Posix

/// What the run says: on standard output by and by, and on standard error at once.
final class SplitConsole {
  /// What the program was called by, which begins every message.
  let program: FilePath
  private let isClosed: Bool
  private let isTerminal = ProcessState.isTerminal(1)
  private var pending: [UInt8] = []
  private(set) var failure: Errno?

  init(program: FilePath, isClosed: Bool) { (self.program, self.isClosed) = (program, isClosed) }

  /// As many bytes as C's streams hold back: what filters say between two lines stands where it does with
  /// GNU's program.
  private static let page = 4096

  /// Writes to standard output: whole pages as soon as there is more, and the rest later, unless that is a
  /// terminal.
  func say(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    let pages = (pending.count - 1) / Self.page * Self.page
    if isTerminal { flush() } else if pages > 0 { flush(pages) }
  }

  /// Writes what waits, which fails silently until the end.
  func flush() { flush(pending.count) }

  private func flush(_ count: Int) {
    guard count > 0 else { return }
    let result = pending.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    pending.removeFirst(count)
    if case .failure(let errno) = result, failure == nil { failure = errno }
  }

  /// Writes to standard output at once.
  func write(_ bytes: UnsafeRawBufferPointer) -> Result<Void, Errno> {
    if isClosed { return .failure(.badDescriptor) }
    do throws(SystemError) {
      try FileDescriptor.lending(1, path: "-") { file throws(SystemError) in
        try file.write(all: bytes)
      }
      return .success(())
    } catch {
      return .failure(error.errno)
    }
  }

  /// What an exec that fails has been seen to write: the child has a copy of what waits.
  func repeatPending() {
    let copy = pending
    flush()
    pending = copy
  }

  /// Writes a message to standard error, behind all that was said before.
  func complain(_ message: [UInt8]) {
    flush()
    writeError(program.bytes + Array(": ".utf8) + message + [UInt8(ascii: "\n")])
  }

  func adviseHelp() {
    let line = Array("Try '".utf8) + program.bytes
    let rest = Array(" --help' for more information.\n".utf8)
    writeError(line + rest)
  }

  private func writeError(_ bytes: [UInt8]) {
    try? FileDescriptor.lending(2, path: "stderr") { file throws(SystemError) in
      try file.write(all: bytes)
    }
  }

  /// What went wrong with standard output, after all has been written to it.
  func finish() -> SplitFailure? {
    flush()
    return failure.map { SplitFailure("write error: \($0)") }
  }
}
