import Posix

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A directory for one test, removed with what was made in it.
final class SeriesTestDirectory {
  let path: FilePath
  private var made: [(path: FilePath, isDirectory: Bool)] = []

  init() throws {
    var template = Array("/tmp/cleave-series-XXXXXX".utf8CString)
    guard let name = mkdtemp(&template) else { throw Failure(call: "mkdtemp", number: errno) }
    path = FilePath(cString: name)
  }

  deinit {
    for (path, isDirectory) in made.reversed() {
      _ = path.withCString { isDirectory ? rmdir($0) : unlink($0) }
    }
    _ = path.withCString { rmdir($0) }
  }

  func callAsFunction(_ name: FilePath) -> FilePath { path.appending(name) }

  @discardableResult
  func file(_ name: FilePath, _ bytes: [UInt8] = []) throws -> FilePath {
    try make(name, "open") { path in
      let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      return write(descriptor, bytes, bytes.count) == bytes.count ? 0 : -1
    }
  }

  /// A file that has a size but takes no room.
  func sparse(_ name: FilePath, size: Int) throws -> FilePath {
    let path = try file(name)
    try check("truncate", path.withCString { truncate($0, off_t(size)) })
    return path
  }

  @discardableResult
  func directory(_ name: FilePath) throws -> FilePath {
    try make(name, "mkdir", isDirectory: true) { mkdir($0, 0o700) }
  }

  @discardableResult
  func fifo(_ name: FilePath) throws -> FilePath {
    try make(name, "mkfifo") { mkfifo($0, 0o600) }
  }

  @discardableResult
  func link(_ name: FilePath, to target: FilePath) throws -> FilePath {
    try make(name, "symlink") { path in target.withCString { symlink($0, path) } }
  }

  struct Failure: Error {
    let call: String
    let number: CInt
  }

  private func make(
    _ name: FilePath,
    _ call: String,
    isDirectory: Bool = false,
    _ body: (UnsafePointer<CChar>) -> CInt
  ) throws -> FilePath {
    let path = self(name)
    try check(call, path.withCString(body))
    made.append((path, isDirectory))
    return path
  }

  private func check(_ call: String, _ result: CInt) throws {
    if result != 0 { throw Failure(call: call, number: errno) }
  }
}
