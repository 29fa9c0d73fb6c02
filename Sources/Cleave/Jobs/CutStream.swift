internal import Posix

/// What takes the parts of a stream, one after the other.
protocol PartSink {
  /// Whether a part is open.
  var hasPart: Bool { get }
  /// How many parts have ended.
  var count: Int { get }
  /// Whether nothing more is taken.
  var hasFailed: Bool { get }

  /// Writes to the part that is open, or to the next one; no bytes only begin it.
  mutating func write(_ bytes: ArraySlice<UInt8>) throws(CleaveError)
  mutating func endPart() throws(CleaveError)
}

/// Cuts standard input where a rule says.
///
/// Besides what is being written, no more is in memory than one record, of which it is not known yet
/// whether it fits into the part that is open.
struct CutStream {
  private var cutter: StreamCutter
  private var held: [UInt8] = []

  init(_ cutter: StreamCutter) { self.cutter = cutter }

  /// Makes all parts; an empty one of nothing.
  ///
  /// - Parameter size: bytes to read at a time.
  mutating func cut(
    _ input: StreamInput,
    reading size: Int,
    _ stops: StreamInput.Stops,
    into sink: inout some PartSink
  ) throws(CleaveError) {
    while !sink.hasFailed {
      let bytes = try input.nextBytes(size, stops)
      if bytes.isEmpty { break }
      var rest = bytes[...]
      while !rest.isEmpty, !sink.hasFailed { try step(&rest, &sink) }
    }
    if sink.hasFailed { return }
    if !held.isEmpty || !sink.hasPart && sink.count == 0 { try release(&sink) }
    if sink.hasPart { try sink.endPart() }
  }

  private mutating func step(
    _ rest: inout ArraySlice<UInt8>,
    _ sink: inout some PartSink
  ) throws(CleaveError) {
    let step = rest.withUnsafeBytes { cutter.step($0) }
    if step.releases { try release(&sink) }
    if step.written > 0 { try sink.write(rest.prefix(step.written)) }
    rest = rest.dropFirst(step.written)
    held += rest.prefix(step.held)
    rest = rest.dropFirst(step.held)
    guard step.ends else { return }
    if sink.hasPart { try sink.endPart() }
    // What did not fit begins the next one.
    if !held.isEmpty { try release(&sink) }
  }

  private mutating func release(_ sink: inout some PartSink) throws(CleaveError) {
    try sink.write(held[...])
    held.removeAll(keepingCapacity: true)
  }
}
