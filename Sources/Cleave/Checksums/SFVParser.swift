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
    do {
      return try parser.parse(bytes)
    } catch {
      throw CleaveError(.badData, path, "line \(parser.line): \(error.text)")
    }
  }
}

/// Goes through a manifest line by line.
private struct SFVParser {
  /// The line that is being read, from 1.
  private(set) var line = 0
  private var entries: [SFV.Entry] = []
  private var names: Set<FilePath> = []
  private var header = SFVHeader()
  /// The line that cleave signed, and whether the comments that follow it have not ended.
  private var signature: Int?
  private var inHeader = false

  mutating func parse(_ bytes: [UInt8]) throws(SFVComplaint) -> SFV {
    var rest = bytes[...]
    if rest.starts(with: SFV.byteOrderMark) { rest = rest.dropFirst(SFV.byteOrderMark.count) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var text = rest[..<end]
      if text.last == UInt8(ascii: "\r") { text.removeLast() }
      line += 1
      try take(text)
      rest = rest[end...].dropFirst()
    }
    line = signature ?? line
    return SFV(entries: entries, whole: try header.finished())
  }

  private mutating func take(_ text: ArraySlice<UInt8>) throws(SFVComplaint) {
    if text.first == SFV.comment { return try takeComment(text) }
    inHeader = false
    if !text.allSatisfy(SFV.isBlank) { try takeEntry(text) }
  }

  /// Comments count only behind cleave's signature: another tool's may say anything.
  private mutating func takeComment(_ text: ArraySlice<UInt8>) throws(SFVComplaint) {
    if Self.isSignature(text) {
      signature = signature ?? line
      inHeader = true
    } else if inHeader {
      try header.take(text.dropFirst())
    }
  }

  private static func isSignature(_ text: ArraySlice<UInt8>) -> Bool {
    let mark = SFV.generator.utf8
    guard text.starts(with: mark) else { return false }
    // Not another tool whose name starts like ours.
    return text.dropFirst(mark.count).first.map(SFV.isBlank) ?? true
  }

  private mutating func takeEntry(_ text: ArraySlice<UInt8>) throws(SFVComplaint) {
    var text = text
    while let last = text.last, SFV.isBlank(last) { text.removeLast() }
    guard let cut = text.lastIndex(where: SFV.isBlank) else {
      throw SFVComplaint("is not a name and a checksum")
    }
    guard let crc32 = SFVNumber.checksum(text[(cut + 1)...]) else {
      throw SFVComplaint("does not end in the 8 hexadecimal digits of a CRC-32")
    }
    try add(SFV.Entry(name: try name(before: cut, in: text), crc32: crc32))
  }

  private func name(
    before cut: Int,
    in text: ArraySlice<UInt8>
  ) throws(SFVComplaint) -> FilePath {
    var name = text[..<cut]
    // Others align their columns; what cleave puts before its one blank is the name's.
    while signature == nil, let last = name.last, SFV.isBlank(last) { name.removeLast() }
    if let refusal = SFV.refusal(of: name) { throw SFVComplaint(refusal) }
    return FilePath(bytes: name)
  }

  private mutating func add(_ entry: SFV.Entry) throws(SFVComplaint) {
    if !names.insert(entry.name).inserted {
      throw SFVComplaint("\(entry.name) appears twice")
    }
    entries.append(entry)
  }
}
