internal import Posix

extension Verify {
  /// What was found with one manifest, or without one.
  ///
  /// Of what a manifest lists there may be more than a million files, so that each finding is made where it
  /// is asked for, and what all come to is counted once.
  public struct Findings: Sequence, Sendable {
    private var outcomes: (all: ManifestCheck.Outcomes, manifest: Manifest)?
    private var others: [Finding] = []
    private(set) var tally = Tally()
    /// Of the zip that was tested.
    var entries: Summary.Entries?

    /// What findings come to.
    struct Tally: Sendable {
      var count = 0
      var failures: Set<Failure> = []
      /// Whether a file is not there.
      var hasMissing = false
      /// Whether a file has to be fetched again.
      var hasBad = false
      var summary = Summary()

      mutating func add(_ finding: Finding) {
        count += 1
        if let failure = finding.failure { failures.insert(failure) }
        hasMissing = hasMissing || finding.status == .missing
        hasBad = hasBad || !finding.bad.isEmpty
        summary.add(finding)
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

    /// The same, where nothing was wanted of what could not be checked.
    var withoutUnproved: Findings {
      var findings = Findings(
        map { finding in
          var finding = finding
          if [.notChecked, .notTested].contains(finding.status) { finding.failure = nil }
          return finding
        }
      )
      findings.entries = entries
      return findings
    }

    /// How many there are.
    public var count: Int { tally.count }

    public func makeIterator() -> AnyIterator<Finding> {
      var first = outcomes.map { (all: $0.all.makeIterator(), manifest: $0.manifest) }
      var last = others.makeIterator()
      return AnyIterator {
        if let manifest = first?.manifest, let outcome = first?.all.next() {
          return Finding(outcome, manifest)
        }
        return last.next()
      }
    }
  }

  /// What came of the files that were to be checked, in numbers.
  public struct Summary: Hashable, Sendable {
    /// The same as they should be.
    public private(set) var right = 0
    public private(set) var wrong = 0
    public private(set) var missing = 0
    /// Not named by the manifest, or not to be read.
    public private(set) var notChecked = 0
    /// Of the zips that were tested; nil where none was.
    public private(set) var entries: Entries?

    /// The entries of zips.
    public struct Entries: Hashable, Sendable {
      public private(set) var right: Int64 = 0
      public private(set) var wrong: Int64 = 0
      public private(set) var notChecked: Int64 = 0

      /// - Parameter readsData: without it nothing is known to be right.
      init(_ report: EntryVerification.Report, readsData: Bool) {
        right = readsData ? report.fine : 0
        wrong = report.bad.count
        notChecked = report.notTested.count + (readsData ? 0 : report.fine)
      }

      fileprivate mutating func add(_ other: Entries) {
        right += other.right
        wrong += other.wrong
        notChecked += other.notChecked
      }
    }

    init() {}

    /// What several findings come to together.
    public init(of findings: [Findings]) {
      for one in findings {
        let other = one.tally.summary
        right += other.right
        wrong += other.wrong
        missing += other.missing
        notChecked += other.notChecked
        if entries == nil { entries = one.entries } else { one.entries.map { entries?.add($0) } }
      }
    }

    fileprivate mutating func add(_ finding: Finding) {
      switch finding.status {
      case .missing: missing += finding.count
      case .unreadable, .notChecked: notChecked += finding.count
      case .notTested: break
      case .ok: if !finding.isOfZip { right += 1 }
      case .different: if !finding.isOfZip { wrong += 1 }
      }
    }

    /// Whether something was compared and is right.
    var hasRight: Bool { right > 0 || (entries?.right ?? 0) > 0 }
  }
}

extension Verify.Summary: CustomStringConvertible {
  /// `4 right, 1 wrong, 1 missing, 0 not checked`, and what was found in zips.
  public var description: String {
    let files = "\(right) right, \(wrong) wrong, \(missing) missing, \(notChecked) not checked"
    guard let entries else { return files }
    let zips =
      "\(entries.right.counted("entry", "entries")) right, \(entries.wrong) wrong, "
      + "\(entries.notChecked) not checked"
    return right + wrong + missing + notChecked == 0 ? zips : "\(files); \(zips)"
  }
}
