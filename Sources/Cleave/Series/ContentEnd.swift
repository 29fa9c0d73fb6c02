internal import Posix

/// What the bytes of all parts together tell of their end, for formats that do tell.
enum ContentEnd {
  /// It is there, since the start tells where it is.
  case exact(String)
  /// There is something that looks like it: also by chance, and in a stale part.
  case seen(String)
  /// It is not where it should be.
  case absent(String)
  /// The format says nothing of it, or is not known.
  case unknown

  /// - Throws: `.missingInput` where the header tells of more bytes than there are, `.badData` where
  ///   it tells of fewer; the error of reading.
  init(of parts: ZipParts, in series: PartSeries?) throws(CleaveError) {
    let head = try parts.bytes(Int(min(512, parts.count)), at: 0) ?? []
    if let header = SevenZipHeader(head) {
      try header.check(parts, in: series)
      self = .exact("the 7z header tells of \(parts.count) bytes, as many as there are")
    } else if head.dropFirst(257).starts(with: "ustar".utf8) {
      self = try Self.tar(parts)
    } else if head.starts(with: [0x1F, 0x8B, 0x08]) {
      self = try Self.gzip(parts)
    } else {
      self = .unknown
    }
  }

  /// Two records of zeros end a tar file; see `tar(5)`.
  private static func tar(_ parts: ZipParts) throws(CleaveError) -> ContentEnd {
    guard parts.count % 512 == 0, let end = try parts.bytes(1024, at: parts.count - 1024),
      end.allSatisfy({ $0 == 0 })
    else { return .absent("it does not end with the records of zeros that end a tar file") }
    // A file in it may be full of such records.
    return .seen("it ends with the records of zeros that end a tar file")
  }

  /// The trailer has the size before compression, modulo 2³² (RFC 1952). One that Deflate cannot have
  /// made of so many bytes is no trailer; one that it can have may be one by chance.
  private static func gzip(_ parts: ZipParts) throws(CleaveError) -> ContentEnd {
    guard let trailer = try parts.bytes(4, at: parts.count - 4) else { return .unknown }
    let size = Int64(trailer.uint32(at: 0))
    // Stored blocks of up to 65,535 bytes with 5 bytes of header each; a member's 18 bytes and a name.
    let largest = size + size / 65_535 * 5 + 5 + 18 + 1024
    let isPossible =
      parts.count <= largest
      && size <= parts.count.multipliedReportingOverflow(by: 1032).partialValue
    guard parts.count < 1 << 32, !isPossible else { return .unknown }
    return .absent("it does not end with a trailer of gzip that fits so many bytes")
  }
}

/// The first 32 bytes of a 7z archive, which tell how long it is (`7zFormat.txt`).
struct SevenZipHeader {
  static let magic: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
  private static let size: UInt64 = 32

  /// Bytes of the whole archive.
  let total: Int64

  init?(_ head: [UInt8]) {
    guard head.starts(with: Self.magic), head.count >= Self.size else { return nil }
    let (offset, count) = (head.uint64(at: 12), head.uint64(at: 20))
    let (end, isTooLarge) = offset.addingReportingOverflow(count)
    let (total, overflow) = end.addingReportingOverflow(Self.size)
    guard !isTooLarge, !overflow, let total = Int64(exactly: total) else { return nil }
    self.total = total
  }

  /// - Throws: `.missingInput` where parts are missing, `.badData` where there are too many.
  func check(_ parts: ZipParts, in series: PartSeries?) throws(CleaveError) {
    let found = parts.count
    if found < total {
      let next = series.map { ": perhaps from \($0.following.lastComponent) on" } ?? ""
      throw CleaveError(
        .missingInput,
        series?.base ?? parts.layout.paths[parts.layout.parts - 1],
        "\(total - found) of the \(total) bytes that the 7z header tells of are missing\(next)"
      )
    }
    guard found > total else { return }
    let part = parts.layout.part(at: total - 1)
    let isBoundary = parts.layout.starts[part + 1] == total
    let number = isBoundary ? series?.parts[part].number : nil
    throw CleaveError(
      .badData,
      parts.layout.paths[part],
      "the 7z archive ends \(isBoundary ? "with" : "within") this part, and there are "
        + "\(found - total) bytes more; "
        + (number.map { "--last=\($0) merges without them" } ?? "--format=raw joins all")
    )
  }
}
