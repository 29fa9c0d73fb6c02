import Cleave
import Posix

/// How a request to an object store says who asks: "Signature Version 4" of the AWS General Reference.
struct SignatureVersion4 {
  let keys: ObjectStore.Keys
  let region: String
  private let service = "s3"
  /// `20130524T000000Z`.
  let stamp: String

  /// The value of the header `Authorization`.
  ///
  /// - Parameters:
  ///   - path: escaped.
  ///   - query: escaped and sorted.
  ///   - headers: those that are signed, `host` among them; names in lower case.
  ///   - hash: of the body, as ``hash(_:)`` has it.
  /// - Throws: where there is no SHA-256.
  func authorization(
    _ method: String,
    _ path: String,
    _ query: String,
    _ headers: [(String, String)],
    _ hash: String
  ) throws(CleaveError) -> String {
    let sorted = headers.sorted { $0.0 < $1.0 }
    let names = sorted.map(\.0).joined(separator: ";")
    let lines = sorted.map { "\($0.0):\($0.1.trimmed)\n" }.joined()
    let canonical = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(hash)"
    let day = String(stamp.prefix(8))
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(try Self.hash(Array(canonical.utf8)))"
    var key = Array("AWS4\(keys.secret)".utf8)
    for part in [day, region, service, "aws4_request"] {
      key = try Self.hmac(key, Array(part.utf8))
    }
    let signature = Self.hexadecimal(try Self.hmac(key, Array(text.utf8)))
    return
      "AWS4-HMAC-SHA256 Credential=\(keys.id)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
  }

  /// SHA-256 in lower case.
  static func hash(_ bytes: [UInt8]) throws(CleaveError) -> String {
    hexadecimal(try sha256(bytes))
  }

  /// See RFC 2104.
  static func hmac(_ key: [UInt8], _ bytes: [UInt8]) throws(CleaveError) -> [UInt8] {
    var block = key.count > 64 ? try sha256(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = try sha256(block.map { $0 ^ 0x36 } + bytes)
    return try sha256(block.map { $0 ^ 0x5C } + inner)
  }

  private static func sha256(_ bytes: [UInt8]) throws(CleaveError) -> [UInt8] {
    let digest = try RunningDigest(.sha256)
    bytes.withUnsafeBytes { digest.update($0) }
    return try digest.finish().bytes
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map(\.hex).joined()
  }
}
