import Cleave
import Posix

/// What was found with one manifest, or without one.
///
/// Of what a manifest lists there may be more than a million files, so that each finding is made where it
/// is told, and what all come to is counted once.
struct Findings: Sequence {
  private var outcomes: (all: ManifestCheck.Outcomes, manifest: Manifest)?
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
  init(_ outcomes: ManifestCheck.Outcomes, _ manifest: Manifest, _ others: [Finding]) {
    self.outcomes = (outcomes, manifest)
    for outcome in outcomes { tally.add(Finding(outcome, manifest)) }
    for finding in others { append(finding) }
  }

  mutating func append(_ finding: Finding) {
    others.append(finding)
    tally.add(finding)
  }

  func makeIterator() -> some IteratorProtocol<Finding> {
    var first = outcomes.map { outcomes in
      (outcomes: outcomes.all.makeIterator(), manifest: outcomes.manifest)
    }
    var last = others.makeIterator()
    return AnyIterator {
      if let manifest = first?.manifest, let outcome = first?.outcomes.next() {
        return Finding(outcome, manifest)
      }
      return last.next()
    }
  }
}
