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
        // What is in front of an @ may be a password.
        let isSecret = rest[..<cut].contains(UInt8(ascii: "@"))
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
    let authority = host.prefix { $0 != UInt8(ascii: "/") }
    // One with a slash in it seems to end where a port would; an address in brackets has colons.
    let place = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let port = authority[place...].drop { $0 != UInt8(ascii: ":") }.dropFirst()
    let mayGoOn = port.contains { !(48...57).contains($0) }
    if (mayGoOn ? host : authority).contains(UInt8(ascii: "@")) {
      let scheme = FilePath(bytes: path.bytes.prefix { $0 != UInt8(ascii: "/") }).adding("//…")
      let text =
        "has a password in it, which messages and journals would tell: put it into ~/.netrc"
      throw SystemError(call, scheme, .invalidArgument, detail: text)
    }
    self = .http(path)
  }
}

extension FilePath {
  /// An address without the escapes that names do not need, so that `a%20b.001` is `a b.001` of a manifest.
  ///
  /// What would mean something else stays: `/`, `?` and NUL. A query is not touched.
  package var unescapingAddress: FilePath {
    guard isRemote, !bytes.starts(with: Array("s3:".utf8)) else { return self }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    // Bytes that are no UTF-8 are not what an address has.
    guard Array(text.utf8) == Array(bytes[..<end]) else { return self }
    let plain = HTMLIndex.unescaped(text, keeping: Self.keptEscapes)
    return FilePath(bytes: plain + bytes[end...])
  }

  /// Bytes that stay escaped in names.
  static let keptEscapes = "/?\0"

  /// As a server is asked for it: what an address cannot have, escaped. A query is not touched.
  var url: String {
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    let scheme = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 3 } ?? 0
    let host = bytes[min(scheme, end)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
    let path = bytes[host..<end].indices.map { index -> String in
      let byte = bytes[index]
      let isEscape =
        UInt8(percentEscapeIn: bytes, at: index).map { Self.keptEscapes.utf8.contains($0) } ?? false
      return byte.isUnreserved || isEscape || "/!$&'()*+,;=:@".utf8.contains(byte)
        ? String(UnicodeScalar(byte)) : byte.percentEscape
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

extension UInt8 {
  var isUnreserved: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
      || "-._~".utf8.contains(self)
  }

  /// What `%` and two hexadecimal digits at an index stand for.
  init?(percentEscapeIn bytes: [UInt8], at index: Int) {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
      let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
    else { return nil }
    self = UInt8(high << 4 | low)
  }

  var percentEscape: String {
    "%" + (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true)
  }
}
