import Posix

/// The directories of some files, opened before their names appear in them.
struct DirectorySync {
  private final class OpenDirectory {
    let descriptor: FileDescriptor
    let file: FilePath
    init(of file: FilePath) throws(SystemError) {
      descriptor = try .open(file.directory, [.readOnly, .directory])
      self.file = file
    }
  }

  private var opened: [OpenDirectory] = []

  init(of files: [FilePath]) throws(CleaveError) {
    var seen: Set<FilePath> = []
    for file in files where seen.insert(file.directory).inserted {
      do {
        opened.append(try OpenDirectory(of: file))
      } catch  where error.errno == .permissionDenied {
        // A directory that may be written and not read cannot be flushed by anyone.
      } catch {
        throw .creating(error)
      }
    }
  }

  /// Shares the locks of the directories with others that name files there, or has them alone.
  ///
  /// - Returns: why that could not be done, within three seconds; nil where it was.
  func lock(_ lock: FileDescriptor.Lock) -> CleaveError? {
    // One that is written in two ways would wait for itself.
    var seen: Set<FileStatus.Identity> = []
    for directory in opened {
      if let identity = try? directory.descriptor.status().identity,
        !seen.insert(identity).inserted
      {
        continue
      }
      if !directory.descriptor.lock(lock, patience: FileDescriptor.lockPatience) {
        return .locked(directory.descriptor, directory.file.directory)
      }
    }
    return nil
  }

  /// Puts the names on the device.
  ///
  /// - Parameter state: what is said of a file before the reason, should that fail.
  func run(_ state: String = "") throws(CleaveError) {
    for directory in opened {
      do {
        try directory.descriptor.synchronize()
      } catch  where error.errno.meansUnsupported {
        // Some file systems flush names by themselves and have no call for it.
      } catch {
        throw CleaveError(
          .inputOutput,
          directory.file,
          "\(state)\(error.call) of the directory failed: \(error.errno) (\(error.errno.symbol))"
        )
      }
    }
  }
}
