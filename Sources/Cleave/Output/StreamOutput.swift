package import Posix

/// Standard output, a FIFO or a device: written in place, without temporary or size. Only a block device
/// is flushed.
///
/// Not through DispatchIO, which on Linux spins for ever when a pipe's reader leaves.
public final class StreamOutput: Sendable {
  private let descriptor: FileDescriptor

  /// Whether it keeps what is written, so that it can be flushed and read again.
  let isBlockDevice: Bool

  package init(_ descriptor: consuming FileDescriptor) {
    descriptor.widenPipe()
    isBlockDevice = (try? descriptor.status())?.kind == .blockDevice
    self.descriptor = descriptor
  }

  /// Writes to what a descriptor of this process leads to, by a descriptor of its own.
  ///
  /// - Throws: where there is none.
  public convenience init(duplicating descriptor: CInt) throws(CleaveError) {
    do {
      let name = descriptor == 1 ? "standard output" : "descriptor \(descriptor)"
      self.init(try FileDescriptor.duplicate(of: descriptor, path: FilePath(name)))
    } catch {
      throw .creating(error)
    }
  }

  /// Flushes what has been written to the device; see `fsync(2)`.
  func synchronize() throws(SystemError) { try descriptor.synchronize() }

  /// Opens a FIFO or device. A FIFO without a reader is waited for until `isCancelled` says no.
  package convenience init(
    opening path: FilePath,
    isCancelled: () -> Bool
  ) throws(SystemError) {
    while true {
      do {
        let opened = try FileDescriptor.open(path, [.writeOnly, .nonBlocking])
        // This open file description is our own, so its flags are too.
        try opened.clearNonBlocking()
        self.init(opened)
        return
      } catch  where error.errno == .noDeviceOrReader {
        if isCancelled() { throw SystemError("open", path, .canceled) }
        try Readiness.pause(milliseconds: 20)
      }
    }
  }

  /// Standard output for `-`, or a FIFO or device.
  package convenience init(
    to path: FilePath,
    _ cancellation: Cancellation
  ) throws(CleaveError) {
    if path == "-" {
      try self.init(duplicating: 1)
      return
    }
    do {
      try self.init(opening: path) { cancellation.isCancelled }
    } catch {
      throw .creating(error)
    }
  }

  package var path: FilePath { descriptor.path }
  /// Device and inode, where they can be had.
  var identity: FileStatus.Identity? { (try? descriptor.status())?.identity }
  /// The number, to watch for the reader's leaving.
  package var rawValue: CInt { descriptor.rawValue }

  /// Writes everything, as slowly as the reader reads.
  ///
  /// - Parameter position: where in the stream this is, for the error message.
  /// - Throws: `ECANCELED` where `isCancelled` says so before a piece is written. A piece that the
  ///   reader does not take holds the call up until it does, or goes away.
  package func write(
    _ bytes: UnsafeRawBufferPointer,
    at position: Int64,
    isCancelled: () -> Bool
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let place = position + Int64(written)
      if isCancelled() { throw SystemError("write", path, at: place, .canceled) }
      let outcome = try Readiness.wait(for: .writing, rawValue, path: path, milliseconds: 100)
      guard outcome == .ready else { continue }
      do {
        written += try descriptor.write(some: UnsafeRawBufferPointer(rebasing: bytes[written...]))
      } catch  where error.errno == .again {
        continue
      } catch {
        throw SystemError("write", path, at: place, error.errno)
      }
    }
  }
}
