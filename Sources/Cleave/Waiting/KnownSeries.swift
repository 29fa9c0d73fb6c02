import Posix

/// The parts of a series that are known of by now, and where others would be.
struct KnownSeries {
  let parts: PartSeries
  private let paths: [Int64: FilePath]

  init(_ parts: PartSeries) {
    self.parts = parts
    paths = Dictionary(parts.parts.map { ($0.number, $0.path) }) { first, _ in first }
  }

  /// The name of a part, there or not.
  func path(_ number: Int64) -> FilePath { paths[number] ?? parts.name(number) }

  /// The number behind another one, or the first.
  ///
  /// - Throws: `.badData` where the first is no part's.
  func number(after number: Int64?, from first: PartSeries.Bound?) throws(CleaveError) -> Int64 {
    guard let number else {
      guard let first else { return parts.first }
      return try parts.number(of: first)
    }
    return parts.numbering.successor(of: number) ?? number + 1
  }

  /// See ``PartArrivals/state``.
  var state: Int {
    var hasher = Hasher()
    for part in parts.parts { hasher.combine(part) }
    return hasher.finalize()
  }
}
