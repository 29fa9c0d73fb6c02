/// What the sizes of parts, in order, tell of their being complete.
enum SizePattern: Equatable {
  /// There is only one.
  case single
  /// All are equal.
  case equal
  /// All are as good as equal, as `split -n` makes them.
  case nearlyEqual
  /// All but the last are equal, and that is shorter.
  case shorterLast
  /// The first is shorter than all the others, which are equal but for the last.
  case shortFirst
  /// One is empty, or not as long as most.
  case odd(OddPart)
  /// They differ, and no size is that of most: cut by lines, or by a list of sizes.
  case unequal

  init(_ sizes: [Int64]) {
    guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else {
      self = .single
      return
    }
    let full = sizes.prefix { $0 == first }.count
    if full == sizes.count {
      self = .equal
    } else if Self.isEven(sizes) {
      self = .nearlyEqual
    } else if full == sizes.count - 1, 0 < last, last < first {
      self = .shorterLast
    } else if Self.isShortFirst(sizes) {
      self = .shortFirst
    } else {
      self = OddPart(sizes).map { .odd($0) } ?? .unequal
    }
  }

  /// Whether somebody may have chosen this size: of the records of devices, or of hundreds.
  static func isRound(_ size: Int64) -> Bool { size % 512 == 0 || size % 100 == 0 }

  /// Whether these are hardly the sizes of files of their own: nobody cut those to one size.
  static func looksCut(_ sizes: [Int64]) -> Bool {
    guard let first = sizes.first, first > 0 else { return false }
    return switch SizePattern(sizes) {
    case .equal, .nearlyEqual: true
    // One of any two files is shorter.
    case .shorterLast: sizes.count > 2 || isRound(first)
    case .single, .odd, .shortFirst, .unequal: false
    }
  }

  /// Whether these are sizes of `split -n`: they differ by one byte, where the longer ones are in front, at
  /// the end or evenly among the others; or the last one has what is left over.
  static func isEven(_ sizes: [Int64]) -> Bool {
    guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else { return false }
    let (shortest, longest) = (sizes.min() ?? first, sizes.max() ?? first)
    if longest == shortest { return true }
    if longest - shortest == 1 {
      let pairs = zip(sizes, sizes.dropFirst())
      return pairs.allSatisfy { $0 <= $1 } || pairs.allSatisfy { $0 >= $1 } || isSpread(sizes)
    }
    return sizes.dropLast().allSatisfy { $0 == first } && last > first
      && last - first < sizes.count
  }

  /// Whether the cuts are at equal distances: part n of c ends at n × total / c, rounded down, up, or to the
  /// nearest byte where there is one.
  private static func isSpread(_ sizes: [Int64]) -> Bool {
    let count = Int64(sizes.count)
    guard let shortest = sizes.min() else { return false }
    // bounded: bytes that some parts have more than the shortest, one for each
    let total = sizes.reduce(0) { $0 + $1 - shortest }
    var (sum, isDown, isUp, isNearest) = (Int64(0), true, true, true)
    for (index, size) in sizes.enumerated() {
      sum += size - shortest
      // bounded: a product of two counts of parts
      let (down, rest) = ((Int64(index) + 1) * total).quotientAndRemainder(dividingBy: count)
      isDown = isDown && sum == down
      isUp = isUp && sum == (rest == 0 ? down : down + 1)
      isNearest = isNearest && 2 * rest != count && sum == (2 * rest > count ? down + 1 : down)
    }
    return isDown || isUp || isNearest
  }

  private static func isShortFirst(_ sizes: [Int64]) -> Bool {
    let (first, second) = (sizes[0], sizes[1])
    return 0 < first && first < second && sizes.dropFirst().dropLast().allSatisfy { $0 == second }
      && (sizes.last ?? 0) <= second && (sizes.last ?? 0) > 0
  }
}
