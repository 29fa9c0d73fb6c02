internal import Posix

/// The places of a series that no part is at, as ranges.
///
/// Takes memory in proportion to the parts that exist, not to those that are missing: a file called
/// `log.20250101` may make twenty million of them.
struct MissingParts: Equatable {
  let ranges: [ClosedRange<Int64>]
  let count: Int64

  /// More ranges than this are only counted, to keep the message readable.
  static let mostRangesNamed = 100

  /// What is missing in `span`.
  ///
  /// - Parameter present: places in rising order; those outside of `span` do not matter.
  init(in span: ClosedRange<Int64>, present: some Sequence<Int64>) {
    var ranges: [ClosedRange<Int64>] = []
    var next = span.lowerBound
    for place in present where span.contains(place) {
      if place > next { ranges.append(next...(place - 1)) }
      // bounded: a place has 18 decimal, 15 hexadecimal digits or 13 letters at most
      next = place + 1
    }
    if next <= span.upperBound { ranges.append(next...span.upperBound) }
    self.ranges = ranges
    // bounded: the ranges are within one that is less than 2⁶²
    count = ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
  }

  /// One line for all of them, or nil where nothing is missing.
  ///
  /// - Parameter name: that of the part at a place.
  func error(of base: FilePath, _ name: (Int64) -> FilePath) -> CleaveError? {
    if ranges.isEmpty { return nil }
    let subject = count.counted("part is", "parts are")
    var error = CleaveError(
      .missingInput,
      base,
      "\(subject) missing: \(described(name))"
    )
    error.missingCount = count
    error.missing = ranges.lazy.flatMap { $0 }.prefix(Self.mostRangesNamed).map(name)
    return error
  }

  private func described(_ path: (Int64) -> FilePath) -> String {
    func name(_ place: Int64) -> String { path(place).lastComponent.description }
    let named = ranges.prefix(Self.mostRangesNamed).map { range in
      let from = name(range.lowerBound)
      return range.count == 1 ? from : "\(from) to \(name(range.upperBound))"
    }
    let list = named.joined(separator: ", ")
    let others = ranges.count - named.count
    return others == 0 ? list : "\(list) and \(others.counted("more range", "more ranges"))"
  }
}
