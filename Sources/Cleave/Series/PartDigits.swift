/// The decimal digits at the end of a part's name: the number they give, and in how many places.
public struct PartDigits: Hashable, Sendable {
  /// 0 to 10¹⁸ − 1.
  public let number: Int64
  /// The digits written, 1 to 18.
  public let width: Int

  /// The most digits of a part number; every number of so many digits fits `Int64`.
  public static let maximumWidth = 18

  /// The digits in ASCII, or nil where there are none, too many, or other bytes among them.
  public init?(_ digits: some Collection<UInt8>) {
    guard (1...Self.maximumWidth).contains(digits.count) else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard let value = Self.value(of: byte) else { return nil }
      number = number * 10 + value
    }
    self.number = number
    width = digits.count
  }

  /// Whether the digits begin with a zero, so that only a series of exactly this width writes them.
  public var isPadded: Bool { number == 0 || number < Self.powersOfTen[width - 1] }

  /// 1, 10, 100 … 10¹⁸.
  static let powersOfTen: [Int64] = (0..<maximumWidth).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }

  private static func value(of byte: UInt8) -> Int64? {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    return Int64(byte - UInt8(ascii: "0"))
  }
}
