package import Posix

/// How a zip becomes a split zip of parts of at most so many bytes.
///
/// Headers, central records, descriptors and end records stay whole; data is cut anywhere, and
/// nothing is padded: a part ends early where the next record has no room. Merging gives the same
/// bytes back, or the cut is refused.
package struct ZipCut: Sendable {
  /// What a part may have at the least and at the most; see APPNOTE 8.5.
  package static let sizes: ClosedRange<Int64> = 65_536...4_294_967_295

  /// Bytes of each part, of which the last one is `.zip`.
  package private(set) var parts: [Int64] = [0]
  private var extents: [Extent] = []
  private let archive: ZipArchive
  private let size: Int64
  private let path: FilePath
  private var moved = Moved()
  private var gap: Gap?
  /// Of what is not copied: the directory and all behind it.
  private let rest: Checksum

  /// Bytes that belong to no entry, behind one that begins in a part.
  private struct Gap: Sendable {
    var count: Int64
    var part: Int
  }

  /// Where local headers are now and where they will be, by position.
  private struct Moved: Sendable {
    var places: [Place] = []

    struct Place {
      var start: Int64
      var part: UInt32
      var offset: UInt32
    }

    func place(at position: Int64) -> Place? {
      let index = places.partitioningIndex { $0.start >= position }
      return index < places.count && places[index].start == position ? places[index] : nil
    }
  }

  /// - Parameter source: a zip in one file.
  /// - Parameter size: bytes, in ``sizes``.
  /// - Throws: `.badData` where it is no whole zip, or one that merging could not make again.
  package init(
    _ source: SourceFile,
    size: Int64,
    kinds: Checksum.Kinds
  ) throws(CleaveError) {
    guard let held = try ZipArchive.held(by: JoinedBytes([source]), mayBeAnywhere: true) else {
      throw CleaveError(
        .badData,
        source.path,
        "is no zip; \(.splittingAsBytes) any file is split"
      )
    }
    try self.init(held.archive, size: size, kinds: kinds)
  }

  /// - Parameter archive: in one part.
  package init(_ archive: ZipArchive, size: Int64, kinds: Checksum.Kinds) throws(CleaveError) {
    self.archive = archive
    self.size = size
    path = archive.bytes.layout.paths[0]
    let count = archive.bytes.count
    guard archive.notes.bytesBehind == 0 else {
      throw Self.notTheSame("\(archive.notes.bytesBehind) bytes are behind its end", archive)
    }
    guard count > size else {
      // A single part would be a zip by itself, and merging would have nothing to do.
      throw CleaveError(
        .badData,
        path,
        "fits into one part of \(size) bytes, so that there is nothing to split as a zip; "
          + "\(.splittingAsBytes) any file is split"
      )
    }
    rest = try ZipJoin.sum(archive.directoryStart..<count, archive.bytes, kinds)
    // Merging tells the marker by what follows it.
    guard try archive.bytes.bytes(2, at: 0) == Array("PK".utf8) else {
      throw Self.notTheSame("something else is in front of the zip", archive)
    }
    inline(Array(littleEndian: ZipSignature.splitMarker.rawValue))
    let entries = try archive.requireEntries(keepsPlaces: true)
    guard entries.repairs.isEmpty else {
      throw Self.notTheSame("local headers lack their sizes, which merging would fill in", archive)
    }
    try cutEntries(entries.places)
    try cutDirectory()
  }

  /// The plan, whose parts get the names that `name` gives by their index.
  package func plan(
    _ source: SourceFile,
    name: (Int) -> FilePath
  ) throws(CleaveError) -> TransferPlan {
    let destinations = parts.enumerated().map { DestinationFile(path: name($0), size: $1) }
    do {
      return try TransferPlan(sources: [source], destinations: destinations, extents: extents)
    } catch {
      throw CleaveError(.badData, path, "cannot be split so: \(error)")
    }
  }

  /// The checksum of the zip that was split.
  package func sourceChecksum(_ report: JobReport) -> Checksum {
    var sum = report.sources[0]
    sum.append(rest)
    return sum
  }
}

// MARK: - Parts

extension ZipCut {
  private var room: Int64 { size - parts[parts.count - 1] }

  /// Begins a part where the one at hand has no room for so many bytes that must stay together.
  private mutating func require(_ length: Int64) throws(CleaveError) {
    guard length <= size else {
      throw CleaveError(
        .badData,
        path,
        "a record of \(length) bytes must stay in one part, and is longer than that"
      )
    }
    guard length > room else { return }
    guard parts.count < CutList.mostParts else {
      throw CleaveError(.badData, path, "would make more than \(CutList.mostParts) parts")
    }
    parts.append(0)
  }

  private mutating func copy(_ range: Range<Int64>) {
    let (part, length) = (parts.count - 1, Int64(range.count))
    defer { parts[part] += length }
    // Neighbours are one extent.
    if let last = extents.last, last.destination == part, last.end == parts[part],
      case .file(_, let offset) = last.source, offset + last.length == range.lowerBound
    {
      extents[extents.count - 1].length += length
      return
    }
    extents.append(
      Extent(
        source: .file(0, offset: range.lowerBound),
        length: length,
        destination: part,
        offset: parts[part]
      )
    )
  }

  private mutating func inline(_ bytes: [UInt8]) {
    let (part, length) = (parts.count - 1, Int64(bytes.count))
    extents.append(
      Extent(source: .inline(bytes), length: length, destination: part, offset: parts[part])
    )
    parts[part] += length
  }

  private mutating func inline(_ directory: RewrittenDirectory) {
    let part = parts.count - 1
    extents += directory.extents(part, at: parts[part])
    parts[part] += directory.length
  }
}

// MARK: - Entries

extension ZipCut {
  /// What zip 3.0 reads at a time. It takes the end of a part for the end of an entry where it has
  /// read a multiple of this from it, and drops the rest without a word.
  private static let zipBuffer: Int64 = 16_384

  private mutating func cutEntries(_ places: [EntryPlace]) throws(CleaveError) {
    moved.places.reserveCapacity(places.count)
    var position = places.first?.start ?? archive.directoryStart
    try cutData(0..<position)
    for (index, place) in places.enumerated() {
      // With the first byte of its data, for the same reason.
      let hasData = place.end > place.dataStart
      try require(place.dataStart - place.start + (hasData ? 1 : 0))
      try closeGap()
      let part = parts.count - 1
      moved.places.append(
        Moved.Place(start: place.start, part: UInt32(part), offset: UInt32(clamping: parts[part]))
      )
      copy(place.start..<place.dataStart)
      try cutData(place.dataStart..<place.end)
      position = place.end
      let next = index + 1 < places.count ? places[index + 1].start : archive.directoryStart
      let descriptor = min(Int64(place.descriptorLength), next - position)
      if descriptor > 0 {
        try require(descriptor)
        copy(position..<(position + descriptor))
        position += descriptor
      }
      gap = position < next ? Gap(count: next - position, part: part) : nil
      try cutData(position..<next)
      position = next
    }
  }

  /// Bytes that belong to no entry must lie in the part in which the entry before them begins, and the
  /// next one, too: else they look like those of a part that is too long.
  private mutating func closeGap() throws(CleaveError) {
    guard let gap, gap.part != parts.count - 1 else { return }
    throw Self.notTheSame("\(gap.count) bytes in it belong to no entry", archive)
  }

  private mutating func cutData(_ range: Range<Int64>) throws(CleaveError) {
    var position = range.lowerBound
    while position < range.upperBound {
      try require(1)
      let left = range.upperBound - position
      var count = min(left, room)
      if count < left, count % Self.zipBuffer == 0 { count -= 1 }
      copy(position..<(position + count))
      position += count
      // The byte that was left free is not for this entry.
      if position < range.upperBound { parts.append(0) }
    }
  }
}

// MARK: - Directory

extension ZipCut {
  private mutating func cutDirectory() throws(CleaveError) {
    let trailer = try archive.directoryTrailer()
    let length = archive.directoryEnd - archive.directoryStart
    guard archive.end.position == archive.directoryEnd + Int64(trailer.count),
      Int64(clamping: archive.end.values.size) == length + Int64(trailer.count)
    else { throw Self.notTheSame("its directory is not as long as its end record says", archive) }
    let tail = Int64(trailer.count + archive.end.bytes.count)
    // In one part, where they fit. Disk numbers from 65,535 on make records longer.
    if length + tail <= size, parts.count < 0xFFFE { try require(length + tail) }
    // 7-Zip 26 opens no set of two parts whose directory lies in both.
    if length + tail > room, parts.count == 1 { parts.append(0) }
    if archive.summary.entries == 0 { try require(tail) }
    var start = (part: UInt32(parts.count - 1), offset: UInt64(parts[parts.count - 1]))
    var size: Int64 = 0
    var here: (part: Int, count: UInt64) = (-1, 0)
    let rewrite: RewrittenDirectory.Rewrite = { [archive, moved] record throws(CleaveError) in
      try Self.relocated(record, archive, moved)
    }
    var block = RewrittenDirectory(of: archive, rewrite)
    var left = archive.summary.entries
    var directory = archive.directory
    var place = directory.position
    while let record = try directory.record(in: archive) {
      let new = try rewrite(record)
      left -= 1
      let needed = Int64(new.count) + (left == 0 ? tail : 0)
      if needed > room - block.length {
        inline(block)
        block = RewrittenDirectory(of: archive, rewrite)
        try require(needed)
      }
      let part = parts.count - 1
      if size == 0 {
        try closeGap()
        start = (UInt32(part), UInt64(parts[part] + block.length))
      }
      here = (part, here.part == part ? here.count + 1 : 1)
      block.append(recordAt: place, length: new.count)
      place = directory.position
      size += Int64(new.count)
    }
    inline(block)
    inline(trailer)
    try inline(end(start, size + Int64(trailer.count), here.count))
  }

  private static func relocated(
    _ record: CentralRecord,
    _ archive: ZipArchive,
    _ moved: Moved
  ) throws(CleaveError) -> [UInt8] {
    guard let position = archive.position(of: record), let place = moved.place(at: position) else {
      throw notTheSame("'\(record.name)' is not where its data is", archive)
    }
    do throws(ZipFault) {
      let new = try record.relocated(disk: place.part, offset: UInt64(place.offset))
      let back = try CentralRecord(new).relocated(disk: 0, offset: UInt64(position))
      guard back == record.bytes else {
        throw ZipFault.contradiction("the offset of '\(record.name)' is written in an unusual way")
      }
      return new
    } catch {
      if case .contradiction(let text) = error { throw notTheSame(text, archive) }
      throw archive.describe(error)
    }
  }

  private func end(
    _ start: (part: UInt32, offset: UInt64),
    _ size: Int64,
    _ entriesHere: UInt64
  ) throws(CleaveError) -> [UInt8] {
    let last = UInt32(parts.count - 1)
    let old = archive.end
    let new = old.rewritten(
      EndRecords.Placement(
        values: EndRecords.Values(
          disk: last,
          directoryDisk: start.part,
          entriesHere: old.isZIP64 ? entriesHere : min(entriesHere, 0xFFFF),
          entries: old.values.entries,
          size: UInt64(size),
          offset: start.offset
        ),
        zip64Disk: last,
        zip64Offset: UInt64(parts[parts.count - 1])
      )
    )
    do throws(ZipFault) {
      let comment = old.bytes.count - old.endAt
      let isZIP64 = new.count > comment
      let read = try EndRecords(new, at: 0, endAt: new.count - comment, isZIP64: isZIP64)
      let length = archive.end.position - archive.directoryStart
      let back = archive.singleEnd(read, directoryAt: archive.directoryStart, size: length)
      guard isZIP64 == old.isZIP64, back == old.bytes else {
        throw ZipFault.contradiction("its end records are written in an unusual way")
      }
      return new
    } catch {
      if case .contradiction(let text) = error { throw Self.notTheSame(text, archive) }
      throw archive.describe(error)
    }
  }

  private static func notTheSame(_ reason: String, _ archive: ZipArchive) -> CleaveError {
    CleaveError(
      .badData,
      archive.bytes.layout.paths[0],
      "cannot be split as a zip, since merging could not make the same bytes again: \(reason); "
        + "\(.splittingAsBytes) it can"
    )
  }
}
