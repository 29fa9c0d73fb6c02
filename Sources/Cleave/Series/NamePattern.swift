internal import Posix

/// The form of the names of one family, piece by piece. Letters match in either case.
struct NamePattern: Sendable {
  enum Piece: Sendable {
    /// Any bytes, which begin the name of the whole.
    case stem(mayBeEmpty: Bool)
    /// One of some words.
    case words([String])
    /// One byte of these.
    case one(of: String)
    /// One byte of these, or none.
    case optional(String)
    /// Any number of these bytes.
    case run(String)
    /// The part's number, as many digits as there are.
    case number(ClosedRange<Int>, PartAlphabet)
    /// How many parts there are.
    case total
    /// A dot and anything up to the end, or nothing: the end of the name of the whole.
    case ending
  }

  let pieces: [Piece]

  init(_ pieces: Piece...) { self.pieces = pieces }

  /// A name that has the form, taken apart.
  struct Match: Hashable {
    /// In front of the number.
    var head: ArraySlice<UInt8> = []
    /// Nil where the form has none.
    var digits: PartDigits?
    /// Behind the number.
    var tail: ArraySlice<UInt8> = []
    var total: Int64?
    var stem: ArraySlice<UInt8> = []
    var ending: ArraySlice<UInt8> = []
  }

  /// Every way in which a name has the form, shortest stem first.
  func matches(_ name: FilePath) -> [Match] {
    var found: [Match] = []
    var match = Match()
    match.head = name.bytes[...]
    go(on: pieces[...], name.bytes[...], &match, &found)
    return found
  }

  private func go(
    on pieces: ArraySlice<Piece>,
    _ rest: ArraySlice<UInt8>,
    _ match: inout Match,
    _ found: inout [Match]
  ) {
    guard let piece = pieces.first else {
      if rest.isEmpty { found.append(match) }
      return
    }
    let next = pieces.dropFirst()
    for length in lengths(of: piece, in: rest) {
      var match = match
      guard take(piece, rest.prefix(length), from: rest, &match) else { continue }
      go(on: next, rest.dropFirst(length), &match, &found)
    }
  }

  /// The lengths that a piece may have here. One that takes all it can leaves no choice.
  private func lengths(of piece: Piece, in rest: ArraySlice<UInt8>) -> [Int] {
    switch piece {
    case .stem(let mayBeEmpty): return Array((mayBeEmpty ? 0 : 1)..<max(rest.count, 1))
    case .words(let words):
      return words.map(\.utf8.count).filter { length in
        words.contains { $0.utf8.count == length && starts(rest, with: $0) }
      }
    case .one(let bytes): return isOne(of: bytes, rest.first) ? [1] : []
    case .optional(let bytes): return isOne(of: bytes, rest.first) ? [1, 0] : [0]
    case .run(let bytes): return [rest.prefix { isOne(of: bytes, $0) }.count]
    case .number(let widths, let alphabet):
      let width = rest.prefix { alphabet.value(of: $0) != nil }.count
      return widths.contains(width) ? [width] : []
    case .total: return [rest.prefix { PartAlphabet.decimal.value(of: $0) != nil }.count]
    case .ending:
      return rest.isEmpty || isOne(of: ".", rest.first) && rest.count > 1 ? [rest.count] : []
    }
  }

  private func take(
    _ piece: Piece,
    _ bytes: ArraySlice<UInt8>,
    from rest: ArraySlice<UInt8>,
    _ match: inout Match
  ) -> Bool {
    switch piece {
    case .stem: match.stem = bytes
    case .ending: match.ending = bytes
    case .number(_, let alphabet):
      // A number does not begin in the middle of one.
      let before = match.head[..<rest.startIndex].last
      if alphabet != .letters, before.flatMap(PartAlphabet.decimal.value) != nil { return false }
      guard let digits = PartDigits(bytes, alphabet) else { return false }
      // What was set at first reaches from the start of the name to its end.
      match.head = match.head[..<rest.startIndex]
      match.digits = digits
      match.tail = rest[bytes.endIndex...]
    case .total:
      guard let total = PartDigits(bytes) else { return false }
      match.total = total.number
    default: break
    }
    return true
  }

  private func starts(_ rest: ArraySlice<UInt8>, with word: String) -> Bool {
    SplitZipName.folded(rest.prefix(word.utf8.count)) == Array(word.utf8)
  }

  private func isOne(of bytes: String, _ byte: UInt8?) -> Bool {
    byte.map { byte in bytes.utf8.contains { $0 == SplitZipName.folded([byte])[0] } } ?? false
  }
}
