package import Dispatch
package import Posix

/// A run of bytes on its way from a source to a destination.
///
/// `DispatchData` is not `Sendable` in the Linux overlay. It is safe to share: the object is
/// immutable and atomically counted, and this type offers no way to change it.
package struct Chunk: @unchecked Sendable {
  fileprivate let data: DispatchData

  package var count: Int { data.count }

  /// Bytes of the plan itself, copied.
  package init(copying bytes: [UInt8]) { self.init(copying: bytes[...]) }

  /// The same with some of them.
  package init(copying bytes: ArraySlice<UInt8>) {
    data = bytes.withUnsafeBytes { DispatchData(bytes: $0) }
  }

  /// Memory that stays untouched until `release` is called, which may be on any thread.
  package init(
    borrowing bytes: UnsafeRawBufferPointer,
    releaseOn queue: DispatchQueue,
    _ release: @escaping @Sendable () -> Void
  ) {
    data = DispatchData(bytesNoCopy: bytes, deallocator: .custom(queue, release))
  }

  fileprivate init(_ data: DispatchData) { self.data = data }

  /// The chunks one after the other, without a copy.
  package static func concatenation(_ chunks: [Chunk]) -> Chunk {
    var whole = DispatchData.empty
    for chunk in chunks { whole.append(chunk.data) }
    return Chunk(whole)
  }

  /// Calls `body` for each contiguous region, in order.
  package func forEachRegion(_ body: (UnsafeRawBufferPointer) -> Void) {
    data.enumerateBytes { region, _, _ in body(UnsafeRawBufferPointer(region)) }
  }
}

/// The only type that touches `DispatchIO`.
///
/// The overlay declares its handlers without `@Sendable`, so that the compiler lets a handler mutate
/// a variable it shares with another thread. Everything that crosses this type is `Sendable`, which
/// puts the checking back. For regular files only: see ``StreamOutput`` for pipes.
package final class Channel: Sendable {
  package enum Event: Sendable {
    case data(Chunk)
    /// The last event of an operation, with the error that ended it, if one did.
    case finished(Errno?)
  }

  private let io: DispatchIO
  private let cleanedUp = DispatchGroup()
  private let isClosed = Locked(false)

  /// A channel over a descriptor that `owner` keeps open until the channel has been cleaned up.
  ///
  /// Offsets of a `.random` channel count from the descriptor's position at this moment.
  package init(
    _ descriptor: borrowing FileDescriptor,
    ownedBy owner: some AnyObject & Sendable,
    type: DispatchIO.StreamType,
    marks: WaterMarks,
    queue: DispatchQueue
  ) {
    let cleanedUp = cleanedUp
    cleanedUp.enter()
    io = DispatchIO(type: type, fileDescriptor: descriptor.rawValue, queue: queue) {
      @Sendable _ in
      // Errors of operations were given to their handlers; this one only repeats the last of them.
      withExtendedLifetime(owner) { cleanedUp.leave() }
    }
    io.setLimit(lowWater: marks.low)
    io.setLimit(highWater: marks.high)
  }

  /// Delivers any number of `.data`, then exactly one `.finished`, on `queue`, which must be serial.
  package func read(
    at offset: Int64 = 0,
    count: Int,
    on queue: DispatchQueue,
    handler: @escaping @Sendable (Event) -> Void
  ) {
    io.read(offset: .init(offset), length: count, queue: queue) { @Sendable done, data, error in
      if let data, !data.isEmpty { handler(.data(Chunk(data))) }
      if done { handler(.finished(error == 0 ? nil : Errno(rawValue: error))) }
    }
  }

  /// Writes the whole chunk, then calls `handler` once on `queue`, with the number of bytes that
  /// were written and the error that stopped it there, if one did.
  package func write(
    _ chunk: Chunk,
    at offset: Int64 = 0,
    on queue: DispatchQueue,
    handler: @escaping @Sendable (Int, Errno?) -> Void
  ) {
    let count = chunk.count
    io.write(offset: .init(offset), data: chunk.data, queue: queue) { @Sendable done, rest, error in
      guard done else { return }
      let missing = rest?.count ?? 0
      // Without an error everything was written; the overlay may still hand over an empty rest.
      handler(error == 0 ? count : count - missing, error == 0 ? nil : Errno(rawValue: error))
    }
  }

  /// Cancels what is in flight, which then ends with `ECANCELED`.
  package func stop() {
    isClosed.withLock { $0 = true }
    io.close(flags: .stop)
  }

  /// Closes the channel and waits until the descriptor is no longer in use.
  package func close() {
    finishClosing()
    cleanedUp.wait()
  }

  /// Closes the channel and calls `handler` on `queue` when the descriptor is no longer in use.
  package func close(on queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    finishClosing()
    cleanedUp.notify(queue: queue, execute: handler)
  }

  private func finishClosing() {
    let wasClosed = isClosed.withLock { closed in
      defer { closed = true }
      return closed
    }
    if !wasClosed { io.close() }
  }
}

extension Channel {
  /// A channel that writes to an output, which it keeps open until it has been cleaned up.
  static func writing(
    to file: OutputFile,
    type: DispatchIO.StreamType,
    marks: WaterMarks,
    queue: DispatchQueue
  ) throws(CleaveError) -> Channel {
    let made: Channel?
    do throws(SystemError) {
      made = try file.withDescriptor { descriptor throws(SystemError) in
        Channel(descriptor, ownedBy: file, type: type, marks: marks, queue: queue)
      }
    } catch {
      throw .writing(error)
    }
    guard let made else { throw .cancelled }
    return made
  }
}
