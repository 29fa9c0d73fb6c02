import Cleave
import Posix

/// Everything that walks through what files hold, to prove them right.
///
/// An input as ``TrialParts/cut(_:)`` takes it.
enum ProofTrial {
  static func run(_ input: [UInt8]) -> String {
    guard let cut = TrialParts.cut(input), let parts = try? JoinedBytes(cut),
      let found = try? ContentProof(of: parts)
    else { return "nothing to prove" }
    let progress = WorkProgress()
    guard let result = try? found.run(Cancellation(), progress) else { return "unreadable" }
    precondition(progress.bytes <= found.bytesToRead)
    precondition(result.kind == found.kind && result.proved >= 0)
    precondition(result.coverage != .whole || result.untested.count == 0 && result.kind.coversData)
    precondition((result.error == nil) == (result.differences.count == 0))
    for findings in [result.differences, result.untested] {
      precondition(findings.count >= findings.first.count)
      for finding in findings.first {
        precondition(parts.layout.paths.contains(finding.path) && !finding.text.isEmpty)
      }
    }
    requireSame(result, of: cut.flatMap { $0 })
    let finding = result.differences.first.first ?? result.untested.first.first
    let text = finding.map { ", \($0.path) \($0.text)" } ?? ""
    return "\(result.described), \(result.differences.count) differ, "
      + "\(result.untested.count) not tested\(text)"
  }

  /// How the bytes are cut changes names, and whether what is behind the end are parts; nothing else.
  private static func requireSame(_ result: ProofResult, of bytes: [UInt8]) {
    guard let whole = try? JoinedBytes([bytes]),
      let other = try? ContentProof(of: whole)?.run()
    else { preconditionFailure("nothing is told of the same bytes in one part") }
    precondition(other.kind == result.kind && other.proved == result.proved)
    let isSure = result.differences.first.allSatisfy { $0.sort != .doesNotBelong }
    if isSure { precondition(other.differences.count == result.differences.count) }
  }
}
