internal import Posix

/// Walks through a tar file from header to header; each has a sum of its own bytes. What members hold
/// is not looked at. Reads ustar, GNU, pax and older forms; see `tar(5)` and pax in POSIX.1.
struct TarProof: ProofWalk {
  let reader: ProofReader
  var notes: ProofNotes
  var members: Int64 = 0
  /// The size that a pax header tells of the member behind it.
  var paxSize: Int64?

  private static let record = Int64(TarHeader.length)

  mutating func run() throws(CleaveError) -> ProofResult {
    var position: Int64 = 0
    while position < reader.count {
      guard let record = try reader.peek(TarHeader.length, at: position) else {
        try endWithoutRecord(at: position)
        return notes.result
      }
      if TarHeader.isZero(record) {
        try end(at: position)
        return notes.result
      }
      guard let header = TarHeader(record) else {
        notes.miss("a tar header", at: position)
        return notes.result
      }
      notes.prove()
      guard let next = try member(header, at: position) else { return notes.result }
      position = next
    }
    leaveEnd()
    return notes.result
  }

  // MARK: Members

  /// Where the next header is; nil where something is wrong.
  private mutating func member(_ header: TarHeader, at start: Int64) throws(CleaveError) -> Int64? {
    let isPax = header.kind == .paxOfMember || header.kind == .paxOfAll
    let isAboutNext = isPax || header.isAboutNext
    var data = start + Self.record
    var size = header.size
    switch header.kind {
    case .withoutData: size = 0
    case .hardLink: if try isHeader(at: data) { size = 0 }
    case .sparse: if header.isExtended, try !skipMap(&data) { return nil }
    case .paxOfMember, .paxOfAll, .other: break
    }
    if !isAboutNext {
      if let told = paxSize, size > 0 || header.kind == .other { size = told }
      paxSize = nil
    }
    let (end, isTooLarge) = data.addingReportingOverflow(size)
    guard !isTooLarge, end <= reader.count else {
      endEarlyWithinMember()
      return nil
    }
    if isPax {
      guard try readPax(data..<end, isOfMember: header.kind == .paxOfMember) else {
        let place = notes.layout.place(data)
        notes.differ(data..<end, "the pax header at \(place) is damaged")
        return nil
      }
    }
    if !isAboutNext { members += 1 }
    // In the last record of a member only what it needs must be there.
    let padding = (Self.record - size % Self.record) % Self.record
    return end > reader.count - padding ? reader.count : end + padding
  }

  /// A hard link may have the size of the file, and data or none.
  private func isHeader(at position: Int64) throws(CleaveError) -> Bool {
    guard let record = try reader.peek(TarHeader.length, at: position) else { return true }
    return TarHeader.isZero(record) || TarHeader(record) != nil
  }

  /// Skips the records behind the header of a sparse file that go on with its map.
  private mutating func skipMap(_ position: inout Int64) throws(CleaveError) -> Bool {
    while let record = try reader.peek(TarHeader.length, at: position) {
      let isLast = record[504] == 0
      position += Self.record
      if isLast { return true }
    }
    endEarlyWithinMember()
    return false
  }

  // MARK: pax

  /// Reads `LENGTH KEY=VALUE` and a new line, again and again; the length counts all of it.
  ///
  /// - Returns: false where it is something else.
  private mutating func readPax(
    _ range: Range<Int64>,
    isOfMember: Bool
  ) throws(CleaveError) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      guard let (length, digits) = try number(at: position, before: range.upperBound),
        try byte(position + digits) == UInt8(ascii: " "), length > digits + 2,
        length <= range.upperBound - position
      else { return false }
      let key = position + digits + 1
      if isOfMember, try reader.has(Array("size=".utf8), at: key) {
        let end = position + length - 1
        guard let (size, digits) = try number(at: key + 5, before: end), key + 5 + digits == end
        else { return false }
        paxSize = size
      }
      // Last, so that bytes are read in their order: the window of the reader is small.
      guard try byte(position + length - 1) == UInt8(ascii: "\n") else { return false }
      position += length
    }
    return true
  }

  /// A decimal number of up to 18 digits, and how many it has.
  private func number(
    at position: Int64,
    before end: Int64
  ) throws(CleaveError) -> (value: Int64, digits: Int64)? {
    var (value, digits): (Int64, Int64) = (0, 0)
    while position + digits < end, digits < 18, let byte = try byte(position + digits),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      digits += 1
    }
    return digits > 0 ? (value, digits) : nil
  }

  private func byte(_ position: Int64) throws(CleaveError) -> UInt8? {
    try reader.peek(1, at: position)?[0]
  }

  // MARK: The end

  /// Two records of zeros end a tar file, and more zeros fill up the last block of a tape.
  private mutating func end(at position: Int64) throws(CleaveError) {
    let other = try reader.first(from: position, before: reader.count) { $0 != 0 }
    guard let other else {
      let rest = reader.count % Self.record
      if rest == 0 { return }
      let text =
        "ends \(rest.counted("byte")) into a record of \(Self.record), so that bytes may be missing, or too many"
      return notes.leave(position..<reader.count, text)
    }
    // A part that is not zeros from its start on may be one too many.
    let start = notes.layout.starts[notes.layout.part(at: other)]
    notes.leaveRest(from: start > position ? start : other, of: "the tar file")
  }

  /// Less than a record is left: of a header, or of the zeros.
  private mutating func endWithoutRecord(at position: Int64) throws(CleaveError) {
    if try reader.first(from: position, before: reader.count, where: { $0 != 0 }) == nil {
      return leaveEnd()
    }
    notes.endEarly("ends within a header of the tar file")
  }

  /// Every member is there, and nothing says that there were no more.
  private mutating func leaveEnd() {
    notes.leave(
      reader.count..<reader.count,
      "has no records of zeros at its end, so that more members may be missing"
    )
  }

  private mutating func endEarlyWithinMember() {
    notes.endEarly("ends within member \(members + 1) of the tar file")
  }
}
