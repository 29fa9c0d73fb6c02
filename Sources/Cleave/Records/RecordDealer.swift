internal import Posix

/// Deals records out, one to each of several outputs in turn. A record may be longer than memory: pieces of it
/// are written as they come.
package final class RecordDealer {
  private let count: Int64
  private let separator: UInt8
  /// What is gathered for each output; nil where there are too many outputs for that.
  private let heaps: RecordHeaps?
  /// The output that the next byte goes to.
  package private(set) var current = 0
  /// How many outputs have had a record, or the start of one.
  private var begun = 0
  /// Whether every output has had a record.
  package private(set) var hasWrapped = false

  /// - Parameter count: of outputs, at least 1.
  package init(_ count: Int64, separator: UInt8) {
    (self.count, self.separator) = (count, separator)
    heaps = RecordHeaps(count)
  }

  /// Deals out the bytes that come next.
  ///
  /// - Parameters:
  ///   - begin: is called before the first byte of the next output.
  ///   - write: takes bytes of the output of an index, behind those before.
  package func deal<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer,
    begin: () throws(Failure) -> Void,
    write: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let taken = try hasWrapped ? dealAll(rest, write) : dealOne(rest, begin, write)
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
    }
  }

  /// Writes what is gathered for an output.
  package func flush<Failure: Error>(
    _ output: Int,
    write: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard let heaps else { return }
    defer { heaps.clear(output) }
    let bytes = heaps.bytes(output)
    if !bytes.isEmpty { try write(bytes, output) }
  }

  /// Deals one record, or the start of one, to an output that may have had none.
  private func dealOne<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer,
    _ begin: () throws(Failure) -> Void,
    _ write: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let end = bytes.firstPlace(of: separator)
    let length = end.map { $0 + 1 } ?? bytes.count  // bounded: within the piece
    if current == begun {
      try begin()
      begun += 1  // bounded: at most the number of outputs
    }
    let taken = try dealAll(UnsafeRawBufferPointer(rebasing: bytes[..<length]), write)
    if taken == length, end != nil, current == 0 { hasWrapped = true }
    return taken
  }

  /// Deals records as far as there is room for them.
  private func dealAll<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    guard let heaps else { return try pass(bytes, write) }
    let taken = heaps.deal(bytes, separator: separator, current: &current)
    if taken < bytes.count { try flush(current, write: write) }
    return taken
  }

  /// Writes one record, or the start of one.
  private func pass<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer,
    _ write: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let end = bytes.firstPlace(of: separator)
    let length = end.map { $0 + 1 } ?? bytes.count  // bounded: within the piece
    try write(UnsafeRawBufferPointer(rebasing: bytes[..<length]), current)
    // bounded: below the number of outputs
    if end != nil { current = Int64(current) == count - 1 ? 0 : current + 1 }
    return length
  }
}
