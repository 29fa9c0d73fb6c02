public import Posix

/// Which names a manifest may hold.
extension SFV {
  /// Bytes: 255 units of UTF-16, the most that common file systems have, in UTF-8. A longer one is
  /// no name, and would only make the message that repeats it as long.
  static let longestName = 765

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether cleave and the usual tools read a name back from a line of a manifest.
  ///
  /// Tried with RHash 1.4.3 (`rhash -c`) and cksfv 1.3.15 (`cksfv -f`). One control character makes
  /// RHash refuse the whole manifest as no text; it takes off blanks at either end and a `*` or a
  /// byte order mark in front, skips lines that start with `#`, and takes `magnet:?` for a link. It
  /// and tools for Windows read `\` as a separator.
  public static func canHold(_ name: FilePath) -> Bool {
    let bytes = name.bytes
    guard refusal(of: bytes) == nil, let first = bytes.first, let last = bytes.last else {
      return false
    }
    if isBlank(first) || isBlank(last) || Array(";#*".utf8).contains(first) { return false }
    if bytes.starts(with: byteOrderMark) || bytes.starts(with: "magnet:?".utf8) { return false }
    return bytes.allSatisfy { $0 >= UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// What is wrong with a name in a manifest, or nil for a name in the manifest's own directory.
  ///
  /// A manifest comes from elsewhere, and must not lead a reader out of its directory.
  ///
  /// - Parameter holdsBackslashes: whether a backslash is known to be the name's own.
  static func refusal(
    of name: some Collection<UInt8>,
    holdsBackslashes: Bool = false
  ) -> String? {
    if name.isEmpty { return "the name is empty" }
    if name.count > longestName { return "the name has \(name.count) bytes, too many for a file" }
    if name.contains(0) { return "the name holds a NUL byte" }
    let path = FilePath(bytes: name)
    if path == "." || path == ".." { return "the name \(path) is a directory's" }
    let isSeparated = !holdsBackslashes && name.contains(UInt8(ascii: "\\"))
    if isSeparated || name.contains(UInt8(ascii: "/")) {
      return "the name \(path) holds a path separator"
    }
    return nil
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
