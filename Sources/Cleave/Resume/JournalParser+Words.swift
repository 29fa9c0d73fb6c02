import Posix

/// What journals and receipts are read by: lines, and the words that stand in both.
extension JournalParser {
  /// The words of the next line without its sum; nil where it is not whole.
  mutating func nextLine() -> [String]? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = bytes[position..<end]
    guard let cut = line.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let words = line[..<cut]
    let check = JournalLines.check(words, behind: lastCheck)
    guard line[(cut + 1)...].elementsEqual(check.utf8) else { return nil }
    (position, number, lastCheck) = (end + 1, number + 1, check)
    return String(decoding: words, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  }

  func source(_ words: [String]) throws(CleaveError) -> Journal.Source {
    guard ["dense", "sparse"].contains(words[6]), let modified = Int64(words[3]),
      let changed = Int64(words[4]), let inode = UInt64(words[5])
    else { throw wrong("has a wrong line") }
    return Journal.Source(
      name: try file(words[1]),
      size: try count(words[2]),
      modified: modified,
      changed: changed,
      inode: inode,
      isSparse: words[6] == "sparse",
      place: place
    )
  }

  func done(_ words: [String]) throws(CleaveError) -> Journal.Done {
    Journal.Done(
      extent: try index(words[1]),
      start: try count(words[2]),
      checksum: try checksum(words[3...])
    )
  }

  /// Nil where it is not from the root.
  static func place(_ word: String) -> FilePath? {
    name(word).flatMap { $0.isAbsolute ? $0 : nil }
  }

  func wrong(_ what: String) -> CleaveError {
    CleaveError(.badData, path, "\(what) (line \(max(number, 1)))")
  }

  func count(_ word: String) throws(CleaveError) -> Int64 {
    guard let value = Int64(word), value >= 0 else { throw wrong("has a wrong number") }
    return value
  }

  func index(_ word: String) throws(CleaveError) -> Int {
    guard let value = Int(word), value >= 0 else { throw wrong("has a wrong number") }
    return value
  }

  func checksum(_ words: ArraySlice<String>) throws(CleaveError) -> Checksum {
    let words = Array(words)
    guard let crc32 = Self.hexadecimal(words[1]), let adler32 = Self.hexadecimal(words[2]) else {
      throw wrong("has a wrong sum")
    }
    return Checksum(count: try count(words[0]), crc32: crc32, adler32: adler32)
  }

  /// A name that does not leave its directory.
  func file(_ word: String) throws(CleaveError) -> FilePath {
    guard let name = Self.name(word), !name.bytes.isEmpty, name != ".", name != "..",
      !name.bytes.contains(UInt8(ascii: "/"))
    else { throw wrong("has a name that no file can have") }
    return name
  }

  static func hexadecimal(_ word: String) -> UInt32? {
    word.utf8.count == 8 && word.allSatisfy(\.isHexDigit) ? UInt32(word, radix: 16) : nil
  }

  static func name(_ word: String) -> FilePath? {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return FilePath(bytes: bytes)
  }
}
