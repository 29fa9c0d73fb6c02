internal import Posix

/// Walks back through the members of a lzip file, from trailer to header: a trailer tells how long its
/// member is. Data is not unpacked. See the format's chapter in lzip's manual.
struct LzipProof: ProofWalk {
  let reader: ProofReader
  var notes: ProofNotes

  /// With the version behind it.
  private static let magic = FileFormat.magic(.lzip)
  private static let trailerLength: Int64 = 20
  /// Of a member without data.
  private static let leastLength: UInt64 = 36

  mutating func run() throws(CleaveError) -> ProofResult {
    var end = reader.count
    while end > 0 {
      guard let start = try start(of: end) else {
        let text = "there is no trailer of a lzip member that ends here"
        if end == reader.count {
          notes.endEarly("does not end with the trailer of a lzip member")
        } else {
          notes.differ(0..<end, text)
        }
        return notes.result
      }
      notes.prove()
      end = start
    }
    return notes.result
  }

  /// Where the member that ends at a position begins.
  private func start(of end: Int64) throws(CleaveError) -> Int64? {
    guard
      let size = try reader.peek(Int(Self.trailerLength), at: end - Self.trailerLength)?
        .uint64(at: 12),
      size >= Self.leastLength, size <= UInt64(end)
    else { return nil }
    let start = end - Int64(size)
    guard let head = try reader.peek(6, at: start), head.starts(with: Self.magic),
      (12...29).contains(head[5] & 0x1F)
    else { return nil }
    return start
  }
}
