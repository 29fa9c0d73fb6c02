internal import Posix

/// One output: a file, or a filter that reads it.
final class SplitOutput {
  let name: FilePath
  /// Whether it is a file that was not there before.
  let isNew: Bool
  /// Whether somebody takes what is written; a filter need not read to its end.
  private(set) var accepts = true
  private var file: FileDescriptor?
  private let filter: PipedProcess?
  private let command: FilePath
  private var written: Int64 = 0
  private var reserved: Int64 = 0

  /// Takes over a file.
  init(_ name: FilePath, file: consuming FileDescriptor, isNew: Bool = false) {
    (self.name, self.isNew, filter, command) = (name, isNew, nil, "")
    self.file = consume file
  }

  init(_ name: FilePath, filter: PipedProcess, command: FilePath) {
    (self.name, self.filter, self.command) = (name, filter, command)
    isNew = false
    file = nil
  }

  /// Reserves space for so many bytes, of which too many are given back in the end.
  func reserve(_ size: Int64) {
    guard let status = try? file?.status(), status.kind == .regular else { return }
    reserved = size
    try? file?.preallocate(size)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SplitFailure) {
    guard accepts, !bytes.isEmpty else { return }
    do throws(SystemError) {
      if let filter { try filter.write(bytes) } else { try file?.write(all: bytes) }
      written = written.addingReportingOverflow(Int64(bytes.count)).partialValue
    } catch {
      try forgive(error)
    }
  }

  /// Moves bytes from the position of a file to the filter.
  ///
  /// - Returns: how many; 0 at the end of the file, and where the filter has stopped reading; nil where
  ///   bytes cannot be moved like this.
  func splice(from source: CInt, _ count: Int) throws(SplitFailure) -> Int? {
    do throws(SystemError) {
      return try filter?.splice(from: source, count)
    } catch {
      if error.errno.meansUnsupported { return nil }
      try forgive(error)
      return 0
    }
  }

  private func forgive(_ error: SystemError) throws(SplitFailure) {
    guard filter != nil, error.errno == .pipe else { throw .init(name, error.errno) }
    accepts = false
  }

  /// Gives back what was reserved and not needed.
  func trim() {
    if reserved > written { try? file?.truncate(to: written) }
    reserved = 0
  }

  /// Closes the file, or waits for the filter to end.
  func close() throws(SplitFailure) {
    trim()
    do throws(SystemError) {
      if let open = file.take() { try open.close() }
      try filter?.closePipe()
    } catch {
      throw .init(name, error.errno)
    }
    guard let filter else { return }
    let end: ChildProcess.Ending.End
    do throws(SystemError) {
      end = try filter.wait()
    } catch {
      throw .init("waiting for child process: \(error.errno)")
    }
    switch end {
    case .exited(0), .killed(.pipe): return
    case .exited(let code): throw failed("exit \(code)", code: code)
    case .killed(let signal):
      throw failed("signal \(signal.name)", code: signal.rawValue &+ 128)
    }
  }

  private func failed(_ how: String, code: CInt) -> SplitFailure {
    let start = Array("with FILE=".utf8) + Quoting.name(name)
    return SplitFailure(start + Array(", \(how) from command: ".utf8) + command.bytes, code: code)
  }
}
