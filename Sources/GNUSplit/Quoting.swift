package import Posix

/// Names and values in messages, quoted as the GNU programs quote them.
package enum Quoting {
  /// For a value: between the locale's quotation marks, ‘a’ where characters are UTF-8, or else 'a'.
  package static func text(_ bytes: [UInt8]) -> [UInt8] {
    let isUTF8 = Characters.areUTF8
    let closing = isUTF8 ? Array("’".utf8) : [quote]
    var result = isUTF8 ? Array("‘".utf8) : [quote]
    var rest = bytes[...]
    while let first = rest.first {
      if rest.starts(with: closing) {
        result += [backslash] + closing
        rest = rest.dropFirst(closing.count)
      } else if first == backslash {
        result += [backslash, backslash]
        rest = rest.dropFirst()
      } else {
        let character = Characters.first(of: rest)
        let taken = rest.prefix(character.length)
        result += character.isPrintable ? Array(taken) : taken.flatMap(escape)
        rest = rest.dropFirst(character.length)
      }
    }
    return result + closing
  }

  /// For a name: as a shell reads it, in quotes only where that is needed.
  package static func name(_ path: FilePath) -> [UInt8] {
    needsQuotes(path.bytes) ? always(path) : path.bytes
  }

  /// For a name: as a shell reads it, always in quotes.
  package static func always(_ path: FilePath) -> [UInt8] {
    let bytes = path.bytes
    if bytes.contains(quote), isPlainInDoubleQuotes(bytes) {
      return [doubleQuote] + bytes + [doubleQuote]
    }
    var result = [quote]
    // Whether $' is open.
    var isEscaping = false
    var rest = bytes[...]
    while let first = rest.first {
      let character = Characters.first(of: rest)
      let taken = rest.prefix(character.length)
      rest = rest.dropFirst(character.length)
      if first == quote {
        result += Array(#"'\''"#.utf8)
        isEscaping = false
      } else if character.isPrintable {
        if isEscaping { result += [quote, quote] }
        isEscaping = false
        result += taken
      } else {
        if !isEscaping { result += Array("'$'".utf8) }
        isEscaping = true
        result += taken.flatMap(escape)
      }
    }
    return result + [quote]
  }

  private static let quote = UInt8(ascii: "'")
  private static let doubleQuote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// A byte that cannot be printed, by its letter or its octal digits.
  private static func escape(_ byte: UInt8) -> [UInt8] {
    if (7...13).contains(byte) { return [backslash, Array("abtnvfr".utf8)[Int(byte) - 7]] }
    return [backslash] + [byte >> 6, byte >> 3 & 7, byte & 7].map { $0 | 0x30 }
  }

  /// Whether a shell would take some of it for something else, or a message for the end of the name.
  private static func needsQuotes(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    if "#~".utf8.contains(first) || bytes == [UInt8(ascii: "{")] || bytes == [UInt8(ascii: "}")] {
      return true
    }
    var rest = bytes[...]
    while let byte = rest.first {
      if " !\"$&'()*:;<=>?[\\^`|".utf8.contains(byte) { return true }
      let character = Characters.first(of: rest)
      if !character.isPrintable { return true }
      rest = rest.dropFirst(character.length)
    }
    return false
  }

  /// Whether double quotes do, which are shorter where there are single ones in it.
  private static func isPlainInDoubleQuotes(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let byte = rest.first {
      let isAtStart = rest.startIndex == 0
      if "!\"$&()*;<=>?[\\^`|".utf8.contains(byte) { return false }
      if "#~".utf8.contains(byte), !isAtStart { return false }
      if "{}".utf8.contains(byte), bytes.count > 1 { return false }
      let character = Characters.first(of: rest)
      if !character.isPrintable { return false }
      rest = rest.dropFirst(character.length)
    }
    return true
  }
}
