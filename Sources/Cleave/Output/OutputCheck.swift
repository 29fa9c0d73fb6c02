package import Posix

/// What has to be right about an output before a byte is read. All of it is enforced again when the
/// name is given; this is so that nobody waits an hour for an error.
package enum OutputCheck {
  /// Whether the name leads to something that is written in place: a FIFO or a character device, or
  /// with `options.replacesExisting` a block device.
  package static func isStream(
    _ path: FilePath,
    _ options: OutputOptions
  ) throws(CleaveError) -> Bool {
    switch try status(path, followingLinks: true)?.kind {
    case .fifo, .characterDevice: return true
    case .blockDevice:
      guard options.replacesExisting else {
        throw CleaveError(.cannotCreate, path, "is a block device; \(.replacing) overwrites it")
      }
      return true
    default: return false
    }
  }

  /// - Throws: where it is the address of a file of another machine.
  package static func requireLocal(_ path: FilePath) throws(CleaveError) {
    guard path.isRemote else { return }
    throw CleaveError(.cannotCreate, path, "is an address; this is made on this machine")
  }

  /// - Throws: where it is not the address of an object of a store.
  package static func requireObject(_ path: FilePath) throws(CleaveError) {
    guard path.isRemote else {
      throw CleaveError(
        .contradiction,
        path,
        "is a file of this machine, and the rest is in a store"
      )
    }
    try requireWritable(path)
  }

  /// - Throws: where it has the name of what an unfinished job leaves, which goes with that.
  private static func requireOwnName(_ path: FilePath) throws(CleaveError) {
    guard UnfinishedName.isOne(path) else { return }
    let text: Sentence =
      "has the form of names that unfinished jobs give to their files: \(.output(nil)) gives another"
    throw CleaveError(.cannotCreate, path, text)
  }

  /// - Throws: where it is the address of what cannot be made.
  package static func requireWritable(_ path: FilePath) throws(CleaveError) {
    guard path.isRemote else { return }
    if path.isObject {
      if !path.hasAmbiguousKey { return }
      let text: Sentence =
        "has an empty name, . or .. in its key, which stores take for different objects"
      throw CleaveError(.contradiction, path, text)
    }
    throw CleaveError(
      .cannotCreate,
      path,
      "is an address of the web; files of this machine are made, and objects of stores, s3://BUCKET/KEY"
    )
  }

  /// - Throws: where the name leads to one of the inputs.
  static func requireOther(
    _ path: FilePath,
    than inputs: some Sequence<FileStatus.Identity>
  ) throws(CleaveError) {
    guard let target = try status(path, followingLinks: true), inputs.contains(target.identity)
    else { return }
    throw CleaveError(.cannotCreate, path, "is one of the inputs")
  }

  /// - Throws: where the name is taken, or names one of the inputs.
  package static func check(
    _ path: FilePath,
    _ options: OutputOptions,
    inputs: some Sequence<FileStatus.Identity>
  ) throws(CleaveError) {
    try requireWritable(path)
    try requireOwnName(path)
    try requireOther(path, than: inputs)
    guard let found = try status(path, followingLinks: false) else {
      guard !path.endsInSlash else {
        throw CleaveError(.cannotCreate, path, "is the name of a directory")
      }
      return
    }
    if found.kind == .symbolicLink, leadsToDescriptor(path) {
      throw CleaveError(.cannotCreate, path, "leads to an open file, and is not replaced")
    }
    switch found.kind {
    case .regular where options.replacesExisting, .symbolicLink where options.replacesExisting:
      try requireReplaceable(path, found)
    case .regular: throw CleaveError(.cannotCreate, path, "exists; \(.replacing) replaces it")
    case .symbolicLink:
      throw CleaveError(.cannotCreate, path, "is a symbolic link; \(.replacing) replaces the link")
    default: throw CleaveError(.cannotCreate, path, "is \(found.kind)")
    }
  }

  /// Whether a symbolic link leads to a file by its number in a process, as `/dev/stdout` does; see `proc_pid_fd(5)`.
  private static func leadsToDescriptor(_ link: FilePath) -> Bool {
    var path = link
    for _ in 0..<mostLinks {
      if (try? Host.fileSystem(at: path.directory)) == "proc" { return true }
      guard let target = try? FileSystem.target(ofLink: path) else { return false }
      path = target.isAbsolute ? target : path.sibling(target)
    }
    return false
  }

  /// As many as Linux follows.
  private static let mostLinks = 40

  /// - Throws: where somebody else's file is in a directory in which users replace only their own; see
  ///   `S_ISVTX` in `inode(7)`.
  private static func requireReplaceable(
    _ path: FilePath,
    _ found: FileStatus
  ) throws(CleaveError) {
    let user = ProcessState.effectiveUser
    guard user != 0, found.owner != user, let directory = try? FileStatus.of(path.directory),
      directory.permissions & 0o1000 != 0, directory.owner != user
    else { return }
    throw CleaveError(.notPermitted, path, "belongs to somebody else, and cannot be replaced there")
  }

  /// - Throws: where no file can be made in the directory that a path names, whatever its name.
  package static func checkDirectory(of path: FilePath) throws(CleaveError) {
    do { try FileSystem.requireChangeable(path.directory) } catch {
      throw .creating(error.about(path))
    }
  }

  /// - Throws: where no locks keep two runs that make the same file off each other.
  package static func requireLocks(_ path: FilePath, for setting: Setting) throws(CleaveError) {
    let hasLocks: Bool
    do throws(SystemError) {
      hasLocks = try FileDescriptor.open(path.directory, [.readOnly, .directory]).hasLocks()
    } catch {
      throw .creating(error.about(path))
    }
    if hasLocks { return }
    throw CleaveError(
      .cannotCreate,
      path,
      "its file system has no locks, and \(setting) needs them to keep other runs off"
    )
  }

  /// - Throws: where two outputs have the same name.
  static func requireDistinct(_ paths: [FilePath]) throws(CleaveError) {
    var names = NameSet()
    for path in paths where !names.insert(path) { throw writtenTwice(path) }
  }

  static func writtenTwice(_ path: FilePath) -> CleaveError {
    CleaveError(.cannotCreate, path, "would be written twice")
  }

  /// - Throws: where a stream, such as standard output, is one of the inputs: a file that grows while
  ///   it is read never ends.
  static func check(
    _ stream: StreamOutput,
    inputs: some Sequence<FileStatus.Identity>
  ) throws(CleaveError) {
    if let identity = stream.identity, inputs.contains(identity) {
      throw CleaveError(.cannotCreate, stream.path, "is one of the inputs")
    }
  }

  /// The most bytes of a file on FAT32, whose directory entries have 32 bits for them.
  package static let mostOnFAT32: Int64 = (4 << 30) - 1

  /// - Throws: where a file system has no files as large as that.
  package static func checkSizes(of files: [DestinationFile]) throws(CleaveError) {
    var roomy: Set<FilePath> = []
    for file in files where file.size > mostOnFAT32 && !roomy.contains(file.path.directory) {
      // A directory that is missing or closed to us is reported when the file is made in it.
      guard let kind = try? Host.fileSystem(at: file.path.directory),
        ["vfat", "msdos"].contains(kind)
      else {
        roomy.insert(file.path.directory)
        continue
      }
      throw CleaveError(
        .cannotCreate,
        file.path,
        "\(file.size) bytes are more than FAT32 has in a file, which is \(mostOnFAT32); "
          + "choose another place, or parts that fit: \(.splitting(atMost: mostOnFAT32))"
      )
    }
  }

  /// - Throws: where a file system has not enough room, saying how much is missing.
  ///
  /// - Parameter shared: bytes in each directory that take no room.
  package static func checkSpace(
    for files: [DestinationFile],
    butFor shared: [FilePath: Int64] = [:],
    from sources: SourceFiles = SourceFiles()
  ) throws(CleaveError) {
    var needed: [FilePath: Int64] = [:]
    for file in files {
      let (sum, overflow) = needed[file.path.directory, default: 0]
        .addingReportingOverflow(file.size)
      needed[file.path.directory] = overflow ? .max : sum
    }
    for file in files {
      guard let all = needed.removeValue(forKey: file.path.directory) else { continue }
      let bytes = all - shared[file.path.directory, default: 0]
      if bytes <= 0 { continue }
      // A directory that is missing or closed to us is reported when the file is made in it.
      guard let free = try? FileSystem.available(at: file.path.directory), free < bytes else {
        continue
      }
      throw CleaveError(
        .inputOutput,
        file.path,
        "not enough space: \(bytes) bytes are needed and \(free) are free, "
          + "which is \(bytes - free) too few\(freeing(sources, free, beside: file.path))"
      )
    }
  }

  /// What freeing sources on the way needs at least, in bytes: for the journal, and for what file systems need to keep
  /// their books.
  package static let leastRoom: Int64 = 4 << 20

  /// The way out where what the sources give back is on the file system that has too little.
  private static func freeing(
    _ sources: SourceFiles,
    _ free: Int64,
    beside path: FilePath
  ) -> Sentence {
    guard free > leastRoom, let source = sources.first?.status.identity.device,
      source == (try? FileStatus.of(path.directory))?.identity.device
    else { return "" }
    return "\(.consuming, behind: "; freeing the sources on the way needs less: ")"
  }

  /// - Throws: where a block device has not enough room, since what is on it would be lost for nothing.
  package static func checkDevice(_ path: FilePath, bytes: Int64) throws(CleaveError) {
    guard (try? FileStatus.of(path))?.kind == .blockDevice else { return }
    let size: Int64
    do throws(SystemError) {
      size = try FileDescriptor.open(path, [.readOnly, .nonBlocking]).status().size
    } catch {
      throw .creating(error)
    }
    guard size < bytes else { return }
    throw CleaveError(
      .inputOutput,
      path,
      "not enough space: \(bytes) bytes are needed and the device has \(size), "
        + "which is \(bytes - size) too few"
    )
  }

  private static func status(
    _ path: FilePath,
    followingLinks: Bool
  ) throws(CleaveError) -> FileStatus? {
    do {
      return try FileStatus.ifPresent(path, followingLinks: followingLinks)
    } catch  where error.errno == .tooManyLinks {
      // A link that leads in a circle is still a link.
      return nil
    } catch {
      throw .creating(error)
    }
  }
}

extension OutputCheck {
  /// Names of files, told apart by the directories that they are in, however these are written.
  package struct NameSet {
    private struct Key: Hashable {
      let directory: FileStatus.Identity?
      let name: FilePath
    }
    private var directories: [FilePath: FileStatus.Identity?] = [:]
    private var names: Set<Key> = []

    package init() {}

    /// - Returns: false where the name is there already.
    package mutating func insert(_ path: FilePath) -> Bool {
      let directory = path.directory
      let identity = directories[directory] ?? (try? FileStatus.of(directory).identity)
      directories[directory] = identity
      // In a directory that is not there, only what is written counts.
      let name = identity == nil ? path : path.lastComponent
      return names.insert(Key(directory: identity, name: name)).inserted
    }
  }
}
