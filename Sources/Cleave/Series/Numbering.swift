/// The successor rule of a series: which digits its parts' names have, and in what order.
///
/// Each part has a place in the series, counted from 0. In a plain series the place is the number
/// itself; a widening one leaves numbers out, which are no gaps.
public struct Numbering: Hashable, Sendable {
  public let alphabet: PartAlphabet
  /// The digits that a number is padded to.
  public let width: Int
  /// Whether names become longer as those of GNU `split` do when it is given no `-a`: 00 … 89, 9000 …
  /// 9899, 990000 …, or aa … yz, zaaa … zyzz, zzaaaa ….
  ///
  /// Whenever the first digit would become the highest, that digit goes to the prefix and the digits
  /// behind it become one more, so that the names still sort as text (`next_file_name` in coreutils'
  /// `split.c`; checked against version 9.1 with 12 000 parts). It always starts at 00: with
  /// another start `split` does not widen.
  public let isWidening: Bool

  /// …, 998, 999, 1000, …: padded to `width` digits, and longer from there on.
  public static func plain(width: Int) -> Numbering {
    Numbering(alphabet: .decimal, width: width, isWidening: false)
  }

  /// 00 … 89, 9000 …, or the same in other digits.
  static func widening(_ alphabet: PartAlphabet) -> Numbering {
    Numbering(alphabet: alphabet, width: wideningWidth, isWidening: true)
  }

  private static let wideningWidth = 2

  /// The rule behind the names of one series of this width.
  static func of(_ digits: some Collection<PartDigits>, width: Int) -> Numbering {
    let alphabet = digits.first?.alphabet ?? .decimal
    let widening = Numbering(alphabet: alphabet, width: width, isWidening: true)
    // One name that widening would not write, such as 90 or 100, and the series is plain.
    let widens =
      width == wideningWidth && digits.contains { $0.width > width }
      && digits.allSatisfy(widening.contains)
    return Numbering(alphabet: alphabet, width: width, isWidening: widens)
  }

  /// Whether a name with these digits can be in a series of this numbering.
  func contains(_ digits: PartDigits) -> Bool {
    guard digits.alphabet == alphabet else { return false }
    if isWidening {
      return Generation.of(alphabet).contains {
        $0.width == digits.width && $0.numbers.contains(digits.number)
      }
    }
    // Only decimal numbers may grow longer: `split -x -a 2` stops at ff.
    return digits.width == width
      || alphabet == .decimal && digits.width > width && !digits.isPadded
  }
}

// MARK: - Places

extension Numbering {
  /// The place of a part, from 0, or nil for a number that this numbering leaves out.
  func place(of number: Int64) -> Int64? {
    guard isWidening else { return number }
    return Generation.of(alphabet).first { $0.numbers.contains(number) }
      // bounded: a place is at most the number
      .map { $0.firstPlace + (number - $0.numbers.lowerBound) }
  }

  /// The number of the part at a place.
  func number(at place: Int64) -> Int64 {
    guard isWidening else { return place }
    // Past the last generation a number has too many digits, and no name is read as a part's.
    let generation = Generation.of(alphabet).last { $0.firstPlace <= place }
    // bounded: less than 2⁶³ as far as names have digits
    return generation.map { $0.numbers.lowerBound + (place - $0.firstPlace) } ?? place
  }

  /// The number of the part behind the part with this number, or nil for a number left out.
  func successor(of number: Int64) -> Int64? {
    // bounded: a number has 18 decimal, 15 hexadecimal digits or 13 letters at most
    place(of: number).map { self.number(at: $0 + 1) }
  }

  /// The digits of a number in a name.
  func digits(of number: Int64) -> [UInt8] {
    guard isWidening,
      let generation = Generation.of(alphabet).first(where: { $0.numbers.contains(number) })
    else { return alphabet.digits(of: number, width: width) }
    return alphabet.digits(of: number, width: generation.width)
  }
}

/// A run of widened names of one length: k of the highest digit, then k + 2 digits of which the first
/// is not the highest.
private struct Generation {
  let width: Int
  let numbers: Range<Int64>
  let firstPlace: Int64

  static func of(_ alphabet: PartAlphabet) -> [Generation] {
    switch alphabet {
    case .decimal, .afterS: decimal
    case .hexadecimal: hexadecimal
    case .letters: letters
    }
  }

  private static let decimal = all(.decimal)
  private static let hexadecimal = all(.hexadecimal)
  private static let letters = all(.letters)

  private static func all(_ alphabet: PartAlphabet) -> [Generation] {
    (0..<(alphabet.maximumWidth / 2)).map { Generation(highest: $0, alphabet) }
  }

  private init(highest: Int, _ alphabet: PartAlphabet) {
    let power = alphabet.powers
    // bounded: less than the power of the most digits
    let first = (power[highest] - 1) * power[highest + 2]
    // bounded: the most digits
    width = 2 * highest + 2
    // bounded: less than the power of the most digits
    numbers = first..<(first + (alphabet.base - 1) * power[highest + 1])
    // 90 + 900 + … of the generations before, for decimal digits.
    firstPlace = power[highest + 1] - alphabet.base
  }
}
