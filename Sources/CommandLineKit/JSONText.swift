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

  package init(_ path: FilePath) { self.path = path.hidingSecrets }

  package var description: String { path.description }

  package func encode(to encoder: any Encoder) throws {
    if let text = path.string {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(Base64.text(of: path.bytes), forKey: .base64)
    }
  }
}
