import Cleave
import CommandLineKit
import Posix

/// The objects that `--json` writes, each of which says in `event` what it is. `docs/json-schema.json`
/// describes them to others.
enum JSONReport {
  static func text(_ report: some Encodable) throws(CleaveError) -> String {
    do {
      return try JSONText.of(report)
    } catch {
      throw CleaveError(.inputOutput, "the JSON report could not be encoded")
    }
  }

  typealias Name = JSONName

  /// Digests by their names; nil for none.
  static func digests(_ digests: [Digest]) -> [String: String]? {
    if digests.isEmpty { return nil }
    return Dictionary(digests.map { ($0.kind.rawValue, $0.text) }) { first, _ in first }
  }

  /// What clean has removed.
  struct Cleaning: Encodable {
    let event = "result"
    let command = "clean"
    var removed: [File]
    var dryRun: Bool?
    /// What could not be looked at or removed, and why.
    var problems: [String]?
    var exitCode: Int32
  }

  /// Something that was compared, with no difference.
  struct Proof: Encodable {
    /// `manifest of the parts`, `manifest of the whole`, `entries`, `gzip` or `structure`.
    var by: String
    var manifest: Name?
    /// Whether every byte was.
    var complete: Bool
    var text: String

    /// Nil for a verdict of nobody.
    static func all(_ verdict: Verdict) -> [Proof]? {
      if verdict.isWaived || !verdict.isRight { return nil }
      return verdict.proofs.map { proof in
        Proof(
          by: proof.ground.rawValue,
          manifest: proof.manifest.map { Name($0) },
          complete: proof.isComplete,
          text: proof.text
        )
      }
    }
  }

  /// Why somebody may not want the result.
  struct Doubt: Encodable {
    /// See `Doubt.Code` in the library.
    var code: String
    var path: Name
    var text: String

    init(_ doubt: Cleave.Doubt, text: String) {
      (code, path, self.text) = (doubt.code.rawValue, Name(doubt.path), text)
    }
  }

  /// A report, with what was told beside it.
  struct Told<Report: Encodable>: Encodable {
    private let report: Report
    private let told: Console.Told
    private enum Keys: CodingKey { case warnings, doubts }

    init(_ report: Report, _ told: Console.Told) { (self.report, self.told) = (report, told) }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      if !told.warnings.isEmpty { try container.encode(told.warnings, forKey: .warnings) }
      if !told.doubts.isEmpty {
        try container.encode(told.doubts, forKey: .doubts)
      }
    }
  }

  /// What came of a comparison.
  enum Status: String, CaseIterable, Encodable {
    case ok, different, missing, unreadable
    case notChecked = "not checked"
    /// Of an entry of a zip.
    case notTested = "not tested"
  }

  /// A file with its size in bytes and what is known of its contents.
  struct File: Encodable {
    var path: Name
    var bytes: Int64?
    /// Of a part: bytes from the start of the whole.
    var offset: Int64?
    var crc32: String?
    var adler32: String?
    /// Hexadecimal digits by `md5`, `sha1`, `sha256`, `sha512` or `b2`.
    var digests: [String: String]?
    /// The entry of a zip that the line is about.
    var entry: Name?
    /// In verify.
    var status: Status?
    var problem: String?
    /// In verify: what the content says of itself.
    var proof: [Proof]?
    /// In verify: the bytes that differ or are missing, where the manifest has the sums of blocks.
    var ranges: [ByteRange]?

    init(
      _ path: FilePath,
      bytes: Int64? = nil,
      offset: Int64? = nil,
      _ sum: Checksum? = nil,
      _ kinds: Checksum.Kinds = [.crc32, .adler32],
      _ digests: [Digest] = []
    ) {
      self.path = Name(path)
      self.bytes = bytes ?? sum?.count
      self.offset = offset
      crc32 = kinds.contains(.crc32) ? sum?.crc32Text : nil
      adler32 = kinds.contains(.adler32) ? sum?.adler32Text : nil
      self.digests = JSONReport.digests(digests)
    }
  }

  /// Bytes of a file, from 0; those at both ends belong to it.
  struct ByteRange: Encodable {
    var from: Int64
    var to: Int64
  }

  /// What came of split and merge.
  struct Transfer: Encodable {
    let event = "result"
    var command: String
    var engine: String
    var bytes: Int64
    var parts: [File]
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
    /// Of the whole: hexadecimal digits by `md5`, `sha1`, `sha256`, `sha512` or `b2`.
    var digests: [String: String]?
    /// What the operands are: `file`, `files`, `series`, `zip`, `zip in pieces` or `split zip`.
    var kind: String?
    /// Of the zip.
    var entries: Int64?
    var seconds: Double
    /// Bytes.
    var peakMemory: Int64
  }

  struct Verification: Encodable {
    let event = "result"
    var command = "verify"
    var files: [File]
    /// What has to be fetched again.
    var bad: [Name]?
    var summary: VerifySummary
    var exitCode: Int32
    var seconds: Double
  }

  struct Info: Encodable {
    struct Finding: Encodable {
      /// `name`, `manifest`, `parts`, `sizes`, `content`, `end` or `beside`.
      var topic: String
      var text: String
    }

    let event = "result"
    var command = "info"
    var kind: String
    var parts: [File]
    /// Nil where the parts tell no name for it.
    var output: Name?
    var outputExists: Bool
    /// Bytes of the output.
    var bytes: Int64
    /// What merge would take.
    var engine: String?
    var space: SpaceReport
    var manifest: Name?
    /// Parts that a longer series left behind.
    var stale: [Name]
    /// What speaks for and against the parts' being those of one file.
    var evidence: [Finding]
    /// The zip that the parts make, or the file is.
    var zip: ZipReport?
    /// Why the series cannot be merged, or what is wrong with the zip.
    var problem: String?
    /// Parts that are missing, or the first hundred of them.
    var missing: [Name]?
    var exitCode: Int32
  }

  /// How far the job is.
  struct Progress: Encodable {
    let event = "progress"
    var bytes: Int64
    /// Bytes that there will be, where that is known.
    var total: Int64?
    /// Since the start.
    var seconds: Double
  }

  struct Failure: Encodable {
    let event = "failure"
    var command: String
    var error: String
    var path: Name?
    /// Parts that are missing, or the first hundred of them.
    var missing: [Name]?
    var call: String?
    var errno: Int32?
    var symbol: String?
    var offset: Int64?
    var exitCode: Int32

    init(command: String, error: String, code: ExitCode) {
      (self.command, self.error, exitCode) = (command, error, code.rawValue)
    }

    init(_ page: CommandPage, error: CleaveError, code: ExitCode) {
      self.init(command: page.name, error: error.sentence.spelled(for: page), code: code)
      path = error.path.map { Name($0) }
      missing = error.missing.isEmpty ? nil : error.missing.map { Name($0) }
      call = error.system?.call
      errno = error.system?.errno.rawValue
      symbol = error.system?.errno.symbol
      offset = error.system?.offset
    }
  }
}
