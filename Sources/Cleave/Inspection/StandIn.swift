/// What was saved in the place of a part that could not be had.
enum StandIn {
  /// What Git keeps of a file that is stored elsewhere.
  case pointer
  /// A page of HTML.
  case page
  /// A few lines of XML or JSON that tell of an error.
  case complaint
  /// A line of plain text with the status of HTTP, or what that means.
  case status

  /// Bytes that none of them has more of; nobody measured it.
  private static let largest: (page: Int64, complaint: Int64, status: Int64) =
    (1 << 20, 1 << 14, 256)

  /// - Parameters:
  ///   - head: the first bytes of the file.
  ///   - size: all its bytes.
  init?(_ head: [UInt8], size: Int64) {
    let text = Self.withoutBlanks(head)
    let folded = SplitZipName.folded(text.prefix(14))
    if size < 1024, Self.isPointer(head) {
      self = .pointer
    } else if size <= Self.largest.page,
      folded.starts(with: "<!doctype html".utf8) || folded.starts(with: "<html".utf8)
    {
      self = .page
    } else if size <= Self.largest.complaint, Self.isComplaint(text) {
      self = .complaint
    } else if size <= Self.largest.status, Self.isStatus(text) {
      self = .status
    } else {
      return nil
    }
  }

  /// What it is, as the end of a sentence, with what to do.
  var said: String {
    switch self {
    case .pointer: "is a pointer of Git LFS, not the file itself: 'git lfs pull' fetches that"
    case .page: "is a web page, probably an error page that was saved instead of the part"
    case .complaint, .status:
      "is the error message of a server that was saved instead of the part"
    }
  }

  /// The specification of Git LFS asks for the version first, and for fewer than 1024 bytes.
  private static func isPointer(_ head: [UInt8]) -> Bool {
    head.starts(with: "version https://git-lfs.github.com/spec/v1\n".utf8)
      && head.contains("\noid sha256:".utf8)
  }

  /// What storage servers answer: `<Error>` of S3 and those like it, and the objects of JSON interfaces.
  private static func isComplaint(_ text: ArraySlice<UInt8>) -> Bool {
    let start = SplitZipName.folded(text.prefix(256))
    if start.starts(with: "<?xml".utf8) || start.starts(with: "<error>".utf8) {
      return start.contains("<error>".utf8)
    }
    guard start.first == UInt8(ascii: "{") else { return false }
    return ["\"error\"", "\"errors\"", "\"message\"", "\"detail\""].contains {
      start.contains($0.utf8)
    }
  }

  /// What servers and those in front of them answer in plain text: `404: Not Found`, `error code: 502`.
  private static func isStatus(_ text: ArraySlice<UInt8>) -> Bool {
    var words = SplitZipName.folded(text).split { " -:.!\t\r\n".utf8.contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    // `HTTP/1.1 404`, `HTTP/2 404`.
    if words.first == "http/1" { words.removeFirst(min(2, words.count)) }
    if ["http/2", "http/3", "error"].contains(words.first) { words.removeFirst() }
    // Those of Cloudflare have four digits.
    let isOdd = words.first == "code"
    if isOdd { words.removeFirst() }
    let code = words.first.flatMap { $0.count < 5 ? Int($0) : nil }.map {
      (400..<600).contains($0) || isOdd && (1000..<1300).contains($0)
    }
    if code == true { words.removeFirst() }
    return code == true && words.isEmpty || phrases.contains(words.joined(separator: " "))
  }

  /// Of RFC 9110, 15.5 and 15.6, and of servers that say more.
  private static let phrases: Set<String> = [
    "bad request", "unauthorized", "payment required", "forbidden", "not found", "gone",
    "method not allowed", "request timeout", "too many requests", "internal server error",
    "bad gateway", "service unavailable", "service temporarily unavailable", "gateway timeout",
    "gateway time-out", "access denied", "permission denied", "rate limit exceeded",
    "file not found", "page not found", "404 page not found", "no such file", "link expired",
    "accessdenied", "no healthy upstream",
  ]

  /// The text behind a byte order mark, blanks and line ends.
  private static func withoutBlanks(_ head: [UInt8]) -> ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return head.dropFirst(head.starts(with: mark) ? mark.count : 0)
      .drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}

extension StandIn {
  /// The ends of names, in lower case, of files that are such text.
  var endings: [String] {
    let pages = [".html", ".htm", ".xhtml", ".xml", ".svg", ".php"]
    return switch self {
    case .pointer: []
    case .page: pages
    case .complaint: pages + [".json", ".jsonl", ".ndjson"]
    case .status: []
    }
  }

  /// Whether the last bytes of a file are those of one.
  func ends(_ tail: [UInt8]) -> Bool {
    let last = tail.last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return switch self {
    case .pointer, .status: true
    case .page: SplitZipName.folded(tail).contains("</html>".utf8)
    case .complaint: last == UInt8(ascii: ">") || last == UInt8(ascii: "}")
    }
  }

  /// Whether it is a page, and the first part is other markup, in which it has no place.
  func isOther(than first: [UInt8]) -> Bool {
    guard case .page = self else { return false }
    let start = SplitZipName.folded(Self.withoutBlanks(first).prefix(5))
    return ["<?xml", "<?php", "<svg"].contains { start.starts(with: $0.utf8) }
  }

  /// Whether the first part begins in the same way, so that all may be pieces of one text.
  ///
  /// - Parameter first: the first bytes of the first part.
  func isText(like first: [UInt8]) -> Bool {
    let start = Self.withoutBlanks(first).first
    return switch self {
    case .pointer: false
    case .page: start == UInt8(ascii: "<")
    case .complaint: start == UInt8(ascii: "<") || start == UInt8(ascii: "{")
    // A text has no controls, but for those that part words and lines.
    case .status: first.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    }
  }
}
