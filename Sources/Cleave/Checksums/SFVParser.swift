package import Posix

extension Manifest {
  /// Reads the bytes of an SFV file, of cleave or of another tool.
  ///
  /// Lines end in LF or CRLF. The checksum is what follows the last blanks of a line, so that a
  /// name may hold blanks; other tools put any number of them between the two, cleave one.
  ///
  /// A checksum without a name is that of the file that the manifest is named after. Lines about files
  /// outside of the manifest's directory are left out.
  ///
  /// - Parameter bytes: of all of the file.
  /// - Parameter path: the manifest's own, for messages and for its name.
  /// - Throws: `.badData`, with the line, for a line that is no entry, a name that no file can have or
  ///   that appears twice, and comments about the whole that are wrong.
  package init(parsingSFV bytes: [UInt8], path: FilePath) throws(CleaveError) {
    var parser = SFVParser(subject: ManifestName(path)?.subject)
    var lines = ManifestLines(bytes)
    do throws(ManifestComplaint) {
      while let line = lines.next() { try parser.take(line, lines.number) }
      try parser.endEntry()
      let whole = try parser.whole()
      self.init(path, parser.lists, outside: parser.outside, whole, isOwn: whole != nil)
    } catch {
      let line = parser.signature.flatMap { parser.isFinishing ? $0 : nil } ?? lines.number
      throw CleaveError(.badData, path, "line \(line): \(error.text)")
    }
  }
}

/// Takes a manifest line by line.
private struct SFVParser {
  private(set) var lists = ManifestLists()
  /// How many lines name files outside of the manifest's directory.
  private(set) var outside = 0
  /// The last one, behind which the sums of its blocks may follow, with its CRC-32.
  private var entry: (name: FilePath, crc32: UInt32)?
  /// What the manifest is named after.
  private let subject: FilePath?
  private var header = ManifestHeader([.name, .size, .crc32, .adler32], escapesNames: false)
  /// The line that cleave signed, and whether the comments that follow it have not ended.
  private(set) var signature: Int?
  private var inHeader = false
  /// What the comments behind the last entry say of its blocks.
  private var blocks = SFVBlocks()
  /// Whether all lines have been taken.
  private(set) var isFinishing = false

  init(subject: FilePath?) { self.subject = subject }

  mutating func whole() throws(ManifestComplaint) -> Manifest.Whole? {
    isFinishing = true
    var whole = try header.finished()
    // Digests are no part of this form.
    whole?.expected.digests = []
    return whole
  }

  mutating func take(_ text: ArraySlice<UInt8>, _ line: Int) throws(ManifestComplaint) {
    if text.first == SFV.comment { return try takeComment(text.dropFirst(), line) }
    inHeader = false
    if text.allSatisfy(SFV.isBlank) { return }
    try endEntry()
    try takeEntry(text)
  }

  /// Comments count only behind cleave's signature: another tool's may say anything.
  private mutating func takeComment(
    _ text: ArraySlice<UInt8>,
    _ line: Int
  ) throws(ManifestComplaint) {
    if ManifestHeader.isSignature(text) {
      let isBehindLines = signature == nil && (entry != nil || !lists.isEmpty)
      try header.begin(isBehindLines: isBehindLines)
      signature = signature ?? line
      inHeader = true
    } else if inHeader {
      try header.take(text)
    } else if signature != nil, entry != nil {
      try blocks.take(text)
    }
  }

  /// Puts the last entry, with its blocks, into the lists.
  mutating func endEntry() throws(ManifestComplaint) {
    guard let (name, crc32) = entry else { return }
    let known = try blocks.finished(crc32)
    blocks = SFVBlocks()
    entry = nil
    let expected = Manifest.Expected(size: known?.length, crc32: crc32)
    lists.append(Manifest.Entry(name: name, expected: expected, blocks: known))
  }

  private mutating func takeEntry(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    var text = text
    while let last = text.last, SFV.isBlank(last) { text.removeLast() }
    if signature == nil, let (name, crc32) = SFV.otherLine(text) {
      return try take(ListedPath(name), crc32)
    }
    guard let cut = text.lastIndex(where: SFV.isBlank) else { return try takeBare(text) }
    guard let crc32 = ManifestNumber.checksum(text[(cut + 1)...]) else {
      throw ManifestComplaint("does not end in the 8 hexadecimal digits of a CRC-32")
    }
    try take(path(before: cut, in: text), crc32)
  }

  private mutating func take(_ path: ListedPath, _ crc32: UInt32) throws(ManifestComplaint) {
    switch path {
    case .inside(let name): try add(name, crc32)
    case .outside(let path):
      outside += 1
      lists.append(outside: path, crc32)
    }
  }

  /// A checksum by itself: of eight digits, so that a lone name is not taken for one.
  private mutating func takeBare(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    guard let subject, text.count == 8, let crc32 = ManifestNumber.checksum(text) else {
      throw ManifestComplaint("is not a name and a checksum")
    }
    try add(subject, crc32)
  }

  private func path(
    before cut: Int,
    in text: ArraySlice<UInt8>
  ) throws(ManifestComplaint) -> ListedPath {
    var name = text[..<cut]
    // Others align their columns; what cleave puts before its one blank is the name's.
    while signature == nil, let last = name.last, SFV.isBlank(last) { name.removeLast() }
    return try ListedPath(name)
  }

  private mutating func add(_ name: FilePath, _ crc32: UInt32) throws(ManifestComplaint) {
    guard let known = lists.expected(of: name) else {
      entry = (name, crc32)
      return
    }
    // A line may be there twice.
    if known.crc32 != crc32 { throw ManifestComplaint("\(name) appears twice") }
  }
}

extension SFV {
  /// Whether a line is `CRC32 (NAME) = DIGITS`.
  static func isTagged(_ text: ArraySlice<UInt8>) -> Bool {
    SplitZipName.folded(text.withoutBlanks.prefix(5)).elementsEqual("crc32".utf8)
      && otherLine(text) != nil
  }

  /// Whether a line is a name and eight digits, or those in a form of other programs.
  static func isLine(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.withoutBlanks.reversed().prefix { !isBlank($0) }
    return digits.count == 8 && digits.count < text.withoutBlanks.count
      && digits.allSatisfy(\.isHexDigit) || otherLine(text) != nil
  }

  /// A line in the form of other programs: `CRC32 (NAME) = DIGITS`, or digits, blanks and a name.
  static func otherLine(_ text: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, crc32: UInt32)? {
    let text = text.withoutBlanks
    guard let start = text.firstIndex(where: { isBlank($0) || $0 == UInt8(ascii: "(") }),
      let end = text.lastIndex(where: { isBlank($0) || $0 == UInt8(ascii: "=") })
    else { return nil }
    func checksum(_ digits: ArraySlice<UInt8>) -> UInt32? {
      digits.count == 8 ? ManifestNumber.checksum(digits) : nil
    }
    if SplitZipName.folded(text[..<start]).elementsEqual("crc32".utf8) {
      var name = text[start...end].dropLast().withoutBlanks
      if name.last == UInt8(ascii: "=") { name = name.dropLast().withoutBlanks }
      guard name.first == UInt8(ascii: "("), name.last == UInt8(ascii: ")") else { return nil }
      return checksum(text[(end + 1)...]).map { (name.dropFirst().dropLast(), $0) }
    }
    guard checksum(text[(end + 1)...]) == nil, isBlank(text[start]) else { return nil }
    var name = text[start...].withoutBlanks
    // Behind one blank, it is how the file was opened.
    if name.first == UInt8(ascii: "*"), name.startIndex == start + 1 { name.removeFirst() }
    return checksum(text[..<start]).map { (name, $0) }
  }
}
