/// The parts of a set while it is written.
struct ZipVolumes {
  /// A part's number from 0, and an offset in it.
  struct Position: Equatable {
    var disk: Int
    var offset: Int
  }

  private(set) var parts: [[UInt8]] = [[]]
  private let limit: Int

  /// - Parameter limit: the most bytes of a part.
  init(limit: Int) { self.limit = limit }

  /// Where the next byte goes, or would go if there were room for it in this part.
  var position: Position {
    Position(disk: parts.count - 1, offset: parts[parts.count - 1].count)
  }

  private var room: Int { limit - position.offset }

  mutating func startPart() { parts.append([]) }

  /// Starts a part if these bytes do not fit whole.
  ///
  /// - Parameter remains: what the writer leaves at the end of the part, as much as fits.
  /// - Returns: whether it did.
  @discardableResult mutating func makeRoom(for bytes: [UInt8], leaving remains: [UInt8] = [])
    -> Bool
  {
    // What is longer than any part is cut wherever it stands.
    guard bytes.count > room, bytes.count <= limit else { return false }
    parts[parts.count - 1] += remains.prefix(room)
    startPart()
    return true
  }

  /// Appends bytes, and cuts them where a part is full.
  mutating func append(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if room == 0 { startPart() }
      let piece = rest.prefix(room)
      parts[parts.count - 1] += piece
      rest = rest.dropFirst(piece.count)
    }
  }
}
