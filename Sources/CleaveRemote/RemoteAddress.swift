package import Posix

/// Where a file of another machine is.
enum RemoteAddress: Hashable, Sendable {
  /// What is asked for as it is, but for bytes that an address cannot have.
  case http(FilePath)
  /// An object of a store; the key is empty for the bucket itself.
  case object(bucket: String, key: FilePath)

  static let noBucket = "names no bucket: an object is s3://BUCKET/KEY"

  /// - Throws: `EINVAL` for an address without a host or bucket.
  init(_ path: FilePath, _ call: String) throws(SystemError) {
    let scheme = Array("s3://".utf8)
    if path.bytes.starts(with: scheme) {
      let rest = path.bytes.dropFirst(scheme.count)
      let cut = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      guard cut > rest.startIndex, let bucket = String(validating: rest[..<cut], as: UTF8.self),
        bucket.utf8.allSatisfy({ $0.isUnreserved }), bucket != ".", bucket != ".."
      else {
        // What is in front of an @ may be a password, which may have slashes.
        let isSecret = rest.contains(UInt8(ascii: "@"))
        let shown = isSecret ? FilePath("s3://…") : path
        throw SystemError(call, shown, .invalidArgument, detail: Self.noBucket)
      }
      self = .object(bucket: bucket, key: FilePath(bytes: rest[cut...].dropFirst()))
      return
    }
    let host = path.bytes.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    guard let first = host.first, first != UInt8(ascii: "/") else {
      throw SystemError(call, path, .invalidArgument, detail: "names no host")
    }
    let authority = host.prefix { !"/?".utf8.contains($0) }
    // One with a slash in it seems to end where a port would; an address in brackets has colons.
    let place = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let port = authority[place...].drop { $0 != UInt8(ascii: ":") }.dropFirst()
    let mayGoOn = port.contains { !(48...57).contains($0) }
    if (mayGoOn ? host : authority).contains(UInt8(ascii: "@")) {
      let scheme = FilePath(bytes: path.bytes.prefix { $0 != UInt8(ascii: "/") }).adding("//…")
      let text =
        "has a user or a password in it, which messages and journals would tell: put both into ~/.netrc"
      throw SystemError(call, scheme, .invalidArgument, detail: text)
    }
    self = .http(path)
  }
}

extension FilePath {
  /// An address without the escapes that names do not need, so that `a%20b.001` is `a b.001` of a manifest. Also as
  /// the value of an option: `--manifest=https://…`.
  ///
  /// What would mean something else stays: `/`, `?` and NUL. A query is not touched.
  package var unescapingAddress: FilePath {
    let address = valueOfOption
    guard address.isRemote, !address.isObject else { return self }
    let front = bytes.dropLast(address.bytes.count)
    let end = address.bytes.firstIndex(of: UInt8(ascii: "?")) ?? address.bytes.count
    let text = String(decoding: address.bytes[..<end], as: UTF8.self)
    // Bytes that are no UTF-8 are not what an address has.
    guard Array(text.utf8) == Array(address.bytes[..<end]) else { return self }
    let plain = HTMLIndex.unescaped(text, keeping: Self.keptEscapes)
    return FilePath(bytes: front + plain + address.bytes[end...])
  }

  /// What is behind the sign of `--manifest=https://…`; any other word itself.
  package var valueOfOption: FilePath {
    guard bytes.starts(with: "--".utf8), let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
      return self
    }
    return FilePath(bytes: bytes[(sign + 1)...])
  }

  /// Bytes that stay escaped in names.
  static let keptEscapes = "/?\0"

  /// As a server is asked for it, with what an address cannot have escaped. A query is not touched.
  ///
  /// - Parameter escapes: bytes that an address may have, and that are escaped here all the same.
  func url(escaping escapes: Set<UInt8> = []) -> String {
    url { index, byte in
      byte.isUnreserved || bytes.isKeptEscape(at: index, Self.keptEscapes)
        || byte == UInt8(ascii: "/")
        || Self.reserved.contains(byte) && !escapes.contains(byte)
    }
  }

  /// As a server is asked for what somebody has typed, or a page leads to: with its own escapes.
  var typedURL: String {
    url { index, byte in
      byte.isUnreserved || byte == UInt8(ascii: "/") || Self.reserved.contains(byte)
        || UInt8(percentEscapeIn: bytes, at: index) != nil
    }
  }

  /// The bytes that an address may have, and that are escaped in this one all the same: `+` and `%2B` are not the
  /// same to every server.
  var escapedReserved: Set<UInt8> {
    let path = bytes.prefix { $0 != UInt8(ascii: "?") }
    let escaped = path.indices.compactMap { UInt8(percentEscapeIn: bytes, at: $0) }
    return Set(escaped).intersection(Self.reserved)
  }

  private static let reserved = Set("!$&'()*+,;=:@".utf8)

  /// - Parameter isPlain: whether a byte of the path is not escaped.
  private func url(_ isPlain: (Int, UInt8) -> Bool) -> String {
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    let scheme = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 3 } ?? 0
    let host = bytes[min(scheme, end)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    let path = bytes[host..<end].indices.map { index in
      let byte = bytes[index]
      return isPlain(index, byte) ? String(UnicodeScalar(byte)) : byte.percentEscape
    }
    let query = bytes[end...].map {
      (33...126).contains($0) ? String(UnicodeScalar($0)) : $0.percentEscape
    }
    return String(decoding: bytes[..<host], as: UTF8.self) + path.joined() + query.joined()
  }

  /// As signature version 4 wants it; see RFC 3986, 2.3.
  func percentEncoded(keeping kept: String = "") -> String {
    bytes.map { byte in
      byte.isUnreserved || kept.utf8.contains(byte)
        ? String(UnicodeScalar(byte)) : byte.percentEscape
    }.joined()
  }
}

extension [UInt8] {
  /// Whether an escape at an index stands for one of some bytes, or for the `%` of such an escape: `%2F`, `%252F`.
  func isKeptEscape(at index: Int, _ kept: String) -> Bool {
    guard var byte = UInt8(percentEscapeIn: self, at: index) else { return false }
    var digits = index + 1
    while byte == UInt8(ascii: "%") {
      digits += 2
      guard digits + 1 < count, let high = Character(Unicode.Scalar(self[digits])).hexDigitValue,
        let low = Character(Unicode.Scalar(self[digits + 1])).hexDigitValue
      else { return false }
      byte = UInt8(high << 4 | low)
    }
    return kept.utf8.contains(byte)
  }
}

extension UInt8 {
  var isUnreserved: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
      || "-._~".utf8.contains(self)
  }

  var percentEscape: String { "%" + hex.uppercased() }
}
