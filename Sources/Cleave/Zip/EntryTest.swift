import Posix

/// What came of testing one entry of a zip.
package enum EntryFinding: Hashable, Sendable {
  /// Its data gives the size and the CRC-32 that the directory tells.
  case fine
  /// It could not be read back; the reason.
  case notTested(String)
  /// What is wrong; the end of a sentence that begins with the entry's name.
  case bad(String)
}

/// Reads entries back as an unpacker would, one at a time, and keeps nothing of them.
final class EntryTest {
  private let archive: ZipArchive
  private let inflater: Inflater
  private let buffer: UnsafeMutableRawBufferPointer
  private let isCancelled: () -> Bool
  private let progress: WorkProgress
  /// Where the entry tested last lies, from its local header on; where its data does not inflate, only
  /// up to where that shows. Of two headers that contradict each other, the wrong one, as far as
  /// the data tells.
  private(set) var place: Range<Int64> = 0..<0
  /// Whether what is wrong with it is there, and may not be in the other header.
  private(set) var isPlaced = true
  /// Of what was unpacked last.
  private var sum = Checksum.empty

  /// Bytes read at a time; they stay in the processor's cache until they have been used.
  private static let pieceSize = 128 << 10

  init(
    _ archive: ZipArchive,
    isCancelled: @escaping () -> Bool,
    progress: WorkProgress
  ) throws(CleaveError) {
    self.archive = archive
    self.isCancelled = isCancelled
    self.progress = progress
    inflater = try Inflater()
    buffer = .allocate(byteCount: Self.pieceSize, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Tests one entry.
  ///
  /// - Parameters:
  ///   - recordPlace: where its record is in the directory.
  ///   - readsData: whether its data is read, and not only its headers compared.
  /// - Throws: what has nothing to do with the zip, such as a failing device.
  func run(
    _ record: CentralRecord,
    at recordPlace: Range<Int64>,
    readsData: Bool
  ) throws(CleaveError) -> EntryFinding {
    isPlaced = true
    guard let position = archive.position(of: record) else {
      place = archive.directoryStart..<archive.directoryStart
      return .bad("should begin outside of the zip")
    }
    place = position..<position
    guard let local = try LocalHeader(archive.bytes, at: position, of: record) else {
      return .bad("has no local header where the directory says")
    }
    if let text = Self.difference(local, record, isRolledOver: archive.addressing == .disks) {
      try blame(local, record, at: position, recordPlace, readsData: readsData)
      return .bad(text)
    }
    if archive.addressing != .disks, HeaderRepair(record, local, at: position) != nil {
      return .bad("has neither sum nor sizes in its local header")
    }
    guard var place = try? EntryPlace(record, local, at: position),
      place.end <= archive.directoryStart
    else { return .bad("has more data than there is") }
    self.place = position..<place.end
    // Of data that is not unpacked here, only this tells whether it is what the directory is about.
    if record.isEncrypted, record.method != Self.aes, local.hasDescriptor || record.hasDescriptor,
      try place.findDescriptor(of: record, in: archive.bytes)
        || local.differs(from: record)
    {
      isPlaced = false
      return .bad(
        "is encrypted, and has another CRC-32 or size beside its data than in the directory"
      )
    }
    guard readsData else { return .fine }
    let finding = try test(place.dataStart..<place.end, of: record)
    if case .bad = finding, local.hasDescriptor, try holdsSum(at: place.end) {
      self.place = recordPlace
    }
    return finding
  }

  private func test(
    _ data: Range<Int64>,
    of record: CentralRecord
  ) throws(CleaveError) -> EntryFinding {
    if record.isEncrypted { return .notTested("is encrypted") }
    if record.versionNeeded > Self.newestVersion {
      let (major, minor) = record.versionNeeded.quotientAndRemainder(dividingBy: 10)
      return .notTested("asks for version \(major).\(minor) of the format to be unpacked")
    }
    switch record.method {
    case 0: return try test(data, stored: record)
    // Some programs call directories deflated.
    case 8 where record.compressedSize == 0 && record.uncompressedSize == 0 && record.crc32 == 0:
      return .fine
    case 8: return try test(data, deflated: record)
    default: return .notTested("is compressed by \(ZipMethod.name(record.method))")
    }
  }

  // MARK: Which header is wrong

  /// Finds out which of two headers that contradict each other the data contradicts, too.
  private func blame(
    _ local: LocalHeader,
    _ record: CentralRecord,
    at position: Int64,
    _ recordPlace: Range<Int64>,
    readsData: Bool
  ) throws(CleaveError) {
    isPlaced = false
    guard readsData, local.method == record.method,
      UInt64(local.compressedSize) == record.compressedSize,
      let place = try? EntryPlace(record, local, at: position), place.end <= archive.directoryStart
    else { return }
    let finding = try test(place.dataStart..<place.end, of: record)
    if case .notTested = finding { return }
    let fitsLocal =
      sum.crc32 == local.crc32 && UInt64(sum.count) == UInt64(local.uncompressedSize)
    isPlaced = fitsLocal != (finding == .fine)
    if isPlaced { self.place = fitsLocal ? recordPlace : position..<place.dataStart }
  }

  /// Whether the descriptor at a position tells the CRC-32 of what was unpacked last.
  private func holdsSum(at position: Int64) throws(CleaveError) -> Bool {
    guard let found = try archive.bytes.bytes(8, at: position) else { return false }
    return found.uint32(at: found.has(.splitMarker, at: 0) ? 4 : 0) == sum.crc32
  }

  /// The method of what WinZip encrypts, which may leave the CRC-32 out.
  private static let aes: UInt16 = 99
  /// The newest version of the format, in tenths; see APPNOTE 4.4.3.
  private static let newestVersion: UInt8 = 63
  /// The general purpose flags that both headers have alike: all but those of a descriptor and of the name's encoding,
  /// and of how hard Deflate tried, which nothing else has; see APPNOTE 4.4.4.
  private static func sameFlags(_ method: UInt16) -> UInt16 {
    [8, 9].contains(method) ? ~0x080E : ~0x0808
  }

  /// What local header and directory say differently. Sums and sizes stand behind the data where a
  /// descriptor does, and some writers leave them out of a header that rolled over to a new part.
  private static func difference(
    _ local: LocalHeader,
    _ record: CentralRecord,
    isRolledOver: Bool
  ) -> String? {
    if local.method != record.method, !record.isEncrypted {
      return "has method \(local.method) by its local header, \(record.method) by the directory"
    }
    if (local.flags ^ record.flags) & 1 != 0 {
      return "is encrypted by one of its two headers only"
    }
    if (local.flags ^ record.flags) & Self.sameFlags(record.method) != 0 {
      return "has flags \(String(local.flags, radix: 16)) by its local header, "
        + "\(String(record.flags, radix: 16)) by the directory"
    }
    if record.hasDescriptor, local.lacksSizes, !isRolledOver, record.crc32 != 0 {
      return "has neither sum nor sizes in its local header, and a descriptor by the directory only"
    }
    if local.hasDescriptor || local.lacksSizes { return nil }
    if local.crc32 != record.crc32 {
      return "has CRC-32 \(Checksum.hexadecimal(local.crc32)) by its local header, "
        + "\(Checksum.hexadecimal(record.crc32)) by the directory"
    }
    let sizes = [
      (local.compressedSize, record.compressedSize),
      (local.uncompressedSize, record.uncompressedSize),
    ]
    for (local, central) in sizes where local != .max && UInt64(local) != central {
      return "has \(local) bytes by its local header, \(central) by the directory"
    }
    return nil
  }

  // MARK: Data

  private func test(
    _ range: Range<Int64>,
    stored record: CentralRecord
  ) throws(CleaveError) -> EntryFinding {
    sum = .empty
    try read(range) { piece in
      sum.update(piece, .crc32)
      return true
    }
    return Self.finding(sum, record)
  }

  private func test(
    _ range: Range<Int64>,
    deflated record: CentralRecord
  ) throws(CleaveError) -> EntryFinding {
    inflater.reset()
    sum = .empty
    var taken: Int64 = 0
    var finding: EntryFinding?
    var hasEnded = false
    try read(range) { piece in
      let outcome = inflater.inflate(piece) { sum.update($0, .crc32) }
      switch outcome {
      case .needsMore: taken += Int64(piece.count)
      case .ended(let count):
        taken += Int64(count)
        hasEnded = true
      case .damaged:
        finding = .bad("has damaged data")
        place = place.lowerBound..<(range.lowerBound + taken + Int64(piece.count))
      }
      // What inflates to more than it should need not be followed to its end.
      return finding == nil && !hasEnded && UInt64(sum.count) <= record.uncompressedSize
    }
    if let finding { return finding }
    let differs = Self.finding(sum, record)
    if differs != .fine { return differs }
    if !hasEnded { return .bad("has data without an end") }
    let left = Int64(range.count) - taken
    return left == 0 ? .fine : .bad("has \(left) bytes behind the end of its data")
  }

  private static func finding(_ sum: Checksum, _ record: CentralRecord) -> EntryFinding {
    if UInt64(sum.count) != record.uncompressedSize {
      let most =
        UInt64(sum.count) > record.uncompressedSize ? "more than" : "\(sum.count) bytes, not"
      return .bad("has \(most) \(record.uncompressedSize) bytes when unpacked")
    }
    if sum.crc32 != record.crc32 {
      return .bad("has CRC-32 \(sum.crc32Text), not \(Checksum.hexadecimal(record.crc32))")
    }
    return .fine
  }

  /// Reads a range piece by piece, for as long as `body` wants more.
  private func read(
    _ range: Range<Int64>,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(CleaveError) {
    var position = range.lowerBound
    while position < range.upperBound {
      if isCancelled() { throw .cancelled }
      let count = Int(min(Int64(buffer.count), range.upperBound - position))
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      archive.bytes.willRead(to: position)
      try archive.bytes.read(into: piece, at: position)
      progress.add(count)
      position += Int64(count)
      guard body(UnsafeRawBufferPointer(piece)) else {
        progress.add(Int(range.upperBound - position))
        return
      }
    }
  }
}

/// The names of compression methods; see APPNOTE 4.4.5.
package enum ZipMethod {
  package static func name(_ method: UInt16) -> String {
    switch method {
    case 0: "stored"
    case 1: "Shrink"
    case 2...5: "Reduce"
    case 6: "Implode"
    case 8: "Deflate"
    case 9: "Deflate64"
    case 12: "BZIP2"
    case 14: "LZMA"
    case 93: "Zstandard"
    case 94: "MP3"
    case 95: "XZ"
    case 96: "JPEG"
    case 97: "WavPack"
    case 98: "PPMd"
    case 99: "AES encryption"
    default: "method \(method)"
    }
  }
}
