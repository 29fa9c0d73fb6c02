import Cleave
import Posix

/// Where object stores are, and who asks: from the environment and the files that other tools read, too.
///
/// `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_PROFILE`, `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`,
/// `AWS_IGNORE_CONFIGURED_ENDPOINT_URLS`.
struct ObjectStore: Sendable {
  struct Keys: Sendable {
    var id: String
    var secret: String
    var token: String?

    init(id: String, secret: String, token: String? = nil) {
      (self.id, self.secret, self.token) = (id, secret, token)
    }

    /// Those of a profile, if it has any.
    fileprivate init?(stored: [String: String]) {
      guard let id = stored["aws_access_key_id"], let secret = stored["aws_secret_access_key"]
      else {
        return nil
      }
      self.init(id: id, secret: secret, token: stored["aws_session_token"])
    }
  }

  /// `https://host[:port]`; nil for Amazon's own.
  var endpoint: String?
  var region = "us-east-1"
  /// Nil for those that anybody may read.
  var keys: Keys?
  /// Whether the bucket is the first part of the path, and not of the host's name.
  var usesPaths = false
  /// The profile that was asked for, where no file has it.
  private(set) var lackingProfile: String?
  /// The setting by which a profile gets its keys, where that is a way of which nothing is known here.
  private(set) var foreignKeys: String?

  init(_ environment: (String) -> String?, read: (FilePath) -> [UInt8]?) {
    func named(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let home = named("HOME").map { FilePath($0).appending(".aws") } ?? ".aws"
    let files = [
      named("AWS_SHARED_CREDENTIALS_FILE").map { FilePath($0) } ?? home.appending("credentials"),
      named("AWS_CONFIG_FILE").map { FilePath($0) } ?? home.appending("config"),
    ]
    let wanted = named("AWS_PROFILE") ?? named("AWS_DEFAULT_PROFILE")
    let sections = files.map { Self.sections(of: read($0) ?? []) }
    let profiles = sections.map { $0[.profile(wanted ?? "default")] }
    if let wanted, wanted != "default", profiles.allSatisfy({ $0 == nil }) {
      lackingProfile = wanted
    }
    var stored = profiles[1] ?? [:]
    if let name = stored["services"] {
      stored.merge(sections[1][.services(name)] ?? [:]) { own, _ in own }
    }
    stored.merge(profiles[0] ?? [:]) { $1 }
    let ignores =
      named("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") ?? stored["ignore_configured_endpoint_urls"]
    if ignores?.lowercased() != "true" {
      endpoint =
        named("AWS_ENDPOINT_URL_S3") ?? named("AWS_ENDPOINT_URL") ?? stored["s3.endpoint_url"]
        ?? stored["endpoint_url"]
    }
    while endpoint?.hasSuffix("/") == true { endpoint?.removeLast() }
    region =
      named("AWS_REGION") ?? named("AWS_DEFAULT_REGION") ?? stored["region"] ?? "us-east-1"
    if let id = named("AWS_ACCESS_KEY_ID"), let secret = named("AWS_SECRET_ACCESS_KEY") {
      keys = Keys(id: id, secret: secret, token: named("AWS_SESSION_TOKEN"))
    } else {
      // All of one file: a token is for its own keys.
      keys = profiles.lazy.compactMap { $0.flatMap(Keys.init(stored:)) }.first
    }
    foreignKeys = keys == nil ? Self.waysToKeys.first { stored[$0] != nil } : nil
    let style = stored["s3.addressing_style"] ?? stored["addressing_style"]
    usesPaths = style.map { $0 == "path" } ?? (endpoint != nil)
  }

  private static let waysToKeys = [
    "credential_process", "role_arn", "sso_session", "sso_start_url", "login_session",
  ]

  private static let schemes = ["https://", "http://"]

  /// An error of the store's, with why it may have been asked without keys.
  func explaining(_ error: SystemError) -> SystemError {
    guard error.errno == .permissionDenied, keys == nil else { return error }
    let why =
      foreignKeys.map {
        "the keys of its profile come by \($0), which is not done here: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and "
          + "AWS_SESSION_TOKEN name them"
      } ?? "it was asked without keys"
    let text = "\(error.detail ?? "the server refuses"); \(why)"
    return SystemError(error.call, error.path, error.errno, detail: text)
  }

  /// Whether the endpoint is an address of a host.
  var hasSoundEndpoint: Bool {
    guard let endpoint else { return true }
    guard let scheme = Self.schemes.first(where: endpoint.hasPrefix) else { return false }
    let host = endpoint.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    return !host.isEmpty && host.first != UInt8(ascii: ":")
      && host.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "@") }
      && !endpoint.utf8.contains { "?#".utf8.contains($0) }
  }

  /// Bytes.
  private static let largestHashed = 64 << 10

  /// What a section of a file is about.
  enum Section: Hashable {
    case profile(String)
    /// Settings for several services, which profiles refer to.
    case services(String)

    /// - Parameter line: begins with a bracket. There may be a comment behind the other one.
    fileprivate init?(_ line: String) {
      guard let end = line.firstIndex(of: "]") else { return nil }
      let text = String(line[..<end].dropFirst()).trimmed
      let word = String(text.prefix { $0 != " " && $0 != "\t" })
      var name = String(text.dropFirst(word.count)).trimmed
      if name.count > 1, let quote = name.first, "\"'".contains(quote), name.last == quote {
        name = String(name.dropFirst().dropLast())
      }
      switch word {
      case "profile" where !name.isEmpty: self = .profile(name)
      case "services" where !name.isEmpty: self = .services(name)
      default: self = .profile(text)
      }
    }
  }

  /// The settings of each section; those of a nested one as `s3.name`.
  static func sections(of bytes: [UInt8]) -> [Section: [String: String]] {
    var sections: [Section: [String: String]] = [:]
    var (current, nest): (Section?, String) = (nil, "")
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    for line in rest.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      let isNested = line.first == 32 || line.first == 9
      let text = String(decoding: line, as: UTF8.self).trimmed
      if text.hasPrefix("#") || text.hasPrefix(";") || text.isEmpty { continue }
      if text.hasPrefix("[") {
        // What is below a section that is not understood counts for no other.
        (current, nest) = (Section(text), "")
        if let current, sections[current] == nil { sections[current] = [:] }
        continue
      }
      guard let current, let cut = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
        continue
      }
      let name = String(text[..<cut]).trimmed.lowercased()
      let value = String(text[text.index(after: cut)...]).trimmed
      if !isNested { nest = value.isEmpty ? name + "." : "" }
      if !value.isEmpty { sections[current]?[isNested ? nest + name : name] = value }
    }
    return sections
  }

  /// The scheme and host, and the path of a key, which is escaped as a signature wants it.
  func place(_ bucket: String, _ key: FilePath) -> (origin: String, host: String, path: String) {
    let origin = endpoint ?? "https://s3.\(region).amazonaws.com"
    let scheme = Self.schemes.first(where: origin.hasPrefix) ?? ""
    let rest = origin.dropFirst(scheme.count)
    let host = String(rest.prefix { $0 != "/" })
    // A gateway may have its stores below a path.
    let front = String(rest.dropFirst(host.count))
    let path = "/" + key.percentEncoded(keeping: "/")
    // The certificate of a host does not cover names with another dot in them.
    if usesPaths || bucket.utf8.contains(UInt8(ascii: ".")) {
      return (scheme + host, host, "\(front)/\(bucket)" + (key.bytes.isEmpty ? "" : path))
    }
    return ("\(scheme)\(bucket).\(host)", "\(bucket).\(host)", front + path)
  }

  /// A question about an object or a bucket, signed where there are keys.
  ///
  /// - Parameters:
  ///   - query: names and values, not escaped.
  ///   - headers: in lower case.
  ///   - body: of more than a few bytes, what vouches for it is its sum in a header.
  func request(
    _ method: String,
    _ bucket: String,
    _ key: FilePath,
    query: [(String, String)] = [],
    headers: [(String, String)] = [],
    body: UnsafeRawBufferPointer? = nil
  ) throws(SystemError) -> HTTPRequest {
    let (origin, host, path) = place(bucket, key)
    let pairs = query.map { name, value in
      "\(FilePath(name).percentEncoded())=\(FilePath(value).percentEncoded())"
    }.sorted()
    let text = pairs.joined(separator: "&")
    var request = HTTPRequest(url: origin + path + (text.isEmpty ? "" : "?\(text)"))
    // A signature is for one host.
    (request.method, request.body, request.follows) = (method, body, false)
    request.isToStore = true
    var all = headers
    if let keys {
      let stamp = ProcessState.utcStamp
      do throws(CleaveError) {
        let isLarge = (body?.count ?? 0) > Self.largestHashed
        let hash =
          isLarge ? "UNSIGNED-PAYLOAD" : try SignatureVersion4.hash(body.map(Array.init) ?? [])
        all += [("host", host), ("x-amz-content-sha256", hash), ("x-amz-date", stamp)]
        if let token = keys.token { all.append(("x-amz-security-token", token)) }
        let signature = SignatureVersion4(keys: keys, region: region, stamp: stamp)
        all.append(("authorization", try signature.authorization(method, path, text, all, hash)))
      } catch {
        throw SystemError(
          "read",
          FilePath("s3://\(bucket)/"),
          .notSupported,
          detail: "signing \(RunningDigest.lack)"
        )
      }
    }
    request.headers = all.map { "\($0.0): \($0.1)" }
    return request
  }
}
