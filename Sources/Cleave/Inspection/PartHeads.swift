internal import Posix

/// The first bytes of some of the parts.
struct PartHeads {
  struct Head {
    let index: Int
    let path: FilePath
    /// Bytes of the part.
    let size: Int64
    /// At most ``FileFormat/headSize`` of them.
    let bytes: [UInt8]
    /// What the part begins like.
    let format: FileFormat?

    var name: FilePath { path.lastComponent }
  }

  /// Those of the first parts and of the last one, in order.
  private(set) var typical: [Head] = []
  /// Those of other parts, which are smaller than the first one.
  private(set) var small: [Head] = []
  let parts: JoinedBytes

  /// So many that a directory of thousands takes no time.
  private static let most = (typical: 8, small: 64)

  /// - Throws: the error of reading.
  init(of parts: JoinedBytes) throws(CleaveError) {
    self.parts = parts
    let sizes = parts.layout.sizes
    let last = sizes.count - 1
    for index in sizes.indices where index < Self.most.typical || index == last {
      typical.append(try head(index))
    }
    guard last >= Self.most.typical, let full = sizes.first else { return }
    for index in Self.most.typical..<last where sizes[index] < full {
      small.append(try head(index))
      if small.count == Self.most.small { break }
    }
  }

  var all: [Head] { typical + small }

  /// The first line of all that have any, as far as their heads go, with text behind it; nil where they begin
  /// otherwise, or with what hardly tells more than that a record begins.
  var commonLine: [UInt8]? {
    let heads = all.map(\.bytes).filter { !$0.isEmpty }
    guard heads.count > 1, let first = heads.first else { return nil }
    let feed = UInt8(ascii: "\n")
    let line = Array(first.prefix { $0 != feed }) + [feed]
    let isWord = { (byte: UInt8) in
      PartAlphabet.letters.contains(byte) || PartAlphabet.decimal.contains(byte) || byte >= 0x80
    }
    guard line.contains(where: isWord), !line.contains(0), !line.starts(with: "BEGIN:".utf8),
      first.count > line.count
    else { return nil }
    return heads.allSatisfy { $0.starts(with: line) } ? line : nil
  }

  /// Whether all that have any begin with the same line, with a word in it, as tables with a header do. Marks of the encoding
  /// and of the ends of lines count for nothing.
  var repeatHeader: Bool {
    let lines = all.map { head in
      let text = head.bytes.dropFirst(head.bytes.starts(with: Self.mark) ? Self.mark.count : 0)
      return text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }.filter { !$0.isEmpty }
    guard let first = lines.first, first.contains(where: PartAlphabet.letters.contains) else {
      return false
    }
    return lines.count > 1 && lines.allSatisfy { $0 == first }
  }

  /// In front of text in UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The last bytes of a part, or nil where it has fewer.
  func tail(_ count: Int, of head: Head) throws(CleaveError) -> [UInt8]? {
    guard head.size >= count else { return nil }
    return try parts.bytes(count, at: parts.layout.starts[head.index + 1] - Int64(count))
  }

  private func head(_ index: Int) throws(CleaveError) -> Head {
    let range = parts.layout.range(index)
    let count = min(FileFormat.headSize, Int(clamping: range.count64))
    let bytes = try parts.bytes(count, at: range.lowerBound) ?? []
    var format = FileFormat.of(bytes, size: range.count64)
    if format == nil { format = try distant(range) }
    return Head(
      index: index,
      path: parts.layout.paths[index],
      size: range.count64,
      bytes: bytes,
      format: format
    )
  }

  /// The kind of a part by what is far behind its first bytes, or at its end; asked of others than the first
  /// one only where that is of such a kind.
  private func distant(_ range: Range<Int64>) throws(CleaveError) -> FileFormat? {
    let first = typical.first?.format?.kind
    for format in FileFormat.distant where typical.isEmpty || format.kind == first {
      for magic in format.magics {
        let offset = Int64(magic.offset)
        // bounded: both are within some bytes of a file
        let place = offset < 0 ? range.upperBound + offset : range.lowerBound + offset
        let count = magic.bytes.count
        guard range.contains(place), range.upperBound - place >= count else { continue }
        if try parts.bytes(count, at: place) == magic.bytes { return format }
      }
    }
    return nil
  }
}
