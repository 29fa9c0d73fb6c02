#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file name as the kernel knows it: bytes without NUL, in no particular encoding.
public struct FilePath: Hashable, Sendable {
  /// The bytes, without a terminating NUL.
  public let bytes: [UInt8]

  /// A path of the bytes before the first NUL.
  public init(bytes: some Sequence<UInt8>) { self.init(cut: Array(bytes)) }

  /// The same of what most paths are made of, which costs other modules no generic code.
  public init(bytes: ArraySlice<UInt8>) { self.init(cut: Array(bytes)) }

  private init(cut bytes: [UInt8]) {
    self.bytes = bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) } ?? bytes
  }

  /// A path of bytes that are known to have no NUL among them.
  init(withoutNUL bytes: [UInt8]) { self.bytes = bytes }

  /// A path from a terminated C string, such as an element of `argv`.
  public init(cString: UnsafePointer<CChar>) {
    bytes = Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
  }

  /// Calls `body` with the path as a terminated C string.
  package func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    var terminated = ContiguousArray<CChar>()
    terminated.reserveCapacity(bytes.count + 1)
    for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
    terminated.append(0)
    return terminated.withUnsafeBufferPointer { buffer in
      // A buffer of at least one element has a base address.
      buffer.baseAddress.map(body) ?? body([0])
    }
  }
}

extension FilePath: ExpressibleByStringLiteral {
  public init(stringLiteral value: StaticString) {
    self.init(bytes: value.withUTF8Buffer { Array($0) })
  }

  /// A path of a string's UTF-8.
  public init(_ string: String) { self.init(bytes: string.utf8) }
}

extension FilePath: Comparable {
  /// Orders by bytes, which is the order of `LC_ALL=C`.
  public static func < (left: FilePath, right: FilePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

// MARK: - Taking apart and putting together

extension FilePath {
  private static let slash = UInt8(ascii: "/")

  private var trimmed: ArraySlice<UInt8> {
    var slice = bytes[...]
    if hasQuery { return slice }
    while slice.count > 1, slice.last == Self.slash { slice.removeLast() }
    return slice
  }

  /// The slash in front of the name; those of a query are no part of the path.
  private var lastSlash: Int? {
    let path = hasQuery ? bytes.prefix { $0 != UInt8(ascii: "?") } : trimmed
    return path.lastIndex(of: Self.slash)
  }

  /// The name in its directory, without trailing slashes; `/` for the root.
  public var lastComponent: FilePath {
    let path = trimmed
    guard path.count > 1, let cut = lastSlash else {
      return FilePath(bytes: path)
    }
    return FilePath(bytes: path[(cut + 1)...])
  }

  /// The directory that the name is in; `.` where the path names none.
  public var directory: FilePath {
    guard let cut = lastSlash else { return "." }
    let head = FilePath(bytes: bytes[..<cut])
    return head.bytes.isEmpty ? "/" : FilePath(bytes: head.trimmed)
  }

  /// Whether the path begins at the root.
  public var isAbsolute: Bool { bytes.first == Self.slash }

  /// Whether the path ends in a slash, and so can only mean a directory.
  public var endsInSlash: Bool { bytes.last == Self.slash && !hasQuery }

  /// Whether the bytes end in those of `suffix`.
  public func ends(in suffix: String) -> Bool {
    bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// The same directory with another name in it; keeps a path without a directory as it is.
  public func sibling(_ name: FilePath) -> FilePath {
    guard let cut = lastSlash else { return name }
    return FilePath(bytes: bytes[...cut] + name.bytes)
  }

  /// The path of `name` inside this directory.
  public func appending(_ name: FilePath) -> FilePath {
    if bytes == [UInt8(ascii: ".")] { return name }
    let separator = bytes.isEmpty || bytes.last == Self.slash ? [] : [Self.slash]
    return FilePath(bytes: bytes + separator + name.bytes)
  }

  /// The path with `suffix` directly behind it.
  public func adding(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }
}

// MARK: - Showing

extension FilePath: CustomStringConvertible {
  /// The name for a message: on one line, and unable to send the terminal a command.
  ///
  /// Control and direction-changing characters and bytes that are not UTF-8 appear as `\n`, `\t`,
  /// `\x1b` and the like, and a backslash as `\\`. The query of an address, and a user and a password in it, are not shown.
  public var description: String {
    let bytes = hidingSecrets.bytes
    // Most names are, and a manifest may have a million of them.
    if bytes.allSatisfy(Self.isShownAsItIs) { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var decoder = UTF8()
    var input = bytes[...].makeIterator()
    var position = 0
    decoding: while true {
      switch decoder.decode(&input) {
      case .scalarValue(let scalar):
        position += UTF8.width(scalar)
        text += Self.shown(scalar)
      case .error:
        // The decoder has read ahead by an unknown amount: show one byte, resume behind it.
        text += "\\x" + bytes[position].hex
        position += 1
        decoder = UTF8()
        input = bytes[position...].makeIterator()
      case .emptyInput: break decoding
      }
    }
    return text
  }

  /// The name as text, if it is UTF-8.
  public var string: String? { String(validating: bytes, as: UTF8.self) }

  /// Printable ASCII, but for the backslash.
  private static func isShownAsItIs(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
      return "\\u{\(String(scalar.value, radix: 16))}"
    case _ where scalar.properties.generalCategory == .control:
      return scalar.utf8.map { "\\x" + $0.hex }.joined()
    default: return String(Character(scalar))
    }
  }
}

extension UInt8 {
  /// Two hexadecimal digits, in lower case.
  package var hex: String { (self < 16 ? "0" : "") + String(self, radix: 16) }

  /// What `%` and two hexadecimal digits at an index stand for.
  package init?(percentEscapeIn bytes: [UInt8], at index: Int) {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
      let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
    else { return nil }
    self = UInt8(high << 4 | low)
  }
}

extension [UInt8] {
  /// The same without percent escapes.
  ///
  /// - Parameter isKept: whether the one at an index stays.
  package func withoutPercentEscapes(keeping isKept: (Int) -> Bool = { _ in false }) -> [UInt8] {
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < count {
      if let byte = UInt8(percentEscapeIn: self, at: index), !isKept(index) {
        result.append(byte)
        index += 3
      } else {
        result.append(self[index])
        index += 1
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var utf8: [UInt8] { Array(String(Character(self)).utf8) }
}

// MARK: - For a command line

extension FilePath {
  /// The name as an argument that a person types or pastes: one word of one line, which no shell takes
  /// for anything else; see `sh(1)`, "Quoting". What messages do not show as it is stands between `$'` and
  /// `'`, with its bytes as octal digits.
  public var quoted: String {
    let shown = hidingSecrets
    if isRemote, self != shown { return shown.quoted }
    let text = description
    guard string == text else { return "$'" + bytes.map(Self.escaped).joined() + "'" }
    if !bytes.isEmpty, bytes.allSatisfy(Self.isPlain) { return text }
    // Between these some characters keep a meaning; between the others, none does.
    if !bytes.contains(where: Array("\"$`!".utf8).contains) { return "\"\(text)\"" }
    return "'" + text.substituting("'", with: #"'\''"#) + "'"
  }

  /// The same as an operand, which no command takes for an option.
  package var quotedOperand: String {
    (bytes.first == UInt8(ascii: "-") && self != "-" ? FilePath("./").appending(self) : self).quoted
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || "-._/=+,:@%".utf8.contains(byte) || byte >= 0x80
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\\"): return #"\\"#
    case UInt8(ascii: "'"): return #"\'"#
    case 0x20..<0x7F: return String(UnicodeScalar(byte))
    default:
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
  }
}
