package import Posix

/// Some bytes of a whole, counted from 0, with both ends, as in HTTP; see RFC 9110, section 14.1.2.
package enum ByteRange: Hashable, Sendable {
  /// From a byte to another one, or to the last.
  case from(Int64, through: Int64?)
  /// So many bytes before the end, at least 1.
  case last(Int64)
}

extension ByteRange {
  /// Reads `FROM-TO`, `FROM-` or `-COUNT`, whose numbers are sizes as ``ByteSize`` reads them.
  ///
  /// FROM goes to the first hyphen, so that of the two only TO may be a difference: `1M-2M-1` is the
  /// second MiB.
  package static func parse(_ text: FilePath) throws(UsageError) -> ByteRange {
    guard let hyphen = text.bytes.firstIndex(of: UInt8(ascii: "-")), text.bytes.count > 1 else {
      throw UsageError("'\(text)' is not a range; use FROM-TO, FROM- or -COUNT")
    }
    let from = FilePath(bytes: text.bytes[..<hyphen])
    let to = FilePath(bytes: text.bytes[(hyphen + 1)...])
    if from.bytes.isEmpty {
      let count = try ByteSize.parse(to)
      guard count > 0 else { throw UsageError("'\(text)' asks for no bytes") }
      return .last(count)
    }
    let start = try ByteSize.parse(from)
    if to.bytes.isEmpty { return .from(start, through: nil) }
    let last = try ByteSize.parse(to)
    guard start <= last else { throw UsageError("'\(text)' ends before it begins") }
    return .from(start, through: last)
  }

  /// The bytes of a whole of so many that are in the range; nil where none is.
  package func resolved(in size: Int64) -> Range<Int64>? {
    switch self {
    case .from(let start, through: let last):
      guard start < size else { return nil }
      // bounded: less than the size
      let end = if let last, last < size { last + 1 } else { size }
      return start..<end
    case .last(let count):
      return size > 0 ? max(0, size - count)..<size : nil
    }
  }
}
