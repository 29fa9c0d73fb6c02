internal import Posix

/// The form of the names of one family: a stem, what is between it and the number, the number, and
/// what is behind. Letters match in either case.
///
/// A name is matched from its numbers outwards, since it has few of them: directories have a hundred
/// thousand names, and each is held against every pattern. A class, so that to look at a pattern does
/// not mean to count the references of all its pieces.
final class NamePattern: Sendable {
  enum Piece: Sendable {
    /// Any bytes, which begin the name of the whole.
    case stem(mayBeEmpty: Bool)
    /// One of some words.
    case word([[UInt8]])
    /// One byte of these.
    case byte([UInt8])
    /// One byte of these, or none.
    case optionalByte([UInt8])
    /// Any number of these bytes.
    case bytes([UInt8])
    /// The part's number, as many digits as there are.
    case number(ClosedRange<Int>, PartAlphabet)
    /// How many parts there are.
    case total
    /// A dot and anything up to the end, or nothing: the end of the name of the whole.
    case ending
    /// A dot and anything up to the end that is no number.
    case fileType

    static func words(_ words: [String]) -> Piece { .word(words.map { Array($0.utf8) }) }
    static func one(of bytes: String) -> Piece { .byte(Array(bytes.utf8)) }
    static func optional(_ bytes: String) -> Piece { .optionalByte(Array(bytes.utf8)) }
    static func run(_ bytes: String) -> Piece { .bytes(Array(bytes.utf8)) }
  }

  /// What the name begins with.
  private let opening: [Piece]
  /// Nil where the words themselves begin the name.
  private let stem: Piece?
  /// Between the stem and the number; up to the end of a name without a number.
  private let front: [Piece]
  private let widths: ClosedRange<Int>?
  /// Of the number's digits.
  let alphabet: PartAlphabet
  private let behind: [Piece]
  /// What the name of the whole has in place of all behind the stem, where it is not a part's.
  let wholeEnding: String?

  /// - Parameter pieces: in the order of the name.
  init(_ pieces: Piece..., whole wholeEnding: String? = nil) {
    let start = pieces.firstIndex { if case .stem = $0 { true } else { false } }
    let rest = pieces[(start.map { $0 + 1 } ?? 0)...]
    let number = rest.firstIndex { if case .number = $0 { true } else { false } }
    opening = start.map { Array(pieces[..<$0]) } ?? []
    stem = start.map { pieces[$0] }
    front = Array(rest[..<(number ?? rest.endIndex)])
    behind = number.map { Array(rest[($0 + 1)...]) } ?? []
    if let number, case .number(let widths, let alphabet) = rest[number] {
      (self.widths, self.alphabet) = (widths, alphabet)
    } else {
      (widths, alphabet) = (nil, .decimal)
    }
    self.wholeEnding = wholeEnding
  }

  /// Whether names of this form begin with a word, so that they tell nothing of the whole.
  var isBare: Bool { stem == nil }

  /// A name that has the form, taken apart: indices of its bytes.
  struct Match {
    var stem: Range<Int>
    /// Empty where the form has none.
    var number: Range<Int>
    /// Nil where the form has none.
    var digits: PartDigits?
    var total: Int64?
    var ending: Range<Int>
  }

  /// Whether the number is in front of a file type, so that a manifest or a download of another name
  /// may have the form.
  var hasFileType: Bool { if case .fileType = behind.last { true } else { false } }

  /// Whether a name has the form.
  func fits(_ bytes: [UInt8]) -> Bool {
    var fits = false
    match(bytes) { _ in fits = true }
    return fits
  }

  /// Hands on every way in which a name has the form, shortest stem first.
  ///
  /// - Parameter mostLast: the highest value of the number's last digit, where not all matter.
  func match(_ bytes: [UInt8], mostLast: Int64? = nil, _ body: (Match) -> Void) {
    guard canEnd(bytes) else { return }
    guard let widths else {
      guard let stem = stem(of: bytes, before: bytes.count, front.count) else { return }
      let none = bytes.count..<bytes.count
      return body(Match(stem: stem, number: none, digits: nil, total: nil, ending: none))
    }
    var index = behind.isEmpty ? lastRun(of: bytes) : 0
    while index < bytes.count {
      guard alphabet.contains(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, alphabet.contains(bytes[index]) { index += 1 }
      if let mostLast, alphabet.value(of: bytes[index - 1]) ?? 0 > mostLast { continue }
      match(bytes, run: start..<index, widths, body)
    }
  }

  /// Whether a name of this form may end in a byte.
  func mayEnd(in byte: UInt8) -> Bool {
    switch behind.last ?? (widths == nil ? front.last : nil) {
    case .word(let words): words.contains { $0.last == byte.folded }
    case .total: PartAlphabet.decimal.contains(byte)
    case nil: alphabet.contains(byte)
    default: true
    }
  }

  /// Whether a name may have the form by its last bytes alone, which most names have not.
  private func canEnd(_ bytes: [UInt8]) -> Bool {
    guard let last = bytes.last else { return false }
    switch behind.last ?? (widths == nil ? front.last : nil) {
    case .word(let words): return words.contains { Self.has(bytes, $0, before: bytes.count) }
    case .total: return PartAlphabet.decimal.contains(last)
    case nil: return alphabet.contains(last)
    default: return true
    }
  }

  /// Where the digits begin that a name ends in.
  private func lastRun(of bytes: [UInt8]) -> Int {
    var start = bytes.count
    while start > 0, alphabet.contains(bytes[start - 1]) { start -= 1 }
    return start
  }

  /// - Parameter run: digits with none in front of them, and none behind.
  private func match(
    _ bytes: [UInt8],
    run: Range<Int>,
    _ widths: ClosedRange<Int>,
    _ body: (Match) -> Void
  ) {
    guard run.count >= widths.lowerBound,
      let (total, ending) = rest(of: bytes, from: run.upperBound)
    else { return }
    let first = max(run.lowerBound, run.upperBound - widths.upperBound)
    for start in first...(run.upperBound - widths.lowerBound) {
      // A number does not begin in the middle of one.
      if alphabet != .letters, start > 0, PartAlphabet.decimal.contains(bytes[start - 1]) {
        continue
      }
      let number = start..<run.upperBound
      guard let stem = stem(of: bytes, before: start, front.count),
        let digits = PartDigits(bytes[number], alphabet)
      else { continue }
      body(Match(stem: stem, number: number, digits: digits, total: total, ending: ending))
    }
  }

  // MARK: In front of the number

  /// The stem of a name whose first pieces, so many of them, end at an index; nil where they do not.
  private func stem(of bytes: [UInt8], before end: Int, _ count: Int) -> Range<Int>? {
    guard count > 0 else { return stem(of: bytes, before: end) }
    switch front[count - 1] {
    case .word(let words):
      for word in words where Self.has(bytes, word, before: end) {
        if let found = stem(of: bytes, before: end - word.count, count - 1) { return found }
      }
      return nil
    case .byte(let set):
      guard end > 0, Self.isOne(of: set, bytes[end - 1]) else { return nil }
      return stem(of: bytes, before: end - 1, count - 1)
    case .optionalByte(let set):
      if end > 0, Self.isOne(of: set, bytes[end - 1]),
        let found = stem(of: bytes, before: end - 1, count - 1)
      {
        return found
      }
      return stem(of: bytes, before: end, count - 1)
    case .bytes(let set):
      var start = end
      while start > 0, Self.isOne(of: set, bytes[start - 1]) { start -= 1 }
      return stem(of: bytes, before: start, count - 1)
    case .stem, .number, .total, .ending, .fileType: return nil
    }
  }

  private func stem(of bytes: [UInt8], before end: Int) -> Range<Int>? {
    var start = 0
    for case .word(let words) in opening {
      let word = words.first {
        start + $0.count <= end && Self.has(bytes, $0, before: start + $0.count)
      }
      guard let word else { return nil }
      start += word.count
    }
    guard case .stem(let mayBeEmpty) = stem else { return end == 0 ? 0..<0 : nil }
    return start < end || mayBeEmpty && start == end ? start..<end : nil
  }

  // MARK: Behind the number

  /// The total and the ending in what is behind the number; nil where that has another form.
  private func rest(of bytes: [UInt8], from start: Int) -> (Int64?, Range<Int>)? {
    var (index, total) = (start, Int64?.none)
    for piece in behind {
      switch piece {
      case .word(let words):
        let word = words.first {
          index + $0.count <= bytes.count && Self.has(bytes, $0, before: index + $0.count)
        }
        guard let word else { return nil }
        index += word.count
      case .byte(let set):
        guard index < bytes.count, Self.isOne(of: set, bytes[index]) else { return nil }
        index += 1
      case .optionalByte(let set):
        if index < bytes.count, Self.isOne(of: set, bytes[index]) { index += 1 }
      case .bytes(let set):
        while index < bytes.count, Self.isOne(of: set, bytes[index]) { index += 1 }
      case .total:
        let digits = bytes[index...].prefix { PartAlphabet.decimal.value(of: $0) != nil }
        total = PartDigits(digits)?.number
        if total == nil { return nil }
        index = digits.endIndex
      case .ending: return Self.isEnding(bytes[index...]) ? (total, index..<bytes.count) : nil
      case .fileType:
        return Self.isFileType(bytes[index...]) ? (total, index..<bytes.count) : nil
      case .stem, .number: return nil
      }
    }
    return index == bytes.count ? (total, index..<index) : nil
  }

  private static func isEnding(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.count > 1
  }

  private static func isFileType(_ rest: ArraySlice<UInt8>) -> Bool {
    isEnding(rest)
      && rest.contains { $0 != UInt8(ascii: ".") && !PartAlphabet.decimal.contains($0) }
  }

  /// Whether a name is a manifest's, or that of a download that has not ended.
  static func isBeside(_ name: FilePath) -> Bool {
    Manifest.isName(name) || Neighbours.isDownload(name)
  }

  // MARK: Bytes

  /// Whether a word ends in front of an index.
  private static func has(_ bytes: [UInt8], _ word: [UInt8], before end: Int) -> Bool {
    let start = end - word.count
    guard start >= 0 else { return false }
    for index in word.indices where bytes[start + index].folded != word[index] { return false }
    return true
  }

  private static func isOne(of set: [UInt8], _ byte: UInt8) -> Bool { set.contains(byte.folded) }
}
