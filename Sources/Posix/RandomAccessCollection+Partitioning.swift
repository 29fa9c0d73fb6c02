extension RandomAccessCollection where Index == Int {
  /// The index of the first element that is behind a border, or the end where none is; found by halving.
  ///
  /// - Parameter isBehind: whether an element is; it has to be of all that follow one that is.
  @inlinable package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      // bounded: indices of the collection
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
