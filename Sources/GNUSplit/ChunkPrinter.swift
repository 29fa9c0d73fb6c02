internal import Cleave
internal import Posix

/// Writes one chunk to standard output.
struct ChunkPrinter {
  let options: SplitOptions
  let input: SplitInput
  let console: SplitConsole

  /// One of several chunks, whatever is in it.
  func printBytes(_ chunks: EvenChunks, _ chunk: Int64) throws(SplitFailure) {
    let range = chunks.range(of: chunk)
    try input.skip(range.lowerBound)
    input.limit(to: range.count64)
    input.readAhead()
    while true {
      let bytes = try input.next()
      if bytes.isEmpty { return }
      if case .failure(let errno) = console.write(bytes) { throw .init("-: \(errno)") }
    }
  }

  /// The records that begin in one of several chunks.
  func printRecords(_ chunks: EvenChunks, _ chunk: Int64) throws(SplitFailure) {
    guard chunks.size > 0 else { return }
    // The record with the last byte of the chunk before is that chunk's.
    var position = max(0, chunks.end(of: chunk - 1) - 1)
    var hasBegun = chunk == 1
    try input.skip(position)
    input.limit(to: chunks.size - position)
    input.readAhead()
    let last = chunks.end(of: chunk) - 1
    while true {
      var bytes = try input.next()
      if bytes.isEmpty { return }
      if !hasBegun {
        guard let place = bytes.firstPlace(of: options.separator) else {
          position = position &+ Int64(bytes.count)
          continue
        }
        (hasBegun, position) = (true, position &+ Int64(place) &+ 1)
        // A record has covered the chunk.
        if position > last { return }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(place + 1)...])
      }
      let skipped = Int(min(Int64(bytes.count), max(0, last - position)))
      let rest = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
      // bounded: within the piece
      let end = rest.firstPlace(of: options.separator).map { skipped + $0 + 1 }
      try write(UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? bytes.count)]))
      if end != nil { return }
      position = position &+ Int64(bytes.count)
    }
  }

  /// Every record whose turn it is: of 3, 1 has the first, the fourth and so on.
  func printRoundRobin(_ count: Int64, _ chunk: Int64) throws(SplitFailure) {
    var number: Int64 = 1
    input.readAhead()
    while true {
      var rest = try input.next()
      if rest.isEmpty { return }
      while !rest.isEmpty {
        let end = rest.firstPlace(of: options.separator)
        let length = end.map { $0 + 1 } ?? rest.count  // bounded: within the piece
        if number == chunk {
          let record = UnsafeRawBufferPointer(rebasing: rest[..<length])
          if options.isUnbuffered { try write(record) } else { console.say(record) }
        }
        // bounded: at most the number of outputs
        if end != nil { number = number == count ? 1 : number + 1 }
        rest = UnsafeRawBufferPointer(rebasing: rest[length...])
      }
      if let failure = console.failure { throw .init("write error: \(failure)") }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(SplitFailure) {
    if case .failure(let errno) = console.write(bytes) { throw .init("write error: \(errno)") }
  }
}
