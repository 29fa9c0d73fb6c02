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

  /// Something that was compared, with no difference.
  struct Proof: Encodable {
    /// `manifest of the parts`, `manifest of the whole`, `entries`, `gzip` or `structure`.
    var by: String
    var manifest: Name?
    /// Whether every byte was.
    var complete: Bool
    var text: String

    /// Nil where nothing was looked at, or something differs.
    static func all(_ verdict: Verdict) -> [Proof]? {
      if verdict.isWaived || !verdict.isRight { return nil }
      return verdict.proofs.map { proof in
        Proof(
          by: proof.ground.rawValue,
          manifest: proof.manifest.map { Name($0) },
          complete: proof.isComplete,
          text: verdict.text(of: proof)
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

  /// A file with its size in bytes and what is known of its contents.
  struct File: Encodable {
    var path: Name
    var bytes: Int64?
    /// Of a part: bytes from the start of the whole.
    var offset: Int64?
    var crc32: String?
    var adler32: String?
    /// Hexadecimal digits by `md5`, `sha1`, `sha224`, `sha256`, `sha384`, `sha512` or `b2`.
    var digests: [String: String]?
    /// The entry of a zip that the line is about.
    var entry: Name?
    /// In verify.
    var status: String?
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

    init(_ place: Forecast.Place) {
      self.init(place.path, bytes: place.size, offset: place.offset)
    }

    /// - Parameter page: the command's.
    init(_ finding: Verify.Finding, for page: CommandPage) {
      let reading = finding.reading
      self.init(finding.path, reading?.checksum, reading?.kinds ?? [], reading?.digests ?? [])
      status = finding.status.rawValue
      problem = finding.problem?.spelled(for: page)
      entry = finding.entry.map { Name($0) }
      proof = finding.verdict.flatMap { Proof.all($0) }
      let wrong = reading?.wrong ?? []
      ranges =
        wrong.isEmpty ? nil : wrong.map { ByteRange(from: $0.lowerBound, to: $0.upperBound - 1) }
    }
  }

  /// Bytes of a file, from 0; those at both ends belong to it.
  struct ByteRange: Encodable {
    var from: Int64
    var to: Int64
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
