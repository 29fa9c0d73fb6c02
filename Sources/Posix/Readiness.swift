#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Waiting for pipes, terminals and sockets without touching their flags; see `poll(2)`.
///
/// Descriptors that were handed to this process share their flags with the process that handed them over, so
/// `O_NONBLOCK` is never set on them.
package enum Readiness {
  package enum Direction: Sendable { case reading, writing }

  package enum Outcome: Sendable {
    case ready, timedOut
    /// The watched descriptor's other end is gone.
    case watchedClosed
  }

  /// Waits until a call would not block, or something happened to `watched`.
  package static func wait(
    for direction: Direction,
    _ descriptor: CInt,
    path: FilePath,
    watching watched: CInt? = nil,
    milliseconds: CInt
  ) throws(SystemError) -> Outcome {
    var list = [
      pollfd(
        fd: descriptor,
        events: CShort(direction == .reading ? POLLIN : POLLOUT),
        revents: 0
      )
    ]
    // With no events asked for, poll still tells errors: a pipe's reader that went away.
    if let watched { list.append(pollfd(fd: watched, events: 0, revents: 0)) }
    do {
      if try retrying({ systemPoll(&list, milliseconds) }) == 0 { return .timedOut }
    } catch {
      throw SystemError("poll", path, error)
    }
    if list[0].revents != 0 { return .ready }
    return list.count > 1 && list[1].revents != 0 ? .watchedClosed : .timedOut
  }
}

extension Readiness {
  /// Sleeps.
  package static func pause(milliseconds: CInt) throws(SystemError) {
    var none: [pollfd] = []
    do {
      _ = try retrying { systemPoll(&none, milliseconds) }
    } catch {
      throw SystemError("poll", "", error)
    }
  }
}
