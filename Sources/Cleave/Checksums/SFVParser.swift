public import Posix

extension SFV {
  /// Reads the bytes of a manifest, of cleave or of another tool.
  ///
  /// Lines end in LF or CRLF. The checksum is what follows the last blanks of a line, so that a
  /// name may hold blanks; other tools put any number of them between the two, cleave one.
  ///
  /// - Parameter path: the manifest's own, for messages.
  /// - Throws: `.badData`, with the line, for a line that is no entry, a name that is not in the
  ///   manifest's directory or appears twice, and comments about the whole that are wrong.
  public static func parse(_ bytes: [UInt8], path: FilePath) throws(CleaveError) -> SFV {
    var parser = SFVParser()
    var lines = ManifestLines(bytes)
    do {
      while let line = lines.next() { try parser.take(line, lines.number) }
      return try parser.finished()
    } catch {
      let line = parser.signature.flatMap { parser.isFinishing ? $0 : nil } ?? lines.number
      throw CleaveError(.badData, path, "line \(line): \(error.text)")
    }
  }
}

/// Takes a manifest line by line.
private struct SFVParser {
  private var entries: [SFV.Entry] = []
  private var names: Set<FilePath> = []
  private var header = ManifestHeader([.name, .size, .crc32, .adler32], escapesNames: false)
  /// The line that cleave signed, and whether the comments that follow it have not ended.
  private(set) var signature: Int?
  private var inHeader = false
  /// What the comments behind the last entry say of its blocks.
  private var blocks = SFVBlocks()
  /// Whether all lines have been taken.
  private(set) var isFinishing = false

  mutating func finished() throws(ManifestComplaint) -> SFV {
    try endEntry()
    isFinishing = true
    let whole = try header.finished()
    return SFV(entries: entries, whole: whole.flatMap { SFV.Whole($0) })
  }

  mutating func take(_ text: ArraySlice<UInt8>, _ line: Int) throws(ManifestComplaint) {
    if text.first == SFV.comment { return try takeComment(text.dropFirst(), line) }
    inHeader = false
    if !text.allSatisfy(SFV.isBlank) { try takeEntry(text) }
  }

  /// Comments count only behind cleave's signature: another tool's may say anything.
  private mutating func takeComment(
    _ text: ArraySlice<UInt8>,
    _ line: Int
  ) throws(ManifestComplaint) {
    if ManifestHeader.isSignature(text) {
      signature = signature ?? line
      inHeader = true
    } else if inHeader {
      try header.take(text)
    } else if signature != nil, !entries.isEmpty {
      try blocks.take(text)
    }
  }

  private mutating func endEntry() throws(ManifestComplaint) {
    guard let last = entries.last else { return }
    entries[entries.count - 1].blocks = try blocks.finished(last.crc32)
    blocks = SFVBlocks()
  }

  private mutating func takeEntry(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    try endEntry()
    var text = text
    while let last = text.last, SFV.isBlank(last) { text.removeLast() }
    guard let cut = text.lastIndex(where: SFV.isBlank) else {
      throw ManifestComplaint("is not a name and a checksum")
    }
    guard let crc32 = ManifestNumber.checksum(text[(cut + 1)...]) else {
      throw ManifestComplaint("does not end in the 8 hexadecimal digits of a CRC-32")
    }
    try add(SFV.Entry(name: try name(before: cut, in: text), crc32: crc32))
  }

  private func name(
    before cut: Int,
    in text: ArraySlice<UInt8>
  ) throws(ManifestComplaint) -> FilePath {
    var name = text[..<cut]
    // Others align their columns; what cleave puts before its one blank is the name's.
    while signature == nil, let last = name.last, SFV.isBlank(last) { name.removeLast() }
    // As `find` puts it before names, and programs for Windows.
    while name.starts(with: "./".utf8) || name.starts(with: ".\\".utf8) { name.removeFirst(2) }
    if let refusal = SFV.refusal(of: name) { throw ManifestComplaint(refusal) }
    return FilePath(bytes: name)
  }

  private mutating func add(_ entry: SFV.Entry) throws(ManifestComplaint) {
    if !names.insert(entry.name).inserted {
      throw ManifestComplaint("\(entry.name) appears twice")
    }
    entries.append(entry)
  }
}

extension SFV.Whole {
  /// What a header with all of the keys says.
  fileprivate init?(_ whole: Manifest.Whole) {
    guard let name = whole.name, let size = whole.expected.size,
      let crc32 = whole.expected.crc32, let adler32 = whole.expected.adler32
    else { return nil }
    self.init(name: name, size: size, crc32: crc32, adler32: adler32)
  }
}
