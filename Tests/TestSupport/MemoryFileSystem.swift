package import Posix

/// A file system in memory that is full after some bytes, mounted until the last reference to it
/// goes; see `tmpfs(5)`. Needs root.
package final class MemoryFileSystem: Sendable {
  /// Its root directory.
  package let path: FilePath
  private let directory: TemporaryDirectory

  /// - Parameter size: in bytes; whole pages are taken.
  package init(size: Int) throws {
    directory = try TemporaryDirectory()
    path = directory.file("root")
    try Files.makeDirectory(path)
    try Mounting.run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  /// Lets nobody write in it any more.
  package func makeReadOnly() throws {
    try Mounting.run("mount", ["-o", "remount,ro", path])
  }

  deinit { Mounting.unmount(path) }

  package static let isAvailable = Mounting.isPossible("tmpfs") {
    _ = try MemoryFileSystem(size: 1 << 20)
  }
}
