import Cleave
import Posix

/// What came of the files that were to be checked, in numbers.
struct VerifySummary: Encodable {
  /// The same as they should be.
  var right = 0
  var wrong = 0
  var missing = 0
  /// Not named by the manifest, or not to be read.
  var notChecked = 0
  /// Of the zips that were tested.
  var entries: Entries?

  /// The entries of zips.
  struct Entries: Encodable {
    var right: Int64 = 0
    var wrong: Int64 = 0
    var notChecked: Int64 = 0

    /// - Parameter isQuick: no data was read, so that nothing is known to be right.
    init(_ report: EntryVerification.Report, isQuick: Bool) {
      right = isQuick ? 0 : report.fine
      wrong = report.bad.count
      notChecked = report.notTested.count + (isQuick ? report.fine : 0)
    }

    /// Nil where no zip was tested.
    static func sum(_ all: [Entries]) -> Entries? {
      all.first.map { first in all.dropFirst().reduce(first) { $0 + $1 } }
    }

    static func + (left: Entries, right: Entries) -> Entries {
      var sum = left
      sum.right += right.right
      sum.wrong += right.wrong
      sum.notChecked += right.notChecked
      return sum
    }
  }

  init(_ findings: [Findings]) {
    for states in findings.lazy.map(\.tally.states) {
      right += states[.right] ?? 0
      wrong += states[.wrong] ?? 0
      missing += states[.missing] ?? 0
      notChecked += states[.notChecked] ?? 0
    }
  }

  /// For people: `4 right, 1 wrong, 1 missing, 0 not checked`, and what was found in zips.
  var text: String {
    let files = "\(right) right, \(wrong) wrong, \(missing) missing, \(notChecked) not checked"
    guard let entries else { return files }
    let noun = entries.right == 1 ? "entry" : "entries"
    let zips =
      "\(entries.right) \(noun) right, \(entries.wrong) wrong, \(entries.notChecked) not checked"
    return right + wrong + missing + notChecked == 0 ? zips : "\(files); \(zips)"
  }
}
