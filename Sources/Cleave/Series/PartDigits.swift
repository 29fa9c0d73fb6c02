/// The digits in which a series counts its parts.
public enum PartAlphabet: Hashable, Sendable {
  /// `0` to `9`.
  case decimal
  /// `0` to `9` and `a` to `f`, as `split -x` counts.
  case hexadecimal
  /// `a` to `z`, as `split` counts if it is not told otherwise.
  case letters
  /// `s` for the first, and `1` to `9`: the last byte of `.wbfs`, `.wbf1` ….
  case afterS

  var base: Int64 {
    switch self {
    case .decimal, .afterS: 10
    case .hexadecimal: 16
    case .letters: 26
    }
  }

  /// The most digits of a part number; every number of so many digits fits `Int64`.
  var maximumWidth: Int {
    switch self {
    case .decimal: 18
    case .hexadecimal: 15
    case .letters: 13
    case .afterS: 1
    }
  }

  /// The value of a digit in ASCII, letters in either case; nil for another byte.
  func value(of byte: UInt8) -> Int64? {
    let value: Int64
    switch (self, byte) {
    case (.decimal, 48...57), (.hexadecimal, 48...57): value = Int64(byte) - 48
    case (.hexadecimal, 97...102), (.hexadecimal, 65...70): value = Int64(byte | 0x20) - 87
    case (.letters, 97...122), (.letters, 65...90): value = Int64(byte | 0x20) - 97
    case (.afterS, 49...57): value = Int64(byte) - 48
    case (.afterS, 115), (.afterS, 83): value = 0
    default: return nil
    }
    return value
  }

  /// Whether a byte is a digit.
  func contains(_ byte: UInt8) -> Bool {
    switch self {
    case .decimal: byte &- 48 < 10
    case .hexadecimal: byte &- 48 < 10 || (byte | 0x20) &- 97 < 6
    case .letters: (byte | 0x20) &- 97 < 26
    case .afterS: byte &- 49 < 9 || byte | 0x20 == 115
    }
  }

  /// The digits of a number, most significant first; at least one.
  func digits(of number: Int64, width: Int) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    repeat {
      let value = UInt8(rest % base)
      digits.append(digit(value))
      rest /= base
    } while rest > 0
    // bounded: a list
    digits += repeatElement(digit(0), count: max(0, width - digits.count))
    return digits.reversed()
  }

  /// A digit in ASCII.
  ///
  /// - Parameter value: less than ``base``.
  func digit(_ value: UInt8) -> UInt8 {
    switch self {
    // bounded: a digit
    case .letters: 97 + value
    case .afterS where value == 0: 115
    // bounded: a digit
    case .decimal, .hexadecimal, .afterS: value < 10 ? 48 + value : 87 + value
    }
  }

  /// 1, `base`, `base`² and so on, up to the number behind the largest.
  var powers: [Int64] {
    switch self {
    case .decimal, .afterS: Self.powersOfTen
    case .hexadecimal: Self.powersOfSixteen
    case .letters: Self.powersOfTwentySix
    }
  }

  private static let powersOfTen = powers(.decimal)
  private static let powersOfSixteen = powers(.hexadecimal)
  private static let powersOfTwentySix = powers(.letters)

  private static func powers(_ alphabet: PartAlphabet) -> [Int64] {
    (0..<alphabet.maximumWidth).reduce(into: [1]) { powers, _ in
      // bounded: a number of the most digits fits
      powers.append((powers.last ?? 1) * alphabet.base)
    }
  }
}

/// The digits in a part's name: the number they give, and in how many places.
public struct PartDigits: Hashable, Sendable {
  /// Not negative.
  public let number: Int64
  /// The digits written; from 1 to 18 for decimal ones.
  public var width: Int { Int(count) }
  // A byte, so that those of a million names take 16 bytes each.
  private let count: UInt8
  public let alphabet: PartAlphabet

  /// The digits in ASCII, or nil where there are none, too many, or other bytes among them.
  public init?(_ digits: some Collection<UInt8>, _ alphabet: PartAlphabet = .decimal) {
    guard (1...alphabet.maximumWidth).contains(digits.count) else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard let value = alphabet.value(of: byte) else { return nil }
      // bounded: a number of the most digits fits
      number = number * alphabet.base + value
    }
    self.number = number
    self.alphabet = alphabet
    count = UInt8(digits.count)
  }

  /// Whether the digits begin with a zero, so that only a series of exactly this width writes them.
  public var isPadded: Bool { number == 0 || number < alphabet.powers[width - 1] }
}
