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
  /// The part with this index is empty.
  case empty(Int)
  /// The one with this index is shorter than those in front, and a part behind it is as long as those.
  case shortWithin(Int)
  /// The first is shorter than all the others, which are equal but for the last.
  case shortFirst
  /// The part with this index is the first that is not as long as the others.
  case unequal(Int)

  init(_ sizes: [Int64]) {
    guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else {
      self = .single
      return
    }
    let full = sizes.prefix { $0 == first }.count
    let (shortest, longest) = (sizes.min() ?? first, sizes.max() ?? first)
    if full == sizes.count {
      self = .equal
    } else if let empty = sizes.firstIndex(of: 0) {
      self = .empty(empty)
    } else if full == sizes.count - 1, last < first {
      self = .shorterLast
    } else if longest - shortest < sizes.count {
      self = .nearlyEqual
    } else if sizes[full] < first, sizes[(full + 1)...].contains(first) {
      self = .shortWithin(full)
    } else if first < sizes[1], last <= sizes[1],
      sizes[1..<(sizes.count - 1)].allSatisfy({ $0 == sizes[1] })
    {
      self = .shortFirst
    } else {
      self = .unequal(full)
    }
  }
}
