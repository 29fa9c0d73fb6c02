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
  /// Begins a part with what the first one began with.
  mutating func `repeat`(_ header: [UInt8]) throws(CleaveError)
  mutating func endPart() throws(CleaveError)
}

/// Cuts standard input where a rule says.
///
/// Besides what is being written, no more is in memory than the header, and one record, of which it is not
/// known yet whether it fits into the part that is open.
package struct CutStream {
  private let rule: RecordRule
  private let separator: UInt8
  /// Knows how large parts are when the header is complete.
  private var cutter: StreamCutter
  private(set) var header: RecordHeader
  private var held: [UInt8] = []

  /// - Parameter repeated: records at the start that all parts begin with.
  init(_ rule: RecordRule, separator: UInt8, repeating repeated: Int64 = 0) {
    (self.rule, self.separator) = (rule, separator)
    cutter = StreamCutter(rule, separator: separator)
    header = RecordHeader(repeated, separator: separator)
  }

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
      while !rest.isEmpty, !sink.hasFailed {
        if header.isComplete { try step(&rest, &sink) } else { try takeHeader(&rest, &sink) }
      }
    }
    if sink.hasFailed { return }
    // All there is are fewer records than are repeated, and too many bytes all the same.
    if !header.isComplete, !header.bytes.isEmpty, rule.behind(header) == nil {
      throw .noRoom(for: header, in: "standard input")
    }
    if !held.isEmpty || !sink.hasPart && sink.count == 0 { try release(&sink) }
    if sink.hasPart { try sink.endPart() }
  }

  private mutating func takeHeader(
    _ rest: inout ArraySlice<UInt8>,
    _ sink: inout some PartSink
  ) throws(CleaveError) {
    let count = rest.withUnsafeBytes { header.take($0) }
    if header.isTooLong { throw .longHeader(in: "standard input") }
    try sink.write(rest.prefix(count))
    rest = rest.dropFirst(count)
    guard header.isComplete else { return }
    guard let rule = rule.behind(header) else { throw .noRoom(for: header, in: "standard input") }
    cutter = StreamCutter(rule, separator: separator)
  }

  private mutating func step(
    _ rest: inout ArraySlice<UInt8>,
    _ sink: inout some PartSink
  ) throws(CleaveError) {
    let step = rest.withUnsafeBytes { cutter.step($0) }
    if step.releases { try release(&sink) }
    if step.written > 0 { try write(rest.prefix(step.written), &sink) }
    rest = rest.dropFirst(step.written)
    held += rest.prefix(step.held)
    rest = rest.dropFirst(step.held)
    guard step.ends else { return }
    if sink.hasPart { try sink.endPart() }
    // What did not fit begins the next one.
    if !held.isEmpty { try release(&sink) }
  }

  private mutating func release(_ sink: inout some PartSink) throws(CleaveError) {
    try write(held[...], &sink)
    held.removeAll(keepingCapacity: true)
  }

  private func write(
    _ bytes: ArraySlice<UInt8>,
    _ sink: inout some PartSink
  ) throws(CleaveError) {
    if !sink.hasPart, sink.count > 0, !header.bytes.isEmpty { try sink.repeat(header.bytes) }
    try sink.write(bytes)
  }
}

extension CleaveError {
  static func longHeader(in source: FilePath) -> CleaveError {
    let text: Sentence =
      "the records that \(Setting.header) repeats have more than \(RecordHeader.mostBytes) bytes"
    return CleaveError(.badData, source, text)
  }

  static func noRoom(for header: RecordHeader, in source: FilePath) -> CleaveError {
    let text: Sentence =
      "the records that \(Setting.header) repeats have \(header.bytes.count) bytes, and fill a part"
    return CleaveError(.badData, source, text)
  }
}
