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
    let inner = parts.clamped(to: 0...max(0, layout.parts - 2))
    let longest = inner.filter { sizes.isLongest($0) }
    let fitting = inner.filter { part in
      let (should, overflow) = size(part).subtractingReportingOverflow(excess)
      return !overflow && sizes.has(should, besides: part)
    }
    let empty = parts.filter { size($0) == 0 }
    if excess > 0, longest.count == 1 {
      part = longest[0]
    } else if fitting.count == 1 {
      part = fitting[0]
    } else if parts.count == 1 {
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
    private var largest: Int64 = 0
    private let layout: PartLayout

    init(_ layout: PartLayout) {
      self.layout = layout
      for part in 0..<(layout.parts - 1) {
        let size = Int64(layout.range(part).count)
        // bounded: as many as there are parts
        counts[size, default: 0] += 1
        largest = max(largest, size)
      }
    }

    /// Whether a part is longer than any other, of which there is one.
    func isLongest(_ part: Int) -> Bool {
      let size = Int64(layout.range(part).count)
      return size == largest && counts[size] == 1 && counts.count > 1
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
