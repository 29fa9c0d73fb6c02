/// Goes from header to header through a tar file, without reading the files in it.
struct TarWalk {
  enum End {
    /// A record of zeros stands where the next header would.
    case zeros
    /// The bytes end where the next header would be.
    case boundary
    /// The bytes end within an entry.
    case cut
    /// There are too many entries, or something that is not understood.
    case unknown
  }

  let end: End

  /// So many entries that a slow disk needs no more than seconds; not measured.
  private static let most = 1000

  /// - Throws: the error of reading.
  init(_ parts: JoinedBytes) throws(CleaveError) {
    var position: Int64 = 0
    for _ in 0..<Self.most {
      guard let next = try Self.next(parts, behind: position) else {
        end = .unknown
        return
      }
      if let found = next.end {
        end = found
        return
      }
      position = next.position
    }
    end = .unknown
  }

  /// Where the header behind the one at a position is, or how the file ends there.
  private static func next(
    _ parts: JoinedBytes,
    behind position: Int64
  ) throws(CleaveError) -> (position: Int64, end: End?)? {
    if position == parts.count { return (position, position == 0 ? .unknown : .boundary) }
    guard let head = try parts.bytes(TarHeader.length, at: position) else { return nil }
    if head.allSatisfy({ $0 == 0 }) { return (position, position == 0 ? .unknown : .zeros) }
    guard let header = TarHeader(head), let size = header.paddedSize else { return nil }
    // bounded: a header of that length was read there
    let content = position + Int64(TarHeader.length)
    let room = parts.count - content
    // bounded: within the file
    if size <= room { return (content + size, nil) }
    // Only the padding may be left out.
    return (position, room < header.size ? .cut : .boundary)
  }
}
