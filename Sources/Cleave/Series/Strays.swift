internal import Posix

/// Names beside a series that are like its parts' names and are none of them.
struct Strays: Hashable, Sendable {
  /// A name, and that of the part which it is like.
  struct Stray: Hashable, Sendable {
    let name: FilePath
    let part: FilePath
  }

  /// What browsers and file managers call a second copy, such as `name (1).002`.
  private(set) var duplicates: [Stray] = []
  /// What a part is called while it is downloaded, or the file that tells of it.
  private(set) var downloads: [Stray] = []

  init() {}

  static let downloadEndings = [
    ".part", ".crdownload", ".aria2", ".!qB", ".filepart", ".opdownload", ".tmp",
  ]
  private static let copyWords = [" - Copy", " copy"]

  /// - Parameter names: of the parts' directory.
  /// - Parameter isPart: whether a name is one that a part has, or would have.
  init(among names: [FilePath], isPart: (FilePath) -> Bool) {
    for name in names where !isPart(name) {
      for ending in Self.downloadEndings where name.ends(in: ending) {
        let part = FilePath(bytes: name.bytes.dropLast(ending.utf8.count))
        if isPart(part) { downloads.append(Stray(name: name, part: part)) }
      }
      for original in Self.originals(of: name) where isPart(original) {
        duplicates.append(Stray(name: name, part: original))
      }
    }
    duplicates.sort { $0.name < $1.name }
    downloads.sort { $0.name < $1.name }
  }

  /// What may be the part that is missing, as the end of a sentence; empty where nothing is.
  func hint(for part: FilePath) -> String {
    if let found = downloads.first(where: { $0.part == part }) {
      return "; \(found.name) says that it is still being downloaded"
    }
    return duplicates.first { $0.part == part }.map { "; \($0.name) may be it" } ?? ""
  }

  /// The names that a copy may be of: without one ` (1)`, ` - Copy`, ` copy` or `Copy of `.
  private static func originals(of name: FilePath) -> [FilePath] {
    let bytes = name.bytes
    var found: [FilePath] = []
    if bytes.starts(with: "Copy of ".utf8) { found.append(FilePath(bytes: bytes.dropFirst(8))) }
    for start in bytes.indices {
      for length in lengths(at: start, in: bytes) {
        found.append(FilePath(bytes: bytes[..<start] + bytes[(start + length)...]))
      }
    }
    return found
  }

  /// The lengths of what marks a copy at a place of a name.
  private static func lengths(at start: Int, in bytes: [UInt8]) -> [Int] {
    let rest = bytes[start...]
    var lengths = copyWords.filter { rest.starts(with: $0.utf8) }.map(\.utf8.count)
    let open = rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest
    guard open.first == UInt8(ascii: "(") else { return lengths }
    let digits = open.dropFirst().prefix { PartAlphabet.decimal.value(of: $0) != nil }
    if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: ")") {
      lengths.append(digits.endIndex + 1 - start)
    }
    return lengths
  }
}
