internal import Posix

/// Several names that are the same but for a number, in an order: likely the parts of one file, also where
/// no row of ``NamingStyle``'s table says so.
struct CountedNames {
  /// Why they are hardly all parts of a file in their order.
  enum Fault: Hashable {
    /// The name at this place does not have a higher number than the one in front of it.
    case order(Int)
    /// Between the name at this place and the one in front of it there are others.
    case gap(Int)
    /// In front of the first there are others.
    case start
    /// The names tell of more.
    case end(total: Int64)
  }

  private let digits: [PartDigits]
  /// What is around the number of the last name.
  private let around: (head: [UInt8], tail: [UInt8])
  /// The number of the first of all parts, as far as anything tells.
  private let first: Int64
  /// How many parts there are, if the names tell it.
  private let total: Int64?

  /// Nil where the names differ in more than a number, or in words.
  init?(_ names: [FilePath]) {
    let bytes = names.map(\.lastComponent.bytes)
    guard names.count > 1, let name = bytes.first, let shortest = bytes.map(\.count).min() else {
      return nil
    }
    let front = bytes.reduce(shortest) { count, other in
      zip(name, other).prefix(count).prefix { $0 == $1 }.count
    }
    let behind = bytes.reduce(shortest - front) { count, other in
      zip(name.reversed(), other.reversed()).prefix(count).prefix { $0 == $1 }.count
    }
    let found = [PartAlphabet.decimal, .letters, .hexadecimal].lazy.compactMap { alphabet in
      Self.digits(in: bytes, front, behind, alphabet)
    }.first
    guard let found, let last = bytes.last else { return nil }
    digits = found.digits
    around = (Array(last[..<found.front]), Array(last.suffix(found.behind)))
    let isDecimal = digits[0].alphabet == .decimal
    let forms = PartName.readings(of: names[0].lastComponent).filter { form in
      names.allSatisfy { form.digits(of: $0.lastComponent) != nil }
    }
    total = forms.lazy.compactMap(\.total).first
    // Behind `game.wbfs` there is `game.wbf1`.
    let isBehindFirst = forms.contains { $0.family == .dumps && $0.style.firsts == 0...0 }
    first = isDecimal && digits[0].number > 0 && !isBehindFirst ? 1 : 0
    if !isDecimal, !isNear { return nil }
  }

  /// What the names differ in, as numbers: as many digits as there are, and at least two letters.
  private static func digits(
    in names: [[UInt8]],
    _ front: Int,
    _ behind: Int,
    _ alphabet: PartAlphabet
  ) -> (digits: [PartDigits], front: Int, behind: Int)? {
    let name = names[0]
    var (front, behind) = (front, behind)
    let isDecimal = alphabet == .decimal
    // `xa` as `split -a 1` names it
    let isOfSplit = name.count == 2 && name[0] == UInt8(ascii: "x")
    while front > 0, alphabet.contains(name[front - 1]),
      isDecimal || name.count - behind - front < 2 && !isOfSplit
    {
      front -= 1
    }
    while isDecimal, behind > 0, alphabet.contains(name[name.count - behind]) { behind -= 1 }
    let found = names.compactMap { PartDigits($0[front..<($0.count - behind)], alphabet) }
    guard found.count == names.count else { return nil }
    // Behind anything else, one letter is a name of its own.
    let isApart = front > 0 && (isOfSplit || "._- ".utf8.contains(name[front - 1]))
    return isDecimal || isApart || found[0].width > 1 ? (found, front, behind) : nil
  }

  /// Whether they differ in decimal digits, with something around them.
  var areInDecimal: Bool { digits[0].alphabet == .decimal && !(around.head + around.tail).isEmpty }

  /// What is left of them without the number, and what stands in front of it.
  var whole: FilePath? {
    var head = around.head
    while let last = head.last, "._- ".utf8.contains(last) { head.removeLast() }
    return head.isEmpty ? nil : FilePath(bytes: head + around.tail)
  }

  /// The name behind the last, where they count in decimal digits; nil of others.
  var next: FilePath? {
    guard let last = digits.last, last.alphabet == .decimal, last.number < .max else { return nil }
    let width = digits.contains(where: \.isPadded) ? last.width : 0
    return name(around.head[...], last.number + 1, width)
  }

  /// What ends as theirs do behind a decimal number of at least so many digits.
  private func name(_ head: ArraySlice<UInt8>, _ number: Int64, _ width: Int) -> FilePath {
    let text = String(number)
    let zeros = String(repeating: "0", count: max(0, width - text.count))
    return FilePath(bytes: head + Array((zeros + text).utf8) + around.tail)
  }

  /// Whether a name is the same but for a number that is none of theirs, and not far from them.
  func isNext(_ name: FilePath) -> Bool {
    let bytes = name.lastComponent.bytes
    let (front, behind) = (around.head.count, around.tail.count)
    guard bytes.count > front + behind, bytes.starts(with: around.head),
      bytes.suffix(behind).elementsEqual(around.tail),
      let other = PartDigits(bytes[front..<(bytes.count - behind)], digits[0].alphabet)
    else { return false }
    let range = range
    return (range.lowerBound - 1...range.upperBound + 1).contains(other.number)
      && !digits.contains { $0.number == other.number }
  }

  /// From the lowest number to the highest.
  var range: ClosedRange<Int64> {
    let numbers = digits.map(\.number)
    return (numbers.min() ?? 0)...(numbers.max() ?? 0)
  }

  /// Whether a name has a number that is left out between theirs, and their name behind something.
  func lack(_ name: FilePath) -> Bool {
    guard !around.head.isEmpty, let (rest, number) = number(in: name), range.contains(number),
      !digits.contains(where: { $0.number == number }), rest.count > around.head.count
    else { return false }
    return rest.suffix(around.head.count) == around.head[...]
  }

  /// Whether a name ends as theirs do, behind a number that is between theirs.
  func overlaps(_ name: FilePath) -> Bool { number(in: name).map { range.contains($0.1) } ?? false }

  /// The name in front of one that ends as theirs do behind the number that is next; nil of any other.
  func predecessor(of name: FilePath) -> FilePath? {
    guard let (rest, number) = number(in: name), number == range.upperBound + 1 else { return nil }
    let width = name.lastComponent.bytes.count - rest.count - around.tail.count
    return name.sibling(self.name(rest, number - 1, width))
  }

  /// The decimal number in front of their end, and what is in front of that; nil of a name with another end.
  private func number(in name: FilePath) -> (ArraySlice<UInt8>, Int64)? {
    let bytes = name.lastComponent.bytes
    guard bytes.suffix(around.tail.count).elementsEqual(around.tail) else { return nil }
    let front = bytes.dropLast(around.tail.count)
    let rest = front.prefix(front.count - front.reversed().prefix { $0.isDigit }.count)
    return PartDigits(front[rest.endIndex...], .decimal).map { (rest, $0.number) }
  }

  /// Whether each has a higher number than the one in front of it, and none is left out.
  var areInOrder: Bool {
    zip(digits, digits.dropFirst()).allSatisfy { $1.number == $0.number + 1 }
  }

  /// Whether hardly more are missing than there are: letters may be any words.
  private var isNear: Bool {
    // One letter may be anywhere in the alphabet, and hexadecimal digits anywhere in their count.
    let isCountedFromFirst = digits[0].alphabet == .letters && digits[0].width > 1
    let range = range
    let missing =
      range.upperBound - (isCountedFromFirst ? 0 : range.lowerBound) + 1 - Int64(digits.count)
    return missing <= max(digits.count, isCountedFromFirst ? Self.fewLetters : 0)
  }

  private static let fewLetters = 4

  /// The first of all there are; nil where nothing speaks against the names.
  var fault: Fault? {
    let numbers = digits.map(\.number)
    let places = numbers.indices.dropFirst()
    if let place = places.first(where: { numbers[$0] <= numbers[$0 - 1] }) { return .order(place) }
    let gap = places.first { numbers[$0] - numbers[$0 - 1] > 1 && areCounted(upTo: $0) }
    if let gap { return .gap(gap) }
    if isStartMissing { return .start }
    if let total, let last = numbers.last, last < total - 1 + first { return .end(total: total) }
    return nil
  }

  /// Whether numbers count, and are no years or the like.
  private func areCounted(upTo place: Int) -> Bool {
    let (before, after) = (digits[place - 1], digits[place])
    if after.alphabet != .decimal || after.width < 4 || before.isPadded { return true }
    return after.number - before.number - 1 <= Int64(digits.count)
  }

  private var isStartMissing: Bool {
    let missing = digits[0].number - first
    guard missing > 0 else { return false }
    if total != nil { return true }
    switch digits[0].alphabet {
    case .decimal:
      guard digits[0].isPadded || digits[0].width == 1 else { return false }
      return missing <= max(digits.count, 9)
    case .letters: return digits[0].width > 1 || missing == 1
    case .hexadecimal, .afterS: return false
    }
  }
}
