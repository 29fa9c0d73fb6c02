internal import Posix

/// Standard input as a file that can be read anywhere, for what has to know its size before it cuts: the file
/// that it is, or else a copy in `$TMPDIR` that has no name, and goes with this.
package final class StandardInputFile: Sendable {
  package let source: SourceFile
  private let file: FileDescriptor

  private init(_ source: SourceFile, _ file: consuming FileDescriptor) {
    self.source = source
    self.file = file
  }

  /// Reads standard input to its end, unless it is a file.
  ///
  /// - Throws: where it cannot be read, or the copy not be written.
  package static func read(
    _ cancellation: Cancellation
  ) throws(CleaveError) -> StandardInputFile {
    let input = try duplicate()
    let status = try status(of: input)
    if [.regular, .blockDevice].contains(status.kind), status.size > 0,
      (try? input.move(by: 0)) == 0, let source = reopened(input, status)
    {
      return StandardInputFile(source, input)
    }
    let copy = try copy(StreamInput(input), cancellation)
    var copied = try self.status(of: copy)
    // Those of a pipe mean nothing.
    copied.permissions = status.kind == .regular ? status.permissions : 0o666
    return StandardInputFile(SourceFile(path: path(copy), status: copied), copy)
  }

  private static func duplicate() throws(CleaveError) -> FileDescriptor {
    do { return try .duplicate(of: 0, path: "standard input") } catch { throw .reading(error) }
  }

  private static func status(
    of file: borrowing FileDescriptor
  ) throws(CleaveError) -> FileStatus {
    do { return try file.status() } catch { throw .reading(error) }
  }

  /// What is open can be opened once more by this.
  private static func path(_ file: borrowing FileDescriptor) -> FilePath {
    FilePath("/dev/fd/\(file.rawValue)")
  }

  /// Nil where it is open, and may not be opened by this user.
  private static func reopened(
    _ input: borrowing FileDescriptor,
    _ status: FileStatus
  ) -> SourceFile? {
    let path = path(input)
    guard let again = try? FileDescriptor.open(path, [.readOnly, .nonBlocking]),
      (try? again.status().identity) == status.identity
    else { return nil }
    return SourceFile(path: path, status: status)
  }

  private static func copy(
    _ input: StreamInput,
    _ cancellation: Cancellation
  ) throws(CleaveError) -> FileDescriptor {
    let stops = StreamInput.Stops(isCancelled: { cancellation.isCancelled })
    let copy = try temporary()
    while true {
      let bytes = try input.nextBytes(256 << 10, stops)
      if bytes.isEmpty { return copy }
      do { try copy.write(all: bytes) } catch {
        throw .writing(error.about(directory)).adding(remedy)
      }
    }
  }

  private static var directory: FilePath { ProcessState.variable("TMPDIR") ?? "/tmp" }

  private static let remedy: Sentence =
    "; TMPDIR names the directory for a copy of standard input"

  private static func temporary() throws(CleaveError) -> FileDescriptor {
    do {
      return try .temporary(directory.appending("cleave-input-"))
    } catch {
      throw CleaveError.creating(error).adding(remedy)
    }
  }
}
