import Posix

/// Names in the lines of `sha256sum(1)`: a line that begins with a backslash has some in its name, as
/// `\\`, `\n` and `\r`.
enum SumsName {
  static let escape = UInt8(ascii: "\\")

  private static let escapes: [(byte: UInt8, letter: UInt8)] = [
    (escape, escape), (UInt8(ascii: "\n"), UInt8(ascii: "n")),
    (UInt8(ascii: "\r"), UInt8(ascii: "r")),
  ]

  /// The name with escapes where it needs them.
  static func escaped(_ name: FilePath) -> [UInt8] {
    name.bytes.flatMap { byte in
      escapes.first { $0.byte == byte }.map { [escape, $0.letter] } ?? [byte]
    }
  }

  /// The path that a line has.
  static func path(
    _ text: ArraySlice<UInt8>,
    isEscaped: Bool
  ) throws(ManifestComplaint) -> ListedPath {
    // A plain line would have a backslash from a system where it separates.
    isEscaped
      ? try ListedPath(unescaped(text), holdsBackslashes: true) : try ListedPath(text)
  }

  /// The name that a comment has.
  static func name(
    _ text: ArraySlice<UInt8>,
    isEscaped: Bool
  ) throws(ManifestComplaint) -> FilePath {
    let name = isEscaped ? try unescaped(text) : Array(text)
    if let refusal = SFV.refusal(of: name, holdsBackslashes: isEscaped) {
      throw ManifestComplaint(refusal)
    }
    return FilePath(bytes: name)
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) -> [UInt8] {
    var name: [UInt8] = []
    name.reserveCapacity(text.count)
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
      if byte != escape {
        name.append(byte)
        continue
      }
      let letter = bytes.next()
      guard let found = escapes.first(where: { $0.letter == letter }) else {
        throw ManifestComplaint("the name has a backslash that escapes nothing")
      }
      name.append(found.byte)
    }
    return name
  }
}
