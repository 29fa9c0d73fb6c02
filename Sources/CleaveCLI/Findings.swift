import Cleave
import CommandLineKit
import Posix

/// What was found with one manifest, or without one.
///
/// Of what a manifest lists there may be more than a million files, so that each finding is made where it
/// is told, and what all come to is counted once.
struct Findings: Sequence {
  private var outcomes: (all: ManifestCheck.Outcomes, manifest: Manifest, page: CommandPage)?
  private var others: [Finding] = []
  private(set) var tally = Tally()

  /// What findings come to.
  struct Tally {
    var count = 0
    var codes: Set<ExitCode> = []
    /// Whether a file is not there.
    var hasMissing = false
    /// Whether a file has to be fetched again.
    var hasBad = false
    /// By what they count as.
    var states: [Finding.State: Int] = [:]

    mutating func add(_ finding: Finding) {
      count += 1
      codes.insert(finding.code)
      hasMissing = hasMissing || finding.report.status == .missing
      hasBad = hasBad || !finding.bad.isEmpty
      let counts = finding.state == .missing || finding.state == .notChecked
      states[finding.state, default: 0] += counts ? finding.count : 1
    }
  }

  init(_ findings: [Finding]) {
    for finding in findings { append(finding) }
  }

  /// - Parameter others: told behind what came of the files.
  init(
    _ outcomes: ManifestCheck.Outcomes,
    _ manifest: Manifest,
    for page: CommandPage,
    _ others: [Finding]
  ) {
    self.outcomes = (outcomes, manifest, page)
    for outcome in outcomes { tally.add(Finding(outcome, manifest, for: page)) }
    for finding in others { append(finding) }
  }

  mutating func append(_ finding: Finding) {
    others.append(finding)
    tally.add(finding)
  }

  func makeIterator() -> some IteratorProtocol<Finding> {
    var first = outcomes.map { outcomes in
      (outcomes: outcomes.all.makeIterator(), manifest: outcomes.manifest, page: outcomes.page)
    }
    var last = others.makeIterator()
    return AnyIterator {
      if let (_, manifest, page) = first, let outcome = first?.outcomes.next() {
        return Finding(outcome, manifest, for: page)
      }
      return last.next()
    }
  }
}
