import Posix

/// The comments behind an entry of cleave's own that have the CRC-32s of its blocks: the size of a
/// block and of the file, in bytes, then as many sums as that makes.
///
/// ```
/// gcd.mp4.zip.001 89945BEF
/// ; blocks: 1048576 2097153
/// ; crc32s: 1A2B3C4D 55667788 00000000
/// ```
struct SFVBlocks {
  private enum Key: String, CaseIterable {
    case blocks, crc32s
  }

  private var size: Int64 = 0
  private var length: Int64 = 0
  /// How many there are to be; nil where nothing is said of blocks.
  private var count: Int64?
  private var crc32s: [UInt32] = []

  /// Takes one comment, without its semicolon; ignores keys that it does not know.
  mutating func take(_ comment: ArraySlice<UInt8>) throws(ManifestComplaint) {
    let text = comment.drop(while: SFV.isBlank)
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let key = Key.allCases.first(where: { text[..<colon].elementsEqual($0.rawValue.utf8) })
    else { return }
    let words = text[(colon + 1)...].split(whereSeparator: SFV.isBlank)
    switch key {
    case .blocks: try begin(words)
    case .crc32s: for word in words { try add(word) }
    }
  }

  private mutating func begin(_ words: [ArraySlice<UInt8>]) throws(ManifestComplaint) {
    guard count == nil else { throw ManifestComplaint("the key blocks appears twice") }
    guard words.count == 2 else { throw ManifestComplaint("the key blocks needs two sizes") }
    (size, length) = (try ManifestNumber.size(words[0]), try ManifestNumber.size(words[1]))
    guard size > 0 else { throw ManifestComplaint("the blocks have no bytes") }
    count = BlockSums.count(length, size)
  }

  private mutating func add(_ word: ArraySlice<UInt8>) throws(ManifestComplaint) {
    guard let count, crc32s.count < count else {
      throw ManifestComplaint("there are more sums than blocks")
    }
    guard let sum = ManifestNumber.checksum(word) else {
      throw ManifestComplaint("the sum of a block is not 8 hexadecimal digits")
    }
    crc32s.append(sum)
  }

  /// The sums; nil where there are none.
  ///
  /// - Parameter crc32: of the file, which the blocks together must have.
  func finished(_ crc32: UInt32) throws(ManifestComplaint) -> BlockSums? {
    guard let count else { return nil }
    guard let sums = BlockSums(size: size, length: length, crc32s: crc32s) else {
      throw ManifestComplaint("of \(count) blocks there are \(crc32s.count) sums")
    }
    guard sums.crc32 == crc32 else {
      throw ManifestComplaint("the blocks are not those of a file with this CRC-32")
    }
    return sums
  }
}

extension BlockSums {
  private static let sumsOfLine = 8

  /// The comments behind the entry of the file.
  func render() -> [UInt8] {
    var bytes = Array("; blocks: \(size) \(length)\n".utf8)
    for start in stride(from: 0, to: crc32s.count, by: Self.sumsOfLine) {
      // bounded: an index of the array and 8
      let sums = crc32s[start..<min(start + Self.sumsOfLine, crc32s.count)]
      bytes += Array("; crc32s:".utf8)
      for sum in sums { bytes += Array(" \(SFV.hex(sum))".utf8) }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Bytes of a manifest that the sums of so many blocks in so many files take, at most.
  package static func renderedSize(blocks: Int64, files: Int64) -> Int64 {
    // bounded: both were counted, and are less than a million
    let lines = blocks / Int64(sumsOfLine) + files
    // bounded: both were counted, and are less than a million
    return blocks * 9 + lines * 10 + files * 52
  }
}
