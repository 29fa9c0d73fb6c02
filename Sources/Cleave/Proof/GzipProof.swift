internal import Posix

/// Inflates the members of a gzip file one after the other, and compares their trailers (RFC 1952).
///
/// gzip(1) reads over zeros behind the last member without a word, and over other bytes with a warning.
/// Here zeros are fine as well; other bytes are not proved by anything, so that the proof is one in
/// part.
struct GzipProof: ProofWalk {
  private let reader: ProofReader
  private let inflater: Inflater
  private let progress: WorkProgress
  var notes: ProofNotes
  /// Up to where progress has been told of.
  private var reported: Int64 = 0
  private var members: Int64 = 0
  /// Whether a part begins with another member than the first.
  private var hasMemberInFront = false
  private var isBlocked = false

  /// What makes a member of what is behind another one; of any method then.
  private static let start = Array(FileFormat.magic(.gzip).prefix(2))
  private static let headerLength = 10
  /// Bytes given to the inflater at a time. They may become a thousand times as many, after which a
  /// cancellation is seen.
  private static let pieceSize = 32 << 10

  init(_ reader: ProofReader, _ progress: WorkProgress, _ notes: ProofNotes) throws(CleaveError) {
    self.reader = reader
    self.progress = progress
    self.notes = notes
    inflater = try Inflater()
  }

  mutating func run() throws(CleaveError) -> ProofResult {
    progress.expectMore(reader.count)
    var position: Int64 = 0
    var lastSize: Int64 = 0
    repeat {
      members += 1
      noteOrder(at: position)
      guard let data = try header(at: position),
        let (end, size) = try member(from: position, data)
      else {
        report(reader.count)
        return notes.result
      }
      notes.prove()
      (position, lastSize) = (end, size)
    } while try reader.has(Self.start, at: position)
    try lookBehind(position)
    if isBlocked, lastSize > 0 {
      notes.leave(
        position..<position,
        "has no empty BGZF block at its end, so that more may be missing"
      )
    }
    report(reader.count)
    return notes.result
  }

  private mutating func report(_ position: Int64) {
    guard position > reported else { return }
    progress.add(Int(position - reported))
    reported = position
  }

  /// What holds whole members can be in another place, or be missing.
  private mutating func noteOrder(at position: Int64) {
    guard !hasMemberInFront, notes.layout.boundary(at: position) != nil else { return }
    hasMemberInFront = true
    notes.leave(
      position..<position,
      "begins with \(name), and nothing proves the order of members"
    )
  }

  private mutating func lookBehind(_ end: Int64) throws(CleaveError) {
    let other = try reader.first(from: end, before: reader.count) { $0 != 0 }
    if other != nil { return notes.leaveRest(from: end, of: "the gzip data") }
    // Zeros fill a last part up, as of a tape; a part of zeros alone was never fetched, also where a trailer ends in it.
    let last = notes.layout.range(notes.layout.part(at: end - 1)).lowerBound
    let isFilled = end < reader.count && last > 0
    let data = isFilled ? try reader.first(from: last, before: end) { $0 != 0 } : end
    _ = notes.refuseParts(from: data == nil ? last : end, of: "the gzip data")
  }

  // MARK: Header

  private struct Flags {
    static let headerCRC: UInt8 = 2
    static let extra: UInt8 = 4
    static let name: UInt8 = 8
    static let comment: UInt8 = 16
    static let reserved: UInt8 = 0xE0
  }

  /// Where the data of the member at `start` begins; nil where the header is not right.
  private mutating func header(at start: Int64) throws(CleaveError) -> Int64? {
    guard let fixed = try reader.peek(Self.headerLength, at: start) else { return endEarly() }
    let (method, flags) = (fixed[2], fixed[3])
    guard method == 8 else { return differ(start, "has compression method \(method)") }
    guard flags & Flags.reserved == 0 else { return differ(start, "has flags that gzip does not") }
    var end = start + Int64(Self.headerLength)
    if flags & Flags.extra != 0 {
      guard let length = try reader.peek(2, at: end)?.uint16(at: 0) else { return endEarly() }
      if members == 1 { isBlocked = try isBlocked(end + 2, length) }
      end += 2 + Int64(length)
    }
    if flags & Flags.name != 0, try !skipText(&end) { return endEarly() }
    if flags & Flags.comment != 0, try !skipText(&end) { return endEarly() }
    if flags & Flags.headerCRC != 0 {
      guard let told = try reader.peek(2, at: end)?.uint16(at: 0) else { return endEarly() }
      let found = UInt16(truncatingIfNeeded: try reader.crc32(start..<end))
      guard found == told else { return differ(start, "has a header with another CRC-16") }
      end += 2
    } else if let part = notes.layout.part(within: start..<end) {
      let range = notes.layout.range(part)
      notes.leave(range, "lies within the header of \(name), which has no sum")
    }
    return end < reader.count ? end : endEarly()
  }

  /// Goes on behind a text that a NUL ends. Returns false where there is none.
  private func skipText(_ position: inout Int64) throws(CleaveError) -> Bool {
    let end = try reader.first(from: position, before: reader.count) { $0 == 0 }
    position = (end ?? reader.count - 1) + 1
    return end != nil
  }

  /// Whether an extra field is that of BGZF, whose files end with an empty member (SAM specification
  /// 4.1).
  private func isBlocked(_ start: Int64, _ length: UInt16) throws(CleaveError) -> Bool {
    guard length >= 6 else { return false }
    return try reader.has([0x42, 0x43, 2, 0], at: start)
  }

  // MARK: Data

  /// The end of a member, and how much it holds; nil where it is not right.
  private mutating func member(
    from start: Int64,
    _ data: Int64
  ) throws(CleaveError) -> (end: Int64, size: Int64)? {
    inflater.reset()
    var sum = Checksum.empty
    var position = data
    while position < reader.count {
      // A piece lies in one part, so that damage shows in the right one.
      let limit = notes.layout.endOfPart(at: position)
      let piece = try reader.some(at: position, before: limit, most: Self.pieceSize)
      let outcome = inflater.inflate(piece) { sum.update($0, .crc32) }
      let next = position + Int64(piece.count)
      report(next)
      switch outcome {
      case .needsMore: position = next
      case .ended(let taken):
        return try trailer(start, at: max(data, position + Int64(taken)), sum)
      case .damaged:
        // The piece may end with its part.
        let place = notes.layout.place(next - 1)
        notes.differ(
          position..<next,
          "\(name) cannot be unpacked: bytes up to \(place) are wrong"
        )
        return nil
      }
    }
    return endEarly()
  }

  private mutating func trailer(
    _ start: Int64,
    at position: Int64,
    _ sum: Checksum
  ) throws(CleaveError) -> (end: Int64, size: Int64)? {
    guard let trailer = try reader.peek(8, at: position) else { return endEarly() }
    let end = position + 8
    let (crc, size) = (trailer.uint32(at: 0), trailer.uint32(at: 4))
    guard crc == sum.crc32 else {
      let told = Checksum.hexadecimal(crc)
      notes.differ(
        start..<end,
        "\(name) has CRC-32 \(sum.crc32Text), not \(told)\(notes.layout.lies(start..<end))"
      )
      return nil
    }
    // Modulo 2³².
    guard size == UInt32(truncatingIfNeeded: sum.count) else {
      notes.differ(
        start..<end,
        "\(name) has \(sum.count) bytes when unpacked, not \(size) modulo 2³²"
      )
      return nil
    }
    return (end, sum.count)
  }

  // MARK: Saying what is wrong

  var name: String { "gzip member \(members)" }

  private mutating func differ<Nothing>(_ start: Int64, _ text: String) -> Nothing? {
    notes.differ(start..<start, "\(name), at \(notes.layout.place(start)), \(text)")
    return nil
  }
}
