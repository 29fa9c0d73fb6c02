import Posix

/// A kind of file that is known by its first bytes: a row of ``table``, the only list of magic numbers.
struct FileFormat: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case ace, age, aiff, ape, arj, arrow, asf, au, avro, binlog, blender, bmp, bzip2, cab, caf
    case compress, dar, dds, deb, dicom, diskImage, djvu, dpx, dsd, dwg, elf, enCase, enCase2
    case eventLog, fat, fits, flac, flash, flv, gguf, gif, gimp, grib, gzip, hacha, hdf5, id3, iso
    case journal, jpeg, jpeg2000, jpegXL, ktx, las, luks, lz4, lzip, machO, matlab, matroska, midi
    case mobi, mp4, mxf, netCDF, nifti, ntfs, numpy, ogg, ole, openEXR, openssl, orc, outlook
    case parquet, pcap, pcapNG, pdf, pgp, photoshop, png, postgres, postscript, program, pyTorch
    case qcow2, rar4, rar5, realMedia, registry, riff, rpm, rtf, safetensors, script, sevenZip
    case sparseImage, splitZip, sqlite, squashfs, tar, tiff, universal, vdi, vhd, vhdx, vmdk, wasm
    case wim, xar, xz, zip, zstd
  }

  /// What files of the kind are, put one behind the other.
  enum Joining: Sendable {
    /// No file of the kind: a reader stops behind the first, or finds the others in the way.
    case never
    /// A file of the kind, with the contents of all: what reads it goes on behind the first.
    case asStream
    /// Nothing is known to be wrong with that.
    case freely
  }

  /// Bytes at an offset, which all files of the kind have there.
  struct Magic: Sendable {
    /// Of less than 0, from the end.
    let offset: Int
    let bytes: [UInt8]

    init(_ bytes: [UInt8], at offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

    init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

    func matches(_ head: [UInt8]) -> Bool {
      offset >= 0 && head.dropFirst(offset).starts(with: bytes)
    }

    /// Whether the first bytes of a file do not reach so far.
    var isDistant: Bool { !(0..<headSize).contains(offset) }
  }

  let kind: Kind
  /// With its article.
  let name: String
  /// Any of them will do.
  let magics: [Magic]
  /// The ends of names, in lower case, of which the content always begins so. Of pictures, films and
  /// models it may be encrypted.
  var endings: [String] = []
  var joining = Joining.never
  /// What puts several files of the kind together, as a clause.
  var tool: String?

  /// So many first bytes of a file are enough for every row.
  static let headSize = 1024

  /// The kind of a file.
  ///
  /// - Parameters:
  ///   - head: its first bytes, ``headSize`` of them where there are so many.
  ///   - size: all its bytes.
  static func of(_ head: [UInt8], size: Int64) -> FileFormat? {
    table.first { row in
      row.begins(head) && (row.kind.mayBeText || !head.isText)
        && row.kind.isPlausible(head, size)
    }
  }

  /// Kinds that the first bytes do not tell.
  static let distant = table.filter { $0.magics.contains(where: \.isDistant) }

  /// The kind that the end of a name promises.
  static func promised(by path: FilePath) -> FileFormat? {
    table.first { row in row.endings.contains(where: path.endsFolded) }
  }

  /// Ends of names, in lower case, of which the content often begins so.
  var usualEndings: [String] {
    switch kind {
    case .mp4: [".mp4", ".m4v", ".m4a", ".m4b", ".mov", ".3gp", ".3g2"]
    case .matroska: [".mkv", ".mka", ".mk3d", ".webm"]
    case .riff: [".avi", ".wav", ".webp"]
    case .asf: [".wmv", ".wma", ".asf"]
    case .flv: [".flv"]
    case .flac: [".flac"]
    case .ogg: [".ogg", ".oga", ".ogv", ".opus"]
    case .pdf: [".pdf"]
    case .png: [".png"]
    case .jpeg: [".jpg", ".jpeg"]
    case .gif: [".gif"]
    case .tiff: [".tif", ".tiff"]
    case .bmp: [".bmp"]
    case .openEXR: [".exr"]
    case .dicom: [".dcm"]
    case .aiff: [".aif", ".aiff"]
    case .mxf: [".mxf"]
    case .vdi: [".vdi"]
    case .pcap: [".pcap"]
    case .pcapNG: [".pcapng"]
    case .numpy: [".npy"]
    case .fits: [".fits"]
    case .photoshop: [".psd", ".psb"]
    case .qcow2: [".qcow2"]
    case .vmdk: [".vmdk"]
    case .vhdx: [".vhdx"]
    case .gguf: [".gguf"]
    case .safetensors: [".safetensors"]
    case .sqlite: [".sqlite", ".sqlite3", ".db"]
    default: []
    }
  }

  /// The kind of archive, or of compressed file, that the end of a name promises.
  static func packed(by path: FilePath) -> FileFormat? {
    if path.endsFolded(in: ".zip") { return of(.zip) }
    if path.endsFolded(in: ".tar") { return of(.tar) }
    let kinds: [Kind] = [.gzip, .bzip2, .xz, .zstd, .lz4, .lzip, .sevenZip, .rar4]
    return promised(by: path).flatMap { kinds.contains($0.kind) ? $0 : nil }
  }

  /// The kind that a file wants to be by its first bytes, right or not.
  static func begun(by head: [UInt8]) -> FileFormat? { table.first { $0.begins(head) } }

  /// Whether the first bytes are those of a file of the kind, right or not.
  func begins(_ head: [UInt8]) -> Bool {
    if magics.contains(where: { $0.matches(head) }) { return true }
    return switch kind {
    case .zstd: ZstdProof.skipsToFrame(head)
    // Before POSIX there was no magic number; a sum of 512 bytes is as good as one.
    case .tar: head.first != 0 && TarHeader(head) != nil
    default: false
    }
  }

  /// The magic number of a kind that has one.
  static func magic(_ kind: Kind) -> [UInt8] { of(kind).magics[0].bytes }

  /// Whether the magic number is so short that any bytes may begin so.
  var isShort: Bool { magics.contains { $0.bytes.count < 4 } }
}

extension FileFormat.Kind {
  /// Whether a zip may stand behind such a start: in a program that unpacks itself, for one.
  var mayHoldZip: Bool {
    switch self {
    case .zip, .splitZip, .elf, .program, .script: true
    default: false
    }
  }

  /// Whether a file of the kind may be all text, in which tables and logs may begin with any letters.
  fileprivate var mayBeText: Bool {
    switch self {
    case .age, .deb, .fits, .hacha, .openssl, .pdf, .pgp, .postscript, .program, .rtf, .script: true
    default: false
    }
  }

  /// What the magic number does not tell, of a head that begins with it.
  fileprivate func isPlausible(_ head: [UInt8], _ size: Int64) -> Bool {
    switch self {
    case .gzip: Self.isGzip(head)
    case .arj: Self.isARJ(head)
    // Behind a label of ten bytes, whether it is the last one, and what kind of field follows.
    case .dar:
      head.count > 15 && "TNE".utf8.contains(head[14]) && "TNS".utf8.contains(head[15])
    case .safetensors: Self.isSafetensors(head, size)
    case .splitZip: head.beginsWithMarker
    case .tar: TarHeader(head) != nil
    // A page that begins a stream: every page begins with the magic number.
    case .ogg: head.dropFirst(5).first == 2
    case .bmp: head.count > 5 && Int64(head.uint32(at: 2)) == size
    // How many programs there are; classes of Java have a version there, which is larger.
    case .universal: head.count > 7 && head[4..<7].allSatisfy { $0 == 0 } && head[7] < 0x2D
    case .hacha: head.starts(with: Array(repeating: UInt8(ascii: "?"), count: 5))
    default: true
    }
  }

  /// No reserved flag is set, and the level and the system are among those of RFC 1952.
  private static func isGzip(_ head: [UInt8]) -> Bool {
    guard head.count >= 18 else { return false }
    return head[3] < 0x20 && [0, 2, 4].contains(head[8]) && (head[9] <= 13 || head[9] == 255)
  }

  /// The header of the archive is of type 2 and has at most 2600 bytes.
  private static func isARJ(_ head: [UInt8]) -> Bool {
    head.count > 10 && (1...2600).contains(head.uint16(at: 2)) && head[10] == 2
  }

  /// The length of a JSON object, of at most 100 MB, and then that object.
  private static func isSafetensors(_ head: [UInt8], _ size: Int64) -> Bool {
    guard size > 8, head.count > 8 else { return false }
    let length = head.uint64(at: 0)
    return (2...100_000_000).contains(length) && length <= UInt64(size - 8)
  }
}

extension [UInt8] {
  /// Whether no byte is one that no text has.
  var isText: Bool { !contains { $0 < 9 } }
}

extension FilePath {
  /// Whether the name ends so, in either case.
  ///
  /// - Parameter suffix: in lower case.
  func endsFolded(in suffix: String) -> Bool {
    var place = bytes.count - suffix.utf8.count
    if place < 0 { return false }
    for byte in suffix.utf8 {
      if bytes[place].folded != byte { return false }
      place += 1
    }
    return true
  }
}
