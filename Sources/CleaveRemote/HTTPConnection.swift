internal import CCurl
import Cleave
import Posix

/// A question to a server.
struct HTTPRequest {
  var method = "GET"
  var url: String
  /// `Name: value`.
  var headers: [String] = []
  /// Whoever asks keeps it until the answer is there.
  var body: UnsafeRawBufferPointer?
  /// Whether the server has much to do before it answers.
  var isLong = false
  /// Whether it goes to an object store.
  var isToStore = false
  /// Whether an answer that leads elsewhere is followed; never from https to http.
  var follows = true
}

/// What a server answers, but for the body.
struct HTTPAnswer: Sendable {
  let status: Int
  /// Names in lower case; of several of one name, the last.
  let headers: [String: String]
  /// Where the answer came from, behind all redirections.
  let url: String

  var size: Int64? { headers["content-length"].flatMap { Int64($0) } }
}

/// Why there is no answer.
struct HTTPFailure: Error {
  enum Kind {
    case noHost, noConnection, timedOut, broken, untrusted, refused, cancelled, noMemory, other
  }
  let kind: Kind
  let text: String

  /// Whether the same question may have an answer in a moment.
  var mayPass: Bool { [.noConnection, .timedOut, .broken].contains(kind) }
}

/// One question at a time, and the connection that is left open for the next one.
///
/// Unchecked: whoever has taken it out of ``HTTPClient`` is the only one to use it.
final class HTTPConnection: @unchecked Sendable {
  /// How long to wait, in milliseconds.
  struct Patience: Sendable {
    var connecting = 15_000
    /// Between two pieces of an answer.
    var idle = 30_000
    /// So many times as long for what servers have much to do for.
    static let long = 10
  }

  private let handle: OpaquePointer
  private let patience: Patience
  private let isCancelled: @Sendable () -> Bool
  /// Milliseconds, of what is under way.
  private var idle = 0
  /// When an answer began that is received as a whole, and what has come of it before.
  private var whole: (start: ContinuousClock.Instant, count: Int)?

  init(
    _ patience: Patience,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(HTTPFailure) {
    guard let handle = ccurl_new() else {
      throw HTTPFailure(kind: .noMemory, text: "libcurl cannot be loaded, or there is no memory")
    }
    (self.handle, self.patience, self.isCancelled) = (handle, patience, isCancelled)
  }

  deinit {
    ccurl_free(handle)
  }

  /// Sends a question, and waits for the headers of the answer.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    end()
    idle = patience.idle * (request.isLong ? Patience.long : 1)
    let headers = CStringList(request.headers + ["accept-encoding: identity"])
    let begun = request.method.withCString { method in
      request.url.withCString { url in
        userAgent.withCString { agent in
          var settings = ccurl_settings()
          (settings.method, settings.url, settings.user_agent) = (method, url, agent)
          settings.headers = UnsafePointer(headers.pointers.baseAddress)
          if request.body != nil || ["PUT", "POST"].contains(request.method) {
            // Never NULL, even where there are no bytes.
            settings.body = request.body?.baseAddress ?? UnsafeRawPointer(url)
          }
          settings.body_size = request.body?.count ?? 0
          settings.follows = request.follows ? 1 : 0
          settings.https_alone = request.url.hasPrefix("https:") ? 1 : 0
          settings.connect_timeout = max(1, patience.connecting / 1000)
          guard let file = Self.authorities(request) else {
            return ccurl_begin(handle, &settings) != 0
          }
          return file.withCString { file in
            settings.authorities = file
            return ccurl_begin(handle, &settings) != 0
          }
        }
      }
    }
    if !begun { throw HTTPFailure(kind: .other, text: told) }
    _ = try receive(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    return HTTPAnswer(
      status: ccurl_status(handle),
      headers: Self.headers(String(cString: ccurl_headers(handle))),
      url: ccurl_effective_url(handle).map { String(cString: $0) } ?? request.url
    )
  }

  /// The file of certificates that are trusted, as curl and the tools of object stores are told of it.
  private static func authorities(_ request: HTTPRequest) -> String? {
    let names = (request.isToStore ? ["AWS_CA_BUNDLE"] : []) + ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
    return names.lazy.compactMap { ProcessState.environment($0) }.first { !$0.isEmpty }
  }

  private var userAgent: String { "cleave/\(cleaveVersion)" }

  /// Receives bytes of the body.
  ///
  /// - Parameter patience: milliseconds after which what has come is enough; nil where it is not.
  /// - Returns: how many; fewer than there is room for only at the end of the answer.
  func receive(
    _ room: UnsafeMutableRawBufferPointer,
    within patience: Int? = nil
  ) throws(HTTPFailure) -> Int {
    var (filled, waited, sent) = (0, 0, ccurl_sent(handle))
    while true {
      if isCancelled() { throw HTTPFailure(kind: .cancelled, text: "interrupted") }
      var count = 0
      let state = ccurl_receive(
        handle,
        room.baseAddress.map { $0 + filled },
        room.count - filled,
        &count,
        CInt(Self.step)
      )
      filled += count
      try requirePace(filled)
      switch state {
      case CCURL_FULL, CCURL_DONE: return filled
      case CCURL_IDLE:
        let isMoving = count > 0 || ccurl_sent(handle) != sent
        sent = ccurl_sent(handle)
        waited = isMoving ? 0 : waited + Self.step
        if let patience, waited >= patience { return filled }
        if waited >= idle {
          let seconds = idle / 1000
          throw HTTPFailure(kind: .timedOut, text: "nothing came for \(seconds) seconds")
        }
      default: throw failure
      }
    }
  }

  /// - Throws: where a page comes so slowly that nobody wants to wait for its end.
  private func requirePace(_ filled: Int) throws(HTTPFailure) {
    guard let whole else { return }
    let seconds = whole.start.duration(to: .now).components.seconds
    let count = whole.count + filled
    guard seconds > idle / 1000 * Patience.long, count / Self.slowest < seconds else { return }
    throw HTTPFailure(kind: .timedOut, text: "\(count) bytes came in \(seconds) seconds")
  }

  /// Bytes a second of what is a page of names, a list or an error.
  private static let slowest = 1024

  /// Milliseconds between two looks at whether somebody wants an end.
  private static let step = 200

  /// The whole body, or as many bytes of it.
  func receiveAll(upTo limit: Int) throws(HTTPFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    defer { piece.deallocate() }
    let start = ContinuousClock.now
    defer { whole = nil }
    while bytes.count < limit {
      whole = (start, bytes.count)
      let count = try receive(piece)
      bytes += piece.prefix(min(count, limit - bytes.count))
      if count < piece.count { break }
    }
    return bytes
  }

  /// Gives up what is under way.
  func end() { ccurl_end(handle) }

  private var failure: HTTPFailure {
    let kind: HTTPFailure.Kind =
      switch ccurl_fault(handle) {
      case CCURL_NO_HOST: .noHost
      case CCURL_NO_CONNECTION: .noConnection
      case CCURL_TIMED_OUT: .timedOut
      case CCURL_BROKEN: .broken
      case CCURL_UNTRUSTED: .untrusted
      case CCURL_REFUSED: .refused
      default: .other
      }
    let remedy =
      kind == .untrusted
      ? " (CURL_CA_BUNDLE, and for stores AWS_CA_BUNDLE, names the file of certificates to trust)"
      : ""
    return HTTPFailure(kind: kind, text: told + remedy)
  }

  /// What libcurl says of the last failure.
  private var told: String { Self.withoutSecrets(String(cString: ccurl_error(handle))) }

  /// A text of libcurl's without what may be a password: it shows the address of a proxy as it was given.
  static func withoutSecrets(_ text: String) -> String {
    if text.contains("proxy"), let first = text.firstIndex(of: "'"),
      let last = text.lastIndex(of: "'"), first < last
    {
      return text[...first] + "…" + text[last...]
    }
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    for index in words.indices where words[index].contains("@") { words[index] = "…" }
    return words.joined(separator: " ")
  }

  private static func headers(_ text: String) -> [String: String] {
    var headers: [String: String] = [:]
    for line in text.utf8.split(whereSeparator: { $0 == 13 || $0 == 10 }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon].map(\.folded), as: UTF8.self)
      let value = line[line.index(after: colon)...].drop { $0 == 32 || $0 == 9 }
      headers[name] = String(decoding: value, as: UTF8.self).trimmed
    }
    return headers
  }
}

extension String {
  /// Without spaces at its ends.
  var trimmed: String {
    let blank: (UInt8) -> Bool = { [9, 10, 13, 32].contains($0) }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !blank($0) }),
      let last = bytes.lastIndex(where: { !blank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}

/// Strings as C wants a list of them, for as long as this lives.
private final class CStringList {
  let pointers: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
  private let strings: [UnsafeMutablePointer<CChar>]

  init(_ texts: [String]) {
    strings = texts.map { text in
      let bytes = Array(text.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      return copy
    }
    // bounded: the headers of a request
    pointers = .allocate(capacity: texts.count + 1)
    pointers.initialize(repeating: nil)
    for (index, string) in strings.enumerated() { pointers[index] = UnsafePointer(string) }
  }

  deinit {
    for string in strings { string.deallocate() }
    pointers.deallocate()
  }
}
