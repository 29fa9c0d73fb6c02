import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A new pipe's descriptors; see `pipe(2)`. Call it with ``Spawning/lock`` held.
func makePipe() throws -> (readEnd: CInt, writeEnd: CInt) {
  // A reader that has gone shall be an error of the write, and not the end of the tests.
  Signal.pipe.ignore()
  var ends: [CInt] = [-1, -1]
  guard pipe(&ends) == 0 else { throw SystemError("pipe", "pipe", Errno(rawValue: errno)) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Writes bytes into a child's standard input, as much as fits at each call.
final class PipeFeeder {
  private var end: FileDescriptor?
  private var rest: ArraySlice<UInt8>
  private let staysOpen: Bool

  init(owning descriptor: CInt, bytes: [UInt8], staysOpen: Bool) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    end = FileDescriptor(owning: descriptor, path: "pipe")
    rest = bytes[...]
    self.staysOpen = staysOpen
  }

  /// Returns whether anything was written.
  func advance() throws -> Bool {
    let before = rest.count
    while !rest.isEmpty, let written = try writeSome() { rest = rest.dropFirst(written) }
    if rest.isEmpty && !staysOpen { end = nil }
    return rest.count < before
  }

  /// Nil where there is no room at the moment.
  private func writeSome() throws -> Int? {
    do {
      return try rest.withUnsafeBytes { try end?.write(some: $0) }
    } catch let error as SystemError where error.errno == .again {
      return nil
    } catch let error as SystemError where error.errno == .pipe {
      return rest.count  // The child does not want the rest.
    }
  }
}

/// Reads a child's standard output, as much as there is at each call.
final class PipeDrain {
  private var end: FileDescriptor?
  private let limit: Int
  private(set) var bytes: [UInt8] = []

  /// A drain that closes its end after `limit` bytes.
  init(owning descriptor: CInt, limit: Int) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    end = FileDescriptor(owning: descriptor, path: "pipe")
    self.limit = limit
  }

  /// Returns whether anything was read.
  func advance() throws -> Bool {
    let before = bytes.count
    while end != nil, let piece = try readSome() {
      bytes += piece
      if piece.isEmpty || bytes.count >= limit { end = nil }
    }
    if limit == 0 { end = nil }
    return bytes.count > before
  }

  /// Nil where there is nothing at the moment, empty at the end.
  private func readSome() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: min(1 << 16, limit - bytes.count))
    do {
      let count = try buffer.withUnsafeMutableBytes { try end?.read(into: $0) ?? 0 }
      return Array(buffer.prefix(count))
    } catch let error as SystemError where error.errno == .again {
      return nil
    }
  }
}
