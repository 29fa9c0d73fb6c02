internal import Posix

/// Sums in lines that have other things in them besides a name: tables, pages, and what programs show.
///
/// ```
/// 2c26b46b…  3000  film.001                     7-Zip
/// "SHA256","2C26B46B…","D:\film.001"            Export-Csv
/// 3000,5d41402a…,2c26b46b…,/home/u/film.001     a table
/// film.001: 2c26b46b…
/// ```
///
/// Lines without a digest, and without what the names begin with, are headings and prose.
struct SumsTable {
  private(set) var lists = ManifestLists()
  /// How many lines name files outside of the directory.
  private(set) var outside = 0

  /// - Parameter kind: of digests that must be there; nil for any.
  /// - Returns: nil where no line has a digest and a name, where two lines contradict each other, and where a line may have
  ///   sums that are not computed.
  init?(_ bytes: [UInt8], _ kind: Digest.Kind?) {
    // hashdeep has names in comments, of files in any directories, and compares with its lists by itself.
    if bytes.starts(with: "%%%% HASHDEEP".utf8) { return nil }
    var lines = ManifestLines(bytes)
    let heading = Heading(of: bytes)
    var others: [ArraySlice<UInt8>] = []
    var last: Line?
    while let line = lines.next() {
      if line.allSatisfy(SFV.isBlank) { continue }
      if line.count > Self.longestLine { return nil }
      let found = Self.read(heading.withoutSize(line))
      switch found {
      case .foreign: return nil
      case .nothing: others.append(line)
      case .sums(let file, let expected):
        if let kind, !expected.digests.contains(where: { $0.kind == kind }) { return nil }
        guard take(expected, of: file) else { return nil }
      }
      last = found
    }
    let names = [lists.entries, lists.nested, lists.elsewhere].joined().lazy.map(
      \.name.lastComponent.bytes
    )
    if names.isEmpty { return nil }
    // With what one of the names begins with, a line may be what is left of one, or say something else of a file.
    let (known, stems) = (Set(names), Set(names.map { Self.stem($0[...]) }))
    let spaced = names.lazy.filter { $0.contains(where: SFV.isBlank) }.map { $0[...] }
    if (others + spaced).contains(where: { Self.has(stems, known, $0) }) { return nil }
    // The end may have been cut off; that of JSON is there.
    guard let end = bytes.last, "\n}]".utf8.contains(end) else {
      guard case .sums(let file, _)? = last else { return nil }
      let end = file.path.lastComponent.bytes
      if names.contains(where: { $0.count > end.count && $0.starts(with: end) }) { return nil }
      return
    }
  }

  /// The first line of a table, which may tell in which of its columns the sizes are: a number in front of a name or
  /// behind it may be of that, too.
  private struct Heading {
    private var size: Int?
    private var columns = 0

    init(of bytes: [UInt8]) {
      var lines = ManifestLines(bytes)
      let names = (lines.next() ?? []).split(separator: UInt8(ascii: ","))
      columns = names.count
      size = names.firstIndex { name in
        ["size", "bytes", "length"].contains {
          String(decoding: name, as: UTF8.self).lowercased().contains($0)
        }
      }
    }

    func withoutSize(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard let size, columns > 2 else { return line }
      var fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard fields.count == columns, fields[size].contains(where: \.isDigit),
        fields[size].allSatisfy({ $0.isDigit || "\" ".utf8.contains($0) })
      else { return line }
      fields.remove(at: size)
      return ArraySlice(fields.joined(separator: [UInt8(ascii: ",")]))
    }
  }

  /// Whether some bytes have the line that is under the headings of what 7-Zip shows.
  static func isOfSevenZip(_ bytes: [UInt8]) -> Bool {
    var lines = ManifestLines(bytes)
    while let line = lines.next() {
      if line.starts(with: "--------".utf8), line.contains(UInt8(ascii: " ")),
        line.allSatisfy({ "- ".utf8.contains($0) })
      {
        return true
      }
    }
    return false
  }

  /// Whether a word of a line is one of the names, but for the digits at its end, and is not the name itself in front of a
  /// sum of another kind.
  private static func has(
    _ stems: Set<[UInt8]>,
    _ names: Set<[UInt8]>,
    _ line: ArraySlice<UInt8>
  ) -> Bool {
    if let (tag, name) = SumsLine.tag(of: line), !SumsLine.isComputed(tag) {
      return !names.contains(Array(name))
    }
    return line.split { marks.contains($0) || "()[]{}/\\#".utf8.contains($0) }.contains { word in
      stems.contains(stem(word))
    }
  }

  /// A name without digits at the end.
  private static func stem(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var stem = name
    while stem.count > 1, stem.last?.isDigit == true { stem.removeLast() }
    return Array(stem)
  }

  private static var longestLine: Int { 4096 }

  /// - Returns: false where another line contradicts it.
  private mutating func take(_ expected: Manifest.Expected, of file: ListedPath) -> Bool {
    if case .outside = file { outside += 1 }
    if expected.crc32 != nil, case .inside(let name) = file {
      if lists.expected(of: name)?.contradiction(with: expected) != nil { return false }
      lists.add(Manifest.Entry(name: name, expected: expected))
    }
    return expected.digests.allSatisfy { lists.add($0, of: file) }
  }

  private enum Line {
    case nothing
    case sums(ListedPath, Manifest.Expected)
    /// It may have sums that are not computed.
    case foreign
  }

  private static func read(_ text: ArraySlice<UInt8>) -> Line {
    if text.first == Sums.comment || text.first == SFV.comment { return .nothing }
    if let (tag, _) = SumsLine.tag(of: text) {
      // RHash writes those of other kinds beside the ones that are computed.
      guard SumsLine.isComputed(tag) else { return .nothing }
      guard let line = try? SumsLine(text, nil), case .listed(let file) = line.file else {
        return .foreign
      }
      return .sums(file, Manifest.Expected(digests: [line.digest]))
    }
    var digests: [Digest] = []
    var fields: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    for word in text.split(whereSeparator: { !$0.isLetterOrDigit })
    where word.count >= leastDigits && word.allSatisfy(\.isHexDigit) {
      let kind = Digest.Kind.allCases.first { 2 * $0.count == word.count }
      guard let digest = kind.flatMap({ Digest($0, digits: word) }),
        !digests.contains(where: { $0.kind == digest.kind })
      else { return .foreign }
      digests.append(digest)
      fields += Self.fields(withoutCRC32(text[start..<word.startIndex]))
      start = word.endIndex
    }
    if digests.isEmpty { return isBroken(text) ? .foreign : sevenZip(text) }
    fields += Self.fields(text[start...])
    // What was behind it may be lost.
    if fields.isEmpty { return .foreign }
    if fields.contains(where: isForeign) { return .foreign }
    let names = fields.filter { !isAside($0) }
    // A name of digits alone is hardly one.
    if names.contains(where: { $0.count >= 8 && $0.allSatisfy(\.isHexDigit) }) { return .foreign }
    guard let name = names.first else { return .nothing }
    // What is around a name in JSON or XML is no part of it.
    guard names.count == 1, !name.contains(where: "\"<>".utf8.contains),
      let file = try? SumsName.path(name, isEscaped: false)
    else {
      return .foreign
    }
    return .sums(file, Manifest.Expected(digests: digests))
  }

  /// Hexadecimal digits that are hardly anything but a digest.
  private static var leastDigits: Int { 24 }

  /// Whether a line without a digest may be what is left of one that had it.
  private static func isBroken(_ text: ArraySlice<UInt8>) -> Bool {
    let words = text.split { !$0.isLetterOrDigit }
    return words.contains { word in
      let digits = word.count(where: \.isHexDigit)
      if digits < word.count { return word.count >= leastDigits && digits * 10 >= word.count * 9 }
      let isMixed = word.contains(where: \.isDigit) && !word.allSatisfy(\.isDigit)
      return words.count == 1 || digits > 8 && isMixed
    }
  }

  /// `8A7C1D22         3000  film.001`, the CRC-32 that 7-Zip shows.
  private static func sevenZip(_ text: ArraySlice<UInt8>) -> Line {
    let words = text.split(maxSplits: 2, whereSeparator: SFV.isBlank)
    guard words.count == 3, words[0].startIndex == text.startIndex, words[0].count == 8,
      let crc32 = ManifestNumber.checksum(words[0]),
      words[1].allSatisfy(\.isDigit), words[2].first.map(SFV.isBlank) == true,
      let file = try? SumsName.path(words[2].withoutBlanks, isEscaped: false)
    else { return .nothing }
    return .sums(file, Manifest.Expected(crc32: crc32))
  }

  // MARK: What stands beside digests

  /// What stands around fields.
  private static let marks = Array(" \t\"'`,|:=*;<>".utf8)

  /// Some text without a CRC-32 at its end, which RHash has between a name and a digest.
  private static func withoutCRC32(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let words = text.withoutBlanks
    let name = words.dropLast(8)
    let isThere =
      name.suffix(2).count == 2 && name.suffix(2).allSatisfy(SFV.isBlank)
      && words.suffix(8).allSatisfy(\.isHexDigit)
    return isThere ? name : text
  }

  /// The fields of some text, without what stands around them; and without a size in front of a name, as 7-Zip has it.
  private static func fields(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let cells = text.split { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\t") }
    return cells.flatMap { $0.split(separator: Array("\",\"".utf8)) }.compactMap { cell in
      var field = cell.drop(while: marks.contains)
      while let last = field.last, marks.contains(last) { field.removeLast() }
      let behind = field.drop(while: \.isDigit)
      if behind.startIndex > field.startIndex, behind.prefix(2).count == 2,
        behind.prefix(2).allSatisfy(SFV.isBlank)
      {
        field = behind.withoutBlanks
      }
      return field.isEmpty ? nil : field
    }
  }

  private static let asides: Set<String> = [
    "hash", "of", "for", "data", "file", "name", "names", "and", "checksum", "sum", "digest", "sha",
    "b", "kb", "mb", "gb", "kib", "mib", "gib", "bytes",
  ]

  /// Whether a field is a number, a size, or the name of what computes digests.
  private static func isAside(_ field: ArraySlice<UInt8>) -> Bool {
    words(field).allSatisfy { word in
      word.allSatisfy(\.isNumber) || asides.contains(word) || Digest.Kind(rawValue: word) != nil
        || ForeignList.isAlgorithm(word)
    }
  }

  /// Whether a field has nothing but the name of what computes other sums than these.
  private static func isForeign(_ field: ArraySlice<UInt8>) -> Bool {
    isAside(field) && words(field).contains(where: ForeignList.isAlgorithm)
  }

  private static func words(_ field: ArraySlice<UInt8>) -> [String] {
    SplitZipName.folded(field).split { !$0.isLetterOrDigit }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
