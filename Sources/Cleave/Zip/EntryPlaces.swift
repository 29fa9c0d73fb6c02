package import Posix

/// Where an entry lies in the parts, from its local header to the end of its data.
struct EntryPlace: Hashable {
  let start: Int64
  let dataStart: Int64
  /// The first byte behind the data; a data descriptor may follow.
  let end: Int64
  let hasDescriptor: Bool

  init(_ record: CentralRecord, _ local: LocalHeader, at start: Int64) throws(ZipFault) {
    self.start = start
    dataStart = start + Int64(local.length)
    let end = Int64(exactly: record.compressedSize).map(dataStart.addingReportingOverflow)
    guard let end, !end.overflow else {
      throw .contradiction("the size of '\(record.name)' is out of range")
    }
    self.end = end.partialValue
    hasDescriptor = record.hasDescriptor
  }
}

/// What a look at all entries of a zip brought.
package struct EntryPlaces {
  /// By position, if they were asked for.
  var places: [EntryPlace] = []
  /// What local headers lack, by position.
  package fileprivate(set) var repairs: [HeaderRepair] = []
}

/// The CRC-32 and the sizes that a local header should have, and that only the directory tells: zip4j
/// leaves them out of headers that begin a part, and other programs then refuse the zip.
package struct HeaderRepair: Hashable, Sendable {
  /// Of the three fields; see APPNOTE 4.3.7.
  let position: Int64
  let bytes: [UInt8]

  /// Nil where nothing is missing, or where it would not fit.
  init?(_ record: CentralRecord, _ local: LocalHeader, at start: Int64) {
    guard local.lacksSizes, !record.hasDescriptor, record.crc32 != 0 || record.compressedSize != 0,
      let compressed = UInt32(exactly: record.compressedSize), compressed != .max,
      let uncompressed = UInt32(exactly: record.uncompressedSize), uncompressed != .max
    else { return nil }
    position = start + 14
    bytes =
      [UInt8](littleEndian: record.crc32) + [UInt8](littleEndian: compressed)
      + [UInt8](littleEndian: uncompressed)
  }
}

extension ZipArchive {
  /// Looks for the local header of every entry where the directory says that it is, and for the room
  /// that its data needs.
  ///
  /// - Parameter keepsPlaces: whether they are returned, which takes memory for each entry.
  /// - Throws: `.badData` that says which parts are missing bytes, in the wrong order or foreign.
  @discardableResult
  package func requireEntries(keepsPlaces: Bool = false) throws(CleaveError) -> EntryPlaces {
    if case .whole(let shift) = addressing, shift < 0 { throw try hole(-shift, "missing") }
    var found = EntryPlaces()
    var last: EntryPlace?
    var isSorted = true
    var directory = directory
    while let record = try directory.record(in: self) {
      let (place, repair) = try place(of: record)
      if let repair { found.repairs.append(repair) }
      if keepsPlaces { found.places.append(place) }
      if let last, last.start >= place.start {
        isSorted = false
        // Out of order, they can be compared only when all are known.
        if !keepsPlaces { break }
      }
      if isSorted, let last { try requireRoom(last, before: place.start) }
      last = place
    }
    if isSorted {
      if let last { try requireRoom(last, before: directoryStart) }
      return found
    }
    guard keepsPlaces else {
      found.repairs = try requireEntries(keepsPlaces: true).repairs
      return found
    }
    found.places.sort { $0.start < $1.start }
    found.repairs.sort { $0.position < $1.position }
    for (place, next) in zip(found.places, found.places.dropFirst().map(\.start) + [directoryStart])
    {
      try requireRoom(place, before: next)
    }
    return found
  }

  private func place(
    of record: CentralRecord
  ) throws(CleaveError) -> (EntryPlace, HeaderRepair?) {
    guard let position = position(of: record) else { throw outside(record) }
    guard let local = try LocalHeader(bytes, at: position, named: record.nameBytes) else {
      throw try misplaced(record, at: position)
    }
    do throws(ZipFault) {
      return (
        try EntryPlace(record, local, at: position), HeaderRepair(record, local, at: position)
      )
    } catch {
      throw describe(error)
    }
  }

  /// Data must end before what comes next. In a split zip it does not where a part is too short,
  /// because offsets count anew in each part.
  private func requireRoom(_ place: EntryPlace, before next: Int64) throws(CleaveError) {
    guard place.end > next else { return }
    let parts = (bytes.layout.part(at: place.start), bytes.layout.part(at: next))
    guard addressing == .disks, parts.0 < parts.1 else {
      throw CleaveError(
        .badData,
        bytes.layout.path(at: place.start),
        "entries of the zip overlap at \(next - bytes.layout.starts[parts.1])"
      )
    }
    throw missing(place.end - next, between: parts.0, and: parts.1)
  }

  // MARK: Saying what is wrong

  /// The error for a fault, with the part that it shows in.
  func describe(_ fault: ZipFault) -> CleaveError {
    Self.describe(fault, bytes.layout.paths[bytes.layout.parts - 1])
  }

  package static func describe(_ fault: ZipFault, _ path: FilePath) -> CleaveError {
    switch fault {
    case .reading(let error): error
    case .noEnd:
      CleaveError(.badData, path, "is damaged: it does not end with the end record of a zip")
    case .isDisk(let disk):
      CleaveError(.badData, path, "is part \(Int64(disk) + 1) of a split zip, not a whole one")
    case .wrongDisk(let disk):
      CleaveError(.badData, path, "is part \(Int64(disk) + 1) of its zip, by its end record")
    case .encryptedDirectory:
      CleaveError(
        .badData,
        path,
        "the zip's central directory is encrypted, which only the program that made it can read"
      )
    case .noDirectory:
      CleaveError(
        .badData,
        path,
        "the zip's central directory is not where its end record says: a part is damaged, missing "
          + "or does not belong"
      )
    case .contradiction(let text): CleaveError(.badData, path, "is damaged: \(text)")
    }
  }

  private func missing(_ count: Int64, between first: Int, and second: Int) -> CleaveError {
    let bytesText = count == 1 ? "1 byte is" : "\(count) bytes are"
    let paths = bytes.layout.paths
    return CleaveError(
      .badData,
      paths[first],
      "is too short: \(bytesText) missing between its start and the start of "
        + "\(paths[second].lastComponent)"
    )
  }

  /// Says between which parts bytes are missing, or too many, when the end of the zip is known to be
  /// shifted: from where on entries are shifted, too.
  private func hole(_ count: Int64, _ what: String) throws(CleaveError) -> CleaveError {
    var last: Int64 = 0
    var next = directoryStart
    var directory = directory
    while let record = try directory.record(in: self) {
      guard let told = Int64(exactly: record.offset) else { continue }
      if try LocalHeader(bytes, at: told, named: record.nameBytes) != nil {
        last = max(last, told)
      } else if let place = position(of: record),
        try LocalHeader(bytes, at: place, named: record.nameBytes) != nil
      {
        next = min(next, place)
      }
    }
    let (from, to) = (bytes.layout.part(at: last), bytes.layout.part(at: max(last, next)))
    let paths = bytes.layout.paths
    let place = from == to ? "in it" : "from it to \(paths[to].lastComponent)"
    let amount = count == 1 ? "1 byte is" : "\(count) bytes are"
    return CleaveError(
      .badData,
      paths[from],
      "the parts do not make a whole zip: \(amount) \(what) \(place)"
    )
  }

  private func outside(_ record: CentralRecord) -> CleaveError {
    if addressing == .disks, record.disk < bytes.layout.parts {
      let part = Int(record.disk)
      return CleaveError(
        .badData,
        bytes.layout.paths[part],
        "is too short: '\(record.name)' should begin at \(record.offset) in it"
      )
    }
    return describe(.contradiction("'\(record.name)' should begin outside of the zip"))
  }

  /// The header of an entry is not where it should be: says whether it is in another part.
  private func misplaced(
    _ record: CentralRecord,
    at position: Int64
  ) throws(CleaveError) -> CleaveError {
    if case .whole(let shift) = addressing, shift > 0, let told = Int64(exactly: record.offset),
      try LocalHeader(bytes, at: told, named: record.nameBytes) != nil
    {
      return try hole(shift, "too many")
    }
    let layout = bytes.layout
    let part = layout.part(at: position)
    let offset = position - layout.starts[part]
    for other in 0..<layout.parts where other != part && layout.range(other).count > offset {
      let place = layout.starts[other] + offset
      if try LocalHeader(bytes, at: place, named: record.nameBytes) != nil {
        return CleaveError(
          .badData,
          layout.paths[part],
          "the parts are in the wrong order: what belongs here is in "
            + "\(layout.paths[other].lastComponent)"
        )
      }
    }
    let whose = layout.parts == 1 ? "is damaged" : "does not belong to the others, or is damaged"
    return CleaveError(
      .badData,
      layout.paths[part],
      "\(whose): '\(record.name)' should begin at \(offset) in it"
    )
  }
}

extension CentralDirectory {
  /// The next record, with faults in words.
  mutating func record(in archive: ZipArchive) throws(CleaveError) -> CentralRecord? {
    do { return try next() } catch { throw archive.describe(error) }
  }
}
