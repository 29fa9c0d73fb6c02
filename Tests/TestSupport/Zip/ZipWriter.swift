/// Writes a zip as some program does, in one file or in the parts of a split archive.
///
/// Parts may be far smaller than any program makes them, so that tests are quick.
package struct ZipWriter: Sendable {
  package var entries: [ZipEntry]
  package var comment: [UInt8] = []
  /// What stands in front: the program that unpacks the archive.
  package var prefix: [UInt8] = []
  /// Whether offsets are those in the file, and not in the zip behind the prefix.
  package var countsPrefix = true
  package var marker = ZipMarker.spanned
  package var zip64 = Zip64Use.none
  /// The extensible data sector of the ZIP64 end record.
  package var zip64Extension: [UInt8] = []
  package var quirks: ZipQuirks = []
  /// Whether the second record of the directory and the last one are in each other's place.
  package var swapsRecords = false

  package init(_ entries: [ZipEntry], quirks: ZipQuirks = []) {
    self.entries = entries
    self.quirks = quirks
  }

  /// An end record that is none, for a comment or for contents.
  package static let falseEndRecord = [UInt8](zipSignature: 5, 6) + [UInt8](repeating: 0, count: 18)

  /// The whole in one file.
  package func single() throws -> [UInt8] {
    try write(limit: .max, front: prefix).parts[0]
  }

  /// The parts of a split archive. One too small for a record cuts it.
  package func parts(of size: Int) throws -> [[UInt8]] {
    try write(limit: size, front: prefix + marker.bytes).parts
  }

  private func write(limit: Int, front: [UInt8]) throws -> ZipVolumes {
    var volumes = ZipVolumes(limit: limit)
    volumes.append(front)
    var placed: [(records: ZipRecords, position: ZipVolumes.Position)] = []
    for entry in entries {
      let records = ZipRecords(entry: entry, packed: try entry.packed(), zip64: zip64)
      placed.append((records, writeEntry(records, to: &volumes)))
    }
    var central = placed.map { $0.records.centralRecord($0.position) }
    if swapsRecords { central.swapAt(1, central.count - 1) }
    if quirks.contains(.encryptsDirectory) { central = central.map { $0.map { $0 ^ 0x55 } } }
    var end = writeDirectory(central, to: &volumes)
    end.isSplit = limit < .max
    if quirks.contains(.countsEntriesForRecords) {
      end.entriesHere = placed.count { $0.position.disk == volumes.position.disk }
    }
    writeEnd(&end, to: &volumes)
    return volumes
  }

  // MARK: - Entries

  private func writeEntry(
    _ records: ZipRecords,
    to volumes: inout ZipVolumes
  ) -> ZipVolumes.Position {
    volumes.append(records.entry.gap)
    var header = records.localHeader(isForgetful: false)
    let before = volumes.position
    if !quirks.contains(.cutsEveryRecord) {
      let remains = quirks.contains(.leavesHeaderRemains) ? Array(header.prefix(26)) : []
      let didNotFit = volumes.makeRoom(for: header, leaving: remains)
      if didNotFit && quirks.contains(.forgetsSizes) {
        header = records.localHeader(isForgetful: true)
      }
    }
    let position = pointer(before, volumes.position)
    volumes.append(header)
    volumes.append(records.packed)
    if !quirks.contains(.cutsEveryRecord) { volumes.makeRoom(for: records.descriptor) }
    volumes.append(records.descriptor)
    return position
  }

  /// What points at a record: where the writer was when it began, or where the record is.
  private func pointer(
    _ before: ZipVolumes.Position,
    _ after: ZipVolumes.Position
  ) -> ZipVolumes.Position {
    var position = quirks.contains(.pointersNamePartEnds) ? before : after
    if !countsPrefix && position.disk == 0 { position.offset -= prefix.count }
    return position
  }

  // MARK: - The directory and the end

  private func writeDirectory(
    _ records: [[UInt8]],
    to volumes: inout ZipVolumes
  ) -> ZipEndRecords {
    let mayCut = !quirks.isDisjoint(with: [.cutsCentralRecords, .cutsEveryRecord])
    var positions: [ZipVolumes.Position] = []
    for record in records {
      let before = volumes.position
      if !mayCut { volumes.makeRoom(for: record) }
      positions.append(pointer(before, volumes.position))
      volumes.append(record)
    }
    let start = positions.first ?? pointer(volumes.position, volumes.position)
    var end = ZipEndRecords()
    end.directoryDisk = start.disk
    end.directoryOffset = start.offset
    end.directorySize = records.reduce(0) { $0 + $1.count }
    end.entries = records.count
    end.entriesHere = positions.count { $0.disk == volumes.position.disk }
    return end
  }

  private func writeEnd(_ end: inout ZipEndRecords, to volumes: inout ZipVolumes) {
    end.zip64 = zip64
    end.zip64Extension = zip64Extension
    if quirks.contains(.encryptsDirectory) { end.useEncryption() }
    end.comment = comment
    end.hidesOffset = quirks.contains(.directoryOffsetMissing)
    let before = volumes.position
    if quirks.contains(.endRecordsAlone) {
      volumes.startPart()
      end.thisDisk = before.disk
      end.largeRecord = before
    } else {
      // Of no record is it known by now which part it is for, but its length is.
      if volumes.makeRoom(for: end.bytes) { end.entriesHere = 0 }
      end.thisDisk = volumes.position.disk
      end.largeRecord = pointer(before, volumes.position)
    }
    volumes.append(end.bytes)
  }
}
