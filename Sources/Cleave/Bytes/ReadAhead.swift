import Posix

/// Fetches a file ahead of its reader, and if asked to, lets go of what was not in memory
/// before.
///
/// Where the data is not in memory, fetching ahead takes a fifth to a half off the time. Where it is,
/// looking is cheaper than asking: `cachestat(2)` goes by folios, `posix_fadvise(2)` by pages, which
/// was up to 8 % of the serial engine's time.
package final class ReadAhead: Sendable {
  private struct State {
    /// How far the way of each reader has been fetched, the latest way last: a file that is split
    /// by several queues has several readers.
    var ends: [Int64] = []
    /// What was not in memory before, in the order in which it was fetched.
    var strange: [Range<Int64>] = []
  }
  private let state = Locked(State())
  /// Where reading ends, in bytes from the start of the file.
  private let end: Int64
  private let dropsCache: Bool
  /// Whether nothing of the file was in memory. Then all of it goes, also what the kernel reads ahead
  /// by itself, which may be 8 MiB.
  private let wasAway: Bool

  /// Bytes: several times what the devices seen here have under way at once.
  private static let step: Int64 = 8 << 20
  /// Bytes; not measured.
  private static let leastAhead: Int64 = 128 << 10
  /// An eighth of a file and less counts as nothing: the job itself has looked at where it begins and
  /// ends by then.
  private static let ownShare: Int64 = 8
  /// Readers whose ways are known; as many as any engine has.
  private static let mostReaders = 8
  /// Ranges that readers may still be at, two for each; what is dropped too early is fetched twice.
  private static let mostHeld = 2 * mostReaders

  init(_ file: borrowing FileDescriptor, size: Int64, end: Int64, dropsCache: Bool) {
    self.end = end
    self.dropsCache = dropsCache
    let cached = dropsCache && size > 0 ? file.cachedBytes(in: 0..<size) : nil
    wasAway = if let cached { cached <= size / Self.ownShare } else { false }
  }

  /// A reader is at `position` now, and goes on from there.
  func move(to position: Int64, of file: borrowing FileDescriptor) {
    let next = state.withLock { state -> Range<Int64>? in
      // Fetched a step at a time, when half a step or less is left.
      let reach = position...(position + Self.step + Self.step / 2)
      let way = state.ends.firstIndex { reach.contains($0) }
      let start = if let way { state.ends[way] } else { position }
      guard start < end, start - position <= Self.step / 2 else { return nil }
      if let way { state.ends.remove(at: way) }
      if state.ends.count == Self.mostReaders { state.ends.removeFirst() }
      let next = min(start + Self.step, end)
      state.ends.append(next)
      return start..<next
    }
    if let next { fetch(next, of: file) }
  }

  /// Somebody is about to read a range.
  func fetch(_ range: Range<Int64>, of file: borrowing FileDescriptor) {
    // One read brings that much by itself.
    if range.count64 <= Self.leastAhead, !dropsCache { return }
    let cached = file.cachedBytes(in: range)
    let isThere = if let cached { cached >= range.count64 } else { false }
    if !isThere { file.willNeed(range) }
    // Where part of it was there, or the kernel does not tell, it stays: it may be somebody's.
    guard dropsCache, wasAway || cached == 0 else { return }
    let passed = state.withLock { state -> Range<Int64>? in
      state.strange.append(range)
      return state.strange.count > Self.mostHeld ? state.strange.removeFirst() : nil
    }
    if let passed { file.dropCache(passed) }
  }

  /// The file has been read.
  func end(of file: borrowing FileDescriptor) {
    let left = state.withLock { state in
      defer { state.strange = [] }
      return state.strange
    }
    if wasAway { return file.dropCache() }
    for range in left { file.dropCache(range) }
  }
}
