internal import Posix

/// Compares the CRC-32s of the two headers of a 7z archive: at its start and at its end. Data between
/// them is not looked at. See `7zFormat.txt`.
struct SevenZipProof: ProofWalk {
  let reader: ProofReader
  var notes: ProofNotes

  private static let headerLength = 32

  mutating func run() throws(CleaveError) -> ProofResult {
    guard let head = try reader.peek(Self.headerLength, at: 0).map(Array.init) else {
      notes.endEarly("ends within the 7z header")
      return notes.result
    }
    let found = Checksum(of: head[12..<Self.headerLength], .crc32)
    guard found.crc32 == head.uint32(at: 8) else {
      notes.differ(
        0..<Int64(Self.headerLength),
        "the 7z header has \(Self.difference(found.crc32, head.uint32(at: 8)))"
      )
      return notes.result
    }
    guard let total = SevenZipHeader(head)?.total else {
      notes.differ(0..<Int64(Self.headerLength), "the 7z header tells of impossible sizes")
      return notes.result
    }
    guard total <= reader.count else {
      notes.endEarly(
        "lacks \(total - reader.count) of the \(total) bytes that the 7z header tells of"
      )
      return notes.result
    }
    notes.prove()
    // The second header ends the archive; the offset to it was part of the sum.
    let range = (total - Int64(head.uint64(at: 20)))..<total
    let next = try reader.crc32(range)
    if next == head.uint32(at: 28) {
      notes.prove()
    } else {
      notes.differ(
        range,
        "the 7z header at the end has \(Self.difference(next, head.uint32(at: 28)))"
      )
    }
    notes.leaveRest(from: total, of: "the 7z archive")
    return notes.result
  }

  private static func difference(_ found: UInt32, _ told: UInt32) -> String {
    "CRC-32 \(Checksum.hexadecimal(found)), not \(Checksum.hexadecimal(told))"
  }
}
