import Cleave
import CommandLineKit
import Posix

// What split, merge and repair tell.
extension JSONReport {
  /// What came of split and merge.
  struct Transfer: Encodable {
    let event = "result"
    var command: String
    var engine: String
    var bytes: Int64
    var parts: [File] = []
    var output: File?
    var manifest: Name?
    /// In split: all that it has written.
    var manifests: [Name]?
    /// In split: the scripts that join the parts.
    var joiners: [Name]?
    /// In merge: whether every byte was compared with something, and is right.
    var verified: Bool?
    /// In merge: what was compared.
    var proof: [Proof]?
    var crc32: String?
    var adler32: String?
    /// Of the whole: hexadecimal digits by `md5`, `sha1`, `sha224`, `sha256`, `sha384`, `sha512` or `b2`.
    var digests: [String: String]?
    /// What the operands are: `file`, `files`, `series`, `zip`, `zip in pieces` or `split zip`.
    var kind: String?
    /// Of the zip.
    var entries: Int64?
    var seconds: Double
    /// Bytes.
    var peakMemory: Int64

    mutating func tell(_ verdict: Verdict) {
      (verified, proof) = (verdict.isVerified, Proof.all(verdict))
    }

    /// The sums of the whole.
    mutating func tell(_ whole: Checksum, _ kinds: Checksum.Kinds, _ digests: Digests) {
      crc32 = kinds.contains(.crc32) ? whole.crc32Text : nil
      adler32 = kinds.contains(.adler32) ? whole.adler32Text : nil
      self.digests = JSONReport.digests(digests.whole)
    }
  }

  /// A part of a split that is finished.
  struct Part: Encodable {
    let event = "part"
    var part: File
  }

  /// What a dry run of merge, split or repair tells.
  struct Plan: Encodable {
    let event = "plan"
    let command: String
    let engine: String
    /// Bytes that would be written, where that is known.
    let bytes: Int64?
    /// What would be merged, or made, in order; each with its place in the whole.
    let parts: [File]
    /// What would be split.
    var source: File?
    /// What would be made of the parts.
    var output: File?
    /// What would be compared with, or made.
    var manifest: Name?
    /// All that split would write.
    var manifests: [Name]?
    /// Scripts that would be made, too.
    var joiners: [Name]?
    /// What the operands are: `file`, `files`, `series`, `zip`, `zip in pieces` or `split zip`.
    var kind: String?
    /// Of the zip.
    var entries: Int64?
    let space: Space?
    /// What would be freed on the way: `parts`, or the `source`.
    let consumes: String?
    let resumption: Resumption?

    /// What can be gone on with.
    struct Resumption: Encodable {
      let journal: Name
      /// Bytes that a run which was interrupted has done.
      let done: Int64
      /// Bytes that are made durable at a time.
      let checkpoint: Int64
    }

    init(_ command: String, _ forecast: Forecast) {
      (self.command, engine, bytes) = (command, forecast.engineText, forecast.bytes)
      parts = forecast.parts.map { File($0) }
      space = forecast.space.map { Space($0) }
      consumes = forecast.reclaim.map { $0 == .parts ? "parts" : "source" }
      resumption = forecast.resumption.map {
        Resumption(journal: Name($0.journal), done: $0.done, checkpoint: $0.checkpoint)
      }
    }
  }

  /// Whether there is room for what would be made.
  struct Space: Encodable {
    /// The type of the file system that it would be on, such as `ext4`, where that is known.
    let fileSystem: String?
    /// Bytes at most; of a job that consumes its sources, those that it has not given back before.
    let needed: Int64
    /// Bytes, where the file system counts them.
    let free: Int64?
    /// Bytes of the largest file.
    let largestFile: Int64
    /// Whether a file on FAT32 may be as large as that.
    let fitsFAT32: Bool

    init(_ space: Forecast.Space) {
      (fileSystem, needed, free) = (space.fileSystem, space.needed, space.free)
      (largestFile, fitsFAT32) = (space.largestFile, space.fitsFAT32)
    }
  }
}
