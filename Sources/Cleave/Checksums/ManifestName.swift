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
    let textCount = path.endsFolded(in: ".txt") ? 4 : 0
    let isText = textCount > 0
    // Hardly any name of a large directory needs a closer look.
    guard let last = path.bytes.dropLast(textCount).last, Self.lastBytes.contains(last.folded)
    else { return nil }
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
      // `film_md5` and `md5` alone are no manifests' names.
      guard isText || isEnding else { return nil }
      isCertain = !isText
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
  /// Those of the words.
  private static let lastBytes = Array("1256chmstv".utf8)
  /// `sha512sums` and `checksums`.
  private static let longestWord = 10

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
      case "checksum", "checksums": self = .checksums
      case "sum", "sums", "hash", "hashes", "digest", "digests": self = .any
      default:
        if let kind = Digest.Kind(rawValue: word) {
          self = .kind(kind)
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
