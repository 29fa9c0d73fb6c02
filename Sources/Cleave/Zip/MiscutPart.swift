/// The part whose size is wrong, where it is known how many bytes are missing or too many.
///
/// All parts but the last are equally long when a program cuts a file, and in most split zips.
struct MiscutPart {
  let part: Int
  private let layout: PartLayout
  private let excess: Int64

  /// Nil where the sizes do not tell which part it is.
  ///
  /// - Parameters:
  ///   - parts: those that it may be.
  ///   - excess: bytes too many, or below 0 bytes that are missing.
  init?(among parts: ClosedRange<Int>, of layout: PartLayout, excess: Int64) {
    self.layout = layout
    self.excess = excess
    let sizes = Sizes(layout)
    func size(_ part: Int) -> Int64 { Int64(layout.range(part).count) }
    // Nil where no part can be as long.
    func due(_ part: Int) -> Int64? {
      let (due, overflow) = size(part).subtractingReportingOverflow(excess)
      return overflow || due < 0 || due > sizes.limit ?? .max ? nil : due
    }
    let possible = parts.filter { due($0) != nil }
    let inner = possible.filter { $0 < layout.parts - 1 }
    let longest = inner.filter { size($0) > sizes.limit ?? .max }
    let fitting = inner.filter { part in
      due(part).map { sizes.has($0, besides: part) } ?? false
    }
    let empty = possible.filter { size($0) == 0 }
    if excess > 0, longest.count == 1 {
      part = longest[0]
    } else if fitting.count == 1 {
      part = fitting[0]
    } else if parts.count == 1, possible.count == 1 {
      part = parts.lowerBound
    } else if excess < 0, empty.count == 1 {
      part = empty[0]
    } else {
      return nil
    }
  }

  /// Of how many parts there are sizes; the last part may have any.
  private struct Sizes {
    private var counts: [Int64: Int] = [:]
    private let layout: PartLayout
    /// What no part is longer than, but for one at most; nil where the sizes do not tell.
    let limit: Int64?

    init(_ layout: PartLayout) {
      self.layout = layout
      for part in 0..<(layout.parts - 1) {
        // bounded: as many as there are parts
        counts[Int64(layout.range(part).count), default: 0] += 1
      }
      let longest = counts.sorted { $0.key > $1.key }.prefix(2)
      limit = longest.first { $0.value > 1 }?.key
    }

    /// Whether another part has this size.
    func has(_ size: Int64, besides part: Int) -> Bool {
      let isOwn = Int64(layout.range(part).count) == size
      return counts[size, default: 0] > (isOwn ? 1 : 0)
    }
  }

  /// What is wrong with it; the end of a sentence that begins with its name.
  var text: String {
    let size = Int64(layout.range(part).count)
    let (should, overflow) = size.subtractingReportingOverflow(excess)
    let told = overflow || should <= 0 ? "" : ", and should have \(should)"
    if size == 0 { return "is empty\(told.isEmpty ? "" : "\(told) bytes")" }
    let amount = excess.magnitude.counted("byte")
    return "is \(amount) too \(excess < 0 ? "short" : "long"): it has \(size)\(told)"
  }
}
