import TestSupport

@testable import Cleave

/// Small files of every kind that ``FileFormat`` knows: their headers, and ends where those are looked at,
/// are as the formats have them.
enum FormatSample {
  /// - Parameter seed: other contents for another one.
  static func whole(_ kind: FileFormat.Kind, seed: UInt64 = 1) throws -> [UInt8] {
    // No zeros, which would look like the end of a tar file.
    let body = Bytes.pattern(count: 5000, seed: seed).map { $0 | 1 }
    return switch kind {
    case .zip: try ZipWriter([ZipEntry("a", body)]).single()
    case .splitZip: Array("PK\u{7}\u{8}PK\u{3}\u{4}".utf8) + body
    case .sevenZip: sevenZip(body)
    case .rar4: rar4(isVolume: false) + body
    case .rar5: rar5(isVolume: false) + body
    case .tar: tar([(UInt8(ascii: "0"), body)])
    case .gzip: gzip(body)
    case .bzip2: Array("BZh91AY&SY".utf8) + body + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 1, 2, 3, 4]
    case .xz: head(.xz) + body + Array("YZ".utf8)
    case .lzip: lzip(body)
    case .parquet: head(.parquet) + body + head(.parquet)
    case .safetensors: safetensors(body)
    case .arj: [0x60, 0xEA, 0x29, 0, 30, 11, 1, 2, 0, 0, 2] + body
    case .ace: [1, 2, 3, 4, 0, 0, 0] + Array("**ACE**".utf8) + body
    case .dar: head(.dar) + body.prefix(10) + Array("NT".utf8) + body
    case .hacha: Array("?????".utf8) + [7, 0, 0, 0] + Array("?????f?????9?????5?????".utf8) + body
    case .iso: Bytes.pattern(count: 32_769, seed: seed).map { $0 | 1 } + head(.iso) + body
    case .diskImage: body + head(.diskImage) + Array(body.prefix(500))
    case .mp4: [0, 0, 0, 0x18] + Array("ftypisom".utf8) + body
    case .mobi: Array(body.prefix(60)) + head(.mobi) + body
    case .ogg: Array("OggS".utf8) + [0, 2] + body
    case .bmp: head(.bmp) + [UInt8](littleEndian: UInt32(body.count + 6)) + body
    case .universal: head(.universal) + [0, 0, 0, 2] + body
    case let kind where FileFormat.of(kind).magics[0].offset > 0:
      Array(body.prefix(FileFormat.of(kind).magics[0].offset)) + head(kind) + body
    default: head(kind) + body
    }
  }

  private static func head(_ kind: FileFormat.Kind) -> [UInt8] { FileFormat.magic(kind) }

  /// One member, whose trailer ends with its size.
  private static func lzip(_ body: [UInt8]) -> [UInt8] {
    let start = head(.lzip) + [12] + body + [UInt8](repeating: 0, count: 12)
    return start + (0..<8).map { UInt8(truncatingIfNeeded: (start.count + 8) >> ($0 * 8)) }
  }

  // MARK: Archives

  /// The main header of `technote.txt`: a volume has the lowest flag.
  static func rar4(isVolume: Bool) -> [UInt8] {
    Array("Rar!\u{1A}\u{7}\0".utf8) + [0xCF, 0x90, 0x73, isVolume ? 1 : 0, 0, 13, 0]
      + [UInt8](repeating: 0, count: 6)
  }

  /// Checksum, size 10, type 1, flags 5 with an extra area of 6 bytes, flags of the archive.
  static func rar5(isVolume: Bool) -> [UInt8] {
    Array("Rar!\u{1A}\u{7}\u{1}\0".utf8) + [0x33, 0x92, 0xB5, 0xE5, 0x0A, 1, 5, 6]
      + [isVolume ? 1 : 0] + [5, 1, 1, 0x80, 0x80, 0]
  }

  private static func sevenZip(_ body: [UInt8]) -> [UInt8] {
    let header = FileFormat.magic(.sevenZip) + [0, 4, 1, 2, 3, 4]
    return header + [UInt8](littleEndian: UInt64(body.count - 50))
      + [UInt8](littleEndian: UInt64(50))
      + [9, 9, 9, 9] + body
  }

  private static func safetensors(_ body: [UInt8]) -> [UInt8] {
    let json = Array(#"{"weight":{"dtype":"F16","shape":[2500],"data_offsets":[0,5000]}}"#.utf8)
    return [UInt8](littleEndian: UInt64(json.count)) + json + body
  }

  /// Entries of a type each, and the records of zeros behind them.
  ///
  /// - Parameter isOld: as before POSIX, without a magic number.
  static func tar(
    _ entries: [(type: UInt8, content: [UInt8])],
    zeros: Int = 2,
    isOld: Bool = false
  ) -> [UInt8] {
    entries.flatMap { entry in
      let padding = (512 - entry.content.count % 512) % 512
      return tarHeader(entry.type, entry.content.count, isOld: isOld) + entry.content
        + [UInt8](repeating: 0, count: padding)
    } + [UInt8](repeating: 0, count: 512 * zeros)
  }

  static func tarHeader(_ type: UInt8, _ size: Int, isOld: Bool = false) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    func octal(_ number: Int, width: Int) -> String {
      let digits = String(number, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    put("name", at: 0)
    put(octal(size, width: 11), at: 124)
    put("        ", at: 148)
    header[156] = type
    if !isOld {
      put("ustar", at: 257)
      put("00", at: 263)
    }
    put(octal(header.reduce(0) { $0 + Int($1) }, width: 6) + "\0 ", at: 148)
    return header
  }

  // MARK: gzip

  /// One member of a stored block.
  ///
  /// - Parameter isBlocked: whether the header has the field of `bgzip`.
  static func gzip(_ body: [UInt8], isBlocked: Bool = false) -> [UInt8] {
    let size = UInt16(body.count)
    let stored = [1] + [UInt8](littleEndian: size) + [UInt8](littleEndian: ~size) + body
    let total = UInt16(stored.count + 18 + 8 - 1)
    let field: [UInt8] = [6, 0, 0x42, 0x43, 2, 0] + [UInt8](littleEndian: total)
    return [0x1F, 0x8B, 8, isBlocked ? 4 : 0, 0, 0, 0, 0, 0, isBlocked ? 0xFF : 3]
      + (isBlocked ? field : []) + stored + [1, 2, 3, 4]
      + [UInt8](littleEndian: UInt32(body.count))
  }

  /// What `bgzip` writes: many members, and an empty one.
  static func blockedGzip(members: Int) -> [UInt8] {
    (0..<members).flatMap { index in
      gzip(Bytes.pattern(count: 900 + index, seed: UInt64(index)), isBlocked: true)
    } + gzip([], isBlocked: true)
  }
}
