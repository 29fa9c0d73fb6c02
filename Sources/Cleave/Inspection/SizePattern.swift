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

  /// Whether these are sizes of `split -n`: they differ by one byte, or the last one has what is left
  /// over.
  static func isEven(_ sizes: [Int64]) -> Bool {
    guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else { return false }
    let (shortest, longest) = (sizes.min() ?? first, sizes.max() ?? first)
    if longest - shortest <= 1 { return true }
    return sizes.dropLast().allSatisfy { $0 == first } && last > first
      && last - first < sizes.count
  }

  private static func isShortFirst(_ sizes: [Int64]) -> Bool {
    let (first, second) = (sizes[0], sizes[1])
    return 0 < first && first < second && sizes.dropFirst().dropLast().allSatisfy { $0 == second }
      && (sizes.last ?? 0) <= second && (sizes.last ?? 0) > 0
  }
}
