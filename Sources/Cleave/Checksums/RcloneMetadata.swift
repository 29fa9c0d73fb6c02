public import Posix

/// What rclone's chunker keeps of a file under the file's own name, beside
/// `NAME.rclone_chunk.001` and so on: a small JSON object.
///
/// `{"ver":1,"size":641144843,"nchunks":3,"md5":"…"}`; see "Metadata" in rclone's documentation of
/// the chunker.
public struct RcloneMetadata: Hashable, Sendable {
  /// Bytes of the file, not negative.
  public var size: Int64
  /// How many parts there are, at least 1.
  public var chunks: Int64
  /// MD5, SHA-1 or both of the file, or none.
  public var digests: [Checksum.Digest]

  /// rclone itself takes nothing larger for its own, in bytes.
  static let largestFile: Int64 = 1023

  /// Reads the bytes of a metadata object.
  ///
  /// - Parameter bytes: of all of the file.
  /// - Parameter path: the file's own, for messages.
  /// - Throws: `.badData` where it is none, or is of a version that is not known.
  public static func parse(_ bytes: [UInt8], path: FilePath) throws(CleaveError) -> RcloneMetadata {
    do throws(ManifestComplaint) {
      return try RcloneMetadata(try FlatJSON.parse(bytes))
    } catch {
      throw CleaveError(.badData, path, "line 1: \(error.text)")
    }
  }

  private init(_ values: [String: FlatJSON.Value]) throws(ManifestComplaint) {
    guard case .number(1...2) = values["ver"], case .number(let size) = values["size"], size >= 0,
      case .number(let chunks) = values["nchunks"], chunks >= 1
    else { throw ManifestComplaint("is not the metadata of rclone's chunker") }
    (self.size, self.chunks, digests) = (size, chunks, [])
    for kind in [Digest.Kind.md5, .sha1] {
      guard let value = values[kind.rawValue], value != .text("") else { continue }
      guard case .text(let digits) = value, let digest = Digest(kind, digits: digits.utf8) else {
        throw ManifestComplaint("the \(kind.rawValue) is not a hexadecimal digest")
      }
      digests.append(digest)
    }
  }
}
