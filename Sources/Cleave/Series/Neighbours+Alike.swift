internal import Posix

extension Neighbours {
  /// A file that may be the part behind the last one, by its number and the words of the whole's name: `film.003.mkv`,
  /// `film.mkv.part3` or `[site] film.mkv_003` beside `film.mkv.002`. One that has such a file in front of it is of a
  /// series of its own.
  ///
  /// - Parameters:
  ///   - next: the name and the number of the part behind the last one.
  ///   - names: those in the directory.
  ///   - isLikely: what else has to be so.
  static func alike(
    _ next: (name: FilePath, number: Int64),
    of series: PartSeries,
    among names: PathList,
    isLikely: (FilePath) -> Bool
  ) -> Stray? {
    let whole = NameWords(series.base.lastComponent)
    let number = next.number
    guard number > 0, let first = whole.words.first else { return nil }
    // With zeros in front or without.
    let digits = PartAlphabet.decimal.digits(of: number, width: 1)
    let found = names.likely(containing: digits).filter { name in
      let bytes = name.bytes.lazy.map(\.folded)
      return bytes.indices.contains { bytes[$0...].starts(with: first) }
        && NameWords(name).number(behind: whole, series.width) == number
    }
    let isOfOthers = { (name: FilePath) in
      let digits = PartAlphabet.decimal
      let end = name.bytes.lastIndex(where: digits.contains).map { $0 + 1 } ?? 0
      let start = name.bytes[..<end].lastIndex { !digits.contains($0) }.map { $0 + 1 } ?? 0
      let before = digits.digits(of: number - 1, width: end - start)
      let other = FilePath(bytes: name.bytes[..<start] + before + name.bytes[end...])
      // Itself, or in parts.
      return names.likely(beginning: other.bytes).contains { $0.bytes.starts(with: other.bytes) }
    }
    return found.sorted().first { !isOfOthers($0) && isLikely($0) }
      .map { Stray(name: $0, part: next.name) }
  }

  /// What a part may be another copy of, by its name, as `film.mkv (1).001` of `film.mkv.001`: the part of that number
  /// which has no mark of a copy, where it is there.
  static func original(
    of name: FilePath,
    _ number: Int64,
    by family: NamingStyle.Family,
    among names: PathList
  ) -> FilePath? {
    CopyName.originals(of: name).first { name in
      names.contains(name)
        && PartName.readings(of: name, by: [family]).contains { $0.number == number }
    }
  }
}

extension Neighbours.Stray {
  /// Whether the part and what is called like a copy of it begin with the same bytes.
  func isAlike(beside base: FilePath) -> Bool {
    func head(_ name: FilePath) -> [UInt8]? {
      try? FileDescriptor.open(base.sibling(name), [.readOnly, .nonBlocking]).read(1 << 16, at: 0)
    }
    // Either may be cut short.
    guard let part = head(part), let copy = head(name) else { return false }
    return !part.isEmpty && !copy.isEmpty && zip(part, copy).allSatisfy { $0 == $1 }
  }
}

/// A name in words of letters and digits, in lower case.
private struct NameWords {
  let words: [[UInt8]]

  init(_ name: FilePath) {
    var bytes = SplitZipName.folded(name.bytes)
    // What is saved by its address has these for blanks, and what a page shows may have others.
    for blank in [Array("%20".utf8), [0xC2, 0xA0]] where bytes.contains(blank) {
      bytes.replace(blank, with: [UInt8(ascii: " ")])
    }
    words = bytes.split { byte in
      byte < 0x80 && !PartAlphabet.decimal.contains(byte) && !PartAlphabet.letters.contains(byte)
    }.map(Array.init)
  }

  /// What stands in front of the number of a part.
  private static let labels = ["part", "pt", "p"].map { Array($0.utf8) }
  private static let of = Array("of".utf8)

  /// The number behind the words of a whole's name, or within them in front of the last: its ending. Nil where there
  /// are other words, or several numbers; and where it is counted otherwise than the parts, unless something says that
  /// it is a part's: sequels and episodes have numbers, too.
  ///
  /// - Parameter width: the digits of the parts' numbers.
  func number(behind whole: NameWords, _ width: Int) -> Int64? {
    let isNumbered = whole.words.last?.allSatisfy(PartAlphabet.decimal.contains) == true
    let ending = whole.words.count > 1 && !isNumbered ? whole.words.last : nil
    let stem = whole.words.prefix(whole.words.count - (ending == nil ? 0 : 1))
    let starts = words.indices.prefix(max(0, words.count - stem.count))
    guard let start = starts.last(where: { words[$0...].starts(with: stem) }) else { return nil }
    var number: Int64?
    var isSure = false
    for word in words[(start + stem.count)...] {
      if word == ending {
        isSure = isSure || number == nil && start == 0
        continue
      }
      if Self.labels.contains(word) {
        isSure = true
        continue
      }
      let parts = word.split(separator: Self.of[0], maxSplits: 1)
      let isOfTotal = number == nil && parts.count == 2 && parts[1].first == Self.of[1]
      let digits = isOfTotal ? parts[0] : word[...]
      let label = Array(digits.prefix { !PartAlphabet.decimal.contains($0) })
      guard label.isEmpty || label == ending || Self.labels.contains(label), number == nil,
        let found = PartDigits(digits.dropFirst(label.count))
      else { return nil }
      isSure = isSure || !label.isEmpty || isOfTotal || found.width == width && width > 1
      number = found.number
    }
    return isSure ? number : nil
  }
}
