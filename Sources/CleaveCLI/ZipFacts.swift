import Cleave
import CommandLineKit

/// What info tells of a zip, as JSON has it.
struct ZipFacts: Encodable {
  var entries: Int64
  /// Bytes.
  var compressed: UInt64
  var uncompressed: UInt64
  /// The systems that "version made by" names, with the version of the format.
  var madeBy: [String]
  var methods: [String]
  var zip64: Bool
  var encryptedEntries: Int64
  var aes: Bool
  /// Bytes in front of the zip, such as a program that unpacks it.
  var bytesInFront: Int64
  /// Bytes of the comment.
  var comment: Int
  /// What is unusual and does no harm, in sentences.
  var notes: [String]

  init(_ archive: ZipArchive) {
    let summary = archive.summary
    entries = summary.entries
    compressed = summary.compressed
    uncompressed = summary.uncompressed
    madeBy = summary.makers.sorted().map(Self.maker)
    methods = summary.methods.sorted().map(ZipMethod.name)
    zip64 = summary.usesZIP64 || archive.end.isZIP64
    encryptedEntries = summary.encrypted
    aes = summary.usesAES
    bytesInFront = archive.notes.bytesInFront
    comment = archive.end.comment.count
    notes = archive.notes.lines
  }

  /// See APPNOTE 4.4.2.
  private static func maker(_ version: UInt16) -> String {
    let system =
      switch version >> 8 {
      case 0: "FAT"
      case 1: "Amiga"
      case 2: "OpenVMS"
      case 3: "Unix"
      case 6: "OS/2"
      case 7: "Macintosh"
      case 10: "NTFS"
      case 11: "MVS"
      case 14: "VFAT"
      case 19: "macOS"
      default: "system \(version >> 8)"
      }
    return "\(system) \((version & 0xFF) / 10).\((version & 0xFF) % 10)"
  }
}
