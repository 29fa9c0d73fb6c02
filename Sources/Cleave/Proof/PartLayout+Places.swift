internal import Posix

extension PartLayout {
  /// The parts that a range has bytes in; for an empty one the part that it lies in.
  package func parts(covering range: Range<Int64>) -> ClosedRange<Int> {
    let first = part(at: range.lowerBound)
    guard !range.isEmpty else { return first...first }
    return first...max(first, part(at: range.upperBound - 1))
  }

  /// The part behind the first that begins at a position, with all bytes of the others in front of it.
  func boundary(at position: Int64) -> Int? {
    guard position > 0, position < count else { return nil }
    let part = part(at: position)
    return starts[part] == position ? part : nil
  }

  /// `a.zip.003`, or `a.zip.002 to a.zip.004`: the parts that a range lies in, without directories.
  package func described(_ range: Range<Int64>) -> String {
    let parts = parts(covering: range)
    let first = paths[parts.lowerBound].lastComponent
    return parts.count == 1 ? "\(first)" : "\(first) to \(paths[parts.upperBound].lastComponent)"
  }

  /// `; it lies in a.zip.002 to a.zip.004`; nothing where one part has all of a range.
  package func lies(_ range: Range<Int64>) -> String {
    parts(covering: range).count > 1 ? "; it lies in \(described(range))" : ""
  }

  /// The end of the part that holds the byte at `position`.
  func endOfPart(at position: Int64) -> Int64 { starts[part(at: position) + 1] }

  /// `byte 12 of this part`, or `byte 12` where there is only one.
  func place(_ position: Int64) -> String {
    let part = part(at: position)
    return "byte \(position - starts[part])\(parts > 1 ? " of this part" : "")"
  }
}
