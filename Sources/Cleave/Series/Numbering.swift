/// The successor rule of a series: which digits its parts' names have, and in what order.
///
/// Each part has a place in the series, counted from 0. In a plain series the place is the number
/// itself; a widening one leaves numbers out, which are no gaps.
public enum Numbering: Hashable, Sendable {
  /// …, 998, 999, 1000, …: padded to `width` digits, and longer from there on.
  case plain(width: Int)
  /// What GNU `split -d` writes when it is given no `-a`: 00 … 89, 9000 … 9899, 990000 ….
  ///
  /// Whenever the first digit would become a 9, that 9 goes to the prefix and the digits behind it
  /// become one more, so that the names still sort as text (`next_file_name` in coreutils'
  /// `split.c`; checked against version 9.1 with 12 000 parts). It always starts at 00: with
  /// another start `split` does not widen.
  case widening

  /// The digits that a number is padded to.
  public var width: Int {
    switch self {
    case .plain(let width): width
    case .widening: Self.wideningWidth
    }
  }

  private static let wideningWidth = 2

  /// The rule behind the names of one series of this width.
  static func of(_ digits: some Collection<PartDigits>, width: Int) -> Numbering {
    // One name that widening would not write, such as 90 or 100, and the series is plain.
    let widens =
      width == wideningWidth && digits.contains { $0.width > width }
      && digits.allSatisfy(widening.contains)
    return widens ? .widening : .plain(width: width)
  }

  /// Whether a name with these digits can be in a series of this numbering.
  func contains(_ digits: PartDigits) -> Bool {
    switch self {
    case .plain(let width):
      digits.width == width || digits.width > width && !digits.isPadded
    case .widening:
      Generation.all.contains { $0.width == digits.width && $0.numbers.contains(digits.number) }
    }
  }
}

// MARK: - Places

extension Numbering {
  /// The place of a part, from 0, or nil for a number that this numbering leaves out.
  func place(of number: Int64) -> Int64? {
    switch self {
    case .plain: number
    case .widening:
      Generation.all.first { $0.numbers.contains(number) }
        .map { $0.firstPlace + (number - $0.numbers.lowerBound) }
    }
  }

  /// The number of the part at a place.
  func number(at place: Int64) -> Int64 {
    guard case .widening = self else { return place }
    // Past the last generation a number has 20 digits, and no name is read as a part's.
    let generation = Generation.all.last { $0.firstPlace <= place }
    return generation.map { $0.numbers.lowerBound + (place - $0.firstPlace) } ?? place
  }

  /// The number of the part behind the part with this number, or nil for a number left out.
  func successor(of number: Int64) -> Int64? {
    place(of: number).map { self.number(at: $0 + 1) }
  }
}

/// A run of widened names of one length: k nines, then k + 2 digits of which the first is no 9.
private struct Generation {
  let width: Int
  let numbers: Range<Int64>
  let firstPlace: Int64

  static let all = (0..<(PartDigits.maximumWidth / 2)).map(Generation.init)

  private init(nines: Int) {
    let power = PartDigits.powersOfTen
    let first = (power[nines] - 1) * power[nines + 2]
    width = 2 * nines + 2
    numbers = first..<(first + 9 * power[nines + 1])
    // 90 + 900 + … of the generations before.
    firstPlace = power[nines + 1] - 10
  }
}
