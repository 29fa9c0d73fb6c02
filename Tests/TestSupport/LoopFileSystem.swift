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
    case xfs, btrfs
  }

  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Its root directory.
  package let path: FilePath
  private let directory: TemporaryDirectory

  /// Both kinds refuse to be much smaller. The file is a hole at first.
  private static let size: Int64 = 512 << 20

  package init(_ kind: Kind) throws {
    directory = try TemporaryDirectory()
    path = directory.file("root")
    let image = directory.file("image")
    try Files.makeDirectory(path)
    try Files.makeSparse(image, size: Self.size)
    try Self.run(FilePath("mkfs.\(kind.rawValue)"), ["-q", image])
    try Self.run("mount", ["-o", "loop", image, path])
    // The device keeps it, and lets it go when it is unmounted, whoever does that.
    try FileSystem.unlink(image)
  }

  deinit {
    // Lazily where somebody is still in there.
    guard (try? Self.run("umount", [path])) == nil else { return }
    try? Self.run("umount", ["-l", path])
  }

  /// Bytes that are taken, by data or otherwise, once everything is on the device.
  package func usedBytes() throws -> Int64 {
    try Self.run("sync", ["-f", path])
    var info = statvfs()
    guard path.withCString({ statvfs($0, &info) }) == 0 else {
      throw SystemError("statvfs", path, Errno(rawValue: errno))
    }
    return Int64(info.f_blocks - info.f_bfree) * Int64(info.f_frsize)
  }

  /// Takes all room but so many bytes, give or take the file system's own records.
  package func fill(leaving bytes: Int64) throws {
    // Btrfs learns only by and by how much there is.
    for number in 1...10 {
      try Self.run("sync", ["-f", path])
      let free = try FileSystem.available(at: path) ?? 0
      if free <= bytes { return }
      let name = path.appending(FilePath("filler-\(number)"))
      let file = try FileDescriptor.open(name, [.writeOnly, .create], permissions: 0o600)
      try file.preallocate(free - bytes)
      try file.close()
    }
  }

  private static func run(_ name: FilePath, _ arguments: [any ToolArgument]) throws {
    guard let tool = Tool.find(name) else {
      throw Unavailable(description: "\(name) is not installed")
    }
    let outcome = try tool.run(arguments)
    guard outcome.exitCode == 0 else { throw Unavailable(description: "\(name): \(outcome)") }
  }
}

// MARK: - Whether there is any

extension LoopFileSystem {
  /// The kinds that can be made here. What cannot be is told on standard output, once.
  package static let kinds = Kind.allCases.filter { kind in
    do {
      #if os(Linux)
        _ = try LoopFileSystem(kind)
        return true
      #else
        throw Unavailable(description: "needs Linux")
      #endif
    } catch {
      print("tests on \(kind.rawValue) are skipped: \(error)")
      return false
    }
  }

  package static var isAvailable: Bool { !kinds.isEmpty }
}
