package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A new directory that goes, with everything in it, when the last reference to it does.
package final class TemporaryDirectory: Sendable {
  /// Absolute, and free of symbolic links.
  package let path: FilePath
  private let made: FilePath

  /// Makes a directory in `parent`, or in one of its own in `$TMPDIR` where none is given; see `mkdtemp(3)`.
  ///
  /// The directory above is looked into for lists: one of all tests would have many names.
  package init(in parent: FilePath? = nil) throws {
    let above = parent ?? FilePath(ProcessState.environment("TMPDIR") ?? "/tmp")
    let template = above.appending("cleave-test-XXXXXX")
    var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else {
      throw SystemError("mkdtemp", template, Errno(rawValue: errno))
    }
    made = Files.resolved(FilePath(bytes: name.map { UInt8(bitPattern: $0) }))
    path = parent == nil ? made.appending("test") : made
    guard parent == nil else { return }
    try Files.makeDirectory(path)
    try Files.setPermissions(0o700, of: path)
    // Tests that give `path` to another user let it be found.
    try Files.setPermissions(0o711, of: made)
  }

  deinit { Self.remove(made) }

  /// The path of a name in the directory.
  package func file(_ name: FilePath) -> FilePath { path.appending(name) }

  /// Every name in the directory, hidden ones too, in the order of their bytes.
  package func names() throws -> [FilePath] {
    try FileSystem.names(in: path).sorted()
  }

  /// Removes a file or a directory with everything in it, as far as that is possible.
  package static func remove(_ path: FilePath) {
    let status = try? FileStatus.of(path, followingLinks: false)
    if status?.kind == .directory {
      // A test may have taken the permission away.
      _ = path.withCString { chmod($0, 0o700) }
      for name in (try? FileSystem.names(in: path)) ?? [] { remove(path.appending(name)) }
      _ = path.withCString { rmdir($0) }
    } else {
      try? FileSystem.unlink(path)
    }
  }
}
