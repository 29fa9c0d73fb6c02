import CPlatform

#if canImport(Darwin)
  import Darwin
  import Dispatch
#endif

/// Wakes up a thread that waits for something to happen in a directory: a name that appears or goes, and on
/// Linux also a file that is closed after it was written to.
///
/// It may wake without a reason. Of what other machines do on a network file system it knows nothing,
/// so that one who waits has to look from time to time all the same.
package final class DirectoryWatch {
  package enum Outcome: Sendable {
    case changed, timedOut
    /// The directory was renamed or removed.
    case gone
    /// The other end of the watched descriptor is gone.
    case watchedClosed
  }

  package let path: FilePath
  private let identity: FileStatus.Identity

  /// Whether the directory has lost its name. No event tells of it for as long as somebody has a file open
  /// that was in there.
  package var isGone: Bool {
    do {
      guard let status = try FileStatus.ifPresent(path) else { return true }
      return status.identity != identity || status.links == 0
    } catch {
      return false
    }
  }

  #if canImport(Darwin)
    private let source: any DispatchSourceFileSystemObject
    private let events = DispatchSemaphore(value: 0)

    /// Begins to watch; see `open(2)` with `O_EVTONLY`, and `kqueue(2)` with `EVFILT_VNODE`.
    package init(_ path: FilePath) throws(SystemError) {
      self.path = path
      identity = try FileStatus.of(path).identity
      let options: FileDescriptor.OpenOptions = [.init(rawValue: O_EVTONLY), .directory]
      let directory = try FileDescriptor.open(path, options)
      let events = events
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: dup(directory.rawValue),
        eventMask: [.write, .delete, .rename, .revoke],
        queue: DispatchQueue(label: "cleave.directory")
      )
      let descriptor = source.handle
      source.setEventHandler { events.signal() }
      source.setCancelHandler { _ = Darwin.close(CInt(descriptor)) }
      source.resume()
    }

    deinit { source.cancel() }

    /// Waits for an event, which may have been before the call.
    ///
    /// - Parameter watched: a descriptor whose reader may go away.
    package func wait(
      watching watched: CInt? = nil,
      milliseconds: CInt
    ) throws(SystemError) -> Outcome {
      if let watched, try Self.isClosed(watched, path) { return .watchedClosed }
      guard events.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success else {
        return .timedOut
      }
      let hasGone = source.data.isDisjoint(with: [.delete, .rename, .revoke]) == false
      return hasGone ? .gone : .changed
    }

    /// A pipe that is full, and one that nobody reads, are told apart by the error alone.
    private static func isClosed(_ descriptor: CInt, _ path: FilePath) throws(SystemError) -> Bool {
      var list = pollfd(fd: descriptor, events: 0, revents: 0)
      do {
        return try retrying { poll(&list, 1, 0) } > 0 && list.revents != 0
      } catch {
        throw SystemError("poll", path, error)
      }
    }
  #else
    private let descriptor: FileDescriptor

    /// Begins to watch; see `inotify(7)`.
    package init(_ path: FilePath) throws(SystemError) {
      self.path = path
      identity = try FileStatus.of(path).identity
      do {
        let opened = try retrying { path.withCString { cplatform_watch_directory($0) } }
        descriptor = try FileDescriptor(new: opened, path: path)
      } catch {
        throw SystemError("inotify_add_watch", path, error)
      }
    }

    /// Waits for an event, which may have been before the call.
    ///
    /// - Parameter watched: a descriptor whose reader may go away.
    package func wait(
      watching watched: CInt? = nil,
      milliseconds: CInt
    ) throws(SystemError) -> Outcome {
      switch try Readiness.wait(
        for: .reading,
        descriptor.rawValue,
        path: path,
        watching: watched,
        milliseconds: milliseconds
      ) {
      case .timedOut: return .timedOut
      case .watchedClosed: return .watchedClosed
      case .ready: return try takeEvents()
      }
    }

    private func takeEvents() throws(SystemError) -> Outcome {
      var isGone = false
      do throws(Errno) {
        while true {
          if try retrying({ cplatform_take_events(descriptor.rawValue) }) == 2 { isGone = true }
        }
      } catch {
        if error != .again { throw SystemError("read", path, error) }
      }
      return isGone ? .gone : .changed
    }
  #endif
}
