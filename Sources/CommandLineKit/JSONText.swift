package import Posix

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON as programs read it: an object is one line, with its keys in alphabetical order.
package enum JSONText {
  /// One for all: a report may have a million pieces.
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  package static func of(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// A file name: a string where it is UTF-8, otherwise an object that has its bytes in `base64`.
package struct JSONName: Encodable, CustomStringConvertible, Sendable {
  private let path: FilePath
  private enum Keys: CodingKey { case base64 }

  package init(_ path: FilePath) { self.path = path }

  package var description: String { path.description }

  package func encode(to encoder: any Encoder) throws {
    if let text = path.string {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(Data(path.bytes).base64EncodedString(), forKey: .base64)
    }
  }
}
