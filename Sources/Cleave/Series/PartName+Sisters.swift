internal import Posix

// Names that are like a part's but for another number than that which was read as the part's.
extension PartName {
  /// The names that differ from this one in another number, this one among them, in the order of that: all of as
  /// many digits, without a gap. Empty where one of them has another part of its own beside it.
  ///
  /// `x00.001` is one of `x00.001`, `x01.001` …, which GNU `split` makes if it is given `.001` to put behind its
  /// numbers; `film1.001` beside `film2.001` is one of two files that have several parts.
  func sisters(among names: PathList) -> [FilePath] {
    for alphabet in [PartAlphabet.decimal, .hexadecimal, .letters] {
      for place in places(of: alphabet) {
        let found = sisters(at: place, alphabet, names)
        if found.count > 1 { return found }
      }
    }
    return []
  }

  /// A part with this one's number whose name differs in another number, too, and which has the next one beside it:
  /// `S01.mkv.002` beside `S01.mkv.003`, for `S02.mkv.002`.
  ///
  /// - Parameter next: this one's next part.
  func sister(goingOnTo next: FilePath, among names: PathList) -> FilePath? {
    guard next.bytes.count == name.bytes.count else { return nil }
    for place in places(of: .decimal) {
      for other in Self.names(like: next, at: place, .decimal, names) where other.name != next {
        var bytes = name.bytes
        bytes.replaceSubrange(place, with: other.name.bytes[place])
        let sister = FilePath(bytes: bytes)
        if names.contains(sister) { return sister }
      }
    }
    return nil
  }

  /// A name whose part number is the next to this one's, and which differs in other numbers, too: `[2 of 3] f.002` goes on
  /// behind `[1 of 3] f.001`. Nil where it has another part of its own beside it.
  func fellow(among names: PathList) -> FilePath? {
    guard digits.alphabet == .decimal, head.bytes.last?.isDigit != true,
      tail.bytes.first?.isDigit != true
    else { return nil }
    let (front, back) = (Words(head.bytes), Words(tail.bytes))
    guard front.hasNumbers || back.hasNumbers else { return nil }
    let likely = names.likely(
      beginning: front.texts[0],
      ending: back.texts[back.texts.count - 1]
    )
    return likely.first { other in
      guard let (head, number, tail) = Words(other.bytes).parts(behind: front.texts.count),
        Words(head).texts == front.texts, Words(tail).texts == back.texts,
        self.digits(of: other, folding: true) == nil,
        let next = PartDigits(number, .decimal), next.width == digits.width,
        abs(next.number - digits.number) == 1
      else { return false }
      let own = PartAlphabet.decimal.digits(of: digits.number, width: digits.width)
      return !names.contains(FilePath(bytes: head + own + tail))
    }
  }

  /// A name as what is between numbers.
  private struct Words {
    let bytes: [UInt8]
    let texts: [[UInt8]]
    /// The numbers between them.
    private let numbers: [Range<Int>]

    init(_ bytes: some Sequence<UInt8>) {
      self.bytes = Array(bytes)
      var (texts, numbers): ([[UInt8]], [Range<Int>]) = ([[]], [])
      for (index, byte) in self.bytes.enumerated() {
        if !byte.isDigit {
          texts[texts.count - 1].append(byte)
        } else if let last = numbers.last, last.upperBound == index {
          numbers[numbers.count - 1] = last.lowerBound..<(index + 1)
        } else {
          numbers.append(index..<(index + 1))
          texts.append([])
        }
      }
      (self.texts, self.numbers) = (texts, numbers)
    }

    var hasNumbers: Bool { !numbers.isEmpty }

    /// The number behind so many texts, and what is around it; nil where there is none.
    func parts(behind count: Int) -> (head: [UInt8], number: ArraySlice<UInt8>, tail: [UInt8])? {
      guard numbers.indices.contains(count - 1) else { return nil }
      let place = numbers[count - 1]
      return (Array(bytes[..<place.lowerBound]), bytes[place], Array(bytes[place.upperBound...]))
    }
  }

  /// Where other numbers are in the name.
  private func places(of alphabet: PartAlphabet) -> [Range<Int>] {
    let bytes = name.bytes
    var (places, start): ([Range<Int>], Int) = ([], 0)
    for end in 0...bytes.count {
      if end < bytes.count, alphabet.contains(bytes[end]) { continue }
      let place = start..<end
      start = end + 1
      let isOwn = place.overlaps(head.bytes.count..<(bytes.count - tail.bytes.count))
      // A letter alone may be anything.
      let shortest = alphabet == .decimal ? 1 : 2
      guard !isOwn, (shortest...alphabet.maximumWidth).contains(place.count) else { continue }
      places.append(place)
    }
    return places
  }

  /// The names that are one but for as many digits at a place, and this one, with these.
  private static func names(
    like name: FilePath,
    at place: Range<Int>,
    _ alphabet: PartAlphabet,
    _ names: PathList
  ) -> [(digits: PartDigits, name: FilePath)] {
    let bytes = name.bytes
    let (front, back) = (Array(bytes[..<place.lowerBound]), Array(bytes[place.upperBound...]))
    let likely = names.likely(
      beginning: front,
      ending: back,
      around: place.count...place.count,
      of: alphabet.contains
    )
    return likely.compactMap { other in
      guard other.bytes.count == bytes.count, other.bytes.starts(with: front),
        other.bytes.suffix(back.count).elementsEqual(back)
      else { return nil }
      return PartDigits(other.bytes[place], alphabet).map { ($0, other) }
    }
  }

  private func sisters(
    at place: Range<Int>,
    _ alphabet: PartAlphabet,
    _ names: PathList
  ) -> [FilePath] {
    let bytes = name.bytes
    let found = Self.names(like: name, at: place, alphabet, names)
      .sorted { $0.digits.number < $1.digits.number }
    guard let first = found.first?.digits.number, let last = found.last?.digits.number,
      last - first == Int64(found.count) - 1
    else { return [] }
    let hasOther = found.contains { sister in
      neighbours.contains { other in
        // Of as many digits, so that the place is the same.
        guard other.bytes.count == bytes.count else { return false }
        var other = other.bytes
        other.replaceSubrange(place, with: sister.name.bytes[place])
        return names.contains(FilePath(bytes: other))
      }
    }
    return hasOther ? [] : found.map(\.name)
  }
}
