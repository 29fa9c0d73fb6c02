import Cleave
import CommandLineKit

/// What the process ends with; after `sysexits.h`, but for 1, which is `cmp`'s and `diff`'s.
package enum ExitCode: Int32, Sendable {
  case success = 0
  /// Verification found differences.
  case different = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case exhausted = 71
  case cannotCreate = 73
  case inputOutput = 74
  case tryAgain = 75
  case notPermitted = 77

  /// The only place where a kind of error becomes a number. Nil for those that end in a signal.
  init?(_ kind: CleaveError.Kind) {
    switch kind {
    case .badData: self = .badData
    case .missingInput: self = .noInput
    case .cannotCreate: self = .cannotCreate
    case .inputOutput: self = .inputOutput
    case .notPermitted: self = .notPermitted
    case .changedInput: self = .tryAgain
    case .exhausted: self = .exhausted
    case .cancelled, .readerGone: return nil
    }
  }
}
