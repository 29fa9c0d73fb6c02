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
    /// One of some endings, which ends the name of the whole, too.
    case type([[UInt8]])

    static func words(_ words: [String]) -> Piece { .word(words.map { Array($0.utf8) }) }
    static func types(_ words: [String]) -> Piece { .type(words.map { Array($0.utf8) }) }
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
  /// The bytes one of which stands in front of the number; nil where it may begin the name, or any byte
  /// may.
  let before: ByteSet?
  /// The bytes one of which stands behind the number, where the name does not end with it.
  private let after: ByteSet
  private let mayEndWithNumber: Bool
  /// The bytes that a name may end in.
  private let last: ByteSet
  /// The words that a name may end in; none where it may end otherwise.
  private let lastWords: [[UInt8]]
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
    before = Self.lastBytes(of: front)
    (after, mayEndWithNumber) = Self.firstBytes(of: behind)
    let end = behind.last ?? (widths == nil ? front.last : nil)
    switch end {
    case .word(let words), .type(let words):
      (lastWords, last) = (words, ByteSet(words.compactMap(\.last)))
    case .total: (lastWords, last) = ([], .decimal)
    case nil:
      (lastWords, last) = ([], alphabet == .decimal ? .decimal : ByteSet(where: alphabet.contains))
    default: (lastWords, last) = ([], .all)
    }
  }

  /// The last bytes that some pieces may have; nil where they may be empty.
  private static func lastBytes(of pieces: [Piece]) -> ByteSet? {
    var found = ByteSet([])
    for piece in pieces.reversed() {
      switch piece {
      case .optionalByte(let set), .bytes(let set): found.formUnion(ByteSet(set))
      case .byte(let set): return found.union(ByteSet(set))
      case .word(let words): return found.union(ByteSet(words.compactMap(\.last)))
      case .stem, .number, .total, .ending, .fileType, .type: return nil
      }
    }
    return nil
  }

  /// The first bytes that some pieces may have, and whether they may be empty.
  private static func firstBytes(of pieces: [Piece]) -> (ByteSet, mayBeEmpty: Bool) {
    var found = ByteSet([])
    for piece in pieces {
      switch piece {
      case .optionalByte(let set), .bytes(let set): found.formUnion(ByteSet(set))
      case .byte(let set): return (found.union(ByteSet(set)), false)
      case .word(let words), .type(let words):
        return (found.union(ByteSet(words.compactMap(\.first))), false)
      case .total: return (found.union(.decimal), false)
      case .ending: return (found.union(ByteSet([UInt8(ascii: ".")])), true)
      case .fileType: return (found.union(ByteSet([UInt8(ascii: ".")])), false)
      case .stem, .number: return (.all, true)
      }
    }
    return (found, true)
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
  ///
  /// - Parameter set: those bytes.
  func fits(_ bytes: [UInt8], of set: ByteSet) -> Bool {
    var fits = false
    match(bytes, of: set) { _ in fits = true }
    return fits
  }

  /// Hands on every way in which a name has the form, shortest stem first.
  ///
  /// - Parameters:
  ///   - set: those bytes, by which most forms are none of the name's.
  ///   - mostLast: the highest value of the number's last digit, where not all matter.
  func match(
    _ bytes: [UInt8],
    of set: ByteSet,
    mostLast: Int64? = nil,
    _ body: (Match) -> Void
  ) {
    if let before, !before.intersects(set) { return }
    let isInside = after.intersects(set)
    guard isInside || mayEndWithNumber, canEnd(bytes) else { return }
    guard let widths else {
      guard let stem = stem(of: bytes, before: bytes.count, front.count) else { return }
      let none = bytes.count..<bytes.count
      return body(Match(stem: stem, number: none, digits: nil, total: nil, ending: none))
    }
    for end in (isInside ? 1 : bytes.count)...bytes.count where mayEnd(at: end, in: bytes) {
      if let mostLast, alphabet.value(of: bytes[end - 1]) ?? 0 > mostLast { continue }
      match(bytes, upTo: end, widths, body)
    }
  }

  /// Whether a number may end at an index, by the bytes on both sides of it.
  private func mayEnd(at end: Int, in bytes: [UInt8]) -> Bool {
    if end < bytes.count {
      guard after.contains(bytes[end]), !alphabet.contains(bytes[end]) else { return false }
    } else if !mayEndWithNumber {
      return false
    }
    return alphabet.contains(bytes[end - 1])
  }

  /// Whether a name of this form may end in a byte.
  func mayEnd(in byte: UInt8) -> Bool { last.contains(byte) }

  /// Whether a name may have the form by its last bytes alone, which most names have not.
  private func canEnd(_ bytes: [UInt8]) -> Bool {
    guard let byte = bytes.last, last.contains(byte) else { return false }
    return lastWords.isEmpty || lastWords.contains { Self.has(bytes, $0, before: bytes.count) }
  }

  /// - Parameter end: of digits with none behind them.
  private func match(
    _ bytes: [UInt8],
    upTo end: Int,
    _ widths: ClosedRange<Int>,
    _ body: (Match) -> Void
  ) {
    var run = end
    while run > 0, alphabet.contains(bytes[run - 1]) { run -= 1 }
    let (first, last) = (max(run, end - widths.upperBound), end - widths.lowerBound)
    guard first <= last else { return }
    var behind: (total: Int64?, ending: Range<Int>)?
    for start in first...last {
      guard mayBegin(at: start, in: bytes) else { continue }
      // Hardly any name gets here.
      if behind == nil { behind = rest(of: bytes, from: end) }
      guard let behind else { return }
      guard let stem = stem(of: bytes, before: start, front.count),
        let digits = PartDigits(bytes[start..<end], alphabet)
      else { continue }
      body(
        Match(
          stem: stem,
          number: start..<end,
          digits: digits,
          total: behind.total,
          ending: behind.ending
        )
      )
    }
  }

  /// Whether a number may begin at an index, by the byte in front of it.
  private func mayBegin(at start: Int, in bytes: [UInt8]) -> Bool {
    guard start > 0 else { return before == nil }
    // A number does not begin in the middle of one.
    if alphabet != .letters, PartAlphabet.decimal.contains(bytes[start - 1]) { return false }
    return before?.contains(bytes[start - 1]) ?? true
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
    case .stem, .number, .total, .ending, .fileType, .type: return nil
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
    return start < end || mayBeEmpty && start == end ? 0..<end : nil
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
      case .type(let words):
        let isOne = words.contains {
          index + $0.count == bytes.count && Self.has(bytes, $0, before: bytes.count)
        }
        return isOne ? (total, index..<bytes.count) : nil
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
