internal import Posix

/// The part of a series whose size contradicts those of the others.
struct OddPart: Equatable {
  let index: Int
  /// Bytes that it has.
  let size: Int64
  /// Bytes that it should have; nil of an empty one among parts of many sizes.
  let expected: Int64?
  /// Up to two parts that have so many.
  let models: [Int]

  /// The first part that is empty, not as long as most, or shorter than the only other one: nil where there is none, or
  /// where no size is that of most. The last part may be shorter.
  init?(_ sizes: [Int64]) {
    guard sizes.count > 1, sizes.contains(where: { $0 > 0 }), !SizePattern.isEven(sizes) else {
      return nil
    }
    // Of two parts, nobody makes the first the shorter one; where the second has no size of somebody's choice, they may
    // have been cut at the ends of records.
    if sizes.count == 2, 0 < sizes[0], sizes[0] < sizes[1], SizePattern.isRound(sizes[1]) {
      self.init(0, sizes, sizes[1])
      return
    }
    if let (index, expected) = Self.outlier(sizes) ?? Self.oddOfThree(sizes) {
      self.init(index, sizes, expected)
      return
    }
    let common = Self.common(sizes)
    let expected = common ?? Self.leftover(sizes).map { _ in sizes[0] }
    let last = sizes.count - 1
    let odd =
      common == nil
      ? Self.leftover(sizes)
      : sizes.indices.first { index in
        guard let expected else { return false }
        return sizes[index] != expected && (index < last || sizes[index] > expected)
      }
    guard let index = odd ?? sizes.firstIndex(of: 0) else { return nil }
    self.init(index, sizes, expected)
  }

  /// An empty part, of which another size is not known.
  init(empty index: Int, _ sizes: [Int64]) { self.init(index, sizes, nil) }

  /// The part of which so many bytes are missing that it would be as long as the first one.
  init?(lacking missing: Int64, in sizes: [Int64]) {
    if let odd = OddPart(sizes), odd.isShort {
      self = odd
      return
    }
    guard let first = sizes.first,
      let index = sizes.indices.dropLast().first(where: { first - sizes[$0] == missing })
    else { return nil }
    self.init(index, sizes, first)
  }

  private init(_ index: Int, _ sizes: [Int64], _ expected: Int64?) {
    (self.index, self.expected) = (index, expected)
    size = sizes[index]
    models = Array(sizes.indices.lazy.filter { sizes[$0] == expected }.prefix(2))
  }

  /// Whether something is missing, rather than too much.
  var isShort: Bool { expected.map { size < $0 } ?? true }

  /// Bytes that are too many; nil where some are missing.
  var excess: Int64? { isShort ? nil : expected.map { size - $0 } }

  /// The part that differs where all others are as long, give or take a byte, as `split -n` makes them, and
  /// the size of the longest of these. The last part may be shorter.
  private static func outlier(_ sizes: [Int64]) -> (index: Int, expected: Int64)? {
    guard sizes.count > 2,
      let least = sizes.indices.min(by: { sizes[$0] < sizes[$1] }),
      let most = sizes.indices.max(by: { sizes[$0] < sizes[$1] })
    else { return nil }
    return [least, most].lazy.compactMap { odd in
      let others = sizes.indices.lazy.filter { $0 != odd }.map { sizes[$0] }
      guard let low = others.min(), let high = others.max(), high - low <= 1 else { return nil }
      let isShort = sizes[odd] < low && odd < sizes.count - 1
      // One byte more or less is still the same.
      guard isShort || sizes[odd] > high, abs(sizes[odd] - low) > 1, abs(sizes[odd] - high) > 1
      else { return nil }
      return (odd, high)
    }.first
  }

  /// Of three, the first or the second, where the other one has a size that somebody chose: the shorter one, as copies
  /// that were broken off have sizes of records, too, but hardly of eighths or tenths of millions; or the second, with a
  /// few bytes more.
  private static func oddOfThree(_ sizes: [Int64]) -> (index: Int, expected: Int64)? {
    guard sizes.count == 3, sizes[0] != sizes[1] else { return nil }
    let (short, full) = (min(sizes[0], sizes[1]), max(sizes[0], sizes[1]))
    guard sizes[2] <= full, short > 0 else { return nil }
    func isOfMillions(_ size: Int64) -> Bool { size % (1 << 20) == 0 || size % 1_000_000 == 0 }
    guard full % 512 == 0 || full % 1000 == 0 else {
      let hasMore = full == sizes[1] && full - short < short / 100
      return hasMore && isOfMillions(short) && !SizePattern.isRound(full) ? (1, short) : nil
    }
    let isChosen =
      isOfMillions(full) && short >= full / 8
      ? short % (1 << 17) == 0 || short % 100_000 == 0 : SizePattern.isRound(short)
    return isChosen ? nil : (short == sizes[0] ? 0 : 1, full)
  }

  /// The size that more than half of the parts have, at least two of them; a shorter last one does not
  /// count.
  private static func common(_ sizes: [Int64]) -> Int64? {
    var counts: [Int64: Int] = [:]
    for size in sizes { counts[size, default: 0] += 1 }
    guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), most.key > 0
    else { return nil }
    let others = sizes.last == most.key ? sizes.count : sizes.count - 1
    return most.value > 1 && most.value * 2 > others ? most.key : nil
  }

  /// The part with which parts that begin alike end, where longer ones follow, or some that are alike: those of another
  /// cut.
  private static func leftover(_ sizes: [Int64]) -> Int? {
    let full = sizes.prefix { $0 == sizes[0] }.count
    guard full > 1, full < sizes.count - 1, sizes[full] < sizes[0] else { return nil }
    let rest = sizes.dropFirst(full + 1)
    let areAlike = rest.count > 1 && rest.first == rest.dropFirst().first
    return areAlike || rest.contains { $0 > sizes[full] } ? full : nil
  }

  /// Why it is so, most likely, as a clause.
  var cause: String {
    if size == 0 { return "it may still have to come" }
    return isShort ? "it was probably cut short" : "it may be of another series"
  }

  /// What is wrong with it, as the end of a sentence that begins with its name.
  ///
  /// - Parameter names: of all parts.
  func said(of names: PathList) -> String {
    let others = models.map { names[$0].lastComponent.description }.joined(separator: " and ")
    guard let expected, size > 0 else {
      return "is empty" + (expected.map { ", not of \($0) bytes like \(others)" } ?? "")
    }
    let difference = size < expected ? expected - size : size - expected
    return "has \(difference.counted("byte")) \(isShort ? "less" : "more") than "
      + "\(others) (\(size), not \(expected))"
  }
}
