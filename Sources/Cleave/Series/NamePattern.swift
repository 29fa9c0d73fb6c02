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
  struct Match {
    let name: ArraySlice<UInt8>
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
    var match = Match(name: name.bytes[...])
    go(on: pieces[...], name.bytes[...], &match, &found)
    return found
  }

  /// Continues with the first of some pieces, in every way that it fits.
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
    func skip(_ count: Int) { go(on: next, rest.dropFirst(count), &match, &found) }
    switch piece {
    case .stem(let mayBeEmpty):
      for length in stride(from: mayBeEmpty ? 0 : 1, to: rest.count, by: 1) {
        match.stem = rest.prefix(length)
        skip(length)
      }
    case .words(let words):
      for word in words where starts(rest, with: word) { skip(word.utf8.count) }
    case .one(let bytes): if isOne(of: bytes, rest.first) { skip(1) }
    case .optional(let bytes):
      if isOne(of: bytes, rest.first) { skip(1) }
      skip(0)
    case .run(let bytes): skip(rest.prefix { isOne(of: bytes, $0) }.count)
    case .number(let widths, let alphabet):
      if let width = takeNumber(rest, widths, alphabet, &match) { skip(width) }
    case .total:
      let digits = rest.prefix { PartAlphabet.decimal.value(of: $0) != nil }
      match.total = PartDigits(digits)?.number
      if match.total != nil { skip(digits.count) }
    case .ending:
      guard rest.isEmpty || isOne(of: ".", rest.first) && rest.count > 1 else { return }
      match.ending = rest
      skip(rest.count)
    }
  }

  /// Returns how many digits there are, or nil for too few or too many.
  private func takeNumber(
    _ rest: ArraySlice<UInt8>,
    _ widths: ClosedRange<Int>,
    _ alphabet: PartAlphabet,
    _ match: inout Match
  ) -> Int? {
    // A number does not begin in the middle of one.
    let before = match.name[..<rest.startIndex].last
    if alphabet != .letters, before.flatMap(PartAlphabet.decimal.value) != nil { return nil }
    let written = rest.prefix { alphabet.value(of: $0) != nil }
    guard widths.contains(written.count), let digits = PartDigits(written, alphabet) else {
      return nil
    }
    match.head = match.name[..<rest.startIndex]
    match.digits = digits
    match.tail = rest[written.endIndex...]
    return written.count
  }

  private func starts(_ rest: ArraySlice<UInt8>, with word: String) -> Bool {
    var rest = rest.makeIterator()
    return word.utf8.allSatisfy { byte in rest.next().map { $0.folded == byte } ?? false }
  }

  private func isOne(of bytes: String, _ byte: UInt8?) -> Bool {
    byte.map { bytes.utf8.contains($0.folded) } ?? false
  }
}
