package import Posix

/// JSON as programs read it: an object is one line, with its keys in alphabetical order.
///
/// `FoundationEssentials` has an encoder, too, but with it every start takes 1 ms and 2 MiB more.
package enum JSONText {
  /// - Throws: what the value throws, and `EncodingError` for a number that JSON has not.
  package static func of(_ value: some Encodable) throws -> String {
    let node = JSONNode()
    try node.set(value, [])
    var text: [UInt8] = []
    node.write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

/// A file name: a string where it is UTF-8, otherwise an object that has its bytes in `base64`. The
/// query of an address is not told: it may be secret.
package struct JSONName: Encodable, CustomStringConvertible, Sendable {
  private let path: FilePath
  private enum Keys: CodingKey { case base64 }

  package init(_ path: FilePath) { self.path = path.hidingQuery }

  package var description: String { path.description }

  package func encode(to encoder: any Encoder) throws {
    if let text = path.string {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(Self.base64(path.bytes), forKey: .base64)
    }
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// See RFC 4648, section 4.
  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      let bits = (0..<3).reduce(0) { $0 << 8 | (group.count > $1 ? Int(bytes[start + $1]) : 0) }
      for place in 0...3 {
        let digit = digits[bits >> (18 - 6 * place) & 63]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
