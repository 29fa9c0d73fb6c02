package import Posix
import Synchronization

/// A file that is being made under a temporary name beside its final one.
package final class OutputFile: Sendable {
  /// The name that it is to get.
  package let path: FilePath
  package let temporary: FilePath
  private let descriptor: Locked<FileDescriptor?>
  /// The number of the descriptor, while it is open.
  private let rawValue: CInt
  private let written = Atomic<Int64>(0)

  /// Makes the temporary: new, not through a link, readable by its owner only.
  package init(beside path: FilePath) throws(SystemError) {
    self.path = path
    var attempts = 0
    while true {
      let name = Self.temporaryName(for: path)
      do {
        let opened = try FileDescriptor.open(
          name,
          [.readWrite, .create, .exclusive, .noFollow],
          permissions: 0o600
        )
        temporary = name
        rawValue = opened.rawValue
        descriptor = Locked(consume opened)
        return
      } catch  where error.errno == .exists && attempts < 16 {
        attempts += 1
      }
    }
  }

  /// Lends the descriptor; nil once the file has been closed.
  package func withDescriptor<R: Sendable>(
    _ body: (borrowing FileDescriptor) throws(SystemError) -> R
  ) throws(SystemError) -> R? {
    try descriptor.withLock { slot throws(SystemError) -> R? in
      guard let lent = slot.take() else { return nil }
      do throws(SystemError) {
        let result = try body(lent)
        slot = consume lent
        return result
      } catch {
        slot = consume lent
        throw error
      }
    }
  }

  /// Writes every byte at an offset; see `pwrite(2)`. Several threads may at a time, as long as
  /// nobody closes the file.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    try FileDescriptor.write(all: bytes, to: rawValue, at: offset, path: path)
  }

  /// Makes a range share the blocks of a source; see ``FileDescriptor/share(_:of:at:)``.
  package func share(
    _ range: Range<Int64>,
    of source: borrowing FileDescriptor,
    at offset: Int64
  ) -> Bool {
    FileDescriptor.share(range, of: source, with: rawValue, at: offset)
  }

  /// Counts bytes that have been written, and has the device start on them every few MiB, so that
  /// little is left for fsync to wait for. Takes a fifth to a half off a merge that is flushed.
  ///
  /// - Parameter dropsCache: also lets go of what the device has, which means waiting for it.
  package func didWrite(_ count: Int, dropsCache: Bool) {
    let now = written.add(Int64(count), ordering: .relaxed)
    func hasPassed(_ step: Int64) -> Bool { now.oldValue / step != now.newValue / step }
    guard hasPassed(Self.writebackStep) else { return }
    _ = try? withDescriptor { file in
      if dropsCache, hasPassed(Self.dropStep) {
        file.waitForWriteback()
        file.dropCache()
      }
      file.startWriteback()
    }
  }

  private static let writebackStep: Int64 = 8 << 20
  /// Bytes that may be dirty at a time; enough for the device to have work while somebody waits.
  private static let dropStep: Int64 = 64 << 20

  /// Closes the file, and reports what `close(2)` says; does nothing the second time.
  package func close() throws(SystemError) {
    let taken = descriptor.withLock { $0.take() }
    try taken?.close()
  }

  /// `.NAME.cleave-tmp-` and eight random hexadecimal digits, in the directory of `path`.
  private static func temporaryName(for path: FilePath) -> FilePath {
    // File systems allow 255 bytes for a name, encrypting ones as few as 143.
    var head = path.lastComponent.bytes.prefix(100)
    if head.count == 100 {
      // Some file systems take only UTF-8: do not leave a character cut in two.
      while let last = head.last, last & 0xC0 == 0x80 { head.removeLast() }
      if let last = head.last, last & 0x80 != 0 { head.removeLast() }
    }
    let name = FilePath(bytes: [UInt8(ascii: ".")] + head)
    let suffix = marker + Checksum.hexadecimal(UInt32.random(in: 0 ... .max))
    return path.sibling(name.adding(suffix))
  }

  /// What every temporary of this library has in its name.
  package static let marker = ".cleave-tmp-"
}
