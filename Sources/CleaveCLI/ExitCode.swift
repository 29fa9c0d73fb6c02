import Cleave
import CommandLineKit

/// What the process ends with; after `sysexits.h`, but for 1, which is `cmp`'s and `diff`'s. Others
/// are those of a program that bench ran.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  static let success = ExitCode(rawValue: 0)
  /// Verification found differences.
  static let different = ExitCode(rawValue: 1)
  static let usage = ExitCode(rawValue: 64)
  static let badData = ExitCode(rawValue: 65)
  static let noInput = ExitCode(rawValue: 66)
  static let exhausted = ExitCode(rawValue: 71)
  static let cannotCreate = ExitCode(rawValue: 73)
  static let inputOutput = ExitCode(rawValue: 74)
  static let tryAgain = ExitCode(rawValue: 75)
  static let notPermitted = ExitCode(rawValue: 77)

  /// Why not everything is right, if it is not.
  init(_ failure: Verify.Failure?) {
    switch failure {
    case nil: self = .success
    case .different?: self = .different
    case .error(let kind)?: self = ExitCode(kind) ?? .inputOutput
    }
  }

  /// The only place where a kind of error becomes a number. Nil for those that end in a signal.
  init?(_ kind: CleaveError.Kind) {
    switch kind {
    case .contradiction: self = .usage
    case .badData: self = .badData
    case .missingInput: self = .noInput
    case .cannotCreate: self = .cannotCreate
    case .inputOutput: self = .inputOutput
    case .notPermitted: self = .notPermitted
    case .changedInput, .inUse: self = .tryAgain
    case .exhausted: self = .exhausted
    case .cancelled, .readerGone: return nil
    }
  }
}
