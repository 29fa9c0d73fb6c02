package import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Making, reading and changing the files of a test. Names may be any bytes.
package enum Files {
  /// Makes the file, or replaces what was in it.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(path, [.writeOnly, .create], permissions: 0o666)
    try setSize(0, of: path)
    try writeAll(bytes, to: file)
    try file.close()
  }

  /// Adds to the end of a file that is there.
  package static func append(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(path, .writeOnly)
    try file.seek(to: file.status().size)
    try writeAll(bytes, to: file)
    try file.close()
  }

  /// Everything in a file of any kind, up to its end.
  package static func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    var bytes: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try file.read(into: buffer)
      if count == 0 { return bytes }
      bytes += UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }

  /// The file as text; bytes that are not UTF-8 are replaced.
  package static func text(_ path: FilePath) throws -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  package static func copy(_ from: FilePath, to: FilePath) throws {
    try write(try read(from), to: to)
  }

  /// Whether the name is taken, if only by a dangling link.
  package static func exists(_ path: FilePath) throws -> Bool {
    try FileStatus.ifPresent(path, followingLinks: false) != nil
  }

  private static func writeAll(_ bytes: [UInt8], to file: borrowing FileDescriptor) throws {
    try bytes.withUnsafeBytes { try file.write(all: $0) }
  }
}

// MARK: - Sizes and permissions

extension Files {
  /// Cuts the file, or extends it with a hole; see `truncate(2)`.
  package static func setSize(_ size: Int64, of path: FilePath) throws {
    try call("truncate", path) { path.withCString { truncate($0, off_t(size)) } }
  }

  /// Makes a file that is one hole: zeros that take no space.
  package static func makeSparse(_ path: FilePath, size: Int64) throws {
    try write([], to: path)
    try setSize(size, of: path)
  }

  /// Changes one byte to another, as a failing disk might.
  package static func flipByte(at offset: Int, of path: FilePath) throws {
    var bytes = try read(path)
    bytes[offset] ^= 0xFF
    try write(bytes, to: path)
  }

  /// Sets the time of the last change of the bytes, in nanoseconds since 1970; see `utimensat(2)`.
  package static func setModified(_ time: Int64, of path: FilePath) throws {
    let stamp = timespec(
      tv_sec: .init(time / 1_000_000_000),
      tv_nsec: .init(time % 1_000_000_000)
    )
    try call("utimensat", path) { path.withCString { utimensat(AT_FDCWD, $0, [stamp, stamp], 0) } }
  }

  package static func setPermissions(_ mode: UInt32, of path: FilePath) throws {
    let mode = mode_t(truncatingIfNeeded: mode)
    try call("chmod", path) { path.withCString { chmod($0, mode) } }
  }
}

// MARK: - Other kinds of names

extension Files {
  package static func makeDirectory(_ path: FilePath) throws {
    try call("mkdir", path) { path.withCString { mkdir($0, 0o777) } }
  }

  package static func makeFIFO(_ path: FilePath) throws {
    try call("mkfifo", path) { path.withCString { mkfifo($0, 0o666) } }
  }

  /// Makes `path` a symbolic link that contains `target`, which need not exist.
  package static func symlink(_ path: FilePath, to target: FilePath) throws {
    try call("symlink", path) {
      target.withCString { target in path.withCString { makeLink(target, $0) } }
    }
  }

  /// Makes `path` another name of the file `existing`.
  package static func hardLink(_ path: FilePath, to existing: FilePath) throws {
    try call("link", path) { existing.withCString { old in path.withCString { link(old, $0) } } }
  }

  /// Where a path leads, free of symbolic links; the path itself where it leads nowhere.
  package static func resolved(_ path: FilePath) -> FilePath {
    guard let found = path.withCString({ realpath($0, nil) }) else { return path }
    defer { free(found) }
    return FilePath(cString: found)
  }

  private static func call(_ name: String, _ path: FilePath, _ body: () -> CInt) throws {
    if body() == -1 { throw SystemError(name, path, Errno(rawValue: errno)) }
  }
}

/// `symlink(2)`, which the method of that name hides.
private func makeLink(_ target: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>) -> CInt {
  symlink(target, path)
}
