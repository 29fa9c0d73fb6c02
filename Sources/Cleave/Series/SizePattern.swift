/// What the sizes of parts, in order, tell of their being complete.
enum SizePattern: Equatable {
  /// There is only one.
  case single
  /// All but the last are equal, and that is shorter.
  case shorterLast
  /// All are equal.
  case equal
  /// The one with this index is shorter than those in front, and a part behind it is as long as those.
  case shortWithin(Int)
  /// The first is shorter than all the others, which are equal but for the last.
  case shortFirst
  case unequal

  init(_ sizes: [Int64]) {
    guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else {
      self = .single
      return
    }
    let full = sizes.prefix { $0 == first }.count
    if full == sizes.count {
      self = .equal
    } else if full == sizes.count - 1, last < first {
      self = .shorterLast
    } else if full > 1, sizes[full] < first, sizes[(full + 1)...].contains(first) {
      self = .shortWithin(full)
    } else if sizes.count > 2, first < sizes[1],
      sizes[1..<(sizes.count - 1)].allSatisfy({ $0 == sizes[1] }),
      last <= sizes[1]
    {
      self = .shortFirst
    } else {
      self = .unequal
    }
  }
}
