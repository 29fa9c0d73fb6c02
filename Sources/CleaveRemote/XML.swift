/// What is needed of the answers of object stores: the texts of elements that do not nest in each other.
enum XML {
  /// The text of the first element of a name; nil where that is more than a text.
  static func value(of name: String, in bytes: some Collection<UInt8>) -> String? {
    guard let found = elements(name, in: bytes).next(), !found.contains(UInt8(ascii: "<")) else {
      return nil
    }
    return text(found)
  }

  /// What is in each element of a name, in order.
  static func elements(
    _ name: String,
    in bytes: some Collection<UInt8>
  ) -> AnyIterator<ArraySlice<UInt8>> {
    let (start, end) = (Array("<\(name)".utf8), Array("</\(name)>".utf8))
    var rest = Array(bytes)[...]
    return AnyIterator {
      while let first = place(of: start, in: rest) {
        rest = rest[(first + start.count)...]
        // Another element's name may begin like this one's.
        guard let next = rest.first, [9, 10, 13, 32, 47, 62].contains(next) else { continue }
        guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let isEmpty = rest[..<close].last == UInt8(ascii: "/")
        rest = rest[(close + 1)...]
        if isEmpty { return [] }
        guard let last = place(of: end, in: rest) else { return nil }
        defer { rest = rest[(last + end.count)...] }
        return rest[..<last]
      }
      return nil
    }
  }

  /// Whether as many elements of a name end as begin.
  static func areClosed(_ name: String, in bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    func count(_ tag: String) -> Int { bytes.ranges(of: Array(tag.utf8)).count }
    return Array(elements(name, in: bytes)).count == count("</\(name)>") + count("<\(name)/>")
      && count("<\(name)>") <= count("</\(name)>")
  }

  /// Where a tag begins that is not in a comment.
  private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while let next = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[next...]
      if rest.starts(with: wanted) { return next }
      guard rest.starts(with: "<!--".utf8) else {
        rest = rest.dropFirst()
        continue
      }
      // Behind one without an end there is nothing.
      guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
      rest = rest[end.upperBound...]
    }
    return nil
  }

  /// A text that is in an element.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Bytes without references to characters.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    var rest = Array(bytes)[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += String(decoding: rest[..<place], as: UTF8.self)
      rest = rest[place...]
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { break }
      let name = String(decoding: rest[(place + 1)..<end], as: UTF8.self)
      if let character = Self.character(name) {
        text.unicodeScalars.append(character)
        rest = rest[(end + 1)...]
      } else {
        text += "&"
        rest = rest.dropFirst()
      }
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }
  }
}
