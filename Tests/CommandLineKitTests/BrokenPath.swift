import Posix

extension FilePath {
  /// A path of text with one byte behind it, which makes it no UTF-8.
  static func broken(_ text: String, _ byte: UInt8 = 0xFF) -> FilePath {
    FilePath(bytes: Array(text.utf8) + [byte])
  }
}
