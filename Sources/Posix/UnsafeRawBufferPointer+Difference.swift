#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension UnsafeRawBufferPointer {
  /// Where two runs of bytes differ first, if only in length; nil where they are the same. See
  /// `memcmp(3)`.
  package func firstDifference(from other: UnsafeRawBufferPointer) -> Int? {
    let common = Swift.min(count, other.count)
    if common > 0, let left = baseAddress, let right = other.baseAddress,
      memcmp(left, right, common) != 0
    {
      return indices.first { self[$0] != other[$0] }
    }
    return count == other.count ? nil : common
  }
}
