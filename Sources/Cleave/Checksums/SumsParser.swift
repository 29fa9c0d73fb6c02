public import Posix

extension Sums {
  /// Reads the bytes of a manifest, of cleave or of another tool.
  ///
  /// Follows `md5sum.c` of coreutils in what a line is: blanks, a backslash if the name is escaped,
  /// then digits, a blank, a blank or `*`, and the name; or `SHA256 (name) = digits`, with or without
  /// those blanks. Lines that begin with `#` or `;` are comments.
  ///
  /// - Parameters:
  ///   - kind: of digits without a tag; nil where their number has to tell, which takes 128 of them for
  ///     SHA-512.
  ///   - path: the manifest's own, for messages.
  /// - Throws: `.badData`, with the line, for a line that is no entry, a name that is not in the
  ///   manifest's directory or has two digests of one kind, and comments about the whole that are
  ///   wrong.
  public static func parse(
    _ bytes: [UInt8],
    _ kind: Digest.Kind?,
    path: FilePath
  ) throws(CleaveError) -> Sums {
    var parser = SumsParser(kind)
    var lines = ManifestLines(bytes)
    do {
      while let line = lines.next() { try parser.take(line) }
      return try parser.finished()
    } catch {
      throw CleaveError(.badData, path, "line \(lines.number): \(error.text)")
    }
  }

  /// Whether a line is an entry, as far as can be told without the manifest's name.
  static func isLine(_ text: ArraySlice<UInt8>) -> Bool {
    (try? SumsLine(text, nil)) != nil
  }
}

/// Takes a manifest line by line.
private struct SumsParser {
  private let kind: Digest.Kind?
  private var entries: [Sums.Entry] = []
  private var places: [FilePath: Int] = [:]
  private var header: ManifestHeader
  /// Whether cleave has signed, and the comments that follow it have not ended.
  private var inHeader = false

  init(_ kind: Digest.Kind?) {
    self.kind = kind
    header = ManifestHeader([.name, .size], escapesNames: true)
  }

  mutating func take(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    switch text.first {
    case Sums.comment: try takeComment(text.dropFirst())
    case SFV.comment: inHeader = false
    default:
      inHeader = false
      if !text.allSatisfy(SFV.isBlank) { try add(try SumsLine(text, kind)) }
    }
  }

  private mutating func takeComment(_ text: ArraySlice<UInt8>) throws(ManifestComplaint) {
    if ManifestHeader.isSignature(text) {
      inHeader = true
    } else if inHeader {
      try header.take(text)
    }
  }

  private mutating func add(_ line: SumsLine) throws(ManifestComplaint) {
    guard let place = places[line.name] else {
      places[line.name] = entries.count
      entries.append(Sums.Entry(name: line.name, digests: [line.digest]))
      return
    }
    guard !entries[place].digests.contains(where: { $0.kind == line.digest.kind }) else {
      throw ManifestComplaint("\(line.name) appears twice")
    }
    entries[place].digests.append(line.digest)
  }

  func finished() throws(ManifestComplaint) -> Sums {
    guard let whole = try header.finished() else { return Sums(entries: entries) }
    guard let name = whole.name, let size = whole.expected.size,
      let digest = whole.expected.digests.first, whole.expected.digests.count == 1
    else { throw ManifestComplaint("the comments about the whole have no digest, or several") }
    return Sums(entries: entries, whole: Sums.Whole(name: name, size: size, digest: digest))
  }
}

/// One line, taken apart.
private struct SumsLine {
  let name: FilePath
  let digest: Digest

  init(_ text: ArraySlice<UInt8>, _ kind: Digest.Kind?) throws(ManifestComplaint) {
    var rest = text.drop(while: SFV.isBlank)
    let isEscaped = rest.first == SumsName.escape
    if isEscaped { rest.removeFirst() }
    if let (kind, behind) = Self.tag(rest) {
      (digest, name) = try Self.tagged(behind, kind, isEscaped)
    } else {
      (digest, name) = try Self.plain(rest, kind, isEscaped)
    }
  }

  /// The kind that a line begins with, and what follows it.
  private static func tag(_ text: ArraySlice<UInt8>) -> (Digest.Kind, ArraySlice<UInt8>)? {
    guard let end = text.firstIndex(where: { SFV.isBlank($0) || $0 == UInt8(ascii: "(") }) else {
      return nil
    }
    let tag = SplitZipName.folded(text[..<end])
    let behind = text[end...].drop(while: SFV.isBlank)
    guard behind.first == UInt8(ascii: "("),
      let kind = Digest.Kind.allCases.first(where: {
        $0.tags.contains(String(decoding: tag, as: UTF8.self))
      })
    else { return nil }
    return (kind, behind.dropFirst())
  }

  private static func tagged(
    _ text: ArraySlice<UInt8>,
    _ kind: Digest.Kind,
    _ isEscaped: Bool
  ) throws(ManifestComplaint) -> (Digest, FilePath) {
    guard let equals = text.lastIndex(of: UInt8(ascii: "=")) else {
      throw ManifestComplaint("is not a digest and a name")
    }
    var name = text[..<equals]
    while let last = name.last, SFV.isBlank(last) { name.removeLast() }
    guard name.last == UInt8(ascii: ")") else {
      throw ManifestComplaint("is not a digest and a name")
    }
    let digest = try digest(text[(equals + 1)...].withoutBlanks, kind)
    return (digest, try SumsName.read(name.dropLast(), isEscaped: isEscaped))
  }

  private static func plain(
    _ text: ArraySlice<UInt8>,
    _ kind: Digest.Kind?,
    _ isEscaped: Bool
  ) throws(ManifestComplaint) -> (Digest, FilePath) {
    guard let cut = text.firstIndex(where: SFV.isBlank) else {
      throw ManifestComplaint("is not a digest and a name")
    }
    let digits = text[..<cut]
    guard let kind = kind ?? Digest.Kind.allCases.first(where: { 2 * $0.count == digits.count })
    else { throw ManifestComplaint("does not begin with a digest") }
    let digest = try digest(digits, kind)
    var name = text[(cut + 1)...]
    // How the file was opened; a form without it has only one blank.
    if let first = name.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "*") {
      name.removeFirst()
    }
    return (digest, try SumsName.read(name, isEscaped: isEscaped))
  }

  private static func digest(
    _ digits: ArraySlice<UInt8>,
    _ kind: Digest.Kind
  ) throws(ManifestComplaint) -> Digest {
    guard let digest = Digest(kind, digits: digits) else {
      let count = 2 * kind.count
      throw ManifestComplaint("does not have the \(count) hexadecimal digits of \(kind.name)")
    }
    return digest
  }
}

extension Digest.Kind {
  /// What lines of coreutils, RHash and OpenSSL begin with, in lower case.
  fileprivate var tags: [String] {
    switch self {
    case .md5, .sha1: [rawValue]
    case .sha256: [rawValue, "sha2-256"]
    case .sha512: [rawValue, "sha2-512"]
    case .b2: ["blake2b", "blake2b-512"]
    }
  }
}
