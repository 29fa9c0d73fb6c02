public import Posix

/// What Total Commander writes beside the parts of a file: its name, size and CRC-32.
///
/// ```
/// filename=film.avi
/// size=641144843
/// crc32=1A2B3C4D
/// ```
///
/// There is no standard; Total Commander's and Krusader's files are followed.
public struct TotalCommanderCRC: Hashable, Sendable {
  /// What the whole is called, without a directory.
  public var name: FilePath
  /// Bytes, not negative.
  public var size: Int64
  /// The CRC-32 of all of its bytes.
  public var crc32: UInt32

  /// What is said of a file.
  public init(name: FilePath, size: Int64, crc32: UInt32) {
    (self.name, self.size, self.crc32) = (name, size, crc32)
  }

  /// The manifest's bytes, in the lines of Windows. A name that is not ASCII stands there twice, since
  /// the encoding of the first is the system's.
  public func render() -> [UInt8] {
    var bytes = Array("filename=".utf8) + name.bytes + Array("\r\n".utf8)
    if name.string != nil, !name.bytes.allSatisfy({ $0 < 0x80 }) {
      bytes += Array("filenameutf8=".utf8) + name.bytes + Array("\r\n".utf8)
    }
    // bounded: lists of bytes
    return bytes + Array("size=\(size)\r\ncrc32=\(SFV.hex(crc32))\r\n".utf8)
  }
}

// MARK: - Reading

extension TotalCommanderCRC {
  private enum Key: String, CaseIterable {
    case filename, filenameutf8, size, crc32
  }

  /// Reads the bytes of a manifest.
  ///
  /// Lines end in LF or CRLF, keys are of either case, and those that are not known do not matter.
  /// What leads to the name's directory is left out.
  ///
  /// - Parameter bytes: of all of the file.
  /// - Parameter path: the manifest's own, for messages.
  /// - Throws: `.badData`, with the line, for a value that is wrong, a key that is there twice, and
  ///   one that is missing.
  public static func parse(
    _ bytes: [UInt8],
    path: FilePath
  ) throws(CleaveError) -> TotalCommanderCRC {
    var lines = ManifestLines(bytes)
    var values = Values()
    do {
      while let line = lines.next() { try values.take(line) }
      return try values.finished()
    } catch {
      throw CleaveError(.badData, path, "line \(lines.number): \(error.text)")
    }
  }

  /// Whether a line is one of the keys and its value.
  static func isLine(_ text: ArraySlice<UInt8>) -> Bool { key(text) != nil }

  private static func key(_ text: ArraySlice<UInt8>) -> (Key, ArraySlice<UInt8>)? {
    guard let cut = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = String(decoding: SplitZipName.folded(text[..<cut].withoutBlanks), as: UTF8.self)
    return Key(rawValue: name).map { ($0, text[(cut + 1)...]) }
  }

  private struct Values {
    private var seen: Set<Key> = []
    private var local: FilePath?
    private var unicode: FilePath?
    private var size: Int64 = 0
    private var crc32: UInt32 = 0

    mutating func take(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
      guard let (key, value) = TotalCommanderCRC.key(text) else {
        if text.contains(UInt8(ascii: "=")) || text.allSatisfy(SFV.isBlank) { return }
        throw ManifestComplaint("is not a key and a value")
      }
      if !seen.insert(key).inserted {
        throw ManifestComplaint("the key \(key.rawValue) appears twice")
      }
      switch key {
      case .filename: local = try Self.name(value)
      case .filenameutf8:
        let name = try Self.name(value)
        guard name.string != nil else { throw ManifestComplaint("the filenameutf8 is not UTF-8") }
        unicode = name
      case .size: size = try ManifestNumber.size(value)
      case .crc32:
        guard let sum = ManifestNumber.checksum(value) else {
          throw ManifestComplaint("the crc32 is not 8 hexadecimal digits")
        }
        crc32 = sum
      }
    }

    /// The last component of a path of Windows or Unix.
    private static func name(_ value: ArraySlice<UInt8>) throws(ManifestComplaint) -> FilePath {
      let separators = Array("/\\".utf8)
      // bounded: an index of the array
      let cut = value.lastIndex(where: separators.contains).map { $0 + 1 } ?? value.startIndex
      if let refusal = SFV.refusal(of: value[cut...]) { throw ManifestComplaint(refusal) }
      return FilePath(bytes: value[cut...])
    }

    func finished() throws(ManifestComplaint) -> TotalCommanderCRC {
      guard let name = unicode ?? local else { throw Self.missing(.filename) }
      for key in [Key.size, .crc32] where !seen.contains(key) { throw Self.missing(key) }
      return TotalCommanderCRC(name: name, size: size, crc32: crc32)
    }

    private static func missing(_ key: Key) -> ManifestComplaint {
      ManifestComplaint("the key \(key.rawValue) is missing")
    }
  }
}
