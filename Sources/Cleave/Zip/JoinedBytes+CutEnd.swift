import Posix

extension JoinedBytes {
  /// The error where the last part is empty, or the end record or its comment is cut off; nil where
  /// neither shows.
  func cutEnd() throws(CleaveError) -> CleaveError? {
    let last = layout.parts - 1
    let path = layout.paths[last]
    if layout.range(last).isEmpty {
      return CleaveError(.badData, path, "is empty, and should end with the zip's end record")
    }
    guard let missing = try missingAtEnd() else { return nil }
    let or = last > 0 ? ", or not the last part" : ""
    let bytes = missing.counted("byte")
    return CleaveError(
      .badData,
      path,
      "is cut off\(or): at least \(bytes) of the zip's end record and its comment are missing"
    )
  }

  /// The bytes that the end record or its comment lack; nil where there is none, or nothing is missing.
  private func missingAtEnd() throws(CleaveError) -> Int64? {
    let length = min(count, Int64(EndRecords.endLength) - 1)
    let tail = try bytes(Int(length), at: count - length) ?? []
    if let at = tail.indices.last(where: { tail.has(.end, at: $0) }) {
      return Int64(EndRecords.endLength - (tail.count - at))
    }
    do throws(ZipFault) {
      for position in try EndRecords.candidates(in: self, before: .lessThanNothing) {
        let read = try ZipFault.reading { () throws(CleaveError) in
          try bytes(EndRecords.endLength, at: position)
        }
        guard let record = read else { continue }
        // Its numbers fit what is in front of it.
        // bounded: 32 bits each
        let length = UInt64(record.uint32(at: 12)) + UInt64(record.uint32(at: 16))
        guard record.uint16(at: 4) == 0, length == UInt64(position) else { continue }
        // bounded: the position is within the file, and the others have 16 bits
        return position + Int64(EndRecords.endLength) + Int64(record.uint16(at: 20)) - count
      }
      return nil
    } catch {
      throw ZipArchive.describe(error, layout.last)
    }
  }
}
