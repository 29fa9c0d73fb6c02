public import Posix

/// The name of one part of a numeric series: `BASE.DIGITS`, as in `gcd.mp4.zip.001`.
public struct PartName: Hashable, Sendable {
  /// What the parts' names have in common, without the dot; no directory in it.
  public let base: FilePath
  /// What follows the dot.
  public let digits: PartDigits

  /// The number that the digits give.
  public var number: Int64 { digits.number }
  /// How many digits the name has.
  public var width: Int { digits.width }

  private static let dot = UInt8(ascii: ".")

  /// Takes a name in a directory apart, or gives nil where it does not have the form of a part's.
  ///
  /// The base has at least one byte. `..1` and `...1` are no parts: joined, they would be a
  /// directory.
  public init?(_ name: FilePath) {
    let bytes = name.bytes
    guard let cut = bytes.lastIndex(of: Self.dot), cut > 0 else { return nil }
    guard let digits = PartDigits(bytes[(cut + 1)...]) else { return nil }
    let base = FilePath(bytes: bytes[..<cut])
    if base == "." || base == ".." || bytes.contains(UInt8(ascii: "/")) { return nil }
    self.base = base
    self.digits = digits
  }

  /// The digits of `name`, if it is a part's name with this base.
  ///
  /// Does what ``init(_:)`` does without taking memory, for the names of a large directory.
  static func digits(of name: FilePath, base: FilePath) -> PartDigits? {
    let length = base.bytes.count
    guard name.bytes.count > length, name.bytes[length] == dot else { return nil }
    guard name.bytes.starts(with: base.bytes) else { return nil }
    return PartDigits(name.bytes[(length + 1)...])
  }

  /// The name of a part: padded with zeros to `width`, and longer where the number needs more.
  ///
  /// - Parameters:
  ///   - base: the series' name, with or without a directory.
  ///   - number: not negative.
  ///   - width: digits; `a.999` of width 3 is followed by `a.1000`.
  public static func format(base: FilePath, number: Int64, width: Int) -> FilePath {
    let digits = Array(String(number).utf8)
    let padding = repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.count))
    var bytes = base.bytes
    bytes.append(dot)
    bytes.append(contentsOf: padding)
    bytes.append(contentsOf: digits)
    return FilePath(bytes: bytes)
  }
}
