internal import Posix

/// Names beside a series that are like its parts' names, but are not parts.
struct Neighbours: Hashable, Sendable {
  /// A name, and that of the part which it is like.
  struct Stray: Hashable, Sendable {
    let name: FilePath
    let part: FilePath
    /// Whether the download is written under the part's own name.
    var isWrittenInPlace = false
  }

  /// Where the part is that a stray is like.
  enum Place {
    /// It is there, too.
    case there
    /// It would be the first, in front of those that are there.
    case before
    /// It would be one behind the last.
    case behind
    /// It is not one of the parts that are merged.
    case elsewhere
  }

  /// What browsers and file managers call a second copy, such as `name (1).002`.
  private(set) var duplicates: [Stray] = []
  /// What a part is called while it is downloaded, or the file that tells of it.
  private(set) var downloads: [Stray] = []

  init() {}

  static let downloadEndings =
    inPlaceEndings + [
      ".part", ".crdownload", ".!qB", ".!ut", ".filepart", ".opdownload", ".tmp", ".download",
      ".partial", ".bc!", ".td",
    ]
  private static let lastBytes = Set(downloadEndings.compactMap(\.utf8.last))

  /// Whether a name is that of a download that has not ended, or of what tells of it.
  static func isDownload(_ name: FilePath) -> Bool {
    guard let last = name.bytes.last, lastBytes.contains(last) else { return false }
    return downloadEndings.contains(where: name.ends)
  }

  /// What aria2 and axel keep beside a file while they write to it.
  private static let inPlaceEndings = [".aria2", ".st"]
  /// In lower case.
  private static let copyWords = [" - copy", " copy", " (copy)", " (another copy)"]
  /// What editors and people put behind the name of what they keep.
  private static let copyEndings = ["~", ".bak", ".old", ".orig"]

  /// - Parameters:
  ///   - names: of the parts' directory.
  ///   - head: what the names of all parts begin with.
  ///   - isPart: whether a name is one that a part has, or would have.
  init(among names: PathList, head: FilePath, isPart: (FilePath) -> Bool) {
    let start = Self.start(of: head)
    var likely = names.likely(beginning: start)
    let copyOf = Array(Self.copyOf.utf8)
    if !copyOf.map(\.folded).starts(with: start) { likely += names.likely(beginning: copyOf) }
    for name in likely where !isPart(name) {
      for ending in Self.downloadEndings where name.endsFolded(in: ending.lowercased()) {
        let part = FilePath(bytes: name.bytes.dropLast(ending.utf8.count))
        let isInPlace = Self.inPlaceEndings.contains(ending)
        if isPart(part) {
          downloads.append(Stray(name: name, part: part, isWrittenInPlace: isInPlace))
        }
      }
      for original in Self.originals(of: name) where isPart(original) {
        duplicates.append(Stray(name: name, part: original))
      }
    }
    duplicates.sort { $0.name < $1.name }
    downloads.sort { $0.name < $1.name }
  }

  /// What no copy of a part changes: its first bytes, in front of any place for a number.
  private static func start(of head: FilePath) -> [UInt8] {
    head.bytes.prefix { !". (-_".utf8.contains($0) }.prefix(8).map(\.folded)
  }

  private static let copyOf = "Copy of "

  /// What may be the part that is missing, as the end of a sentence; empty where nothing is.
  func hint(for part: FilePath) -> String {
    if let found = downloads.first(where: { $0.part == part }) {
      return "; \(found.name) says that it is still being downloaded"
    }
    return duplicates.first { $0.part == part }.map { "; \($0.name) may be it" } ?? ""
  }

  /// What a name is instead of a part, as the end of a sentence that begins with it; nil of any other.
  func said(of name: FilePath) -> String? {
    if let found = downloads.first(where: { $0.name == name }) {
      return "says that \(found.part) is still being downloaded"
    }
    return duplicates.first { $0.name == name }.map { "is another copy of \($0.part)" }
  }

  /// Whether a name is that of another copy of something that is there.
  static func isCopy(_ name: FilePath, among names: PathList) -> Bool {
    originals(of: name).contains { original in
      names.likely(beginning: original.bytes).contains { $0 == original }
    }
  }

  /// The names that a copy may be of: without one ` (1)`, ` 2`, ` - Copy`, ` copy`, `Copy of `, `.bak` or,
  /// as wget has it, `.1`.
  private static func originals(of name: FilePath) -> [FilePath] {
    let bytes = name.bytes
    var found: [FilePath] = []
    for ending in copyEndings where name.endsFolded(in: ending) {
      found.append(FilePath(bytes: bytes.dropLast(ending.utf8.count)))
    }
    let stem = bytes[..<(bytes.lastIndex { !isDigit($0) } ?? 0)]
    if stem.count + 1 < bytes.count, bytes[stem.count] == UInt8(ascii: ".") {
      found.append(FilePath(bytes: stem))
    }
    if bytes.starts(with: copyOf.utf8) {
      found.append(FilePath(bytes: bytes.dropFirst(copyOf.utf8.count)))
    }
    // All others have one of the two, and most names have neither.
    for start in bytes.indices where bytes[start] == blank || bytes[start] == UInt8(ascii: "(") {
      for length in lengths(at: start, in: bytes) {
        found.append(FilePath(bytes: bytes[..<start] + bytes[(start + length)...]))
      }
    }
    return found
  }

  private static let blank = UInt8(ascii: " ")

  private static func isDigit(_ byte: UInt8) -> Bool { PartAlphabet.decimal.contains(byte) }

  /// The lengths of what marks a copy at a place of a name.
  private static func lengths(at start: Int, in bytes: [UInt8]) -> [Int] {
    let rest = bytes[start...].lazy.map(\.folded)
    var ends = [start]
    for word in copyWords where rest.starts(with: word.utf8) {
      ends.append(start + word.utf8.count)
    }
    return (ends.dropFirst() + ends.compactMap { number(at: $0, in: bytes) }).map { $0 - start }
  }

  /// Where a number ends: in parentheses, with a blank in front of it or none; or behind a blank, and the
  /// last of a word.
  private static func number(at start: Int, in bytes: [UInt8]) -> Int? {
    let rest = bytes[start...]
    let open = rest.first == blank ? rest.dropFirst() : rest
    if open.first == UInt8(ascii: "(") {
      let digits = open.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty, digits.endIndex < bytes.count,
        bytes[digits.endIndex] == UInt8(ascii: ")")
      else { return nil }
      return digits.endIndex + 1
    }
    let digits = open.prefix(while: isDigit)
    let isWord = digits.endIndex == bytes.count || bytes[digits.endIndex] == UInt8(ascii: ".")
    return open.startIndex > start && !digits.isEmpty && isWord ? digits.endIndex : nil
  }
}
