public import Posix

/// The name of one part, read by one row of ``NamingStyle``'s table: what comes before the number, the
/// number, and what comes behind.
public struct PartName: Hashable, Sendable {
  /// The family of the name.
  public private(set) var family: NamingStyle.Family
  /// What is in front of the number; no directory in it.
  let head: FilePath
  /// What the name of the part says of its place.
  public private(set) var digits: PartDigits
  /// What is behind the number.
  let tail: FilePath
  /// How many parts there are, if the name tells it.
  let total: Int64?
  /// The name of the whole, without a directory.
  public let base: FilePath
  /// Whether the base is a name that somebody would want for the whole: `x` of `xaa` is none.
  let namesWhole: Bool

  /// The number that the digits give.
  public var number: Int64 { digits.number }
  /// How many digits the name has.
  public var width: Int { digits.width }

  private static let dot = UInt8(ascii: ".")

  /// Takes a name in a directory apart as `BASE.DIGITS`, or gives nil where it does not have that form.
  ///
  /// The base has at least one byte. `..1` and `...1` are no parts: joined, they would be a
  /// directory.
  public init?(_ name: FilePath) {
    let bytes = name.bytes
    guard let cut = bytes.lastIndex(of: Self.dot), cut > 0 else { return nil }
    guard let digits = PartDigits(bytes[(cut + 1)...]) else { return nil }
    let base = FilePath(bytes: bytes[..<cut])
    if !Self.isUsable(base) || bytes.contains(UInt8(ascii: "/")) { return nil }
    self.init(numbered: base, digits)
  }

  /// `BASE.DIGITS`.
  init(numbered base: FilePath, _ digits: PartDigits) {
    family = digits.width == 1 ? .digit : .numbers
    head = base.adding(".")
    self.digits = digits
    tail = ""
    total = nil
    self.base = base
    namesWhole = true
  }

  private init?(_ match: NamePattern.Match, _ style: NamingStyle) {
    guard let digits = match.digits else { return nil }
    family = style.family
    head = FilePath(bytes: match.head)
    self.digits = digits
    tail = FilePath(bytes: match.tail)
    total = match.total
    let trimmed = Self.trimmed(match.stem, style.family)
    let whole = FilePath(bytes: trimmed + match.ending)
    namesWhole = !trimmed.isEmpty && !(style.family == .letters && whole == "x")
    base = trimmed.isEmpty ? FilePath(bytes: match.head + digits.zeros + match.tail) : whole
    guard Self.isUsable(base) else { return nil }
  }

  /// GNU `split` puts nothing between the prefix that it is given and the letters.
  private static func trimmed(
    _ stem: ArraySlice<UInt8>,
    _ family: NamingStyle.Family
  ) -> ArraySlice<UInt8> {
    guard family == .letters || family == .digits else { return stem }
    var stem = stem
    while let last = stem.last, ".-_".utf8.contains(last) { stem.removeLast() }
    return stem
  }

  private static func isUsable(_ base: FilePath) -> Bool {
    !base.bytes.isEmpty && base != "." && base != ".."
  }

  /// Every way to read a name, most specific first; none of them twice.
  static func readings(of name: FilePath, by families: [NamingStyle.Family]? = nil) -> [PartName] {
    guard !name.bytes.contains(UInt8(ascii: "/")) else { return [] }
    var readings: [PartName] = []
    for style in NamingStyle.table where families?.contains(style.family) ?? true {
      for pattern in style.patterns {
        for match in pattern.matches(name) {
          guard let reading = PartName(match, style) else { continue }
          let isNew = !readings.contains { $0.isSame(as: reading) }
          if isNew { readings.append(reading) }
        }
      }
    }
    return readings
  }

  /// Whether the other parts are the same, too.
  private func isSame(as other: PartName) -> Bool {
    head == other.head && tail == other.tail && digits.alphabet == other.digits.alphabet
  }

  /// How a name can be that of a part of `base`, whatever else it may be.
  static func reading(of name: FilePath, for base: FilePath) -> PartName? {
    if let numbered = PartName(name), numbered.base == base { return numbered }
    return readings(of: name).first { $0.base == base && $0.style.isJoined }
  }

  /// The names of the wholes that a file may be a part of, most likely first, in its directory.
  package static func wholes(of path: FilePath) -> [FilePath] {
    readings(of: path.lastComponent).filter(\.style.isJoined).map { path.sibling($0.base) }
  }

  /// How names that are given in an order are all read, so that they are those of one file; nil where
  /// they are not.
  package static func common(_ names: [FilePath]) -> PartName? {
    guard let first = names.first else { return nil }
    return readings(of: first).first { reading in
      guard
        reading.style.isCertain && reading.digits.alphabet == .decimal
          || reading.style.isJoined && reading.number == 0 && names.count > 1
      else { return false }
      return names.allSatisfy { reading.digits(of: $0) != nil }
    }
  }

  /// The names that the first part may have: of as many digits, or of two, from which they widened.
  var firsts: [FilePath] {
    let plain = Numbering(alphabet: digits.alphabet, width: width, isWidening: false)
    let widening = Numbering.widening(digits.alphabet)
    let rules = width > 2 && widening.contains(digits) ? [widening, plain] : [plain]
    return rules.flatMap { rule in style.firsts.map { name($0, rule) } }
  }

  /// The name that was read.
  var name: FilePath {
    name(number, Numbering(alphabet: digits.alphabet, width: width, isWidening: false))
  }

  /// The row of the table.
  var style: NamingStyle { NamingStyle.of(family) }
}

// MARK: - Other parts

extension PartName {
  /// The digits of `name`, if it is the name of another part: the same but for the number.
  ///
  /// Takes no memory, for the names of a large directory.
  ///
  /// - Parameter folding: whether letters in another case are the same.
  func digits(of name: FilePath, folding: Bool = false) -> PartDigits? {
    let (front, behind) = (head.bytes.count, tail.bytes.count)
    let bytes = name.bytes
    guard bytes.count > front + behind else { return nil }
    let middle = bytes[front..<(bytes.count - behind)]
    guard Self.isSame(bytes[..<front], head.bytes[...], folding),
      Self.isSame(bytes[middle.endIndex...], tail.bytes[...], folding)
    else { return nil }
    // Letters in the other case count as another spelling.
    if !folding, digits.alphabet != .decimal, middle.contains(where: { (65...90).contains($0) }) {
      return nil
    }
    return PartDigits(middle, digits.alphabet)
  }

  private static func isSame(
    _ left: ArraySlice<UInt8>,
    _ right: ArraySlice<UInt8>,
    _ folding: Bool
  ) -> Bool {
    if left.elementsEqual(right) { return true }
    guard folding else { return false }
    return left.elementsEqual(right) { $0.folded == $1.folded }
  }

  /// The form of a series, whatever part it was found by.
  func ofSeries(width: Int) -> PartName {
    var form = self
    let zeros = digits.alphabet.digits(of: 0, width: width)
    form.digits = PartDigits(zeros, digits.alphabet) ?? digits
    // `a.10` beside `a.1` is one of those that are counted in single digits.
    if family == .numbers || family == .digit { form.family = width == 1 ? .digit : .numbers }
    return form
  }

  /// The name of the part with a number.
  func name(_ number: Int64, _ numbering: Numbering) -> FilePath {
    FilePath(bytes: head.bytes + numbering.digits(of: number) + tail.bytes)
  }

  /// The name of a part of `BASE.DIGITS`: padded with zeros to `width`, and longer where the number
  /// needs more.
  ///
  /// - Parameters:
  ///   - base: the series' name, with or without a directory.
  ///   - number: not negative.
  ///   - width: digits; `a.999` of width 3 is followed by `a.1000`.
  public static func format(base: FilePath, number: Int64, width: Int) -> FilePath {
    FilePath(
      bytes: base.bytes + [dot] + PartAlphabet.decimal.digits(of: number, width: width)
    )
  }
}

extension PartDigits {
  /// The digits of 0, as many.
  fileprivate var zeros: [UInt8] { alphabet.digits(of: 0, width: width) }
}
