internal import Posix

/// What browsers, file managers and programs that keep files alike call a second copy.
enum CopyName {
  /// In lower case.
  private static let words = [
    " - copy", " copy", " (copy)", " (another copy)", " - kopie", " (kopie)", " - copie",
    " (copie)", " - copia", " (copia)", " kopie", " - 副本", " - コピー", " — копия", " (3rd copy)",
    "-copy", "_copy", "_backup", ".bak", ".old", ".orig",
  ]
  /// What editors and people put behind the name of what they keep.
  private static let endings = ["~", ".bak", ".old", ".orig"]

  /// What Windows, or a mail program, has put in front of the name.
  static let fronts = ["Copy of ", "Copy (", "Kopie von ", "Copie de ", "Copia de ", "Copia di "]

  /// What a name may be another copy of, if that is there.
  static func original(of name: FilePath, among names: PathList) -> FilePath? {
    originals(of: name).first { names.contains($0) }
  }

  /// The names that a copy may be of: without one ` (1)`, ` 2`, `-1`, `[1]`, ` - Copy`, ` copy`, `Copy of `, `.bak`,
  /// what programs call two versions that they could not make one of, or, as wget has it, `.1`.
  ///
  /// - Parameter isSure: whether only what programs write counts, of numbers those in parentheses or brackets: `disc 2`,
  ///   `vol_1`, `film (1999)` and `disk.old.img` are names.
  static func originals(of name: FilePath, isSure: Bool = false) -> [FilePath] {
    let bytes = name.bytes
    var found: [FilePath] = []
    for ending in endings where !isSure && name.endsFolded(in: ending) {
      found.append(FilePath(bytes: bytes.dropLast(ending.utf8.count)))
    }
    let stem = bytes[..<(bytes.lastIndex { !$0.isDigit } ?? 0)]
    if !isSure, stem.count + 1 < bytes.count, bytes[stem.count] == UInt8(ascii: ".") {
      found.append(FilePath(bytes: stem))
    }
    if let front = fronts.first(where: { bytes.starts(with: $0.utf8) }) {
      var rest = bytes.dropFirst(front.utf8.count)
      if front.hasSuffix("(") {
        // `Copy (2) of film.001`
        rest = rest.drop(while: \.isDigit)
        rest = rest.starts(with: ") of ".utf8) ? rest.dropFirst(5) : []
      }
      if !rest.isEmpty { found.append(FilePath(bytes: rest)) }
    }
    for start in bytes.indices where marks.contains(bytes[start]) {
      for length in lengths(at: start, in: bytes, isSure) {
        found.append(FilePath(bytes: bytes[..<start] + bytes[(start + length)...]))
      }
    }
    return found
  }

  /// The lengths of what marks a copy at a place of a name.
  private static func lengths(at start: Int, in bytes: [UInt8], _ isSure: Bool) -> [Int] {
    let rest = bytes[start...].lazy.map(\.folded)
    var ends = [start]
    for word in words where rest.starts(with: word.utf8) && !(isSure && !word.hasPrefix(" ")) {
      ends.append(start + word.utf8.count)
    }
    return
      (ends.dropFirst() + ends.compactMap { number(at: $0, in: bytes, isSure && $0 == start) }
      + (conflict(at: start, in: bytes).map { [$0] } ?? [])).map { $0 - start }
  }

  /// What one of the marks begins with.
  static let marks = Array(" ([.-_".utf8)

  /// Where the mark ends by which Dropbox, Nextcloud, Syncthing or OneDrive tell two versions of a file
  /// apart. OneDrive takes the name of the computer; these two are those that Windows gives.
  private static func conflict(at start: Int, in bytes: [UInt8]) -> Int? {
    let rest = bytes[start...]
    let open = rest.first == blank ? rest.dropFirst() : rest
    if open.first == UInt8(ascii: "("), let close = open.firstIndex(of: UInt8(ascii: ")")) {
      let words = String(decoding: open[..<close].map(\.folded), as: UTF8.self)
      return words.contains("conflicted copy") || words.contains("case conflict") ? close + 1 : nil
    }
    let folded = rest.lazy.map(\.folded)
    for mark in [".sync-conflict-", "-desktop-", "-laptop-"] where folded.starts(with: mark.utf8) {
      let end = rest.dropFirst(mark.utf8.count).prefix { $0 != UInt8(ascii: ".") }.endIndex
      return end > start + mark.utf8.count ? end : nil
    }
    return nil
  }

  /// Where a number ends: in parentheses or brackets, with a blank in front of it or none; or behind a
  /// blank, and the last of a word.
  private static func number(at start: Int, in bytes: [UInt8], _ isSure: Bool) -> Int? {
    let rest = bytes[start...]
    let isMarked = rest.first.map { $0 == blank || "-_".utf8.contains($0) } == true
    let open = isMarked ? rest.dropFirst() : rest
    let pairs = zip("([".utf8, ")]".utf8)
    if let pair = pairs.first(where: { $0.0 == open.first }) {
      let digits = open.dropFirst().prefix(while: \.isDigit)
      guard !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == pair.1
      else { return nil }
      if isSure, digits.count > 3 || digits.first == UInt8(ascii: "0") { return nil }
      return digits.endIndex + 1
    }
    if isSure { return nil }
    let digits = open.prefix(while: \.isDigit)
    let isWord = digits.endIndex == bytes.count || bytes[digits.endIndex] == UInt8(ascii: ".")
    return open.startIndex > start && !digits.isEmpty && isWord ? digits.endIndex : nil
  }

  private static let blank = UInt8(ascii: " ")
}
