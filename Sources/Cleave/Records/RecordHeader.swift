internal import Posix

/// The first records of some bytes, such as the names of a table's columns, which every part repeats.
package struct RecordHeader: Hashable, Sendable {
  /// Bytes that it may have. Nobody has asked for more.
  package static let mostBytes = 1 << 20

  package private(set) var bytes: [UInt8] = []
  private let separator: UInt8
  /// Records that have not ended yet.
  private var left: UInt64

  /// - Parameter count: of records, at least 0.
  package init(_ count: Int64, separator: UInt8) {
    (self.separator, left) = (separator, UInt64(count))
  }

  /// Whether all of its records have ended. Where all bytes have passed before, they are the header.
  package var isComplete: Bool { left == 0 }

  /// Whether it has more bytes than it may have.
  package var isTooLong: Bool { bytes.count > Self.mostBytes }

  /// Takes what belongs to it of the bytes that come next.
  ///
  /// - Returns: how many those are.
  package mutating func take(_ piece: UnsafeRawBufferPointer) -> Int {
    let count = isComplete ? 0 : piece.end(of: separator, times: &left) ?? piece.count
    bytes += piece[..<count]
    return count
  }
}

extension RecordRule {
  /// The rule for what is behind the header, so that parts with the header are as was asked for: parts of so
  /// many bytes have the header among them. Records are counted without it.
  ///
  /// - Returns: nil where a part has no room for a byte more.
  package func behind(_ header: RecordHeader) -> RecordRule? {
    let count = Int64(header.bytes.count)
    switch self {
    case .bytes, .chunks, .records: return self
    case .recordBytes(let size): return size > count ? .recordBytes(size - count) : nil
    case .recordChunks(let chunks):
      return .recordChunks(EvenChunks(max(0, chunks.size - count), in: chunks.count))
    }
  }
}
