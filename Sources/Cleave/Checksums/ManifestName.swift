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
    if path.bytes.last == UInt8(ascii: ")") {
      guard let original = Self.original(of: path), let name = ManifestName(original) else {
        return nil
      }
      (format, isCertain, subject) = (name.format, false, name.subject)
      return
    }
    let textCount = path.endsFolded(in: ".txt") ? 4 : 0
    let isText = textCount > 0
    // Hardly any name of a large directory needs a closer look.
    var start = path.bytes.dropLast(textCount)
    while let last = start.last, (48...57).contains(last) { start.removeLast() }
    guard let last = start.last, Self.lastLetters.contains(last.folded) else { return nil }
    let name = path.lastComponent.bytes
    let rest = SplitZipName.folded(name).dropLast(textCount)
    let cut = rest.lastIndex { Self.separators.contains($0) }
    let end = rest[(cut.map { $0 + 1 } ?? 0)...]
    guard end.count <= Self.longestWord else { return nil }
    let word = String(decoding: end, as: UTF8.self)
    guard cut != 0, let found = Word(word) else { return nil }
    (format, isCertain) = (found.format, false)
    let isEnding = cut.map { rest[$0] == UInt8(ascii: ".") } ?? false
    switch found {
    case .kind, .crc32s:
      // `film_md5` is no manifest's name, and `SHA256` alone may be.
      let isAlone = if case .kind = found { cut == nil } else { false }
      guard isText || isEnding || isAlone else { return nil }
      isCertain = isEnding && !isText
    case .sums: isCertain = cut == nil || isEnding && !isText
    case .checksums: break
    case .any:
      guard isEnding != isText, isEnding || cut == nil else { return nil }
    }
    guard let cut else { return }
    subject = FilePath(bytes: name[..<cut])
    if found.format == nil { takeKind(before: rest[..<cut]) }
  }

  private static let separators = Array("._-".utf8)
  /// Those of the words, in front of digits behind them.
  private static let lastLetters = Array("abcdhmstv".utf8)
  /// `shasums256`.
  private static let longestWord = 10

  /// What a browser has saved as `SHA256SUMS (1)`.
  private static func original(of path: FilePath) -> FilePath? {
    let digits = path.bytes.dropLast().reversed().prefix { (48...57).contains($0) }.count
    let name = path.bytes.dropLast(digits + 1)
    guard digits > 0, name.suffix(2).elementsEqual(" (".utf8) else { return nil }
    return FilePath(bytes: name.dropLast(2))
  }

  /// `sha256.sum` says of its lines what `sha256sum` does.
  private mutating func takeKind(before stem: ArraySlice<UInt8>) {
    let cut = stem.lastIndex { Self.separators.contains($0) }
    let word = String(decoding: stem[(cut.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    guard case .kind(let kind)? = Word(word), let name = subject else { return }
    format = .sums(kind)
    subject = cut.flatMap { $0 > 0 ? FilePath(bytes: name.bytes[..<$0]) : nil }
  }

  /// The last word of the name.
  private enum Word {
    /// `md5`.
    case kind(Digest.Kind)
    /// `md5sum`, `md5sums`.
    case sums(Digest.Kind)
    /// `sfv`, `crc`, `crc32`.
    case crc32s(Manifest.Format)
    /// `checksum`, `checksums`.
    case checksums
    /// `sum`, `hash` and the like, which mean other things, too.
    case any

    init?(_ word: String) {
      switch word {
      case "sfv", "crc32": self = .crc32s(.sfv)
      case "crc": self = .crc32s(.crc)
      case "checksum", "checksums", "shasum", "shasums": self = .checksums
      case "sum", "sums", "hash", "hashes", "digest", "digests": self = .any
      default:
        if let kind = Digest.Kind(rawValue: word) {
          self = .kind(kind)
          return
        }
        // Node's `SHASUMS256.txt`.
        let start = ["shasums", "shasum"].first(where: word.hasPrefix)
        if let start, let kind = Digest.Kind(rawValue: "sha\(word.dropFirst(start.count))") {
          self = .sums(kind)
          return
        }
        guard let ending = ["sums", "sum"].first(where: { word.hasSuffix($0) }),
          let kind = Digest.Kind(rawValue: String(word.dropLast(ending.count)))
        else { return nil }
        self = .sums(kind)
      }
    }

    var format: Manifest.Format? {
      switch self {
      case .kind(let kind), .sums(let kind): .sums(kind)
      case .crc32s(let format): format
      case .checksums, .any: nil
      }
    }
  }
}
