public import Posix

/// What tells the names of parts from each other, and what is behind that.
public struct PartSuffixes: Hashable, Sendable {
  public let alphabet: PartAlphabet
  /// The number of the first part.
  public let first: Int64
  /// Digits, at least 1; nil for as many as are needed.
  public var length: Int?
  /// What all names end in, behind the digits.
  public var ending: FilePath = ""
  /// Whether they are directly behind a prefix that was typed, as GNU `split` has it.
  let isDirect: Bool
  /// Whether they may widen: 89, 9000, or yz, zaaa.
  private let mayWiden: Bool

  /// Decimal numbers from 1 with at least 3 digits.
  public init() {
    (alphabet, first, isDirect, mayWiden) = (.decimal, 1, false, false)
  }

  /// Those of GNU `split`, with at least 2 digits.
  ///
  /// - Parameters:
  ///   - alphabet: of the digits.
  ///   - first: the number of the first part, from 0 to 10¹² - 1, or the nearest of these; nil for 0.
  public init(_ alphabet: PartAlphabet, from first: Int64? = nil) {
    (self.alphabet, isDirect, mayWiden) = (alphabet, true, first == nil)
    self.first = min(max(0, first ?? 0), 999_999_999_999)
  }

  /// How parts are counted.
  ///
  /// - Parameters:
  ///   - count: of the parts, where it is known.
  ///   - isAsked: whether so many were asked for: their names then need not be able to go on.
  func numbering(_ count: Int?, isAsked: Bool) -> Numbering {
    if let length { return Numbering(alphabet: alphabet, width: max(1, length), isWidening: false) }
    if mayWiden, !isAsked { return .widening(alphabet) }
    // bounded: a first number has 12 digits
    let last = first + Int64(max(1, count ?? 1)) - 1
    let needed = alphabet.digits(of: last, width: 1).count
    let width = max(isDirect ? 2 : 3, needed)
    return Numbering(alphabet: alphabet, width: width, isWidening: false)
  }
}
