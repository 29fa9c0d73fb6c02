internal import Posix

/// The names in one directory that are like a part's but for the number. They may belong to several
/// series.
///
/// Two series of one base differ in width: `a.1`, `a.2` and `a.001`, `a.002`. A name that starts
/// with a zero belongs to the series of its width and no other; `a.100` fits both.
struct Siblings {
  private(set) var digits: [PartDigits] = []
  /// The names that are spelled in another case than the others.
  private(set) var spellings: [PartDigits: FilePath] = [:]
  /// Names in another case that are those of other files, since their numbers are taken.
  private(set) var foreign: [FilePath] = []
  /// By number of digits: whether there is a name that starts with a zero, and one that does not.
  private var padded: [Bool]
  private var unpadded: [Bool]

  /// - Parameter names: of a directory.
  init(of name: PartName, among names: PathList) {
    padded = Array(repeating: false, count: PartAlphabet.decimal.maximumWidth + 1)
    unpadded = padded
    var others: [(digits: PartDigits, name: FilePath)] = []
    let alphabet = name.digits.alphabet
    let likely = names.likely(
      beginning: name.head.bytes,
      ending: name.tail.bytes,
      around: 1...alphabet.maximumWidth,
      of: alphabet.contains
    )
    for other in likely {
      if let found = name.digits(of: other) {
        digits.append(found)
      } else if let found = name.digits(of: other, folding: true) {
        others.append((found, other))
      }
    }
    take(others)
    for one in digits {
      if one.isPadded { padded[one.width] = true } else { unpadded[one.width] = true }
    }
  }

  /// Names that differ in case alone may have been through a system that does not tell them apart; but
  /// where a number has two, this one does.
  private mutating func take(_ others: [(digits: PartDigits, name: FilePath)]) {
    if others.isEmpty { return }
    let taken = Set(digits)
    let spelled = Dictionary(others.map { ($0.digits, $0.name) }) { first, _ in first }
    guard spelled.count == others.count, taken.isDisjoint(with: spelled.keys) else {
      foreign = others.map(\.name).sorted()
      return
    }
    digits += others.map(\.digits)
    spellings = spelled
  }

  /// The width of the series that a name belongs to: the smallest that the siblings bear out.
  func width(for operand: PartDigits) -> Int {
    let smallest = operand.alphabet == .decimal ? 1 : 2
    // A zero in front fixes the width: then no smaller one contains the operand.
    let smaller = (smallest..<max(operand.width, smallest)).first { width in
      (padded[width] || unpadded[width]) && contains(operand, width: width)
    }
    return smaller ?? operand.width
  }

  /// The names of the series with this width, by number.
  ///
  /// - Parameter operand: which is not taken for a word, unless it is far behind.
  func members(width: Int, with operand: PartDigits) -> [PartDigits] {
    var all = digits.filter { contains($0, width: width) }
    all.sort { $0.number < $1.number }
    guard all.first.map({ $0.alphabet == .letters }) == true else { return all }
    let kept = Self.withoutWords(all)
    let isMeant = operand.number <= Self.farthest && all.dropFirst(kept.count).contains(operand)
    return isMeant ? all : kept
  }

  /// The last two letters are `dz` then. What is far behind that is a word.
  static let farthest: Int64 = 4 * 26 - 1

  /// Names that count otherwise, with more zeros or fewer.
  func others(than width: Int) -> [PartDigits] {
    let others = digits.filter { $0.alphabet == .decimal && !contains($0, width: width) }
    return others.sorted { $0.number < $1.number }
  }

  /// Letters behind a dot may be any ending: `data.gz` is far behind `data.aa` … `data.ad`.
  static func withoutWords(_ members: [PartDigits]) -> [PartDigits] {
    let rule = Numbering.of(members, width: members[0].width)
    var last: Int64 = -1
    for (index, member) in members.enumerated() {
      let place = rule.place(of: member.number) ?? member.number
      let isFar = index > 1 && place - last > 4 * Int64(index)
      if isFar, members.count - index <= 3 { return Array(members[..<index]) }
      last = place
    }
    return members
  }

  /// A few that are far behind all others, and not next to each other, are file types: `log.db` behind `log.00` …
  /// `log.26`.
  static func withoutStrays(_ members: [PartDigits]) -> [PartDigits] {
    guard let first = members.first else { return [] }
    let rule = Numbering.of(members, width: first.width)
    let places = members.map { rule.place(of: $0.number) ?? $0.number }
    let fewest = max(2, members.count - 3)
    var end = members.count
    while end > fewest, !SeriesCandidate.isDense(places[..<end]),
      places[end - 1] - places[end - 2] > 1
    {
      end -= 1
    }
    return SeriesCandidate.isDense(places[..<end]) ? Array(members[..<end]) : members
  }

  /// Whether these digits are in the series of this width.
  private func contains(_ digits: PartDigits, width: Int) -> Bool {
    if digits.width == width { return true }
    guard digits.alphabet == .decimal else { return widens(digits, width: width) }
    guard Numbering.plain(width: width).contains(digits) else { return false }
    // Where `a.001` exists, `a.100` is no reason to miss `a.2` … `a.99` behind `a.1`, nor is `a.2026` to miss others behind
    // `a.004`. It is once there is a name of the digits from which it could have grown, or where it is one of the first
    // of so many.
    if padded[(width + 1)...digits.width].contains(true) { return unpadded[digits.width - 1] }
    guard padded[width], digits.width > max(3, width), !unpadded[digits.width - 1] else {
      return true
    }
    // bounded: a power of 10 that has as many digits
    return digits.number - digits.alphabet.powers[digits.width - 1] <= Self.mostGrown
      || widens(digits, width: width)
  }

  /// Numbers with one digit more than those that are there, in front of which others may be missing.
  private static let mostGrown: Int64 = 100

  /// Letters become more only as GNU `split` widens them.
  private func widens(_ digits: PartDigits, width: Int) -> Bool {
    let widening = Numbering.widening(digits.alphabet)
    return width == widening.width && digits.width > width && widening.contains(digits)
  }
}
