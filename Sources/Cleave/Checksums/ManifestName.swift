internal import Posix

/// What the name of a file says of a manifest in it.
///
/// ```
/// film.sfv  film.001.md5  film.sha256sum  SHA256SUMS  MD5SUM.txt        certain
/// film.sha256.txt  film_md5.txt  md5.txt  checksums.txt  sha256.sum     only if the lines are right
/// ```
struct ManifestName: Hashable {
  /// Nil where the lines tell it.
  private(set) var format: Manifest.Format?
  /// Whether the name alone makes it a manifest. Others may be any text.
  private(set) var isCertain: Bool
  /// What it is named after, without a directory: `film.001` of `film.001.md5`.
  private(set) var subject: FilePath?

  init?(_ path: FilePath) {
    if let original = Self.original(of: path) {
      guard let name = ManifestName(original) else { return nil }
      (format, isCertain, subject) = (name.format, false, name.subject)
      return
    }
    let textCount = Self.textEnding(of: path)
    let isText = textCount > 0
    // Hardly any name of a large directory needs a closer look.
    var start = path.bytes.dropLast(textCount).withoutDigitsAtEnd
    // `sha-256`
    if start.last == UInt8(ascii: "-") {
      start = start.dropLast()
      if start.last == UInt8(ascii: "2") { start = start.dropLast() }
    }
    guard let last = start.last, Self.lastLetters.contains(last.folded) else { return nil }
    let name = path.lastComponent.bytes
    let rest = SplitZipName.folded(name).dropLast(textCount)
    let cut = Self.wordCut(rest)
    let end = rest[(cut.map { $0 + 1 } ?? 0)...]
    guard end.count <= Self.longestWord + 2 else { return nil }
    let text = String(decoding: end, as: UTF8.self)
    let mark = ["sha2-", "sha-"].first(where: text.hasPrefix)
    let word = mark.map { "sha\(text.dropFirst($0.utf8.count))" } ?? text
    guard cut != 0, let found = Word(word) else { return nil }
    (format, isCertain) = (found.format, false)
    let isEnding = cut.map { rest[$0] == UInt8(ascii: ".") } ?? false
    switch found {
    case .crc32s:
      // `film_crc` is no manifest's name.
      let isBare = cut == nil && word.hasPrefix("crc")
      guard isText || isEnding || isBare else { return nil }
      isCertain = !isText && !isBare
    case .kind, .sha: isCertain = isEnding && !isText
    case .sums: isCertain = cut == nil || isEnding && !isText
    case .checksums: break
    case .any:
      let isOfKind = cut.map { Self.kind(before: rest[..<$0]) != nil } ?? false
      guard cut == nil || isEnding && !isText || isOfKind else { return nil }
    }
    guard let cut else { return }
    subject = FilePath(bytes: name[..<cut])
    if found.format == nil { takeKind(before: rest[..<cut]) }
  }

  private static let separators = Array("._-".utf8)
  /// Those of the words, in front of digits behind them.
  private static let lastLetters = Array("abcdehmpstv".utf8)
  /// `shasums256` and `sha256deep`.
  static let longestWord = 13

  /// In front of the last word: `sha-256` and `sha2-256sums` are one.
  private static func wordCut(_ name: ArraySlice<UInt8>) -> Int? {
    guard let cut = name.lastIndex(where: separators.contains) else { return nil }
    let front = name[..<cut]
    let start = front.lastIndex(where: separators.contains)
    let word = front[(start.map { $0 + 1 } ?? front.startIndex)...]
    let isBits =
      name[cut] == UInt8(ascii: "-")
      && name.dropFirst(cut + 1).first?.isDigit == true
    return isBits && ["sha", "sha2"].contains(where: { word.elementsEqual($0.utf8) }) ? start : cut
  }

  /// Bytes of an ending of texts; 0 where there is none.
  private static func textEnding(of path: FilePath) -> Int {
    textEndings[path.bytes.last?.folded]?.first(where: path.endsFolded)?.utf8.count ?? 0
  }

  /// By their last bytes: hardly any name of a large directory needs a closer look.
  private static let textEndings = Dictionary(
    grouping: [
      ".txt", ".csv", ".tsv", ".psv", ".lst", ".json", ".jsonl", ".ndjson", ".xml", ".yaml", ".yml",
      ".toml", ".ini", ".md", ".html", ".htm", ".log",
    ],
    by: \.utf8.last
  )

  private static let signatureEndings = [".asc", ".gpg", ".sign", ".sig"]

  /// The list that a browser or a file manager has saved as `SHA256SUMS (1)`, `sha256sum(1).txt` or
  /// `SHA256SUMS - Copy`, or that is signed in `SHA256SUMS.asc`; nil of other names.
  static func original(of path: FilePath) -> FilePath? {
    guard let end = path.bytes.last?.folded else { return nil }
    switch end {
    case UInt8(ascii: "c"), UInt8(ascii: "g"), UInt8(ascii: "n"):
      return signatureEndings.contains(where: path.endsFolded) ? path.withoutEnding : nil
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ")"), UInt8(ascii: "y"),
      UInt8(ascii: "t"):
      break
    default: return nil  // hardly any name of a large directory needs a closer look
    }
    let textCount = textEnding(of: path)
    let bytes = path.bytes.dropLast(textCount)
    guard let last = bytes.last else { return nil }
    // As Safari and Android count downloads.
    if last.isDigit, bytes.dropLast().last == UInt8(ascii: "-"), bytes.count > 2 {
      return FilePath(bytes: bytes.dropLast(2) + path.bytes.suffix(textCount))
    }
    var start: ArraySlice<UInt8>
    switch last {
    case UInt8(ascii: ")"):
      start = bytes.dropLast()
      let digits = start.reversed().prefix(while: \.isDigit).count
      start = start.dropLast(digits)
      guard digits > 0, start.last == UInt8(ascii: "(") else { return nil }
      start.removeLast()
      if start.last == UInt8(ascii: " ") { start.removeLast() }
    case UInt8(ascii: "y"), UInt8(ascii: "Y"):
      let end = [" - copy", " copy"].first { mark in
        bytes.suffix(mark.utf8.count).lazy.map(\.folded).elementsEqual(mark.utf8)
      }
      guard let end else { return nil }
      start = bytes.dropLast(end.utf8.count)
    default: return nil
    }
    if start.isEmpty || start.last == UInt8(ascii: "/") { return nil }
    return FilePath(bytes: start + path.bytes.suffix(textCount))
  }

  /// `sha256.sum` says of its lines what `sha256sum` does.
  private mutating func takeKind(before stem: ArraySlice<UInt8>) {
    let cut = stem.lastIndex { Self.separators.contains($0) }
    guard let kind = Self.kind(before: stem), let name = subject else { return }
    format = .sums(kind)
    subject = cut.flatMap { $0 > 0 ? FilePath(bytes: name.bytes[..<$0]) : nil }
  }

  /// The digest that the last word of a name in front of another word is that of.
  private static func kind(before stem: ArraySlice<UInt8>) -> Digest.Kind? {
    let cut = stem.lastIndex { separators.contains($0) }
    let word = String(decoding: stem[(cut.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    if case .kind(let kind)? = Word(word) { return kind }
    return nil
  }

  /// The last word of the name.
  private enum Word {
    /// `md5`.
    case kind(Digest.Kind)
    /// `sha`, which may be any of these.
    case sha
    /// `md5sum`, `md5sums`.
    case sums(Digest.Kind)
    /// `sfv`, `crc`, `crc32`.
    case crc32s(Manifest.Format)
    /// `checksum`, `checksums`, and `cksum`, which writes digests of all kinds.
    case checksums
    /// `sum`, `hash` and the like, which mean other things, too.
    case any

    init?(_ word: String) {
      switch word {
      case "sfv", "crc32": self = .crc32s(.sfv)
      case "crc": self = .crc32s(.crc)
      case "checksum", "checksums", "cksum", "cksums", "shasum", "shasums", "crc32sum", "crc32sums":
        self = .checksums
      case "sha", "sha2": self = .sha
      case "sum", "sums", "hash", "hashes", "digest", "digests", "rhash", "hashdeep", "md5deep",
        "sha1deep", "sha256deep", "sumfile", "dgst":
        self = .any
      default:
        if let kind = Self.kind(word) {
          self = .kind(kind)
          return
        }
        // Node's `SHASUMS256.txt`.
        let start = ["shasums", "shasum"].first(where: word.hasPrefix)
        if let start, let kind = Digest.Kind(rawValue: "sha\(word.dropFirst(start.count))") {
          self = .sums(kind)
          return
        }
        let endings = ["checksums", "checksum", "hashes", "sums", "sum"]
        guard let ending = endings.first(where: { word.hasSuffix($0) }),
          let kind = Self.kind(String(word.dropLast(ending.count)))
        else { return nil }
        self = .sums(kind)
      }
    }

    private static func kind(_ word: String) -> Digest.Kind? {
      ["blake2", "blake2b", "b2b"].contains(word) ? .b2 : Digest.Kind(rawValue: word)
    }

    var format: Manifest.Format? {
      switch self {
      case .kind(let kind), .sums(let kind): .sums(kind)
      case .crc32s(let format): format
      case .sha: .sums(nil)
      case .checksums, .any: nil
      }
    }
  }
}
