/// So many bytes in so many chunks, of which the first ones may be a byte longer, as GNU `split -n` cuts
/// since version 9.2.
package struct EvenChunks: Hashable, Sendable {
  /// Bytes.
  package let size: Int64
  package let count: Int64

  /// - Parameters:
  ///   - size: not negative.
  ///   - count: at least 1.
  package init(_ size: Int64, in count: Int64) { (self.size, self.count) = (size, count) }

  /// Where a chunk ends, the first one being 1; 0 for 0.
  package func end(of chunk: Int64) -> Int64 {
    let (length, longer) = size.quotientAndRemainder(dividingBy: count)
    // bounded: the end of the last one is the size
    return chunk * length + min(chunk, longer)
  }

  /// The bytes of a chunk, the first one being 1.
  package func range(of chunk: Int64) -> Range<Int64> { end(of: chunk - 1)..<end(of: chunk) }
}
