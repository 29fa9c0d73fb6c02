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
    case sums(Checksum.Digest.Kind?)
    /// See ``RcloneMetadata``.
    case rclone

    /// The format that the name of a file stands for, in either case of letters; nil where its lines
    /// have to tell, or it is no manifest's.
    public init?(of path: FilePath) {
      guard let format = ManifestName(path)?.format else { return nil }
      self = format
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
        // Lines of digests may follow.
        if SFV.isTagged(line) { continue }
        self = TotalCommanderCRC.isLine(line) ? .crc : Sums.isLine(line) ? .sums(nil) : .sfv
        return
      }
      self = .sfv
    }
  }

  init(parsing bytes: [UInt8], path: FilePath) throws(CleaveError) {
    let bytes = ManifestLines.decoded(bytes)
    // What such lists have may look like digests that are computed.
    if ForeignList.isName(path), let foreign = ForeignList(bytes, path: path) {
      throw .ofList(foreign, path)
    }
    do throws(CleaveError) {
      switch Format(of: path) ?? Format(of: bytes) {
      case .sfv: try self.init(parsingSFV: bytes, path: path)
      case .crc: self.init(try TotalCommanderCRC.parse(bytes, path: path), path)
      case .sums(let kind):
        do throws(CleaveError) {
          try self.init(parsingSums: bytes, kind, path: path)
        } catch {
          // `md5.txt` may be of other digests.
          guard kind != nil, ManifestName(path)?.isCertain == false,
            let other = try? Manifest(parsingSums: bytes, nil, path: path)
          else { throw error }
          self = other
        }
      case .rclone: self.init(try RcloneMetadata.parse(bytes, path: path), path)
      }
    } catch {
      if let table = Manifest(table: bytes, path: path) {
        self = table
        return
      }
      guard let foreign = ForeignList(bytes, path: path) else { throw error }
      throw .ofList(foreign, path)
    }
  }
}

extension CleaveError {
  fileprivate static func ofList(_ list: ForeignList, _ path: FilePath) -> CleaveError {
    var error = CleaveError(.badData, path, Sentence(list.text))
    error.isOfForeignList = true
    return error
  }
}

extension Manifest {
  /// What lines tell that have more in them than a digest and a name; nil where they are no such lines, or are of other
  /// digests than the name of the file says.
  fileprivate init?(table bytes: [UInt8], path: FilePath) {
    // What begins as a list does is one that is damaged.
    var lines = ManifestLines(bytes)
    if Sums.isLine(lines.next() ?? []) { return nil }
    var kind: Digest.Kind?
    var isOfCRCs = false
    if let name = ManifestName(path), name.isCertain {
      switch name.format {
      case .sums(let known): kind = known
      case nil: break
      // `7z h f.* > f.crc32`
      case .sfv where SumsTable.isOfSevenZip(bytes), .crc where SumsTable.isOfSevenZip(bytes):
        isOfCRCs = true
      case .sfv, .crc, .rclone: return nil
      }
    }
    guard let table = SumsTable(bytes, kind) else { return nil }
    self.init(path, table.lists, outside: table.outside)
    if isOfCRCs, !entries.allSatisfy({ $0.expected.crc32 != nil }) { return nil }
  }
}
