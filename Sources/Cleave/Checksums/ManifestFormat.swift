public import Posix

extension Manifest {
  /// The forms of manifests.
  public enum Format: Hashable, Sendable {
    /// Names and CRC-32s; see ``SFV``.
    case sfv
    /// Total Commander's, of the whole alone; see ``TotalCommanderCRC``.
    case crc
    /// Digests and names, or lines that name the digest; see ``Sums``.
    ///
    /// Nil where the name of the file does not tell which digest its lines have.
    case sums(Digest.Kind?)
    /// See ``RcloneMetadata``.
    case rclone

    /// The format that the name of a file stands for, in either case of letters, or nil.
    public init?(of path: FilePath) {
      let name = SplitZipName.folded(path.lastComponent.bytes[...])
      let stem = name.suffix(4) == Array(".txt".utf8) ? name.dropLast(4) : name[...]
      if let kind = Digest.Kind.allCases.first(where: {
        stem.elementsEqual("\($0.rawValue)sums".utf8)
      }) {
        self = .sums(kind)
        return
      }
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
      let ending = String(decoding: name[(dot + 1)...], as: UTF8.self)
      switch ending {
      case "sfv": self = .sfv
      case "crc": self = .crc
      default:
        let stem = ending.hasSuffix("sum") ? String(ending.dropLast(3)) : ending
        guard let kind = Digest.Kind(rawValue: stem) else { return nil }
        self = .sums(kind)
      }
    }

    /// The format of bytes under a name that tells nothing.
    init(of bytes: [UInt8]) {
      if bytes.first == UInt8(ascii: "{") {
        self = .rclone
        return
      }
      var lines = ManifestLines(bytes)
      while let line = lines.next() {
        // Both mark comments, in one form or the other.
        if line.allSatisfy(SFV.isBlank) || line.first == SFV.comment || line.first == Sums.comment {
          continue
        }
        self = TotalCommanderCRC.isLine(line) ? .crc : Sums.isLine(line) ? .sums(nil) : .sfv
        return
      }
      self = .sfv
    }
  }

  /// Whether a file has the name of a manifest, which `NAME.*` of a shell takes in among the parts.
  public static func isName(_ path: FilePath) -> Bool { Format(of: path) != nil }

  init(parsing bytes: [UInt8], path: FilePath) throws(CleaveError) {
    switch Format(of: path) ?? Format(of: bytes) {
    case .sfv: self.init(try SFV.parse(bytes, path: path), path)
    case .crc: self.init(try TotalCommanderCRC.parse(bytes, path: path), path)
    case .sums(let kind): self.init(try Sums.parse(bytes, kind, path: path), path)
    case .rclone: self.init(try RcloneMetadata.parse(bytes, path: path), path)
    }
  }
}
