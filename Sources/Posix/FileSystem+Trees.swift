#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Directories to work in, which come and go as a whole.
extension FileSystem {
  /// Makes a directory for its owner only, whose name is `prefix` and six characters that make it a
  /// new one; see `mkdtemp(3)`.
  package static func makeDirectory(unique prefix: FilePath) throws(SystemError) -> FilePath {
    var name = prefix.adding("XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else { throw SystemError("mkdtemp", prefix, .current) }
    return FilePath(bytes: name.map { UInt8(bitPattern: $0) })
  }

  /// Makes a directory; see `mkdir(2)`.
  package static func makeDirectory(_ path: FilePath) throws(SystemError) {
    do {
      _ = try retrying { path.withCString { mkdir($0, 0o777) } }
    } catch {
      throw SystemError("mkdir", path, error)
    }
  }

  /// Removes a name, and first everything in it if it is a directory. Links are not followed, and a
  /// name that is gone by then is as good as removed.
  package static func removeTree(_ path: FilePath) throws(SystemError) {
    do throws(SystemError) {
      guard let status = try FileStatus.ifPresent(path, followingLinks: false) else { return }
      guard status.kind == .directory else { return try unlink(path) }
      for name in try names(in: path) { try removeTree(path.appending(name)) }
      do {
        _ = try retrying { path.withCString { rmdir($0) } }
      } catch {
        throw SystemError("rmdir", path, error)
      }
    } catch  where error.errno == .notFound {}
  }
}
