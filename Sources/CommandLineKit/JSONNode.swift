/// A value of JSON; see RFC 8259. A class, since containers are filled after they were handed out.
final class JSONNode {
  private enum Value {
    case text(String)
    /// A number, `true`, `false` or `null`.
    case word(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  private var value = Value.object([:])

  /// The elements of an array.
  var count: Int { if case .array(let elements) = value { elements.count } else { 0 } }

  func beObject() {
    if case .object = value { return }
    value = .object([:])
  }

  func beArray() {
    if case .array = value { return }
    value = .array([])
  }

  /// A new element of an array.
  func element() -> JSONNode {
    let element = JSONNode()
    guard case .array(var elements) = value else { return element }
    // Without the second reference nothing is copied.
    value = .array([])
    elements.append(element)
    value = .array(elements)
    return element
  }

  /// A new member of an object, in the place of one with the same name.
  func member(_ name: String) -> JSONNode {
    let member = JSONNode()
    guard case .object(var members) = value else { return member }
    value = .object([:])
    members[name] = member
    value = .object(members)
    return member
  }

  func setNull() { value = .word("null") }

  /// - Throws: what the value throws; `EncodingError` for an infinity, and for what is no number.
  func set(_ other: some Encodable, _ path: [any CodingKey]) throws {
    switch other {
    case let text as String: value = .text(text)
    case let bool as Bool: value = .word(bool ? "true" : "false")
    case let number as Double: value = .word(try Self.text(number, path))
    case let integer as any BinaryInteger: value = .word("\(integer)")
    default: try other.encode(to: JSONEncoding(node: self, codingPath: path))
    }
  }

  private static func text(_ number: Double, _ path: [any CodingKey]) throws -> String {
    guard number.isFinite else {
      let context = EncodingError.Context(codingPath: path, debugDescription: "not in JSON")
      throw EncodingError.invalidValue(number, context)
    }
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  // MARK: Writing

  /// Appends the value as UTF-8.
  func write(to text: inout [UInt8]) {
    switch value {
    case .text(let string): Self.write(string, to: &text)
    case .word(let word): text += word.utf8
    case .array(let elements):
      text += "[".utf8
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ",".utf8 }
        element.write(to: &text)
      }
      text += "]".utf8
    case .object(let members):
      text += "{".utf8
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += ",".utf8 }
        Self.write(member.key, to: &text)
        text += ":".utf8
        member.value.write(to: &text)
      }
      text += "}".utf8
    }
  }

  private static func write(_ string: String, to text: inout [UInt8]) {
    text += "\"".utf8
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): text += #"\""#.utf8
      case UInt8(ascii: "\\"): text += #"\\"#.utf8
      case 0x08: text += #"\b"#.utf8
      case 0x09: text += #"\t"#.utf8
      case 0x0A: text += #"\n"#.utf8
      case 0x0C: text += #"\f"#.utf8
      case 0x0D: text += #"\r"#.utf8
      case 0..<0x20: text += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
      default: text.append(byte)
      }
    }
    text += "\"".utf8
  }
}
