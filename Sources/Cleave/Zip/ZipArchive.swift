/// The structure of a zip in one or more parts: where its directory is, and what its numbers mean.
package struct ZipArchive: Sendable {
  package let bytes: JoinedBytes
  package let addressing: Addressing
  package let end: EndRecords
  /// Where the first record of the directory begins.
  package let directoryStart: Int64
  /// Where the last one ends.
  package let directoryEnd: Int64
  package let summary: Summary
  /// Bytes between the directory and the end records, such as a digital signature: what is made of a split zip
  /// has another directory, and not these.
  package var bytesLeftOut: Int64 { max(0, end.position - directoryEnd) }
  /// By how many bytes the directory of a split zip is behind where the end record says; 0 where that
  /// is not told.
  private(set) var directoryShift: Int64 = 0
  /// What is unusual about it and does no harm; of the entries once they have been examined.
  package internal(set) var notes = ZipNotes()

  /// What the numbers in the headers count from.
  package enum Addressing: Hashable, Sendable {
    /// Each part is a disk, and offsets count from its start.
    case disks
    /// Offsets count from the start of all parts together, or from so many bytes behind it. Behind a
    /// negative number, so many bytes are missing.
    case whole(shift: Int64)
  }

  /// Bytes in front that its offsets do not count.
  var uncounted: Int64 {
    if case .whole(let shift) = addressing { max(0, shift) } else { 0 }
  }

  /// What is told of a zip without reading its entries.
  package struct Summary: Hashable, Sendable {
    package var entries: Int64 = 0
    package var encrypted: Int64 = 0
    package var usesAES = false
    package var usesZIP64 = false
    /// "Version made by" of all entries: the system in the upper byte, the version in the lower.
    package var makers: Set<UInt16> = []
    package var methods: Set<UInt16> = []
    /// Bytes of all entries.
    package var compressed: UInt64 = 0
    package var uncompressed: UInt64 = 0

    fileprivate mutating func add(_ record: CentralRecord) {
      entries += 1
      if record.isEncrypted { encrypted += 1 }
      usesAES = usesAES || record.usesAES
      usesZIP64 = usesZIP64 || record.usesZIP64
      makers.insert(record.versionMadeBy)
      methods.insert(record.method)
      compressed = compressed.addingReportingOverflow(record.compressedSize).partialValue
      uncompressed = uncompressed.addingReportingOverflow(record.uncompressedSize).partialValue
    }
  }

  /// The form in which a zip lies in its parts.
  package enum Form: Sendable {
    /// Cut anywhere, or not at all.
    case whole
    /// A split zip, each part a disk.
    case split
  }

  /// Finds the end records and the directory, and reads through the directory once.
  package init(_ bytes: JoinedBytes, as form: Form) throws(ZipFault) {
    try self.init(bytes, as: form, before: .nothing)
  }

  /// - Parameter behind: what may be behind the end records.
  /// - Throws: a ``ZipFault`` of the last place that looked like an end, or of one of a split zip.
  init(
    _ bytes: JoinedBytes,
    as form: Form,
    before behind: EndRecords.Behind
  ) throws(ZipFault) {
    var fault = ZipFault.noEnd
    for position in try EndRecords.candidates(in: bytes, before: behind) {
      do throws(ZipFault) {
        self = try ZipArchive(bytes, as: form, endAt: position)
        return
      } catch {
        if case .reading = error { throw error }
        // A comment may hold what looks like an end record. If none of them is one, the fault of
        // the last in the file is told: there programs look first. What a disk of a split zip ends with
        // tells more.
        if fault == .noEnd || error.isOfDisk && !fault.isOfDisk { fault = error }
      }
    }
    throw fault
  }

  /// The same, also where something is behind the end records that belongs to the last part.
  package init(endingIn bytes: JoinedBytes, as form: Form) throws(ZipFault) {
    do throws(ZipFault) {
      try self.init(bytes, as: form, before: .nothing)
    } catch {
      if error != .noEnd { throw error }
      try self.init(bytes, as: form, before: .something)
      guard bytesBehindAreIts else { throw .noEnd }
    }
  }

  private init(_ bytes: JoinedBytes, as form: Form, endAt: Int64) throws(ZipFault) {
    let layout = bytes.layout
    let end = try EndRecords(in: bytes, at: endAt) { disk, offset in
      form == .split ? layout.position(disk: disk, offset: offset) : Int64(exactly: offset)
    }
    self.bytes = bytes
    self.end = end
    switch form {
    case .split: try Self.requireLastDisk(end, layout)
    case .whole: if end.values.disk > 0 { throw .isDisk(end.values.disk) }
    }
    let told =
      form == .split
      ? layout.position(disk: end.values.directoryDisk, offset: end.values.offset)
      : Int64(exactly: end.values.offset)
    let before = Int64(exactly: end.values.size).map { end.position - $0 }
    var found = try Self.directory(bytes, end, at: told)
    if found == nil { found = try Self.directory(bytes, end, at: before) }
    guard let found else {
      if try Self.isEncrypted(bytes, end, told) { throw .encryptedDirectory }
      throw .noDirectory(excess: form == .whole ? Self.excess(end) : 0)
    }
    (directoryStart, directoryEnd, summary) = found
    switch form {
    case .split:
      addressing = .disks
      directoryShift = found.start - (told ?? found.start)
    case .whole: addressing = .whole(shift: found.start - (told ?? found.start))
    }
    notes.bytesBehind = bytes.count - end.upperBound
    try requireFront()
    if form == .whole { try requireOrder(told) }
  }

  /// By how many bytes the end record is too far behind, by what it tells itself.
  private static func excess(_ end: EndRecords) -> Int64 {
    let (sum, overflow) = end.values.offset.addingReportingOverflow(end.values.size)
    return overflow ? 0 : end.position - Int64(clamping: sum)
  }

  /// Where there are no entries, nothing but a marker may be in front of the end records: a program that sees
  /// only them would take all the rest for gone.
  private func requireFront() throws(ZipFault) {
    guard summary.entries == 0, end.position > 0 else { return }
    guard directoryStart == 4, end.position == 4, end.values.size == 0 else {
      throw .contradiction("it has no entries by its end record, and yet something in front of it")
    }
  }

  /// What is read over in a split zip, because it is written anew, is told of a whole one, or refused
  /// where it leaves a doubt where things are.
  private mutating func requireOrder(_ told: Int64?) throws(ZipFault) {
    guard told != nil, end.isZIP64 || end.values.offset != 0xFFFF_FFFF else {
      throw .contradiction("its end record does not tell where the directory is")
    }
    let size = end.position - directoryStart
    // Nearly all other programs look for the directory by its size.
    guard end.values.size == UInt64(size) else {
      throw .directorySize(size, told: end.values.size)
    }
    if case .whole(let shift) = addressing, !end.isLocated(behind: shift) {
      notes.wrongRecords.append("the ZIP64 locator does not say where the ZIP64 end record is")
    }
    if !end.namesOneDisk {
      notes.wrongRecords.append(
        "an end record names another disk than the first, and there is only one"
      )
    }
    if let here = [end.values.entriesHere, end.entriesHere].first(where: {
      $0 != end.values.entries
    }) {
      notes.wrongRecords.append(
        "the end record tells of \(here) entries on its disk, and "
          + "\(end.values.entries) in all"
      )
    }
  }

  /// zip 3.0 is one too low where only the end records have rolled over to the last part.
  private static func requireLastDisk(_ end: EndRecords, _ layout: PartLayout) throws(ZipFault) {
    let disk = Int64(end.values.disk)
    if disk + 1 == layout.parts { return }
    let isRollOver =
      disk + 2 == layout.parts && end.position == layout.range(layout.parts - 1).lowerBound
    guard isRollOver else { throw .wrongDisk(end.values.disk) }
  }

  /// Reads through the directory at `start`; nil where it does not have as many records as the end
  /// record says.
  private static func directory(
    _ bytes: JoinedBytes,
    _ end: EndRecords,
    at start: Int64?
  ) throws(ZipFault) -> (start: Int64, end: Int64, summary: Summary)? {
    guard let start, start >= 0, start <= end.position else { return nil }
    var directory = CentralDirectory(bytes, from: start, to: end.position)
    var summary = Summary()
    let told = end.values.entries
    while UInt64(summary.entries) < told, let record = try directory.next() { summary.add(record) }
    guard UInt64(summary.entries) == told else { return nil }
    if directory.position - start < Int64(clamping: end.values.size) {
      while let record = try directory.next() { summary.add(record) }
      // Without ZIP64 some writers let the number run over.
      let count = end.isZIP64 ? UInt64(summary.entries) : UInt64(summary.entries) & 0xFFFF
      guard count == told else { return nil }
    }
    return (start, directory.position, summary)
  }

  /// Whether the directory is there and cannot be read; see APPNOTE 7.
  private static func isEncrypted(
    _ bytes: JoinedBytes,
    _ end: EndRecords,
    _ told: Int64?
  ) throws(ZipFault) -> Bool {
    // Version 2 of the ZIP64 end record names the algorithm.
    if end.isZIP64, end.endAt >= EndRecords.zip64Length + EndRecords.locatorLength + 28,
      end.bytes.uint16(at: EndRecords.zip64Length + 18) != 0
    {
      return true
    }
    let places = [told, Int64(exactly: end.values.size).map { end.position - $0 }]
    for case let place? in places {
      let read = try ZipFault.reading { () throws(CleaveError) in try bytes.bytes(4, at: place) }
      if let read, read.has(.archiveExtraData, at: 0) { return true }
    }
    // Local headers then hide what they hold.
    let head = try ZipFault.reading { () throws(CleaveError) in try bytes.bytes(12, at: 0) }
    guard let head else { return false }
    let at = head.has(.splitMarker, at: 0) ? 4 : 0
    return head.has(.localHeader, at: at) && at + 8 <= head.count
      && head.uint16(at: at + 6) & 0x2000 != 0
  }
}

extension ZipArchive {
  /// The records of the directory, from the first on.
  var directory: CentralDirectory {
    CentralDirectory(bytes, from: directoryStart, to: directoryEnd)
  }

  /// Where the local header of an entry should be; nil where there can be none.
  func position(of record: CentralRecord) -> Int64? {
    let position: Int64?
    switch addressing {
    case .disks: position = bytes.layout.position(disk: record.disk, offset: record.offset)
    case .whole(let shift):
      guard record.disk == 0 else { return nil }
      position = Int64(exactly: record.offset).flatMap { offset in
        let (sum, overflow) = offset.addingReportingOverflow(shift)
        return overflow ? nil : sum
      }
    }
    guard let position, position >= 0, position < directoryStart else { return nil }
    return position
  }

  /// Whether the first part begins with the marker of a split zip, which no zip in one part needs.
  func startsWithMarker() throws(CleaveError) -> Bool {
    try bytes.bytes(6, at: 0)?.beginsWithMarker ?? false
  }
}
