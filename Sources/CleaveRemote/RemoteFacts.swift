import Posix

/// What is known of a file of another machine without reading it.
struct RemoteFacts: Sendable {
  var size: Int64
  /// What tells the bytes from others under the same name; nil where the server does not say.
  private(set) var tag: String?
  /// `Last-Modified`, where the server says it.
  private var time: String?
  /// Nanoseconds since 1970; 0 where it is not known.
  private(set) var modified: Int64 = 0

  /// - Returns: nil where the answer does not tell the size.
  init?(_ answer: HTTPAnswer) {
    guard let size = answer.size, size >= 0 else { return nil }
    self.init(size: size, answer)
  }

  /// Of the answer to a question for a range.
  init?(partial answer: HTTPAnswer) {
    guard let range = answer.contentRange, let size = range.size else { return nil }
    self.init(size: size, answer)
  }

  init(size: Int64, _ answer: HTTPAnswer) {
    time = answer.headers["last-modified"]
    (self.size, tag) = (size, answer.headers["etag"] ?? time)
    modified = time.flatMap { ProcessState.nanoseconds(ofHTTPDate: $0) } ?? 0
  }

  init(size: Int64, tag: String?, modified: Int64 = 0) {
    (self.size, self.tag, self.modified) = (size, tag, modified)
  }

  /// A tag that a server can be asked to compare.
  var strongTag: String? {
    guard let tag, tag.hasPrefix("\"") else { return nil }
    return tag
  }

  /// Whether an answer is about the same bytes, as far as it tells.
  func isSame(as answer: HTTPAnswer) -> Bool {
    guard let tag else { return true }
    let (otherTag, otherTime) = (answer.headers["etag"], answer.headers["last-modified"])
    if tag != time, let otherTag {
      return Self.withoutWeakness(tag) == Self.withoutWeakness(otherTag)
    }
    // There are servers that tell an ETag in some answers only.
    if let time, let otherTime { return time == otherTime }
    // A part of a file has the tag that the file has; see RFC 9110, 15.3.7.
    return otherTag == nil && otherTime == nil && answer.status != 206
  }

  /// Whether an answer tells anything of its file that is known of this one.
  func canTell(_ answer: HTTPAnswer) -> Bool {
    answer.headers["etag"] != nil && tag != time
      || answer.headers["last-modified"] != nil && time != nil
  }

  /// The tag without what stands around it, which stores write in one answer and leave out in another.
  var plainTag: String? { tag.map(Self.plain) }

  static func plain(_ tag: String) -> String {
    String(withoutWeakness(tag).filter { $0 != "\"" })
  }

  private static func withoutWeakness(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }

  /// What tells other bytes from these in another run, too: a tag, or where that is weak, it and the time. A weak one
  /// alone may be that of other bytes; see RFC 9110, 8.8.1.
  private var pin: String? {
    guard let tag, tag.hasPrefix("W/") else { return tag }
    return time.map { tag + $0 }
  }

  /// As that of a file: the place of the device is taken by the address, that of the inode by the address and the pin,
  /// so that another process comes to the same. Servers make tags of the time and the size, which other files have, too;
  /// a query may be a signature, and another one each time.
  func status(of path: FilePath) -> FileStatus {
    let identity = FileStatus.Identity(
      device: Self.number(path.bytes),
      inode: pin.map { Self.number(path.withoutQuery.bytes + [0] + $0.utf8) }
        ?? FileStatus.unpinned
    )
    var status = FileStatus(identity: identity, size: size, modified: modified)
    (status.permissions, status.links, status.allocated) = (0o644, 1, size)
    return status
  }

  /// The status of what stands for a directory.
  static func directory(_ path: FilePath) -> FileStatus {
    var status = RemoteFacts(size: 0, tag: nil).status(of: path)
    status.kind = .directory
    return status
  }

  /// FNV-1a.
  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension HTTPAnswer {
  /// What the header `Content-Range` says; see RFC 9110, 14.4.
  var contentRange: (bytes: Range<Int64>, size: Int64?)? {
    let words = headers["content-range"]?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/")
    let ends = parts.first?.split(separator: "-").map { Int64($0) } ?? []
    guard parts.count == 2, ends.count == 2, let first = ends[0], let last = ends[1],
      first >= 0, last >= first, last < .max
    else { return nil }
    if parts[1] == "*" { return (first..<(last + 1), nil) }
    guard let size = Int64(parts[1]), size > last else { return nil }
    return (first..<(last + 1), size)
  }
}
