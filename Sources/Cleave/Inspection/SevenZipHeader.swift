internal import Posix

/// The first 32 bytes of a 7z archive, which tell how long it is (`7zFormat.txt`).
struct SevenZipHeader {
  private static let size: UInt64 = 32

  /// Bytes of the whole archive.
  let total: Int64

  init?(_ head: [UInt8]) {
    guard FileFormat.of(.sevenZip).begins(head), head.count >= Self.size else { return nil }
    let (offset, count) = (head.uint64(at: 12), head.uint64(at: 20))
    let (end, isTooLarge) = offset.addingReportingOverflow(count)
    let (total, overflow) = end.addingReportingOverflow(Self.size)
    guard !isTooLarge, !overflow, let total = Int64(exactly: total) else { return nil }
    self.total = total
  }

  /// What is missing behind the last part; nil where that is nothing.
  ///
  /// - Throws: `.badData` where a part was cut short, or there are too many.
  func missing(behind parts: JoinedBytes, in series: PartSeries?) throws(CleaveError) -> String? {
    if parts.count > total { throw tooMuch(parts, series) }
    if parts.count == total { return nil }
    let missing = total - parts.count
    let told = "\(missing) of the \(total) bytes that the 7z header tells of are missing"
    let paths = parts.layout.paths
    if let odd = OddPart(lacking: missing, in: parts.layout.sizes) {
      throw CleaveError(
        .badData,
        paths[odd.index],
        "\(odd.said(of: paths)), and \(told): \(odd.cause); \(.format(.raw)) joins the bytes"
      )
    }
    return told
  }

  private func tooMuch(_ parts: JoinedBytes, _ series: PartSeries?) -> CleaveError {
    let paths = parts.layout.paths
    if let odd = OddPart(parts.layout.sizes), odd.excess == parts.count - total {
      return CleaveError(
        .badData,
        paths[odd.index],
        "\(odd.said(of: paths)), and the 7z archive has so many less; \(.format(.raw)) joins the bytes"
      )
    }
    let part = parts.layout.part(at: total - 1)
    let isBoundary = parts.layout.starts[part + 1] == total
    let number = isBoundary ? series.map { $0.label($0.parts[part].number) } : nil
    return CleaveError(
      .badData,
      paths[part],
      "the 7z archive ends \(isBoundary ? "with" : "within") this part, and there are "
        + "\(parts.count - total) bytes more; "
        // bounded: texts
        + (number.map { "\(.last($0)) merges without them" } ?? "\(.format(.raw)) joins all")
    )
  }
}
