/// A JSON object whose values are texts, whole numbers and words; see RFC 8259.
///
/// Enough for what other programs note down beside parts, and nothing in it can nest.
enum FlatJSON {
  enum Value: Hashable {
    case text(String)
    case number(Int64)
    /// `true`, `false` or `null`.
    case word(String)
  }

  static func parse(_ bytes: [UInt8]) throws(ManifestComplaint) -> [String: Value] {
    var parser = Parser(rest: bytes[...])
    return try parser.object()
  }

  private struct Parser {
    var rest: ArraySlice<UInt8>

    mutating func object() throws(ManifestComplaint) -> [String: Value] {
      var values: [String: Value] = [:]
      guard take("{") else { throw refused }
      if !take("}") {
        repeat {
          guard take("\"") else { throw refused }
          let key = try text()
          guard take(":"), values.updateValue(try value(), forKey: key) == nil else {
            throw refused
          }
        } while take(",")
        guard take("}") else { throw refused }
      }
      skipBlanks()
      guard rest.isEmpty else { throw refused }
      return values
    }

    private let refused = ManifestComplaint("is not a flat JSON object")

    private mutating func skipBlanks() {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func value() throws(ManifestComplaint) -> Value {
      if take("\"") { return .text(try text()) }
      let token = rest.prefix { byte in
        byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      }
      rest = rest[token.endIndex...]
      let word = String(decoding: token, as: UTF8.self)
      if ["true", "false", "null"].contains(word) { return .word(word) }
      // The plus sign and leading zeros that Swift would take are no JSON.
      guard let number = Int64(word), "\(number)" == word else { throw refused }
      return .number(number)
    }

    /// What follows a quotation mark, up to the next and with it.
    private mutating func text() throws(ManifestComplaint) -> String {
      var bytes: [UInt8] = []
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""):
          guard let text = String(validating: bytes, as: UTF8.self) else { throw refused }
          return text
        case UInt8(ascii: "\\"):
          // Those with digits stand for characters that nothing here needs.
          guard let letter = rest.popFirst(), Array("\"\\/".utf8).contains(letter) else {
            throw refused
          }
          bytes.append(letter)
        case 0..<0x20: throw refused
        default: bytes.append(byte)
        }
      }
      throw refused
    }
  }
}
