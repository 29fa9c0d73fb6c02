import Posix

/// A file of another machine that is read in ranges, several side by side, each from its own connection.
final class RemoteObject: RemoteFile {
  typealias Ask = @Sendable (_ headers: [(String, String)]) throws(SystemError) -> HTTPRequest

  let status: FileStatus
  let path: FilePath
  /// Where it is, if it is in a store.
  let place: ObjectPlace?
  private let facts: RemoteFacts
  private let client: HTTPClient
  private let ask: Ask
  private let state = Locked(State())

  private struct State {
    /// Answers under way that nobody reads at the moment.
    var streams: [RangeStream] = []
    /// What is about to be read, the latest last.
    var announced: [Range<Int64>] = []
    /// What was read for somebody who wanted a few bytes, the latest last.
    var blocks: [(offset: Int64, bytes: [UInt8])] = []
    /// What the first answer has told, where nothing was known that tells the bytes from others.
    var told: RemoteFacts?
    /// Whether the server sends the whole whatever range is asked for.
    var isWholeOnly = false
    /// Whether the only answer of such a server is being read.
    var isTaken = false
  }

  /// Bytes. One question costs as much as so many of them take to arrive.
  private static let blockSize: Int64 = 128 << 10
  private static let mostBlocks = 16
  private static let mostStreams = 16
  private static let mostAnnounced = 64

  init(
    _ path: FilePath,
    _ facts: RemoteFacts,
    _ client: HTTPClient,
    _ place: ObjectPlace?,
    ask: @escaping Ask
  ) {
    (self.path, self.facts, self.client, self.ask) = (path, facts, client, ask)
    self.place = place
    status = facts.status(of: path)
  }

  /// A tag that a server can be asked to compare.
  var tag: String? { facts.strongTag }

  /// When it was changed last, where that is all that tells it from others.
  var time: String? { facts.tag.flatMap { $0.contains("\"") ? nil : $0 } }

  /// Whether the name still has the same, as far as the server tells.
  func isUnchanged() throws(SystemError) -> Bool {
    guard let place else { return true }
    let (answer, _) = try place.ask("HEAD")
    guard answer.isSuccess else { return false }
    return answer.size == facts.size && facts.isSame(as: answer)
  }

  deinit {
    for stream in state.withLock({ $0.streams }) { client.give(stream.connection) }
  }

  func willRead(_ range: Range<Int64>) {
    state.withLock { state in
      if state.announced.count == Self.mostAnnounced { state.announced.removeFirst() }
      state.announced.append(range)
    }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) -> Int {
    let count = Int(min(Int64(buffer.count), max(0, facts.size - offset)))
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    if count == 0 { return 0 }
    if state.withLock({ $0.isWholeOnly }) {
      try readInTurn(room, at: offset)
      return count
    }
    let end = state.withLock { state in
      let around = state.announced.filter { $0.contains(offset) }
      return (around.last { $0.lowerBound == offset } ?? around.last)?.upperBound
    }
    let isFollowed = state.withLock { $0.streams.contains { $0.position == offset } }
    if end == nil, !isFollowed, Int64(count) < Self.blockSize {
      try readBlocks(room, at: offset)
    } else {
      try fill(room, at: offset, until: max(end ?? 0, offset + Int64(count)))
    }
    return count
  }

  /// A few bytes, with those around them.
  private func readBlocks(
    _ room: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) {
    var filled = 0
    while filled < room.count {
      let place = offset + Int64(filled)
      let block = try block(place / Self.blockSize * Self.blockSize)
      let start = Int(place - block.offset)
      let bytes = block.bytes[start...].prefix(room.count - filled)
      UnsafeMutableRawBufferPointer(rebasing: room[filled...]).copyBytes(from: bytes)
      filled += bytes.count
    }
  }

  private func block(_ offset: Int64) throws(SystemError) -> (offset: Int64, bytes: [UInt8]) {
    if let found = state.withLock({ $0.blocks.first { $0.offset == offset } }) { return found }
    let count = Int(min(Self.blockSize, facts.size - offset))
    let bytes = try [UInt8](capacity: count) { room throws(SystemError) in
      try fill(room, at: offset, until: offset + Int64(count))
      return count
    }
    state.withLock { state in
      if state.blocks.count == Self.mostBlocks { state.blocks.removeFirst() }
      state.blocks.append((offset, bytes))
    }
    return (offset, bytes)
  }

  /// Fills all of the room, in as many tries as may help.
  private func fill(
    _ room: UnsafeMutableRawBufferPointer,
    at offset: Int64,
    until end: Int64
  ) throws(SystemError) {
    var filled = 0
    try client.again(path) { () throws(HTTPClient.Attempt) in
      while filled < room.count {
        let place = offset + Int64(filled)
        guard var stream = try take(at: place, until: min(end, facts.size)) else {
          do throws(SystemError) {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            return try readInTurn(rest, at: place)
          } catch {
            throw .error(error)
          }
        }
        let wanted = Int(min(Int64(room.count - filled), stream.end - place))
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled..<(filled + wanted)])
        var isLonger = false
        do throws(HTTPFailure) {
          let count = try stream.connection.receive(rest)
          filled += count
          if count < wanted { throw HTTPFailure(kind: .broken, text: "the answer is too short") }
          stream.position = place + Int64(wanted)
          if stream.isOpen, stream.position == stream.end { isLonger = try stream.hasMore() }
        } catch {
          client.give(stream.connection)
          throw .failed(error)
        }
        if isLonger { throw drop(stream.connection, otherRange) }
        give(stream)
      }
    }
  }

  /// An answer that goes on at an offset.
  ///
  /// - Returns: nil where the server sends no ranges.
  private func take(at offset: Int64, until end: Int64) throws(HTTPClient.Attempt) -> RangeStream? {
    let known = state.withLock { state -> RangeStream? in
      guard let index = state.streams.firstIndex(where: { $0.position == offset }) else {
        return nil
      }
      return state.streams.remove(at: index)
    }
    if let known { return known }
    let (connection, answer) = try begin([("range", "bytes=\(offset)-\(end - 1)")])
    if answer.status == 200 {
      if offset == 0, end == facts.size, answer.size == end {
        return RangeStream(connection: connection, position: offset, end: end)
      }
      client.give(connection)
      if let size = answer.size, size != facts.size { throw .error(changed) }
      state.withLock { $0.isWholeOnly = true }
      return nil
    }
    guard let told = answer.contentRange else { throw drop(connection, otherRange) }
    guard told.size ?? facts.size == facts.size else { throw drop(connection, changed) }
    // A server may send less than was asked for.
    guard told.bytes.lowerBound == offset, told.bytes.upperBound <= end,
      answer.size ?? told.bytes.count64 == told.bytes.count64
    else { throw drop(connection, otherRange) }
    return RangeStream(
      connection: connection,
      position: offset,
      end: told.bytes.upperBound,
      isOpen: answer.size == nil
    )
  }

  /// Keeps an answer that has more to give.
  private func give(_ stream: RangeStream) {
    if stream.position == stream.end { return client.give(stream.connection) }
    let old = state.withLock { state -> RangeStream? in
      state.streams.append(stream)
      return state.streams.count > Self.mostStreams ? state.streams.removeFirst() : nil
    }
    if let old { client.give(old.connection) }
  }

  /// Gives a connection back whose answer is not the one that is wanted.
  private func drop(_ connection: HTTPConnection, _ error: SystemError) -> HTTPClient.Attempt {
    client.give(connection)
    return .error(error)
  }

  /// Asks, and has an answer of the right bytes.
  private func begin(
    _ headers: [(String, String)]
  ) throws(HTTPClient.Attempt) -> (HTTPConnection, HTTPAnswer) {
    let pinned = facts.strongTag.map { [("if-match", $0)] } ?? []
    let request = try HTTPClient.Attempt.passing { () throws(SystemError) in
      try ask(headers + pinned)
    }
    let connection: HTTPConnection
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      connection = try client.take()
      answer = try connection.send(request)
    } catch {
      throw .failed(error)
    }
    guard answer.isSuccess else {
      let body = (try? connection.receiveAll(upTo: 64 << 10)) ?? []
      client.give(connection)
      let error = answer.error("read", path, body)
      throw answer.mayPass
        ? .putOff(answer, error) : .error(error.errno == .notFound ? changed : error)
    }
    guard isSame(as: answer) else {
      throw drop(connection, facts.canTell(answer) ? changed : untold)
    }
    return (connection, answer)
  }

  /// Whether an answer is about the same bytes as all before it, as far as they tell.
  private func isSame(as answer: HTTPAnswer) -> Bool {
    if facts.tag != nil { return facts.isSame(as: answer) }
    return state.withLock { state in
      if let told = state.told { return told.isSame(as: answer) }
      let told = RemoteFacts(size: facts.size, answer)
      if told.tag != nil { state.told = told }
      return true
    }
  }

  private var otherRange: SystemError {
    let text = "the server sends another range than was asked for"
    return SystemError("read", path, .ioError, detail: text)
  }

  var changed: SystemError {
    SystemError("read", path, .stale, detail: "was changed while it was being read")
  }

  private var untold: SystemError {
    let text = "not all answers of the server tell whether it is the same file: fetch it first"
    return SystemError("read", path, .stale, detail: text)
  }

  // MARK: Servers that send no ranges

  /// Waits until the only answer is where it is wanted. Who reads it from several places at a time has to
  /// read them nearly in order; what was passed over is asked for again from the start.
  private func readInTurn(
    _ room: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(SystemError) {
    var (waited, last): (Int, Int64) = (0, -1)
    var stream: RangeStream?
    while true {
      let isMine = state.withLock { state -> Bool in
        guard !state.isTaken else { return false }
        let place = state.streams.first?.position ?? 0
        if place != last { (waited, last) = (0, place) }
        // Somebody else may be about to read what is in front of it.
        if place < offset, waited < Self.longestTurn { return false }
        stream = state.streams.popLast()
        state.isTaken = true
        return true
      }
      if isMine { break }
      waited += Self.turn
      do { try Readiness.pause(milliseconds: CInt(Self.turn)) } catch {
        throw SystemError("read", path, .ioError)
      }
    }
    defer { state.withLock { $0.isTaken = false } }
    var filled = 0
    try client.again(path) { () throws(HTTPClient.Attempt) in
      if let old = stream, old.position > offset + Int64(filled) {
        client.give(old.connection)
        stream = nil
      }
      var current: RangeStream
      if let stream { current = stream } else { current = try anew() }
      stream = nil
      var isLonger = false
      do throws(HTTPFailure) {
        try current.skip(to: offset + Int64(filled))
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
        let count = try current.connection.receive(rest)
        (filled, current.position) = (filled + count, current.position + Int64(count))
        if filled < room.count {
          throw HTTPFailure(kind: .broken, text: "the answer is too short")
        }
        if current.position == current.end { isLonger = try current.hasMore() }
      } catch {
        client.give(current.connection)
        throw .failed(error)
      }
      if isLonger { throw drop(current.connection, changed) }
      stream = current
    }
    if let stream { give(stream) }
  }

  /// All of it, from its start.
  private func anew() throws(HTTPClient.Attempt) -> RangeStream {
    let (connection, answer) = try begin([])
    if let size = answer.size, size != facts.size { throw drop(connection, changed) }
    return RangeStream(connection: connection, position: 0, end: facts.size)
  }

  /// Milliseconds.
  private static let turn = 2
  private static let longestTurn = 500
}

/// An answer under way: bytes from a position to an end.
private struct RangeStream: Sendable {
  let connection: HTTPConnection
  var position: Int64
  let end: Int64
  /// Whether nothing but its end tells how long it is.
  var isOpen = false

  /// Milliseconds in which what is behind an end has come, if there is anything.
  private static let patience = 1000

  /// Whether the answer goes on behind its end.
  func hasMore() throws(HTTPFailure) -> Bool {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { room.deallocate() }
    // Many servers leave the connection open.
    return try connection.receive(room, within: Self.patience) > 0
  }

  mutating func skip(to offset: Int64) throws(HTTPFailure) {
    if position >= offset { return }
    let waste = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { waste.deallocate() }
    while position < offset {
      let wanted = Int(min(Int64(waste.count), offset - position))
      let count = try connection.receive(UnsafeMutableRawBufferPointer(rebasing: waste[..<wanted]))
      position += Int64(count)
      if count < wanted { throw HTTPFailure(kind: .broken, text: "the answer is too short") }
    }
  }
}
