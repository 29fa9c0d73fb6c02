/// What programs do when they write split archives, and the specification does not say.
package struct ZipQuirks: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// zip 3.0: where a record did not fit, what points at it names the end of the part before, and
  /// it is counted there.
  package static let pointersNamePartEnds = ZipQuirks(rawValue: 1 << 0)
  /// zip 3.0: the end records did not fit, are alone in the last part, and count one part too few.
  package static let endRecordsAlone = ZipQuirks(rawValue: 1 << 1)
  /// zip 3.0 with `-fz`: all ones for the directory's offset, although nothing else tells it.
  package static let directoryOffsetMissing = ZipQuirks(rawValue: 1 << 2)
  /// minizip-ng: every record but the end records is cut where the part is full.
  package static let cutsEveryRecord = ZipQuirks(rawValue: 1 << 3)
  /// commons-compress: the same for the records of the directory.
  package static let cutsCentralRecords = ZipQuirks(rawValue: 1 << 4)
  /// zip4j: entries of the last part are those that start there, not those whose record does.
  package static let countsEntriesForRecords = ZipQuirks(rawValue: 1 << 5)
  /// zip4j: a local header that did not fit leaves its first 26 bytes behind.
  package static let leavesHeaderRemains = ZipQuirks(rawValue: 1 << 6)
  /// zip4j: a local header that did not fit has neither checksum nor sizes.
  package static let forgetsSizes = ZipQuirks(rawValue: 1 << 7)
  /// PKZIP: nobody can read the directory without the password, and the ZIP64 end record says so.
  package static let encryptsDirectory = ZipQuirks(rawValue: 1 << 8)
}

/// The four bytes in front of a split archive.
package enum ZipMarker: Sendable {
  /// `PK\7\8`.
  case spanned
  /// `PK00`, of an archive that might have been split and was not.
  case temporary
  case none

  package var bytes: [UInt8] {
    switch self {
    case .spanned: [UInt8](zipSignature: 7, 8)
    case .temporary: Array("PK00".utf8)
    case .none: []
    }
  }
}

/// What is written in the form for large archives, although none is large.
package enum Zip64Use: Sendable {
  case none
  /// A record and its locator at the end, beside an ordinary end record that says the same.
  case endRecords
  /// Also sizes and offsets of entries, with all ones wherever they would be else.
  case everything
  /// Also the number of the part.
  case everythingAndDisks
}
