import CPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Names in directories: listing, renaming, removing, and the space behind them.
package enum FileSystem {
  /// Removes a name; see `unlink(2)`.
  package static func unlink(_ path: FilePath) throws(SystemError) {
    try call("unlink", path) { path.withCString { systemUnlink($0) } }
  }

  /// Makes a symbolic link; see `symlink(2)`.
  package static func makeLink(at path: FilePath, to target: FilePath) throws(SystemError) {
    try call("symlink", path) {
      target.withCString { target in path.withCString { symlink(target, $0) } }
    }
  }

  /// Where a symbolic link leads, as it was made; see `readlink(2)`.
  package static func target(ofLink path: FilePath) throws(SystemError) -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    try call("readlink", path) {
      // bounded: at most as many as were asked for
      CInt(path.withCString { readlink($0, &buffer, buffer.count - 1) })
    }
    return FilePath(bytes: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  /// What is relative means something in another directory from now on; see `chdir(2)`.
  package static func changeDirectory(to path: FilePath) throws(SystemError) {
    try call("chdir", path) { path.withCString { chdir($0) } }
  }

  /// Sets the permission bits; see `chmod(2)`, which follows links.
  package static func setPermissions(_ mode: UInt32, of path: FilePath) throws(SystemError) {
    try call("chmod", path) {
      path.withCString { chmod($0, mode_t(truncatingIfNeeded: mode)) }
    }
  }

  /// Renames, replacing what `to` named before; see `rename(2)`.
  package static func rename(_ from: FilePath, replacing to: FilePath) throws(SystemError) {
    try call("rename", to) {
      from.withCString { from in to.withCString { systemRename(from, $0) } }
    }
  }

  /// Renames, or fails with `EEXIST` where `to` names something already.
  ///
  /// Follows `renameat2(2)` with `RENAME_NOREPLACE`, `renamex_np(2)` with `RENAME_EXCL`. A file
  /// system without it gets `link(2)` and `unlink(2)`, which is as safe. One without hard links too
  /// gets a look and a plain rename: two runs at the same moment are not kept apart there.
  package static func rename(_ from: FilePath, toNew to: FilePath) throws(SystemError) {
    do {
      return try call("rename", to) {
        from.withCString { from in to.withCString { cplatform_rename(from, $0, 0) } }
      }
    } catch  where error.errno.meansUnsupported {}
    do {
      try call("link", to) { from.withCString { from in to.withCString { systemLink(from, $0) } } }
      // The file has its name; that the temporary one stays as well does no harm.
      try? unlink(from)
      return
    } catch  where error.errno.meansUnsupported || error.errno == .notPermitted {}
    if try FileStatus.ifPresent(to, followingLinks: false) != nil {
      throw SystemError("rename", to, .exists)
    }
    try rename(from, replacing: to)
  }

  /// Exchanges what two names name, in one step; see `renameat2(2)`, `RENAME_EXCHANGE`.
  ///
  /// - Returns: false where the file system cannot.
  package static func exchange(_ from: FilePath, with to: FilePath) throws(SystemError) -> Bool {
    do {
      try call("rename", to) {
        from.withCString { from in to.withCString { cplatform_rename(from, $0, 1) } }
      }
      return true
    } catch  where error.errno.meansUnsupported {
      return false
    }
  }

  /// Bytes that an unprivileged process can still use on the file system of `path`, or nil where the
  /// file system does not count them; see `statvfs(3)`.
  package static func available(at path: FilePath) throws(SystemError) -> Int64? {
    var info = statvfs()
    try call("statvfs", path) { path.withCString { statvfs($0, &info) } }
    if info.f_blocks == 0 { return nil }
    let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(
      by: UInt64(info.f_frsize)
    )
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Whether names may be made and removed in a directory; see `access(2)`.
  package static func mayChange(_ directory: FilePath) -> Bool {
    (try? requireChangeable(directory)) != nil
  }

  /// The same, with the reason where they may not.
  package static func requireChangeable(_ directory: FilePath) throws(SystemError) {
    try call("access", directory) { directory.withCString { access($0, W_OK | X_OK) } }
  }

  /// Whether files in a directory can give back blocks from their middle; tried on a file without a
  /// name.
  package static func canPunchHoles(in directory: FilePath) -> Bool {
    directory.withCString { cplatform_can_punch_holes($0) } == 1
  }

  /// Every name in a directory but `.` and `..`, in no order; see `readdir(3)`.
  package static func names(in directory: FilePath) throws(SystemError) -> PathList {
    if let files = remote(for: directory) { return try files.names(in: directory) }
    let opened = directory.withCString { opendir($0) }
    guard let stream = opened else {
      let text = directory.isRemote ? "is an address, which only the program reads" : nil
      throw SystemError("opendir", directory, .current, detail: text)
    }
    defer { closedir(stream) }
    guard dirfd(stream) < ProcessState.openFileLimit else {
      throw SystemError("opendir", directory, .tooManyOpenFiles)
    }
    var names = PathList()
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError("readdir", directory, .current) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        {
          FilePath(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// The permission bits that new files do not get; see `umask(2)`.
  ///
  /// Reading it means setting it for a moment, so it is read once.
  package static let fileCreationMask: UInt32 = {
    let mask = umask(0o077)
    _ = umask(mask)
    return UInt32(mask)
  }()

  private static func call(_ name: String, _ path: FilePath, _ body: () -> CInt) throws(SystemError)
  {
    do { _ = try retrying(body) } catch { throw SystemError(name, path, error) }
  }
}
