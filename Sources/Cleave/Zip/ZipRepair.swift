import Posix

/// A file that somebody made of a split zip's parts by concatenating them: its offsets still count
/// from the start of each part, and where the parts began nobody wrote down.
package struct ZipRepair: Sendable {
  /// The zip, with the parts that were found again.
  package let archive: ZipArchive
  /// The parts that the end record tells of.
  package let disks: Int64
  /// What else is put right.
  package let repairs: [HeaderRepair]

  /// Finds out where each part begins: where the first entry of a part is, its offset before that.
  ///
  /// - Throws: `.badData` where the file is whole already, no zip, or lacks some of the parts.
  package init(_ file: JoinedBytes) throws(CleaveError) {
    let path = file.layout.paths[0]
    do throws(ZipFault) {
      _ = try ZipArchive(file, as: .whole)
    } catch {
      guard error.isOfDisk else { throw ZipArchive.describe(error, path) }
      let joined = try Joined(file, path)
      disks = joined.disks
      var archive = try joined.archive()
      repairs = try archive.examineEntries()
      self.archive = archive
      return
    }
    throw CleaveError(.badData, path, "is a whole zip: there is nothing to repair")
  }
}

/// Joined parts while their starts are looked for.
private struct Joined {
  private let file: JoinedBytes
  private let path: FilePath
  private let end: EndRecords
  private let directoryStart: Int64

  init(_ file: JoinedBytes, _ path: FilePath) throws(CleaveError) {
    self.file = file
    self.path = path
    do throws(ZipFault) {
      var found: (EndRecords, Int64)?
      for position in try EndRecords.candidates(in: file) where found == nil {
        do throws(ZipFault) {
          found = try Self.end(of: file, at: position)
        } catch {
          // A comment may hold what looks like an end record.
          if case .reading = error { throw error }
        }
      }
      guard let found else { throw ZipFault.noDirectory(excess: 0) }
      (end, directoryStart) = found
    } catch {
      throw ZipArchive.describe(error, path)
    }
  }

  /// The end record at a position, if it is one of a split zip, and where the directory in front of it begins.
  private static func end(
    of file: JoinedBytes,
    at position: Int64
  ) throws(ZipFault) -> (EndRecords, Int64)? {
    let end = try EndRecords(in: file, at: position) { _, _ in nil }
    let start = end.position - Int64(clamping: end.values.size)
    var directory = CentralDirectory(file, from: start, to: end.position)
    guard end.values.disk > 0, try directory.next() != nil else { return nil }
    return (end, start)
  }

  // bounded: 32 bits
  var disks: Int64 { Int64(end.values.disk) + 1 }

  /// The zip in the parts that were found.
  func archive() throws(CleaveError) -> ZipArchive {
    let count = Int(disks)
    // Each part but the last one has a byte at least.
    guard disks <= min(file.count, CutList.mostParts) else {
      throw incomplete("it is too short for \(count) parts")
    }
    let known = try starts()
    // A part in which nothing begins is taken for empty, and its bytes for those of the part before:
    // nobody asks for a place in it.
    // bounded: 33 bits
    var starts = [Int64](repeating: file.count, count: count + 1)
    for disk in (0..<count).reversed() {
      starts[disk] = known[UInt32(disk)] ?? starts[disk + 1]
      guard starts[disk] <= starts[disk + 1] else {
        throw incomplete("part \(disk + 1) is not before the next")
      }
    }
    let sizes = zip(starts.dropFirst(), starts).map { $0 - $1 }
    let paths = [FilePath](repeating: path, count: count)
    guard let layout = PartLayout(paths, sizes: sizes) else { throw incomplete("it is too large") }
    do throws(ZipFault) {
      return try ZipArchive(file.divided(like: layout), as: .split)
    } catch {
      throw ZipArchive.describe(error, path)
    }
  }

  /// The first and the last entry of a part, by offset.
  private struct Ends {
    var first: CentralRecord
    var last: CentralRecord
  }

  /// The starts of the parts in which an entry, or the directory, begins.
  private func starts() throws(CleaveError) -> [UInt32: Int64] {
    var ends: [UInt32: Ends] = [:]
    var directory = CentralDirectory(file, from: directoryStart, to: end.position)
    do throws(ZipFault) {
      while let record = try directory.next() {
        guard record.disk <= end.values.disk else {
          throw ZipFault.contradiction("'\(record.name)' is in no part")
        }
        var these = ends[record.disk] ?? Ends(first: record, last: record)
        if record.offset < these.first.offset { these.first = record }
        if record.offset > these.last.offset { these.last = record }
        ends[record.disk] = these
      }
    } catch {
      throw ZipArchive.describe(error, path)
    }
    var starts: [UInt32: Int64] = [0: 0]
    var position: Int64 = 0
    for (disk, entries) in ends.sorted(by: { $0.key < $1.key }) {
      let found =
        try disk == 0 ? Int64(clamping: entries.first.offset) : find(entries.first, position)
      let start = found - Int64(clamping: entries.first.offset)
      guard start >= 0 else { throw incomplete("bytes before '\(entries.first.name)' are missing") }
      starts[disk] = start
      position = try self.end(of: entries.last, from: start)
    }
    let start = directoryStart - Int64(clamping: end.values.offset)
    if starts[end.values.directoryDisk] == nil, start >= 0 {
      starts[end.values.directoryDisk] = start
    }
    return starts
  }

  /// Where the data of an entry ends, in a part that begins at `start`.
  private func end(of record: CentralRecord, from start: Int64) throws(CleaveError) -> Int64 {
    let position = start.addingReportingOverflow(Int64(clamping: record.offset))
    guard !position.overflow,
      let local = try LocalHeader(file, at: position.partialValue, of: record),
      let place = try? EntryPlace(record, local, at: position.partialValue),
      place.end <= directoryStart
    else {
      throw incomplete("'\(record.name)' is not where its part's other entries tell")
    }
    return place.end
  }

  /// The local header of an entry, at `position` or later.
  private func find(
    _ record: CentralRecord,
    _ position: Int64
  ) throws(CleaveError) -> Int64 {
    // Right behind the entry before, or behind its descriptor.
    // bounded: the position is within the file
    for gap: Int64 in [0, 12, 16, 20, 24] where try isHere(record, position + gap) {
      // bounded: the position is within the file
      return position + gap
    }
    let window = 256 << 10
    var start = position
    while start < directoryStart {
      let count = Int(min(Int64(window), directoryStart - start))
      let piece = try file.bytes(count, at: start) ?? []
      for at in piece.indices
      where piece[at] == UInt8(ascii: "P") && piece.has(.localHeader, at: at) {
        // bounded: within the file
        if try isHere(record, start + Int64(at)) { return start + Int64(at) }
      }
      // A signature may lie across two windows.
      // bounded: within the file
      start += Int64(max(1, count - 3))
    }
    throw incomplete("'\(record.name)' is not in it")
  }

  private func isHere(_ record: CentralRecord, _ position: Int64) throws(CleaveError) -> Bool {
    try LocalHeader(file, at: position, of: record) != nil
  }

  private func incomplete(_ reason: String) -> CleaveError {
    CleaveError(
      .badData,
      path,
      "does not hold all parts of its split zip in their order: \(reason)"
    )
  }
}
