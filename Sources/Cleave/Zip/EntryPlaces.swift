/// What a look at all entries of a zip brought.
package struct EntryPlaces {
  /// By position, if they were asked for.
  var places: [EntryPlace] = []
  /// What local headers lack, by position.
  package fileprivate(set) var repairs: [HeaderRepair] = []
  var notes = ZipNotes()
}

extension ZipArchive {
  /// Does what ``requireEntries(keepsPlaces:)`` does, and notes what is unusual about the entries.
  ///
  /// - Returns: what local headers lack, by position.
  @discardableResult
  mutating func examineEntries() throws(CleaveError) -> [HeaderRepair] {
    let found = try requireEntries()
    notes.add(found.notes)
    return found.repairs
  }

  /// Looks for the local header of every entry where the directory says that it is, and accounts for
  /// every byte from there to what comes next.
  ///
  /// - Parameter keepsPlaces: whether they are returned, which takes memory for each entry.
  /// - Throws: `.badData` that says which parts are too short or too long, in the wrong order or
  ///   foreign.
  @discardableResult
  package func requireEntries(keepsPlaces: Bool = false) throws(CleaveError) -> EntryPlaces {
    if case .whole(let shift) = addressing, shift < 0 { throw try hole(shift) }
    var found = EntryPlaces()
    // So many records have been read.
    if keepsPlaces { found.places.reserveCapacity(Int(clamping: summary.entries)) }
    var last: EntryPlace?
    var front = directoryStart
    var isSorted = true
    // What is wrong with the parts, unless the directory is in another order than they are.
    var fault: CleaveError?
    var unproved = UnprovedParts(self)
    var directory = directory
    while true {
      let place: EntryPlace
      do throws(CleaveError) {
        let start = directory.position
        guard let record = try directory.record(in: self) else { break }
        let local: LocalHeader
        (place, local) = try self.place(of: record, &found)
        unproved.add(start..<directory.position, local, at: place.start)
      } catch {
        throw fault ?? error
      }
      if keepsPlaces { found.places.append(place) }
      if let last, last.start >= place.start {
        isSorted = false
        // Out of order, they can be compared only when all are known.
        if !keepsPlaces { break }
      }
      if isSorted, fault == nil, let last {
        do throws(CleaveError) {
          try account(for: last, before: place.start, &found.notes)
        } catch {
          fault = error
        }
      }
      front = min(front, place.start)
      last = place
    }
    if isSorted {
      if let fault { throw fault }
      if let last { try account(for: last, before: directoryStart, &found.notes) }
      try requireFront(front)
      found.notes.bytesInFront = front - (try markerLength())
      found.notes.unproved = unproved.found(isSorted: true)
      return found
    }
    guard keepsPlaces else {
      found = try requireEntries(keepsPlaces: true)
      found.places = []
      return found
    }
    found.places.sort { $0.start < $1.start }
    found.repairs.sort { $0.position < $1.position }
    found.notes.gaps = 0
    found.notes.bytesBetween = 0
    try requireFront(front)
    found.notes.bytesInFront = front - (try markerLength())
    found.notes.unproved = unproved.found(isSorted: false)
    for index in found.places.indices {
      let isLast = index + 1 == found.places.count
      let next = isLast ? directoryStart : found.places[index + 1].start
      try account(for: found.places[index], before: next, &found.notes)
    }
    return found
  }

  /// What offsets count in front of the first entry, which is a program, is all that may be there in parts: with more of
  /// it, one of them is too long or too many.
  private func requireFront(_ front: Int64) throws(CleaveError) {
    guard case .whole(let shift) = addressing, shift > 0, front - shift > 4, bytes.layout.parts > 1
    else { return }
    throw Self.wrongSize(bytes.layout, 0...bytes.layout.part(at: front), shift)
  }

  /// Bytes at the front that offsets count, and that only tell that a zip is split.
  private func markerLength() throws(CleaveError) -> Int64 {
    if case .whole(let shift) = addressing, shift != 0 { return 0 }
    return try startsWithMarker() ? 4 : 0
  }

  private func place(
    of record: CentralRecord,
    _ found: inout EntryPlaces
  ) throws(CleaveError) -> (EntryPlace, LocalHeader) {
    guard let position = position(of: record) else { throw outside(record) }
    guard let local = try LocalHeader(bytes, at: position, of: record) else {
      throw try misplaced(record, at: position)
    }
    if !local.hasNameLike(record) {
      found.notes.otherNames += 1
    } else if !local.hasDirectoryName {
      found.notes.differingNames += 1
    }
    let hasExtras = try local.hasWholeExtras(of: record, in: bytes, at: position)
    if record.hasBrokenExtra || !hasExtras { found.notes.brokenExtras += 1 }
    if let repair = HeaderRepair(record, local, at: position) { found.repairs.append(repair) }
    var place: EntryPlace
    do throws(ZipFault) {
      place = try EntryPlace(record, local, at: position)
    } catch {
      throw describe(error)
    }
    if record.hasDescriptor, !local.hasDescriptor, local.lacksSizes {
      // Nothing that reads it from its front finds its end.
      found.notes.differingSums += 1
    } else if local.hasDescriptor || record.hasDescriptor {
      let differs = try place.findDescriptor(of: record, in: bytes)
      // One that only one of the headers promises, and that is not there.
      let isMissing =
        local.hasDescriptor != record.hasDescriptor && place.descriptorLength == 0
        && record.compressedSize > 0
      if differs || isMissing || local.differs(from: record) { found.notes.differingSums += 1 }
    }
    return (place, local)
  }

  /// An entry must end where the next header begins, or the directory.
  ///
  /// In a split zip it ends too late where a part is too short, and too early where one is too long,
  /// because offsets count anew in each part. Within one part, writers leave gaps when they delete
  /// entries or align data.
  private func account(
    for place: EntryPlace,
    before next: Int64,
    _ notes: inout ZipNotes
  ) throws(CleaveError) {
    let end = place.end <= next ? min(place.end + Int64(place.descriptorLength), next) : place.end
    let layout = bytes.layout
    let (first, last) = (layout.part(at: place.start), layout.part(at: next))
    if addressing == .disks, first < last {
      try requireSize(place, end, next, first, last)
    } else if end > next {
      throw overlap(place, at: next)
    }
    if end < next { notes.addGap(next - end) }
  }

  /// Parts between two headers must be as long as the entry between them needs.
  private func requireSize(
    _ place: EntryPlace,
    _ end: Int64,
    _ next: Int64,
    _ first: Int,
    _ last: Int
  ) throws(CleaveError) {
    var excess = next - end
    if place.hasDescriptor, place.descriptorLength == 0,
      let length = try DataDescriptor.length(ofData: place.dataCount, in: bytes, endingAt: next)
    {
      excess -= Int64(length)
    }
    if excess == 0 { return }
    if excess > 0, try isHeaderRemains(end..<next) { return }
    if next == directoryStart, excess == directoryShift { throw shiftedDirectory(last) }
    if let own = try ownCount(of: place, before: next), own != place.dataCount {
      throw otherSize(place, own)
    }
    throw wrongSize(excess, first, last)
  }

  /// How many bytes of data an entry has by its local header, or by a descriptor that ends at a
  /// position; nil where neither tells.
  private func ownCount(
    of place: EntryPlace,
    before next: Int64
  ) throws(CleaveError) -> Int64? {
    let head = try bytes.bytes(LocalHeader.fixedLength, at: place.start)
    if let told = head?.uint32(at: 18), told != 0, told != .max { return Int64(told) }
    guard place.hasDescriptor else { return nil }
    for length in [24, 20, 16, 12] {
      let count = next - Int64(length) - place.dataStart
      guard count > 0 else { continue }
      let found = try DataDescriptor.length(ofData: count, in: bytes, endingAt: next)
      if found == length { return count }
    }
    return nil
  }

  /// Whether bytes at the end of a part are the start of the record that begins the next part: zip4j
  /// leaves them where the record did not fit.
  private func isHeaderRemains(_ gap: Range<Int64>) throws(CleaveError) -> Bool {
    let next = gap.upperBound
    guard gap.count <= LocalHeader.fixedLength,
      bytes.layout.starts[bytes.layout.part(at: next)] == next
    else { return false }
    // Behind the time, the header may be without its sum and its sizes.
    let count = min(gap.count, 14)
    guard let remains = try bytes.bytes(count, at: gap.lowerBound),
      let header = try bytes.bytes(count, at: next)
    else { return false }
    return remains == header
  }
}

extension CentralDirectory {
  /// The next record, with faults in words.
  mutating func record(in archive: ZipArchive) throws(CleaveError) -> CentralRecord? {
    do { return try next() } catch { throw archive.describe(error) }
  }
}
