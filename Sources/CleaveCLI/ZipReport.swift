import Cleave
import CommandLineKit

/// What info tells of a zip.
struct ZipReport: Encodable {
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
    bytesInFront = archive.bytesInFront
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

  /// For people.
  var lines: [String] {
    var lines = [
      "  zip       \(entries) \(entries == 1 ? "entry" : "entries"), "
        + "\(ByteSize.described(Int64(clamping: uncompressed))) in "
        + "\(ByteSize.described(Int64(clamping: compressed)))"
    ]
    if entries > 0 {
      lines.append("  made by   \(madeBy.joined(separator: ", "))")
      lines.append("  methods   \(methods.joined(separator: ", "))")
    }
    lines.append("  ZIP64     \(zip64 ? "yes" : "no")")
    let way = aes ? ", by AES" : ""
    lines.append(
      "  encrypted \(encryptedEntries == 0 ? "no" : "\(encryptedEntries) of \(entries)\(way)")"
    )
    if bytesInFront > 0 { lines.append("  in front  \(ByteSize.described(bytesInFront))") }
    if comment > 0 { lines.append("  comment   \(ByteSize.described(Int64(comment)))") }
    return lines + notes.map { "  note      \($0)" }
  }
}
