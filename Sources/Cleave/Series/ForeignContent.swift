internal import Posix

/// Files that look like parts by their names, but must not be joined by what they begin with.
struct ForeignContent {
  let sources: [SourceFile]
  /// The name of the whole, which may tell that an archive was cut anywhere.
  let base: FilePath

  private static let rar = Array("Rar!\u{1A}\u{7}".utf8)
  private static let gguf = Array("GGUF".utf8)
  /// What Hacha puts between the fields of its header; four bytes of a checksum are between the first
  /// two.
  private static let hacha = Array(repeating: UInt8(ascii: "?"), count: 5)

  /// - Throws: `.badData`, with the program to use instead; the error of reading.
  func refuse() throws(CleaveError) {
    guard let first = sources.first, let head = try Self.head(of: first) else { return }
    let second = sources.count > 1 ? try Self.head(of: sources[1]) : nil
    try refuseVolumes(head, second, first.path)
    if head.starts(with: Self.hacha), head.dropFirst(9).starts(with: Self.hacha) {
      throw Self.refusal(
        first.path,
        "begins with a header of Hacha's: Hacha or 'hoz' joins the parts"
      )
    }
    guard let second, let kind = Self.kind(head), kind == Self.kind(second) else { return }
    throw Self.refusal(
      first.path,
      "is \(kind) of its own, and so is \(sources[1].path.lastComponent): they are not parts of one "
        + "file"
    )
  }

  private func refuseVolumes(
    _ head: [UInt8],
    _ second: [UInt8]?,
    _ path: FilePath
  ) throws(CleaveError) {
    // One file of that kind that was cut begins so only once, and its name tells.
    if head.starts(with: Self.rar), !isCut(second, Self.rar, ".rar") {
      throw Self.refusal(path, "is a RAR volume: 'unrar x' unpacks it with the others")
    }
    if head.starts(with: Self.gguf), !isCut(second, Self.gguf, ".gguf") {
      throw Self.refusal(path, "is a GGUF shard: 'llama-gguf-split --merge FIRST OUT' joins them")
    }
  }

  private func isCut(_ second: [UInt8]?, _ magic: [UInt8], _ ending: String) -> Bool {
    guard base.endsFolded(in: ending), let second else { return false }
    return !second.starts(with: magic)
  }

  private static func refusal(_ path: FilePath, _ text: String) -> CleaveError {
    CleaveError(.badData, path, "\(text); --format=raw joins the bytes")
  }

  /// Of the formats of which files put one behind the other make no file: not gzip or xz.
  private static func kind(_ head: [UInt8]) -> String? {
    if head.has(.localHeader, at: 0) { return "a zip" }
    if head.starts(with: SevenZipHeader.magic) { return "a 7z archive" }
    if head.starts(with: "%PDF-".utf8) { return "a PDF" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]) { return "a PNG image" }
    if head.dropFirst(4).starts(with: "ftyp".utf8) { return "an MP4 video" }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska video" }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "a JPEG image" }
    if head.starts(with: "RIFF".utf8) { return "a RIFF file" }
    return nil
  }

  /// The first bytes of a file, or nil of one that has fewer.
  private static func head(of source: SourceFile) throws(CleaveError) -> [UInt8]? {
    try ZipParts([source]).bytes(min(16, Int(clamping: source.status.size)), at: 0)
  }
}

extension FilePath {
  /// Whether the name ends so, in either case.
  func endsFolded(in suffix: String) -> Bool {
    SplitZipName.folded(bytes.suffix(suffix.utf8.count)) == Array(suffix.utf8)
  }
}
