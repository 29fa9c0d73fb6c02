internal import Posix

/// What the bytes of all parts together tell of their end, for formats that do tell.
enum ContentEnd {
  /// It is there, since the start tells where it is.
  case exact(String)
  /// There is something that looks like it: also by chance, and in a stale part.
  case seen(String)
  /// It is not where it must be.
  ///
  /// - Parameter isCut: whether what is there tells of more bytes, so that no trailer of a program's own explains it.
  case absent(String, isCut: Bool = false)
  /// It is where a part begins, from 0: that one and those behind it are hardly of the same file.
  case before(part: Int, String)
  /// The format says nothing of it, is not known, or leaves it to who writes it.
  case unknown

  /// What is said of an end that is not there.
  ///
  /// - Parameters:
  ///   - text: why.
  ///   - base: what the parts make, or the first of them.
  ///   - cause: what follows from that, as a clause.
  static func doubt(_ text: String, of base: FilePath, _ cause: String) -> Doubt {
    Doubt(
      .end,
      base,
      "\(text), so that \(cause); \(.format(.raw)) joins the bytes that are there"
    )
  }

  /// - Throws: `.badData` where a header tells of fewer bytes than there are, or a part was cut short; the error of
  ///   reading.
  init(of parts: JoinedBytes, in series: PartSeries?) throws(CleaveError) {
    let head = try parts.bytes(Int(min(512, parts.count)), at: 0) ?? []
    if let header = SevenZipHeader(head) {
      self =
        try header.missing(behind: parts, in: series).map { .absent($0) }
        ?? .exact("the 7z header tells of \(parts.count) bytes, as many as there are")
      return
    }
    let kind = FileFormat.of(head, size: parts.count)?.kind
    self =
      switch kind {
      case .gzip?: try Self.gzip(parts)
      case .xz?: try Self.xz(parts)
      case .bzip2?: try Self.bzip2(parts)
      case .zstd?: try Self.zstd(parts)
      case .lzip?: try Self.lzip(parts)
      default:
        FileFormat.begun(by: head)?.kind == .tar
          ? try Self.tar(parts) : try Self.told(kind, head, parts)
      }
  }

  // MARK: tar

  /// Two records of zeros end a tar file; see `tar(5)`. Some programs write one or none.
  private static func tar(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    switch try TarWalk(parts).end {
    case .zeros:
      // Where bytes are missing in the middle, the records are not where they were.
      let rest = parts.count % Int64(TarHeader.length)
      let tail = try parts.bytes(Int(rest), at: parts.count - rest) ?? []
      return rest == 0 || parts.layout.parts == 1 || tail.contains { $0 != 0 }
        ? .seen("it has the records of zeros that end a tar file")
        : .absent("it ends \(rest.counted("byte")) into a record of the tar file", isCut: true)
    case .boundary:
      // Hardly a file ends with a full part, and without what nearly every program writes there.
      let isFull = parts.layout.parts > 1 && Set(parts.layout.sizes).count == 1
      return isFull ? .absent("the tar file has no records of zeros at its end") : .unknown
    case .cut: return .absent("the last entry of the tar file is not all there", isCut: true)
    case .unknown: break
    }
    guard parts.count % 512 == 0, let end = try parts.bytes(512, at: parts.count - 512),
      end.allSatisfy({ $0 == 0 })
    else { return .absent("it does not end with the records of zeros that end a tar file") }
    // A file in it may be full of such records.
    return .seen("it ends with the records of zeros that end a tar file")
  }

  // MARK: Compressed

  /// The trailer has the size of the last member before compression, modulo 2³² (RFC 1952). One of
  /// more than Deflate can have made of so many bytes is not a trailer; others may look like one by chance.
  private static func gzip(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    guard let trailer = try parts.bytes(4, at: parts.count - 4) else { return .unknown }
    let (most, overflow) = parts.count.multipliedReportingOverflow(by: 1032)
    guard !overflow, Int64(trailer.uint32(at: 0)) > most else { return .unknown }
    return .absent("it does not end with a trailer of gzip that fits so many bytes")
  }

  /// The last two bytes of a stream are YZ, and it may be padded with zeros, four at a time.
  private static func xz(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    let count = min(parts.count, 4096)
    let tail = try parts.bytes(Int(count), at: parts.count - count) ?? []
    guard let end = tail.lastIndex(where: { $0 != 0 }) else { return .unknown }
    if end > 0, tail[end] == UInt8(ascii: "Z"), tail[end - 1] == UInt8(ascii: "Y") {
      return .seen("it ends like an xz file")
    }
    return .absent("it does not end like an xz file")
  }

  /// Every block tells where the next one is.
  private static func zstd(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    // Blocks may be small, and whatever is merged is proved so anyway.
    guard parts.count <= mostWalked else { return .unknown }
    return try end(
      of: ZstdProof(
        reader: ProofReader(parts, Cancellation()),
        notes: ProofNotes(.zstd, parts.layout)
      ),
      whole: "it ends with a whole zstd frame",
      "it ends within the zstd data"
    )
  }

  /// The last member is looked for from its end, and those in front of it, too.
  private static func lzip(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    try end(
      of: LzipProof(
        reader: ProofReader(parts, Cancellation()),
        notes: ProofNotes(.lzip, parts.layout)
      ),
      whole: "it ends like an lzip file",
      "it does not end like an lzip file"
    )
  }

  /// Bytes of zstd data that are walked through to see where they end.
  private static let mostWalked: Int64 = 4 << 30

  private static func end(
    of walk: some ProofWalk,
    whole: String,
    _ absent: String
  ) throws(CleaveError) -> ContentEnd {
    var walk = walk
    guard let fault = try walk.run().differences.first.first else { return .seen(whole) }
    return fault.sort == .endsEarly ? .absent(absent) : .unknown
  }

  /// Six bytes that begin at any bit mark the end; a checksum of four follows.
  private static func bzip2(_ parts: JoinedBytes) throws(CleaveError) -> ContentEnd {
    guard let tail = try parts.bytes(11, at: parts.count - 11) else { return .unknown }
    let mark: UInt64 = 0x1772_4538_5090
    let high = tail[..<3].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = tail[3...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The checksum and at most seven bits are behind the mark.
    let isThere = (UInt64(32)..<40).contains { shift in
      (high << (64 - shift) | low >> shift) & 0xFFFF_FFFF_FFFF == mark
    }
    return isThere
      ? .seen("it ends like a bzip2 file") : .absent("it does not end like a bzip2 file")
  }
}
