package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file system of its own, in a file, mounted until the last reference to it goes.
///
/// Needs root, `mkfs` and loop devices, which many containers do not have.
package final class LoopFileSystem: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case xfs, btrfs, ext4

    /// For a file system as small as is asked for.
    fileprivate var options: [String] {
      // No journal, few inodes: the device is written by little else than the test.
      self == .ext4 ? ["-q", "-O", "^has_journal", "-N", "64"] : ["-q"]
    }
  }

  /// Its root directory.
  package let path: FilePath
  private let directory: TemporaryDirectory
  /// What the device reads and writes.
  private let image: FilePath

  /// Makes and mounts one.
  ///
  /// - Parameters:
  ///   - size: in bytes. XFS and Btrfs refuse to be much smaller than what is the default. The file
  ///     is a hole at first.
  ///   - parent: where the file is made, instead of in `$TMPDIR`.
  package init(_ kind: Kind, size: Int64 = 512 << 20, in parent: FilePath? = nil) throws {
    directory = try TemporaryDirectory(in: parent)
    path = directory.file("root")
    image = directory.file("image")
    try Files.makeDirectory(path)
    try Files.makeSparse(image, size: size)
    try Mounting.run(FilePath("mkfs.\(kind.rawValue)"), kind.options + [image])
    try mount()
  }

  deinit { Mounting.unmount(path) }

  private func mount() throws { try Mounting.run("mount", ["-o", "loop", image, path]) }

  /// Bytes that are taken, by data or otherwise, once everything is on the device.
  package func usedBytes() throws -> Int64 {
    try Mounting.run("sync", ["-f", path])
    let info = try information()
    return Int64(info.f_blocks - info.f_bfree) * Int64(info.f_frsize)
  }

  private func information() throws -> statvfs {
    var info = statvfs()
    guard path.withCString({ statvfs($0, &info) }) == 0 else {
      throw SystemError("statvfs", path, Errno(rawValue: errno))
    }
    return info
  }
}

// MARK: - Faults

extension LoopFileSystem {
  /// Takes all room but so many bytes, give or take the file system's own records.
  package func fill(leaving bytes: Int64) throws {
    // Btrfs learns only by and by how much there is.
    for number in 1...10 {
      try Mounting.run("sync", ["-f", path])
      let free = try FileSystem.available(at: path) ?? 0
      if free <= bytes { return }
      let name = path.appending(FilePath("filler-\(number)"))
      let file = try FileDescriptor.open(name, [.writeOnly, .create], permissions: 0o600)
      try file.preallocate(free - bytes)
      try file.close()
    }
  }

  /// Lets go of everything that is in memory, and mounts it again.
  package func remount() throws {
    try Mounting.unmountOnceLeft(path)
    try mount()
  }

  /// Makes the device end early: what lies behind cannot be read any more.
  package func cutDevice(to size: Int64) throws { try Files.setSize(size, of: image) }

  /// Stops an XFS from writing anything more, log or data, as a power loss does; see `xfs_io(8)`,
  /// `shutdown`. Every call on it fails from now on, until ``remount()``.
  package func losePower() throws { try Mounting.run("xfs_io", ["-x", "-c", "shutdown", path]) }
}

// MARK: - Whether there is any

extension LoopFileSystem {
  /// The kinds that can be made here. What cannot be is told on standard output, once.
  package static let available = Kind.allCases.filter { kind in
    Mounting.isPossible(kind.rawValue) { _ = try LoopFileSystem(kind) }
  }

  /// Those of them whose files can share blocks.
  package static let kinds = available.filter { $0 != .ext4 }

  package static var isAvailable: Bool { !kinds.isEmpty }
}
