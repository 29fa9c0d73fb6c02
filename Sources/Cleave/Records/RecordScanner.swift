package import Posix

/// Finds where records end in bytes that can be read anywhere, such as a file's.
package struct RecordScanner: ~Copyable {
  /// Fills a buffer with the bytes at an offset, but for what is behind their end. Returns their number.
  package typealias Read = (UnsafeMutableRawBufferPointer, Int64) throws(SystemError) -> Int

  package let separator: UInt8
  private let read: Read
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Parameter buffered: the bytes to read at a time, at least 1. What fits the cache is fastest.
  package init(separator: UInt8, buffered: Int = 252 << 10, read: @escaping Read) {
    (self.separator, self.read) = (separator, read)
    buffer = .allocate(byteCount: buffered, alignment: 4096)
  }

  deinit { buffer.deallocate() }

  /// The offset behind the `count`th record that ends in a range; nil where fewer do.
  ///
  /// - Parameter count: at least 1.
  package func end(ofRecord count: Int64, in range: Range<Int64>) throws(SystemError) -> Int64? {
    var left = UInt64(count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = try bytes(at: offset, below: range.upperBound)
      if bytes.isEmpty { return nil }
      // bounded: within the range
      if let end = bytes.end(of: separator, times: &left) { return offset + Int64(end) }
      offset += Int64(bytes.count)  // bounded: within the range
    }
    return nil
  }

  /// The offset behind the last record that ends in a range; nil where none does.
  package func lastEnd(in range: Range<Int64>) throws(SystemError) -> Int64? {
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - Int64(buffer.count))
      let bytes = try bytes(at: start, below: end)
      // bounded: within the range
      if let place = bytes.lastPlace(of: separator) { return start + Int64(place) + 1 }
      end = start
    }
    return nil
  }

  /// Fewer than there is room for only at the end of a file that has become shorter.
  private func bytes(
    at offset: Int64,
    below end: Int64
  ) throws(SystemError) -> UnsafeRawBufferPointer {
    let wanted = Int(min(Int64(buffer.count), end - offset))
    let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), offset)
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}
