import Cleave
import CommandLineKit

/// What `--checksum` can ask for.
enum SumKind: String, CaseIterable, Sendable {
  case crc32, adler32, md5, sha1, sha224, sha256, sha384, sha512, b2

  /// What the names of lists of digests end in.
  static let endings = Digest.Kind.allCases.map { ".\($0.rawValue)" }
  /// The same as words of a sentence, any one of which may be meant.
  static let anyEnding = endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")

  /// Nil for sums that are combined from those of the parts.
  var digest: Digest.Kind? { Digest.Kind(rawValue: rawValue) }

  /// As in lines such as `SHA256 (name) = …`.
  var tag: String { digest?.name ?? rawValue.uppercased() }

  /// Its value, where it was computed.
  func text(_ sum: Checksum, _ digests: [Digest]) -> String? {
    switch self {
    case .crc32: sum.crc32Text
    case .adler32: sum.adler32Text
    default: digests.first { $0.kind == digest }?.text
    }
  }

  static func option<Settings>(
    _ help: String,
    sets target: Option<Settings>.Target<[SumKind]>
  ) -> Option<Settings> {
    .list(
      "checksum",
      "LIST",
      of: allCases.map(\.rawValue),
      group: "Checking",
      help: help,
      sets: target
    ) { argument throws(UsageError) in
      let kind = try argument.choice(of: allCases)
      guard kind.digest == nil || RunningDigest.isAvailable else {
        throw argument.refused(RunningDigest.lack)
      }
      return kind
    }
  }
}
