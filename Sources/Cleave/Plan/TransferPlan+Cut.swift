internal import Posix

extension TransferPlan {
  /// The plan of some bytes of what this one makes, which has one destination.
  ///
  /// - Parameter range: of the destination, within it.
  package func cut(to range: Range<Int64>) -> TransferPlan {
    TransferPlan(
      cutting: extents.compactMap { $0.cut(to: range) },
      to: destinations.map { DestinationFile(path: $0.path, size: range.count64) },
      from: sources
    )
  }
}

extension Extent {
  /// What a range of the destination has of it, with a place from the start of the range; nil where
  /// that is nothing.
  fileprivate func cut(to range: Range<Int64>) -> Extent? {
    let kept = range.clamped(to: offset..<end)
    guard !kept.isEmpty else { return nil }
    return Extent(
      source: source.cut(to: (kept.lowerBound - offset)..<(kept.upperBound - offset)),
      length: kept.count64,
      destination: destination,
      offset: kept.lowerBound - range.lowerBound
    )
  }
}

extension Extent.Source {
  /// - Parameter range: bytes from the start of the extent.
  fileprivate func cut(to range: Range<Int64>) -> Extent.Source {
    switch self {
    case .file(let index, let offset):
      return .file(index, offset: offset + range.lowerBound)
    case .inline(let bytes):
      return .inline(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    case .deferred(let deferred):
      if range.count64 == deferred.count { return self }
      return .deferred(
        DeferredBytes(count: range.count64) { () throws(CleaveError) in
          Array(try deferred.make()[Int(range.lowerBound)..<Int(range.upperBound)])
        }
      )
    }
  }
}
