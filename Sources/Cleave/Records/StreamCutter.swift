internal import Posix

/// Cuts bytes that come piece by piece, and cannot be read again.
///
/// Of each piece it is told what nobody has taken yet, and tells what to do with the start of it. Empty parts
/// are told of as ends of no bytes.
package struct StreamCutter: Sendable {
  /// What to do next. What is held belongs behind all bytes that were written, and is written first as soon
  /// as it is released.
  package struct Step: Hashable, Sendable {
    /// Whether what is held goes to the part that is open.
    package var releases = false
    /// So many bytes go to the part that is open.
    package var written = 0
    /// So many bytes behind those are to be held.
    package var held = 0
    /// Whether the part that is open ends. What is held then begins the next one.
    package var ends = false
  }

  private let rule: RecordRule
  private let separator: UInt8
  /// In the part that is open, or to come: bytes, or records; the chunk's own number from 1.
  private var done: Int64 = 0
  private var held: Int64 = 0
  /// Of parts by size: whether a record ends in it. Of chunks: whether one has begun, and not ended.
  private var hasRecord = false
  private var chunk: Int64 = 1
  private var position: Int64 = 0

  package init(_ rule: RecordRule, separator: UInt8) {
    (self.rule, self.separator) = (rule, separator)
  }

  /// The number of parts that end at or before the end of the bytes and were not told of, of chunks.
  package var missing: Int64 {
    switch rule {
    case .bytes, .records, .recordBytes: 0
    // bounded: at most the number of chunks
    case .chunks(let chunks), .recordChunks(let chunks): chunks.count - chunk + 1
    }
  }

  /// About as many bytes as the part has that is open, or to come; nil where records are counted.
  package var nominalSize: Int64? {
    switch rule {
    case .bytes(let size), .recordBytes(let size): size
    case .records: nil
    case .chunks(let chunks), .recordChunks(let chunks):
      chunks.range(of: min(chunk, chunks.count)).count64
    }
  }

  /// - Parameter piece: not empty.
  package mutating func step(_ piece: UnsafeRawBufferPointer) -> Step {
    switch rule {
    case .bytes(let size): stepBytes(piece, upTo: size)
    case .records(let count): stepRecords(piece, count)
    case .recordBytes(let size): stepRecordBytes(piece, size)
    case .chunks(let chunks): stepChunks(piece, chunks)
    case .recordChunks(let chunks): stepRecordChunks(piece, chunks)
    }
  }

  private mutating func stepBytes(_ piece: UnsafeRawBufferPointer, upTo size: Int64) -> Step {
    let count = Int(min(Int64(piece.count), size - done))
    done += Int64(count)  // bounded: at most the size
    guard done == size else { return Step(written: count) }
    done = 0
    return Step(written: count, ends: true)
  }

  private mutating func stepRecords(_ piece: UnsafeRawBufferPointer, _ count: Int64) -> Step {
    var left = UInt64(count - done)
    if let end = piece.end(of: separator, times: &left) {
      done = 0
      return Step(written: end, ends: true)
    }
    done = count - Int64(left)
    return Step(written: piece.count)
  }

  /// Behind the last separator, bytes are held until the next one, or the size, tells where they go.
  private mutating func stepRecordBytes(_ piece: UnsafeRawBufferPointer, _ size: Int64) -> Step {
    let room = Int(min(Int64(piece.count), size - done - held))
    let last = UnsafeRawBufferPointer(rebasing: piece[..<room]).lastPlace(of: separator)
    var step = Step()
    if let last {
      step = Step(releases: held > 0, written: last + 1)  // bounded: within the piece
      step.held = room - step.written
      done += held + Int64(step.written)  // bounded: at most the size
      held = Int64(step.held)
      hasRecord = true
    } else if hasRecord {
      step.held = room
      held += Int64(room)  // bounded: at most the size
    } else {
      step.written = room
      done += Int64(room)  // bounded: at most the size
    }
    guard done + held == size else { return step }  // bounded: at most the size
    step.ends = true
    // Of a record that did not fit: it is written as it comes until it ends.
    (done, held, hasRecord) = (held, 0, false)
    return step
  }

  private mutating func stepChunks(_ piece: UnsafeRawBufferPointer, _ chunks: EvenChunks) -> Step {
    // The last one has everything, also what has come since the size was told.
    guard chunk < chunks.count else { return Step(written: piece.count) }
    let count = Int(min(Int64(piece.count), chunks.end(of: chunk) - position))
    position += Int64(count)  // bounded: at most the size
    guard position == chunks.end(of: chunk) else { return Step(written: count) }
    chunk += 1  // bounded: at most the number of chunks
    return Step(written: count, ends: true)
  }

  /// The record with a chunk's last byte belongs to the chunk.
  private mutating func stepRecordChunks(
    _ piece: UnsafeRawBufferPointer,
    _ chunks: EvenChunks
  ) -> Step {
    let end = chunks.end(of: min(chunk, chunks.count))
    // What the last record has covered.
    if end <= position && !hasRecord && chunk < chunks.count {
      chunk += 1  // bounded: at most the number of chunks
      return Step(ends: true)
    }
    let skipped = Int(min(Int64(piece.count), max(0, end - 1 - position)))
    let found = UnsafeRawBufferPointer(rebasing: piece[skipped...]).firstPlace(of: separator)
    guard let found, chunk < chunks.count else {
      position += Int64(piece.count)  // bounded: within the size
      // In the middle of a record nothing ends, however many chunks it covers.
      hasRecord = true
      return Step(written: piece.count)
    }
    let count = skipped + found + 1  // bounded: within the piece
    position += Int64(count)  // bounded: within the size
    (hasRecord, chunk) = (false, chunk + 1)  // bounded: at most the number of chunks
    return Step(written: count, ends: true)
  }
}
