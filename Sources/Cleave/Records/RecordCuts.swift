package import Posix

/// Where the parts of some bytes end that can be read anywhere. Only what is near a cut is read, except
/// where records are counted.
package struct RecordCuts: ~Copyable {
  private let rule: RecordRule
  private let scanner: RecordScanner
  private let end: Int64
  private let start: Int64
  /// Where the next part begins.
  private var position: Int64
  /// Of chunks: the number of the next one, from 1.
  private var chunk: Int64 = 1

  /// - Parameter range: the bytes to cut; the size of chunks is its count.
  package init(_ rule: RecordRule, of range: Range<Int64>, with scanner: consuming RecordScanner) {
    self.rule = rule
    self.scanner = scanner
    (start, position, end) = (range.lowerBound, range.lowerBound, range.upperBound)
  }

  /// Where the next part ends; nil behind the last one.
  package mutating func next() throws(SystemError) -> Int64? {
    switch rule {
    case .bytes, .records, .recordBytes: guard position < end else { return nil }
    case .chunks(let chunks), .recordChunks(let chunks):
      guard chunk <= chunks.count else { return nil }
    }
    position = try nextEnd()
    chunk += 1  // bounded: as many as were counted
    return position
  }

  private func nextEnd() throws(SystemError) -> Int64 {
    switch rule {
    case .bytes(let size): return full(size)
    case .records(let count): return try scanner.end(ofRecord: count, in: position..<end) ?? end
    case .recordBytes(let size):
      // What is less than a part stays whole, even if its last record has no end.
      guard end - position >= size else { return end }
      return try scanner.lastEnd(in: position..<full(size)) ?? full(size)
    case .chunks(let chunks): return start + chunks.end(of: chunk)  // bounded: within the range
    case .recordChunks(let chunks):
      let nominal = start + chunks.end(of: chunk)  // bounded: within the range
      // A record has covered it.
      guard nominal > position else { return position }
      return try scanner.end(ofRecord: 1, in: max(position, nominal - 1)..<end) ?? end
    }
  }

  /// The end of a part of so many bytes, if so many are left.
  private func full(_ size: Int64) -> Int64 {
    end - position > size ? position + size : end  // bounded: within the range
  }
}
